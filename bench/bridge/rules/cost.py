"""The budget."""

from __future__ import annotations

from collections.abc import Iterator

from bench.bridge.design.materials import MATERIALS
from bench.bridge.rules.case import Case
from bench.bridge.rules.wording import dollars, listing, number
from bench.task import Violation


def over_budget(case: Case) -> Iterator[Violation]:
    """The design costs more than the condition's limit; both are in whole cents."""
    cost, limit = case.design.cost_usd, round(case.limit_usd, 2)
    if cost > limit:
        metres = case.design.metres_by_material()
        parts = [
            f"{number(metres[m.name])} m of {m.name} at {dollars(m.cost_usd_per_m)}/m"
            for m in MATERIALS.values()
            if m.name in metres
        ]
        yield Violation(
            "OVER_BUDGET",
            f"the design costs {dollars(cost)} ({listing(parts)}), {dollars(cost - limit)} above "
            f"the limit of {dollars(limit)}; use fewer metres or cheaper materials",
            values={"cost_usd": cost, "limit_usd": limit},
        )
