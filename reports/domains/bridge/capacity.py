"""How much more than their vehicles successful bridges carry: a secondary measure."""

from __future__ import annotations

from collections.abc import Sequence

from reports.metrics import mean
from reports.rows import CallRow, SessionRows
from reports.tables.base import Cell, Number, Table, labels, notes

COLUMNS = (
    *("Budget", "Model", "Successes", "Mean capacity", "Least capacity"),
    *("Capacity per $1,000", "Mean static bound"),
)


def build(sessions: Sequence[SessionRows]) -> Table | None:
    """One row a session that recorded capacities; None where there is none."""
    measured = [(s, _winners(s)) for s in sessions if _winners(s)]
    if not measured:
        return None
    rows: list[tuple[Cell, ...]] = []
    names = labels([session for session, _ in measured])
    for (_, winners), label in zip(measured, names, strict=True):
        known = [call.measures["capacity"] for call in winners]
        per_1000 = [
            1000 * capacity / call.cost
            for capacity, call in zip(known, winners, strict=True)
            if capacity and call.cost
        ]
        bound, count = mean(call.measures.get("static_bound") for call in winners)
        cells = (Number(sum(known) / len(known)), Number(min(known)), Number(mean(per_1000)[0], 3))
        rows.append((*label, len(winners), *cells, Number(bound, count=count)))
    below = (
        *notes([session for session, _ in measured], rates=False),
        "Capacity: the largest multiplier of all vehicle weights that the successful design still "
        "carries, by bisection to 2% on [0.1, 8]. The static bound is the limit load of a linear "
        "programme for slow vehicles; as fast ones bounce, a design may carry a little more. "
        "Neither is scored.",
    )
    return Table("capacity", "Load capacity", COLUMNS, tuple(rows), 2, below)


def _winners(session: SessionRows) -> list[CallRow]:
    """The winning calls whose capacity was recorded."""
    won = [row.winner for row in session.scored]
    return [call for call in won if call is not None and "capacity" in call.measures]
