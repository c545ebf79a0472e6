"""Bar forces of a pin-jointed truss under a moving convoy, compiled.

Direct stiffness with an envelope Cholesky factorisation (nodes in order of x keep the envelope
narrow) and influence lines of the road's joints. Forces are piecewise linear in the convoy's
position, so the extremes lie where an axle stands on a joint of the road; only these positions
are looked at.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bench.bridge.physics.constants import SHORTEST_STIFF_LENGTH_M, STRAIN_AT_STRENGTH
from bench.bridge.statics.bars import STRENGTH_PN, UNIT_WEIGHT_PN
from bench.bridge.statics.envelope import factorise, solve
from bench.bridge.statics.graph import ANCHOR, distance, road_in_order

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

KICK = 4.0
"""How much a wheel's load rises per unit of slope change at a bend of the road; fitted to
simulations (3.5 m/s on a tyre that 0.03 m deflects gives 6.4 on rigid ground)."""
LIFT = 0.4
"""Share of the kick that a bend downwards counts."""
LANDING_M = 0.3
"""How far behind a bend at an anchor a wheel still presses hard."""
MECHANISM = -1.0
"""In place of a sag: the truss moves without force, or further than it should."""


class Method(NamedTuple):
    """How forces are found.

    `softening`: compression, as a share of its strength, that every bar is taken to be under when
    it softens the truss sideways: joints that only bars almost in line hold would buckle, and so
    count as weak. `kick`: see KICK. `largest_shift_m`: how far self-weight may move a joint.
    `with_sag`: whether the sag under the convoy is wanted.
    """

    softening: float
    kick: float
    largest_shift_m: float
    with_sag: bool


class Work(NamedTuple):
    """Scratch arrays, and what `peak_forces` leaves there for others to read."""

    stiff: Floats
    """The stiffness matrix, factorised; row i from column `first[i]` on."""
    first: Ints
    order: Ints
    """Moving nodes from left to right."""
    place: Ints
    """Each node's index in `order`, -1 for anchors."""
    shift: Floats
    unit: Floats
    """Each bar's cos, sin, EA / L in PN/m, and length in m."""
    lines: Floats
    """Bar forces under self-weight (row 0) and under 1 PN on each joint of the road."""
    sags: Floats
    """Sag of each joint of the road under 1 PN on each."""
    roads: Ints
    """The road's bars from left to right."""
    bend: Floats
    """Slope change at the left end of each, a bend downwards counting `LIFT` of itself."""
    joints: Ints
    """The road's joints by rank."""
    rank: Ints
    """Each node's rank among the joints of the road, -1 for others."""
    share: Floats
    """Load on each joint of the road in the position that is looked at."""
    worst: Ints
    """The position (road, axle) that is worst for each bar, -1 for none."""


def workspace(nodes: int, bars: int) -> Work:
    """Scratch arrays for trusses of at most so many nodes and bars."""

    def ints(size: int) -> Ints:
        return np.zeros(size, np.int64)

    return Work(
        stiff=np.zeros((2 * nodes, 2 * nodes)),
        first=ints(2 * nodes),
        order=ints(nodes),
        place=ints(nodes),
        shift=np.zeros(2 * nodes),
        unit=np.zeros((bars, 4)),
        lines=np.zeros((nodes + 1, bars)),
        sags=np.zeros((nodes, nodes)),
        roads=ints(bars),
        bend=np.zeros(bars),
        joints=ints(nodes),
        rank=ints(nodes),
        share=np.zeros(nodes),
        worst=ints(bars),
    )


@njit(cache=True, nogil=True)
def _order(state, work):
    """Sort moving nodes by x; how many they are."""
    xy, order, free = state.xy, work.order, 0
    for i in range(state.used[0]):
        work.place[i] = -1
        if state.kind[i] == ANCHOR:
            continue
        j = free
        while j > 0 and xy[order[j - 1], 0] > xy[i, 0]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
        free += 1
    for j in range(free):
        work.place[order[j]] = j
    return free


