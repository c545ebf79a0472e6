"""Simulated annealing of a truss, compiled and seeded, counted in steps.

What is minimised is the price plus a price of overloads, which gets heavier. What may change and
how a truss is judged is each side's own: `propose` and `energy` are chosen at compile time by the
type of `task`, a NamedTuple with the side's facts (numba's `overload`; unlike functions as
arguments, this keeps the compiled code cached).
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from bench.bridge.statics.graph import copy_state
from bench.bridge.statics.price import overload_price, price

BIG = 1e12
"""Energy of what is no bridge."""
LIGHT, HEAVY = 2.0, 40.0
"""Weight of overloads at the beginning and at the end."""
AGAIN = 0.15
"""How often a second change goes with the first."""


class Schedule(NamedTuple):
    """`hot`, `cold`: first and last temperature in USD. `reach`: the first step in metres."""

    steps: int
    hot: float
    cold: float
    reach: float


def propose(task, state, peak, target, reach):
    """Make one random change; False when it came to nothing. Each side registers its own."""
    raise NotImplementedError


def energy(task, state, peak, target, weight, limit):
    """Price plus `weight` times the price of overloads; BIG for what is no bridge.

    Fills `peak`. May be BIG when it is more than `limit`. Each side registers its own.
    """
    raise NotImplementedError


@njit(cache=True, nogil=True)
def anneal(task, state, trial, best, target, seed, schedule, ceiling, patient):
    """Anneal `state`; the cheapest one without overload below `ceiling` goes to `best`; its price.

    Returns `ceiling` when no such state was met; `best` is then the state at the beginning, or at
    the end where `ceiling` is BIG. `patient`: whether a change that came to nothing may be
    followed by another in the same step.
    """
    np.random.seed(seed)
    peak, new_peak = np.zeros(len(state.bars)), np.zeros(len(state.bars))
    best_cost, now = ceiling, BIG
    copy_state(state, best)
    steps, hot, cold, reach = schedule
    for step in range(steps):
        part = step / steps
        heat = hot * (cold / hot) ** part
        weight = LIGHT * (HEAVY / LIGHT) ** part
        if step % 100 == 0:
            now = energy(task, state, peak, target, weight, BIG)
        copy_state(state, trial)
        size = reach * (1.0 - 0.8 * part)
        moved = propose(task, trial, peak, target, size)
        if (moved or patient) and np.random.random() < AGAIN:
            moved |= propose(task, trial, peak, target, size)
        if not moved:
            continue
        limit = now - heat * np.log(max(np.random.random(), 1e-12))
        new = energy(task, trial, new_peak, target, weight, limit)
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


@njit(cache=True, nogil=True)
def worth(task, state, peak, target):
    """Price of a truss without overload, BIG of any other."""
    now = energy(task, state, peak, target, LIGHT, BIG)
    return now if now < BIG and overload_price(state, peak, target) < 1e-6 else BIG
