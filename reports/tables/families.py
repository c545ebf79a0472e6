"""Results by family; families exclude each other and add up to the totals."""

from __future__ import annotations

from collections.abc import Sequence

from reports.rows import SessionRows
from reports.tables import subsets
from reports.tables.base import Table, in_order, labels, notes


def build(sessions: Sequence[SessionRows]) -> Table:
    """One row a family and session, families in the order of the levels."""
    rows = []
    for family in in_order(sessions, "family"):
        for session, label in zip(sessions, labels(sessions), strict=True):
            part = [row for row in session.rows if row.family == family]
            if part:
                rows.append((family, *label, *subsets.cells(part, session.info)))
    columns = ("Family", "Budget", "Model", *subsets.COLUMNS)
    return Table("families", "Families", columns, tuple(rows), 3, notes(sessions))
