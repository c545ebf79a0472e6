"""Success against cost: the share of levels won with at most x times the strict limit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from reports.metrics import cost_ratio, rate, success_at
from reports.rows import EpisodeRow, SessionRows
from reports.tables.base import Cell, Table, labels, notes

FACTORS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5, 2.0, 3.0, 5.0)
ROUNDING = 1e-9


def won_within(row: EpisodeRow, factor: float) -> bool:
    """Whether a success cost at most `factor` times the strict limit."""
    ratio = cost_ratio(row)
    return success_at(row) and ratio is not None and ratio <= factor + ROUNDING


def build(sessions: Sequence[SessionRows]) -> Table:
    """One row a session, one column a factor; loose sessions show what strict ones could win."""
    rows: list[tuple[Cell, ...]] = [
        (*label, *(rate(session.rows, partial(won_within, factor=x)) for x in FACTORS))
        for session, label in zip(sessions, labels(sessions), strict=True)
    ]
    columns = ("Budget", "Model", *(f"≤ {x:g}x" for x in FACTORS))
    return Table("cost_curve", "Success within a cost", columns, tuple(rows), 2, notes(sessions))
