"""What a truss costs, what it lacks, and where it may not be, compiled."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bench.bridge.statics.bars import (
    IS_ROAD,
    LONGEST_M,
    ROAD,
    ROAD_STEEL,
    ROAD_WOOD,
    STEEL,
    STRENGTH_PN,
    UNIT_COST_USD,
    WOOD,
)
from bench.bridge.statics.convex import touches
from bench.bridge.statics.graph import ANCHOR, distance

Floats = NDArray[np.float64]

LENGTH_SLACK_M = 0.0005
"""Coordinates are rounded to 1e-4 m afterwards."""
STEEPEST = 0.42
"""Slope of a road that a vehicle still climbs at speed."""
JOINT_USD = 40.0
"""Added to the price of an overloaded bar, so that short bars count too."""


class Ground(NamedTuple):
    """Where nodes and bars may be; regions are half-planes (nx, ny, c), inside is n.p <= c."""

    room: Floats
    """(P, 3): where all moving nodes lie."""
    solids: Floats
    """(S, Q, 3): where none lies."""
    rocks: Floats
    """(R, Q, 3): what no bar touches."""
    shortest_m: float
    """The shortest bar."""


@njit(cache=True, nogil=True)
def is_legal(state, ground):
    """Whether lengths, slopes, solid ground and rocks are respected."""
    xy, kind, _, bars, _, count = state
    room = ground.room
    for i in range(count[0]):
        if kind[i] == ANCHOR:
            continue
        x, y = xy[i, 0], xy[i, 1]
        for p in range(room.shape[0]):
            if room[p, 0] * x + room[p, 1] * y > room[p, 2]:
                return False
        for s in range(ground.solids.shape[0]):
            if touches(x, y, x, y, ground.solids[s]):
                return False
    for m in range(count[1]):
        a, b, code = bars[m, 0], bars[m, 1], bars[m, 2]
        length = distance(xy, a, b)
        if length < ground.shortest_m or length > LONGEST_M[code] + LENGTH_SLACK_M:
            return False
        dx, dy = xy[b, 0] - xy[a, 0], xy[b, 1] - xy[a, 1]
        if IS_ROAD[code] and (dx <= 0.2 or abs(dy) > STEEPEST * dx):
            return False
        for r in range(ground.rocks.shape[0]):
            if touches(xy[a, 0], xy[a, 1], xy[b, 0], xy[b, 1], ground.rocks[r]):
                return False
    return True


@njit(cache=True, nogil=True)
def price(state):
    """Price of all bars in USD."""
    bars, total = state.bars, 0.0
    for m in range(state.used[1]):
        total += distance(state.xy, bars[m, 0], bars[m, 1]) * UNIT_COST_USD[bars[m, 2]]
    return total


@njit(cache=True, nogil=True)
def overload_price(state, peak, target):
    """What the missing strength would cost if strength were sold by the newton."""
    bars, total = state.bars, 0.0
    for m in range(state.used[1]):
        code = bars[m, 2]
        over = peak[m] * state.factor[m] / (STRENGTH_PN[code] * target) - 1.0
        if over > 0.0:
            length = distance(state.xy, bars[m, 0], bars[m, 1])
            total += (length * UNIT_COST_USD[code] + JOINT_USD) * min(over, 20.0)
    return total


@njit(cache=True, nogil=True)
def size_bars(state, peak, target, steel):
    """Give every bar the cheapest code that carries its peak force at the target utilisation."""
    bars, changed = state.bars, False
    for m in range(state.used[1]):
        need, old = peak[m] * state.factor[m] / target, bars[m, 2]
        if IS_ROAD[old]:
            new = ROAD
            if need > STRENGTH_PN[ROAD]:
                new = ROAD_WOOD
            if need > STRENGTH_PN[ROAD_WOOD] and steel:
                new = ROAD_STEEL
        else:
            too_long = distance(state.xy, bars[m, 0], bars[m, 1]) > LONGEST_M[WOOD]
            new = STEEL if steel and (need > STRENGTH_PN[WOOD] or too_long) else WOOD
        changed |= new != old
        bars[m, 2] = new
    return changed


@njit(cache=True, nogil=True)
def other_code(old, steel):
    """A random other material of a bar; the same code where there is no choice."""
    if IS_ROAD[old]:
        pick = np.random.randint(0, 3 if steel else 2)
        return ROAD if pick == 0 else (ROAD_WOOD if pick == 1 else ROAD_STEEL)
    return STEEL if steel and old == WOOD else WOOD
