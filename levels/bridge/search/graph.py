"""A state as a graph, compiled: looking up, adding and dropping bars and nodes.

A state is (xy, kind, mirror, bars, factor, count): node positions (N, 2), node kinds, each node's
mirror image (itself on the axis, -1 in a search without symmetry), bars (M, 3) as left node, right
node, code (see `constants`), each bar's dynamic factor, and the numbers of nodes and bars.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

import numpy as np
from numba import njit

from levels.bridge.search.constants import ANCHOR, FREE, IS_ROAD, MAX_BARS, MAX_NODES


@njit(cache=True, nogil=True)
def find_bar(bars, count, a, b):
    """Index of the bar between two nodes, -1 when there is none."""
    for m in range(count[1]):
        if (bars[m, 0] == a and bars[m, 1] == b) or (bars[m, 0] == b and bars[m, 1] == a):
            return m
    return -1


@njit(cache=True, nogil=True)
def add_bar(state, a, b, code, factor):
    """Add a bar unless the pair has one already."""
    _, kind, _, bars, factors, count = state
    if a == b or find_bar(bars, count, a, b) >= 0 or count[1] >= MAX_BARS:
        return False
    if kind[a] == ANCHOR and kind[b] == ANCHOR and not IS_ROAD[code]:
        return False
    m = count[1]
    bars[m, 0], bars[m, 1], bars[m, 2] = a, b, code
    factors[m] = factor
    count[1] += 1
    return True


@njit(cache=True, nogil=True)
def drop_bar(state, m):
    """Take bar m out."""
    _, _, _, bars, factors, count = state
    last = count[1] - 1
    bars[m] = bars[last]
    factors[m] = factors[last]
    count[1] = last


@njit(cache=True, nogil=True)
def drop_node(state, i):
    """Take node i, which no bar uses, out; the last node takes its index."""
    xy, kind, mirror, bars, _, count = state
    last = count[0] - 1
    if mirror[i] >= 0 and mirror[i] != i:
        mirror[mirror[i]] = mirror[i]
    if i != last:
        xy[i] = xy[last]
        kind[i] = kind[last]
        mirror[i] = mirror[last]
        if mirror[i] == last:
            mirror[i] = i
        elif mirror[i] >= 0:
            mirror[mirror[i]] = i
        for m in range(count[1]):
            for end in range(2):
                if bars[m, end] == last:
                    bars[m, end] = i
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
def image_bar(state, m):
    """Index of bar m's mirror image: m itself when it is its own, -1 without symmetry."""
    _, _, mirror, bars, _, count = state
    a, b = mirror[bars[m, 0]], mirror[bars[m, 1]]
    if a < 0 or b < 0:
        return -1
    return find_bar(bars, count, a, b)


@njit(cache=True, nogil=True)
def distance(xy, a, b):
    """Distance of two nodes."""
    return np.sqrt((xy[a, 0] - xy[b, 0]) ** 2 + (xy[a, 1] - xy[b, 1]) ** 2)


@njit(cache=True, nogil=True)
def pick_near(state, i, reach, other):
    """A random node within `reach` of node i that is neither i nor `other`; -1 for none."""
    xy, _, _, _, _, count = state
    seen, chosen = 0, -1
    for j in range(count[0]):
        if j != i and j != other and distance(xy, i, j) <= reach:
            seen += 1
            if np.random.randint(0, seen) == 0:
                chosen = j
    return chosen


@njit(cache=True, nogil=True)
def retie(state, i, j):
    """Give all of node i's bars to node j and drop those that would be double."""
    _, _, _, bars, _, count = state
    for m in range(count[1] - 1, -1, -1):
        for end in range(2):
            if bars[m, end] == i:
                rest = bars[m, 1 - end]
                if rest == j or find_bar(bars, count, rest, j) >= 0:
                    drop_bar(state, m)
                else:
                    bars[m, end] = j
                break


@njit(cache=True, nogil=True)
def new_node(state, x, y, node_kind):
    """Append a node; -1 when there is no room."""
    xy, kind, mirror, _, _, count = state
    i = count[0]
    if i >= MAX_NODES:
        return -1
    xy[i, 0], xy[i, 1] = x, y
    kind[i] = node_kind
    mirror[i] = -1
    count[0] += 1
    return i
