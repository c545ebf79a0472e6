"""Diagnostics of structure and rollout, on cases that a person can count."""

from __future__ import annotations

import pytest

from bench.bridge.analysis.diagnostics import (
    largest_sag,
    mechanism_count,
    rollout_diagnostics,
    weakest_member,
)
from bench.bridge.design.design import Design, Member, Node
from bench.bridge.physics.engine import simulate
from tests_unit.bench.bridge.physics.cases import calibration, chain, scene
from tests_unit.bench.bridge.physics.random_designs import warren


def case(name: str):
    return next(c for c in calibration() if c.name == name)


def test_a_triangulated_truss_has_no_mechanism() -> None:
    assert mechanism_count(warren(1, 8.0)) == 0


@pytest.mark.parametrize("panels", [2, 3, 5])
def test_a_straight_chain_moves_sideways_at_every_joint(panels: int) -> None:
    """panels - 1 free nodes, each free across the chain."""
    assert mechanism_count(chain(1.5 * panels, 0.0, 1.5, (1,))) == panels - 1


def test_the_known_mechanism_has_four() -> None:
    """6 free nodes are 12 equations; the 9 members have rank 8, for the straight deck between two
    anchors can be prestressed; 4 ways to move are left."""
    assert mechanism_count(case("mechanism_8m").design) == 4


def test_a_lone_free_node_moves_both_ways() -> None:
    nodes = (Node(1, 0.0, 0.0, True), Node(2, 1.0, 0.0))
    assert mechanism_count(Design(nodes, ())) == 2
    assert mechanism_count(Design(nodes, (Member(3, 1, 1, 2),))) == 1


def test_the_weakest_member_is_the_one_that_broke_first() -> None:
    c = case("mechanism_8m")
    result = simulate(c.level, c.design)
    weakest = weakest_member(c.design, result)
    assert weakest is not None
    broken = {m.id for m, t in zip(c.design.members, result.break_s, strict=True) if t == t}
    assert weakest["id"] in broken
    assert weakest["peak_utilisation"] >= 1.0


def test_sag_counts_only_while_the_roads_at_a_node_are_whole() -> None:
    c = case("wood_8m_light3")
    sag = largest_sag(c.design, simulate(c.level, c.design))
    assert sag is not None
    assert sag[0] in (3, 4, 2)
    assert 0.001 < sag[1] < 0.1
    broken = case("mechanism_8m")
    fallen = largest_sag(broken.design, simulate(broken.level, broken.design))
    assert fallen is not None
    assert fallen[1] < 2.0


def test_diagnostics_say_that_no_model_sees_them() -> None:
    design = warren(2, 8.0)
    facts = rollout_diagnostics(design, simulate(scene(design, 8.0, (3.0,)), design))
    assert facts["shown_to_model"] is False
    assert facts["mechanisms"] == 0
