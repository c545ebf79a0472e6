"""Two sessions on the same levels: paired differences, exact tests, levels gained and lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bench.errors import InputError
from reports import stats
from reports.metrics import LONG_SUCCESS, SMALL, SUCCESS, VALID, Flag, success_at, valid_at
from reports.protocols import differing_hashes, domain_of
from reports.rows import EpisodeRow, SessionRows
from reports.tables.base import Cell, Number, Table

METRICS: tuple[tuple[str, Flag], ...] = (
    ("V@1", partial(valid_at, k=1)),
    (VALID, valid_at),
    ("S@1", partial(success_at, k=1)),
    (SUCCESS, success_at),
)
COLUMNS = (
    *("Metric", "Pairs", "A", "B", "B - A (points)", "95% low", "95% high", "Gained", "Lost"),
    *("McNemar p", "Holm p"),
)


@dataclass(frozen=True)
class Paired:
    """One metric over pairs of results of the same level and sample; A is the base.

    `difference` is B - A as a share, `interval` its 95% bootstrap over families, None with fewer
    than two.
    """

    pairs: int
    won_a: int
    won_b: int
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    interval: stats.Interval | None

    @property
    def difference(self) -> float:
        """B - A, as a share of the pairs."""
        return (self.won_b - self.won_a) / self.pairs if self.pairs else 0.0

    @property
    def p_value(self) -> float:
        """Exact two-sided McNemar p."""
        return stats.mcnemar(len(self.gained), len(self.lost))


@dataclass(frozen=True)
class Comparison:
    """B against A: over all, by family, and what stands against comparing them."""

    a: SessionRows
    b: SessionRows
    metrics: dict[str, Paired]
    families: dict[str, Paired]
    warnings: tuple[str, ...]

    @property
    def success(self) -> Paired:
        """Success@3 over all pairs."""
        return self.metrics[SUCCESS]

    def regressed(self, alpha: float) -> bool:
        """Whether Success@3 is lower with McNemar p <= alpha; 1 makes any net loss count."""
        return self.success.difference < 0 and self.success.p_value <= alpha


def compare(a: SessionRows, b: SessionRows) -> Comparison:
    """Compare B with A, which is the base.

    Raises InputError without a common result, and for sessions of two domains.
    """
    domain_of((a, b))
    pairs = _pairs(a, b)
    if not pairs:
        raise InputError(
            f"sessions {a.info.name} and {b.info.name} share no level with a result in both"
        )
    families: dict[str, list[tuple[EpisodeRow, EpisodeRow]]] = {}
    for pair in pairs:
        families.setdefault(pair[0].family, []).append(pair)
    return Comparison(
        a,
        b,
        {name: _paired(pairs, flag) for name, flag in METRICS},
        {name: _paired(part, success_at) for name, part in families.items()},
        tuple(_warnings(a, b, len(pairs))),
    )


def _pairs(a: SessionRows, b: SessionRows) -> list[tuple[EpisodeRow, EpisodeRow]]:
    others = {(row.level, row.sample): row for row in b.scored}
    found = ((row, others.get((row.level, row.sample))) for row in a.scored)
    return [(row, other) for row, other in found if other is not None]


def _paired(pairs: Sequence[tuple[EpisodeRow, EpisodeRow]], flag: Flag) -> Paired:
    flags = [(flag(first), flag(second), first) for first, second in pairs]
    clusters: dict[str, list[float]] = {}
    for before, after, row in flags:
        clusters.setdefault(row.family, []).append(float(after) - float(before))
    return Paired(
        pairs=len(flags),
        won_a=sum(before for before, _, _ in flags),
        won_b=sum(after for _, after, _ in flags),
        gained=tuple(_name(row) for before, after, row in flags if after and not before),
        lost=tuple(_name(row) for before, after, row in flags if before and not after),
        interval=stats.bootstrap_mean(list(clusters.values())),
    )


def _name(row: EpisodeRow) -> str:
    return row.level if row.sample == 1 else f"{row.level}-s{row.sample}"


def _warnings(a: SessionRows, b: SessionRows, pairs: int) -> list[str]:
    found = []
    if a.info.variants != b.info.variants:
        sides = [", ".join(s.info.variants) or "the paper's protocol" for s in (a, b)]
        found.append(f"the protocols differ: {sides[0]} in A, {sides[1]} in B")
    if a.info.budget != b.info.budget:
        found.append(f"the budgets differ: {a.info.budget} in A, {b.info.budget} in B")
    different = differing_hashes((a, b))
    if different:
        found.append(f"not the same benchmark: {', '.join(different)} changed between A and B")
    for side, session in (("A", a), ("B", b)):
        if session.missing:
            found.append(
                f"{side} is incomplete: {len(session.scored)} of {len(session.rows)} episodes "
                "have a result"
            )
    most = max(len(a.rows), len(b.rows))
    if pairs < most:
        found.append(f"compared on the {pairs} of {most} episodes that both have a result for")
    return found


def tables(comparison: Comparison) -> list[Table]:
    """Over all, by family, and the levels gained and lost."""
    c = comparison
    title = f"B = {c.b.info.name} against A = {c.a.info.name}"
    families = stats.holm([paired.p_value for paired in c.families.values()])
    rows = [_row(name, paired, None) for name, paired in c.metrics.items()]
    by_family = [
        _row(name, paired, p)
        for (name, paired), p in zip(c.families.items(), families, strict=True)
    ]
    levels: list[tuple[Cell, ...]] = [("gained", level) for level in c.success.gained]
    levels += [("lost", level) for level in c.success.lost]
    levels = levels or [("-", "none")]
    below = (
        f"A: {c.a.info.model}, {c.a.info.budget}. B: {c.b.info.model}, {c.b.info.budget}.",
        "Paired by level and sample; interval: families drawn with replacement; p: exact, "
        "two-sided McNemar; Holm: over the families of this comparison. Below "
        f"{SMALL} pairs there are counts and no points.",
        *(f"Mind: {warning}." for warning in c.warnings),
    )
    return [
        Table("compare", f"Comparison: {title}", COLUMNS, tuple(rows), 1, below),
        Table(
            "compare_families",
            f"{LONG_SUCCESS} by family: {title}",
            ("Family", *COLUMNS[1:]),
            tuple(by_family),
            1,
        ),
        Table(
            "compare_levels",
            f"Levels gained and lost: {title}",
            ("Change", "Level"),
            tuple(levels),
            2,
        ),
    ]


def _row(name: str, paired: Paired, holm: float | None) -> tuple[Cell, ...]:
    low, high = paired.interval or (None, None)
    enough = paired.pairs >= SMALL
    return (
        name,
        paired.pairs,
        paired.won_a,
        paired.won_b,
        Number(100 * paired.difference if enough else None, 1),
        Number(100 * low if low is not None and enough else None, 1),
        Number(100 * high if high is not None and enough else None, 1),
        len(paired.gained),
        len(paired.lost),
        Number(paired.p_value, 4),
        Number(holm, 4),
    )
