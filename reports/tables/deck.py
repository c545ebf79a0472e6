"""From legal to working: valid, valid with a continuous deck, success, clean success."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from reports.metrics import (
    Rate,
    clean_at,
    clean_known,
    continuous_at,
    rate,
    success_rate,
    valid_rate,
)
from reports.rows import SessionRows
from reports.tables.base import Number, Table, labels, notes

COLUMNS = (
    *("Budget", "Model", "V@3", "V@3, continuous deck", "S@3", "Clean S@3"),
    *("V@3 - S@3 (points)", "Deck - S@3 (points)"),
)


def build(sessions: Sequence[SessionRows]) -> Table:
    """One row a session."""
    rows = []
    for session, label in zip(sessions, labels(sessions), strict=True):
        valid, won = valid_rate(session.rows, 3), success_rate(session.rows, 3)
        deck = rate(session.rows, partial(continuous_at, k=3))
        # Unknown is not broken: a share of what is known would be one of other episodes.
        known = clean_known(session.scored)
        clean = rate(session.rows, partial(clean_at, k=3)) if known else Number(None)
        rows.append((*label, valid, deck, won, clean, _gap(valid, won), _gap(deck, won)))
    below = (
        *notes(sessions),
        "A deck is continuous when road members lead over every gap; clean means that no member "
        "broke. Neither is a rule: a gap can be jumped, and a broken bridge can be crossed.",
    )
    return Table("deck", "From legal to working", COLUMNS, tuple(rows), 2, below)


def _gap(first: Rate, second: Rate) -> Number:
    if first.share is None or second.share is None:
        return Number(None)
    return Number(100 * (first.share - second.share), 1)
