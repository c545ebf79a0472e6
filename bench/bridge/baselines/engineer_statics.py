"""The engineer's statics: direct stiffness of a pin-jointed truss under a moving convoy, compiled.

A state is (xy, kind, mirror, ends, code, count): joints (N, 2) in metres, their kinds, each one's
mirror image (-1 where there is none), bars (M, 2) as joint indices, what each bar is made of, and
the numbers of joints and bars in use. Joints in order of x keep the stiffness matrix in a narrow
envelope; influence lines of the road's joints then give every position of the convoy for little.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

import numpy as np
from numba import njit

from bench.bridge.design.materials import MATERIALS
from bench.bridge.statics.envelope import factorise, solve

ANCHOR, DECK, FREE = 0, 1, 2
ROAD, WOOD, STEEL, ROAD_WOOD, ROAD_STEEL = 0, 1, 2, 3, 4
TYPES = ((1,), (2,), (3,), (1, 2), (1, 3))
"""Material types of a bar by its code; two materials are one reinforced bar."""

STRENGTH_PN = np.array([900.0, 800.0, 2000.0, 1200.0, 1500.0])
PRICE = np.array([sum(MATERIALS[t].cost_usd_per_m for t in types) for types in TYPES])
WEIGHT = np.array([sum(MATERIALS[t].weight_pn_per_m for t in types) for types in TYPES])
LONGEST_M = np.array([min(MATERIALS[t].max_length_m for t in types) for types in TYPES])
IS_ROAD = np.array([1 in types for types in TYPES])

STRAIN_AT_STRENGTH = 0.001
SOFTENING = 1.0
"""Compression, as a share of its strength, that every bar is taken to be under when it softens the
truss sideways: joints that only bars almost in line hold would buckle, and so count as weak."""
LANDING_M = 0.3
"""How far beyond an edge a wheel still presses hard after a bend."""
BEND_UP, BEND_DOWN = 4.0, 1.6
"""How much a wheel's load rises per unit of slope change at a bend of the road."""


@njit(cache=True, nogil=True)
def lengths(xy, ends, count):
    """Length in metres of every bar."""
    out = np.empty(count[1])
    for m in range(count[1]):
        dx = xy[ends[m, 1], 0] - xy[ends[m, 0], 0]
        dy = xy[ends[m, 1], 1] - xy[ends[m, 0], 1]
        out[m] = np.sqrt(dx * dx + dy * dy)
    return out


@njit(cache=True, nogil=True)
def _places(xy, kind, n):
    """Rank of every moving joint in order of x, -1 for anchors, and their number."""
    place, order = np.full(n, -1), np.empty(n, np.int64)
    free = 0
    for i in range(n):
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
    return place, free


@njit(cache=True, nogil=True)
def _assemble(xy, ends, code, count, place, size, length):
    """Stiffness, the first column of each row's envelope, self-weight, and (cos, sin, k)."""
    stiff, first, dead = np.zeros((size, size)), np.empty(size, np.int64), np.zeros(size)
    unit = np.empty((count[1], 3))
    for i in range(size):
        first[i] = i - i % 2
    for m in range(count[1]):
        a, b = ends[m, 0], ends[m, 1]
        i, j = place[a], place[b]
        unit[m, 0] = (xy[b, 0] - xy[a, 0]) / length[m]
        unit[m, 1] = (xy[b, 1] - xy[a, 1]) / length[m]
        unit[m, 2] = STRENGTH_PN[code[m]] / STRAIN_AT_STRENGTH / max(length[m], 1.0)
        soft = SOFTENING * STRENGTH_PN[code[m]] / length[m]
        half = 0.5 * WEIGHT[code[m]] * length[m]
        for end in (i, j):
            if end >= 0:
                dead[2 * end + 1] -= half
        low, high = min(i, j), max(i, j)
        for p in range(2):
            if low >= 0:
                first[2 * high + p] = min(first[2 * high + p], 2 * low)
            for q in range(2):
                k = unit[m, p] * unit[m, q] * (unit[m, 2] + soft)
                if p == q:
                    k -= soft
                if i >= 0:
                    stiff[2 * i + p, 2 * i + q] += k
                if j >= 0:
                    stiff[2 * j + p, 2 * j + q] += k
                if low >= 0:
                    stiff[2 * high + p, 2 * low + q] -= k
    return stiff, first, dead, unit


