"""Physical constants of the embedded simulator. Force in PN, length in m, time in s.

Sources: docs/bridge/simulator.md. Mass is weight over gravity, so its unit is PN s^2/m.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from bench.bridge.design.materials import MATERIALS

GRAVITY = 9.81

STRAIN_AT_STRENGTH = 0.001
"""Axial stiffness EA is strength over this strain."""
SHORTEST_STIFF_LENGTH_M = 1.0
"""k = EA / max(L, this): a short member is no stiffer than one of this length."""
MEMBER_DAMPING = 0.15
"""Share of critical damping along a member's axis."""

REINFORCED_STRENGTH_PN: dict[tuple[int, ...], float] = {
    (1, 2): 1200.0,
    (1, 3): 1500.0,
    (2, 3): 2000.0,
}
"""Strength of two members on one node pair, by their material types in ascending order."""


def bar_strength_pn(types: Iterable[int]) -> float:
    """Strength of one bar, whatever is stacked on its node pair; a reinforced pair is no sum.

    Other stacks, which the validator refuses, are as strong as their strongest member.
    """
    stack = tuple(sorted(types))
    strongest = max(MATERIALS[kind].strength_pn for kind in stack)
    return REINFORCED_STRENGTH_PN.get(stack, strongest)


ATTACHED_DAMPING_PER_S = 0.3
"""2.4% of critical for a sway of 1 Hz, as real structures have. Only mechanisms use it: 1.5, the
first value, lowered peaks of sagging chains by 3 to 36% and let tied cables win."""
START_DAMPING_PER_S = 6.0
START_DAMPING_TIME_S = 1.0
DETACHED_DAMPING_PER_S = 0.2
WATER_DAMPING_PER_S = 4.0
GRAVITY_RAMP_S = 0.2
"""The structure's weight comes on smoothly over this time, so that it starts almost at rest."""

BREAK_FILTER_S = 0.02
"""Time constant of the exponential mean of the elastic force that the break rule compares."""

WHEELBASE_M = 1.6
WHEEL_RADIUS_M = 0.25
CENTRE_HEIGHT_M = 0.45
BODY_LENGTH_M = 2.65
BODY_HEIGHT_M = 0.7
PASSIVE_RADIUS_M = 0.2
VEHICLE_CIRCLES = (
    (-0.8, -0.2, WHEEL_RADIUS_M),
    (0.8, -0.2, WHEEL_RADIUS_M),
    (-1.125, 0.05, PASSIVE_RADIUS_M),
    (1.125, 0.05, PASSIVE_RADIUS_M),
    (-0.55, 0.35, PASSIVE_RADIUS_M),
    (0.55, 0.35, PASSIVE_RADIUS_M),
)
"""(x, y, radius) about the centre of gravity: two driven wheels, two bumpers, two roof corners."""
START_X_M = -2.1
SPACING_M = 3.5
FLAG_OFFSET_M = 2.0
"""The flag stands this far beyond the right bank's edge."""
LEFT_LIMIT_X_M = -30.0
UPRIGHT_COSINE = 0.5
"""A vehicle counts as upright within 60 degrees."""

TYRE_DEFLECTION_M = 0.03
TYRE_DAMPING = 0.5
FRICTION = 0.9
STALL_COSINE = 1.0 / math.sqrt(1.0 + FRICTION * FRICTION)
"""A vehicle tilted beyond the steepest slope that its tyres hold (42 degrees) is not driven."""
STALL_S = 0.2
"""One that has been tilted so for this long stalls for good."""
PASSIVE_FRICTION = 0.05
DRIVE_GAIN_PER_S = 10.0
DRIVE_CAP_G = 0.35
CRUISE_MPS = 3.5
ACCELERATION_MPS2 = 1.5
