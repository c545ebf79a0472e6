"""The Windows backends on a fake user32. They have not been run on Windows."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from bench.bridge.drivers.native.backends.base import Rect
from bench.bridge.drivers.native.backends.windows import (
    ScanCodeInput,
    WinWindows,
    aware_of_dpi,
)
from bench.bridge.drivers.native.errors import DisplayLost, OperatorAbort, WindowMissing


class Function:
    """A ctypes function: callable, with a `restype`."""

    def __init__(self, work: Any) -> None:
        self.work, self.restype = work, None

    def __call__(self, *arguments: Any) -> Any:
        return self.work(*arguments)


class User32:
    """Two windows, 11 the game at (100, 50) of 1280 x 800, 22 another; 33 is hidden."""

    def __init__(self) -> None:
        self.titles = {11: "Poly Bridge", 22: "Poly Bridge 2", 33: "Poly Bridge"}
        self.foreground, self.on_top = 11, 11
        self.sent: list[tuple[int, int]] = []
        self.accepts = 1
        self.aware: list[str] = []
        self.GetForegroundWindow = Function(lambda: self.foreground)
        self.WindowFromPoint = Function(lambda point: 1000 + self.on_top)
        self.GetAncestor = Function(lambda window, kind: window - 1000 if kind == 2 else 0)

    def EnumWindows(self, look: Any, extra: int) -> None:
        assert all(look(window, extra) for window in self.titles)

    def IsWindowVisible(self, window: int) -> bool:
        return window != 33

    def GetWindowTextW(self, window: int, buffer: Any, size: int) -> None:
        buffer.value = self.titles[window][: size - 1]

    def GetClientRect(self, window: int, rect: Any) -> int:
        if window not in self.titles:
            return 0
        rect._obj.right, rect._obj.bottom = 1280, 800
        return 1

    def ClientToScreen(self, window: int, point: Any) -> None:
        point._obj.x, point._obj.y = 100, 50

    def GetSystemMetrics(self, which: int) -> int:
        return {76: -1920, 77: 0, 78: 3840, 79: 1080}[which]

    def SendInput(self, count: int, one: Any, size: int) -> int:
        self.sent.append((one._obj.key.scan, one._obj.key.flags))
        return self.accepts

    def SetProcessDPIAware(self) -> None:
        self.aware.append("system")


class Pointer:
    def check(self) -> None:
        raise OperatorAbort("a", "b")


@pytest.fixture
def user32() -> User32:
    return User32()


@pytest.fixture
def windows(user32: User32) -> WinWindows:
    return WinWindows(user32, lambda work: work)


def test_windows_are_found_by_their_titles(windows: WinWindows) -> None:
    assert windows.find("Poly Bridge", prefix=False) == [11]
    assert windows.find("Poly Bridge", prefix=True) == [11, 22]


def test_the_client_area_is_in_screen_pixels(windows: WinWindows) -> None:
    assert windows.client(11) == Rect(100, 50, 1280, 800)
    assert windows.screen() == Rect(-1920, 0, 3840, 1080)
    with pytest.raises(WindowMissing):
        windows.client(99)


def test_focus_and_cover(windows: WinWindows, user32: User32) -> None:
    assert windows.focused(11)
    assert windows.cover(11) is None
    user32.foreground = user32.on_top = 22
    assert not windows.focused(11)
    assert windows.cover(11) == "window 'Poly Bridge 2' at 260,150"


def test_handles_are_as_wide_as_pointers(windows: WinWindows, user32: User32) -> None:
    for function in (user32.GetForegroundWindow, user32.WindowFromPoint, user32.GetAncestor):
        assert function.restype is ctypes.c_void_p


def test_a_scan_code_is_sent_down_and_up(user32: User32) -> None:
    pointer: Any = Pointer()
    pointer.check = lambda: None
    ScanCodeInput(user32, pointer).press("space")
    assert user32.sent == [(0x39, 8), (0x39, 10)]


def test_a_blocked_or_unknown_key_is_a_fault(user32: User32) -> None:
    pointer: Any = Pointer()
    with pytest.raises(OperatorAbort):
        ScanCodeInput(user32, pointer).press("space")
    pointer.check = lambda: None
    with pytest.raises(DisplayLost, match="space, esc"):
        ScanCodeInput(user32, pointer).press("ctrl")
    user32.accepts = 0
    with pytest.raises(DisplayLost, match="blocks it"):
        ScanCodeInput(user32, pointer).press("space")
    assert len(user32.sent) == 1


def test_pixels_are_true_on_old_and_new_windows(user32: User32) -> None:
    aware_of_dpi(user32)
    assert user32.aware == ["system"]
    new: Any = User32()
    new.SetProcessDpiAwarenessContext = lambda context: new.aware.append(context.value) or 1
    aware_of_dpi(new)
    assert new.aware == [ctypes.c_void_p(-4).value]
