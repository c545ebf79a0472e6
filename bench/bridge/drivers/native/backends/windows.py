"""Windows: windows by ctypes, input by pyautogui or by scan codes, pictures by mss.

Tested with a fake user32 only; it has not been run on Windows by this project.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable
from typing import Any

from bench.bridge.drivers.native.backends.base import Desktop, InputBackend, Rect
from bench.bridge.drivers.native.backends.pointer import (
    KEY_HOLD_S,
    AutoguiInput,
    MssCapture,
    import_autogui,
)
from bench.bridge.drivers.native.errors import DisplayLost, NoDisplay, WindowMissing

PER_MONITOR_AWARE_V2 = -4
SCAN_CODES = {"space": 0x39, "esc": 0x01, "enter": 0x1C, "p": 0x19, "r": 0x13, "f5": 0x3F}
KEYEVENTF_SCANCODE, KEYEVENTF_KEYUP, INPUT_KEYBOARD = 0x0008, 0x0002, 1
SM_XVIRTUALSCREEN, SM_YVIRTUALSCREEN, SM_CXVIRTUALSCREEN, SM_CYVIRTUALSCREEN = 76, 77, 78, 79
GA_ROOT = 2
COVER_GRID = 4
"""A client area is looked at in so many by so many places for a window on top."""


class _Point(ctypes.Structure):
    _fields_ = [("x", ctypes.c_long), ("y", ctypes.c_long)]


class _Rect(ctypes.Structure):
    _fields_ = [(n, ctypes.c_long) for n in ("left", "top", "right", "bottom")]


class _Key(ctypes.Structure):
    _fields_ = [
        ("vk", ctypes.c_ushort),
        ("scan", ctypes.c_ushort),
        ("flags", ctypes.c_ulong),
        ("time", ctypes.c_ulong),
        ("extra", ctypes.c_size_t),
        # INPUT is a union; the mouse's part is the largest and decides its size.
        ("padding", ctypes.c_ubyte * 8),
    ]


class _Input(ctypes.Structure):
    _fields_ = [("type", ctypes.c_ulong), ("key", _Key)]


def open_windows(*, scan_codes: bool) -> Desktop:
    """Connect to the desktop of this session. Raises NoDisplay."""
    if sys.platform != "win32":
        raise NoDisplay("Windows", sys.platform)
    user32 = ctypes.windll.user32
    # Before mss and pyautogui ask for any coordinate: a scaled desktop gives wrong ones else.
    aware_of_dpi(user32)
    autogui = AutoguiInput(import_autogui())
    keys: InputBackend = ScanCodeInput(user32, autogui) if scan_codes else autogui
    return Desktop("windows", WinWindows(user32), keys, MssCapture())


def aware_of_dpi(user32: Any) -> None:
    """Have Windows give true pixels: per monitor where it can, per system else."""
    context = ctypes.c_void_p(PER_MONITOR_AWARE_V2)
    try:
        done = bool(user32.SetProcessDpiAwarenessContext(context))
    except AttributeError:  # before Windows 10, 1703
        done = False
    if not done:
        user32.SetProcessDPIAware()


def _window_callback() -> Callable[..., Any]:
    factory: Any = getattr(ctypes, "WINFUNCTYPE")  # noqa: B009 - there is none elsewhere
    kind: Callable[..., Any] = factory(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
    return kind


class WinWindows:
    """Top-level windows by user32."""

    def __init__(self, user32: Any, callback: Callable[..., Any] | None = None) -> None:
        self._user32 = user32
        # Only Windows has this kind of callback; a test brings its own.
        self._callback = callback or _window_callback()
        for name in ("GetForegroundWindow", "WindowFromPoint", "GetAncestor"):
            # A handle is as wide as a pointer; ctypes takes results for 32 bits.
            getattr(user32, name).restype = ctypes.c_void_p

    def find(self, title: str, *, prefix: bool) -> list[int]:
        """Visible top-level windows whose title is, or begins with, `title`."""
        found: list[int] = []

        def look(window: int, _: Any) -> bool:
            if self._user32.IsWindowVisible(window):
                name = self._title(window)
                if name == title or (prefix and name.startswith(title)):
                    found.append(window)
            return True

        self._user32.EnumWindows(self._callback(look), 0)
        return found

    def _title(self, window: int) -> str:
        buffer = ctypes.create_unicode_buffer(512)
        self._user32.GetWindowTextW(window, buffer, 512)
        return buffer.value

    def client(self, window: int) -> Rect:
        """The client area on the screen; a minimised window has none."""
        size, corner = _Rect(), _Point(0, 0)
        if not self._user32.GetClientRect(window, ctypes.byref(size)):
            raise WindowMissing("the game's window", f"window {window} is gone")
        self._user32.ClientToScreen(window, ctypes.byref(corner))
        return Rect(corner.x, corner.y, size.right - size.left, size.bottom - size.top)

    def screen(self) -> Rect:
        """All monitors together."""
        names = (SM_XVIRTUALSCREEN, SM_YVIRTUALSCREEN, SM_CXVIRTUALSCREEN, SM_CYVIRTUALSCREEN)
        return Rect(*(int(self._user32.GetSystemMetrics(name)) for name in names))

    def focused(self, window: int) -> bool:
        """Whether it is the foreground window."""
        return bool(self._user32.GetForegroundWindow() == window)

    def activate(self, window: int) -> None:
        """Bring it to the foreground; Windows allows that to the process with the last input."""
        self._user32.ShowWindow(window, 9)  # SW_RESTORE
        self._user32.SetForegroundWindow(window)

    def cover(self, window: int) -> str | None:
        """A window that a click on a grid over the client area would reach instead."""
        area = self.client(window)
        steps = range(1, 2 * COVER_GRID, 2)
        for row in steps:
            for column in steps:
                x = area.x + area.width * column // (2 * COVER_GRID)
                y = area.y + area.height * row // (2 * COVER_GRID)
                hit = self._user32.WindowFromPoint(_Point(x, y))
                top = self._user32.GetAncestor(hit, GA_ROOT) if hit else None
                if top is not None and top != window:
                    return f"window {self._title(top)!r} at {x},{y}"
        return None

    def close(self) -> None:
        """Nothing is held."""


class ScanCodeInput:
    """Keys as hardware scan codes, for games that read those; the mouse as before."""

    def __init__(self, user32: Any, pointer: InputBackend) -> None:
        self._user32 = user32
        self._pointer = pointer

    def press(self, key: str) -> None:
        """Press and release a key."""
        if key not in SCAN_CODES:
            raise DisplayLost(
                f"a key of {', '.join(SCAN_CODES)}", key, "set keys.scan_codes = false"
            )
        self.check()
        self._send(SCAN_CODES[key], KEYEVENTF_SCANCODE)
        time.sleep(KEY_HOLD_S)
        self._send(SCAN_CODES[key], KEYEVENTF_SCANCODE | KEYEVENTF_KEYUP)

    def _send(self, scan: int, flags: int) -> None:
        one = _Input(INPUT_KEYBOARD, _Key(0, scan, flags, 0, 0))
        if self._user32.SendInput(1, ctypes.byref(one), ctypes.sizeof(one)) != 1:
            raise DisplayLost(
                "a desktop that takes input", "it blocks it", "is the game run as administrator?"
            )

    def click(self, x: int, y: int) -> None:
        """Click with the left button."""
        self._pointer.click(x, y)

    def move(self, x: int, y: int) -> None:
        """Put the pointer somewhere."""
        self._pointer.move(x, y)

    def pointer(self) -> tuple[int, int]:
        """Where the pointer is."""
        return self._pointer.pointer()

    def check(self) -> None:
        """Raise OperatorAbort when the pointer is in the fail-safe corner."""
        self._pointer.check()
