"""What tables hold: numbers worked out by hand, rows of their own, hostile names."""

from __future__ import annotations

import csv
import io

import pytest

from reports.tables import render
from reports.tables.base import Number, Table, cell_lines
from reports.tables.registry import build_all
from tests_unit.support.report_sessions import Episode, edge_cases, example, many, session

BUILT = {table.name: table for table in build_all(example("bridge"))}


def value(table, name, column):
    rows = list(csv.DictReader(io.StringIO(render.csv_text(BUILT[table]))))
    (row,) = [r for r in rows if r["Model"].startswith(name)]
    return row[column]


@pytest.mark.parametrize(
    ("table", "column", "expected"),
    [
        ("main", "Core S@1 n", "1"),
        ("main", "Core S@3 n", "4"),
        ("main", "Core S@3 N", "6"),
        ("main", "Comp. S@3 N", "2"),
        ("main", "Comp. S@3 missing", "2"),
        ("main", "All V@1 n", "5"),
        ("main", "All V@3 n", "7"),
        ("main", "All R@3 n", "2"),
        ("main", "All R@3 N", "4"),
        ("recovery", "Calls, all", "2.5"),
        ("recovery", "Physics attempts", "13"),
        ("recovery", "Attempts, all", "1.625"),
        ("recovery", "Validation-repair calls", "7"),
        ("recovery", "Physics-repair calls", "6"),
        ("recovery", "Cost, succ. (thousand $)", "1.35"),
        ("recovery", "Cost, succ. (thousand $) n", "4"),
        ("recovery", "Wood, succ. (m)", "10.0"),
        ("cumulative", "V@2 n", "6"),
        ("cumulative", "S@2 n", "3"),
        ("efficiency", "Cost / strict limit", "0.7875"),
        ("efficiency", "Calls of a success", "2.0"),
        ("efficiency", "Wrapped answers", "1/20"),
        ("efficiency", "Cut-off answers", "1/20"),
        ("deck", "V@3, continuous deck n", "5"),
        ("deck", "Clean S@3 n", "3"),
        ("deck", "V@3 - S@3 (points)", "37.5"),
        ("deck", "Deck - S@3 (points)", "12.5"),
        ("cost_curve", "≤ 0.5x n", "1"),
        ("cost_curve", "≤ 0.8x n", "2"),
        ("cost_curve", "≤ 0.9x n", "3"),
        ("cost_curve", "≤ 1x n", "4"),
        ("spending", "Seconds / success", "11.625"),
        ("spending", "Tokens / success", ""),
    ],
)
def test_the_numbers_worked_out_by_hand(table, column, expected):
    assert value(table, "edge", column) == expected


def test_a_group_is_headed_by_the_levels_that_any_session_has_of_it():
    # T1B_1 to T1B_3 of the edge cases, T1B_0 to T1B_9 of the others.
    assert value("groups", "edge", "Anchor and Connectivity (10) S@3 n") == "3"


def test_repeats_by_hand():
    # Wins of 3: 3, 2, 1, 0. pass@2: 1, 1, 2/3, 0; pass^2: 1, 1/3, 0, 0.
    assert value("samples", "repeats", "pass@1") == "50.0"
    assert value("samples", "repeats", "pass@2") == "66.666667"
    assert value("samples", "repeats", "pass@3") == "75.0"
    assert value("samples", "repeats", "pass^2") == "33.333333"
    assert value("samples", "repeats", "pass^3") == "25.0"
    assert value("samples", "repeats", "S@3 by sample") == "3/4, 2/4, 1/4"


def test_groups_below_twenty_show_counts_and_no_percentage():
    lines = [cell_lines(cell) for cell in BUILT["main"].rows[0][2:-1]]
    assert not any("%" in line for cell in lines for line in cell)
    big = next(row for row in BUILT["main"].rows if row[1] == "gpt-5.2")
    assert cell_lines(big[7])[:3] == ("60.0%", "30/50", "[46.2, 72.4]")


def test_an_incomplete_rate_shows_its_bounds():
    assert cell_lines(BUILT["main"].rows[0][7]) == ("4/8", "4 to 6 of 10")


def test_published_figures_stand_in_a_column_of_their_own():
    published = {row[1]: row[-1] for row in BUILT["main"].rows}
    assert published["claude-sonnet-5"] == "R@3 50.0 (31/62)"
    assert published["gpt-5.2"] == "compositional S@3 0.0"
    assert published["repeats"] is None


def test_the_matrix_tells_each_episode_call_by_call():
    found = {row[0]: row[2] for row in build_all([edge_cases()])[-2].rows}
    assert found["T2A_1"] == "F→F→S"
    assert found["G1_3"] == "F→!"
    assert found["G1_4"] == "-"


def test_the_best_fixed_truss_and_the_references_have_rows_of_their_own():
    fixed = [
        session([Episode("T1B_1", letters)], name, model=f"baseline:{name}")
        for name, letters in (("wood-truss-deck", "FFF"), ("steel-truss-through", "S"))
    ]
    played = session([Episode("T1B_1", "S")], "r", model="scripted:references")
    main = build_all([*fixed, played, many()])[0]
    assert [row[1] for row in main.rows] == [
        "many",
        "reference (scripted:references)",
        "best fixed truss (steel-truss-through)",
    ]


def test_two_sessions_of_one_model_are_told_apart_by_name():
    main = build_all([many(model="m"), many("again", model="m")])[0]
    assert [row[1] for row in main.rows] == ["m (many)", "m (again)"]


def test_hostile_names_are_text():
    name = "a|b <img src=x onerror=alert(1)> \\input{x} _y_ $z$ 50%"
    table = build_all([many("n", model=name)])[0]
    markdown = render.markdown(table)
    assert "<img" not in markdown
    assert r"a\|b &lt;img" in markdown
    latex = render.latex(table)
    assert r"\input" not in latex
    assert r"\$z\$ 50\%" in latex


def test_a_row_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="table x: 1 cells, 2 columns"):
        Table("x", "X", ("a", "b"), (("1",),))


def test_negative_money_reads_as_money():
    assert Number(-1234.5, 2, "$").text() == "-$1,234.50"
