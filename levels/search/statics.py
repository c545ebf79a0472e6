"""Linear statics of a state under moving vehicles, compiled: the search's fast judge.

Direct stiffness with an envelope Cholesky factorisation (nodes in order of x keep the envelope
narrow) and influence lines. Forces are piecewise linear in the vehicles' position, so the extremes
lie where an axle stands on a joint of the road; only these positions are looked at.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bench.bridge.sim.constants import STRAIN_AT_STRENGTH
from levels.search.constants import (
    ANCHOR,
    IS_ROAD,
    LONGEST_M,
    STRENGTH_PN,
    UNIT_COST_USD,
    UNIT_WEIGHT_PN,
)

SHORTEST_M = 0.2502
"""A little above the validator's limit: coordinates are rounded to 1e-4 m afterwards."""
LONGEST_SLACK_M = 0.0005
STEEPEST = 0.42
"""Slope of a road that a vehicle still climbs at speed."""
LARGEST_SHIFT_M = 0.6
WEAKEST_PIVOT = 1e-7
BIG = 1e12


@njit(cache=True, nogil=True)
def touches(ax, ay, bx, by, planes):
    """Whether the segment touches a convex region of half-planes (nx, ny, c): n.p <= c."""
    low, high = 0.0, 1.0
    for i in range(planes.shape[0]):
        start = planes[i, 2] - planes[i, 0] * ax - planes[i, 1] * ay
        slope = planes[i, 0] * (bx - ax) + planes[i, 1] * (by - ay)
        if abs(slope) < 1e-12:
            if start < 0.0:
                return False
        elif slope > 0.0:
            high = min(high, start / slope)
        else:
            low = max(low, start / slope)
        if low > high:
            return False
    return True


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
def _order(xy, kind, n, order, place):
    """Sort moving nodes by x into `order`; `place` maps node to rank, -1 for anchors."""
    free = 0
    for i in range(n):
        place[i] = -1
        if kind[i] == ANCHOR:
            continue
        j = free
        while j > 0 and xy[order[j - 1], 0] > xy[i, 0]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
        free += 1
    for j in range(free):
        place[order[j]] = j
    return free


@njit(cache=True, nogil=True)
def _assemble(xy, bars, count, place, free, stiff, first, dead, unit):
    """Stiffness, its envelope, dead load and unit vectors (cos, sin, EA / L) of all bars."""
    size = 2 * free
    for i in range(size):
        first[i] = i - (i % 2)
        dead[i] = 0.0
    for m in range(count[1]):
        a, b, code = bars[m, 0], bars[m, 1], bars[m, 2]
        dx, dy = xy[b, 0] - xy[a, 0], xy[b, 1] - xy[a, 1]
        length = np.sqrt(dx * dx + dy * dy)
        unit[m, 0], unit[m, 1] = dx / length, dy / length
        unit[m, 2] = STRENGTH_PN[code] / STRAIN_AT_STRENGTH / max(length, 1.0)
        unit[m, 3] = length
        i, j = place[a], place[b]
        half = 0.5 * UNIT_WEIGHT_PN[code] * length
        if i >= 0:
            dead[2 * i + 1] -= half
        if j >= 0:
            dead[2 * j + 1] -= half
        if i >= 0 and j >= 0:
            low, high = min(i, j), max(i, j)
            first[2 * high] = min(first[2 * high], 2 * low)
            first[2 * high + 1] = min(first[2 * high + 1], 2 * low)
    for i in range(size):
        for j in range(first[i], i + 1):
            stiff[i, j] = 0.0
    for m in range(count[1]):
        i, j = place[bars[m, 0]], place[bars[m, 1]]
        for p in range(2):
            for q in range(2):
                k = unit[m, p] * unit[m, q] * unit[m, 2]
                if i >= 0 and q <= p:
                    stiff[2 * i + p, 2 * i + q] += k
                if j >= 0 and q <= p:
                    stiff[2 * j + p, 2 * j + q] += k
                if i >= 0 and j >= 0:
                    stiff[2 * max(i, j) + p, 2 * min(i, j) + q] -= k


@njit(cache=True, nogil=True)
def _factorise(stiff, first, size):
    """Cholesky factor in place, inside the envelope; False when a pivot all but vanishes."""
    for i in range(size):
        whole = stiff[i, i]
        for j in range(first[i], i):
            total = stiff[i, j]
            for k in range(max(first[i], first[j]), j):
                total -= stiff[i, k] * stiff[j, k]
            stiff[i, j] = total / stiff[j, j]
        pivot = whole
        for k in range(first[i], i):
            pivot -= stiff[i, k] * stiff[i, k]
        if pivot <= WEAKEST_PIVOT * whole or whole <= 0.0:
            return False
        stiff[i, i] = np.sqrt(pivot)
    return True


