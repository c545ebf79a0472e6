"""Decks and clean successes: what is known of a bridge beside its verdict."""

from __future__ import annotations

import pytest

from reports.domains.bridge import deck
from reports.tables.base import cell_lines
from tests_unit.support.report_sessions import Episode, edge_cases, session


def test_continuous_decks_and_clean_successes():
    rows = edge_cases().scored
    assert sum(deck.continuous(row) for row in rows) == 5
    assert sum(deck.clean_success(row) for row in rows) == 3


@pytest.mark.parametrize(("clean", "cell"), [(None, "-"), (False, "0/2")])
def test_a_share_of_clean_successes_is_open_where_no_break_can_be_seen(clean, cell):
    """A desktop shows neither forces nor every break: unknown is not 'broken'."""
    episodes = [Episode("T1B_1", "S", clean=clean), Episode("T1B_2", "FF", clean=clean)]
    table = deck.build([session(episodes)])
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert cell_lines(row["Clean S@3"]) == (cell,)
    assert cell_lines(row["S@3"]) == ("1/2",)
