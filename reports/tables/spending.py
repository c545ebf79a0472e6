"""Tokens, dollars and seconds, in all and a success."""

from __future__ import annotations

from collections.abc import Sequence

from reports.metrics import spending, success_rate
from reports.rows import SessionRows
from reports.tables.base import Number, Table, labels, notes

COLUMNS = (
    *("Budget", "Model", "Successes", "Input tokens", "Output tokens", "Output tokens, call"),
    *("Cut-off answers", "Dollars", "Seconds", "Tokens / success", "Dollars / success"),
    "Seconds / success",
)


def build(sessions: Sequence[SessionRows]) -> Table:
    """One row a session; a success carries its share of what the losses took."""
    rows = []
    for session, label in zip(sessions, labels(sessions), strict=True):
        spent = spending(session.rows, session.info)
        won = success_rate(session.rows).successes
        calls = sum(len(row.calls) for row in session.scored)
        tokens = None
        if spent.input_tokens is not None or spent.output_tokens is not None:
            tokens = (spent.input_tokens or 0) + (spent.output_tokens or 0)
        rows.append(
            (
                *label,
                won,
                Number(spent.input_tokens, 0),
                Number(spent.output_tokens, 0),
                Number(_each(spent.output_tokens, calls), 0),
                spent.truncated,
                Number(spent.usd, 2, "$"),
                Number(spent.seconds, 0),
                Number(_each(tokens, won), 0),
                Number(_each(spent.usd, won), 3, "$"),
                Number(_each(spent.seconds, won), 1),
            )
        )
    below = (
        *notes(sessions, rates=False),
        "Over all results, won or lost. Tokens as the provider counted them; dollars at the "
        "prices of the session's model profile, none where it has none.",
    )
    return Table("spending", "Tokens, dollars and seconds", COLUMNS, tuple(rows), 2, below)


def _each(total: float | None, number: int) -> float | None:
    return None if total is None or not number else total / number
