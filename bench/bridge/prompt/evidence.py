"""Evidence of an execution: which frames are shown, and the summary beside them."""

from __future__ import annotations

import math
from typing import Protocol

from bench.protocol import FRAME_COUNT, FRAME_INTERVAL_S, PAPER
from bench.task import Json, Outcome


class Executed(Protocol):
    """What the summary reads of a driver's rollout."""

    @property
    def outcome(self) -> Outcome:
        """How it ended."""

    @property
    def decided_s(self) -> float | None:
        """When that was decided, None when the window ran out."""

    @property
    def detector(self) -> str:
        """What saw it."""

    @property
    def window_s(self) -> float:
        """How long it was watched at most."""

    @property
    def frame_count(self) -> int:
        """How many frames that window has."""


def eligible_frames(decided_s: float | None, frame_count: int = FRAME_COUNT) -> int:
    """How many frames, from 0 on, may be shown.

    The first frame with t >= decided_s shows the outcome's marker and is the last one; without
    a decision within the window all stay.
    """
    if decided_s is None:
        return frame_count
    return min(math.ceil(decided_s / FRAME_INTERVAL_S) + 1, frame_count)


def selected_frames(count: int, wanted: int = PAPER.frames) -> list[int]:
    """Indices floor(i (n - 1) / (wanted - 1) + 0.5) of `count` frames, duplicates kept."""
    if wanted == 1:
        return [count - 1]
    # Integers only: floor(a / b + 1/2) = (2 a + b) // (2 b).
    last, steps = count - 1, wanted - 1
    return [(2 * i * last + steps) // (2 * steps) for i in range(wanted)]


def frame_time_s(index: int) -> float:
    """Time of frame k."""
    return index * FRAME_INTERVAL_S


def execution_summary(rollout: Executed, indices: list[int]) -> dict[str, Json]:
    """What a model is told of an execution: no cause, no measurement of the structure."""
    count = eligible_frames(rollout.decided_s, rollout.frame_count)
    decided_s = rollout.decided_s
    return {
        "outcome": rollout.outcome.value,
        "duration_s": rollout.window_s if decided_s is None else round(decided_s, 3),
        "detector": rollout.detector,
        "selected_frames": [{"index": k, "time_s": frame_time_s(k)} for k in indices],
        "cutoff": {
            "marker_found": decided_s is not None,
            "last_eligible_frame": count - 1,
            "frames_dropped": rollout.frame_count - count,
        },
    }
