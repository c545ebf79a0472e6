"""Valid@3 and Success@3 by capability group, the sizes in the header."""

from __future__ import annotations

from collections.abc import Sequence

from reports.metrics import SUCCESS, VALID, success_rate, valid_rate
from reports.rows import SessionRows
from reports.tables.base import Cell, Table, in_order, labels, notes


def build(sessions: Sequence[SessionRows]) -> Table:
    """One row a session, two columns a group."""
    groups = in_order(sessions, "group")
    columns = ["Budget", "Model"]
    for group in groups:
        levels = {r.level for s in sessions for r in s.rows if r.group == group}
        columns += [f"{group} ({len(levels)}) {metric}" for metric in (VALID, SUCCESS)]
    rows: list[tuple[Cell, ...]] = []
    for session, label in zip(sessions, labels(sessions), strict=True):
        parts = [[r for r in session.rows if r.group == group] for group in groups]
        cells = [cell for p in parts for cell in (valid_rate(p), success_rate(p))]
        rows.append((*label, *cells))
    return Table("groups", "Capability groups", tuple(columns), tuple(rows), 2, notes(sessions))
