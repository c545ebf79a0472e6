"""What successes cost in material and calls, and how designs and answers look."""

from __future__ import annotations

from collections.abc import Sequence

from reports.face import face_of
from reports.metrics import (
    SUCCESS,
    interaction_efficiency,
    material_efficiency,
    mean,
    success_rate,
)
from reports.rows import SessionRows
from reports.tables.base import Number, Table, labels, notes


def build(sessions: Sequence[SessionRows]) -> Table:
    """One row a session; means are over successes, their number behind them."""
    rows = []
    for session, label in zip(sessions, labels(sessions), strict=True):
        ratio, ratios = material_efficiency(session.rows)
        calls, successes = interaction_efficiency(session.rows)
        size, known = mean(row.winner.size for row in session.scored if row.winner)
        answers = [call for row in session.scored for call in row.calls]
        rows.append(
            (
                *label,
                success_rate(session.rows),
                Number(ratio, 3, count=ratios),
                Number(calls, count=successes),
                Number(size, 1, count=known),
                f"{sum(call.wrapped for call in answers)}/{len(answers)}",
                f"{sum(call.truncated for call in answers)}/{len(answers)}",
            )
        )
    size_name = face_of(sessions[0].info.domain).size
    columns = (
        *("Budget", "Model", SUCCESS, "Cost / strict limit", "Calls of a success", size_name),
        *("Wrapped answers", "Cut-off answers"),
    )
    below = (*notes(sessions), "Means are over successes and say nothing of lost levels.")
    return Table("efficiency", "Cost and interaction", columns, tuple(rows), 2, below)
