"""Every fault of a desktop has its own error; none is scored, none changes an outcome."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bench.bridge.drivers.native import errors, saves
from bench.bridge.drivers.native.backends import open_desktop
from bench.bridge.drivers.native.capture import write_png
from bench.bridge.drivers.native.errors import NativeError
from bench.bridge.drivers.native.saves import LayoutSlot
from bench.bridge.level.files import load_level
from bench.task import Outcome
from tests_unit.support.factories import deck
from tests_unit.support.native_game.desk import ROOT, Desk
from tests_unit.support.native_game.intruder import Intruder

pytestmark = pytest.mark.native

NAME = "T1B_Basic_10m"
SCALE = 8.0
SUCCESS = ("--script", "success@9")
# The window counts from the first picture of the run. A busy machine takes it late, by less than
# 0.3 s, which this time scale multiplies; the full-length run in test_native_episodes is exact.
EARLIEST_S, LATEST_S = 9.0 - 0.3 * SCALE, 10.0
QUICK = {
    "settle": 0.1,
    "hold": 0.04,
    "poll": 0.01,
    "start": 1.0,
    "screen": 1.5,
    "back": 1.5,
    "load": 2.0,
}


def quick(desk: Desk, **changes: Any) -> Any:
    waits = QUICK | changes.pop("waits", {})
    return desk.profile(scale=SCALE, waits=waits, **changes)


def run(desk: Desk, *game: str, **more: Any) -> Any:
    """One execution of a road deck, whose outcome the stand-in has been told."""
    desk.add_layout(NAME)
    desk.start("--speed", str(SCALE), *(game if "--script" in game else (*SUCCESS, *game)))
    return execute(desk, more.pop("profile", None) or quick(desk), **more)


def execute(desk: Desk, profile: Any, **more: Any) -> Any:
    level = load_level(NAME).level
    driver = desk.driver(profile, **more)
    driver.open()
    try:
        return driver.execute(level, deck(level))
    finally:
        driver.close()


def first_fault(desk: Desk) -> dict[str, Any]:
    """The first fault that was noted, which has a screenshot."""
    line = json.loads(sorted(desk.faults.glob("*.json"))[0].read_text())
    assert line["expected"]
    assert line["seen"]
    return line


def screenshots(desk: Desk) -> int:
    return len(list(desk.faults.glob("*.png")))


@contextmanager
def open_fails(desk: Desk, error: type[NativeError]) -> Iterator[str]:
    driver = desk.driver()
    with pytest.raises(error) as caught:
        driver.open()
    assert driver.broken == str(caught.value)
    yield str(caught.value)
    driver.close()


def test_no_display(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(errors.NoDisplay, match=":987"):
        open_desktop(desk.profile(), ":987")
    monkeypatch.delenv("DISPLAY", raising=False)
    with pytest.raises(errors.NoDisplay, match="no DISPLAY"):
        open_desktop(desk.profile(), None)


def test_no_game(desk: Desk) -> None:
    with open_fails(desk, errors.WindowMissing):
        assert screenshots(desk) == 1


def test_two_windows(desk: Desk) -> None:
    desk.start(*SUCCESS)
    desk.start(*SUCCESS)
    with open_fails(desk, errors.WindowAmbiguous) as told:
        assert "one window titled" in told
        assert "close all but the game" in told


@pytest.mark.parametrize(
    ("arguments", "error", "seen"),
    [
        (("--size", "1300x800"), errors.WindowSizeWrong, "1300 x 800"),
        (("--position", "1000,30"), errors.WindowOffScreen, "it at 1000,30"),
    ],
    ids=["wrong size", "off-screen"],
)
def test_a_window_that_does_not_fit(
    desk: Desk, arguments: tuple[str, ...], error: type[NativeError], seen: str
) -> None:
    desk.start(*SUCCESS, *arguments)
    with open_fails(desk, error) as told:
        assert seen in told


# What the game does wrong at every run, and the error that the first one is.
GAME_FAULTS = {
    "dialog": errors.UnexpectedScreen,
    "black": errors.BlackScreen,
    "crash": errors.WindowMissing,
    "freeze": errors.GameFrozen,
    "start-delay=5": errors.StartTimeout,
    "swallow": errors.StartTimeout,
    "double": errors.RunInterrupted,
    "ignore-reload": errors.ReloadError,
    "rewrite": errors.SaveChanged,
    "corrupt": errors.UnexpectedScreen,
    "grey": errors.MarkerConflict,
    "flash-end": errors.UnexpectedScreen,
    "both": errors.MarkerConflict,
}


@pytest.mark.parametrize("fault", GAME_FAULTS)
def test_a_fault_of_the_game_is_its_own_error(desk: Desk, fault: str) -> None:
    # What is waited for does not come: waiting longer would show nothing else.
    waits = {"start": 0.5} if GAME_FAULTS[fault] is errors.StartTimeout else {}
    waits |= {"load": 1.0} if fault == "corrupt" else {}
    with pytest.raises(NativeError):
        run(desk, "--fault", fault, profile=quick(desk, waits=waits))
    assert first_fault(desk)["error"] == GAME_FAULTS[fault].__name__
    assert screenshots(desk) >= 1
    # A run that was recorded to its end and refused is kept for audit. Whether a flash at the end
    # meets enough frames to stop the run, or the look after them, is a matter of some milliseconds.
    if fault != "flash-end":
        assert bool(list(desk.faults.glob("*.frames.jsonl"))) == (fault == "grey")


# What the game does wrong once or in a way that does no harm: the result is right.
@pytest.mark.parametrize(
    ("fault", "recovered"),
    [
        ("swallow*1", "StartTimeout: went back to the editor"),
        ("double*1", "RunInterrupted: went back to the editor"),
        ("dialog*1", "UnexpectedScreen: went back to the editor"),
        ("ignore-reload*1", None),
        ("late=0.5", None),
        ("flash", None),
    ],
)
def test_a_fault_that_passes_leaves_a_right_result(
    desk: Desk, fault: str, recovered: str | None
) -> None:
    rollout = run(desk, "--fault", fault)
    assert rollout.outcome is Outcome.SUCCESS
    assert EARLIEST_S <= rollout.decided_s <= LATEST_S
    assert rollout.facts.get("recovered") == (recovered and [recovered])
    assert bool(rollout.facts["unreadable_frames"]) == (fault == "flash")


def test_a_start_two_seconds_late_counts_from_the_start(desk: Desk) -> None:
    profile = quick(desk, waits={"start": 3.0})
    rollout = run(desk, "--fault", "start-delay=2", profile=profile)
    assert rollout.outcome is Outcome.SUCCESS
    assert EARLIEST_S <= rollout.decided_s <= LATEST_S
    assert "recovered" not in rollout.facts


def test_a_crashed_game_is_started_again(desk: Desk) -> None:
    arguments = ("--speed", str(SCALE), *SUCCESS)
    # The driver starts what the profile says, from wherever it runs: give it the path.
    starter = desk.folder / "start.py"
    starter.write_text(
        "import os, sys\n"
        f"os.chdir({str(ROOT)!r})\n"
        f"os.execv(sys.executable, {[sys.executable, '-m', *desk.command(*arguments)[2:]]!r})\n"
    )
    restart = {"command": [sys.executable, str(starter)], "wait": 20.0}
    try:
        rollout = run(desk, "--fault", "crash", profile=quick(desk, restart=restart))
    finally:
        stop(desk.events("up")[-1]["pid"])
    assert rollout.outcome is Outcome.SUCCESS
    assert rollout.facts["recovered"] == ["WindowMissing: restarted the game"]
    assert len(desk.events("up")) == 2


def stop(pid: int) -> None:
    subprocess.run(["kill", str(pid)], check=False)


@pytest.mark.parametrize(
    ("deed", "error"),
    [
        ("steal", errors.FocusLost),
        ("cover", errors.WindowCovered),
        ("corner", errors.OperatorAbort),
    ],
)
def test_an_intruder_in_every_run(desk: Desk, deed: str, error: type[NativeError]) -> None:
    with Intruder(desk, deed, "run"), pytest.raises(error):
        run(desk)
    assert first_fault(desk)["error"] == error.__name__
    assert len(desk.events("run")) == (1 if deed == "corner" else 2)


def test_one_theft_of_the_focus_in_a_run_is_mended(desk: Desk) -> None:
    with Intruder(desk, "steal", "run", times=1):
        rollout = run(desk)
    assert rollout.outcome is Outcome.SUCCESS
    assert rollout.facts["recovered"] == ["FocusLost: went back to the editor"]


def test_a_focus_thief_before_the_reload(desk: Desk) -> None:
    with Intruder(desk, "steal", "always"), pytest.raises(errors.FocusLost):
        run(desk)
    assert desk.events("run") == []


def test_a_locked_save(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saves, "REPLACE_PAUSE_S", 0.01)  # the patience has a test of its own

    def replace(source: Path, target: Path) -> None:
        if target == desk.slot and source.suffix == ".pbb-tmp":
            raise PermissionError(32, "The process cannot access the file")
        source.replace(target)

    with pytest.raises(errors.SaveLocked, match="replace slot"):
        run(desk, slot=LayoutSlot(desk.slot, replace))
    assert desk.events("run", "load") == []


def test_a_failure_in_the_last_frame(desk: Desk) -> None:
    desk.add_layout(NAME)
    # The window counts from the first picture of the run, a tick or two after its beginning.
    desk.start("--speed", "3", "--script", "fail@11.6")
    rollout = execute(desk, desk.profile(scale=3.0))
    assert rollout.outcome is Outcome.FAILURE_OR_TIMEOUT
    assert rollout.decided_s == pytest.approx(11.75, abs=0.25)
    assert rollout.detector == "failure marker"


def test_a_slow_disk_delays_no_frame(desk: Desk) -> None:
    def slow(shot: Any, path: Path) -> None:
        time.sleep(0.04)  # a frame comes every 31 ms
        write_png(shot, path)

    rollout = run(desk, encode=slow)
    assert rollout.outcome is Outcome.SUCCESS
    assert len([n for n in rollout.files if n.startswith("frames/frame_")]) == 48


def test_a_disk_that_is_too_slow(desk: Desk) -> None:
    encode: Callable[[Any, Path], None] = lambda shot, path: time.sleep(0.2)  # noqa: E731
    with pytest.raises(errors.CaptureError, match="disk"):
        run(desk, encode=encode, profile=quick(desk, waits={"encode": 0.5}))


def test_a_killed_x_server(tmp_path: Path, display: str) -> None:
    """In a process of its own: this one is bound to its display."""
    done = subprocess.run(
        [sys.executable, "-m", "tests_unit.support.native_game.alone", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.split() == ["DisplayLost"], done.stderr
