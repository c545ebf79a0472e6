"""The toy's face: one table, one script, colours as resources."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reports.face import Face, TableEntry
from reports.rows import SessionRows
from reports.tables.base import Table, labels, notes


def leaning(sessions: Sequence[SessionRows]) -> Table:
    """How many winners lean, one row a session."""
    rows = []
    for session, label in zip(sessions, labels(sessions), strict=True):
        winners = [row.winner for row in session.scored if row.winner]
        rows.append((*label, sum(bool(call.marks["leans"]) for call in winners), len(winners)))
    columns = ("Budget", "Model", "Leaning", "Successes")
    return Table("leaning", "Leaning towers", columns, tuple(rows), 2, notes(sessions, rates=False))


def colour(measure: str) -> str | None:
    return f"{measure[7:]} (pegs)" if measure.startswith("colour ") else None


FACE = Face(
    question="Does the tower stand?",
    tables=(TableEntry("leaning", leaning, after="matrix"),),
    size="Pegs",
    resources=colour,
    resources_word="colours",
    assets=(Path(__file__).with_name("toy.js"),),
)
