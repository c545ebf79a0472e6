"""A ranking of complete sessions by Success@3, with intervals of the ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bench.protocol import CONDITIONS
from reports import stats
from reports.metrics import SUCCESS, VALID, success_at, success_rate, valid_rate
from reports.protocols import RESULT_HASHES, domain_of
from reports.rows import SessionRows
from reports.tables.base import RATE_NOTE, Cell, Table

COLUMNS = ("Budget", "Rank", "Rank, 95%", "Model", "Session", SUCCESS, "S@1", VALID)


def leaderboard(sessions: Sequence[SessionRows]) -> list[Table]:
    """The ranking, and the sessions that are kept apart with the reason.

    Raises InputError for sessions of two domains.
    """
    if sessions:
        domain_of(sessions)
    ranked: list[tuple[Cell, ...]] = []
    apart: list[tuple[Cell, ...]] = []
    kept, reasons = _sort_out(sessions)
    for budget in dict.fromkeys(s.info.budget for s in kept):
        group = [s for s in kept if s.info.budget == budget]
        group.sort(key=lambda s: -(success_rate(s.rows).share or 0.0))
        shares = [success_rate(s.rows).share or 0.0 for s in group]
        for session, share, (low, high) in zip(group, shares, rank_intervals(group), strict=True):
            rank = 1 + sum(other > share for other in shares)
            span = f"{low}" if low == high else f"{low} to {high}"
            rates = (success_rate(session.rows), success_rate(session.rows, 1))
            ranked.append(
                (
                    *(budget, rank, span, session.info.model, session.info.name),
                    *rates,
                    valid_rate(session.rows),
                )
            )
    for session, reason in reasons:
        apart.append((session.info.name, session.info.model, session.info.budget, reason))
    below = (
        RATE_NOTE,
        "Rank, 95%: ranks over draws of families with replacement, the same for all sessions.",
    )
    tables = [Table("leaderboard", "Leaderboard", COLUMNS, tuple(ranked), 5, below)]
    if apart:
        columns = ("Session", "Model", "Budget", "Reason")
        tables.append(Table("apart", "Kept apart", columns, tuple(apart), 4))
    return tables


def _sort_out(
    sessions: Sequence[SessionRows],
) -> tuple[list[SessionRows], list[tuple[SessionRows, str]]]:
    """Sessions that can be ranked together, and the others with the reason."""
    reasons: dict[int, str] = {}
    for i, session in enumerate(sessions):
        info = session.info
        if info.variants or info.budget not in CONDITIONS:
            reasons[i] = f"protocol variant: {', '.join(info.variants) or info.budget}"
        elif session.missing:
            reasons[i] = (
                f"incomplete: {len(session.scored)} of {len(session.rows)} episodes have a result"
            )
    left = [i for i in range(len(sessions)) if i not in reasons]
    # The largest set of levels is the board's; of its versions, the one that most sessions ran.
    tests = Counter(_test(sessions[i]) for i in left)
    chosen = max(tests, key=lambda test: (len(test[0]), tests[test]), default=None)
    for i in left:
        test = _test(sessions[i])
        if chosen is not None and test != chosen:
            levels = len(test[0])
            reasons[i] = f"other levels ({levels} of {len(chosen[0])})"
            if test[0] == chosen[0]:
                parts = [
                    n
                    for n, a, b in zip((*RESULT_HASHES, "driver"), test[1], chosen[1], strict=True)
                    if a != b
                ]
                reasons[i] = f"another version: {', '.join(parts)}"
    order = {budget: number for number, budget in enumerate(CONDITIONS)}
    kept = [sessions[i] for i in left if i not in reasons]
    kept.sort(key=lambda s: order[s.info.budget])
    return kept, [(sessions[i], reasons[i]) for i in sorted(reasons)]


def _test(session: SessionRows) -> tuple[frozenset[str], tuple[str | None, ...]]:
    levels = frozenset(row.level for row in session.rows)
    parts = (*(session.info.hashes.get(part) for part in RESULT_HASHES), session.info.driver)
    return levels, parts


def rank_intervals(
    sessions: Sequence[SessionRows], draws: int = stats.DRAWS, seed: int = stats.SEED
) -> list[tuple[int, int]]:
    """95% intervals of the ranks when families are drawn with replacement, jointly for all."""
    import numpy as np

    names = sorted({row.family for s in sessions for row in s.scored})
    if len(names) < 2 or not sessions:
        return [(1, len(sessions))] * len(sessions)
    won = np.array([[_sum(s, name, True) for name in names] for s in sessions], dtype=np.float64)
    all_ = np.array([[_sum(s, name, False) for name in names] for s in sessions], dtype=np.float64)
    weights = stats.cluster_weights(len(names), draws, seed)
    totals = weights @ all_.T
    shares = np.divide(weights @ won.T, totals, out=np.zeros_like(totals), where=totals > 0)
    ranks = 1 + (shares[:, None, :] > shares[:, :, None] + 1e-12).sum(axis=2)
    low, high = np.quantile(ranks, (0.025, 0.975), axis=0, method="nearest")
    return [(int(a), int(b)) for a, b in zip(low, high, strict=True)]


def _sum(session: SessionRows, family: str, won: bool) -> int:
    rows = [row for row in session.scored if row.family == family]
    return sum(map(success_at, rows)) if won else len(rows)
