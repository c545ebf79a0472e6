"""Statics of a Warren truss under a moving convoy, by beam formulas.

The truss stands on both deck anchors, which give way neither up nor sideways. Cut through a
panel, moment and shear of a simple beam give the forces in the other chord and the diagonals.
The deck is held lengthwise at both ends, so its pieces cannot stretch in sum: the anchors' thrust
is the mean of the deck forces, and is taken off each of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from bench.bridge.physics.constants import SPACING_M, WHEELBASE_M
from bench.bridge.physics.params import DEFAULT

SELF_WEIGHT_PN_PER_M = 14.0
"""Of deck, chord and diagonals together, per metre of span: a fair guess for wood."""

SWEEP_STEP_M = 0.25


@dataclass(frozen=True)
class Forces:
    """Largest absolute axial force in PN over all positions of the convoy, left to right."""

    deck: tuple[float, ...]
    chord: tuple[float, ...]
    diagonals: tuple[float, ...]


def axle_offsets(weights_pg: Sequence[float]) -> list[tuple[float, float]]:
    """(metres behind the first vehicle's centre, force in PN) of every axle."""
    axles = []
    for i, weight in enumerate(weights_pg):
        for side in (-WHEELBASE_M / 2, WHEELBASE_M / 2):
            axles.append((i * SPACING_M + side, weight * DEFAULT.pn_per_pg / 2))
    return axles


def warren_forces(
    width_m: float, panels: int, depth_m: float, weights_pg: Sequence[float]
) -> Forces:
    """Envelope of the member forces of a Warren truss with straight chords."""
    panel = width_m / panels
    lean = math.hypot(panel / 2, depth_m) / depth_m
    axles = axle_offsets(weights_pg)
    deck, chord = [0.0] * panels, [0.0] * (panels - 1)
    diagonals = [0.0] * (2 * panels)
    reach = width_m + max(offset for offset, _ in axles) + WHEELBASE_M
    for step in range(int(reach / SWEEP_STEP_M) + 1):
        head = step * SWEEP_STEP_M - WHEELBASE_M / 2
        loads = _joint_loads(width_m, panels, [(head - o, f) for o, f in axles])
        shear = _panel_shears(loads)
        moment = [0.0]
        for v in shear:
            moment.append(moment[-1] + v * panel)
        middle = [(a + b) / 2 / depth_m for a, b in pairwise(moment)]
        thrust = sum(middle) / panels
        for i in range(panels):
            deck[i] = max(deck[i], abs(middle[i] - thrust))
            force = abs(shear[i]) * lean
            diagonals[2 * i] = max(diagonals[2 * i], force)
            diagonals[2 * i + 1] = max(diagonals[2 * i + 1], force)
        for i in range(panels - 1):
            chord[i] = max(chord[i], moment[i + 1] / depth_m)
    return Forces(tuple(deck), tuple(chord), tuple(diagonals))


def _joint_loads(width_m: float, panels: int, axles: Sequence[tuple[float, float]]) -> list[float]:
    """Loads on the deck's joints: self-weight, and axles shared by the lever rule."""
    panel = width_m / panels
    loads = [SELF_WEIGHT_PN_PER_M * panel] * (panels + 1)
    for x, force in axles:
        if 0.0 <= x <= width_m:
            i = min(int(x / panel), panels - 1)
            share = x / panel - i
            loads[i] += force * (1 - share)
            loads[i + 1] += force * share
    return loads


def _panel_shears(loads: Sequence[float]) -> list[float]:
    """Shear in every panel of the simple beam, from the left support on."""
    panels = len(loads) - 1
    support = sum(load * (panels - i) / panels for i, load in enumerate(loads))
    shears, shear = [], support
    for load in loads[:-1]:
        shear -= load
        shears.append(shear)
    return shears
