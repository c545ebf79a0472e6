"""The engineer's changes to a truss, compiled: one at a time, on both sides of a mirror line.

Every move works on a state (see `engineer_statics`) and returns whether it came to something. The
road stays a chain from edge to edge.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

import numpy as np
from numba import njit

from bench.bridge.baselines.engineer_statics import (
    ANCHOR,
    FREE,
    IS_ROAD,
    LONGEST_M,
    ROAD,
    ROAD_STEEL,
    ROAD_WOOD,
    STEEL,
    STRENGTH_PN,
    WOOD,
    lengths,
)


@njit(cache=True, nogil=True)
def find_bar(state, a, b):
    """Index of the bar between two joints, -1 when there is none."""
    _, _, _, ends, _, count = state
    for m in range(count[1]):
        if (ends[m, 0] == a and ends[m, 1] == b) or (ends[m, 0] == b and ends[m, 1] == a):
            return m
    return -1


@njit(cache=True, nogil=True)
def add_bar(state, a, b, material):
    """Add a bar unless the pair has one, or both ends are anchors."""
    _, kind, _, ends, code, count = state
    m = count[1]
    if a < 0 or b < 0 or a == b or m >= len(ends) or find_bar(state, a, b) >= 0:
        return False
    if kind[a] == ANCHOR and kind[b] == ANCHOR:
        return False
    ends[m, 0], ends[m, 1], code[m] = a, b, material
    count[1] = m + 1
    return True


@njit(cache=True, nogil=True)
def _drop_bar(state, m):
    _, _, _, ends, code, count = state
    last = count[1] - 1
    ends[m], code[m] = ends[last], code[last]
    count[1] = last


@njit(cache=True, nogil=True)
def _image(state, m):
    """Index of a bar's mirror image: itself on the axis, -1 where there is none."""
    _, _, mirror, ends, _, _ = state
    a, b = mirror[ends[m, 0]], mirror[ends[m, 1]]
    return find_bar(state, a, b) if a >= 0 and b >= 0 else -1


@njit(cache=True, nogil=True)
def _drop_pair(state, m):
    other = _image(state, m)
    if other >= 0 and other != m:
        _drop_bar(state, max(m, other))
        _drop_bar(state, min(m, other))
    else:
        _drop_bar(state, m)


@njit(cache=True, nogil=True)
def _drop_joint(state, i):
    """Take out a joint that no bar uses; the last joint takes its index."""
    xy, kind, mirror, ends, _, count = state
    last = count[0] - 1
    if mirror[i] >= 0 and mirror[i] != i:
        mirror[mirror[i]] = -1
    if i != last:
        xy[i], kind[i], mirror[i] = xy[last], kind[last], mirror[last]
        if mirror[last] == last:
            mirror[i] = i
        elif mirror[last] >= 0:
            mirror[mirror[last]] = i
        for m in range(count[1]):
            for end in range(2):
                if ends[m, end] == last:
                    ends[m, end] = i
    mirror[last] = -1
    count[0] = last


@njit(cache=True, nogil=True)
def _tidy(state):
    """Take out free joints with fewer than two bars, and those bars."""
    _, kind, _, ends, _, count = state
    again = True
    while again:
        again = False
        for i in range(count[0] - 1, -1, -1):
            degree, only = 0, -1
            for m in range(count[1]):
                if ends[m, 0] == i or ends[m, 1] == i:
                    degree += 1
                    only = m
            if kind[i] == FREE and degree < 2:
                if degree == 1:
                    _drop_bar(state, only)
                _drop_joint(state, i)
                again = True


@njit(cache=True, nogil=True)
def _near(state, i, longest, other_than):
    """A random joint within reach of i, -1 when chance finds none."""
    xy, _, _, _, _, count = state
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
    _, _, _, _, code, count = state
    m = np.random.randint(0, count[1])
    if IS_ROAD[code[m]]:
        return False
    _drop_pair(state, m)
    _tidy(state)
    return True


@njit(cache=True, nogil=True)
def _insert(state, steel):
    """Join two joints."""
    _, _, mirror, _, _, count = state
    i = np.random.randint(0, count[0])
    material = STEEL if steel and np.random.random() < 0.2 else WOOD
    j = _near(state, i, LONGEST_M[material], -1)
    if not add_bar(state, i, j, material):
        return False
    add_bar(state, mirror[i], mirror[j], material)
    return True


