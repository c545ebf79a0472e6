"""Legality and price of a state, compiled."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

import numpy as np
from numba import njit

from bench.bridge.statics.convex import touches
from levels.bridge.search.constants import ANCHOR, IS_ROAD, LONGEST_M, STRENGTH_PN, UNIT_COST_USD

SHORTEST_M = 0.2502
"""A little above the validator's limit: coordinates are rounded to 1e-4 m afterwards."""
LONGEST_SLACK_M = 0.0005
STEEPEST = 0.42
"""Slope of a road that a vehicle still climbs at speed."""


@njit(cache=True, nogil=True)
def is_legal(xy, kind, bars, count, rocks, solids, box):
    """Whether lengths, slopes, clearance and terrain are in order. `box`: x0, x1, y0, y1."""
    for i in range(count[0]):
        if kind[i] == ANCHOR:
            continue
        x, y = xy[i, 0], xy[i, 1]
        if x < box[0] or x > box[1] or y < box[2] or y > box[3]:
            return False
        for s in range(solids.shape[0]):
            if touches(x, y, x, y, solids[s]):
                return False
    for m in range(count[1]):
        a, b, code = bars[m, 0], bars[m, 1], bars[m, 2]
        dx, dy = xy[b, 0] - xy[a, 0], xy[b, 1] - xy[a, 1]
        length = np.sqrt(dx * dx + dy * dy)
        if length < SHORTEST_M or length > LONGEST_M[code] + LONGEST_SLACK_M:
            return False
        if IS_ROAD[code] and (dx <= 0.2 or abs(dy) > STEEPEST * dx):
            return False
        for r in range(rocks.shape[0]):
            if touches(xy[a, 0], xy[a, 1], xy[b, 0], xy[b, 1], rocks[r]):
                return False
    return True


@njit(cache=True, nogil=True)
def total_cost(xy, bars, count):
    """Cost of all bars in USD."""
    total = 0.0
    for m in range(count[1]):
        a, b = bars[m, 0], bars[m, 1]
        dx, dy = xy[b, 0] - xy[a, 0], xy[b, 1] - xy[a, 1]
        total += np.sqrt(dx * dx + dy * dy) * UNIT_COST_USD[bars[m, 2]]
    return total


@njit(cache=True, nogil=True)
def overload_cost(xy, bars, count, peak, factor, target):
    """What bars over the target would cost more if strength could be bought by the PN."""
    total = 0.0
    for m in range(count[1]):
        over = peak[m] * factor[m] / (STRENGTH_PN[bars[m, 2]] * target) - 1.0
        if over > 0.0:
            a, b = bars[m, 0], bars[m, 1]
            dx, dy = xy[b, 0] - xy[a, 0], xy[b, 1] - xy[a, 1]
            length = np.sqrt(dx * dx + dy * dy)
            total += (length * UNIT_COST_USD[bars[m, 2]] + 40.0) * min(over, 20.0)
    return total
