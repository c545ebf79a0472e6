"""A truss as a graph in arrays, compiled: looking up, adding and dropping bars and nodes."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bench.bridge.statics.bars import IS_ROAD

ANCHOR, DECK, FREE = 1, 2, 3
"""Kinds of nodes: native anchor, joint of the road, any other joint."""


class State(NamedTuple):
    """A truss; arrays have room for more nodes (N) and bars (M) than `used` says."""

    xy: NDArray[np.float64]
    """(N, 2) positions in metres."""
    kind: NDArray[np.int64]
    """(N,) kinds."""
    mirror: NDArray[np.int64]
    """(N,) each node's mirror image: itself on the axis, -1 where there is none."""
    bars: NDArray[np.int64]
    """(M, 3) left node, right node, code (see `bars`)."""
    factor: NDArray[np.float64]
    """(M,) by how much a bar's force exceeds what statics gives."""
    used: NDArray[np.int64]
    """(2,) numbers of nodes and bars in use."""


def empty_state(nodes: int, bars: int) -> State:
    """Room for a truss of that many nodes and bars."""
    return State(
        np.zeros((nodes, 2)),
        np.zeros(nodes, np.int64),
        np.full(nodes, -1, np.int64),
        np.zeros((bars, 3), np.int64),
        np.ones(bars),
        np.zeros(2, np.int64),
    )


@njit(cache=True, nogil=True)
def copy_state(source, goal):
    """Copy the used part of a state."""
    n, m = source.used[0], source.used[1]
    goal.xy[:n] = source.xy[:n]
    goal.kind[:n] = source.kind[:n]
    goal.mirror[:n] = source.mirror[:n]
    goal.bars[:m] = source.bars[:m]
    goal.factor[:m] = source.factor[:m]
    goal.used[:] = source.used


@njit(cache=True, nogil=True)
def find_bar(state, a, b):
    """Index of the bar between two nodes, -1 when there is none."""
    bars = state.bars
    for m in range(state.used[1]):
        if (bars[m, 0] == a and bars[m, 1] == b) or (bars[m, 0] == b and bars[m, 1] == a):
            return m
    return -1


@njit(cache=True, nogil=True)
def add_bar(state, a, b, code, factor):
    """Add a bar unless a node is -1, the pair has a bar, or a bar but road would join anchors."""
    _, kind, _, bars, factors, count = state
    m = count[1]
    if a < 0 or b < 0 or a == b or m >= len(bars) or find_bar(state, a, b) >= 0:
        return False
    if kind[a] == ANCHOR and kind[b] == ANCHOR and not IS_ROAD[code]:
        return False
    bars[m, 0], bars[m, 1], bars[m, 2] = a, b, code
    factors[m] = factor
    count[1] = m + 1
    return True


@njit(cache=True, nogil=True)
def drop_bar(state, m):
    """Take bar m out; the last bar takes its index."""
    last = state.used[1] - 1
    state.bars[m] = state.bars[last]
    state.factor[m] = state.factor[last]
    state.used[1] = last


@njit(cache=True, nogil=True)
def image_bar(state, m):
    """Index of bar m's mirror image: m itself when it is its own, -1 without symmetry."""
    a, b = state.mirror[state.bars[m, 0]], state.mirror[state.bars[m, 1]]
    return find_bar(state, a, b) if a >= 0 and b >= 0 else -1


@njit(cache=True, nogil=True)
def drop_pair(state, m):
    """Take bar m and its mirror image out."""
    other = image_bar(state, m)
    if other >= 0 and other != m:
        drop_bar(state, max(m, other))
        drop_bar(state, min(m, other))
    else:
        drop_bar(state, m)


@njit(cache=True, nogil=True)
def drop_node(state, i):
    """Take node i, which no bar uses, out; the last node takes its index."""
    xy, kind, mirror, bars, _, count = state
    last = count[0] - 1
    if mirror[i] >= 0 and mirror[i] != i:
        mirror[mirror[i]] = -1
    if i != last:
        xy[i] = xy[last]
        kind[i] = kind[last]
        mirror[i] = mirror[last]
        if mirror[last] == last:
            mirror[i] = i
        elif mirror[last] >= 0:
            mirror[mirror[last]] = i
        for m in range(count[1]):
            for end in range(2):
                if bars[m, end] == last:
                    bars[m, end] = i
    mirror[last] = -1
    count[0] = last


@njit(cache=True, nogil=True)
def tidy(state):
    """Drop free nodes with fewer than two bars, and those bars, until none is left."""
    _, kind, _, bars, _, count = state
    again = True
    while again:
        again = False
        for i in range(count[0] - 1, -1, -1):
            if kind[i] != FREE:
                continue
            degree, only = 0, -1
            for m in range(count[1]):
                if bars[m, 0] == i or bars[m, 1] == i:
                    degree += 1
                    only = m
            if degree < 2:
                if degree == 1:
                    drop_bar(state, only)
                drop_node(state, i)
                again = True


@njit(cache=True, nogil=True)
def new_node(state, x, y, kind):
    """Append a node; -1 when there is no room."""
    i = state.used[0]
    if i >= len(state.xy):
        return -1
    state.xy[i, 0], state.xy[i, 1] = x, y
    state.kind[i] = kind
    state.mirror[i] = -1
    state.used[0] = i + 1
    return i


@njit(cache=True, nogil=True)
def distance(xy, a, b):
    """Distance of two nodes."""
    dx, dy = xy[b, 0] - xy[a, 0], xy[b, 1] - xy[a, 1]
    return np.sqrt(dx * dx + dy * dy)


@njit(cache=True, nogil=True)
def road_in_order(state, roads):
    """Indices of the road's bars from left to right into `roads` (M,); how many they are."""
    xy, _, _, bars, _, count = state
    size = 0
    for m in range(count[1]):
        if IS_ROAD[bars[m, 2]]:
            j = size
            while j > 0 and xy[bars[roads[j - 1], 0], 0] > xy[bars[m, 0], 0]:
                roads[j] = roads[j - 1]
                j -= 1
            roads[j] = m
            size += 1
    return size
