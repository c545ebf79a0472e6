"""Drivers: what executes a valid design."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from bench.errors import InputError
from bench.task import Json

if TYPE_CHECKING:
    from bench.bridge.drivers.base import Driver
    from bench.bridge.drivers.native.driver import NativeDriver

DRIVERS = ("embedded", "native")


def get_driver(name: str, options: Mapping[str, Json] | None = None) -> Driver:
    """Make the driver of that name, not yet opened. Raises InputError for an unknown one.

    `options`: `window_s` of the embedded driver; those of the native one are in `native_driver`.
    """
    if name == "embedded":
        from bench.bridge.drivers.base import WINDOW_S
        from bench.bridge.drivers.embedded import EmbeddedDriver
        from bench.bridge.physics.params import SimParams

        return EmbeddedDriver(SimParams(window_s=float((options or {}).get("window_s", WINDOW_S))))
    if name == "native":
        return native_driver(options or {})
    close = difflib.get_close_matches(name, DRIVERS, n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise InputError(f"--driver {name!r} is unknown; use one of {', '.join(DRIVERS)}{hint}")


def native_driver(options: Mapping[str, Json]) -> NativeDriver:
    """The native driver from `profile`, `layouts`, `display` and `faults`; paths as text.

    Raises InputError.
    """
    from bench.bridge.drivers.native.driver import NativeDriver
    from bench.bridge.drivers.native.profile import load_profile

    for key in ("profile", "layouts"):
        if not options.get(key):
            raise InputError(f"--driver native needs --native-{key}; see docs/bridge/native.md")
    layouts = Path(options["layouts"])
    if not layouts.is_dir():
        raise InputError(f"--native-layouts {layouts}: is no folder")
    faults = options.get("faults")
    return NativeDriver(
        load_profile(Path(options["profile"])),
        layouts,
        display=options.get("display"),
        faults=None if faults is None else Path(faults),
    )
