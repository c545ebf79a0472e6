"""Calibration of self-reported confidence: pure functions of (confidence, success) pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reports.rows import EpisodeRow

BINS = 10
Pair = tuple[float, bool]


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers whose confidence lies in [low, high), the last bin's upper end included."""

    low: float
    high: float
    count: int
    mean_confidence: float | None
    success_share: float | None


def pairs(rows: Iterable[EpisodeRow]) -> list[Pair]:
    """One pair for each call that stated a confidence: it, and whether that very design won."""
    return [
        (call.confidence, call.won)
        for row in rows
        if row.scored
        for call in row.calls
        if call.confidence is not None
    ]


def brier(found: Sequence[Pair]) -> float | None:
    """Mean squared distance of confidence and outcome: 0 is perfect, 0.25 a constant 0.5."""
    if not found:
        return None
    return sum((p - float(won)) ** 2 for p, won in found) / len(found)


def reliability(found: Sequence[Pair], bins: int = BINS) -> list[Bin]:
    """Equal-width bins over [0, 1]. Raises ValueError for a confidence outside of it."""
    parts: list[list[Pair]] = [[] for _ in range(bins)]
    for p, won in found:
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"confidence {p} must be between 0 and 1")
        parts[min(int(p * bins), bins - 1)].append((p, won))
    return [
        Bin(
            i / bins,
            (i + 1) / bins,
            len(part),
            sum(p for p, _ in part) / len(part) if part else None,
            sum(won for _, won in part) / len(part) if part else None,
        )
        for i, part in enumerate(parts)
    ]


def expected_calibration_error(found: Sequence[Pair], bins: int = BINS) -> float | None:
    """Mean over answers of |mean confidence - success share| of their bin (Naeini et al., 2015)."""
    if not found:
        return None
    gaps = (
        b.count * abs(b.mean_confidence - b.success_share)
        for b in reliability(found, bins)
        if b.mean_confidence is not None and b.success_share is not None
    )
    return sum(gaps) / len(found)
