"""Displays between processes: one that lives keeps its display, a dead one leaves it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bench.bridge.drivers.native.backends.base import Desktop, Rect
from bench.bridge.drivers.native.calibrate import to_toml
from bench.bridge.drivers.native.driver import NativeDriver
from bench.bridge.drivers.native.errors import DisplayBusy
from bench.bridge.drivers.native.profile import load_profile
from bench.bridge.drivers.native.saves import LayoutSlot
from bench.bridge.drivers.registry import native
from bench.domain import DriverOptions
from tests_unit.support.native_game.desk import ROOT
from tests_unit.support.native_game.look import profile_data

# Nobody connects to them. The lock files are the machine's: no other run has this one's number.
FIRST, SECOND = f":{os.getpid()}1", f":{os.getpid()}2"
HOLD = """
import sys
from pathlib import Path
from bench.bridge.drivers.native.driver import NativeDriver
from bench.bridge.drivers.native.profile import load_profile
driver = NativeDriver(load_profile(Path(sys.argv[1])), Path("."), display=sys.argv[2])
driver.claim()
print("claimed", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    path = tmp_path / "p.toml"
    path.write_text(to_toml(profile_data(tmp_path / "game{display}" / "slot.json")))
    return path


def options(profile: Path, *displays: str) -> dict[str, Any]:
    return {
        "native_profile": str(profile),
        "native_layouts": str(profile.parent),
        "native_displays": ",".join(displays),
    }


def free_driver(own: dict[str, Any], session: Path, worker: int, **more: float) -> Any:
    return native(DriverOptions("native", 12.0, session, worker, own=own), **more)


@pytest.fixture
def worker(profile: Path) -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    """Start processes that claim a display and hold it."""
    started: list[subprocess.Popen[str]] = []

    def start(display: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(profile), display],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "claimed\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_a_worker_in_place_of_a_dead_one_takes_its_display(
    profile: Path, worker: Callable[[str], subprocess.Popen[str]], tmp_path: Path
) -> None:
    """gw0 lives on the first display, gw1 died on the second, gw2 is to go on there."""
    chosen = options(profile, FIRST, SECOND)
    worker(FIRST)
    dead = worker(SECOND)
    with pytest.raises(DisplayBusy, match=FIRST):
        free_driver(chosen, tmp_path, 2, patience_s=0.0)
    dead.send_signal(signal.SIGKILL)
    dead.wait()
    replacement: Any = free_driver(chosen, tmp_path, 2)
    assert replacement._display == SECOND
    assert replacement._slot.path.parent.name == f"game{SECOND[1:]}"
    with pytest.raises(DisplayBusy):
        free_driver(chosen, tmp_path, 3, patience_s=0.0)
    replacement.close()


@pytest.mark.parametrize(("displays", "number"), [((FIRST, SECOND), 2), ((SECOND,), 1)])
def test_a_replacement_waits_for_the_dying_one(
    profile: Path,
    worker: Callable[[str], subprocess.Popen[str]],
    tmp_path: Path,
    displays: tuple[str, ...],
    number: int,
) -> None:
    """xdist starts it when the old one's channel ends, which may be before its process does."""
    chosen = options(profile, *displays)
    dying = [worker(display) for display in displays][-1]
    with pytest.raises(DisplayBusy):
        free_driver(chosen, tmp_path, number, patience_s=0.0)
    death = threading.Timer(0.3, dying.kill)
    death.start()
    replacement: Any = free_driver(chosen, tmp_path, number)
    death.join()
    assert replacement._display == SECOND
    replacement.close()


def test_the_only_display_is_refused_at_once_while_another_session_has_it(
    profile: Path, worker: Callable[[str], subprocess.Popen[str]], tmp_path: Path
) -> None:
    worker(FIRST)
    never = 1e9  # would hang the test, were it waited
    with pytest.raises(DisplayBusy, match=FIRST):
        free_driver(options(profile, FIRST), tmp_path, 0, patience_s=never).open()


def test_a_desktop_that_cannot_be_closed_keeps_neither_layout_nor_locks(
    profile: Path, tmp_path: Path
) -> None:
    """The server of the display is gone: closing the connection fails as well."""
    slot = LayoutSlot(tmp_path / "slot.json")
    slot.path.write_text("the user's")
    slot.open()
    slot.path.write_text("ours")
    made = [
        NativeDriver(
            load_profile(profile), tmp_path, display=FIRST, slot=slot, connect=lambda *_: gone()
        )
        for _ in range(2)
    ]
    with pytest.raises(OSError, match="no connection"):
        made[0].open()
    assert slot.path.read_text() == "the user's"
    made[1].claim()
    made[1].close()


def gone() -> Desktop:
    """A desktop with no windows, whose connection cannot be closed."""

    def close() -> None:
        raise OSError("no connection")

    windows = SimpleNamespace(
        find=lambda *_, **__: [], screen=lambda: Rect(0, 0, 8, 8), close=close
    )
    capture = SimpleNamespace(grab=lambda _: None, close=close)
    none: Any = None
    return Desktop(FIRST, windows, none, capture)  # type: ignore[arg-type]


def test_each_worker_has_its_own_display_when_all_are_free(profile: Path, tmp_path: Path) -> None:
    chosen = options(profile, FIRST, SECOND)
    drivers: list[Any] = [free_driver(chosen, tmp_path, number) for number in (0, 1)]
    assert [driver._display for driver in drivers] == [FIRST, SECOND]
    for driver in drivers:
        driver.close()


def test_one_layout_file_for_two_displays_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text(to_toml(profile_data(tmp_path / "slot.json")))
    chosen = options(path, FIRST, SECOND)
    first: Any = free_driver(chosen, tmp_path, 0)
    with pytest.raises(DisplayBusy, match=r"slot\.json for this driver alone"):
        free_driver(chosen, tmp_path, 1, patience_s=0.0)
    first.close()
    # What was refused holds nothing.
    second: Any = free_driver(chosen, tmp_path, 1)
    assert second._display == SECOND
    second.close()
