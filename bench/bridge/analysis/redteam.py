"""A search for designs that are legal and win, but not as a bridge should.

Attacks make candidates from a level and a seeded generator; each legal winner is examined: does
it win at half the step with a quarter of any added inertia, does every member hold, is the deck
continuous, does no vehicle tilt, is it more than a hanging chain?
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from bench.bridge.analysis.attacks import ATTACKS
from bench.bridge.analysis.deck import continuous_deck
from bench.bridge.analysis.diagnostics import mechanism_count
from bench.bridge.design.design import Design
from bench.bridge.level.level import Level
from bench.bridge.physics.engine import simulate, simulate_many
from bench.bridge.physics.params import HALF_STEP
from bench.bridge.physics.result import SimResult
from bench.bridge.rules import validate
from bench.bridge.rules.case import Case
from bench.bridge.rules.geometry import nodes_too_close, roads_overlap
from bench.task import Violation

TILT_COSINE = math.cos(math.radians(40.0))
"""Just under the slope at which vehicles stall; references tilt them by 28 degrees at most."""
EDGE_WEIGHT = 0.98
"""A winner that loses at half the step but wins there at this weight is at the edge, no trick."""

HANGING_SHARE = 1 / 3
"""Mechanisms a free node, beyond which a bridge is a chain (about 1) and no truss (0).

No reference has a mechanism, a truss with a member left out has one or two."""

Refuse = Callable[[Level, Design, float], Sequence[Violation]]
"""What tells why a design is illegal within a limit: the validator, or one with fewer rules."""


class Trick(StrEnum):
    """Why a win does not count as a bridge's."""

    STEP = "wins only at the coarse step"
    BROKEN = "wins with broken members"
    JUMP = "wins without a continuous deck"
    TILT = "wins with a vehicle tilted beyond 40 degrees"
    PLIED = "wins with joints or roads that nearly coincide"
    HANGING = "wins as a hanging chain"


@dataclass(frozen=True, slots=True)
class Find:
    """A legal winner that wins by a trick."""

    attack: str
    tricks: tuple[Trick, ...]
    design: Design
    cost_usd: float


def examine(level: Level, design: Design, result: SimResult) -> tuple[Trick, ...]:
    """Why a win is a trick; empty when it is a bridge's."""
    tricks = []
    if (
        not simulate(level, design, params=HALF_STEP).success
        and not simulate(
            level, design, params=replace(HALF_STEP, weight_factor=EDGE_WEIGHT)
        ).success
    ):
        tricks.append(Trick.STEP)
    if not result.clean:
        tricks.append(Trick.BROKEN)
    if not continuous_deck(level, design):
        tricks.append(Trick.JUMP)
    if result.poses[..., 2].min(initial=1.0) < TILT_COSINE:
        tricks.append(Trick.TILT)
    case = Case(level, design, design.cost_usd)
    if any(True for rule in (nodes_too_close, roads_overlap) for _ in rule(case)):
        tricks.append(Trick.PLIED)
    free = sum(not node.is_anchor for node in design.nodes)
    if mechanism_count(design) > HANGING_SHARE * free:
        tricks.append(Trick.HANGING)
    return tuple(tricks)


def search(
    level: Level,
    limit_usd: float,
    known: Sequence[Design],
    seed: int,
    batch: int = 64,
    refuse: Refuse = validate,
) -> Iterator[tuple[int, int, list[Find]]]:
    """Batches without end: (candidates so far, legal ones so far, finds of this batch)."""
    rng = np.random.default_rng(seed)
    made = legal = 0
    pool = list(known)
    while True:
        drawn: list[tuple[str, Design]] = []
        for name in rng.choice(list(ATTACKS), size=batch):
            design = ATTACKS[name](level, rng, pool)
            made += 1
            if design is not None and not refuse(level, design, limit_usd):
                drawn.append((str(name), design))
        legal += len(drawn)
        results = simulate_many([level] * len(drawn), [d for _, d in drawn])
        finds = []
        for (name, design), result in zip(drawn, results, strict=True):
            if not result.success:
                continue
            pool.append(design)
            tricks = examine(level, design, result)
            if tricks:
                finds.append(Find(name, tricks, design, design.cost_usd))
        pool = [*known, *sorted(pool[len(known) :], key=lambda d: d.cost_usd)[:20]]
        yield made, legal, finds
