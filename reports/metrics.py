"""The protocol's metrics: what an episode counts for, and rates over episodes.

Every flag reads calls alone, restricted to the horizon k. Rates are over results; episodes that
are none (infra errors, not run) stay in the rate as `missing`, with bounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from bench.protocol import PAPER
from reports import stats
from reports.rows import LIMIT_CALLS, EpisodeRow, SessionInfo

Flag = Callable[[EpisodeRow], bool]
SMALL = 20
"""Groups with fewer episodes show counts: a percentage would claim more than they hold."""
K_CALLS = range(1, LIMIT_CALLS + 1)
"""Every k of the metrics at k calls."""
VALID, SUCCESS, RECOVERY = (f"{letter}@{LIMIT_CALLS}" for letter in "VSR")
"""What tables call the three metrics at the horizon: `V@3`, `S@3`, `R@3`."""
LONG_VALID, LONG_SUCCESS, LONG_RECOVERY = (
    f"{name}@{LIMIT_CALLS}" for name in ("Valid", "Success", "Recovery")
)
"""What they are called where there is room."""


def valid_at(row: EpisodeRow, k: int = LIMIT_CALLS) -> bool:
    """Whether a candidate of calls 1..k entered physics."""
    return any(call.executed and call.call <= k for call in row.calls)


def success_at(row: EpisodeRow, k: int = LIMIT_CALLS) -> bool:
    """Whether an execution at call <= k succeeded."""
    return any(call.won and call.call <= k for call in row.calls)


def eligible(row: EpisodeRow, calls: int = PAPER.calls, attempts: int = PAPER.attempts) -> bool:
    """Whether an execution failed with a call and a physics attempt left."""
    return any(
        call.executed and not call.won and call.call < calls and (call.attempt or 0) < attempts
        for call in row.calls
    )


@dataclass(frozen=True)
class Rate:
    """A share with its intervals.

    `total` counts results; `missing` expected episodes are none. `interval` is 95% for these
    levels: Wilson's, with several samples at the effective n of level clusters. `family` is 95%
    for families like these (families drawn with replacement), `effective_n` its trials; both
    None with fewer than two families.
    """

    successes: int
    total: int
    missing: int = 0
    interval: stats.Interval = (0.0, 1.0)
    family: stats.Interval | None = None
    effective_n: float | None = None

    @property
    def share(self) -> float | None:
        """The share, None where nothing was counted."""
        return self.successes / self.total if self.total else None

    @property
    def bounds(self) -> stats.Interval | None:
        """The share if all that is missing were lost, and won; None where nothing is missing."""
        if not self.missing:
            return None
        whole = self.total + self.missing
        return self.successes / whole, (self.successes + self.missing) / whole


def rate(rows: Sequence[EpisodeRow], flag: Flag, among: Flag | None = None) -> Rate:
    """The share of results with `flag`, `among` those that a condition keeps."""
    scored = [row for row in rows if row.scored]
    counted = [row for row in scored if among is None or among(row)]
    won = [flag(row) for row in counted]
    successes, total = sum(won), len(won)
    trials = float(total)
    if any(row.sample > 1 for row in counted):
        trials = stats.clustered_n(*_clusters([row.level for row in counted], won))
    share = successes / total if total else 0.0
    families = _clusters([row.family for row in counted], won)
    family = stats.bootstrap_share(*families)
    return Rate(
        successes,
        total,
        len(rows) - len(scored),
        stats.wilson(share * trials, trials) if total else (0.0, 1.0),
        family,
        None if family is None else stats.clustered_n(*families),
    )


def _clusters(names: Sequence[str], won: Sequence[bool]) -> tuple[list[int], list[int]]:
    """Successes and totals by cluster, in the clusters' names' order."""
    totals = Counter(names)
    wins = Counter(name for name, flag in zip(names, won, strict=True) if flag)
    order = sorted(totals)
    return [wins[name] for name in order], [totals[name] for name in order]


def valid_rate(rows: Sequence[EpisodeRow], k: int = LIMIT_CALLS) -> Rate:
    """Valid@k."""
    return rate(rows, partial(valid_at, k=k))


def success_rate(rows: Sequence[EpisodeRow], k: int = LIMIT_CALLS) -> Rate:
    """Success@k."""
    return rate(rows, partial(success_at, k=k))


def recovery_rate(rows: Sequence[EpisodeRow], info: SessionInfo) -> Rate:
    """Recovery@3. A variant with fewer calls or attempts has fewer chances to recover."""
    calls, attempts = min(info.calls, PAPER.calls), min(info.attempts, PAPER.attempts)
    return rate(
        rows,
        partial(success_at, k=calls),
        partial(eligible, calls=calls, attempts=attempts),
    )


def mean(values: Iterable[float | None]) -> tuple[float | None, int]:
    """The mean of the known values, and their number."""
    known = [value for value in values if value is not None]
    return (sum(known) / len(known), len(known)) if known else (None, 0)


def calls_all(rows: Iterable[EpisodeRow]) -> tuple[float | None, int]:
    """Mean calls over all results."""
    return mean(len(row.calls) for row in rows if row.scored)


def cost_of_successes(rows: Iterable[EpisodeRow]) -> tuple[float | None, int]:
    """Mean cost of the successful designs in the domain's unit, and their number."""
    return mean(row.winner.cost for row in rows if row.scored and row.winner)


