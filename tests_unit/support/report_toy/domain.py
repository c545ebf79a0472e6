"""What reports read of the toy: a unit with a suffix, a size, a number and a mark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bench.domain import Measures, Unit


class ToyDomain:
    name = "toy"
    title = "Towers of pegs"
    unit = Unit("peg", "peg", "pegs", suffix=" pegs")

    def hashes(self, root: Any = None) -> Mapping[str, str]:
        return {}

    def measures(self, call: Mapping[str, Any]) -> Measures:
        design, execution = call.get("design") or {}, call.get("execution") or {}
        return Measures(
            size=design.get("pegs"),
            numbers={
                f"colour {name}": number for name, number in design.get("colours", {}).items()
            },
            marks={"leans": execution.get("leans")},
        )


DOMAIN = ToyDomain()