@njit(cache=True, nogil=True)
def _measure(state, work, size):
    """Units of all bars, the stiffness matrix' envelope, self-weight as a load into `shift`."""
    xy, bars, unit, first, dead = state.xy, state.bars, work.unit, work.first, work.shift
    for i in range(size):
        first[i] = i - i % 2
        dead[i] = 0.0
    for m in range(state.used[1]):
        a, b, code = bars[m, 0], bars[m, 1], bars[m, 2]
        length = distance(xy, a, b)
        unit[m, 0], unit[m, 1] = (xy[b, 0] - xy[a, 0]) / length, (xy[b, 1] - xy[a, 1]) / length
        stiff_length = max(length, SHORTEST_STIFF_LENGTH_M)
        unit[m, 2] = STRENGTH_PN[code] / STRAIN_AT_STRENGTH / stiff_length
        unit[m, 3] = length
        i, j = work.place[a], work.place[b]
        half = 0.5 * UNIT_WEIGHT_PN[code] * length
        if i >= 0:
            dead[2 * i + 1] -= half
        if j >= 0:
            dead[2 * j + 1] -= half
        low, high = min(i, j), max(i, j)
        if low >= 0:
            first[2 * high] = min(first[2 * high], 2 * low)
            first[2 * high + 1] = min(first[2 * high + 1], 2 * low)


@njit(cache=True, nogil=True)
def _assemble(state, work, size, softening):
    """The stiffness matrix inside its envelope, lower half."""
    bars, unit, stiff = state.bars, work.unit, work.stiff
    for i in range(size):
        for j in range(work.first[i], i + 1):
            stiff[i, j] = 0.0
    for m in range(state.used[1]):
        i, j = work.place[bars[m, 0]], work.place[bars[m, 1]]
        soft = softening * STRENGTH_PN[bars[m, 2]] / unit[m, 3]
        low, high = min(i, j), max(i, j)
        for p in range(2):
            for q in range(2):
                k = unit[m, p] * unit[m, q] * (unit[m, 2] + soft)
                if p == q:
                    k -= soft
                if i >= 0 and q <= p:
                    stiff[2 * i + p, 2 * i + q] += k
                if j >= 0 and q <= p:
                    stiff[2 * j + p, 2 * j + q] += k
                if low >= 0:
                    stiff[2 * high + p, 2 * low + q] -= k


@njit(cache=True, nogil=True)
def _forces(state, work, out):
    """Axial force of every bar under the displacements `shift`, tension positive."""
    bars, unit, shift = state.bars, work.unit, work.shift
    for m in range(state.used[1]):
        i, j = work.place[bars[m, 0]], work.place[bars[m, 1]]
        stretch = 0.0
        if j >= 0:
            stretch += unit[m, 0] * shift[2 * j] + unit[m, 1] * shift[2 * j + 1]
        if i >= 0:
            stretch -= unit[m, 0] * shift[2 * i] + unit[m, 1] * shift[2 * i + 1]
        out[m] = unit[m, 2] * stretch


@njit(cache=True, nogil=True)
def _find_road(state, work):
    """List the roads, their bends and joints; (roads, joints)."""
    bars, unit, roads = state.bars, work.unit, work.roads
    count, joints = road_in_order(state, roads), 0
    for i in range(state.used[0]):
        work.rank[i] = -1
    for r in range(count):
        m = roads[r]
        bend = unit[m, 1] / unit[m, 0]
        if r > 0 and bars[roads[r - 1], 1] == bars[m, 0]:
            bend -= unit[roads[r - 1], 1] / unit[roads[r - 1], 0]
        work.bend[r] = bend if bend > 0.0 else -LIFT * bend
        for end in range(2):
            node = bars[m, end]
            if work.place[node] >= 0 and work.rank[node] < 0:
                work.rank[node] = joints
                work.joints[joints] = node
                joints += 1
    return count, joints


