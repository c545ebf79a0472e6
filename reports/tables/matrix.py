"""Every level's outcome, call by call, one column a session."""

from __future__ import annotations

from collections.abc import Sequence

from bench.task import Outcome
from reports.metrics import success_at
from reports.rows import EpisodeRow, SessionRows
from reports.tables.base import NONE, Table, labels, notes


def path(row: EpisodeRow) -> str:
    """`F→F→S`; `!` at the end for an infra error, a dash for an episode that was not run."""
    if row.outcome is None:
        return NONE
    steps = [*row.letters, *("!" if row.outcome == Outcome.INFRA_ERROR else "")]
    return "→".join(steps)


def build(sessions: Sequence[SessionRows]) -> Table:
    """One row a level, in the order in which they first come."""
    levels = {row.level: row for s in sessions for row in reversed(s.rows)}
    order = list(dict.fromkeys(row.level for s in sessions for row in s.rows))
    found: list[dict[str, list[EpisodeRow]]] = []
    for session in sessions:
        by_level: dict[str, list[EpisodeRow]] = {}
        for row in session.rows:
            by_level.setdefault(row.level, []).append(row)
        found.append(by_level)
    rows = [
        (level, levels[level].family, *(_cell(by_level.get(level, [])) for by_level in found))
        for level in order
    ]
    below = (
        *notes(sessions, rates=False),
        "S success, F failure or timeout in physics, V refused before physics, ! infra error "
        "(no result), - not run; several samples: successes of results.",
    )
    columns = ("Level", "Family", *(f"{model} {budget}" for budget, model in labels(sessions)))
    return Table("matrix", "Every level", columns, tuple(rows), 2, below)


def _cell(rows: Sequence[EpisodeRow]) -> str | None:
    if len(rows) <= 1:
        return path(rows[0]) if rows else None
    scored = [row for row in rows if row.scored]
    return f"{sum(success_at(row) for row in scored)} of {len(scored)}"