@njit(cache=True, nogil=True)
def _forces(ends, place, unit, shift, out):
    """Axial force of every bar under the displacements, tension positive."""
    for m in range(unit.shape[0]):
        i, j = place[ends[m, 0]], place[ends[m, 1]]
        stretch = 0.0
        if j >= 0:
            stretch += unit[m, 0] * shift[2 * j] + unit[m, 1] * shift[2 * j + 1]
        if i >= 0:
            stretch -= unit[m, 0] * shift[2 * i] + unit[m, 1] * shift[2 * i + 1]
        out[m] = unit[m, 2] * stretch


@njit(cache=True, nogil=True)
def road_in_order(xy, ends, code, count):
    """Indices of the road's bars from left to right."""
    roads = np.empty(count[1], np.int64)
    size = 0
    for m in range(count[1]):
        if IS_ROAD[code[m]]:
            j = size
            while j > 0 and xy[ends[roads[j - 1], 0], 0] > xy[ends[m, 0], 0]:
                roads[j] = roads[j - 1]
                j -= 1
            roads[j] = m
            size += 1
    return roads[:size]


@njit(cache=True, nogil=True)
def peak_forces(state, axles, peak):
    """Fill `peak` with the largest axial force in PN of each bar; returns the largest sag.

    `axles` (A, 3): metres from the first vehicle's centre, load in PN, and how much of the rise
    at bends counts. Forces are piecewise linear in the convoy's position, so that only positions
    with an axle on a joint count. The sag in metres is that of the road's joints under the
    convoy; -1 stands for a mechanism.
    """
    xy, kind, _, ends, code, count = state
    bars, length = count[1], lengths(xy, ends, count)
    place, free = _places(xy, kind, count[0])
    size = 2 * free
    stiff, first, dead, unit = _assemble(xy, ends, code, count, place, size, length)
    if not factorise(stiff, first, size):
        return -1.0
    solve(stiff, first, size, dead, 0)
    roads = road_in_order(xy, ends, code, count)
    joints = len(roads) - 1
    lines, sags = np.empty((joints + 1, bars)), np.empty((joints, joints))
    _forces(ends, place, unit, dead, lines[joints])
    shift = np.empty(size)
    for j in range(joints):
        row = 2 * place[ends[roads[j], 1]] + 1
        shift[:] = 0.0
        shift[row] = -1.0
        solve(stiff, first, size, shift, row - row % 2)
        _forces(ends, place, unit, shift, lines[j])
        for k in range(joints):
            sags[j, k] = shift[2 * place[ends[roads[k], 1]] + 1]
    for m in range(bars):
        peak[m] = abs(lines[joints, m])
    return _sweep(xy, ends, unit, roads, axles, lines, sags, peak)


@njit(cache=True, nogil=True)
def _sweep(xy, ends, unit, roads, axles, lines, sags, peak):
    """Put each axle on each joint in turn; the peaks, and the largest sag."""
    joints, worst = len(roads) - 1, 0.0
    share = np.zeros(joints)
    slope = 0.0
    for r in range(joints + 1):
        bend = unit[roads[r], 1] / unit[roads[r], 0] - slope
        slope += bend
        jolt = axles[0, 2] * (BEND_UP * bend if bend > 0.0 else -BEND_DOWN * bend)
        stand = xy[ends[roads[r], 0], 0] + (LANDING_M if r == 0 else 0.0)
        for a in range(axles.shape[0]):
            low, high = joints, 0
            for b in range(axles.shape[0]):
                x = stand - axles[a, 0] + axles[b, 0]
                for s in range(joints + 1):
                    left, right = xy[ends[roads[s], 0], 0], xy[ends[roads[s], 1], 0]
                    if left <= x < right:
                        load = axles[b, 1] * (1.0 + jolt if a == b else 1.0)
                        part = (x - left) / (right - left)
                        if s > 0:
                            share[s - 1] += load * (1.0 - part)
                            low, high = min(low, s - 1), max(high, s)
                        if s < joints:
                            share[s] += load * part
                            low, high = min(low, s), max(high, s + 1)
                        break
            for m in range(lines.shape[1]):
                force = lines[joints, m]
                for j in range(low, high):
                    force += share[j] * lines[j, m]
                peak[m] = max(peak[m], abs(force))
            for k in range(joints):
                sag = 0.0
                for j in range(low, high):
                    sag -= share[j] * sags[j, k]
                worst = max(worst, sag)
            share[:] = 0.0
    return worst
