"""Hooks for `pytest bench`: progress while it runs, the headline table and paths at its end.

Acts in the controller, and only when a session is open; every other pytest run sees nothing.
"""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bench.errors import BenchError

if TYPE_CHECKING:
    from bench.records import Session
    from reports.progress import Progress
    from reports.rows import EpisodeRow

REPORTS_FOLDER = "reports"
"""Beside the sessions, not in them: records are the truth, and a report can be made again."""
LEVEL_TEST = "test_levels.py::test_level["


class ProgressLine:
    """Follows the episodes of a run. `live` rewrites one line of a terminal."""

    def __init__(self, config: pytest.Config, session: Session, expected: int) -> None:
        self.config = config
        self.session = session
        self.expected = expected
        self.verbosity = config.get_verbosity()
        reporter = config.pluginmanager.getplugin("terminalreporter")
        self.reporter: pytest.TerminalReporter | None = reporter
        self.live = bool(reporter and self.verbosity <= 0 and reporter.isatty())
        self.over = False
        self.started = time.time()
        self.skipped: set[str] = set()
        self._progress: Progress | None = None

    @property
    def progress(self) -> Progress:
        """The counts, made at first use."""
        from reports.progress import Progress
        from reports.sources import info_of

        if self._progress is None:
            info = info_of(self.session)
            self._progress = Progress(info, self.expected, time.monotonic())
        return self._progress

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: Any) -> tuple[str, str, str] | None:
        """Leave out the dots that the progress line replaces."""
        if self.over or self.verbosity > 0 or LEVEL_TEST not in getattr(report, "nodeid", ""):
            return None
        if report.when in ("setup", "teardown"):
            return None if report.passed else ("skipped" if report.skipped else "error", "", "")
        return (report.outcome, "", "") if report.outcome in ("passed", "failed") else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """From here on a report's status is asked for again, for the summary of failures."""
        self.over = True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count an episode when its test ends."""
        if LEVEL_TEST in report.nodeid and report.when == "setup" and report.skipped:
            # The driver cannot show this level; its teardown follows, and is no fault.
            self.skipped.add(report.nodeid)
            self.progress.skipped += 1
        crashed = report.when not in ("setup", "call", "teardown")
        if LEVEL_TEST not in report.nodeid or not (report.when == "teardown" or crashed):
            return
        if report.nodeid not in self.skipped:
            row, read_back = self._row(dict(report.user_properties))
            self.progress.add(row, read_back=read_back)
        self._show()

    @pytest.hookimpl(optionalhook=True)
    def pytest_json_modifyreport(self, json_report: dict[str, Any]) -> None:
        """Put into the exported JSON report what its tests cannot say of the session."""
        from bench.records import read_session
        from reports.sources import REPORT_KEY, configuration_of

        json_report[REPORT_KEY] = configuration_of(read_session(self.session.path))

    def _row(self, properties: dict[str, Any]) -> tuple[EpisodeRow | None, bool]:
        """The episode's row, and whether an earlier run made it. The truth is on disk."""
        from bench.records import Key
        from reports.rows import row_from_trajectory

        try:
            key = Key(level=properties["level"], sample=properties["sample"])
            trajectory = self.session.episode(key).trajectory
            if trajectory is None:
                return None, False
            before = _ended_before(trajectory.timing, self.started)
            return row_from_trajectory(trajectory.model_dump(mode="json")), before
        except (BenchError, KeyError, OSError):
            return None, False

    def _show(self) -> None:
        now = time.monotonic()
        if self.reporter is None or self.verbosity < -1:
            return
        text = self.progress.line(now)
        if self.live:
            width = shutil.get_terminal_size().columns - 1
            self.reporter.rewrite(text[:width], erase=True)
            if self.progress.done >= self.expected:
                self.reporter.write_line("")
        elif self.progress.due(now):
            self.progress.shown_s = now
            self.reporter.ensure_newline()
            self.reporter.write_line(text)


def _ended_before(timing: dict[str, Any], moment: float) -> bool:
    from datetime import datetime

    try:
        return datetime.fromisoformat(str(timing["ended"])).timestamp() < moment
    except (KeyError, ValueError):
        return False


def _session(config: pytest.Config) -> Session | None:
    """The open session of this run, in the controller; None anywhere else."""
    path = getattr(config.option, "session_path", None)
    if path is None or hasattr(config, "workerinput"):
        return None
    from bench.records import read_session

    try:
        return read_session(path)
    except BenchError:
        return None


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Without xdist: follow the selected tests."""
    if getattr(session.config.option, "dist", "no") == "no":
        _follow(session.config, [item.nodeid for item in session.items])


@pytest.hookimpl(optionalhook=True, trylast=True)
def pytest_xdist_node_collection_finished(node: Any, ids: list[str]) -> None:
    """With xdist: follow what the workers selected."""
    _follow(node.config, ids)


def _follow(config: pytest.Config, ids: list[str]) -> None:
    name = "benchmark-progress"
    session = _session(config)
    if session is None or config.pluginmanager.hasplugin(name):
        return
    expected = sum(LEVEL_TEST in node_id for node_id in ids)
    if expected:
        config.pluginmanager.register(ProgressLine(config, session, expected), name)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the headline table, and where records and report are."""
    session = _session(config)
    if session is None or config.get_verbosity() < -1:
        return
    from reports.build import report_of, write
    from reports.headline import headline
    from reports.sources import rows_of_session

    try:
        rows = rows_of_session(session)
    except BenchError as error:
        terminalreporter.write_line(f"no table: {error}", red=True)
        return
    if not rows.rows:
        return
    terminalreporter.section("PolyBridgeBench")
    terminalreporter.write_line(headline(rows))
    terminalreporter.write_line(f"records: {_shown(session.path)}")
    folder = session.path.parent / REPORTS_FOLDER / session.path.name
    try:
        terminalreporter.write_line(f"report:  {_shown(write(report_of([rows]), folder)[0])}")
    except BenchError as error:
        terminalreporter.write_line(f"no report: {error}", red=True)


def _shown(path: Path) -> str:
    """The path as a user would type it here."""
    try:
        return min(os.path.relpath(path), str(path), key=len)
    except ValueError:  # another drive
        return str(path)
