"""Recovery and what it took: calls, physics attempts, repair calls, cost and material."""

from __future__ import annotations

from collections.abc import Sequence

from reports.metrics import (
    calls_all,
    cost_of_successes,
    effort,
    mean,
    recovery_rate,
)
from reports.rows import SessionRows
from reports.tables.base import Cell, Number, Table, labels, notes

COLUMNS = (
    *("Budget", "Model", "R@3", "Calls, all", "Physics attempts", "Attempts, all"),
    *("Validation-repair calls", "Physics-repair calls", "Cost, succ. (thousand $)"),
)


def build(sessions: Sequence[SessionRows]) -> Table:
    """One row a session; then a column of mean metres a successful design by material."""
    materials = list(
        dict.fromkeys(
            material
            for session in sessions
            for row in session.rows
            for call in row.calls
            for material in call.metres
        )
    )
    rows = [
        (*label, *_cells(session, materials))
        for session, label in zip(sessions, labels(sessions), strict=True)
    ]
    columns = (*COLUMNS, *(f"{material}, succ. (m)" for material in materials))
    extra = (
        "Calls, all and Attempts, all: mean over results. Validation-repair calls ended in a "
        "parse or validator failure, physics-repair calls carried feedback of an execution. "
        "Cost and metres: mean over successes (their number).",
    )
    return Table(
        "recovery", "Recovery and resources", columns, tuple(rows), 2, (*notes(sessions), *extra)
    )


def _cells(session: SessionRows, materials: Sequence[str]) -> tuple[Cell, ...]:
    work = effort(session.rows)
    cost, successes = cost_of_successes(session.rows)
    winners = [row.winner for row in session.scored if row.winner is not None]
    metres = [mean(c.metres.get(m, 0.0) for c in winners if c.metres) for m in materials]
    return (
        recovery_rate(session.rows, session.info),
        Number(calls_all(session.rows)[0]),
        work.attempts,
        Number(work.attempts / work.episodes if work.episodes else None),
        work.validation_repairs,
        work.physics_repairs,
        Number(None if cost is None else cost / 1000, 2, count=successes),
        *(Number(value, 1, count=number) for value, number in metres),
    )
