"""The moves of the search on a state (see `statics.graph`), compiled.

Each returns whether it came to something. With symmetry every move is made on both sides. Roads
run from left to right and stay a chain from anchor to anchor.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

import numpy as np
from numba import njit

from bench.bridge.statics.bars import IS_ROAD, LONGEST_M, ROAD, STEEL, WOOD
from bench.bridge.statics.graph import (
    ANCHOR,
    DECK,
    FREE,
    add_bar,
    distance,
    drop_bar,
    drop_node,
    drop_pair,
    find_bar,
    image_bar,
    new_node,
    tidy,
)
from bench.bridge.statics.price import other_code, size_bars


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
                if rest == j or find_bar(state, rest, j) >= 0:
                    drop_bar(state, m)
                else:
                    bars[m, end] = j
                break


@njit(cache=True, nogil=True)
def shift_node(state, span, reach):
    """Move one node by a random step of about `reach` metres."""
    xy, kind, mirror, _, _, count = state
    i = np.random.randint(0, count[0])
    if kind[i] == ANCHOR:
        return False
    step = reach * np.random.random() ** 2
    way = np.random.randint(0, 3)
    if way != 0:
        xy[i, 1] += step * np.random.normal()
    if way != 1 and mirror[i] != i:
        xy[i, 0] += step * np.random.normal()
    if mirror[i] >= 0 and mirror[i] != i:
        xy[mirror[i], 0] = span - xy[i, 0]
        xy[mirror[i], 1] = xy[i, 1]
    return True


@njit(cache=True, nogil=True)
def slide_node(state, span):
    """Move a node towards or onto the height or place of another one it is tied to."""
    xy, kind, mirror, bars, _, count = state
    m = np.random.randint(0, count[1])
    end = np.random.randint(0, 2)
    i, j = bars[m, end], bars[m, 1 - end]
    if kind[i] == ANCHOR:
        return False
    step = 0.3 * np.random.normal()
    length = max(distance(xy, i, j), 1e-6)
    dx, dy = (xy[j, 0] - xy[i, 0]) / length, (xy[j, 1] - xy[i, 1]) / length
    if mirror[i] == i:
        dx = 0.0
    xy[i, 0] += step * dx
    xy[i, 1] += step * dy
    if mirror[i] >= 0 and mirror[i] != i:
        xy[mirror[i], 0] = span - xy[i, 0]
        xy[mirror[i], 1] = xy[i, 1]
    return True


@njit(cache=True, nogil=True)
def remove_bar(state):
    """Take one bar out that is no road, or a road's reinforcement."""
    _, _, _, bars, _, count = state
    m = np.random.randint(0, count[1])
    if IS_ROAD[bars[m, 2]]:
        return False
    drop_pair(state, m)
    tidy(state)
    return True


@njit(cache=True, nogil=True)
def insert_bar(state, steel, factor):
    """Join two nodes that are near each other."""
    _, _, mirror, _, _, count = state
    i = np.random.randint(0, count[0])
    code = WOOD
    if steel and np.random.random() < 0.2:
        code = STEEL
    j = pick_near(state, i, LONGEST_M[code], -1)
    if j < 0:
        return False
    a, b = mirror[i], mirror[j]
    if not add_bar(state, i, j, code, factor):
        return False
    if a >= 0 and b >= 0:
        add_bar(state, a, b, code, factor)
    return True


@njit(cache=True, nogil=True)
def change_code(state, steel):
    """Make one bar of another material, or reinforce a road, or undo that."""
    _, _, _, bars, _, count = state
    m = np.random.randint(0, count[1])
    old = bars[m, 2]
    if not steel and not IS_ROAD[old]:
        return False
    new = other_code(old, steel)
    if new == old:
        return False
    other = image_bar(state, m)
    bars[m, 2] = new
    if other >= 0:
        bars[other, 2] = new
    return True


@njit(cache=True, nogil=True)
def merge_nodes(state, span):
    """Merge a free node into one that it is tied to."""
    xy, kind, mirror, bars, _, count = state
    m = np.random.randint(0, count[1])
    end = np.random.randint(0, 2)
    i, j = bars[m, end], bars[m, 1 - end]
    if kind[i] != FREE:
        return False
    if mirror[i] < 0:
        retie(state, i, j)
        drop_node(state, i)
    elif mirror[i] == i:
        if mirror[j] != j:
            return False
        retie(state, i, j)
        drop_node(state, i)
    elif mirror[i] == j:
        xy[j, 0] = 0.5 * span
        retie(state, i, j)
        mirror[i] = -1
        mirror[j] = j
        drop_node(state, i)
    else:
        image, target = mirror[i], mirror[j]
        if j == image or target < 0:
            return False
        retie(state, i, j)
        retie(state, image, target)
        drop_node(state, max(i, image))
        drop_node(state, min(i, image))
    tidy(state)
    return True


@njit(cache=True, nogil=True)
def retie_bar(state, factor):
    """Give one end of a bar to another node."""
    _, kind, mirror, bars, factors, count = state
    m = np.random.randint(0, count[1])
    code = bars[m, 2]
    if IS_ROAD[code]:
        return False
    end = np.random.randint(0, 2)
    kept, old = bars[m, end], bars[m, 1 - end]
    new = pick_near(state, kept, LONGEST_M[code], old)
    if new < 0 or find_bar(state, kept, new) >= 0:
        return False
    if kind[kept] == ANCHOR and kind[new] == ANCHOR:
        return False
    other = image_bar(state, m)
    if other == m:
        return False
    bars[m, 0], bars[m, 1] = kept, new
    factors[m] = factor
    if other >= 0:
        a, b = mirror[kept], mirror[new]
        if find_bar(state, a, b) >= 0 and find_bar(state, a, b) != other:
            drop_bar(state, other)
        else:
            bars[other, 0], bars[other, 1] = a, b
            factors[other] = factor
    tidy(state)
    return True