@njit(cache=True, nogil=True)
def _retie(state):
    """Give one end of a bar to another joint."""
    _, _, mirror, ends, code, count = state
    m = np.random.randint(0, count[1])
    end, material = np.random.randint(0, 2), code[m]
    kept, old = ends[m, end], ends[m, 1 - end]
    new = _near(state, kept, LONGEST_M[material], old)
    if IS_ROAD[material] or new < 0 or find_bar(state, kept, new) >= 0:
        return False
    _drop_pair(state, m)
    if not add_bar(state, kept, new, material):
        return False
    add_bar(state, mirror[kept], mirror[new], material)
    _tidy(state)
    return True


@njit(cache=True, nogil=True)
def _merge(state):
    """Merge a free joint, and its image, into ones that they are tied to."""
    _, kind, mirror, ends, code, count = state
    m, end = np.random.randint(0, count[1]), np.random.randint(0, 2)
    i, j = ends[m, end], ends[m, 1 - end]
    k = mirror[i]
    if kind[i] != FREE or k == j or (k >= 0 and mirror[j] < 0) or (k == i and mirror[j] != j):
        return False
    for old, new in ((i, j), (k, mirror[j])):
        if old < 0 or (old == i and new != j):
            continue
        for b in range(count[1] - 1, -1, -1):
            if ends[b, 0] != old and ends[b, 1] != old:
                continue
            far = ends[b, 1] if ends[b, 0] == old else ends[b, 0]
            material = code[b]
            _drop_bar(state, b)
            add_bar(state, far, new, material)
    _tidy(state)
    return True


@njit(cache=True, nogil=True)
def _sprout(state, axis):
    """Put a joint beside the middle of a bar, tied to its ends and to a third joint."""
    xy, kind, mirror, ends, code, count = state
    m, n = np.random.randint(0, count[1]), count[0]
    if n + 2 > len(xy):
        return False
    a, b, material, other = ends[m, 0], ends[m, 1], code[m], _image(state, m)
    tie = WOOD if IS_ROAD[material] else material
    for k in range(2):
        xy[n, k] = 0.5 * (xy[a, k] + xy[b, k]) + 0.3 * np.random.normal()
    kind[n], mirror[n], count[0] = FREE, n if other == m else -1, n + 1
    c = _near(state, n, LONGEST_M[WOOD], a)
    ma, mb, mc = mirror[a], mirror[b], mirror[c] if c >= 0 else -1
    if not IS_ROAD[material] and np.random.random() < 0.6:
        _drop_pair(state, m)
    for end in (a, b, c):
        add_bar(state, n, end, tie)
    if other == m:
        _follow(state, n, axis)
        add_bar(state, n, mc, tie)
    elif other >= 0:
        kind[n + 1], mirror[n], mirror[n + 1], count[0] = FREE, n + 1, n, n + 2
        _follow(state, n, axis)
        for end in (ma, mb, mc):
            add_bar(state, n + 1, end, tie)
    return True


@njit(cache=True, nogil=True)
def _change(state, steel):
    """Make a bar of another material, or reinforce a road, or undo that."""
    _, _, _, _, code, count = state
    m = np.random.randint(0, count[1])
    old = code[m]
    if IS_ROAD[old]:
        pick = np.random.randint(0, 3 if steel else 2)
        new = ROAD if pick == 0 else (ROAD_WOOD if pick == 1 else ROAD_STEEL)
    else:
        new = STEEL if steel and old == WOOD else WOOD
    other = _image(state, m)
    code[m] = new
    if other >= 0:
        code[other] = new
    return new != old


@njit(cache=True, nogil=True)
def size_bars(state, peak, target, steel):
    """Give every bar the cheapest material that carries its force at the target utilisation."""
    xy, _, _, ends, code, count = state
    length, changed = lengths(xy, ends, count), False
    for m in range(count[1]):
        need, old = peak[m] / target, code[m]
        if IS_ROAD[old]:
            new = ROAD
            if need > STRENGTH_PN[ROAD]:
                new = ROAD_WOOD
            if need > STRENGTH_PN[ROAD_WOOD] and steel:
                new = ROAD_STEEL
        else:
            new = WOOD
            if steel and (need > STRENGTH_PN[WOOD] or length[m] > LONGEST_M[WOOD]):
                new = STEEL
        changed |= new != old
        code[m] = new
    return changed


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
