"""Which of K samples to trust: selection by what is known before physics, and the oracle.

A sample is judged by its last candidate, the one its episode ended with. Pure functions of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from reports.metrics import success_at
from reports.rows import CallRow, EpisodeRow

Score = Callable[[CallRow], float | None]


def cheapness(call: CallRow) -> float | None:
    """The cheaper the better; only candidates that broke no rule count."""
    return -call.cost if call.executed and call.cost is not None else None


def margin(call: CallRow) -> float | None:
    """Distance from breaking a rule; for a candidate that broke some, minus their number."""
    return call.measures.get("margin") if call.executed else -float(len(call.codes))


def confidence(call: CallRow) -> float | None:
    """What the model said."""
    return call.confidence


SELECTORS: Mapping[str, Score] = {
    "cheapest": cheapness,
    "margin": margin,
    "confidence": confidence,
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """Levels on which the choice won, of the levels on which there was something to choose by."""

    won: int
    levels: int


def by_level(rows: Iterable[EpisodeRow]) -> dict[str, list[EpisodeRow]]:
    """The results of every level, in the order of samples; levels in their order."""
    found: dict[str, list[EpisodeRow]] = {}
    for row in rows:
        if row.scored and row.calls:
            found.setdefault(row.level, []).append(row)
    return {level: sorted(samples, key=lambda r: r.sample) for level, samples in found.items()}


def choose(samples: Sequence[EpisodeRow], score: Score) -> EpisodeRow | None:
    """The sample whose last candidate scores best, the first of equals; None without a score."""
    best: tuple[float, EpisodeRow] | None = None
    for row in samples:
        value = score(row.calls[-1])
        if value is not None and (best is None or value > best[0]):
            best = (value, row)
    return None if best is None else best[1]


def best_of(levels: Mapping[str, Sequence[EpisodeRow]], score: Score, k: int) -> Chosen:
    """best@k by a score: of the first k samples of each level, the chosen one's success."""
    picks = [choose(samples[:k], score) for samples in levels.values()]
    known = [row for row in picks if row is not None]
    return Chosen(sum(success_at(row) for row in known), len(known))


def oracle(levels: Mapping[str, Sequence[EpisodeRow]], k: int) -> Chosen:
    """best@k if the winner were always known: any of the first k samples won."""
    wins = (any(success_at(r) for r in rows[:k]) for rows in levels.values())
    return Chosen(sum(wins), len(levels))
