"""Results by tag; a level may have several, so the rows never add up to the totals."""

from __future__ import annotations

from collections.abc import Sequence

from reports.rows import SessionRows
from reports.tables import subsets
from reports.tables.base import Table, labels, notes


def build(sessions: Sequence[SessionRows]) -> Table:
    """One row a tag and session, tags in alphabetical order."""
    tags = sorted({tag for session in sessions for row in session.rows for tag in row.tags})
    rows = []
    for tag in tags:
        for session, label in zip(sessions, labels(sessions), strict=True):
            part = [row for row in session.rows if tag in row.tags]
            if part:
                rows.append((tag, *label, *subsets.cells(part, session.info)))
    below = (*notes(sessions), "Tags overlap: the rows do not add up to the totals.")
    columns = ("Tag", "Budget", "Model", *subsets.COLUMNS)
    return Table("tags", "Tags", columns, tuple(rows), 3, below)
