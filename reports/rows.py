"""Episodes as rows: frozen data that every metric, table and figure is a function of.

A row comes from one trajectory, or from the user properties of one test. What a source does not
carry is None, never zero. Nothing here reads a disk: see `reports.sources`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bench.errors import RecordError
from bench.task import Outcome

Json = Any
LIMIT_CALLS = 3
"""The paper's horizon: `@k` looks at calls 1 to k, k at most this."""


@dataclass(frozen=True, slots=True)
class CallRow:
    """One call. `attempt` numbers the physics attempt, None when nothing was executed.

    `repairs` is the feedback that its request carried: "violations", "execution" or None.
    Metres are by material; `seconds` is the reply's and the execution's time together.
    `confidence` is what the model said of this very answer; `margin` how far a legal candidate
    is from breaking a rule; `capacity` and `static_bound` are multipliers of vehicle weights.
    """

    call: int
    status: str
    codes: tuple[str, ...] = ()
    attempt: int | None = None
    repairs: str | None = None
    cost: float | None = None
    members: int | None = None
    metres: Mapping[str, float] = field(default_factory=dict)
    clean: bool | None = None
    continuous_deck: bool | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    truncated: bool = False
    wrapped: bool = False
    seconds: float | None = None
    confidence: float | None = None
    margin: float | None = None
    capacity: float | None = None
    static_bound: float | None = None

    @property
    def executed(self) -> bool:
        """Whether this call's candidate entered physics."""
        return self.status in (Outcome.SUCCESS, Outcome.FAILURE_OR_TIMEOUT)

    @property
    def won(self) -> bool:
        """Whether this call's candidate succeeded."""
        return self.status == Outcome.SUCCESS


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """One expected episode. `outcome` is None while it has not been run to its end."""

    level: str
    sample: int = 1
    outcome: str | None = None
    family: str = ""
    group: str = ""
    suite: str = ""
    tags: tuple[str, ...] = ()
    span_m: float | None = None
    strict_limit: float | None = None
    limit: float | None = None
    calls: tuple[CallRow, ...] = ()

    @property
    def scored(self) -> bool:
        """Whether it is a result: finished, and not by a fault of ours."""
        return self.outcome is not None and self.outcome != Outcome.INFRA_ERROR

    @property
    def winner(self) -> CallRow | None:
        """The call that succeeded."""
        return next((call for call in self.calls if call.won), None)


@dataclass(frozen=True)
class SessionInfo:
    """What a session is. `variants` are the options that left the paper's protocol.

    Prices are US dollars per million tokens. `hashes` fingerprint levels, prompt, simulator and
    so on, where the source has them.
    """

    name: str
    model: str
    budget: str
    samples: int = 1
    variants: tuple[str, ...] = ()
    calls: int = 3
    attempts: int = 3
    price_input_usd: float | None = None
    price_output_usd: float | None = None
    driver: str = ""
    hashes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SessionRows:
    """A session and all of its expected episodes, in their order.

    `path` is its folder, for what shows more than rows (pictures, replays); None without one.
    """

    info: SessionInfo
    rows: tuple[EpisodeRow, ...]
    path: Path | None = field(default=None, compare=False)

    @property
    def scored(self) -> tuple[EpisodeRow, ...]:
        """The episodes that are results."""
        return tuple(row for row in self.rows if row.scored)

    @property
    def missing(self) -> int:
        """How many expected episodes are no result: infra errors and those not run."""
        return len(self.rows) - len(self.scored)


def without_result(session: SessionRows, most: int = 5) -> str:
    """The episodes that are no result by name, the first few of them."""
    left = [row for row in session.rows if not row.scored]
    names = [row.level if row.sample == 1 else f"{row.level} s{row.sample}" for row in left]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def row_from_trajectory(trajectory: Mapping[str, Json]) -> EpisodeRow:
    """The row of a trajectory.json. Raises RecordError that names what is missing."""
    try:
        facts = trajectory["facts"]
        return EpisodeRow(
            outcome=trajectory["outcome"],
            calls=tuple(_call(call) for call in trajectory["calls"]),
            **_level(trajectory["level"], trajectory["sample"], facts),
        )
    except (KeyError, TypeError, AttributeError) as error:
        name = trajectory.get("level", "?") if isinstance(trajectory, Mapping) else "?"
        raise RecordError(f"trajectory of {name}: cannot be read ({error!r})") from None


def row_not_run(level: str, sample: int, facts: Mapping[str, Json]) -> EpisodeRow:
    """The row of an episode that has no result yet; `facts` may be empty."""
    return EpisodeRow(**_level(level, sample, facts))


def _level(level: str, sample: int, facts: Mapping[str, Json]) -> dict[str, Any]:
    return {
        "level": level,
        "sample": sample,
        "family": facts.get("family") or level.split("_")[0],
        "group": facts.get("group") or "",
        "suite": facts.get("suite") or "",
        "tags": tuple(facts.get("tags") or ()),
        "span_m": facts.get("span_m"),
        "strict_limit": facts.get("strict_limit"),
        "limit": facts.get("limit"),
    }


def _call(call: Mapping[str, Json]) -> CallRow:
    design, execution = call.get("design") or {}, call.get("execution") or {}
    tokens, timing = call.get("tokens") or {}, call.get("timing") or {}
    notes, capacity = call.get("notes") or {}, execution.get("capacity") or {}
    spent = [timing.get("reply_s"), timing.get("execution_s")]
    known = [value for value in spent if value is not None]
    return CallRow(
        call=call["call"],
        status=call["status"],
        codes=tuple(call["codes"]),
        attempt=call.get("attempt"),
        repairs=call.get("repairs"),
        cost=design.get("cost"),
        members=design.get("members"),
        metres=design.get("metres_by_material") or {},
        clean=execution.get("clean"),
        continuous_deck=execution.get("continuous_deck"),
        input_tokens=tokens.get("input"),
        output_tokens=tokens.get("output"),
        truncated=call.get("finish_reason") == "length",
        wrapped=bool(notes.get("wrapped")),
        seconds=sum(known) if known else None,
        confidence=notes.get("confidence"),
        margin=design.get("margin"),
        capacity=capacity.get("multiplier"),
        static_bound=capacity.get("static_bound"),
    )


def row_from_properties(properties: Mapping[str, Json]) -> EpisodeRow:
    """The row of a test's user properties: enough for the headline tables, no more.

    Raises RecordError that names what is missing.
    """
    try:
        statuses, codes = properties["statuses"], properties["codes"]
        costs = properties["costs"]
        return EpisodeRow(
            outcome=properties["Outcome"],
            calls=tuple(_calls_of_lists(statuses, codes, costs)),
            **_level(properties["level"], properties["sample"], properties),
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise RecordError(f"user properties of a test: cannot be read ({error!r})") from None


def _calls_of_lists(
    statuses: Sequence[str], codes: Sequence[Sequence[str]], costs: Sequence[float | None]
) -> list[CallRow]:
    rows: list[CallRow] = []
    for number, (status, found, cost) in enumerate(zip(statuses, codes, costs, strict=True), 1):
        call = CallRow(number, status, tuple(found), cost=cost)
        repairs = None if not rows else "execution" if rows[-1].executed else "violations"
        attempt = 1 + sum(row.executed for row in rows) if call.executed else None
        rows.append(replace(call, attempt=attempt, repairs=repairs))
    return rows
