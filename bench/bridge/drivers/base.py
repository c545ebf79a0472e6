"""The driver Protocol and the rollout that every driver returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from PIL import Image

import bench.domain
from bench.bridge.design.design import Design
from bench.bridge.level.level import Level
from bench.bridge.physics.result import SimResult
from bench.domain import Capabilities
from bench.protocol import FRAME_COUNT, FRAME_INTERVAL_S, WINDOW_S
from bench.task import Json, Outcome

__all__ = ["FRAME_COUNT", "FRAME_INTERVAL_S", "WINDOW_S", "Capabilities", "Driver", "Rollout"]


@dataclass(frozen=True)
class Rollout:
    """A real result of one execution.

    `decided_s` is when the outcome was decided, None when the window ran out. `frame(k)` draws
    or loads frame k (at k/4 s; 0..47 in the protocol's 12 s). `facts` are measurements for the
    record (clean, first break, peak utilisation); `files` go into the call's folder. A quiet driver
    gives no frames. `states` is the simulation itself, where there is one. `sheet(indices, forces)`
    draws the contact sheet of some frames, with members coloured by force or not; without it, the
    frames themselves are put on one.
    """

    outcome: Outcome
    decided_s: float | None
    detector: str
    frame: Callable[[int], Image.Image] | None = None
    facts: Mapping[str, Json] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    window_s: float = WINDOW_S
    states: SimResult | None = None
    sheet: Callable[[Sequence[int], bool], Image.Image] | None = None

    @property
    def frame_count(self) -> int:
        """How many frames the window has."""
        return round(self.window_s / FRAME_INTERVAL_S)


class Driver(bench.domain.Driver, Protocol):
    """Executes designs of bridges. Raises DriverError for its own faults only."""

    def editor_picture(
        self,
        level: Level,
        design: Design | None,
        *,
        limit_usd: float,
        shown_name: str | None = None,
    ) -> Image.Image:
        """The editor with the level and, if there is one, the current bridge.

        `limit_usd` is the condition's limit; `shown_name` replaces the level's name.
        """

    def execute(self, level: Level, design: Design) -> Rollout:
        """Run a valid design for the window."""
