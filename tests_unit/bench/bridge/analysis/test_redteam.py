"""The search for tricks: attacks make graphs, and each kind of trick is told from a bridge."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bench.bridge.analysis.attacks import ATTACKS
from bench.bridge.analysis.redteam import Trick, examine, search
from bench.bridge.design.design import Design, Member, Node
from bench.bridge.physics.engine import simulate
from tests_unit.bench.bridge.physics.cases import calibration, scene


def known():
    c = next(c for c in calibration() if c.name == "wood_8m_light3")
    return c.level, c.design


@pytest.mark.parametrize("name", ATTACKS)
def test_every_attack_makes_graphs_of_the_level(name: str) -> None:
    level, design = known()
    rng = np.random.default_rng(1)
    for _ in range(20):
        made = ATTACKS[name](level, rng, [design])
        assert made is not None
        ids = {n.id for n in made.nodes}
        assert all(m.a in ids and m.b in ids for m in made.members)
        assert {n.id for n in made.nodes if n.is_anchor} == {a.id for a in level.anchors}


def test_a_sound_bridge_is_no_trick() -> None:
    level, design = known()
    assert examine(level, design, simulate(level, design)) == ()


def test_a_gap_in_the_deck_is_called_a_jump() -> None:
    nodes = (Node(1, 0.0, 0.0, True), Node(2, 0.3, 0.0, True), Node(3, 0.3, -1.0))
    design = Design(nodes, (Member(4, 2, 2, 3),))
    level = scene(design, 0.3, (3.0,))
    result = simulate(level, design)
    assert result.success
    # Its one free node swings.
    assert examine(level, design, result) == (Trick.JUMP, Trick.HANGING)


def test_a_broken_member_is_told() -> None:
    level, design = known()
    free = next(n for n in design.nodes if not n.is_anchor)
    rope = Design((*design.nodes, Node(900, free.x, free.y - 2.0)),
                  (*design.members, Member(901, 2, free.id, 900)))  # fmt: skip
    result = simulate(level, rope)
    broken = replace(result, break_s=np.where(np.arange(len(rope.members)) == 0, 1.0, np.nan))
    assert Trick.BROKEN in examine(level, rope, broken)


def test_the_search_is_a_function_of_its_seed() -> None:
    level, design = known()
    counts = []
    for _ in range(2):
        batches = search(level, 50_000, [design], seed=3, batch=16)
        counts.append([next(batches)[:2] for _ in range(3)])
    assert counts[0] == counts[1]
    assert counts[0][-1][1] > 0
