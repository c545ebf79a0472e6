"""The rule of strict limits, and the file that holds them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.errors import LevelError
from levels.bridge.budget_rule import strict_limit_usd
from levels.bridge.budgets import BUDGETS_PATH, budgets_text, read_budgets
from levels.bridge.families import REGISTRY


@pytest.mark.parametrize(
    ("cost", "limit"),
    [
        (2000.0, 2500),  # 2500 exactly: stays
        (2000.01, 3000),  # 2500.0125
        (1999.99, 2500),
        (5200.0, 6500),  # 6500 exactly
        (1235.36, 2000),  # 1544.2
        (0.01, 500),
        (33600.0, 42000),
        (8000.4, 10500),  # 10000.5
    ],
)
def test_the_limit_is_a_quarter_more_rounded_up_to_the_next_500(cost: float, limit: int):
    assert strict_limit_usd(cost) == limit


@given(st.integers(min_value=1, max_value=10_000_000))
def test_the_limit_is_the_least_multiple_of_500_that_covers_the_product(cents: int):
    limit = strict_limit_usd(cents / 100)
    assert limit % 500 == 0
    assert (limit - 500) * 10_000 < cents * 125 <= limit * 10_000


@pytest.mark.parametrize("cost", [0.0, -1.0, 0.001])
def test_a_cost_that_is_not_positive_is_refused(cost: float):
    with pytest.raises(ValueError, match="must be positive"):
        strict_limit_usd(cost)


def test_every_level_has_a_budget_and_no_other_has():
    names = [scene.name for _, scene, _ in REGISTRY.scenes()]
    assert list(read_budgets(names)) == names
    assert list(json.loads(BUDGETS_PATH.read_text(encoding="utf-8"))["levels"]) == names


def test_what_is_written_is_read_back(tmp_path):
    path = tmp_path / "budgets.json"
    path.write_text(budgets_text({"A": 2000.0, "B": 2000.01}), encoding="utf-8")
    budgets = read_budgets(["B", "A"], path)
    assert [(n, b.reference_cost_usd, b.strict_limit_usd) for n, b in budgets.items()] == [
        ("B", 2000.01, 3000),
        ("A", 2000.0, 2500),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "cannot be read"),
        ("", "cannot be read"),
        ("[]", "cannot be read"),
        ('{"levels": {"A": {"reference_cost_usd": 2000.0}}}', "cannot be read"),
        ('{"levels": {}}', "no budget for A"),
        (
            '{"levels": {"A": {"reference_cost_usd": 2000.0, "strict_limit_usd": 9000}}}',
            "A: strict_limit_usd=9000 should be 2500",
        ),
    ],
)
def test_a_broken_file_is_one_clear_line(tmp_path, text, problem):
    path = tmp_path / "budgets.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(LevelError) as caught:
        read_budgets(["A"], path)
    assert problem in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
