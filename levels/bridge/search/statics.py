"""Linear statics of a state under moving vehicles, compiled: the search's fast judge.

Direct stiffness with an envelope Cholesky factorisation (nodes in order of x keep the envelope
narrow) and influence lines. Forces are piecewise linear in the vehicles' position, so the extremes
lie where an axle stands on a joint of the road; only these positions are looked at.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from bench.bridge.physics.constants import STRAIN_AT_STRENGTH
from bench.bridge.statics.envelope import factorise, solve
from levels.bridge.search.constants import (
    ANCHOR,
    IS_ROAD,
    STRENGTH_PN,
    UNIT_WEIGHT_PN,
)

LARGEST_SHIFT_M = 0.6
"""No joint of a bridge sinks further under its own weight."""
LANDING_M = 0.3
"""How far behind a bend at an anchor a wheel still presses hard."""
LIFT = 0.4
"""Share of `kick` that a bend downwards counts."""


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
def _bend(bars, roads, road_count, r, unit):
    """Slope change in which road r begins, a bend downwards counting a share of itself."""
    joint = bars[roads[r], 0]
    bend = unit[roads[r], 1] / unit[roads[r], 0]
    for q in range(road_count):
        if bars[roads[q], 1] == joint:
            bend -= unit[roads[q], 1] / unit[roads[q], 0]
    return bend if bend > 0.0 else -LIFT * bend


@njit(cache=True, nogil=True)
def _stand(xy, bars, road, rank):
    """Where a wheel is put for a road: on its left joint, or a little behind an anchor."""
    joint = bars[road, 0]
    return xy[joint, 0] if rank[joint] >= 0 else xy[joint, 0] + LANDING_M


@njit(cache=True, nogil=True)
def _draw_lines(bars, count, work, size):
    """Bar forces under a unit load on each joint of the road into `lines`, from row 1 on.

    Numbers the joints in `rank` and lists the roads; (roads, joints).
    """
    stiff, first, _, place, load, unit, lines, roads, rank, _, _ = work
    road_count, joints = 0, 0
    for i in range(count[0]):
        rank[i] = -1
    for m in range(count[1]):
        if not IS_ROAD[bars[m, 2]]:
            continue
        roads[road_count] = m
        road_count += 1
        for end in range(2):
            node = bars[m, end]
            if place[node] < 0 or rank[node] >= 0:
                continue
            rank[node] = joints
            joints += 1
            for i in range(size):
                load[i] = 0.0
            load[2 * place[node] + 1] = -1.0
            solve(stiff, first, size, load, 0)
            for k in range(count[1]):
                lines[joints, k] = _force(bars, k, place, unit, load)
    return road_count, joints


@njit(cache=True, nogil=True)
def put_axles(xy, bars, axles, work, road_count, r, a, kick):
    """Put axle a at the begin of road r and the others where they then are, into `share`."""
    _, _, _, _, _, unit, _, roads, rank, share, _ = work
    raised = 1.0 + kick * _bend(bars, roads, road_count, r, unit)
    x = _stand(xy, bars, roads[r], rank)
    for b in range(axles.shape[0]):
        at = x - axles[a, 0] + axles[b, 0]
        weight = axles[b, 1] * (raised if a == b else 1.0)
        _wheel(at, xy, bars, roads, road_count, rank, share, weight)


@njit(cache=True, nogil=True)
def peak_forces(xy, kind, bars, count, axles, work, peak, kick):
    """Largest axial force in PN of each bar, over all positions of the vehicles.

    `axles` (A, 2): offset in m from the first vehicle's centre, and load in PN. The load of an
    axle at a bend of the road is raised by `kick` times the bend's slope change. Returns False
    for a mechanism, or when a joint moves further than a bridge should.
    """
    stiff, first, order, place, dead, unit, lines, _, _, share, worst = work
    size = 2 * _order(xy, kind, count[0], order, place)
    _assemble(xy, bars, count, place, size // 2, stiff, first, dead, unit)
    if not factorise(stiff, first, size):
        return False
    solve(stiff, first, size, dead, 0)
    for i in range(size):
        if abs(dead[i]) > LARGEST_SHIFT_M:
            return False
    for m in range(count[1]):
        lines[0, m] = _force(bars, m, place, unit, dead)
        peak[m] = abs(lines[0, m])
        worst[m] = -1
    road_count, joints = _draw_lines(bars, count, work, size)
    used = np.zeros(joints, np.int64)
    share[:joints] = 0.0
    for position in range(road_count * axles.shape[0]):
        r, a = position // axles.shape[0], position % axles.shape[0]
        put_axles(xy, bars, axles, work, road_count, r, a, kick)
        loaded = 0
        for j in range(joints):
            if share[j] != 0.0:
                used[loaded] = j
                loaded += 1
        for m in range(count[1]):
            force = lines[0, m]
            for k in range(loaded):
                force += share[used[k]] * lines[used[k] + 1, m]
            if abs(force) > peak[m]:
                peak[m] = abs(force)
                worst[m] = position
        for k in range(loaded):
            share[used[k]] = 0.0
    return True


def workspace(max_nodes: int, max_bars: int) -> tuple[Any, ...]:
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
        np.zeros(max_bars, np.int64),
    )
