"""No fate depends on how an answer lists its bridge: states are equal to the bit in any order."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.level.files import load_level
from bench.bridge.physics.engine import simulate
from bench.bridge.physics.params import SimParams
from bench.bridge.physics.result import SimResult
from levels.bridge.search.store import load
from tests_unit.bench.bridge.physics.cases import calibration, chain, scene


def with_dangling_roads(design: Design, count: int, length_m: float) -> Design:
    """Short roads that hang from the deck's joints, fanned out: many contacts for one wheel."""
    joints = sorted({e for m in design.members if m.type == 1 for e in (m.a, m.b)})
    free = [j for j in joints if not design.node_by_id[j].is_anchor]
    nodes, members = list(design.nodes), list(design.members)
    for k in range(count):
        at = design.node_by_id[free[k % len(free)]]
        angle = math.pi * (1.1 + 0.8 * (k // len(free)) / max(1, count // len(free)))
        x, y = at.x + length_m * math.cos(angle), at.y + length_m * math.sin(angle)
        nodes.append(Node(5000 + 2 * k, round(x, 4), round(y, 4)))
        members.append(Member(5001 + 2 * k, 1, at.id, 5000 + 2 * k))
    return Design(tuple(nodes), tuple(members))


LEVEL = load_level("T1B_Basic_8m").level
STORED = load("T1B_Basic_8m")
assert STORED is not None
BROKEN = next(c for c in calibration() if c.expected == "failure")
SAGGING = chain(8.0, 1.0, 1.6, (1, 2))
CASES = {
    "a reference with 40 dangling roads": (LEVEL, with_dangling_roads(STORED.design, 40, 0.25)),
    "a bridge that breaks": (BROKEN.level, BROKEN.design),
    "a chain of reinforced roads": (scene(SAGGING, 8.0, (3.0, 2.0)), SAGGING),
}


def states(result: SimResult, design: Design) -> tuple[object, ...]:
    """Everything that the simulation gives, nodes by place and members by what they join."""
    nodes = sorted(range(len(design.nodes)), key=lambda i: (design.nodes[i].x, design.nodes[i].y))
    at = design.node_by_id
    members = sorted(
        range(len(design.members)),
        key=lambda i: (
            *sorted((at[e].x, at[e].y) for e in (design.members[i].a, design.members[i].b)),
            design.members[i].type,
        ),
    )
    arrays = (
        result.positions[:, nodes],
        result.utilisation[:, members],
        result.alive[:, members],
        result.break_s[members],
        result.peak_utilisation[members],
        result.poses,
        result.arrived,
    )
    return (result.ending, result.end_s, *(np.ascontiguousarray(a).tobytes() for a in arrays))


def shuffled(design: Design, rng: random.Random) -> Design:
    """Nodes and edges in another order, under other ids, some edges turned round."""
    fresh = rng.sample(range(1, 9000), len(design.nodes))
    new = {node.id: key for node, key in zip(design.nodes, fresh, strict=True)}
    nodes = [replace(n, id=new[n.id]) for n in design.nodes]
    members = [
        replace(m, id=9000 + i, a=new[m.b], b=new[m.a])
        if rng.random() < 0.5
        else replace(m, id=9000 + i, a=new[m.a], b=new[m.b])
        for i, m in enumerate(design.members)
    ]
    rng.shuffle(nodes)
    rng.shuffle(members)
    return Design(tuple(nodes), tuple(members))


@pytest.mark.parametrize("name", CASES)
@settings(deadline=None, derandomize=True, max_examples=12)
@given(rng=st.randoms(use_true_random=False))
def test_no_order_of_nodes_and_edges_changes_a_bit(name: str, rng: random.Random) -> None:
    level, design = CASES[name]
    other = shuffled(design, rng)
    assert states(simulate(level, other), other) == states(simulate(level, design), design)


def test_a_wheel_stands_on_its_road_whatever_number_of_others_is_near() -> None:
    """A level road of 2 m panels under a wheel, with 60 dangling roads: none pushes it out."""
    design = chain(8.0, 0.0, 2.0, (1, 3))
    laden = with_dangling_roads(design, 60, 0.3)
    level = scene(design, 8.0, (0.1,))
    params = SimParams(breaking=False)
    for listed in (laden, Design(laden.nodes, laden.members[::-1])):
        result = simulate(level, listed, params=params)
        assert result.success
        assert result.poses[..., 1].min() > -1.0
