"""The cumulative curve: Valid and Success at every number of calls."""

from __future__ import annotations

from collections.abc import Sequence

from reports.metrics import K_CALLS, success_rate, valid_rate
from reports.rows import SessionRows
from reports.tables.base import Cell, Table, labels, notes

COLUMNS = ("Budget", "Model", *(f"{metric}@{k}" for metric in "VS" for k in K_CALLS))


def build(sessions: Sequence[SessionRows]) -> Table:
    """One row a session."""
    rows: list[tuple[Cell, ...]] = [
        (
            *label,
            *(valid_rate(session.rows, k) for k in K_CALLS),
            *(success_rate(session.rows, k) for k in K_CALLS),
        )
        for session, label in zip(sessions, labels(sessions), strict=True)
    ]
    return Table("cumulative", "By number of calls", COLUMNS, tuple(rows), 2, notes(sessions))
