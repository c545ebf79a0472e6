"""A search for designs that are legal and win, but not as a bridge should.

Attacks make candidates from a level and a seeded generator; each legal winner is examined: does
it win at half the step with a quarter of any added inertia, does every member hold, is the deck
continuous, does no vehicle tilt?
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

import numpy as np

from bench.bridge.analysis.deck import continuous_deck
from bench.bridge.design.design import Design, Member, Node
from bench.bridge.design.materials import ROAD, STEEL, WOOD
from bench.bridge.level.level import Level
from bench.bridge.physics.engine import simulate, simulate_many
from bench.bridge.physics.params import HALF_STEP
from bench.bridge.physics.result import SimResult
from bench.bridge.rules import validate

TILT_COSINE = math.cos(math.radians(40.0))
"""Just under the slope at which vehicles stall; references tilt them by 28 degrees at most."""
EDGE_WEIGHT = 0.98
"""A winner that loses at half the step but wins there at this weight is at the edge, no trick."""


class Trick(StrEnum):
    """Why a win does not count as a bridge's."""

    STEP = "wins only at the coarse step"
    BROKEN = "wins with broken members"
    JUMP = "wins without a continuous deck"
    TILT = "wins with a vehicle tilted beyond 40 degrees"


@dataclass(frozen=True, slots=True)
class Find:
    """A legal winner that wins by a trick."""

    attack: str
    tricks: tuple[Trick, ...]
    design: Design
    cost_usd: float


Attack = Callable[[Level, np.random.Generator, Sequence[Design]], Design | None]


def _graph(level: Level) -> tuple[list[Node], int]:
    """The native anchors as nodes, and the first free id."""
    return [Node(a.id, a.x, a.y, True) for a in level.anchors], max(a.id for a in level.anchors)


def _hang(
    level: Level, sag_m: float, panels: int, types: Sequence[int], ends: Sequence[int] = ()
) -> tuple[list[Node], list[Member], list[int]]:
    """A chain of stacked members hanging between the two deck anchors, and its node ids.

    `ends` are other materials for the first and the last panels, one entry a panel at each end,
    stacked on a road.
    """
    nodes, key = _graph(level)
    chain = [level.anchors[0].id]
    for i in range(1, panels):
        t = i / panels
        key += 1
        y = level.rise_m * t - 4.0 * sag_m * t * (1.0 - t)
        nodes.append(Node(key, round(level.span_m * t, 4), round(y, 4)))
        chain.append(key)
    chain.append(level.anchors[1].id)
    members = []
    for i, (a, b) in enumerate(pairwise(chain)):
        edge = min(i, panels - 1 - i)
        for kind in (ROAD.type, ends[edge]) if edge < len(ends) else types:
            key += 1
            members.append(Member(key, kind, a, b))
    return nodes, members, chain


def rope(
    level: Level, sag_m: float, panels: int, types: Sequence[int], ends: Sequence[int] = ()
) -> Design:
    """A chain of stacked members hanging between the two deck anchors; `ends` as in `_hang`."""
    nodes, members, _ = _hang(level, sag_m, panels, types, ends)
    return Design(tuple(nodes), tuple(members))


def _panels(level: Level, rng: np.random.Generator) -> int:
    return int(np.ceil(level.span_m / rng.uniform(1.0, 1.99)))


def _kinds(level: Level, rng: np.random.Generator) -> list[int]:
    """Road, alone or reinforced by what the level has."""
    extra = [m.type for m in level.materials if m.type != ROAD.type]
    return [ROAD.type, *([int(rng.choice(extra))] if rng.random() < 0.8 else [])]


