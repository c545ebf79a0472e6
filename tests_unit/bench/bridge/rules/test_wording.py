"""How violations are worded and counted."""

from __future__ import annotations

import pytest

from bench.bridge.design.design import Node
from bench.bridge.rules.wording import capped, dollars, listing, node_at, number
from bench.task import Violation


@pytest.mark.parametrize(
    ("value", "text"),
    [(2.0, "2"), (-2.5, "-2.5"), (1.23456, "1.2346"), (-0.00001, "0"), (100, "100"), (0.0, "0")],
)
def test_metres_have_four_decimals_at_most_and_no_trailing_zeros(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(12_000, "$12,000"), (1234.5, "$1,234.50"), (0.01, "$0.01"), (100, "$100")]
)
def test_dollars_show_cents_only_where_there_are_any(value, text):
    assert dollars(value) == text


@pytest.mark.parametrize(
    ("items", "text"),
    [
        ([], ""),
        ([7], "7"),
        ([7, 8], "7 and 8"),
        ([7, 8, 9], "7, 8 and 9"),
        (range(12), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 11"),
        (range(14), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more"),
    ],
)
def test_long_lists_are_cut(items, text):
    assert listing(items) == text


def test_a_node_is_named_with_its_position():
    assert node_at(Node(5, 1.5, -2.0)) == "node 5 at (1.5, -2)"


@pytest.mark.parametrize(("count", "told"), [(0, 0), (1, 1), (20, 20), (21, 21), (500, 21)])
def test_the_first_twenty_are_told_and_the_rest_counted(count, told):
    found = list(capped(Violation("X", str(i)) for i in range(count)))
    assert len(found) == told
    assert [v.message for v in found[:20]] == [str(i) for i in range(min(count, 20))]
    if count > 20:
        assert found[-1] == Violation(
            "X", f"and {count - 20} more of the kind X", (), {"more": count - 20}
        )
