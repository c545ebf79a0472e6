"""Attacks of the red team: each makes a candidate from a level and a seeded generator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from bench.bridge.analysis.plies import PLIES
from bench.bridge.design.design import Design, Member, Node
from bench.bridge.design.materials import ROAD, STEEL, WOOD
from bench.bridge.level.level import Level

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
ATTACKS.update(PLIES)
