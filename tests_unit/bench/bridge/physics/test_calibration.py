"""Proof 2: what is known of the game comes out."""

from __future__ import annotations

import json

import pytest

from bench.bridge.physics.engine import simulate
from tests_unit.bench.bridge.physics.cases import Case, calibration, chain, scene
from tests_unit.support.paths import SHARED

ORACLE = SHARED / "physics" / "calibration.json"


@pytest.mark.parametrize("case", calibration(), ids=lambda c: c.name)
def test_calibration_designs_come_out_as_known(case: Case) -> None:
    result = simulate(case.level, case.design)
    assert ("success" if result.success else "failure") == case.expected
    if case.first_break_s_range is not None:
        low, high = case.first_break_s_range
        assert result.first_break_s is not None
        assert low <= result.first_break_s <= high


@pytest.mark.parametrize("sag", [0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5])
@pytest.mark.parametrize(
    ("span", "types"), [(9.0, (1, 2)), (12.0, (1, 3))], ids=["road-wood-9m", "road-steel-12m"]
)
def test_reinforced_chains_do_not_carry_a_car(
    span: float, types: tuple[int, ...], sag: float
) -> None:
    design = chain(span, sag, 2.0, types)
    assert not simulate(scene(design, span, (3.0,)), design).success


@pytest.mark.parametrize("span", [4.0, 6.0, 8.0, 10.0])
@pytest.mark.parametrize("sag", [0.0, 0.3, 0.6, 1.0, 1.4])
def test_a_chain_of_bare_road_never_wins(span: float, sag: float) -> None:
    design = chain(span, sag, 2.0, (1,))
    assert not simulate(scene(design, span, (3.0,)), design).success


def test_cases_are_those_of_the_study() -> None:
    if not ORACLE.exists():
        pytest.skip("../shared is not here")
    study = json.loads(ORACLE.read_text())
    ours = calibration()
    assert [c["name"] for c in study] == [c.name for c in ours]
    for row, case in zip(study, ours, strict=True):
        edges = row["design"]["edges"]
        assert [(e["type"], e["anchorAID"], e["anchorBID"]) for e in edges] == [
            (m.type, m.a, m.b) for m in case.design.members
        ]
        assert [(n["x"], n["y"]) for n in row["design"]["nodes"]] == [
            (n.x, n.y) for n in case.design.nodes
        ]
