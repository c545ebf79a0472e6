"""What a run prints at its end when its records or its report cannot be had."""

from __future__ import annotations

from bench.records import read_session
from reports.following import REPORTS_FOLDER, ending
from tests_unit.support.report_sessions import EDGE_CASES, write_session


def test_a_broken_record_costs_the_table_and_says_which(tmp_path):
    folder = write_session(tmp_path / "edge", EDGE_CASES)
    (folder / "T1B_2" / "trajectory.json").write_text("{")
    found = ending(read_session(folder))
    assert found.lines == []
    assert found.fault.startswith("no table: ")
    assert "T1B_2/trajectory.json" in found.fault


def test_a_report_that_cannot_be_written_does_not_cost_the_table(tmp_path):
    folder = write_session(tmp_path / "edge", EDGE_CASES)
    (tmp_path / REPORTS_FOLDER).write_text("a file in the way")
    found = ending(read_session(folder))
    assert "8 of 10 episodes have a result" in found.lines[0]
    assert found.lines[1].startswith("records: ")
    assert found.fault.startswith("no report: ")


def test_a_session_without_an_episode_prints_nothing(tmp_path):
    assert ending(read_session(write_session(tmp_path / "none", []))).lines == []