@njit(cache=True, nogil=True)
def sprout(state, span, factor):
    """Put a node beside the middle of a bar, tie it to the bar's ends and a third node."""
    xy, _, mirror, bars, _, count = state
    m = np.random.randint(0, count[1])
    a, b, code = bars[m, 0], bars[m, 1], bars[m, 2]
    other = image_bar(state, m)
    road = IS_ROAD[code]
    x = 0.5 * (xy[a, 0] + xy[b, 0]) + 0.3 * np.random.normal()
    y = 0.5 * (xy[a, 1] + xy[b, 1]) + 0.3 * np.random.normal()
    if other == m:
        x = 0.5 * span
    i = new_node(state, x, y, FREE)
    if i < 0:
        return False
    third = pick_near(state, i, LONGEST_M[WOOD], a)
    replaced = not road and np.random.random() < 0.6
    tie = WOOD if road else code
    ma, mb, mt = mirror[a], mirror[b], mirror[third] if third >= 0 else -1
    if replaced:
        drop_pair(state, m)
    add_bar(state, i, a, tie, factor)
    add_bar(state, i, b, tie, factor)
    if third >= 0 and third != b:
        add_bar(state, i, third, WOOD, factor)
    if other == m:
        mirror[i] = i
        if third >= 0 and third != b:
            add_bar(state, i, mt, WOOD, factor)
    elif other >= 0:
        k = new_node(state, span - x, y, FREE)
        if k < 0:
            return False
        mirror[i], mirror[k] = k, i
        add_bar(state, k, ma, tie, factor)
        add_bar(state, k, mb, tie, factor)
        if third >= 0 and third != b:
            add_bar(state, k, mt, WOOD, factor)
    return True


@njit(cache=True, nogil=True)
def _drop_joint(state, i, to_left):
    """Take a joint out of the road; its other bars go to its left or right neighbour."""
    xy, _, _, bars, _, count = state
    left, right = -1, -1
    for m in range(count[1]):
        if IS_ROAD[bars[m, 2]]:
            if bars[m, 1] == i:
                left = m
            elif bars[m, 0] == i:
                right = m
    if left < 0 or right < 0:
        return False
    a, b = bars[left, 0], bars[right, 1]
    if distance(xy, a, b) > LONGEST_M[ROAD] or find_bar(state, a, b) >= 0:
        return False
    bars[left, 1] = b
    drop_bar(state, right)
    retie(state, i, a if to_left else b)
    return True


@njit(cache=True, nogil=True)
def merge_deck(state):
    """Join two pieces of road into one."""
    _, kind, mirror, _, _, count = state
    i = np.random.randint(0, count[0])
    if kind[i] != DECK:
        return False
    k = mirror[i]
    to_left = np.random.random() < 0.5
    if not _drop_joint(state, i, to_left):
        return False
    if k >= 0 and k != i:
        if not _drop_joint(state, k, not to_left):
            return False
        drop_node(state, max(i, k))
        drop_node(state, min(i, k))
    else:
        drop_node(state, i)
    tidy(state)
    return True


@njit(cache=True, nogil=True)
def split_deck(state, span, factor):
    """Make two pieces of one piece of road, the joint tied to a node nearby."""
    xy, _, mirror, bars, _, count = state
    m = np.random.randint(0, count[1])
    a, b, code = bars[m, 0], bars[m, 1], bars[m, 2]
    if not IS_ROAD[code] or count[0] + 2 > len(xy):
        return False
    other = image_bar(state, m)
    if other == m and mirror[a] != b:
        return False
    x, y = 0.5 * (xy[a, 0] + xy[b, 0]), 0.5 * (xy[a, 1] + xy[b, 1])
    i = new_node(state, x, y, DECK)
    bars[m, 1] = i
    add_bar(state, i, b, code, factor)
    third = pick_near(state, i, LONGEST_M[WOOD], a)
    if third >= 0:
        add_bar(state, i, third, WOOD, factor)
    if other == m:
        mirror[i] = i
        if third >= 0 and mirror[third] >= 0:
            add_bar(state, i, mirror[third], WOOD, factor)
    elif other >= 0:
        k = new_node(state, span - x, y, DECK)
        mirror[i], mirror[k] = k, i
        end = bars[other, 1]
        bars[other, 1] = k
        add_bar(state, k, end, code, factor)
        if third >= 0 and mirror[third] >= 0:
            add_bar(state, k, mirror[third], WOOD, factor)
    return True


@njit(cache=True, nogil=True)
def random_move(state, peak, span, target, steel, factor, reach):
    """Make one random move."""
    pick = np.random.random()
    if pick < 0.50:
        return shift_node(state, span, reach)
    if pick < 0.56:
        return slide_node(state, span)
    if pick < 0.64:
        return remove_bar(state)
    if pick < 0.70:
        return insert_bar(state, steel, factor)
    if pick < 0.76:
        return change_code(state, steel)
    if pick < 0.80:
        return size_bars(state, peak, target, steel)
    if pick < 0.85:
        return merge_nodes(state, span)
    if pick < 0.94:
        return retie_bar(state, factor)
    if pick < 0.97:
        return sprout(state, span, factor)
    if pick < 0.985:
        return merge_deck(state)
    return split_deck(state, span, factor)
