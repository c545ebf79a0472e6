"""Repeats: pass@k and pass^k over the samples of a level."""

from __future__ import annotations

from collections.abc import Sequence

from reports import stats
from reports.metrics import SUCCESS, success_at, success_rate
from reports.rows import LIMIT_CALLS, EpisodeRow, SessionRows
from reports.tables.base import Cell, Number, Table, labels, notes


def build(sessions: Sequence[SessionRows]) -> Table | None:
    """One row a session with samples; None where there is none."""
    repeated = [s for s in sessions if s.info.samples > 1]
    if not repeated:
        return None
    most = max(s.info.samples for s in repeated)
    columns = ["Budget", "Model", "Levels", SUCCESS, f"{SUCCESS} by sample"]
    columns += [f"pass@{k}" for k in range(1, most + 1)]
    columns += [f"pass^{k}" for k in range(1, most + 1)]
    rows = [
        (*label, *_cells(session, most))
        for session, label in zip(repeated, labels(repeated), strict=True)
    ]
    below = (
        *notes(repeated),
        "pass@k: at least one of k samples wins; pass^k: all k win; both in percent, unbiased, "
        "mean over the levels with k results or more (their number), an episode being won at "
        f"call {LIMIT_CALLS} or before.",
    )
    return Table("samples", "Repeats", tuple(columns), tuple(rows), 2, below)


def _cells(session: SessionRows, most: int) -> tuple[Cell, ...]:
    levels: dict[str, list[EpisodeRow]] = {}
    for row in session.scored:
        levels.setdefault(row.level, []).append(row)
    counts = [(len(rows), sum(success_at(r) for r in rows)) for rows in levels.values()]
    by_sample = [
        f"{won.successes}/{won.total}"
        for sample in range(1, session.info.samples + 1)
        for won in [success_rate([r for r in session.rows if r.sample == sample])]
    ]
    found: list[Cell] = [len(counts), success_rate(session.rows), ", ".join(by_sample)]
    for estimate in (stats.pass_at_k, stats.pass_hat_k):
        for k in range(1, most + 1):
            values = [estimate(n, won, k) for n, won in counts if n >= k]
            mean = 100 * sum(values) / len(values) if values else None
            found.append(Number(mean, 1, count=len(values)))
    return tuple(found)
