"""How well models know what they know: Brier score and ECE of stated confidence."""

from __future__ import annotations

from collections.abc import Sequence

from reports.calibration import BINS, brier, expected_calibration_error, pairs
from reports.rows import SessionRows
from reports.tables.base import Cell, Number, Table, labels, notes

COLUMNS = (
    *("Budget", "Model", "Answers", "Mean confidence", "Success share"),
    *("Brier", f"ECE ({BINS} bins)"),
)


def build(sessions: Sequence[SessionRows]) -> Table | None:
    """One row a session in which a confidence was stated; None where there is none."""
    rows: list[tuple[Cell, ...]] = []
    stated = [s for s in sessions if pairs(s.rows)]
    for session, label in zip(stated, labels(stated), strict=True):
        found = pairs(session.rows)
        mean = sum(p for p, _ in found) / len(found)
        share = sum(won for _, won in found) / len(found)
        error = expected_calibration_error(found)
        numbers = [Number(value, 3) for value in (mean, share, brier(found), error)]
        rows.append((*label, len(found), *numbers))
    if not rows:
        return None
    below = (
        *notes(stated, rates=False),
        "Every answer with a confidence counts once, as a success when that very design "
        "succeeded. Brier: mean squared distance, 0.25 for a constant 0.5; ECE: mean gap between "
        "confidence and success share, by bins of equal width. Confidence is never scored.",
    )
    return Table("confidence", "Stated confidence", COLUMNS, tuple(rows), 2, below)
