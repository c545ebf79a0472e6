"""What the stand-in plays: the embedded simulator's rollout, or a scripted outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bench.bridge.design.design import Design

RECORD_HZ = 40


@dataclass(frozen=True)
class Played:
    """Points to draw at a time, and the screen that the game has reached by then."""

    outcome: str
    end_s: float
    result: Any = None
    design: Design | None = None

    def screen(self, time_s: float) -> str:
        if time_s < self.end_s or self.outcome == "timeout":
            return "SIM"
        return "DONE_OK" if self.outcome == "success" else "DONE_FAIL"

    def segments(self, time_s: float) -> list[tuple[Any, Any, int]]:
        """Members that are whole, as two points in metres and the material."""
        if self.result is None or self.design is None:
            return []
        at = min(int(time_s * RECORD_HZ), len(self.result.positions) - 1)
        index = {n.id: i for i, n in enumerate(self.design.nodes)}
        places = self.result.positions[at]
        return [
            (places[index[m.a]], places[index[m.b]], m.type)
            for m, whole in zip(self.design.members, self.result.alive[at], strict=True)
            if whole
        ]

    def vehicles(self, time_s: float) -> list[tuple[float, float]]:
        """Centres in metres."""
        if self.result is None:
            return [(-2.0 + time_s, 0.5)]
        at = min(int(time_s * RECORD_HZ), len(self.result.vehicles) - 1)
        return [(float(x), float(y)) for x, y, _ in self.result.vehicles[at]]


def scripted(text: str) -> Played:
    """`success@3.5`, `fail@11.7` or `timeout`."""
    outcome, _, at = text.partition("@")
    return Played(outcome, float(at or 99))


def simulated(level: str, design: Design) -> Played:
    from bench.bridge.level.files import load_level
    from bench.bridge.physics.engine import simulate

    result = simulate(load_level(level).level, design)
    return Played(result.ending.value, result.end_s, result, design)
