"""A driver with a script, level files made of a Level, and whole calls, for tests of the task."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from PIL import Image

from bench.bridge.design.design import Design
from bench.bridge.drivers.base import Capabilities, Driver, Rollout
from bench.bridge.drivers.registry import make_driver
from bench.bridge.level.files import LevelFile
from bench.bridge.level.level import Level, LevelMetadata
from bench.bridge.task import BridgeTask
from bench.domain import DriverOptions
from bench.protocol import PAPER, Settings
from bench.task import Observation, Outcome, Step, TextPart
from bench.turn import take_turn
from tests_unit.support.factories import answer, deck, flat_level


class ScriptedDriver:
    """Gives the outcomes of a list one after another, and remembers what it was asked for."""

    name = "fake"
    capabilities = Capabilities(parallel=True, deterministic=True, states=False)
    broken = None

    def __init__(
        self,
        *rollouts: tuple[Outcome, float | None],
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        self._rollouts = list(rollouts)
        self._facts = dict(facts or {})
        self.drawn: list[int] = []
        self.editors: list[tuple[int, float, str | None]] = []

    def describe(self) -> Mapping[str, Any]:
        return {"driver": self.name}

    def open(self) -> None:
        pass

    def refuses(self, level: Level) -> str | None:
        return None

    def editor_picture(
        self,
        level: Level,
        design: Design | None,
        *,
        limit_usd: float,
        shown_name: str | None = None,
    ) -> Image.Image:
        members = 0 if design is None else len(design.members)
        self.editors.append((members, limit_usd, shown_name))
        return Image.new("RGB", (8, 5), (members % 256, 0, 0))

    def execute(self, level: Level, design: Design) -> Rollout:
        outcome, decided_s = self._rollouts.pop(0)

        def frame(k: int) -> Image.Image:
            self.drawn.append(k)
            return Image.new("RGB", (1280, 800), (k, k, k))

        return Rollout(outcome, decided_s, "fake", frame, self._facts, {"log.txt": b"ran"})

    def close(self) -> None:
        pass


def level_file(level: Level, **metadata: Any) -> LevelFile:
    """A level file around a Level, with metadata that no model may see."""
    fields = {
        "family": "T1B",
        "group": "Anchor and Connectivity",
        "suite": "core",
        "tags": ("basic",),
        "parameters": {},
        **metadata,
    }
    anchors = [{"type": 0, "id": a.id, "x": a.x, "y": a.y} for a in level.anchors]
    return LevelFile(
        level=level,
        metadata=LevelMetadata(**fields),
        layout={},
        initial_save={"DisplayName": level.name, "Objects": anchors},
    )


def embedded() -> Driver:
    """The simulator, for the paper's window."""
    return make_driver(DriverOptions("embedded", PAPER.window_s))


FAIL = (Outcome.FAILURE_OR_TIMEOUT, 2.9)
WIN = (Outcome.SUCCESS, 5.0)


def make_task(
    driver: ScriptedDriver | None = None,
    budget: str = "strict",
    *,
    level: Level | None = None,
    file: LevelFile | None = None,
    other_level: Level | None = None,
    **settings: Any,
) -> BridgeTask:
    """A task on a flat level of 4 m, or on the `level` or `file` that is given."""
    file = file or level_file(level or flat_level(4.0, name="T1B_Basic_4m"))
    chosen = Settings(budget=budget, **settings)
    return BridgeTask(file, driver or ScriptedDriver(), chosen, other_level=other_level)


def play(task: BridgeTask, *texts: str) -> list[Step[Design]]:
    """Play calls as the episode controller does."""
    return [take_turn(task, number, text).step for number, text in enumerate(texts, start=1)]


def text_of(observation: Observation, role: str = "user") -> str:
    (message,) = [m for m in observation.messages if m.role == role]
    return "".join(p.text for p in message.parts if isinstance(p, TextPart))


def picture_names(observation: Observation) -> list[str]:
    return [p.name for p in observation.pictures]


def legal_text(task: BridgeTask, thought: str = "a plank") -> str:
    return json.dumps(answer(deck(task.level), thought))


def illegal_text(task: BridgeTask, thought: str = "too long") -> str:
    """One road of 4 m: EDGE_TOO_LONG."""
    return json.dumps(answer(deck(task.level, panel=4.0), thought))