def cost_ratio(row: EpisodeRow) -> float | None:
    """Cost over strict limit of the successful design, None without one."""
    if row.winner is None or row.winner.cost is None or not row.strict_limit:
        return None
    return row.winner.cost / row.strict_limit


def material_efficiency(rows: Iterable[EpisodeRow]) -> tuple[float | None, int]:
    """Mean cost over strict limit of the successful designs."""
    return mean(cost_ratio(row) for row in rows if row.scored)


def interaction_efficiency(rows: Iterable[EpisodeRow]) -> tuple[float | None, int]:
    """Mean calls of the successful episodes."""
    return mean(row.winner.call for row in rows if row.scored and row.winner)


@dataclass(frozen=True)
class Effort:
    """Sums over results: calls, physics attempts, and the calls that repaired.

    `validation_repairs` are rounds that ended in a parse or validator failure,
    `physics_repairs` are requests that carried feedback of an execution.
    """

    episodes: int
    calls: int
    attempts: int
    validation_repairs: int
    physics_repairs: int


def effort(rows: Iterable[EpisodeRow]) -> Effort:
    """The effort of all results."""
    scored = [row for row in rows if row.scored]
    calls = [call for row in scored for call in row.calls]
    return Effort(
        episodes=len(scored),
        calls=len(calls),
        attempts=sum(call.executed for call in calls),
        validation_repairs=sum(not call.executed for call in calls),
        physics_repairs=sum(call.repairs == "execution" for call in calls),
    )


def error_counts(rows: Iterable[EpisodeRow], call: int | None = None) -> Counter[str]:
    """How many candidates carry each code, at one call or at all; once a candidate."""
    return Counter(
        code
        for row in rows
        if row.scored
        for c in row.calls
        if call is None or c.call == call
        for code in dict.fromkeys(c.codes)
    )


def levels_in_physics(rows: Iterable[EpisodeRow]) -> int:
    """How many levels had a candidate that entered physics."""
    return len({row.level for row in rows if row.scored and any(c.executed for c in row.calls)})


@dataclass(frozen=True)
class Spending:
    """Sums over results, None where nothing is known; `usd` is the model's bill at its prices."""

    input_tokens: int | None
    output_tokens: int | None
    seconds: float | None
    usd: float | None
    truncated: int


def spending(rows: Iterable[EpisodeRow], info: SessionInfo) -> Spending:
    """What the results took."""
    calls = [call for row in rows if row.scored for call in row.calls]
    tokens_in = _total(call.input_tokens for call in calls)
    tokens_out = _total(call.output_tokens for call in calls)
    usd = None
    if None not in (tokens_in, tokens_out, info.price_input_usd, info.price_output_usd):
        spent = (tokens_in or 0) * (info.price_input_usd or 0.0)
        usd = (spent + (tokens_out or 0) * (info.price_output_usd or 0.0)) / 1_000_000
    return Spending(
        None if tokens_in is None else int(tokens_in),
        None if tokens_out is None else int(tokens_out),
        _total(call.seconds for call in calls),
        usd,
        sum(call.truncated for call in calls),
    )


def _total(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