@njit(cache=True, nogil=True)
def _draw_lines(state, work, size, joints, with_sag):
    """Bar forces, and sags where wanted, under a unit load on each joint of the road."""
    shift = work.shift
    for j in range(joints):
        row = 2 * work.place[work.joints[j]] + 1
        shift[:size] = 0.0
        shift[row] = -1.0
        solve(work.stiff, work.first, size, shift, row - 1)
        _forces(state, work, work.lines[j + 1])
        if with_sag:
            for k in range(joints):
                work.sags[j, k] = -shift[2 * work.place[work.joints[k]] + 1]


@njit(cache=True, nogil=True)
def put_axles(state, axles, work, road_count, r, a, kick):
    """Put axle a at the begin of road r and the others where they then are, into `share`.

    On the left joint, or a little behind an anchor. Returns the first joint and one behind the
    last joint that may be loaded, by rank.
    """
    xy, bars, roads, rank, share = state.xy, state.bars, work.roads, work.rank, work.share
    joint = bars[roads[r], 0]
    stand = xy[joint, 0] if rank[joint] >= 0 else xy[joint, 0] + LANDING_M
    low, high = len(share), 0
    for b in range(axles.shape[0]):
        x = stand - axles[a, 0] + axles[b, 0]
        for q in range(road_count):
            i, j = bars[roads[q], 0], bars[roads[q], 1]
            left, right = xy[i, 0], xy[j, 0]
            if left <= x < right:
                load = axles[b, 1] * (1.0 + kick * work.bend[r] if a == b else 1.0)
                part = (x - left) / (right - left)
                if rank[i] >= 0:
                    share[rank[i]] += load * (1.0 - part)
                    low, high = min(low, rank[i]), max(high, rank[i] + 1)
                if rank[j] >= 0:
                    share[rank[j]] += load * part
                    low, high = min(low, rank[j]), max(high, rank[j] + 1)
                break
    return low, high


@njit(cache=True, nogil=True)
def _sweep(state, axles, method, work, peak, road_count, joints):
    """Put each axle on each joint in turn: raises `peak`, and returns the largest sag."""
    lines, share, used = work.lines, work.share, np.zeros(joints, np.int64)
    share[:joints] = 0.0
    deepest = 0.0
    for position in range(road_count * axles.shape[0]):
        r, a = position // axles.shape[0], position % axles.shape[0]
        low, high = put_axles(state, axles, work, road_count, r, a, method.kick)
        loaded = 0
        for j in range(low, high):
            if share[j] != 0.0:
                used[loaded] = j
                loaded += 1
        for m in range(state.used[1]):
            force = lines[0, m]
            for k in range(loaded):
                force += share[used[k]] * lines[used[k] + 1, m]
            if abs(force) > peak[m]:
                peak[m] = abs(force)
                work.worst[m] = position
        if method.with_sag:
            for j in range(joints):
                sag = 0.0
                for k in range(loaded):
                    sag += share[used[k]] * work.sags[used[k], j]
                deepest = max(deepest, sag)
        share[low:high] = 0.0
    return deepest


@njit(cache=True, nogil=True)
def peak_forces(state, axles, method, work, peak):
    """Fill `peak` with the largest axial force in PN of each bar over all positions of the convoy.

    `axles` (A, 2): metres from the first vehicle's centre, and load in PN. Returns the largest sag
    in metres of the road's joints under the convoy alone (0 where the method does without), or
    MECHANISM.
    """
    size = 2 * _order(state, work)
    _measure(state, work, size)
    _assemble(state, work, size, method.softening)
    if not factorise(work.stiff, work.first, size):
        return MECHANISM
    solve(work.stiff, work.first, size, work.shift, 0)
    for i in range(size):
        if abs(work.shift[i]) > method.largest_shift_m:
            return MECHANISM
    _forces(state, work, work.lines[0])
    for m in range(state.used[1]):
        peak[m] = abs(work.lines[0, m])
        work.worst[m] = -1
    road_count, joints = _find_road(state, work)
    _draw_lines(state, work, size, joints, method.with_sag)
    return _sweep(state, axles, method, work, peak, road_count, joints)
