"""The protocol's metrics on a session whose numbers were worked out by hand."""

from __future__ import annotations

import pytest

from reports.metrics import (
    calls_all,
    cost_of_successes,
    effort,
    eligible,
    error_counts,
    interaction_efficiency,
    levels_in_physics,
    material_efficiency,
    rate,
    recovery_rate,
    spending,
    success_at,
    success_rate,
    valid_at,
    valid_rate,
)
from reports.stats import wilson
from tests_unit.support.report_sessions import Episode, edge_cases, many, repeats, session

EDGE = edge_cases()


def row(letters):
    return session([Episode("T1B_1", letters)]).rows[0]


@pytest.mark.parametrize(
    ("letters", "valid", "success", "is_eligible"),
    [
        ("S", 1, 1, False),
        ("VS", 2, 2, False),
        ("FS", 1, 2, True),
        ("FFS", 1, 3, True),
        ("FVS", 1, 3, True),
        ("VFS", 2, 3, True),
        ("VVF", 3, None, False),
        ("VVV", None, None, False),
        ("FFF", 1, None, True),
        ("FVV", 1, None, True),
    ],
)
def test_flags_of_an_episode(letters, valid, success, is_eligible):
    episode = row(letters)
    for k in (1, 2, 3):
        assert valid_at(episode, k) == (valid is not None and valid <= k)
        assert success_at(episode, k) == (success is not None and success <= k)
    assert eligible(episode) == is_eligible


def test_valid_counts_calls_and_not_attempts():
    assert [(valid_rate(EDGE.rows, k).successes) for k in (1, 2, 3)] == [5, 6, 7]
    assert [(success_rate(EDGE.rows, k).successes) for k in (1, 2, 3)] == [1, 3, 4]


def test_recovery_is_over_the_eligible_only():
    found = recovery_rate(EDGE.rows, EDGE.info)
    assert (found.successes, found.total) == (2, 4)


def test_recovery_of_a_variant_with_two_calls_needs_a_failure_before_the_second():
    two_calls = session([Episode("T1B_1", "FS"), Episode("T1B_2", "VF")], calls=2)
    found = recovery_rate(two_calls.rows, two_calls.info)
    assert (found.successes, found.total) == (1, 1)


def test_the_denominator_names_what_is_missing_and_its_bounds():
    found = success_rate(EDGE.rows, 3)
    assert (found.total, found.missing) == (8, 2)
    assert found.bounds == (4 / 10, 6 / 10)
    assert success_rate(many().rows, 3).bounds is None


def test_an_infra_error_never_counts_as_a_loss():
    lost = session([Episode("T1B_1", "F!"), Episode("T1B_2", "S")])
    assert success_rate(lost.rows, 3).share == 1.0
    assert effort(lost.rows).calls == 1


def test_effort():
    work = effort(EDGE.rows)
    assert (work.episodes, work.calls, work.attempts) == (8, 20, 13)
    assert (work.validation_repairs, work.physics_repairs) == (7, 6)
    assert calls_all(EDGE.rows) == (2.5, 8)


def test_costs_are_those_of_the_designs_that_won():
    assert cost_of_successes(EDGE.rows) == (1350.0, 4)
    assert material_efficiency(EDGE.rows) == (pytest.approx(0.7875), 4)
    assert interaction_efficiency(EDGE.rows) == (2.0, 4)


def test_nothing_won_costs_nothing_rather_than_zero():
    lost = session([Episode("T1B_1", "VVV")])
    assert cost_of_successes(lost.rows) == (None, 0)
    assert material_efficiency(lost.rows) == (None, 0)


def test_codes_count_once_a_candidate():
    assert error_counts(EDGE.rows) == {
        "RUN_FALSE_AFTER_VALID": 9,
        "OVER_BUDGET": 4,
        "EDGE_TOO_LONG": 2,
        "PARSE_ERROR": 1,
        "CLEARANCE": 1,
    }
    assert error_counts(EDGE.rows, 2) == {
        "RUN_FALSE_AFTER_VALID": 2,
        "OVER_BUDGET": 2,
        "EDGE_TOO_LONG": 1,
        "CLEARANCE": 1,
    }
    assert levels_in_physics(EDGE.rows) == 7


def test_intervals_are_wilsons_and_over_families():
    found = success_rate(many().rows, 3)
    # 8 + 7 + 6 + 5 + 4 of 10 each.
    assert (found.successes, found.total) == (30, 50)
    assert found.interval == wilson(30, 50)
    assert found.family is not None
    assert found.family[0] < 0.6 < found.family[1]
    # Deviations 2, 1, 0, -1, -2 of 10: variance 5/4 * 10 / 2500; 0.24 / 0.005 = 48 trials.
    assert found.effective_n == pytest.approx(48)


def test_one_family_says_nothing_of_others():
    assert rate(many().rows[:10], lambda r: True).family is None


def test_samples_of_a_level_are_no_independent_trials():
    found = success_rate(repeats().rows, 3)
    assert (found.successes, found.total) == (6, 12)
    # Deviations 1.5, 0.5, -0.5, -1.5 of 3: variance 4/3 * 5 / 144; 0.25 / 0.0463 = 5.4 trials.
    assert found.interval == pytest.approx(wilson(2.7, 5.4))


def test_spending_needs_prices_for_dollars():
    assert spending(many().rows, many().info).usd is None
    priced = many(price_input_usd=2.0, price_output_usd=10.0)
    spent = spending(priced.rows, priced.info)
    # 10 one-call wins (4 + 3 + 2 + 1 + 0), 20 two-call wins, 20 losses of three calls.
    calls = 10 + 2 * 20 + 3 * 20
    assert (spent.input_tokens, spent.output_tokens) == (calls * 1000, calls * 200)
    assert spent.usd == pytest.approx(calls * (1000 * 2 + 200 * 10) / 1e6)


def test_tokens_that_nobody_counted_are_unknown():
    assert spending(EDGE.rows, EDGE.info).input_tokens is None
    assert spending(EDGE.rows, EDGE.info).truncated == 1
    # 20 calls of 2 s, 13 executions of 0.5 s.
    assert spending(EDGE.rows, EDGE.info).seconds == pytest.approx(46.5)
