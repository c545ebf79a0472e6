"""Follows a run by its records: each episode as it ends, the table and the report at the end."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.domain import get_domain
from bench.errors import BenchError
from bench.records import Key, Session
from reports.progress import Progress
from reports.rows import EpisodeRow, row_from_trajectory
from reports.sources import info_of, rows_of_session

REPORTS_FOLDER = "reports"
"""Beside the sessions, not in them: records are the truth, and a report can be made again."""


class Follower:
    """Counts the episodes of a run. Times: `now_s` of a steady clock, `began` of the day (s)."""

    def __init__(self, session: Session, expected: int, now_s: float, began: float) -> None:
        self.session = session
        self.began = began
        self.progress = Progress(info_of(session), expected, now_s)
        self._measures = get_domain(self.progress.info.domain).measures
        self._skipped: set[str] = set()

    def skip(self, node_id: str) -> None:
        """The driver cannot show this level; the test's end follows, and is no fault."""
        self._skipped.add(node_id)
        self.progress.skipped += 1

    def end(self, node_id: str, properties: Mapping[str, Any]) -> None:
        """Count an episode whose test ended."""
        if node_id in self._skipped:
            return
        row, read_back = self._row(properties)
        self.progress.add(row, read_back=read_back)

    def _row(self, properties: Mapping[str, Any]) -> tuple[EpisodeRow | None, bool]:
        """The episode's row, and whether an earlier run made it. The truth is on disk."""
        try:
            key = Key(level=properties["level"], sample=properties["sample"])
            trajectory = self.session.episode(key).trajectory
            if trajectory is None:
                return None, False
            before = _ended_before(trajectory.timing, self.began)
            return row_from_trajectory(trajectory.model_dump(mode="json"), self._measures), before
        except (BenchError, KeyError, OSError):
            return None, False


def _ended_before(timing: Mapping[str, Any], moment: float) -> bool:
    try:
        return datetime.fromisoformat(str(timing["ended"])).timestamp() < moment
    except (KeyError, ValueError):
        return False


@dataclass
class Ending:
    """What a run prints at its end: lines, and what went wrong with table or report."""

    lines: list[str] = field(default_factory=list)
    fault: str = ""


def ending(session: Session) -> Ending:
    """Write the report of a session beside it; gives the headline and where things are."""
    from reports.build import write
    from reports.headline import headline
    from reports.report import report_of

    found = Ending()
    try:
        rows = rows_of_session(session)
    except BenchError as error:
        return Ending(fault=f"no table: {error}")
    if not rows.rows:
        return found
    found.lines += [headline(rows), f"records: {shown(session.path)}"]
    folder = session.path.parent / REPORTS_FOLDER / session.path.name
    try:
        found.lines.append(f"report:  {shown(write(report_of([rows]), folder)[0])}")
    except BenchError as error:
        found.fault = f"no report: {error}"
    return found


def shown(path: Path) -> str:
    """The path as a user would type it here."""
    try:
        return min(os.path.relpath(path), str(path), key=len)
    except ValueError:  # another drive
        return str(path)
