"""Hooks for `pytest bench`: progress while it runs, the headline table and paths at its end.

Acts in the controller, and only when a session is open; every other pytest run sees nothing.
What the hooks print is made by `reports.following`.
"""

from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING, Any

import pytest

from bench.errors import BenchError

if TYPE_CHECKING:
    from bench.records import Session
    from reports.following import Follower

LEVEL_TEST = "test_levels.py::test_level["


class ProgressLine:
    """Follows the episodes of a run. `live` rewrites one line of a terminal."""

    def __init__(self, config: pytest.Config, follower: Follower) -> None:
        self.follower = follower
        self.verbosity = config.get_verbosity()
        reporter = config.pluginmanager.getplugin("terminalreporter")
        self.reporter: pytest.TerminalReporter | None = reporter
        self.live = bool(reporter and self.verbosity <= 0 and reporter.isatty())
        self.over = False

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
        if LEVEL_TEST not in report.nodeid:
            return
        if report.when == "setup" and report.skipped:
            self.follower.skip(report.nodeid)
        crashed = report.when not in ("setup", "call", "teardown")
        if report.when == "teardown" or crashed:
            self.follower.end(report.nodeid, dict(report.user_properties))
            self._show()

    @pytest.hookimpl(optionalhook=True)
    def pytest_json_modifyreport(self, json_report: dict[str, Any]) -> None:
        """Put into the exported JSON report what its tests cannot say of the session."""
        from bench.records import read_session
        from reports.sources import REPORT_KEY, configuration_of

        json_report[REPORT_KEY] = configuration_of(read_session(self.follower.session.path))

    def _show(self) -> None:
        if self.reporter is None or self.verbosity < -1:
            return
        now, progress = time.monotonic(), self.follower.progress
        text = progress.line(now)
        if self.live:
            width = shutil.get_terminal_size().columns - 1
            self.reporter.rewrite(text[:width], erase=True)
            if progress.done >= progress.expected:
                self.reporter.write_line("")
        elif progress.due(now):
            progress.shown_s = now
            self.reporter.ensure_newline()
            self.reporter.write_line(text)


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
    expected = sum(LEVEL_TEST in node_id for node_id in ids)
    if session is None or not expected or config.pluginmanager.hasplugin(name):
        return
    from reports.following import Follower

    follower = Follower(session, expected, time.monotonic(), time.time())
    config.pluginmanager.register(ProgressLine(config, follower), name)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the headline table, and where records and report are."""
    session = _session(config)
    if session is None or config.get_verbosity() < -1:
        return
    from reports.following import ending

    found = ending(session)
    if found.lines:
        terminalreporter.section("PolyBridgeBench")
    for line in found.lines:
        terminalreporter.write_line(line)
    if found.fault:
        terminalreporter.write_line(found.fault, red=True)
