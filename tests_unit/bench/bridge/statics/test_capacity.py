"""Load capacity: the bisection, the calibration designs, and what is recorded of it."""

from __future__ import annotations

import json

import pytest

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.level.files import load_level
from bench.bridge.statics.capacity import (
    HIGHEST,
    LOWEST,
    MOST_ROLLOUTS,
    bisect,
    capacity_facts,
    load_capacity,
    static_bound,
)
from bench.bridge.task import BridgeTask
from bench.protocol import Settings
from bench.task import Outcome
from tests_unit.bench.bridge.physics.cases import Case, calibration
from tests_unit.support.bridge_fakes import embedded


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


@pytest.mark.parametrize("case", calibration(), ids=lambda c: c.name)
def test_capacity_of_the_calibration_designs_is_below_the_bound(case: Case) -> None:
    capacity = load_capacity(case.level, case.design)
    assert (capacity.multiplier >= 1.0) == (case.expected == "success")
    bound = static_bound(case.level, case.design)
    if bound is None:
        assert capacity.multiplier == LOWEST, "self-weight alone is not carried"
    else:
        assert capacity.multiplier <= 1.02 * bound


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
    task = BridgeTask(file, embedded(), Settings(budget="loose"), capacity=asked)
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
