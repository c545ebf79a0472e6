"""Error composition: how many candidates carry each code, by call and over all."""

from __future__ import annotations

from collections.abc import Sequence

from reports.metrics import error_counts, levels_in_physics
from reports.rows import LIMIT_CALLS, SessionRows
from reports.tables.base import Cell, Number, Table, labels, notes


def build(sessions: Sequence[SessionRows]) -> Table:
    """One row a code and session, most frequent first; then the levels that reached physics."""
    last = max((c.call for s in sessions for r in s.rows for c in r.calls), default=LIMIT_CALLS)
    columns = ("Budget", "Model", "Code", *(f"Call {k}" for k in range(1, last + 1)))
    rows: list[tuple[Cell, ...]] = []
    for session, label in zip(sessions, labels(sessions), strict=True):
        counts = error_counts(session.rows)
        by_call = [error_counts(session.rows, k) for k in range(1, last + 1)]
        events = sum(counts.values())
        for code in sorted(counts, key=lambda code: (-counts[code], code)):
            share = Number(100 * counts[code] / events, 1)
            rows.append((*label, code, *(c[code] for c in by_call), counts[code], share))
        totals = (sum(c.values()) for c in by_call)
        rows.append((*label, "all events", *totals, events, Number(100.0 if events else None, 1)))
        reached = (levels_in_physics(session.rows), None)
        rows.append((*label, "levels that reached physics", *(None for _ in by_call), *reached))
    below = (
        *notes(sessions, rates=False),
        "A candidate counts once for each of its codes. Share: percent of the session's events.",
    )
    return Table("errors", "Error composition", (*columns, "All", "Share"), tuple(rows), 3, below)
