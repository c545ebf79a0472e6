"""The drivers by name; each is imported on use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bench.domain import DriverOptions
from bench.errors import InputError
from bench.near import unknown

if TYPE_CHECKING:
    from bench.bridge.drivers.base import Driver
    from bench.bridge.drivers.native.driver import NativeDriver

PATIENCE_S = 8.0
"""xdist replaces a worker when its channel ends; the process may hold its display some moments."""


def make_driver(options: DriverOptions) -> Driver:
    """The driver of that name, not yet opened. Raises InputError for an unknown one."""
    if options.name not in DRIVERS:
        raise InputError(unknown("--driver", options.name, DRIVERS))
    return DRIVERS[options.name](options)


def _embedded(options: DriverOptions) -> Driver:
    """The project's own simulator, in this process."""
    from bench.bridge.drivers.embedded import EmbeddedDriver
    from bench.bridge.physics.params import SimParams

    return EmbeddedDriver(SimParams(window_s=options.window_s), quiet=options.quiet)


def native(options: DriverOptions, patience_s: float = PATIENCE_S) -> NativeDriver:
    """The real game; of several displays, one that is free.

    xdist numbers the worker that replaces a crashed one anew: the display that its number gives
    may be another's, who lives, and its own may be held by the dying one, for which it waits
    `patience_s`.
    The first worker of a single display replaces nobody and waits for nobody: `open` raises
    DisplayBusy at once. Raises InputError and DisplayBusy.
    """
    displays = [d for d in (options.own.get("native_displays") or "").split(",") if d]
    mine = _native_on(options, displays, options.worker)
    if options.session is None or (len(displays) < 2 and options.worker == 0):
        return mine
    from bench.bridge.drivers.native.driver import first_free

    turns = range(options.worker + 1, options.worker + len(displays))
    others = (_native_on(options, displays, turn) for turn in turns)
    return first_free(mine, *others, patience_s=patience_s)


def _native_on(options: DriverOptions, displays: list[str], turn: int) -> NativeDriver:
    from bench.bridge.drivers.native.driver import NativeDriver
    from bench.bridge.drivers.native.profile import load_profile
    from bench.records.layout import FAULTS

    for key in ("profile", "layouts"):
        if not options.own.get(f"native_{key}"):
            raise InputError(f"--driver native needs --native-{key}; see docs/bridge/native.md")
    layouts = Path(options.own["native_layouts"])
    if not layouts.is_dir():
        raise InputError(f"--native-layouts {layouts}: is no folder")
    return NativeDriver(
        load_profile(Path(options.own["native_profile"])),
        layouts,
        display=displays[turn % len(displays)] if displays else None,
        faults=None if options.session is None else options.session / FAULTS,
    )


DRIVERS: dict[str, Callable[[DriverOptions], Driver]] = {"embedded": _embedded, "native": native}
"""Every driver by its name under `--driver`, the default one first."""
