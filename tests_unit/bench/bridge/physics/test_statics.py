"""Proof 1: at rest the kernel is in geometrically nonlinear equilibrium."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bench.bridge.design.materials import MATERIALS
from bench.bridge.physics.engine import simulate
from bench.bridge.physics.params import SimParams
from tests_unit.bench.bridge.physics.cases import Pin, equilibrium, pins
from tests_unit.support.paths import SHARED

ORACLE = SHARED / "physics" / "pins.json"


@pytest.mark.parametrize("pin", pins(), ids=lambda p: p.name)
def test_forces_at_rest_equal_the_nonlinear_equilibrium(pin: Pin) -> None:
    result = simulate(pin.level, pin.design, params=SimParams(window_s=30.0), loads_pn=pin.loads_pn)
    strength = np.array([MATERIALS[m.type].strength_pn for m in pin.design.members])
    force = result.utilisation[-1] * strength
    expected = equilibrium(pin.design, pin.loads_pn)
    assert np.abs(force - expected).max() < 1e-6
    assert np.abs(expected - pin.nonlinear_pn).max() < 1e-4


@pytest.mark.parametrize("pin", pins(), ids=lambda p: p.name)
def test_linear_forces_equal_the_pinned_ones(pin: Pin) -> None:
    force = equilibrium(pin.design, pin.loads_pn, linear=True)
    assert np.abs(force - pin.linear_pn).max() < 1e-4


def test_pins_are_those_of_the_study() -> None:
    if not ORACLE.exists():
        pytest.skip("../shared is not here")
    study = json.loads(ORACLE.read_text())
    ours = pins()
    assert [p["name"] for p in study] == [p.name for p in ours]
    for row, pin in zip(study, ours, strict=True):
        assert row["nonlinear_axial_force_pn"] == pin.nonlinear_pn.tolist()
        assert [(n["id"], n["x"], n["y"]) for n in row["nodes"]] == [
            (n.id, n.x, n.y) for n in pin.design.nodes
        ]
