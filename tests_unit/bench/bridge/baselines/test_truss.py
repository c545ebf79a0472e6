"""How `baseline:truss` answers what an episode told it."""

import json
from typing import Any

import pytest

from bench.bridge.answer.parse import parse_answer
from bench.bridge.baselines.registry import BASELINES
from bench.bridge.design.design import Design
from bench.bridge.design.materials import STEEL, WOOD
from bench.bridge.design.save import save_of
from bench.bridge.level.context import visible_context
from bench.bridge.level.level import Level
from bench.bridge.rules import validate
from tests_unit.support.factories import anchor_nodes, flat_level, platform_level, rock_level

FAILED = {"outcome": "failure_or_timeout", "codes": []}


def invalid(*codes: str) -> dict[str, Any]:
    return {"outcome": "invalid", "codes": list(codes)}


def design(level: Level, *earlier: dict[str, Any], name: str = "truss", limit: float = 50_000.0):
    """The design after these calls; the latest one in full, as an observation holds it."""
    calls = [{"call": i, **call} for i, call in enumerate(earlier, 1)]
    previous = None
    if calls:
        last = calls.pop()
        codes = last.pop("codes")
        previous = {**last, "violations": [{"code": c} for c in codes]}
    data = {
        **visible_context(level, limit, level.name),
        "save": save_of(Design(anchor_nodes(level), ()), level.name),
        "earlier": calls,
        "previous": previous,
    }
    candidate = parse_answer(BASELINES[name](data))
    assert candidate.design is not None
    return candidate.design


def codes(level: Level, built: Design) -> set[str]:
    return {v.code for v in validate(level, built, 50_000.0)}


def lowest(built: Design) -> float:
    return min(n.y for n in built.nodes if not n.is_anchor)


def test_a_longer_span_and_a_heavier_vehicle_cost_more():
    costs = [design(flat_level(s)).cost_usd for s in (8.0, 12.0, 16.0)]
    assert costs == sorted(costs)
    assert len(set(costs)) == 3
    assert design(flat_level(12.0, vehicles=(9.0,))).cost_usd > costs[1]


def test_a_failed_run_asks_for_a_stronger_truss():
    level = flat_level(14.0)
    costs = [design(level, *[FAILED] * n).cost_usd for n in range(3)]
    assert costs[0] < costs[1] < costs[2]


def test_over_budget_asks_for_a_lighter_one():
    level = flat_level(16.0, vehicles=(9.0,))
    costs = [design(level, *[invalid("OVER_BUDGET")] * n).cost_usd for n in range(3)]
    assert costs[2] < costs[0]


def test_clearance_keeps_clear_of_a_rock_below_and_only_then():
    level = rock_level(10.0, tip=(5.0, -0.4), half_width=3.0)
    assert "CLEARANCE" in codes(level, design(level))
    assert codes(level, design(level, invalid("CLEARANCE"))) == set()
    assert codes(level, design(level, invalid("CLEARANCE"), FAILED)) == set()


def test_clearance_between_rocks_above_and_below_makes_it_shallow():
    above = rock_level(10.0, tip=(5.0, 1.2), base_y=8.0)
    below = rock_level(10.0, tip=(5.0, -1.2))
    level = flat_level(10.0, vehicles=(6.0,), rocks=above.rocks + below.rocks)
    built = design(level, invalid("CLEARANCE"))
    assert codes(level, built) == set()


def test_every_gap_beside_a_platform_has_its_own_truss_and_the_platform_none():
    level = platform_level(16.0, 4.0, surface_y=1.0)
    built = design(level)
    assert codes(level, built) == set()
    xs = [n.x for n in built.nodes if not n.is_anchor]
    assert any(x < 6 for x in xs)
    assert any(x > 10 for x in xs)
    assert [x for x in xs if 6 < x < 10] == []


def test_a_rise_is_bridged_by_a_straight_slope():
    built = design(flat_level(8.0, rise=1.0))
    roads = [m for m in built.members if m.type == 1]
    nodes = built.node_by_id
    assert len(roads) == 5  # sqrt(65) = 8.06 m needs five pieces of at most 2 m
    for road in roads:
        for end in (nodes[road.a], nodes[road.b]):
            assert end.y == pytest.approx(end.x / 8.0, abs=1e-4)


def test_without_steel_there_is_none():
    level = flat_level(10.0, material_profile="road_wood_only")
    for name in BASELINES:
        used = {m.type for m in design(level, FAILED, name=name).members}
        assert STEEL.type not in used, name


def test_the_fixed_trusses_are_what_their_names_say():
    level = flat_level(8.0)
    for name, material, depth in (
        ("wood-truss-deck", WOOD, -1.5),
        ("wood-truss-through", WOOD, 1.5),
        ("steel-truss-deck", STEEL, -1.5),
        ("steel-truss-through", STEEL, 1.5),
    ):
        built = design(level, name=name)
        assert [n.y for n in built.nodes if n.y not in (0.0, -2.0)] == [depth] * 4
        kinds = [m.type for m in built.members]
        # 4 roads of 2 m; 3 chord pieces and 8 diagonals
        assert (kinds.count(1), kinds.count(material.type), len(kinds)) == (4, 11, 15)


def test_the_plank_is_a_straight_road_and_nothing_else():
    built = design(flat_level(9.0), name="plank")
    assert {m.type for m in built.members} == {1}
    assert len(built.members) == 5
    assert built.cost_usd == pytest.approx(1800.0, abs=0.2)


def test_the_thought_names_the_evidence_of_a_repair():
    level = flat_level(12.0)
    data = {
        **visible_context(level, 9_000.0, "x"),
        "save": save_of(Design(anchor_nodes(level), ()), "x"),
        "earlier": [{"call": 1, **FAILED}],
        "previous": {"call": 2, "outcome": "invalid", "violations": [{"code": "OVER_BUDGET"}]},
    }
    thought = json.loads(BASELINES["truss"](data))["thought_process"]
    assert "possible cause of the failure" in thought
    assert "budget limit" in thought
