"""The three interfaces to a desktop: window, input, capture; one module a platform."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.bridge.drivers.native.backends.base import Desktop
    from bench.bridge.drivers.native.profile import Profile


def desktop_name(display: str | None = None) -> str:
    """The name of the desktop that `open_desktop` connects to, before it does."""
    return "windows" if sys.platform == "win32" else display or os.environ.get("DISPLAY", "")


def open_desktop(profile: Profile | None, display: str | None = None) -> Desktop:
    """Connect to the desktop that this process runs on. Raises NoDisplay.

    The profile says how keys are sent on Windows (without one: plainly). `display` names an X
    display (default: `DISPLAY`); Windows has one only.
    """
    if sys.platform == "win32":
        from bench.bridge.drivers.native.backends.windows import open_windows

        return open_windows(scan_codes=profile is not None and profile.keys.scan_codes)
    from bench.bridge.drivers.native.backends.x11 import open_x11

    return open_x11(display)


@contextmanager
def open_desktop_of(display: str | None) -> Iterator[Desktop]:
    """A desktop for looking only, closed at the end."""
    desktop = open_desktop(None, display)
    try:
        yield desktop
    finally:
        desktop.close()
