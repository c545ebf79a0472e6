"""The driver: levels and designs in, real rollouts of the real game out."""

from __future__ import annotations

import io
import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PIL import Image

from bench.bridge.design.design import Design, Node
from bench.bridge.design.save import Save, save_of
from bench.bridge.drivers.base import Capabilities, Rollout
from bench.bridge.drivers.native.backends import desktop_name, open_desktop
from bench.bridge.drivers.native.backends.base import Desktop, Shot
from bench.bridge.drivers.native.capture import Encode, Recorder, Recording, write_png
from bench.bridge.drivers.native.errors import (
    DisplayBusy,
    LayoutRefused,
    NativeError,
    NoDisplay,
)
from bench.bridge.drivers.native.game import Game
from bench.bridge.drivers.native.layouts import UserLayout, load_layout
from bench.bridge.drivers.native.lock import DisplayLock
from bench.bridge.drivers.native.probe import probe_of
from bench.bridge.drivers.native.profile import Profile
from bench.bridge.drivers.native.saves import LayoutSlot
from bench.bridge.drivers.native.verdict import judge
from bench.bridge.level.level import Level
from bench.task import Json

T = TypeVar("T")

ROUND_PAUSE_S = 0.1


class NativeDriver:
    """Runs designs in the game on this desktop.

    `broken` is the reason once a fault has outlasted the recovery: the session should stop, and
    can be resumed. `faults` takes a screenshot and a line of every fault.
    """

    name = "native"
    capabilities = Capabilities(parallel=False, deterministic=False, states=False)

    def __init__(
        self,
        profile: Profile,
        layouts: Path,
        *,
        display: str | None = None,
        faults: Path | None = None,
        slot: LayoutSlot | None = None,
        encode: Encode = write_png,
        connect: Callable[[Profile, str | None], Desktop] = open_desktop,
    ) -> None:
        self.profile = profile
        self.layouts = layouts
        self.broken: str | None = None
        self._display = display
        self._faults = faults
        self._slot = slot or LayoutSlot(profile.layout_path(display or ""))
        self._encode = encode
        self._connect = connect
        self._game: Game | None = None
        self._locks: tuple[DisplayLock, DisplayLock] | None = None
        self._loaded: tuple[bytes, str] | None = None

    def describe(self) -> Mapping[str, Json]:
        """The profile, without paths."""
        return {"driver": self.name, "platform": sys.platform, **self.profile.described()}

    def open(self) -> None:
        """Take the display and the layout file, and go to the editor."""
        if self._game is not None:
            return
        try:
            self._open()
        except NativeError as error:
            self._note(error)
            self.broken = str(error)
            self.close()
            raise

    def claim(self) -> None:
        """Take display and layout file, and touch neither yet; `close` gives them back.

        Raises DisplayBusy. Before any connection: a process is bound to the display of its first.
        """
        if self._locks is not None:
            return
        display = DisplayLock(desktop_name(self._display))
        layout = DisplayLock(str(self._slot.path.resolve()))
        display.acquire()
        try:
            layout.acquire()
        except NativeError:
            display.release()
            raise
        self._locks = display, layout

    def _open(self) -> None:
        self.claim()
        self._game = Game(self.profile, self._connect(self.profile, self._display))
        self._game.locate()
        self._slot.open()
        self._game.to_editor()

    def refuses(self, level: Level) -> str | None:
        """Why a level cannot be run here (its layout is missing or differs), None when it can."""
        try:
            load_layout(self.layouts, level)
        except LayoutRefused as error:
            return str(error)
        return None

    def editor_picture(
        self,
        level: Level,
        design: Design | None,
        *,
        limit_usd: float,
        shown_name: str | None = None,
    ) -> Image.Image:
        """The game's editor with the level and the bridge: the whole client area.

        The budget in the picture is the layout's own; the game's editor shows no level name.
        """
        layout, save = self._inputs(level, design)

        def look(game: Game) -> Image.Image:
            self._load(game, layout, save)
            return game.to_editor().image()

        return self._try_twice(look)[0]

    def execute(self, level: Level, design: Design) -> Rollout:
        """Run a valid design in the game. Raises a NativeError for any doubt about the result."""
        layout, save = self._inputs(level, design)
        rollout, recovered = self._try_twice(lambda game: self._run(game, layout, save))
        if recovered:
            return replace(rollout, facts={**rollout.facts, "recovered": recovered})
        return rollout

    def close(self) -> None:
        """Give the user's layout back, leave the display; safe to call twice.

        Each step is done whatever the others raise.
        """
        game, locks, self._game, self._locks = self._game, self._locks, None, None
        self._loaded = None
        with ExitStack() as steps:  # the last one first
            for lock in locks or ():
                steps.callback(lock.release)
            if locks is not None:
                steps.callback(self._slot.restore)
            if game is not None:
                steps.callback(game.desktop.close)

    def _inputs(self, level: Level, design: Design | None) -> tuple[UserLayout, Save]:
        layout = load_layout(self.layouts, level)
        anchors = tuple(Node(a.id, a.x, a.y, is_anchor=True) for a in level.anchors)
        return layout, save_of(design or Design(anchors, ()), layout.save["DisplayName"])

    def _run(self, game: Game, layout: UserLayout, save: Save) -> Rollout:
        self._load(game, layout, save)
        with tempfile.TemporaryDirectory(prefix="polybridgebench-") as folder:
            recorder = Recorder(game, Path(folder), self._encode)
            try:
                recording = self._record(game, recorder)
            finally:
                recorder.close()
        try:
            verdict = judge(recording.frames, recording.final)
        except NativeError as error:
            error.shot = error.shot or recording.final_shot
            error.log = recording.files["frames/log.jsonl"]
            raise
        self._slot.check(save)
        files = recording.files
        if self.profile.time_scale != 1:
            verdict.facts["time_scale"] = self.profile.time_scale
        return Rollout(
            outcome=verdict.outcome,
            decided_s=verdict.decided_s,
            detector=verdict.detector,
            frame=lambda k: _decoded(files[f"frames/frame_{k:02d}.png"]),
            facts=verdict.facts,
            files=files,
        )

    def _record(self, game: Game, recorder: Recorder) -> Recording:
        recorder.keep("frames/editor.png", game.to_editor())
        first = game.start_run()
        window, client = game.locate()
        recording = recorder.run(window, client, first)
        game.stop_run()
        return recording

    def _load(self, game: Game, layout: UserLayout, save: Save) -> None:
        """Have the game show this save, and prove it by a change in the play area.

        What is loaded already is left alone. Where nothing changed, the picture of a probe must
        differ both from what was there and from what is wanted.
        """
        wanted = (layout.data, json.dumps(save, sort_keys=True))
        if self._loaded == wanted:
            return
        self._loaded = None
        self._slot.put(layout.data, save)
        if not game.reload_changes():
            self._slot.put(layout.data, probe_of(save))
            probed = game.reload_changes()
            self._slot.put(layout.data, save)
            if not probed or not game.reload_changes():
                raise game.not_reloaded()
        self._slot.check(save)
        self._loaded = wanted

    def _try_twice(self, work: Callable[[Game], T]) -> tuple[T, list[str]]:
        """Do it; after a fault recover and do it once more. Names the faults that were mended."""
        if self._game is None:
            raise NoDisplay("an open driver", "a closed one")
        try:
            return work(self._game), []
        except NativeError as error:
            self._note(error)
            if not error.recoverable:
                self.broken = str(error)
                raise
            first = error
        self._loaded = None
        try:
            how = self._game.recover()
        except NativeError as error:
            self._note(error)
            self.broken = f"{type(first).__name__}: {first}; recovery failed: {error}"
            raise first from error
        try:
            return work(self._game), [f"{type(first).__name__}: {how}"]
        except NativeError as error:
            self._note(error)
            self.broken = f"{type(error).__name__}: {error}"
            raise error from first

    def _note(self, error: NativeError) -> None:
        """Keep the fault's screenshot and a line of it; a full disk must not hide the fault."""
        shot = error.shot or self._last_look()
        if self._faults is None:
            return
        with suppress(OSError):
            self._faults.mkdir(parents=True, exist_ok=True)
            number = 1 + len(list(self._faults.glob("fault-*.json")))
            stem = f"fault-{number:03d}-{type(error).__name__}"
            if shot is not None:
                error.screenshot = f"{self._faults.name}/{stem}.png"
                write_png(shot, self._faults / f"{stem}.png")
            if error.log is not None:
                (self._faults / f"{stem}.frames.jsonl").write_bytes(error.log)
            line = {
                "error": type(error).__name__,
                "expected": error.expected,
                "seen": error.seen,
                "hint": error.hint,
            }
            (self._faults / f"{stem}.json").write_text(json.dumps(line, indent=1) + "\n")

    def _last_look(self) -> Shot | None:
        """The whole screen when the window itself cannot be found or seen."""
        if self._game is None:
            return None
        desktop = self._game.desktop
        with suppress(NativeError):
            return desktop.capture.grab(desktop.windows.screen())
        return None


def first_free(first: NativeDriver, *others: NativeDriver, patience_s: float = 0.0) -> NativeDriver:
    """The first driver whose display and layout file are free, with both claimed.

    While none is, all are tried again for `patience_s`. Raises the last DisplayBusy of `first`.
    """
    deadline_s = time.monotonic() + patience_s
    while True:
        busy = []
        for driver in (first, *others):
            try:
                driver.claim()
            except DisplayBusy as error:
                busy.append(error)
            else:
                return driver
        if time.monotonic() >= deadline_s:
            raise busy[0]
        time.sleep(ROUND_PAUSE_S)


def _decoded(png: bytes) -> Image.Image:
    with Image.open(io.BytesIO(png)) as image:
        return image.convert("RGB")
