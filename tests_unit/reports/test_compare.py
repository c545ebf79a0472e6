"""Paired comparison and ranking."""

from __future__ import annotations

import pytest

from bench.errors import InputError
from reports.compare import compare, tables
from reports.leaderboard import leaderboard, rank_intervals
from reports.tables import render
from tests_unit.support.report_sessions import EDGE_CASES, Episode, edge_cases, many, session


def pair(before, after):
    """Two sessions with one letter a level: S or F in call 1, two families."""
    return [
        session([Episode(f"{'T1B' if i % 2 else 'T2A'}_{i}", x) for i, x in enumerate(letters)], n)
        for n, letters in (("a", before), ("b", after))
    ]


def test_gains_and_losses_by_hand():
    found = compare(*pair("SSSSFFFF", "SFFFSFFF")).success
    assert (found.pairs, found.won_a, found.won_b) == (8, 4, 2)
    assert found.gained == ("T2A_4",)
    assert found.lost == ("T1B_1", "T2A_2", "T1B_3")
    assert found.difference == -0.25
    # 4 discordant pairs, 1 on the rare side: 2 * (1 + 4) / 16.
    assert found.p_value == 10 / 16


def test_the_interval_takes_families_as_clusters():
    # T2A: 0 of 4 changed; T1B: 2 of 4 lost. Draws of two families: -0, -1/4, -1/2.
    found = compare(*pair("SSSSSSSS", "SFSFSSSS")).success
    assert found.interval == (-0.5, 0.0)


def test_only_results_of_both_are_paired():
    other = session([e for e in EDGE_CASES if e.level != "T1B_1"], "other")
    found = compare(edge_cases(), other)
    assert found.success.pairs == 7
    warnings = " ".join(found.warnings)
    assert "A is incomplete: 8 of 10" in warnings
    assert "compared on the 7 of 10 episodes" in warnings


def test_what_stands_against_a_comparison_is_said():
    a = many("a", hashes={"levels": "1", "simulator": "1", "pictures": "1"})
    b = many(
        "b", variants=("--frames 1",), budget="loose", hashes={"levels": "1", "simulator": "2"}
    )
    warnings = compare(a, b).warnings
    assert warnings == (
        "the protocols differ: the paper's protocol in A, --frames 1 in B",
        "the budgets differ: strict in A, loose in B",
        "not the same benchmark: simulator changed between A and B",
    )
    assert "Mind: the budgets differ" in render.text(tables(compare(a, b))[0])
    assert compare(many("a"), many("b")).warnings == ()


def test_families_are_corrected_together():
    table = tables(compare(many("a"), many("b", shift=2)))[1]
    by_family = {row[0]: (row[-2].value, row[-1].value) for row in table.rows}
    # Two gained in each of five families: p = 0.5, five tests.
    assert by_family == {f: (0.5, 1.0) for f in ("T1B", "T2A", "T4B", "G1", "G2")}


def test_nothing_in_common_is_an_error():
    with pytest.raises(InputError, match="sessions edge and many share no level"):
        compare(edge_cases(), session([Episode("T4B_9", "S")], "many"))


@pytest.mark.parametrize(
    ("before", "after", "alpha", "regressed"),
    [
        ("SSSSSSSS", "SSSSSSSF", 0.05, False),
        ("SSSSSSSS", "SSSSSSSF", 1.0, True),
        ("SSSSSSSS", "SSFFFFFF", 0.05, True),
        ("SSFFFFFF", "SSSSSSSS", 0.05, False),
        ("SF", "FS", 1.0, False),
    ],
)
def test_a_regression_is_a_loss_that_chance_hardly_explains(before, after, alpha, regressed):
    assert compare(*pair(before, after)).regressed(alpha) == regressed


def test_golden(snapshot):
    found = tables(compare(many("a"), many("b", shift=1)))
    assert "\n".join(map(render.text, found)) == snapshot


def test_the_leaderboard_ranks_by_success_and_keeps_budgets_apart():
    board = leaderboard([many("low"), many("high", shift=2), many("loose", budget="loose")])
    assert len(board) == 1
    assert [(*row[:2], row[4]) for row in board[0].rows] == [
        ("strict", 1, "high"),
        ("strict", 2, "low"),
        ("loose", 1, "loose"),
    ]


def test_equal_results_share_a_rank():
    (board,) = leaderboard([many("a"), many("b"), many("c", shift=-1)])
    assert [(row[1], row[2]) for row in board.rows] == [(1, "1"), (1, "1"), (3, "3")]


def test_ranks_that_hang_on_few_families_are_intervals():
    a = session([Episode("T1B_1", "S"), Episode("T2A_1", "F"), Episode("G1_1", "S")], "a")
    b = session([Episode("T1B_1", "F"), Episode("T2A_1", "S"), Episode("G1_1", "F")], "b")
    assert rank_intervals([a, b]) == [(1, 2), (1, 2)]
    assert rank_intervals([a]) == [(1, 1)]


def test_what_cannot_be_ranked_is_kept_apart_with_the_reason():
    board, apart = leaderboard(
        [
            many("full"),
            many("variant", variants=("--calls 1",)),
            many("factor", budget="1.5x"),
            session(EDGE_CASES, "unfinished"),
            session([Episode("T1B_1", "S")], "few"),
            many("newer", hashes={"simulator": "x"}),
        ]
    )
    assert [row[4] for row in board.rows] == ["full"]
    assert {row[0]: row[3] for row in apart.rows} == {
        "variant": "protocol variant: --calls 1",
        "factor": "protocol variant: 1.5x",
        "unfinished": "incomplete: 8 of 10 episodes have a result",
        "few": "other levels (1 of 50)",
        "newer": "another version: simulator",
    }


def test_a_folder_of_unfinished_sessions_has_an_empty_board():
    board, apart = leaderboard([edge_cases()])
    assert board.rows == ()
    assert len(apart.rows) == 1
