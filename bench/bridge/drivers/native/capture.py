"""The capture of a run: 48 frames at absolute deadlines, encoded in a worker thread."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as EncodeTimeout
from dataclasses import dataclass
from pathlib import Path

from bench.bridge.drivers.base import FRAME_COUNT, FRAME_INTERVAL_S
from bench.bridge.drivers.native.backends.base import Rect, Shot
from bench.bridge.drivers.native.errors import (
    BlackScreen,
    CaptureError,
    FocusLost,
    GameFrozen,
    MarkerConflict,
    RunInterrupted,
    UnexpectedScreen,
    WindowCovered,
)
from bench.bridge.drivers.native.game import Game
from bench.bridge.drivers.native.profile import Screen
from bench.bridge.drivers.native.screens import Labels, describe, is_black, labels_of, screen_of
from bench.task import Json

Encode = Callable[[Shot, Path], None]
FINAL = FRAME_COUNT
"""Index of the look at the end of the window, from which the outcome is read."""


@dataclass(frozen=True)
class Seen:
    """What one frame shows. Times in seconds from the first frame, `due_s` its deadline."""

    index: int
    due_s: float
    begun_s: float
    ended_s: float
    screen: Screen
    labels: Labels
    focused: bool
    cover: str | None
    repeats: bool

    @property
    def late_s(self) -> float:
        """How late the grab began."""
        return self.begun_s - self.due_s

    def line(self) -> dict[str, Json]:
        """The frame's line in the log."""
        return {
            "index": self.index,
            "due_s": round(self.due_s, 6),
            "begun_s": round(self.begun_s, 6),
            "ended_s": round(self.ended_s, 6),
            "focused": self.focused,
            "cover": self.cover,
            "screen": self.screen.value,
            "repeats": self.repeats,
            "paper": {
                "success": self.labels.paper_success,
                "failure": self.labels.paper_failure,
            },
            "dominance": {
                "success": self.labels.dominant_success,
                "failure": self.labels.dominant_failure,
            },
        }


@dataclass(frozen=True)
class Recording:
    """A whole run: 48 frames and the look at the end, and the files that keep them."""

    frames: tuple[Seen, ...]
    final: Seen
    final_shot: Shot
    files: dict[str, bytes]


def write_png(shot: Shot, path: Path) -> None:
    """Encode a shot; into a real file, where Pillow lets other threads run meanwhile."""
    shot.image().save(path, format="PNG", compress_level=1)


def frame_name(index: int) -> str:
    """The name of a frame's file in a call's folder."""
    return "frames/final.png" if index == FINAL else f"frames/frame_{index:02d}.png"


