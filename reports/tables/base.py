"""What a table is made of: cells that know their numbers, and labels of sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reports.metrics import SMALL, Rate
from reports.rows import SessionRows, without_result

DAGGER = "†"
NONE = "-"


@dataclass(frozen=True)
class Number:
    """A number with its digits, what stands before it, and how many values it is the mean of."""

    value: float | None
    digits: int = 2
    prefix: str = ""
    count: int | None = None

    def text(self) -> str:
        """`$12.35 (96)`; a dash for none."""
        if self.value is None:
            return NONE
        sign = "-" if self.value < 0 else ""
        text = f"{sign}{self.prefix}{abs(self.value):,.{self.digits}f}"
        return text if self.count is None else f"{text} ({self.count})"


Cell = Rate | Number | str | int | None


@dataclass(frozen=True)
class Table:
    """A finished table. The first `labels` columns name a row; `notes` are sentences below it."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    labels: int = 1
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(
                    f"table {self.name}: {len(row)} cells, {len(self.columns)} columns"
                )


def cell_lines(cell: Cell) -> tuple[str, ...]:
    """A cell as lines of text: a rate has its share, n/N and two intervals, one below the other."""
    if cell is None:
        return (NONE,)
    if isinstance(cell, Number):
        return (cell.text(),)
    if not isinstance(cell, Rate):
        return (str(cell),)
    if not cell.total and not cell.missing:
        return (NONE,)
    counts = f"{cell.successes}/{cell.total}"
    lines = [counts]
    if cell.share is not None and cell.total >= SMALL:
        lines = [f"{100 * cell.share:.1f}%", counts, _range("[]", cell.interval)]
        if cell.family is not None:
            lines.append(f"{_range('{}', cell.family)} n {cell.effective_n:.0f}")
    if cell.bounds is not None:
        whole = cell.total + cell.missing
        low, high = cell.successes, cell.successes + cell.missing
        lines.append(f"{low} to {high} of {whole}")
    return tuple(lines)


def _range(brackets: str, interval: tuple[float, float]) -> str:
    return f"{brackets[0]}{100 * interval[0]:.1f}, {100 * interval[1]:.1f}{brackets[1]}"


RATE_NOTE = (
    f"A rate is its share, n/N, the 95% interval for these levels [Wilson], and over families "
    f"drawn with replacement {{bootstrap}} with its effective n; below {SMALL} only n/N."
)


def labels(sessions: Sequence[SessionRows]) -> list[tuple[str, str]]:
    """Budget and model of each session; its name too where two share both."""
    pairs = Counter((s.info.budget, s.info.model) for s in sessions)
    found = []
    for session in sessions:
        info = session.info
        model = info.model
        if pairs[info.budget, model] > 1:
            model += f" ({info.name})"
        found.append((info.budget, model + (f" {DAGGER}" if session.missing else "")))
    return found


def notes(sessions: Sequence[SessionRows], *, rates: bool = True) -> tuple[str, ...]:
    """What every table must say of its sessions: how rates read, and what is incomplete."""
    lines = [RATE_NOTE] if rates else []
    for session, (_, model) in zip(sessions, labels(sessions), strict=True):
        if session.missing:
            lines.append(
                f"{model} {session.info.budget}: incomplete, {len(session.scored)} of "
                f"{len(session.rows)} episodes have a result; the last line of a rate counts the "
                f"rest as lost, and as won. Without one: {without_result(session)}."
            )
        if session.info.samples > 1:
            lines.append(
                f"{model} {session.info.budget}: {session.info.samples} samples a level; the "
                "interval for these levels takes levels as clusters."
            )
    return tuple(lines)


def in_order(sessions: Sequence[SessionRows], field: str) -> list[str]:
    """The values of a row's field over all sessions, in the order in which they first come."""
    values = (getattr(row, field) for session in sessions for row in session.rows)
    return [value for value in dict.fromkeys(values) if value]
