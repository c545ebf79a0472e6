"""The search's side of annealing: how it judges a state, and which changes it makes."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit, types
from numba.extending import overload
from numpy.typing import NDArray

from bench.bridge.statics import annealing
from bench.bridge.statics.annealing import BIG
from bench.bridge.statics.influence import KICK, MECHANISM, Method, Work, peak_forces
from bench.bridge.statics.price import Ground, is_legal, overload_price, price
from levels.bridge.search.deformed import UNBALANCED, relaxed_forces
from levels.bridge.search.moves import random_move

METHOD = Method(softening=0.0, kick=KICK, largest_shift_m=0.6, with_sag=False)
"""No joint of a bridge sinks further than 0.6 m under its own weight."""


class Task(NamedTuple):
    """What one track of a level is annealed for."""

    ground: Ground
    axles: NDArray[np.float64]
    work: Work
    span_m: float
    steel: bool
    factor: float
    """What a new bar's force is multiplied by."""


@njit(cache=True, nogil=True)
def energy(task, state, peak, target, weight, limit):
    """See `annealing.energy`. Linear forces come first: alone over `limit`, they make it BIG."""
    cost = price(state)
    if cost > limit or not is_legal(state, task.ground):
        return BIG
    if peak_forces(state, task.axles, METHOD, task.work, peak) == MECHANISM:
        return BIG
    if cost + weight * overload_price(state, peak, target) > limit:
        return BIG
    if relaxed_forces(state, task.axles, METHOD.kick, task.work, peak) > UNBALANCED:
        return BIG
    return cost + weight * overload_price(state, peak, target)


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
            state, peak, task.span_m, target, task.steel, task.factor, reach
        )
    return None
