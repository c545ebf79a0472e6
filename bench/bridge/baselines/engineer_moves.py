"""The engineer's changes to a truss, compiled: one at a time, on both sides of a mirror line.

Every move works on a state (see `statics.graph`) and returns whether it came to something. The
road stays a chain from edge to edge.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

import numpy as np
from numba import njit

from bench.bridge.statics.bars import IS_ROAD, LONGEST_M, STEEL, WOOD
from bench.bridge.statics.graph import (
    ANCHOR,
    FREE,
    add_bar,
    drop_bar,
    drop_pair,
    find_bar,
    image_bar,
    tidy,
)
from bench.bridge.statics.price import other_code, size_bars


@njit(cache=True, nogil=True)
def _near(state, i, longest, other_than):
    """A random joint within reach of i, -1 when chance finds none."""
    xy, count = state.xy, state.used
    for _ in range(12):
        j = np.random.randint(0, count[0])
        dx, dy = xy[i, 0] - xy[j, 0], xy[i, 1] - xy[j, 1]
        if j not in (i, other_than) and dx * dx + dy * dy <= longest * longest:
            return j
    return -1


@njit(cache=True, nogil=True)
def _follow(state, i, axis):
    """Put a joint's mirror image where it belongs."""
    xy, _, mirror, _, _, _ = state
    k = mirror[i]
    if k == i:
        xy[i, 0] = 0.5 * axis
    elif k >= 0:
        xy[k, 0], xy[k, 1] = axis - xy[i, 0], xy[i, 1]


@njit(cache=True, nogil=True)
def _shift(state, axis, reach):
    """Move one joint."""
    xy, kind, _, _, _, count = state
    i = np.random.randint(0, count[0])
    if kind[i] == ANCHOR:
        return False
    step, way = reach * np.random.random() ** 2, np.random.randint(0, 3)
    if way != 0:
        xy[i, 1] += step * np.random.normal()
    if way != 1:
        xy[i, 0] += step * np.random.normal()
    _follow(state, i, axis)
    return True


@njit(cache=True, nogil=True)
def _remove(state):
    """Take out a bar that is no road."""
    _, _, _, bars, _, count = state
    m = np.random.randint(0, count[1])
    if IS_ROAD[bars[m, 2]]:
        return False
    drop_pair(state, m)
    tidy(state)
    return True


@njit(cache=True, nogil=True)
def _insert(state, steel):
    """Join two joints."""
    _, _, mirror, _, _, count = state
    i = np.random.randint(0, count[0])
    material = STEEL if steel and np.random.random() < 0.2 else WOOD
    j = _near(state, i, LONGEST_M[material], -1)
    if not add_bar(state, i, j, material, 1.0):
        return False
    add_bar(state, mirror[i], mirror[j], material, 1.0)
    return True


@njit(cache=True, nogil=True)
def _retie(state):
    """Give one end of a bar to another joint."""
    _, _, mirror, bars, _, count = state
    m = np.random.randint(0, count[1])
    end, material = np.random.randint(0, 2), bars[m, 2]
    kept, old = bars[m, end], bars[m, 1 - end]
    new = _near(state, kept, LONGEST_M[material], old)
    if IS_ROAD[material] or new < 0 or find_bar(state, kept, new) >= 0:
        return False
    drop_pair(state, m)
    if not add_bar(state, kept, new, material, 1.0):
        return False
    add_bar(state, mirror[kept], mirror[new], material, 1.0)
    tidy(state)
    return True


@njit(cache=True, nogil=True)
def _merge(state):
    """Merge a free joint, and its image, into ones that they are tied to."""
    _, kind, mirror, bars, _, count = state
    m, end = np.random.randint(0, count[1]), np.random.randint(0, 2)
    i, j = bars[m, end], bars[m, 1 - end]
    k = mirror[i]
    if kind[i] != FREE or k == j or (k >= 0 and mirror[j] < 0) or (k == i and mirror[j] != j):
        return False
    for old, new in ((i, j), (k, mirror[j])):
        if old < 0 or (old == i and new != j):
            continue
        for b in range(count[1] - 1, -1, -1):
            if bars[b, 0] != old and bars[b, 1] != old:
                continue
            far = bars[b, 1] if bars[b, 0] == old else bars[b, 0]
            material = bars[b, 2]
            drop_bar(state, b)
            add_bar(state, far, new, material, 1.0)
    tidy(state)
    return True


@njit(cache=True, nogil=True)
def _sprout(state, axis):
    """Put a joint beside the middle of a bar, tied to its ends and to a third joint."""
    xy, kind, mirror, bars, _, count = state
    m, n = np.random.randint(0, count[1]), count[0]
    if n + 2 > len(xy):
        return False
    a, b, material, other = bars[m, 0], bars[m, 1], bars[m, 2], image_bar(state, m)
    tie = WOOD if IS_ROAD[material] else material
    for k in range(2):
        xy[n, k] = 0.5 * (xy[a, k] + xy[b, k]) + 0.3 * np.random.normal()
    kind[n], mirror[n], count[0] = FREE, n if other == m else -1, n + 1
    c = _near(state, n, LONGEST_M[WOOD], a)
    ma, mb, mc = mirror[a], mirror[b], mirror[c] if c >= 0 else -1
    if not IS_ROAD[material] and np.random.random() < 0.6:
        drop_pair(state, m)
    for end in (a, b, c):
        add_bar(state, n, end, tie, 1.0)
    if other == m:
        _follow(state, n, axis)
        add_bar(state, n, mc, tie, 1.0)
    elif other >= 0:
        kind[n + 1], mirror[n], mirror[n + 1], count[0] = FREE, n + 1, n, n + 2
        _follow(state, n, axis)
        for end in (ma, mb, mc):
            add_bar(state, n + 1, end, tie, 1.0)
    return True


@njit(cache=True, nogil=True)
def _change(state, steel):
    """Make a bar of another material, or reinforce a road, or undo that."""
    bars = state.bars
    m = np.random.randint(0, state.used[1])
    old, other = bars[m, 2], image_bar(state, m)
    new = other_code(old, steel)
    bars[m, 2] = new
    if other >= 0:
        bars[other, 2] = new
    return new != old


@njit(cache=True, nogil=True)
def random_move(state, peak, axis, target, steel, reach):
    """Make one random move."""
    pick = np.random.random()
    if pick < 0.54:
        return _shift(state, axis, reach)
    if pick < 0.64:
        return _remove(state)
    if pick < 0.71:
        return _insert(state, steel)
    if pick < 0.77:
        return _change(state, steel)
    if pick < 0.82:
        return size_bars(state, peak, target, steel)
    if pick < 0.87:
        return _merge(state)
    if pick < 0.95:
        return _retie(state)
    return _sprout(state, axis)
