"""How the engineer improves a truss: random changes, judged by statics, price and the site's rules.

The engineer's side of annealing (see `statics.annealing`), and the sizing of his sketches.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit, types
from numba.extending import overload
from numpy.typing import NDArray

from bench.bridge.baselines.engineer_moves import random_move
from bench.bridge.statics import annealing
from bench.bridge.statics.annealing import BIG, HEAVY
from bench.bridge.statics.influence import MECHANISM, Method, Work, peak_forces
from bench.bridge.statics.price import Ground, is_legal, overload_price, price, size_bars

LARGEST_SAG_M = 0.2


class Task(NamedTuple):
    """What a truss over one gap is annealed for."""

    ground: Ground
    axles: NDArray[np.float64]
    method: Method
    work: Work
    axis: float
    """Twice the x of the line that a symmetric site is mirrored at."""
    steel: bool


@njit(cache=True, nogil=True)
def energy(task, state, peak, target, weight, limit):
    """See `annealing.energy`; BIG also for a truss that sags too far."""
    cost = price(state)
    if cost > limit or not is_legal(state, task.ground):
        return BIG
    sag = peak_forces(state, task.axles, task.method, task.work, peak)
    if sag == MECHANISM or sag > LARGEST_SAG_M:
        return BIG
    return cost + weight * overload_price(state, peak, target)


@njit(cache=True, nogil=True)
def fit_sizes(task, state, peak, target, rounds):
    """Fully stressed selection of materials; the energy reached."""
    for _ in range(rounds):
        sag = peak_forces(state, task.axles, task.method, task.work, peak)
        if sag == MECHANISM or not size_bars(state, peak, target, task.steel):
            break
    return energy(task, state, peak, target, HEAVY, BIG)


def _is_ours(task):
    return isinstance(task, types.NamedTuple) and task.instance_class is Task


@overload(annealing.energy)
def _energy(task, state, peak, target, weight, limit):
    if _is_ours(task):
        return lambda task, state, peak, target, weight, limit: energy(
            task, state, peak, target, weight, limit
        )
    return None


@overload(annealing.propose)
def _propose(task, state, peak, target, reach):
    if _is_ours(task):
        return lambda task, state, peak, target, reach: random_move(
            state, peak, task.axis, target, task.steel, reach
        )
    return None