class Recorder:
    """Records one run of a game; `folder` takes the encoded frames until they are complete."""

    def __init__(self, game: Game, folder: Path, encode: Encode = write_png) -> None:
        self.game = game
        self.profile = game.profile
        self.folder = folder
        self._encode = encode
        self._jobs: dict[str, Future[None]] = {}
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="frames")
        self._previous: Shot | None = None
        self._repeats = self._unknown = 0

    def keep(self, name: str, shot: Shot) -> None:
        """Have a picture encoded under a name."""
        path = self.folder / name.replace("/", "_")
        self._jobs[name] = self._worker.submit(self._encode, shot, path)

    def run(self, window: int, client: Rect, first: Shot) -> Recording:
        """Record from the first picture of a run on. Raises what disturbs the run.

        A frame's deadline counts from the first picture, never from the frame before it.
        """
        frames = [self._look(0, first, 0.0, window, client, first)]
        shot = first
        for index in range(1, FINAL + 1):
            due_s = index * FRAME_INTERVAL_S / self.profile.time_scale
            _sleep_until(first.begun_s + due_s)
            shot = self.game.desktop.capture.grab(client)
            frames.append(self._look(index, shot, due_s, window, client, first))
        files = self.finish()
        log = "".join(json.dumps(seen.line()) + "\n" for seen in frames)
        files["frames/log.jsonl"] = log.encode()
        return Recording(tuple(frames[:FINAL]), frames[FINAL], shot, files)

    def _look(
        self, index: int, shot: Shot, due_s: float, window: int, client: Rect, first: Shot
    ) -> Seen:
        self.keep(frame_name(index), shot)
        windows = self.game.desktop.windows
        place = windows.client(window)  # raises WindowMissing when the game has crashed
        seen = Seen(
            index=index,
            due_s=due_s,
            begun_s=shot.begun_s - first.begun_s,
            ended_s=shot.ended_s - first.begun_s,
            screen=screen_of(self.profile, shot),
            labels=labels_of(self.profile.thresholds, shot),
            focused=windows.focused(window),
            cover=windows.cover(window) if place == client else "nothing: the window has moved",
            repeats=self._previous is not None and self._previous.bgrx == shot.bgrx,
        )
        self._previous = shot
        self.game.desktop.input.check()
        self._refuse(seen, shot)
        return seen

    def _refuse(self, seen: Seen, shot: Shot) -> None:
        """Raise when this frame makes the result of the run doubtful."""
        when = f"during the run, frame {seen.index}"
        limits = self.profile.limits
        if seen.cover is not None:
            raise WindowCovered(f"nothing on the game's window {when}", seen.cover, "", shot)
        if not seen.focused:
            raise FocusLost(
                f"the keyboard's focus on the game {when}",
                "it on another window",
                "turn off what steals it",
                shot,
            )
        if seen.late_s > limits.late:
            raise CaptureError(
                f"a grab at most {limits.late * 1000:g} ms late {when}",
                f"{seen.late_s * 1000:.0f} ms",
                "run less beside it",
                shot,
            )
        if seen.screen in (Screen.EDITOR, Screen.MENU, Screen.LOAD_PANEL):
            raise RunInterrupted(f"the run {when}", f"the screen {seen.screen}", "", shot)
        if seen.labels.dominant_success and seen.labels.dominant_failure:
            raise MarkerConflict(
                f"one outcome {when}", "the success and the failure marker together", "", shot
            )
        self._unknown = self._unknown + 1 if seen.screen is Screen.UNKNOWN else 0
        if self._unknown > limits.unknown_frames:
            fault = BlackScreen if is_black(shot) else UnexpectedScreen
            raise fault(f"the run {when}", describe(self.profile, shot), "", shot)
        # A finished run may stand still; so may a game whose profile says so.
        still = seen.repeats and seen.screen is Screen.SIM
        self._repeats = self._repeats + 1 if still else 0
        if limits.frozen_frames and self._repeats >= limits.frozen_frames:
            raise GameFrozen(
                f"a picture that moves {when}",
                f"{self._repeats + 1} equal frames",
                "limits.frozen_frames = 0 if the game may stand still",
                shot,
            )

    def finish(self) -> dict[str, bytes]:
        """Wait for the worker; the encoded pictures by name. Raises CaptureError."""
        deadline = time.monotonic() + self.profile.waits.encode
        files = {}
        for name, job in self._jobs.items():
            try:
                job.result(max(0.0, deadline - time.monotonic()))
                files[name] = (self.folder / name.replace("/", "_")).read_bytes()
            except EncodeTimeout:
                raise CaptureError(
                    f"all frames on disk within {self.profile.waits.encode:g} s after the run",
                    f"{name} and later ones are not",
                    "is the disk slow or full?",
                ) from None
            except OSError as error:
                raise CaptureError(f"{name} on disk", str(error.strerror)) from None
        return files

    def close(self) -> None:
        """Drop what is not encoded yet, and wait for the one picture that is being written.

        Its folder is removed next; a write in between would put itself before the run's fault.
        """
        self._worker.shutdown(wait=True, cancel_futures=True)


def _sleep_until(moment_s: float) -> None:
    """Sleep to a moment of the monotonic clock; a passed one returns at once."""
    left = moment_s - time.monotonic()
    if left > 0:
        time.sleep(left)
