"""The ladder's table, by hand and from a few levels."""

import json

import pytest

from bench.cli import main
from bench.cli.ladder import Episode, _chunks, table


def episode(baseline, level, group, call, budget="strict"):
    return Episode(baseline, budget, level, group, call, 3, 0.1)


def test_the_table_counts_success_by_call_and_group():
    episodes = [
        episode("truss", "c", "Anchor and Connectivity", None),
        episode("truss", "a", "Terrain and Geometry", 1),
        episode("truss", "b", "Terrain and Geometry", 3),
        episode("truss", "d", "Terrain and Geometry", None),
    ]
    assert table(episodes, ["truss"], ["strict"]).splitlines() == [
        "| baseline | budget | Anchor and Connectivity (1) | Terrain and Geometry (3) | all (4) |",
        "|---|---|---:|---:|---:|",
        "| `baseline:truss` | strict | 0.0 / 0.0 | 33.3 / 66.7 | 25.0 / 50.0 |",
    ]


def test_every_level_is_dealt_out_once():
    names = [f"level {i}" for i in range(23)]
    assert sorted(n for part in _chunks(names) for n in part) == sorted(names)


def test_a_rung_is_no_higher_than_the_next_on_a_few_levels(capsys):
    arguments = ["ladder", "--every", "63", "--budgets", "strict", "--processes", "1", "--json"]
    assert main(arguments) == 0
    episodes = json.loads(capsys.readouterr().out)
    won = {}
    for e in episodes:
        won.setdefault(e["baseline"], []).append(e["success_call"] is not None)
    counts = {name: sum(wins) for name, wins in won.items()}
    assert counts["plank"] <= counts["wood-truss-deck"] <= counts["truss"] <= counts["engineer"]
    assert len(won["engineer"]) == 3
    assert counts["engineer"] >= 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--baselines", "enginer"], "did you mean baseline:engineer?"),
        (["--budgets", "cheap"], "cheap"),
        (["--every", "0"], "--every need 1 or more"),
    ],
)
def test_a_wrong_argument_is_refused_before_anything_runs(capsys, arguments, message):
    assert main(["ladder", *arguments]) == 4
    assert message in capsys.readouterr().err
