"""Load capacity: the bisection, and the linear programme beside the simulator."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from bench.bridge.capacity import (
    HIGHEST,
    LOWEST,
    MOST_ROLLOUTS,
    bisect,
    capacity_facts,
    load_capacity,
    static_bound,
)
from bench.bridge.design import Design, Member, Node
from bench.bridge.drivers import get_driver
from bench.bridge.level_files import load_level
from bench.bridge.materials import STEEL, WOOD
from bench.bridge.task import BridgeTask
from bench.task import Outcome
from tests_unit.bench.bridge.sim.cases import Case, calibration, scene
from tests_unit.bench.bridge.sim.random_designs import warren


@pytest.mark.parametrize("limit", [0.05, 0.13, 0.5, 0.99, 1.0, 1.01, 2.7, 7.5, 9.0])
def test_bisection_brackets_the_limit_within_two_per_cent(limit: float) -> None:
    found, asked = bisect(lambda factor: factor <= limit)
    assert asked <= MOST_ROLLOUTS
    if limit < LOWEST:
        assert found == LOWEST
    elif limit > HIGHEST:
        assert found == HIGHEST
    else:
        assert limit / 1.02 <= found <= limit


def test_the_bound_of_two_bars_is_the_one_worked_out_by_hand() -> None:
    """A mast of two steel bars, 3-4-5, under the deck's middle node; wheel loads of 65 PN a PG.

    The deck's roads are level, so the node's load goes into the bars: 2 x 2000 x 0.6 = 2400 PN
    upwards. With one axle on the node the other is 1.6 m away on a 4 m road's 2.4/4 share = 0.4.
    """
    nodes = (
        Node(1, 0.0, 0.0, True), Node(2, 8.0, 0.0, True),
        Node(3, 0.0, -3.0, True), Node(4, 8.0, -3.0, True), Node(5, 4.0, 0.0),
    )  # fmt: skip
    members = (Member(10, 1, 1, 5), Member(11, 1, 5, 2), Member(12, 3, 3, 5), Member(13, 3, 4, 5))
    bound = static_bound(scene(Design(nodes, members), 8.0, (3.0,)), Design(nodes, members))
    weight = 0.5 * (6.0 * 8.0 + 5.0 * 10.0)
    assert bound == pytest.approx((2400.0 - weight) / (195.0 * (1.0 + 2.4 / 4.0)), rel=0.02)


@pytest.mark.parametrize("case", calibration(), ids=lambda c: c.name)
def test_capacity_of_the_calibration_designs_is_below_the_bound(case: Case) -> None:
    capacity = load_capacity(case.level, case.design)
    assert (capacity.multiplier >= 1.0) == (case.expected == "success")
    bound = static_bound(case.level, case.design)
    if bound is None:
        assert capacity.multiplier == LOWEST, "self-weight alone is not carried"
    else:
        assert capacity.multiplier <= 1.02 * bound


@pytest.mark.slow
def test_the_bound_never_falls_when_a_member_gets_stronger() -> None:
    """50 random cases. Without self-weight: steel is heavier than wood, and weight is no gift."""
    rng = np.random.default_rng(5)
    for seed in range(50):
        design = warren(seed, 8.0, (WOOD.type,))
        level = scene(design, 8.0, (3.0,))
        i = int(rng.choice([k for k, m in enumerate(design.members) if m.type == WOOD.type]))
        members = list(design.members)
        members[i] = replace(members[i], type=STEEL.type)
        stronger = replace(design, members=tuple(members))
        before = static_bound(level, design, self_weight_factor=0.0)
        after = static_bound(level, stronger, self_weight_factor=0.0)
        assert before is not None
        assert after is not None
        assert after >= before * (1.0 - 1e-9)


def test_facts_for_the_records_are_capacity_and_bound_as_plain_numbers() -> None:
    case = calibration()[0]
    level, design = case.level, case.design
    facts = capacity_facts(level, design)
    capacity = load_capacity(level, design)
    assert facts["multiplier"] == round(capacity.multiplier, 4)
    assert facts["per_1000_usd"] == pytest.approx(1000 * capacity.multiplier / design.cost_usd,
                                                  abs=1e-4)  # fmt: skip
    assert facts["rollouts"] == capacity.rollouts


@pytest.mark.parametrize(("asked", "propped"), [(True, True), (False, True), (True, False)])
def test_the_task_adds_capacity_to_a_success_when_it_is_asked_to(
    asked: bool, propped: bool
) -> None:
    file = load_level("T1B_Basic_4m")
    task = BridgeTask(file, "loose", get_driver("embedded"), capacity=asked)
    design = two_roads(propped)
    execution = task.execute(design)
    assert (execution.outcome is Outcome.SUCCESS) == propped
    if asked and propped:
        assert execution.facts["capacity"] == capacity_facts(file.level, design)
        assert "capacity" not in json.dumps(dict(execution.summary))
    else:
        assert "capacity" not in execution.facts


def two_roads(propped: bool) -> Design:
    """Roads of 2 m on T1B's 4 m gap, propped from the banks' lower anchors or not."""
    level = load_level("T1B_Basic_4m").level
    nodes = [Node(a.id, a.x, a.y, True) for a in level.anchors] + [Node(9, 2.0, 0.0)]
    members = [Member(20, 1, 1, 9), Member(21, 1, 9, 2)]
    if propped:
        low = [a.id for a in level.anchors[2:4]]
        members += [Member(22 + k, 3, anchor, 9) for k, anchor in enumerate(low)]
    return Design(tuple(nodes), tuple(members))