@njit(cache=True, nogil=True)
def _solve(stiff, first, size, load):
    """Solve in place."""
    for i in range(size):
        total = load[i]
        for k in range(first[i], i):
            total -= stiff[i, k] * load[k]
        load[i] = total / stiff[i, i]
    for i in range(size - 1, -1, -1):
        load[i] /= stiff[i, i]
        for k in range(first[i], i):
            load[k] -= stiff[i, k] * load[i]


@njit(cache=True, nogil=True)
def _force(bars, m, place, unit, shift):
    """Axial force of bar m under the displacements `shift`, tension positive."""
    stretch = 0.0
    i, j = place[bars[m, 0]], place[bars[m, 1]]
    if j >= 0:
        stretch += unit[m, 0] * shift[2 * j] + unit[m, 1] * shift[2 * j + 1]
    if i >= 0:
        stretch -= unit[m, 0] * shift[2 * i] + unit[m, 1] * shift[2 * i + 1]
    return unit[m, 2] * stretch


@njit(cache=True, nogil=True)
def _wheel(x, xy, bars, roads, road_count, rank, share, weight):
    """Add a wheel's load at x to the shares of the joints of the road under it."""
    for r in range(road_count):
        a, b = bars[roads[r], 0], bars[roads[r], 1]
        left, right = xy[a, 0], xy[b, 0]
        if left <= x < right:
            part = (x - left) / (right - left)
            if rank[a] >= 0:
                share[rank[a]] += weight * (1.0 - part)
            if rank[b] >= 0:
                share[rank[b]] += weight * part
            return


@njit(cache=True, nogil=True)
def peak_forces(xy, kind, bars, count, axles, work, peak):
    """Largest axial force in PN of each bar, over all positions of the vehicles.

    `axles` (A, 2): offset in m from the first vehicle's centre, and load in PN. Returns False for
    a mechanism, or when a joint moves further than a bridge should.
    """
    stiff, first, order, place, dead, unit, lines, roads, rank, share = work
    n, bar_count = count[0], count[1]
    free = _order(xy, kind, n, order, place)
    size = 2 * free
    _assemble(xy, bars, count, place, free, stiff, first, dead, unit)
    if not _factorise(stiff, first, size):
        return False
    _solve(stiff, first, size, dead)
    for i in range(size):
        if abs(dead[i]) > LARGEST_SHIFT_M:
            return False
    road_count, joints = 0, 0
    for i in range(n):
        rank[i] = -1
    for m in range(bar_count):
        lines[0, m] = _force(bars, m, place, unit, dead)
        peak[m] = abs(lines[0, m])
        if IS_ROAD[bars[m, 2]]:
            roads[road_count] = m
            road_count += 1
            for end in range(2):
                node = bars[m, end]
                if place[node] >= 0 and rank[node] < 0:
                    rank[node] = joints
                    for i in range(size):
                        dead[i] = 0.0
                    dead[2 * place[node] + 1] = -1.0
                    _solve(stiff, first, size, dead)
                    joints += 1
                    for k in range(bar_count):
                        lines[joints, k] = _force(bars, k, place, unit, dead)
    for r in range(road_count):
        for end in range(2):
            if end == 0 and r > 0 and bars[roads[r], 0] == bars[roads[r - 1], 1]:
                continue  # the joint has been looked at as the last one's end
            x = xy[bars[roads[r], end], 0]
            for a in range(axles.shape[0]):
                for j in range(joints):
                    share[j] = 0.0
                for b in range(axles.shape[0]):
                    at = x - axles[a, 0] + axles[b, 0]
                    _wheel(at, xy, bars, roads, road_count, rank, share, axles[b, 1])
                for m in range(bar_count):
                    force = lines[0, m]
                    for j in range(joints):
                        if share[j] != 0.0:
                            force += share[j] * lines[j + 1, m]
                    peak[m] = max(peak[m], abs(force))
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


def workspace(max_nodes, max_bars):
    """Scratch arrays for `peak_forces`."""
    size = 2 * max_nodes
    return (
        np.zeros((size, size)),
        np.zeros(size, np.int64),
        np.zeros(max_nodes, np.int64),
        np.zeros(max_nodes, np.int64),
        np.zeros(size),
        np.zeros((max_bars, 4)),
        np.zeros((max_nodes, max_bars)),
        np.zeros(max_bars, np.int64),
        np.zeros(max_nodes, np.int64),
        np.zeros(max_nodes),
    )
