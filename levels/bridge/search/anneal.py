"""Simulated annealing of a state on linear statics, compiled and seeded."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

import numpy as np
from numba import njit

from levels.bridge.search.constants import IS_ROAD, STRENGTH_PN
from levels.bridge.search.deformed import UNBALANCED, relaxed_forces
from levels.bridge.search.moves import (
    change_code,
    insert_bar,
    merge_deck,
    merge_nodes,
    remove_bar,
    retie_bar,
    shift_node,
    slide_node,
    split_deck,
    sprout,
)
from levels.bridge.search.shape import is_legal, overload_cost, total_cost
from levels.bridge.search.statics import peak_forces

BIG = 1e12
"""Energy of what is no bridge."""
KICK = 4.0
"""How much a wheel's load rises per unit of slope change at a bend of the road; fitted to
simulations (3.5 m/s on a tyre that 0.03 m deflects gives 6.4 on rigid ground)."""
WOOD_LONGEST_M = 2.0


@njit(cache=True, nogil=True)
def copy_state(source, goal):
    """Copy the used part of a state."""
    n, m = source[5][0], source[5][1]
    goal[0][:n] = source[0][:n]
    goal[1][:n] = source[1][:n]
    goal[2][:n] = source[2][:n]
    goal[3][:m] = source[3][:m]
    goal[4][:m] = source[4][:m]
    goal[5][:] = source[5]


@njit(cache=True, nogil=True)
def size_bars(state, peak, target, steel):
    """Give every bar the cheapest code that carries its last peak force."""
    xy, _, _, bars, factor, count = state
    changed = False
    for m in range(count[1]):
        need, old = peak[m] * factor[m] / target, bars[m, 2]
        if IS_ROAD[old]:
            new = 1
            if need > STRENGTH_PN[1]:
                new = 4
            if need > STRENGTH_PN[4] and steel:
                new = 5
        else:
            dx = xy[bars[m, 0], 0] - xy[bars[m, 1], 0]
            dy = xy[bars[m, 0], 1] - xy[bars[m, 1], 1]
            new = 2
            if steel and (need > STRENGTH_PN[2] or dx * dx + dy * dy > WOOD_LONGEST_M**2):
                new = 3
        if new != old:
            bars[m, 2] = new
            changed = True
    return changed


@njit(cache=True, nogil=True)
def propose(state, peak, span, target, steel, factor, reach):
    """Make one random move; False when it came to nothing."""
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


@njit(cache=True, nogil=True)
def energy(state, scene, work, peak, target, weight, limit):
    """Cost plus `weight` times the price of overloads; BIG for what is no bridge.

    Linear forces come first: when they alone make it more than `limit`, it is BIG too.
    """
    xy, kind, _, bars, factor, count = state
    rocks, solids, box, axles = scene
    cost = total_cost(xy, bars, count)
    if cost > limit or not is_legal(xy, kind, bars, count, rocks, solids, box):
        return BIG
    if not peak_forces(xy, kind, bars, count, axles, work, peak, KICK):
        return BIG
    if cost + weight * overload_cost(xy, bars, count, peak, factor, target) > limit:
        return BIG
    if relaxed_forces(xy, kind, bars, count, axles, work, peak, KICK) > UNBALANCED:
        return BIG
    return cost + weight * overload_cost(xy, bars, count, peak, factor, target)


@njit(cache=True, nogil=True)
def anneal(
    state, trial, best, scene, work, span, steel, target, factor, seed, steps, hot, cold, reach
):
    """Anneal `state`; the cheapest state without overload goes to `best`; returns its cost.

    `hot` and `cold` are the first and the last temperature in USD. Returns BIG when no state
    without overload was met; `best` is then the last state.
    """
    np.random.seed(seed)
    peak = np.zeros(state[3].shape[0])
    new_peak = np.zeros(state[3].shape[0])
    best_cost = BIG
    copy_state(state, best)
    light, heavy = 2.0, 40.0
    now = energy(state, scene, work, peak, target, light, BIG)
    for step in range(steps):
        part = step / steps
        heat = hot * (cold / hot) ** part
        weight = light * (heavy / light) ** part
        if step % 100 == 0:
            now = energy(state, scene, work, peak, target, weight, BIG)
        copy_state(state, trial)
        size = reach * (1.0 - 0.8 * part)
        if not propose(trial, peak, span, target, steel, factor, size):
            continue
        if np.random.random() < 0.15:
            propose(trial, peak, span, target, steel, factor, size)
        limit = now - heat * np.log(max(np.random.random(), 1e-12))
        new = energy(trial, scene, work, new_peak, target, weight, limit)
        if new < BIG and new <= limit:
            now = new
            copy_state(trial, state)
            peak[:] = new_peak
            if now < best_cost:
                cost = total_cost(state[0], state[3], state[5])
                if cost < best_cost and now <= cost + 1e-6:
                    best_cost = cost
                    copy_state(state, best)
    if best_cost >= BIG:
        copy_state(state, best)
    return best_cost
