"""From legal to working: valid, valid with a continuous deck, success, clean success."""

from __future__ import annotations

from collections.abc import Sequence

from reports.metrics import SUCCESS, VALID, Rate, rate, success_rate, valid_rate
from reports.rows import LIMIT_CALLS, EpisodeRow, SessionRows
from reports.tables.base import Number, Table, labels, notes

COLUMNS = (
    *("Budget", "Model", VALID, f"{VALID}, continuous deck", SUCCESS, f"Clean {SUCCESS}"),
    *(f"{VALID} - {SUCCESS} (points)", f"Deck - {SUCCESS} (points)"),
)


def build(sessions: Sequence[SessionRows]) -> Table:
    """One row a session."""
    rows = []
    for session, label in zip(sessions, labels(sessions), strict=True):
        valid, won = valid_rate(session.rows), success_rate(session.rows)
        deck = rate(session.rows, continuous)
        # Unknown is not broken: a share of what is known would be one of other episodes.
        known = clean_known(session.scored)
        clean = rate(session.rows, clean_success) if known else Number(None)
        rows.append((*label, valid, deck, won, clean, _gap(valid, won), _gap(deck, won)))
    below = (
        *notes(sessions),
        "A deck is continuous when road members lead over every gap; clean means that no member "
        "broke. Neither is a rule: a gap can be jumped, and a broken bridge can be crossed.",
    )
    return Table("deck", "From legal to working", COLUMNS, tuple(rows), 2, below)


def continuous(row: EpisodeRow) -> bool:
    """Whether a candidate entered physics with a continuous deck."""
    return any(
        call.executed and call.call <= LIMIT_CALLS and bool(call.marks.get("continuous_deck"))
        for call in row.calls
    )


def clean_success(row: EpisodeRow) -> bool:
    """Whether an execution succeeded without a broken member."""
    return any(
        call.won and call.call <= LIMIT_CALLS and bool(call.marks.get("clean"))
        for call in row.calls
    )


def clean_known(rows: Sequence[EpisodeRow]) -> bool:
    """Whether every success tells if a member broke; a screen does not show it."""
    return all(
        call.marks.get("clean") is not None for row in rows for call in row.calls if call.won
    )


def _gap(first: Rate, second: Rate) -> Number:
    if first.share is None or second.share is None:
        return Number(None)
    return Number(100 * (first.share - second.share), 1)
