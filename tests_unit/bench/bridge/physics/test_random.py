"""A thousand random designs, legal and junk: finite, bounded, the same digest again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.bridge.design.design import Design
from bench.bridge.physics.engine import simulate
from tests_unit.bench.bridge.physics.cases import scene
from tests_unit.bench.bridge.physics.random_designs import junk, warren, with_stubs

SEEDS = st.integers(0, 2**31 - 1)
DESIGNS = st.one_of(
    st.builds(junk, SEEDS, st.integers(1, 150)),
    st.builds(warren, SEEDS, st.just(10.0), st.sampled_from([(2,), (3,), (2, 3)])),
    st.builds(with_stubs, st.builds(warren, SEEDS, st.just(10.0)), st.integers(1, 4)),
)


@pytest.mark.slow
@settings(
    max_examples=1000,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(design=DESIGNS, weights=st.lists(st.sampled_from([3.0, 6.0, 9.0]), min_size=1, max_size=3))
def test_random_designs_stay_finite_bounded_and_repeatable(
    design: Design, weights: list[float]
) -> None:
    level = scene(design, 10.0, tuple(weights))
    first, again = simulate(level, design), simulate(level, design)
    assert first.digest == again.digest
    assert np.isfinite(first.positions).all()
    assert np.isfinite(first.poses).all()
    assert np.abs(first.positions).max(initial=0.0) < 1000.0
    assert np.abs(first.poses[..., :2]).max() < 100.0
