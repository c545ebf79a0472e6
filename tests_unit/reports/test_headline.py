"""The table in the terminal."""

from __future__ import annotations

import pytest

from reports.headline import WIDTH, headline
from tests_unit.support.report_sessions import Episode, edge_cases, many, repeats, session

LONGEST = [Episode(f"T1B_{i}", "FS") for i in range(189)]


def test_golden(snapshot):
    assert headline(edge_cases()) == snapshot(name="edge cases")
    priced = many(price_input_usd=2.0, price_output_usd=10.0, variants=("--frames 1",))
    assert headline(priced) == snapshot(name="many levels")


@pytest.mark.parametrize(
    "found", [edge_cases(), many(), repeats(), session(LONGEST)], ids=lambda s: s.info.name
)
def test_it_fits_in_a_hundred_columns(found):
    assert max(len(line) for line in headline(found).splitlines()) <= WIDTH


def test_groups_are_told_from_totals_and_small_ones_have_no_percentage():
    lines = headline(many()).splitlines()
    total = next(line for line in lines if line.startswith("all levels"))
    # Recovery@3: 20 x F, S recover; 20 x V, F, F failed with a call left and do not.
    assert total.split()[2:] == [
        *("30/50", "60.0%", "50/50", "100%", "10/50", "20.0%", "30/50", "60.0%"),
        *("20/40", "50.0%"),
    ]
    family = next(line for line in lines if line.startswith("  T1B"))
    assert "%" not in family
    assert "8/10" in family


def test_an_unfinished_session_says_what_is_missing_and_between_what_it_lies():
    text = headline(edge_cases())
    assert "8 of 10 episodes have a result" in text
    assert "INCOMPLETE: 1 infra_error, 1 not run" in text
    assert "lies between 40.0%" in text
    assert "60.0% (all won)" in text


def test_a_variant_is_marked():
    assert "PROTOCOL VARIANT (--frames 1)" in headline(many(variants=("--frames 1",)))
    assert "VARIANT" not in headline(many())


def test_a_session_without_any_result_has_a_table_of_dashes():
    text = headline(session([Episode("T1B_1", None)]))
    assert "0 of 1 episodes have a result" in text
    assert "%" not in text.split("-" * 20)[1]
