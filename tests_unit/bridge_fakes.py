"""A driver with a script, and level files made of a Level, for tests of the bridge task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PIL import Image

from bench.bridge.design import Design
from bench.bridge.drivers.base import Capabilities, Rollout
from bench.bridge.level import Level, LevelMetadata
from bench.bridge.level_files import LevelFile
from bench.task import Outcome


class ScriptedDriver:
    """Gives the outcomes of a list one after another, and remembers what it was asked for."""

    name = "fake"
    capabilities = Capabilities(parallel=True, deterministic=True, states=False)

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
