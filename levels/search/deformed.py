"""Equilibrium of the deformed shape, compiled: what linear statics under-predicts.

Shallow arches and chords close to a straight line carry more once they have moved. Newton steps
with the tangent that `statics.peak_forces` has factorised find where they come to rest.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

import numpy as np
from numba import njit

from levels.search.constants import IS_ROAD, STRENGTH_PN, UNIT_WEIGHT_PN
from levels.search.statics import bend, solve, stand, wheel

NEWTON_STEPS = 5
BALANCED = 0.01
"""Share of the load at which an equilibrium is taken as found."""
UNBALANCED = 0.05
"""Share of the load that shows that none was found."""
BUSY = 0.4
"""Use above which a bar's force is worth a correction."""


@njit(cache=True, nogil=True)
def _relax(xy, bars, count, place, free, stiff, first, unit, load, shift, rest, forces):
    """Bring the structure to rest under `load`, from the linear `shift` on.

    Writes the bars' forces and returns the share of the load that is left unbalanced.
    """
    size = 2 * free
    total = 1e-9
    for i in range(size):
        total += abs(load[i])
    left = 0.0
    for turn in range(NEWTON_STEPS + 1):
        for i in range(size):
            rest[i] = load[i]
        for m in range(count[1]):
            a, b = bars[m, 0], bars[m, 1]
            dx, dy = unit[m, 0] * unit[m, 3], unit[m, 1] * unit[m, 3]
            i, j = place[a], place[b]
            if i >= 0:
                dx -= shift[2 * i]
                dy -= shift[2 * i + 1]
            if j >= 0:
                dx += shift[2 * j]
                dy += shift[2 * j + 1]
            length = np.sqrt(dx * dx + dy * dy)
            force = unit[m, 2] * (length - unit[m, 3])
            forces[m] = force
            pull = force / max(length, 1e-6)
            if i >= 0:
                rest[2 * i] += pull * dx
                rest[2 * i + 1] += pull * dy
            if j >= 0:
                rest[2 * j] -= pull * dx
                rest[2 * j + 1] -= pull * dy
        left = 0.0
        for i in range(size):
            left += abs(rest[i])
        left /= total
        if left < BALANCED or turn == NEWTON_STEPS or left > 100.0:
            break
        solve(stiff, first, size, rest)
        for i in range(size):
            shift[i] += rest[i]
    return left


@njit(cache=True, nogil=True)
def relaxed_forces(xy, kind, bars, count, axles, work, peak, kick):
    """Correct `peak` for the deformed shape; `peak_forces` has to be called just before.

    Looks only at the positions that are worst for a bar that is used enough, and corrects such
    bars only. Returns the largest share of a load that was left unbalanced.
    """
    stiff, first, _, place, _, unit, _, roads, rank, share, worst = work
    bar_count, free, road_count = count[1], 0, 0
    for i in range(count[0]):
        if place[i] >= 0:
            free += 1
    size = 2 * free
    own, load, shift, rest = np.zeros(size), np.zeros(size), np.zeros(size), np.zeros(size)
    forces, needed = np.zeros(bar_count), np.zeros(bar_count, np.bool_)
    for m in range(bar_count):
        half = 0.5 * UNIT_WEIGHT_PN[bars[m, 2]] * unit[m, 3]
        for end in range(2):
            if place[bars[m, end]] >= 0:
                own[2 * place[bars[m, end]] + 1] -= half
        if IS_ROAD[bars[m, 2]]:
            road_count += 1
    wanted = np.zeros(road_count * axles.shape[0], np.bool_)
    for m in range(bar_count):
        if worst[m] >= 0 and peak[m] > BUSY * STRENGTH_PN[bars[m, 2]]:
            needed[m] = True
            wanted[worst[m]] = True
            peak[m] = 0.0
    most = 0.0
    for at in range(wanted.shape[0]):
        if not wanted[at]:
            continue
        r, a = at // axles.shape[0], at % axles.shape[0]
        raised = 1.0 + kick * bend(bars, roads, road_count, r, unit)
        x = stand(xy, bars, roads[r], rank)
        for b in range(axles.shape[0]):
            weight = axles[b, 1] * (raised if a == b else 1.0)
            at_x = x - axles[a, 0] + axles[b, 0]
            wheel(at_x, xy, bars, roads, road_count, rank, share, weight)
        for i in range(size):
            load[i] = own[i]
        for i in range(count[0]):
            if rank[i] >= 0:
                load[2 * place[i] + 1] -= share[rank[i]]
                share[rank[i]] = 0.0
        for i in range(size):
            shift[i] = load[i]
        solve(stiff, first, size, shift)
        left = _relax(xy, bars, count, place, free, stiff, first, unit, load, shift, rest, forces)
        most = max(most, left)
        if left > UNBALANCED:
            return most
        for m in range(bar_count):
            if needed[m]:
                peak[m] = max(peak[m], abs(forces[m]))
    return most
