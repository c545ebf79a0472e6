"""What may be varied about a simulation; the defaults are the benchmark's."""

from __future__ import annotations

from dataclasses import dataclass

from bench.bridge.physics.constants import ATTACHED_DAMPING_PER_S, CRUISE_MPS
from bench.bridge.physics.result import RECORD_HZ
from bench.errors import InputError

STEP_S = 0.00025
STABILITY = 1.1
"""Inertia is scaled up until sqrt(2 sum k / m) x step is at most this.

The loop is stable up to about 1.6 with the members' damping. At 1.1 next to no design of a level
gains inertia; at 0.8 a fifth more of it let tied cables survive the shock of a broken member."""


@dataclass(frozen=True, slots=True)
class SimParams:
    """Parameters of one simulation.

    `scaling_step_s` is the step for which inertia is scaled (halved together with `step_s` it
    leaves a quarter of any added inertia). `weight_factor` multiplies vehicle weights,
    `self_weight_factor` the members' weights; `drag_per_s` is the mass damping of nodes that
    hang on an anchor, once the start is over. Raises InputError when the step does not divide
    the recording interval.
    """

    pn_per_pg: float = 130.0
    step_s: float = STEP_S
    scaling_step_s: float = STEP_S
    window_s: float = 12.0
    cruise_mps: float = CRUISE_MPS
    weight_factor: float = 1.0
    self_weight_factor: float = 1.0
    drag_per_s: float = ATTACHED_DAMPING_PER_S
    breaking: bool = True
    stop_early: bool = True

    def __post_init__(self) -> None:
        """Check that a record falls on a step."""
        steps = 1.0 / (RECORD_HZ * self.step_s)
        if abs(steps - round(steps)) > 1e-6 or steps < 1:
            raise InputError(
                f"step_s={self.step_s} does not divide 1/{RECORD_HZ} s; use {STEP_S} or its half"
            )

    @property
    def steps_per_record(self) -> int:
        """Steps between two 40 Hz records."""
        return round(1.0 / (RECORD_HZ * self.step_s))

    @property
    def record_count(self) -> int:
        """Records of a full window, the one at t = 0 included."""
        return round(self.window_s * RECORD_HZ) + 1


DEFAULT = SimParams()
HALF_STEP = SimParams(step_s=STEP_S / 2, scaling_step_s=STEP_S / 2)
