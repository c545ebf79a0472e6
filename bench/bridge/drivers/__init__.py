"""Drivers: what executes a valid design."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bench.errors import InputError
from bench.task import Json

if TYPE_CHECKING:
    from bench.bridge.drivers.base import Driver

DRIVERS = ("embedded",)


def get_driver(name: str, options: Mapping[str, Json] | None = None) -> Driver:
    """Make the driver of that name, not yet opened. Raises InputError for an unknown one."""
    if name == "embedded":
        from bench.bridge.drivers.embedded import EmbeddedDriver

        return EmbeddedDriver()
    close = difflib.get_close_matches(name, DRIVERS, n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise InputError(f"--driver {name!r} is unknown; use one of {', '.join(DRIVERS)}{hint}")
