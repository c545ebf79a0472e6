"""Rows from records and from the JSON report alone."""

from __future__ import annotations

import json
import shutil

import pytest
from fixtures.properties import user_properties

from bench.errors import InputError
from bench.records import Trajectory, read_session
from reports.sources import REPORT_KEY, configuration_of, load, rows_of_report, session_paths
from reports.tables import render
from reports.tables.registry import build_all
from tests_unit.support.report_sessions import (
    EDGE_CASES,
    Episode,
    edge_cases,
    repeats,
    trajectory,
    write_session,
)


def json_report(episodes, folder=None):
    tests = []
    for e in episodes:
        node = e.level if e.sample == 1 else f"{e.level}-s{e.sample}"
        test = {"nodeid": f"bench/test_levels.py::test_level[{node}]", "outcome": "passed"}
        if e.letters is not None:
            record = Trajectory.load(trajectory(e), e.level)
            test["user_properties"] = [{k: v} for k, v in user_properties(record).items()]
        tests.append(test)
    report = {"tests": tests[::-1]}
    if folder is not None:
        report[REPORT_KEY] = configuration_of(read_session(folder))
    return report


def test_rows_of_a_folder_are_those_of_its_trajectories(tmp_path):
    found = load(write_session(tmp_path / "edge", EDGE_CASES, model="edge"))
    assert found.rows == edge_cases().rows
    assert (found.info.name, found.info.model, found.info.budget) == ("edge", "edge", "strict")
    assert found.missing == 2


def test_the_headline_tables_are_the_same_from_the_json_report_alone(tmp_path):
    folder = write_session(tmp_path / "edge", EDGE_CASES)
    report = tmp_path / "report.json"
    report.write_text(json.dumps(json_report(EDGE_CASES, folder)))
    both = [load(folder), load(report)]
    tables = [[render.csv_text(t) for t in build_all([s], headline_only=True)] for s in both]
    # The facts of a level that was not run are in no test: it counts in the totals alone.
    for ours, theirs in zip(*tables, strict=True):
        if "All S@3" in ours or ours.startswith("Level") or "Code" in ours:
            assert columns(ours, "All") == columns(theirs, "All")
    assert tables[0][0].count("\n") == 2


def columns(text, start):
    header, *rows = [line.split(",") for line in text.splitlines()]
    return [[row[i] for i, name in enumerate(header) if name.startswith(start)] for row in rows]


def test_with_all_episodes_run_every_headline_table_is_equal(tmp_path):
    run = [e for e in EDGE_CASES if e.letters is not None]
    folder = write_session(tmp_path / "edge", run)
    found = rows_of_report(json_report(run, folder))
    tables = [build_all([s], headline_only=True) for s in (load(folder), found)]
    assert [render.csv_text(t) for t in tables[0]] == [render.csv_text(t) for t in tables[1]]
    assert len(tables[0]) >= 7


def test_a_report_without_the_session_still_gives_rows():
    found = rows_of_report(json_report(EDGE_CASES[:8]), "loose-file")
    assert (found.info.name, found.info.model, found.info.budget) == (
        "loose-file",
        "test",
        "strict",
    )
    assert len(found.scored) == 8


def test_samples_are_read_from_folders_and_from_node_ids(tmp_path):
    episodes = [Episode("T1B_1", "S"), Episode("T1B_1", "FFF", sample=2)]
    folder = write_session(tmp_path / "two", episodes, samples=2)
    for found in (load(folder), rows_of_report(json_report(episodes))):
        assert sorted((r.level, r.sample, r.outcome) for r in found.rows) == [
            ("T1B_1", 1, "success"),
            ("T1B_1", 2, "failure_or_timeout"),
        ]
        assert found.info.samples == 2
    assert repeats().info.samples == 3


def test_a_crashed_worker_leaves_an_episode_without_a_result():
    report = json_report(EDGE_CASES[:2])
    del report["tests"][0]["user_properties"]
    assert rows_of_report(report).missing == 1


def test_variants_prices_and_limits_come_from_the_manifest(tmp_path):
    folder = write_session(
        tmp_path / "v",
        EDGE_CASES[:1],
        variants=["--calls 2"],
        settings={"calls": 2, "attempts": 3},
        client={"profile": {"price_input_usd": 1.5, "price_output_usd": 6.0}},
        driver={"name": "embedded"},
    )
    info = load(folder).info
    assert (info.variants, info.calls, info.attempts) == (("--calls 2",), 2, 3)
    assert (info.price_input_usd, info.price_output_usd, info.driver) == (1.5, 6.0, "embedded")
    assert info.hashes == {"levels": "a" * 64}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "cannot be read as JSON"),
        ("[]", "holds no JSON object"),
        ('{"tests": []}', "holds no level"),
    ],
)
def test_what_is_no_report_is_named(tmp_path, content, message):
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        load(path)


def test_what_is_no_session_is_named(tmp_path):
    with pytest.raises(InputError, match="nowhere: no such session folder"):
        load(tmp_path / "nowhere")
    with pytest.raises(InputError, match="no session folder"):
        load(tmp_path)
    with pytest.raises(InputError, match="holds no session"):
        session_paths(tmp_path)


def test_a_torn_trajectory_is_named(tmp_path):
    folder = write_session(tmp_path / "edge", EDGE_CASES)
    (folder / "T1B_2" / "trajectory.json").write_text("{")
    with pytest.raises(InputError, match=r"T1B_2/trajectory\.json"):
        load(folder)


def test_a_session_without_a_scene_still_counts_what_was_not_run(tmp_path):
    folder = write_session(tmp_path / "edge", EDGE_CASES)
    shutil.rmtree(folder / "scene")
    found = load(folder)
    assert found.missing == 2
    assert found.rows[-1].family == "G1"
