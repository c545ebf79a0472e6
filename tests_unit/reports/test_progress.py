"""The progress line, and the hooks of a run."""

from __future__ import annotations

import re

import pytest

from reports.progress import Progress, duration, short
from reports.rows import SessionInfo
from tests_unit.support.bench_runs import bench, fault, script
from tests_unit.support.report_sessions import Episode, session

INFO = SessionInfo("s", "m", "strict", price_input_usd=2.0, price_output_usd=10.0)


def row(letters, tokens=None):
    return session([Episode("T1B_1", letters, tokens=tokens)]).rows[0]


def test_the_line_counts_episodes_and_tells_the_time_left():
    progress = Progress(INFO, expected=10, started_s=100.0)
    progress.add(row("S", (40_000, 2_000)))
    progress.add(row("FF", (5_000, 1_000)))
    # 120 s for two, eight left. 50,000 in and 4,000 out: 14 cents.
    assert progress.line(220.0) == (
        "2/10 levels, 1 won (50%), 3 calls, 54k tokens, $0.14, 8 min left"
    )


def test_infra_errors_count_as_done_and_not_as_lost():
    progress = Progress(SessionInfo("s", "m", "strict", samples=2), 4, 0.0)
    progress.add(row("S"))
    progress.add(row("F!"))
    progress.add(None)
    assert progress.line(30.0) == "3/4 episodes, 1 won (100%), 2 calls, 2 infra errors, 10 s left"


def test_what_is_read_back_is_no_measure_of_the_time_left():
    progress = Progress(INFO, 5, 0.0)
    progress.add(row("S"), read_back=True)
    assert "left" not in progress.line(1.0)
    progress.add(row("S"))
    assert progress.line(10.0).endswith("30 s left")


def test_plain_lines_come_every_half_minute_and_at_the_end():
    progress = Progress(INFO, 2, 100.0)
    progress.add(row("S"))
    assert not progress.due(129.0)
    assert progress.due(130.0)
    progress.shown_s = 130.0
    assert not progress.due(131.0)
    progress.add(row("S"))
    assert progress.due(131.0)


@pytest.mark.parametrize(
    ("number", "text"), [(999, "999"), (1_000, "1k"), (999_499, "999k"), (1_260_000, "1.3M")]
)
def test_short_numbers(number, text):
    assert short(number) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (89, "89 s"), (840, "14 min"), (12_000, "3 h 20 min")]
)
def test_durations(seconds, text):
    assert duration(seconds) == text


LEVELS = {"T1B_Basic_4m": "S", "T1B_Basic_6m": "FS", "T1B_Basic_7m": "VVF"}


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["alone", "xdist"])
def test_a_run_ends_with_the_table_and_the_paths(tmp_path, workers):
    model = script(tmp_path / "replies.json", **LEVELS)
    runs = tmp_path / "runs"
    run = bench(
        *(
            "--model",
            model,
            "--family",
            "T1B",
            "--limit",
            "3",
            "--session",
            "x",
            *workers,
            "--budget",
            "loose",
        ),
        runs_dir=runs,
    )
    assert run.code == 1, run.out
    assert run.out.count("PolyBridgeBench") == 1
    assert re.search(r"all levels +2/3 +3/3 +1/3 +2/3 +1/1\n", run.out)
    assert "3/3 levels, 2 won (67%), 6 calls" in run.out
    assert re.search(r"records: \S*x\nreport: +\S*reports/x/index\.html\n", run.out)
    assert (runs / "reports" / "x" / "index.html").exists()
    assert "T1B_Basic_7m: failure_or_timeout" in run.out
    assert re.search(r"^[.FE]+", run.out.split("FAILURES")[0], re.MULTILINE) is None

    # The export alone gives the same headline tables as the records.
    from reports.sources import load
    from reports.tables import render
    from reports.tables.registry import build_all

    both = [load(runs / "x"), load(runs / "x" / "report.json")]
    tables = [[render.csv_text(t) for t in build_all([s], headline_only=True)] for s in both]
    assert tables[0] == tables[1]
    assert both[0].info.hashes == both[1].info.hashes


def test_an_infra_error_is_told_and_the_table_is_printed(tmp_path):
    run = bench(
        *("--model", script(tmp_path / "r.json", T1B_Basic_4m="S", T1B_Basic_6m="F")),
        *("--family", "T1B", "--limit", "2", "--budget", "loose"),
        runs_dir=tmp_path / "runs",
        FAKE_DRIVER=fault(fault="T1B_Basic_6m"),
    )
    assert "INCOMPLETE: 1 infra_error, 0 not run" in run.out
    assert "\n2/2 levels, 1 won (100%), 1 calls, 1 infra errors\n" in f"\n{run.out}"


def test_other_pytest_runs_see_nothing(tmp_path):
    run = bench("--collect-only", runs_dir=tmp_path / "runs")
    assert "PolyBridgeBench" not in run.out
    run = bench(
        "-k", "durations", runs_dir=tmp_path / "runs", target="tests_unit/reports/test_progress.py"
    )
    assert run.code == 0, run.out
    assert "PolyBridgeBench" not in run.out
    assert "levels" not in run.out
