"""How a run is getting on, as one line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from bench.task import Outcome
from reports.rows import EpisodeRow, SessionInfo

PLAIN_EVERY_S = 30.0


@dataclass
class Progress:
    """Counts finished episodes. Times are seconds of the caller's clock.

    `expected` is what this run will do; what it only reads back or skips counts as done, and is
    no measure of the time that is left.
    """

    info: SessionInfo
    expected: int
    started_s: float
    read_back: int = 0
    faults: int = 0
    skipped: int = 0
    shown_s: float = 0.0
    scored: int = 0
    won: int = 0
    calls: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    usd: float | None = None

    def add(self, row: EpisodeRow | None, *, read_back: bool = False) -> None:
        """Count an episode; None is one without a record, a fault of ours."""
        from reports.metrics import spending

        self.read_back += read_back
        if row is None or not row.scored:
            self.faults += 1
        if row is None:
            return
        # Sums, not rows: a run of many thousand episodes must not slow down or grow.
        self.scored += row.scored
        self.won += row.outcome == Outcome.SUCCESS
        self.calls += len(row.calls)
        spent = spending([row], self.info)
        self.input_tokens = _sum(self.input_tokens, spent.input_tokens)
        self.output_tokens = _sum(self.output_tokens, spent.output_tokens)
        self.usd = _sum(self.usd, spent.usd)

    @property
    def done(self) -> int:
        """Episodes that ended, in whatever way."""
        return self.scored + self.faults + self.skipped

    def due(self, now_s: float) -> bool:
        """Whether a plain line should be printed now: every so often, and at the end."""
        return self.done >= self.expected or now_s - max(self.shown_s, self.started_s) >= (
            PLAIN_EVERY_S
        )

    def line(self, now_s: float) -> str:
        """`12/189 levels, 8 won (67%), 31 calls, 52k tokens, $0.12, 14 min left`."""
        unit = "episodes" if self.info.samples > 1 else "levels"
        parts = [f"{self.done}/{self.expected} {unit}", f"{self.won} won"]
        if self.scored:
            parts[-1] += f" ({100 * self.won / self.scored:.0f}%)"
        parts.append(f"{self.calls} calls")
        if self.input_tokens is not None or self.output_tokens is not None:
            parts.append(f"{short((self.input_tokens or 0) + (self.output_tokens or 0))} tokens")
        if self.usd is not None:
            parts.append(f"${self.usd:,.2f}")
        if self.faults:
            parts.append(f"{self.faults} infra errors")
        if self.skipped:
            parts.append(f"{self.skipped} skipped")
        left = self._left_s(now_s)
        if left is not None:
            parts.append(f"{duration(left)} left")
        return ", ".join(parts)

    def _left_s(self, now_s: float) -> float | None:
        fresh = self.done - self.read_back - self.skipped
        if fresh <= 0 or self.done >= self.expected:
            return None
        return (now_s - self.started_s) / fresh * (self.expected - self.done)


N = TypeVar("N", int, float)


def _sum(total: N | None, more: N | None) -> N | None:
    """The sum of what is known."""
    if total is None or more is None:
        return more if total is None else total
    return total + more


def short(number: int) -> str:
    """`950`, `52k`, `1.3M`."""
    if number < 1_000:
        return str(number)
    return f"{number / 1_000:.0f}k" if number < 999_500 else f"{number / 1e6:.1f}M"


def duration(seconds: float) -> str:
    """`40 s`, `14 min`, `3 h 20 min`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
