"""Episodes as rows: frozen data that every metric, table and figure is a function of.

A row comes from one trajectory, or from the user properties of one test. What a source does not
carry is None, never zero. Nothing here reads a disk: see `reports.sources`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bench.domain import DEFAULT_DOMAIN, Measures
from bench.errors import RecordError
from bench.protocol import PAPER
from bench.records.schema import renewed_facts
from bench.task import Outcome

Json = Any
MeasuresOf = Callable[[Mapping[str, Json]], Measures]
"""What a domain reads off one call of a trajectory."""
LIMIT_CALLS = PAPER.calls
"""The paper's horizon: `@k` looks at calls 1 to k, k at most this."""
LETTERS = {
    Outcome.SUCCESS.value: "S",
    Outcome.FAILURE_OR_TIMEOUT.value: "F",
    Outcome.INVALID.value: "V",
}
"""How a call ended, in one letter."""


@dataclass(frozen=True, slots=True)
class CallRow:
    """One call. `attempt` numbers the physics attempt, None when nothing was executed.

    `repairs` is the feedback that its request carried: "violations", "execution" or None.
    `cost` is in the domain's unit. `size`, `measures` (numbers) and `marks` (words and flags,
    None for what a driver cannot know) are what the domain reads off the call; a measure named
    `margin` is how far a legal candidate is from breaking a rule. `seconds` is the reply's and
    the execution's time together, `confidence` what the model said of this very answer.
    """

    call: int
    status: str
    codes: tuple[str, ...] = ()
    attempt: int | None = None
    repairs: str | None = None
    cost: float | None = None
    size: int | None = None
    measures: Mapping[str, float] = field(default_factory=dict)
    marks: Mapping[str, str | bool | None] = field(default_factory=dict)
    input_tokens: int | None = None
    output_tokens: int | None = None
    truncated: bool = False
    wrapped: bool = False
    seconds: float | None = None
    confidence: float | None = None

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
    """One expected episode. `outcome` is None while it has not been run to its end.

    `limit` and `strict_limit` are in `unit`; `facts` is what the domain's own readers know of
    the level, such as its dimensions.
    """

    level: str
    sample: int = 1
    outcome: str | None = None
    family: str = ""
    group: str = ""
    suite: str = ""
    tags: tuple[str, ...] = ()
    strict_limit: float | None = None
    limit: float | None = None
    unit: str = ""
    facts: Mapping[str, Json] = field(default_factory=dict)
    calls: tuple[CallRow, ...] = ()

    @property
    def scored(self) -> bool:
        """Whether it is a result: finished, and not by a fault of ours."""
        return self.outcome is not None and self.outcome != Outcome.INFRA_ERROR

    @property
    def winner(self) -> CallRow | None:
        """The call that succeeded."""
        return next((call for call in self.calls if call.won), None)

    @property
    def letters(self) -> str:
        """How its calls ended, a letter each: `FVS`."""
        return "".join(LETTERS[call.status] for call in self.calls)


@dataclass(frozen=True)
class SessionInfo:
    """What a session is. `variants` are the options that left the paper's protocol.

    `calls` and `attempts` are the most that an episode may take. Prices are US dollars per
    million tokens. `hashes` fingerprint levels, prompt, simulator and so on, where the source
    has them.
    """

    name: str
    model: str
    budget: str
    samples: int = 1
    variants: tuple[str, ...] = ()
    calls: int = PAPER.calls
    attempts: int = PAPER.attempts
    price_input_usd: float | None = None
    price_output_usd: float | None = None
    driver: str = ""
    hashes: Mapping[str, str] = field(default_factory=dict)
    domain: str = DEFAULT_DOMAIN


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


def row_from_trajectory(trajectory: Mapping[str, Json], measures: MeasuresOf) -> EpisodeRow:
    """The row of a trajectory.json. Raises RecordError that names what is missing."""
    try:
        return EpisodeRow(
            outcome=trajectory["outcome"],
            calls=tuple(_call(call, measures) for call in trajectory["calls"]),
            **_level(trajectory["level"], trajectory["sample"], trajectory["facts"]),
        )
    except (KeyError, TypeError, AttributeError) as error:
        name = trajectory.get("level", "?") if isinstance(trajectory, Mapping) else "?"
        raise RecordError(f"trajectory of {name}: cannot be read ({error!r})") from None


def row_not_run(level: str, sample: int, facts: Mapping[str, Json]) -> EpisodeRow:
    """The row of an episode that has no result yet; `facts` may be empty."""
    return EpisodeRow(**_level(level, sample, facts))


GENERIC_FACTS = (
    *("level", "family", "group", "suite", "tags", "condition"),
    *("strict_limit", "limit", "unit"),
)
GEOMETRY = ("parameters", "scene")
"""What a scene file adds to the facts of a level; rows are kept in memory without it."""


def _level(level: str, sample: int, facts: Mapping[str, Json]) -> dict[str, Any]:
    own = facts.keys() - {*GENERIC_FACTS, *GEOMETRY}
    return {
        "level": level,
        "sample": sample,
        "family": facts.get("family") or level.split("_")[0],
        "group": facts.get("group") or "",
        "suite": facts.get("suite") or "",
        "tags": tuple(facts.get("tags") or ()),
        "strict_limit": facts.get("strict_limit"),
        "limit": facts.get("limit"),
        "unit": facts.get("unit") or "",
        "facts": {name: facts[name] for name in sorted(own)},
    }


def _call(call: Mapping[str, Json], measures: MeasuresOf) -> CallRow:
    design, notes = call.get("design") or {}, call.get("notes") or {}
    tokens, timing = call.get("tokens") or {}, call.get("timing") or {}
    spent = [timing.get("reply_s"), timing.get("execution_s")]
    known = [value for value in spent if value is not None]
    found = measures(call)
    return CallRow(
        call=call["call"],
        status=call["status"],
        codes=tuple(call["codes"]),
        attempt=call.get("attempt"),
        repairs=call.get("repairs"),
        cost=design.get("cost"),
        size=found.size,
        measures=dict(found.numbers),
        marks=dict(found.marks),
        input_tokens=tokens.get("input"),
        output_tokens=tokens.get("output"),
        truncated=call.get("finish_reason") == "length",
        wrapped=bool(notes.get("wrapped")),
        seconds=sum(known) if known else None,
        confidence=notes.get("confidence"),
    )


def row_from_properties(properties: Mapping[str, Json]) -> EpisodeRow:
    """The row of a test's user properties: enough for the headline tables, no more.

    Raises RecordError that names what is missing.
    """
    try:
        found = renewed_facts(properties)
        calls = _calls_of_lists(found["statuses"], found["codes"], found["costs"])
        facts = {name: found[name] for name in GENERIC_FACTS if name in found}
        return EpisodeRow(
            outcome=found["Outcome"],
            calls=tuple(calls),
            **_level(found["level"], found["sample"], facts),
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
