"""Equilibrium of the deformed shape, compiled: what linear statics under-predicts.

Shallow arches and chords close to a straight line carry more once they have moved. Newton steps
with the tangent that `peak_forces` has factorised find where they come to rest.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

import numpy as np
from numba import njit

from bench.bridge.statics.bars import IS_ROAD, STRENGTH_PN, UNIT_WEIGHT_PN
from bench.bridge.statics.envelope import solve
from bench.bridge.statics.graph import ANCHOR
from bench.bridge.statics.influence import put_axles

NEWTON_STEPS = 5
BALANCED = 0.01
"""Share of the load at which an equilibrium is taken as found."""
UNBALANCED = 0.05
"""Share of the load that shows that none was found."""
BUSY = 0.4
"""Use above which a bar's force is worth a correction."""


@njit(cache=True, nogil=True)
def _relax(state, work, size, load, shift, rest, forces):
    """Bring the structure to rest under `load`, from the linear `shift` on.

    Writes the bars' forces and returns the share of the load that is left unbalanced.
    """
    bars, count, place, unit = state.bars, state.used, work.place, work.unit
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
        solve(work.stiff, work.first, size, rest, 0)
        for i in range(size):
            shift[i] += rest[i]
    return left


@njit(cache=True, nogil=True)
def _own_weight(bars, count, place, unit, own):
    """Self-weight on the moving joints into `own`; the number of roads."""
    road_count = 0
    for m in range(count[1]):
        half = 0.5 * UNIT_WEIGHT_PN[bars[m, 2]] * unit[m, 3]
        for end in range(2):
            if place[bars[m, end]] >= 0:
                own[2 * place[bars[m, end]] + 1] -= half
        if IS_ROAD[bars[m, 2]]:
            road_count += 1
    return road_count


@njit(cache=True, nogil=True)
def relaxed_forces(state, axles, kick, work, peak):
    """Correct `peak` for the deformed shape; `peak_forces` has to be called just before.

    Looks only at the positions that are worst for a bar that is used enough, and corrects such
    bars only. Returns the largest share of a load that was left unbalanced.
    """
    _, kind, _, bars, _, count = state
    place, unit, rank, share, worst = work.place, work.unit, work.rank, work.share, work.worst
    free = 0
    for i in range(count[0]):
        free += kind[i] != ANCHOR
    size = 2 * free
    own, load, shift, rest = np.zeros(size), np.zeros(size), np.zeros(size), np.zeros(size)
    road_count = _own_weight(bars, count, place, unit, own)
    forces, busy = np.zeros(count[1]), np.zeros(count[1], np.bool_)
    wanted = np.zeros(road_count * axles.shape[0], np.bool_)
    for m in range(count[1]):
        if worst[m] >= 0 and peak[m] > BUSY * STRENGTH_PN[bars[m, 2]]:
            busy[m] = True
            wanted[worst[m]] = True
            peak[m] = 0.0
    most = 0.0
    for position in np.flatnonzero(wanted):
        r, a = position // axles.shape[0], position % axles.shape[0]
        put_axles(state, axles, work, road_count, r, a, kick)
        load[:] = own
        for i in range(count[0]):
            if rank[i] >= 0:
                load[2 * place[i] + 1] -= share[rank[i]]
                share[rank[i]] = 0.0
        shift[:] = load
        solve(work.stiff, work.first, size, shift, 0)
        left = _relax(state, work, size, load, shift, rest, forces)
        most = max(most, left)
        if left > UNBALANCED:
            return most
        for m in range(count[1]):
            if busy[m]:
                peak[m] = max(peak[m], abs(forces[m]))
    return most
