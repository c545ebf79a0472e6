"""The published figures of the paper, as far as they are known; no session of ours is in it."""

from __future__ import annotations

from collections.abc import Sequence

from reports import published
from reports.rows import SessionRows
from reports.tables.base import Number, Table

COLUMNS = ("Budget", "Model", "Levels", "Metric", "Published", "n")


def build(sessions: Sequence[SessionRows]) -> Table:
    """One row a figure; the sessions do not change it."""
    rows = tuple(
        (
            f.budget,
            f.model,
            f.scope,
            f.metric,
            Number(f.value, 2 if "limit" in f.metric else 1),
            f.n,
        )
        for f in published.figures()
    )
    return Table("published", "Published figures", COLUMNS, rows, 4, (published.source(),))
