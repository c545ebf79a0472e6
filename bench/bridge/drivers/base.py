"""The driver Protocol and the rollout that every driver returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from PIL import Image

from bench.bridge.design.design import Design
from bench.bridge.level.level import Level
from bench.task import Json, Outcome

FRAME_COUNT = 48
FRAME_INTERVAL_S = 0.25
WINDOW_S = 12.0


@dataclass(frozen=True)
class Rollout:
    """A real result of one execution.

    `decided_s` is when the outcome was decided, None when the window ran out. `frame(k)` draws
    or loads frame k (at k/4 s; 0..47 in the protocol's 12 s). `facts` are measurements for the
    record (clean, first break, peak utilisation); `files` go into the call's folder.
    """

    outcome: Outcome
    decided_s: float | None
    detector: str
    frame: Callable[[int], Image.Image]
    facts: Mapping[str, Json] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    window_s: float = WINDOW_S

    @property
    def frame_count(self) -> int:
        """How many frames the window has."""
        return round(self.window_s / FRAME_INTERVAL_S)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a driver can do: `parallel` instances at once, exact repetition, 40 Hz states."""

    parallel: bool
    deterministic: bool
    states: bool


class Driver(Protocol):
    """Executes designs. Raises DriverError for its own faults only."""

    @property
    def name(self) -> str:
        """The name under `--driver`."""

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""

    def describe(self) -> Mapping[str, Json]:
        """Its properties, frozen into the session's manifest."""

    def open(self) -> None:
        """Get ready; called once a session and worker."""

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
        """Run a valid design for the 12 s window."""

    def close(self) -> None:
        """Release everything; safe to call twice."""
