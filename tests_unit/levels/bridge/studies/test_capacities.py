"""`python -m levels capacities`: what docs/bridge/capacity.md says of the references."""

from __future__ import annotations

import pytest

from bench.bridge.level.files import load_level
from bench.bridge.statics.capacity import load_capacity, slow_params, static_bound
from levels.bridge.search.store import load
from levels.bridge.studies.capacities import main


def test_one_reference_is_measured_as_the_library_measures_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["T1B_Basic_6m"]) == 0
    level, reference = load_level("T1B_Basic_6m").level, load("T1B_Basic_6m")
    assert reference is not None
    bound = static_bound(level, reference.design)
    assert bound is not None
    out = capsys.readouterr().out
    assert "1 of 1 levels" in out
    for pace, capacity in (
        ("3.5 m/s", load_capacity(level, reference.design)),
        ("0.5 m/s", load_capacity(level, reference.design, slow_params(level))),
    ):
        ratio = capacity.multiplier / bound
        told = f"median {ratio:.3f}, largest {ratio:.3f} (T1B_Basic_6m), {int(ratio > 1.02)} above"
        assert f"at {pace}: {told} 1.02" in out


def test_a_name_that_no_level_has_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["T9Z"]) == 1
    assert "no such reference" in capsys.readouterr().out