def sagging_chain(level: Level, rng: np.random.Generator, known: Sequence[Design]) -> Design | None:
    """A hanging road, reinforced or bare, often with stronger ends."""
    sag, panels = float(rng.uniform(0.0, 2.6)), _panels(level, rng)
    strong = max(level.materials, key=lambda m: m.strength_pn).type
    ends = [strong] * int(rng.integers(0, 1 + panels // 2)) if rng.random() < 0.5 else []
    return rope(level, sag, panels, _kinds(level, rng), ends)


def stub_laden_chain(
    level: Level, rng: np.random.Generator, known: Sequence[Design]
) -> Design | None:
    """A hanging road with dangling members as added inertia."""
    sag = float(rng.uniform(0.2, 1.6))
    nodes, members, chain = _hang(level, sag, _panels(level, rng), _kinds(level, rng))
    key = max(m.id for m in members)
    at = {n.id: n for n in nodes}
    length = float(rng.uniform(0.25, 0.6))
    for end in chain[1:-1]:
        for k in range(int(rng.integers(1, 7))):
            angle = np.pi * (1.0 + (k + 0.5) / 7.0)
            x, y = at[end].x + length * np.cos(angle), at[end].y + length * np.sin(angle)
            nodes.append(Node(key + 1, round(float(x), 4), round(float(y), 4)))
            members.append(Member(key + 2, int(rng.choice([ROAD.type, WOOD.type])), end, key + 1))
            key += 2
    return Design(tuple(nodes), tuple(members))


def parallel_cables(
    level: Level, rng: np.random.Generator, known: Sequence[Design]
) -> Design | None:
    """Two chains, one above the other, tied by short hangers."""
    panels, sag = _panels(level, rng), float(rng.uniform(0.1, 1.4))
    nodes, members, chain = _hang(level, sag, panels, [ROAD.type])
    key = max(m.id for m in members)
    drop = float(rng.uniform(0.25, 0.6)) * (1 if rng.random() < 0.5 else -1)
    at = {n.id: n for n in nodes}
    kind = int(rng.choice([m.type for m in level.materials if m.type != ROAD.type]))
    lower = [chain[0]]
    for end in chain[1:-1]:
        key += 1
        nodes.append(Node(key, at[end].x, round(at[end].y - drop, 4)))
        lower.append(key)
        key += 1
        members.append(Member(key, WOOD.type, end, key - 1))
    lower.append(chain[-1])
    for a, b in pairwise(lower):
        key += 1
        members.append(Member(key, kind, a, b))
    return Design(tuple(nodes), tuple(members))


def half_bridge(level: Level, rng: np.random.Generator, known: Sequence[Design]) -> Design | None:
    """A known design with some deck roads left out: jump the rest at speed."""
    if not known:
        return None
    design = known[int(rng.integers(len(known)))]
    roads = [m for m in design.members if m.type == ROAD.type]
    gone = {m.id for m in rng.permutation(np.array(roads, dtype=object))[: rng.integers(1, 4)]}
    return _tidy(replace(design, members=tuple(m for m in design.members if m.id not in gone)))


def thinned(level: Level, rng: np.random.Generator, known: Sequence[Design]) -> Design | None:
    """A known design with members left out or made of something weaker."""
    if not known:
        return None
    design = known[int(rng.integers(len(known)))]
    members = list(design.members)
    for _ in range(int(rng.integers(1, 5))):
        i = int(rng.integers(len(members)))
        if members[i].type == STEEL.type and rng.random() < 0.5:
            members[i] = replace(members[i], type=WOOD.type)
        elif len(members) > 3:
            members.pop(i)
    return _tidy(replace(design, members=tuple(members)))


def shaken(level: Level, rng: np.random.Generator, known: Sequence[Design]) -> Design | None:
    """A known design with every free node moved a little."""
    design = thinned(level, rng, known)
    if design is None:
        return None
    size = float(rng.choice([0.02, 0.1, 0.3]))
    nodes = tuple(
        n
        if n.is_anchor
        else replace(
            n, x=round(n.x + float(rng.normal(0, size)), 4),
            y=round(n.y + float(rng.normal(0, size)), 4),
        )
        for n in design.nodes
    )  # fmt: skip
    return Design(nodes, design.members)


def _tidy(design: Design) -> Design:
    """Without the free nodes that no member uses."""
    used = {e for m in design.members for e in (m.a, m.b)}
    return replace(design, nodes=tuple(n for n in design.nodes if n.is_anchor or n.id in used))


ATTACKS: dict[str, Attack] = {
    f.__name__: f
    for f in (
        sagging_chain, stub_laden_chain, parallel_cables, half_bridge, thinned, shaken,
    )
}  # fmt: skip


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
    return tuple(tricks)


def search(
    level: Level, limit_usd: float, known: Sequence[Design], seed: int, batch: int = 64
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
            if design is not None and not validate(level, design, limit_usd):
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
