"""When a run stops because its episodes end alike."""

from __future__ import annotations

import pytest

from bench.clients.streak import MOST_IN_A_ROW, Streak, kind_of
from bench.errors import ClientError, DriverError, FatalClientError


def stops_at(kinds: str, most: int = 3) -> int | None:
    """How many episodes end before the run stops; `.` is a result, a letter a kind of fault."""
    streak = Streak(most)
    for number, kind in enumerate(kinds, 1):
        if streak.add(None if kind == "." else kind) is not None:
            return number
    return None


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ("aaa", 3),
        ("aaaa", 3),
        ("aa.aa.aa", None),
        ("aabbaabb", None),
        ("aabbb", 5),
        (".....", None),
        ("a.aaa", 5),
        ("ababab", None),
        ("", None),
    ],
)
def test_run_stops_after_so_many_of_one_kind_in_a_row(kinds: str, expected: int | None) -> None:
    assert stops_at(kinds) == expected


def test_five_in_a_row_are_the_default_one_stops_at_once_and_none_never() -> None:
    assert MOST_IN_A_ROW == 5
    assert stops_at("aaaaaa", MOST_IN_A_ROW) == 5
    assert stops_at(".a", 1) == 2
    assert stops_at("a" * 99, 0) is None


def test_reason_names_the_kind_the_number_and_what_to_do() -> None:
    streak = Streak(2)
    streak.add("not_json")
    reason = streak.add("not_json")
    assert reason is not None
    assert "2 episodes in a row" in reason
    assert "(not_json)" in reason
    assert "--resume" in reason
    assert streak.add("not_json") is not None  # what was under way may end after it


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ClientError("x", kind="not_json"), "not_json"),
        (FatalClientError("x", kind="quota"), "quota"),
        (ClientError("x"), "ClientError"),
        (DriverError("x"), "DriverError"),
    ],
)
def test_kind_is_the_faults_own_else_the_errors_type(error: Exception, kind: str) -> None:
    assert kind_of(error) == kind
