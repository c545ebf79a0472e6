"""The three interfaces to a desktop: window, input, capture; one module a platform."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.bridge.drivers.native.backends.base import Desktop
    from bench.bridge.drivers.native.profile import Profile


def open_desktop(profile: Profile, display: str | None = None) -> Desktop:
    """Connect to the desktop that this process runs on. Raises NoDisplay.

    `display` names an X display (default: `DISPLAY`); Windows has one only.
    """
    if sys.platform == "win32":
        from bench.bridge.drivers.native.backends.windows import open_windows

        return open_windows(profile)
    from bench.bridge.drivers.native.backends.x11 import open_x11

    return open_x11(display)
