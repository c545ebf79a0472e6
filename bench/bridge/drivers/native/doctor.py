"""Everything that a run needs, looked at before the run, each with the way to mend it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.bridge.design.save import read_layout
from bench.bridge.drivers.native.backends import open_desktop
from bench.bridge.drivers.native.errors import NativeError
from bench.bridge.drivers.native.game import Game
from bench.bridge.drivers.native.layouts import check_layouts
from bench.bridge.drivers.native.lock import DisplayLock
from bench.bridge.drivers.native.profile import Profile, Screen
from bench.bridge.drivers.native.saves import LayoutSlot
from bench.bridge.drivers.native.screens import describe, screen_of
from bench.bridge.level.level import Level
from bench.errors import SaveError

GRABS = 20
SLOW_GRAB_S = 0.05
FREE_BYTES = 2 * 10**9


@dataclass(frozen=True)
class Check:
    """One line of the doctor: what was looked at, whether it is well, and what to do if not."""

    name: str
    ok: bool
    found: str
    mend: str = ""

    def line(self) -> str:
        """The line as printed."""
        text = f"{'ok  ' if self.ok else 'FAIL'}  {self.name}: {self.found}"
        return text if self.ok or not self.mend else f"{text}\n      {self.mend}"


def examine(
    profile: Profile, layouts: Path, levels: Iterable[Level], display: str | None = None
) -> Iterator[Check]:
    """All checks, in the order in which a run would meet them; nothing is pressed or written."""
    yield _verified(profile)
    yield from _files(profile, profile.layout_path(display or ""))
    reports = check_layouts(layouts, levels)
    fit = sum(r.reason is None for r in reports)
    yield Check(
        "layouts",
        fit > 0,
        f"{fit} of {len(reports)} levels can be run",
        "python -m bench native check-layouts names the reasons",
    )
    try:
        desktop = open_desktop(profile, display)
    except NativeError as error:
        yield _fault("desktop", error)
        return
    try:
        yield Check("desktop", True, f"display {desktop.name}")
        yield _lock(desktop.name)
        yield from _game(Game(profile, desktop))
    finally:
        desktop.close()


def _verified(profile: Profile) -> Check:
    return Check(
        "profile",
        profile.verified,
        f"{profile.name}, {'verified' if profile.verified else 'NOT verified'} by its author",
        "calibrate every marker and pixel, then set verified = true",
    )


def _files(profile: Profile, path: Path) -> Iterator[Check]:
    if path.exists():
        try:
            read_layout(path.read_bytes(), path.name)
            yield Check("layout file", True, path.name)
        except (OSError, SaveError) as error:
            yield Check("layout file", False, str(error), "mend layout_file in the profile")
    else:
        yield Check(
            "layout file",
            False,
            f"{path} is missing",
            "save any sandbox layout in the slot that clicks.slot loads, and name its file",
        )
    kept = LayoutSlot(path).kept
    yield Check(
        "your own layout",
        not kept,
        "a crashed run has left another one in its place" if kept else "in its place",
        "python -m bench native restore --native-profile FILE gives it back",
    )
    where = next((p for p in (path.parent, *path.parents) if p.exists()), Path())
    free = shutil.disk_usage(where).free
    yield Check("disk", free > FREE_BYTES, f"{free / 1e9:.1f} GB free", "make room")


def _lock(display: str) -> Check:
    lock = DisplayLock(display)
    try:
        lock.acquire()
    except NativeError as error:
        return _fault("lock", error)
    lock.release()
    return Check("lock", True, "no other driver on this display")


def _game(game: Game) -> Iterator[Check]:
    try:
        window, client = game.locate()
        yield Check("window", True, f"{client.width} x {client.height} at {client.x},{client.y}")
        cover = game.desktop.windows.cover(window)
        yield Check("uncovered", cover is None, cover or "nothing on it", "move it away")
        focused = game.desktop.windows.focused(window)
        yield Check("focus", True, "on the game" if focused else "elsewhere (the driver takes it)")
        begun = time.monotonic()
        for _ in range(GRABS):
            shot = game.see()
        each = (time.monotonic() - begun) / GRABS
        yield Check(
            "screenshots", each < SLOW_GRAB_S, f"{each * 1000:.1f} ms each", "use a faster desktop"
        )
        yield Check(
            "screen",
            screen_of(game.profile, shot) is Screen.EDITOR,
            describe(game.profile, shot),
            "go to the sandbox editor; if you are there, calibrate markers.EDITOR",
        )
        game.desktop.input.check()
        yield Check("pointer", True, "away from the corners")
    except NativeError as error:
        yield _fault("game", error)


def _fault(name: str, error: NativeError) -> Check:
    found = f"{type(error).__name__}: expected {error.expected}; saw {error.seen}"
    return Check(name, False, found, error.hint)
