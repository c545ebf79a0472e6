"""Best of K samples: chosen by price, by margin, by confidence, and by an oracle."""

from __future__ import annotations

from collections.abc import Sequence

from reports.rows import SessionRows
from reports.selection import SELECTORS, Chosen, best_of, by_level, oracle
from reports.tables.base import Cell, Number, Table, labels, notes

COLUMNS = (
    *("Budget", "Model", "K", "Levels", "first"),
    *(f"best@K {name}" for name in SELECTORS),
    *("best@K oracle", "Gap to oracle (points)"),
)


def build(sessions: Sequence[SessionRows]) -> Table | None:
    """One row a session with samples; None where there is none."""
    repeated = [s for s in sessions if s.info.samples > 1 and by_level(s.rows)]
    if not repeated:
        return None
    rows = [
        (*label, *_cells(session))
        for session, label in zip(repeated, labels(repeated), strict=True)
    ]
    below = (
        *notes(repeated, rates=False),
        "Levels won by the chosen sample, of the levels with something to choose by. A sample is "
        "judged by its last candidate: the cheapest legal one; the one furthest from breaking a "
        "rule; the one of highest stated confidence; the first among equals. Oracle: any won. The "
        "gap is the oracle's share less the best selection's.",
    )
    return Table("selection", "Best of K samples", COLUMNS, tuple(rows), 2, below)


def _cells(session: SessionRows) -> tuple[Cell, ...]:
    k, levels = session.info.samples, by_level(session.rows)
    first = best_of(levels, lambda call: 0.0, 1)
    chosen = [best_of(levels, score, k) for score in SELECTORS.values()]
    best = oracle(levels, k)
    # A selection that had no number on some levels cannot be set against all of them.
    shares = [c.won / c.levels for c in chosen if c.levels == best.levels]
    gap = 100 * (best.won / best.levels - max(shares)) if shares else None
    cells = (_text(c) for c in (first, *chosen, best))
    return (k, len(levels), *cells, Number(gap, 1))


def _text(chosen: Chosen) -> str | None:
    return f"{chosen.won}/{chosen.levels}" if chosen.levels else None
