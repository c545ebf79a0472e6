"""Displays between processes: one that lives keeps its display, a dead one leaves it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bench.bridge.drivers.native.calibrate import to_toml
from bench.bridge.drivers.native.errors import DisplayBusy
from fixtures.driver import free_driver
from tests_unit.native_game.desk import ROOT
from tests_unit.native_game.look import profile_data

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


def options(profile: Path, *displays: str) -> Any:
    return SimpleNamespace(
        driver="native",
        native_profile=str(profile),
        native_layouts=str(profile.parent),
        native_displays=displays,
    )


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
        free_driver(chosen, tmp_path, 2)
    dead.send_signal(signal.SIGKILL)
    dead.wait()
    replacement: Any = free_driver(chosen, tmp_path, 2)
    assert replacement._display == SECOND
    assert replacement._slot.path.parent.name == f"game{SECOND[1:]}"
    with pytest.raises(DisplayBusy):
        free_driver(chosen, tmp_path, 3)
    replacement.close()


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
        free_driver(chosen, tmp_path, 1)
    first.close()
    # What was refused holds nothing.
    second: Any = free_driver(chosen, tmp_path, 1)
    assert second._display == SECOND
    second.close()
