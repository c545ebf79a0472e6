"""The table that a terminal shows at the end of a run, and the lines around it. Plain text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

from reports.metrics import (
    LONG_RECOVERY,
    LONG_SUCCESS,
    LONG_VALID,
    SMALL,
    Rate,
    effort,
    recovery_rate,
    spending,
    success_rate,
    valid_rate,
)
from reports.rows import EpisodeRow, SessionRows, without_result

WIDTH = 100
NAME_WIDTH = 27
RATE_WIDTH = 13
COLUMNS = ("Valid@1", LONG_VALID, "Success@1", LONG_SUCCESS, LONG_RECOVERY)
OUTCOMES = ("success", "failure_or_timeout", "invalid", "infra_error")


@dataclass(frozen=True)
class Scope:
    """One line of the table: a name, its indentation, and its episodes."""

    name: str
    level: int
    rows: tuple[EpisodeRow, ...]


def scopes(rows: Sequence[EpisodeRow]) -> list[list[Scope]]:
    """All levels, then suites, groups and families, each in the order of the episodes."""
    blocks = [[Scope("all levels", 0, tuple(rows))]]
    for field in ("suite", "group", "family"):
        names = list(dict.fromkeys(getattr(row, field) or "(unknown)" for row in rows))
        blocks.append(
            [
                Scope(n, 1, tuple(r for r in rows if (getattr(r, field) or "(unknown)") == n))
                for n in names
            ]
        )
    return blocks


def headline(session: SessionRows) -> str:
    """The whole summary: title, warnings, table, intervals, counters; at most 100 columns."""
    lines = [*_title(session), "", _columns(), "-" * _width()]
    for title, block in zip(("", "suite", "group", "family"), scopes(session.rows), strict=True):
        if title:
            lines.append(title)
        lines += [_line(scope, session) for scope in block]
    return "\n".join([*lines, "-" * _width(), *_foot(session)])


def _title(session: SessionRows) -> list[str]:
    info = session.info
    lines = [
        f"{info.model}, {info.budget} budget: "
        f"{len(session.scored)} of {len(session.rows)} episodes have a result"
        + (f" ({info.samples} samples a level)" if info.samples > 1 else "")
    ]
    if info.variants:
        lines.append(f"PROTOCOL VARIANT ({', '.join(info.variants)}): not comparable to the paper")
    if session.missing:
        found = [sum(row.outcome == "infra_error" for row in session.rows)]
        found.append(sum(row.outcome is None for row in session.rows))
        bounds = success_rate(session.rows).bounds or (0.0, 1.0)
        lines += [
            f"INCOMPLETE: {found[0]} infra_error, {found[1]} not run; continue with --resume. "
            "Rates are over results;",
            f"{LONG_SUCCESS} over all {len(session.rows)} lies between {100 * bounds[0]:.1f}% "
            f"(all of them lost) and {100 * bounds[1]:.1f}% (all won).",
            *wrap(f"Without one: {without_result(session)}.", WIDTH),
        ]
    return lines


def _width() -> int:
    return NAME_WIDTH + (RATE_WIDTH + 1) * len(COLUMNS)


def _columns() -> str:
    return " " * NAME_WIDTH + "".join(f" {name:>{RATE_WIDTH}}" for name in COLUMNS)


def _line(scope: Scope, session: SessionRows) -> str:
    rates = (
        valid_rate(scope.rows, 1),
        valid_rate(scope.rows),
        success_rate(scope.rows, 1),
        success_rate(scope.rows),
        recovery_rate(scope.rows, session.info),
    )
    name = ("  " * scope.level + scope.name)[:NAME_WIDTH]
    cells = "".join(f" {cell(r):>{RATE_WIDTH}}" for r in rates)
    return f"{name:<{NAME_WIDTH}}{cells}"


def cell(rate: Rate) -> str:
    """`96/189 50.8%`; below 20 counts alone."""
    counts = f"{rate.successes}/{rate.total}"
    if rate.share is None:
        return "-"
    if rate.total < SMALL:
        return counts
    share = "100%" if rate.successes == rate.total else f"{100 * rate.share:.1f}%"
    return f"{counts} {share:>5}"


def _foot(session: SessionRows) -> list[str]:
    won = success_rate(session.rows)
    spent, work = spending(session.rows, session.info), effort(session.rows)
    lines = []
    if won.total:
        lines.append(f"{LONG_SUCCESS}, 95% intervals: {percent(won.interval)} for these levels")
        if won.family is not None and won.effective_n is not None:
            lines[-1] += f", {percent(won.family)} over families (n {won.effective_n:.0f})"
    counts = [(name, sum(row.outcome == name for row in session.rows)) for name in OUTCOMES]
    lines.append("outcomes: " + ", ".join(f"{number} {name}" for name, number in counts if number))
    if work.episodes:
        lines.append(
            f"an episode: {work.calls / work.episodes:.2f} calls, "
            f"{work.attempts / work.episodes:.2f} physics attempts; repair calls: "
            f"{work.validation_repairs} validation, {work.physics_repairs} physics"
        )
    lines += money(spent.input_tokens, spent.output_tokens, spent.usd, spent.truncated)
    if any(0 < won < SMALL for won in (len(s.rows) for b in scopes(session.rows) for s in b)):
        lines.append(
            f"groups under {SMALL} show counts; {LONG_RECOVERY} is over the eligible episodes"
        )
    return lines


def money(
    tokens_in: int | None, tokens_out: int | None, usd: float | None, truncated: int
) -> list[str]:
    """Tokens and dollars in one line, none where nobody counted."""
    if tokens_in is None and tokens_out is None:
        return []
    text = f"tokens: {tokens_in or 0:,} in, {tokens_out or 0:,} out"
    text += "" if usd is None else f" (${usd:,.2f})"
    return [text + (f"; {truncated} answers cut off by length" if truncated else "")]


def percent(interval: tuple[float, float]) -> str:
    """`43.7% to 57.8%`."""
    return f"{100 * interval[0]:.1f}% to {100 * interval[1]:.1f}%"
