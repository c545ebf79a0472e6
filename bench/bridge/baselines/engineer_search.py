"""How the engineer improves a truss: random changes, judged by statics, price and the site's rules.

Simulated annealing, compiled and seeded, counted in steps. What is minimised is the price plus a
price of overloads: what the strength that is missing would cost if it were sold by the newton.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

import numpy as np
from numba import njit

from bench.bridge.baselines.engineer_moves import random_move, size_bars
from bench.bridge.baselines.engineer_statics import (
    ANCHOR,
    IS_ROAD,
    LONGEST_M,
    PRICE,
    STRENGTH_PN,
    lengths,
    peak_forces,
)
from bench.bridge.statics.convex import touches

SHORTEST_M, LENGTH_SLACK_M = 0.252, 0.0005
"""Coordinates are rounded to 1e-4 m afterwards."""
STEEPEST = 0.42
"""Slope of a road that a vehicle still climbs at speed."""
LARGEST_SAG_M = 0.2
BIG = 1e12
JOINT_USD = 40.0
"""Added to the price of an overloaded bar, so that short bars count too."""
LIGHT, HEAVY = 2.0, 40.0
"""Weight of overloads at the beginning and at the end."""


@njit(cache=True, nogil=True)
def is_legal(state, room, rocks):
    """Whether lengths, slopes, solid ground and rocks are respected.

    `room` (P, 3): half-planes within which all joints lie. `rocks` (R, 3, 3): triangles as three.
    """
    xy, kind, _, ends, code, count = state
    for i in range(count[0]):
        if kind[i] == ANCHOR:
            continue
        for p in range(room.shape[0]):
            if room[p, 0] * xy[i, 0] + room[p, 1] * xy[i, 1] > room[p, 2]:
                return False
    length = lengths(xy, ends, count)
    for m in range(count[1]):
        if length[m] < SHORTEST_M or length[m] > LONGEST_M[code[m]] + LENGTH_SLACK_M:
            return False
        a, b = ends[m, 0], ends[m, 1]
        if IS_ROAD[code[m]]:
            dx, dy = xy[b, 0] - xy[a, 0], xy[b, 1] - xy[a, 1]
            if dx <= 0.2 or abs(dy) > STEEPEST * dx:
                return False
        for r in range(rocks.shape[0]):
            if touches(xy[a, 0], xy[a, 1], xy[b, 0], xy[b, 1], rocks[r]):
                return False
    return True


@njit(cache=True, nogil=True)
def price(state):
    """Price of all bars in USD."""
    xy, _, _, ends, code, count = state
    length, total = lengths(xy, ends, count), 0.0
    for m in range(count[1]):
        total += length[m] * PRICE[code[m]]
    return total


@njit(cache=True, nogil=True)
def overload_price(state, peak, target):
    """What the missing strength would cost."""
    xy, _, _, ends, code, count = state
    length, total = lengths(xy, ends, count), 0.0
    for m in range(count[1]):
        over = peak[m] / (STRENGTH_PN[code[m]] * target) - 1.0
        if over > 0.0:
            total += (length[m] * PRICE[code[m]] + JOINT_USD) * min(over, 20.0)
    return total


@njit(cache=True, nogil=True)
def energy(state, room, rocks, axles, peak, target, weight, limit):
    """Price plus `weight` times the price of overloads; BIG for no bridge, or over `limit`."""
    cost = price(state)
    if cost > limit or not is_legal(state, room, rocks):
        return BIG
    sag = peak_forces(state, axles, peak)
    if sag < 0.0 or sag > LARGEST_SAG_M:
        return BIG
    return cost + weight * overload_price(state, peak, target)


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
def fit_sizes(state, room, rocks, axles, peak, target, steel, rounds):
    """Fully stressed selection of materials; the energy reached."""
    for _ in range(rounds):
        sag = peak_forces(state, axles, peak)
        if sag < 0.0 or not size_bars(state, peak, target, steel):
            break
    return energy(state, room, rocks, axles, peak, target, HEAVY, BIG)


@njit(cache=True, nogil=True)
def anneal(state, trial, best, site, steel, target, seed, steps, hot, cold, reach):
    """Anneal `state`; the cheapest one without overload goes to `best`; its price, or BIG.

    `site`: room, rocks, axles, and (1,) the mirror line's 2 x. `hot` and `cold` are the first and
    the last temperature in USD, `reach` the first step in metres.
    """
    np.random.seed(seed)
    room, rocks, axles, axis = site
    peak, new_peak = np.zeros(len(state[3])), np.zeros(len(state[3]))
    best_cost = BIG
    copy_state(state, best)
    now = energy(state, room, rocks, axles, peak, target, LIGHT, BIG)
    if now < BIG and overload_price(state, peak, target) < 1e-6:
        best_cost = now
    for step in range(steps):
        part = step / steps
        heat = hot * (cold / hot) ** part
        weight = LIGHT * (HEAVY / LIGHT) ** part
        if step % 100 == 0:
            now = energy(state, room, rocks, axles, peak, target, weight, BIG)
        copy_state(state, trial)
        size = reach * (1.0 - 0.8 * part)
        moved = random_move(trial, peak, axis[0], target, steel, size)
        if np.random.random() < 0.15:
            moved |= random_move(trial, peak, axis[0], target, steel, size)
        if not moved:
            continue
        limit = now - heat * np.log(max(np.random.random(), 1e-12))
        new = energy(trial, room, rocks, axles, new_peak, target, weight, limit)
        if new < BIG and new <= limit:
            now = new
            copy_state(trial, state)
            peak[:] = new_peak
            cost = price(state)
            if cost < best_cost and now <= cost + 1e-6:
                best_cost = cost
                copy_state(state, best)
    if best_cost >= BIG:
        copy_state(state, best)
    return best_cost
