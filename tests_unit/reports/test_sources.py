"""Rows from records and from the JSON report alone."""

from __future__ import annotations

import json
import shutil

import pytest

from bench.errors import InputError
from reports.sources import load, rows_of_report, session_paths
from reports.tables import render
from reports.tables.registry import build_all
from tests_unit.support.report_sessions import (
    EDGE_CASES,
    Episode,
    as_first_version,
    edge_cases,
    json_report,
    repeats,
    write_session,
)


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


def test_records_of_the_first_version_give_the_same_rows(tmp_path):
    folder = as_first_version(write_session(tmp_path / "edge", EDGE_CASES, model="edge"))
    assert "limit_usd" in (folder / "T1B_2" / "trajectory.json").read_text()
    assert "limit_usd" in (folder / "scene" / "levels.json").read_text()
    found = load(folder)
    assert found.rows == edge_cases().rows
    assert {row.unit for row in found.rows} == {"usd"}
    assert found.info.domain == "bridge"


def test_a_json_report_of_the_first_version_gives_the_same_rows():
    report = json_report(EDGE_CASES[:8])
    older = json.loads(json.dumps(report))
    names = {name: f"{name}_usd" for name in ("costs", "limit", "strict_limit")}
    for test in older["tests"]:
        told = {k: v for pair in test["user_properties"] for k, v in pair.items()}
        told = {names.get(k, k): v for k, v in told.items() if k not in ("unit", "domain")}
        test["user_properties"] = [{k: v} for k, v in told.items()]
    assert rows_of_report(older) == rows_of_report(report)


def test_the_domain_comes_from_the_manifest_and_from_the_report(tmp_path):
    folder = write_session(tmp_path / "pegs", EDGE_CASES[:2], domain="toy")
    for found in (
        load(folder),
        rows_of_report(json_report(EDGE_CASES[:2], folder, domain="toy")),
        rows_of_report(json_report(EDGE_CASES[:2], domain="toy")),
    ):
        assert found.info.domain == "toy"
        assert {row.unit for row in found.rows} == {"peg"}


def test_an_unknown_domain_is_named(tmp_path):
    folder = write_session(tmp_path / "s", EDGE_CASES[:1])
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["configuration"]["domain"] = "brigde"
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(InputError, match=r"session s: --domain 'brigde' is unknown.*mean bridge"):
        load(folder)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"schema": "pbb-scene-9", "levels": {}}, "schema is 'pbb-scene-9'; this version reads"),
        ({"levels": {}}, "schema is None"),
        ({"schema": "pbb-scene-2", "levels": []}, "domain: Field required"),
        ({"schema": "pbb-scene-2", "levels": {"T1B_1": 3}}, "domain: Field required"),
    ],
)
def test_a_scene_of_another_schema_is_refused(tmp_path, content, message):
    folder = write_session(tmp_path / "edge", EDGE_CASES)
    (folder / "scene" / "levels.json").write_text(json.dumps(content))
    with pytest.raises(InputError, match=message):
        load(folder)


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
