"""The margins that every reference must hold, and the simulator's word on a design."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bench.bridge.design.design import Design
from bench.bridge.level.level import Level
from bench.bridge.physics.engine import simulate
from bench.bridge.physics.params import DEFAULT, HALF_STEP, SimParams

HIGHEST_PEAK = 0.9
"""Peak utilisation that no reference exceeds."""

MARGINS: Mapping[str, SimParams] = MappingProxyType(
    {
        "half_step": HALF_STEP,
        "weight_plus_5_percent": SimParams(weight_factor=1.05),
        "weight_minus_5_percent": SimParams(weight_factor=0.95),
        "self_weight_plus_5_percent": SimParams(self_weight_factor=1.05),
        "cruise_3.3_mps": SimParams(cruise_mps=3.3),
        "cruise_3.7_mps": SimParams(cruise_mps=3.7),
    }
)
"""What may change without a reference losing, or breaking a member."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the simulator says of one design under one set of parameters."""

    success: bool
    clean: bool
    peak_utilisation: float

    @property
    def holds(self) -> bool:
        """Whether every vehicle arrived and no member broke."""
        return self.success and self.clean


def judge(level: Level, design: Design, params: SimParams = DEFAULT) -> Verdict:
    """Simulate once."""
    result = simulate(level, design, params=params)
    return Verdict(result.success, result.clean, round(float(result.peak_utilisation.max()), 4))


def margins(level: Level, design: Design) -> Iterator[tuple[str, Verdict]]:
    """The verdict under every margin, in the order of `MARGINS`."""
    for name, params in MARGINS.items():
        yield name, judge(level, design, params)


def is_reference(level: Level, design: Design) -> bool:
    """Whether a design is good enough for a reference: its peak first, then every margin."""
    verdict = judge(level, design)
    return verdict.holds and verdict.peak_utilisation <= HIGHEST_PEAK and holds_all(level, design)


def holds_all(level: Level, design: Design) -> bool:
    """Whether a design holds every margin; stops at the first that it does not."""
    return all(verdict.holds for _, verdict in margins(level, design))
