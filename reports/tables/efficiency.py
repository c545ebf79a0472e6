"""What successes cost in material and calls, and how designs and answers look."""

from __future__ import annotations

from collections.abc import Sequence

from reports.metrics import (
    interaction_efficiency,
    material_efficiency,
    mean,
    success_rate,
)
from reports.rows import SessionRows
from reports.tables.base import Number, Table, labels, notes

COLUMNS = (
    *("Budget", "Model", "S@3", "Cost / strict limit", "Calls of a success", "Members"),
    *("Wrapped answers", "Cut-off answers"),
)


def build(sessions: Sequence[SessionRows]) -> Table:
    """One row a session; means are over successes, their number behind them."""
    rows = []
    for session, label in zip(sessions, labels(sessions), strict=True):
        ratio, ratios = material_efficiency(session.rows)
        calls, successes = interaction_efficiency(session.rows)
        members, known = mean(row.winner.members for row in session.scored if row.winner)
        answers = [call for row in session.scored for call in row.calls]
        rows.append(
            (
                *label,
                success_rate(session.rows, 3),
                Number(ratio, 3, count=ratios),
                Number(calls, count=successes),
                Number(members, 1, count=known),
                f"{sum(call.wrapped for call in answers)}/{len(answers)}",
                f"{sum(call.truncated for call in answers)}/{len(answers)}",
            )
        )
    below = (*notes(sessions), "Means are over successes and say nothing of lost levels.")
    return Table("efficiency", "Cost and interaction", COLUMNS, tuple(rows), 2, below)
