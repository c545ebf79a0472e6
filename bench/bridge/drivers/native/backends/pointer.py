"""Input by pyautogui and pictures by mss, which are the same on every platform."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from bench.bridge.drivers.native.backends.base import Rect, Shot
from bench.bridge.drivers.native.errors import DisplayLost, NativeError, NoDisplay, OperatorAbort

_T = TypeVar("_T")

KEY_HOLD_S = 0.03
"""A game that looks at the keyboard once a frame does not see a shorter press."""


def import_autogui() -> Any:
    """The module pyautogui. Raises NoDisplay: its import needs a display."""
    try:
        with _without_mouseinfo():
            import pyautogui
    except (Exception, SystemExit) as error:  # KeyError and Xlib's errors among them
        raise NoDisplay(
            "pyautogui, which moves mouse and keys",
            f"{type(error).__name__}: {error}",
            'pip install ".[native]"; on Linux it also needs a display',
        ) from None
    pyautogui.FAILSAFE = True
    return pyautogui


@contextmanager
def _without_mouseinfo() -> Iterator[None]:
    """Have pyautogui take its pointer tool, which nothing here uses, for not installed.

    On Linux that tool ends the whole process where Python has no tkinter, as Debian's has not.
    """
    if "mouseinfo" in sys.modules:
        yield
        return
    sys.modules["mouseinfo"] = None  # type: ignore[assignment]  # import then raises ImportError
    try:
        yield
    finally:
        sys.modules.pop("mouseinfo", None)


class AutoguiInput:
    """Mouse and keyboard by pyautogui; its fail-safe stays on."""

    def __init__(self, autogui: Any) -> None:
        self._autogui = autogui

    def click(self, x: int, y: int) -> None:
        """Move, wait a moment, click: a click in the same frame as the move is often lost."""
        self._do(lambda: self._autogui.moveTo(x, y, _pause=False))
        time.sleep(KEY_HOLD_S)
        self._do(lambda: self._autogui.mouseDown(x, y, button="left", _pause=False))
        time.sleep(KEY_HOLD_S)
        self._do(lambda: self._autogui.mouseUp(x, y, button="left", _pause=False))

    def move(self, x: int, y: int) -> None:
        """Put the pointer somewhere."""
        self._do(lambda: self._autogui.moveTo(x, y, _pause=False))

    def press(self, key: str) -> None:
        """Press and release a key."""
        self._do(lambda: self._autogui.keyDown(key, _pause=False))
        time.sleep(KEY_HOLD_S)
        # The release must be sent, or the key stays down for the whole desktop.
        self._do(lambda: self._autogui.keyUp(key, _pause=False))

    def pointer(self) -> tuple[int, int]:
        """Where the pointer is."""
        x, y = self._do(self._autogui.position)
        return int(x), int(y)

    def check(self) -> None:
        """Raise OperatorAbort when the pointer is in a corner."""
        self._do(self._autogui.failSafeCheck)

    def _do(self, work: Callable[[], _T]) -> _T:
        try:
            return work()
        except self._autogui.FailSafeException:
            raise OperatorAbort(
                "the pointer away from the corners",
                "the pointer in a corner",
                "a person stopped the run; resume the session when the desktop is free",
            ) from None
        except NativeError:
            raise
        except Exception as error:  # a lost connection surfaces as any of a dozen types
            raise DisplayLost(
                "a desktop that takes input", f"{type(error).__name__}: {error}"
            ) from None


class MssCapture:
    """Pictures by mss, over one connection that stays open."""

    def __init__(self) -> None:
        try:
            import mss

            self._mss: Any = mss.MSS()
        except Exception as error:  # a missing library, or no display
            raise NoDisplay(
                "mss, which takes screenshots",
                f"{type(error).__name__}: {error}",
                'pip install ".[native]"',
            ) from None

    def grab(self, rect: Rect) -> Shot:
        """The pixels of a rectangle on the screen."""
        box = {"left": rect.x, "top": rect.y, "width": rect.width, "height": rect.height}
        begun = time.monotonic()
        try:
            grabbed = self._mss.grab(box)
            width, height = grabbed.size
            return Shot(bytes(grabbed.bgra), width, height, begun, time.monotonic())
        except Exception as error:  # mss raises assertions and its own errors alike
            raise DisplayLost(
                "a screenshot", f"{type(error).__name__}: {error}".rstrip(": ")
            ) from None

    def close(self) -> None:
        """Release the connection; a lost one is released already."""
        try:
            self._mss.close()
        except Exception:  # nothing is left to close
            return
