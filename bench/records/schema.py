"""The schemas of the JSON records. A field added or changed raises the version in its name."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bench.domain import DEFAULT_DOMAIN
from bench.errors import RecordError
from bench.task import Outcome

Json = Any
OLD_TRAJECTORIES = ("pbb-trajectory-1", "pbb-trajectory-2")
FIRST_UNIT = "usd"
"""What amounts were counted in while records knew one domain; their fields' names ended in it."""
AnyOutcome = Annotated[Outcome, Field(strict=False)]  # a file holds its value
Status = Literal["success", "failure_or_timeout", "invalid"]
R = TypeVar("R", bound="Record")


class Strict(BaseModel):
    """No coercion, no unknown field, no NaN."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class Record(Strict):
    """One record file. `kind` is the value of its `schema` field."""

    kind: ClassVar[str]

    def dump(self) -> dict[str, Json]:
        """The record as a JSON object, `schema` first."""
        return {"schema": self.kind, **self.model_dump(mode="json")}

    @classmethod
    def load(cls: type[R], value: Json, name: str) -> R:
        """Read a JSON object. Raises RecordError that names the file and the first fault."""
        found = value.get("schema") if isinstance(value, dict) else None
        if found != cls.kind:
            raise RecordError(f"{name}: schema is {found!r}; this version reads {cls.kind!r}")
        fields = {key: item for key, item in value.items() if key != "schema"}
        try:
            return cls.model_validate(fields)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "the record"
            raise RecordError(f"{name}: {place}: {first['msg']}") from None


class Picture(Strict):
    """A picture by reference: its name in the prompt, its file within the episode, its hash."""

    name: str
    file: str
    sha256: str


class Request(Record):
    """request.json: what is about to be sent, pictures by reference.

    `messages` hold `{"role", "parts"}`; a part is `{"text"}` or `{"image"}`, a picture's name.
    """

    kind: ClassVar[str] = "pbb-request-1"
    level: str
    call: int
    sample: int
    request_sha256: str
    messages: list[Json]
    data: Json
    pictures: list[Picture]
    timing: dict[str, Json]


class Tokens(Strict):
    """Tokens as the provider counted them; None where it did not say."""

    input: int | None = None
    output: int | None = None
    reasoning: int | None = None


class UsageRecord(Strict):
    """Tokens as a client gives them; a replay reads them back by these names."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None


class Response(Record):
    """response.json: a complete choice, as it came (its text up to the size limit)."""

    kind: ClassVar[str] = "pbb-response-1"
    text: str
    cut: bool
    finish_reason: str | None
    usage: UsageRecord
    reasoning: str | None
    meta: dict[str, Json]
    timing: dict[str, Json]

    @property
    def tokens(self) -> Tokens:
        """The usage as the trajectory carries it."""
        u = self.usage
        return Tokens(input=u.input_tokens, output=u.output_tokens, reasoning=u.reasoning_tokens)


class ViolationRecord(Strict):
    """One broken rule."""

    code: str
    message: str
    ids: list[int]
    values: dict[str, Json]


class ExecutionRecord(Record):
    """execution.json: one physics attempt, written after its files and before any feedback."""

    kind: ClassVar[str] = "pbb-execution-1"
    outcome: Literal["success", "failure_or_timeout"]
    summary: dict[str, Json]
    facts: dict[str, Json]
    files: dict[str, str]
    pictures: list[Picture]
    timing: dict[str, Json]


class FeedbackRecord(Record):
    """feedback.json: what the next call is told; with it, a call is finished."""

    kind: ClassVar[str] = "pbb-feedback-1"
    feedback: Literal["violations", "execution", "success"]
    data: dict[str, Json]
    violations: list[ViolationRecord]
    notes: dict[str, Json]
    thought: str
    pictures: list[Picture]


class CallRecord(Strict):
    """One call in trajectory.json.

    `codes` are distinct, RUN_FALSE_AFTER_VALID among them. `attempt` numbers the physics
    attempt, None when the candidate entered no physics. `repairs` is what the request carried:
    the kind of feedback of the call before. `design` is the task's measure of the candidate
    (cost, size), None when it was no design; `execution` holds the
    task's flags of the execution (clean, continuous_deck), None without one. What the driver
    alone knows is in the call's execution.json, the hash of the request in its request.json.
    """

    call: int
    status: Status
    codes: list[str]
    violations: list[ViolationRecord]
    attempt: int | None
    repairs: Literal["violations", "execution"] | None
    design: dict[str, Json] | None
    execution: dict[str, Json] | None
    tokens: Tokens
    finish_reason: str | None
    notes: dict[str, Json]
    response_sha256: str
    timing: dict[str, Json]


class Counters(Strict):
    """Sums over an episode's finished calls.

    `validation_repairs` are calls that ended in a parse or validator failure,
    `execution_repairs` are requests that carried the feedback of an execution. `valid_call` and
    `success_call` are the first call that entered physics, and that succeeded.
    """

    calls: int
    executions: int
    validation_repairs: int
    execution_repairs: int
    valid_call: int | None
    success_call: int | None


class Infra(Strict):
    """Why an episode is no result: whose fault, which error of which kind, at which call."""

    where: Literal["client", "driver", "worker"]
    error: str
    message: str
    call: int | None
    kind: str | None = None


class Trajectory(Record):
    """trajectory.json: all that the metrics need of one episode, and nothing of its driver.

    `facts` are the task's: level, family, group, suite, tags, condition, limit, strict_limit,
    unit, and what the domain adds. Files of `OLD_TRAJECTORIES` are read as well: their amounts
    were in dollars; calls of the first version also had the hash of the request, which is
    dropped, and all facts of the driver in `execution`, which stay there.
    """

    kind: ClassVar[str] = "pbb-trajectory-3"
    protocol: str
    model: str
    level: str
    sample: int
    outcome: AnyOutcome
    facts: dict[str, Json]
    counters: Counters
    calls: list[CallRecord]
    infra: Infra | None
    timing: dict[str, Json]

    @classmethod
    def load(cls, value: Json, name: str) -> Trajectory:
        """Read a JSON object, also one of an older version. Raises RecordError."""
        if isinstance(value, dict) and value.get("schema") in OLD_TRAJECTORIES:
            calls = value.get("calls")
            if isinstance(calls, list):
                calls = [_renewed_call(call) for call in calls]
            facts = renewed_facts(value.get("facts"))
            value = {**value, "schema": cls.kind, "facts": facts, "calls": calls}
        return super().load(value, name)

    @property
    def family(self) -> str:
        """The level's family."""
        return str(self.facts.get("family", ""))

    @property
    def condition(self) -> str:
        """The budget condition: strict, loose or a factor such as 1.5x."""
        return str(self.facts.get("condition", ""))


def renewed_facts(value: Json) -> Json:
    """A level's facts with today's names, and the unit that the first versions had in them."""
    found = renewed(value)
    if not isinstance(found, dict) or found.keys() == value.keys():
        return found
    return {"unit": FIRST_UNIT, **found}


def renewed(value: Json) -> Json:
    """An object of the first versions with today's names; anything else as it is."""
    if not isinstance(value, dict):
        return value
    return {key.removesuffix(f"_{FIRST_UNIT}"): item for key, item in value.items()}


def _renewed_call(value: Json) -> Json:
    if not isinstance(value, dict):
        return value
    kept = {key: item for key, item in value.items() if key != "request_sha256"}
    return {**kept, "design": renewed(kept.get("design"))}


class Result(Record):
    """result.json: how one episode ended; written last, it makes the episode finished.

    `cost` is the successful design's cost, else that of the last design, in `unit`.
    """

    kind: ClassVar[str] = "pbb-result-2"
    protocol: str
    model: str
    level: str
    sample: int
    condition: str
    outcome: AnyOutcome
    counters: Counters
    codes: list[list[str]]
    cost: float | None
    limit: float | None
    unit: str | None
    infra: Infra | None
    timing: dict[str, Json]

    @classmethod
    def load(cls, value: Json, name: str) -> Result:
        """Read a JSON object, also one of the first version. Raises RecordError."""
        if isinstance(value, dict) and value.get("schema") == "pbb-result-1":
            value = {**renewed(value), "schema": cls.kind, "unit": FIRST_UNIT}
        return super().load(value, name)


class Key(Strict):
    """One expected episode."""

    level: str
    sample: int = 1


class Manifest(Record):
    """manifest.json: what the session is. `configuration` is frozen: a resume must match it.

    `configuration.domain` is the domain's name, absent in sessions from before there were several.
    `runs` has one entry per start of the program on this session.
    """

    kind: ClassVar[str] = "pbb-manifest-1"
    protocol: str
    session: str
    configuration: dict[str, Json]
    hashes: dict[str, str]
    expected: list[Key]
    source: dict[str, Json]
    environment: dict[str, Json]
    records: dict[str, str] = Field(default_factory=dict)
    runs: list[dict[str, Json]] = Field(default_factory=list)


class Summary(Record):
    """summary.json: the frozen configuration and every expected level's result (None: not run)."""

    kind: ClassVar[str] = "pbb-summary-2"
    protocol: str
    configuration: dict[str, Json]
    hashes: dict[str, str]
    expected: int
    finished: int
    outcomes: dict[str, int]
    results: list[SummaryRow]

    @classmethod
    def load(cls, value: Json, name: str) -> Summary:
        """Read a JSON object, also one of the first version. Raises RecordError."""
        if isinstance(value, dict) and value.get("schema") == "pbb-summary-1":
            rows = value.get("results")
            rows = [renewed(row) for row in rows] if isinstance(rows, list) else rows
            value = {**value, "schema": cls.kind, "results": rows}
        return super().load(value, name)


class SummaryRow(Strict):
    """One level's result, in the order in which it was expected."""

    level: str
    sample: int
    outcome: AnyOutcome | None
    valid_call: int | None
    success_call: int | None
    calls: int
    executions: int
    cost: float | None


class Scene(Record):
    """scene/levels.json: the facts of the session's levels, their parameters and geometry.

    What a reader needs of a level besides its records; `levels` has a row for each that was
    expected. Files of the first version knew one domain only.
    """

    kind: ClassVar[str] = "pbb-scene-2"
    domain: str
    levels: dict[str, dict[str, Json]]

    @classmethod
    def load(cls, value: Json, name: str) -> Scene:
        """Read a JSON object, also one of the first version. Raises RecordError."""
        if isinstance(value, dict) and value.get("schema") == "pbb-scene-1":
            rows = value.get("levels")
            if isinstance(rows, dict):
                rows = {name: renewed_facts(row) for name, row in rows.items()}
            value = {"schema": cls.kind, "domain": DEFAULT_DOMAIN, "levels": rows}
        return super().load(value, name)


Summary.model_rebuild()

RECORDS: tuple[type[Record], ...] = (
    Manifest,
    Summary,
    Result,
    Trajectory,
    Request,
    Response,
    ExecutionRecord,
    FeedbackRecord,
    Scene,
)
"""Every record kind, for the schema export."""


def json_schema(kind: type[Record]) -> dict[str, Json]:
    """The JSON Schema of a record file, with its `schema` field."""
    schema = kind.model_json_schema()
    schema["properties"] = {"schema": {"const": kind.kind}, **schema["properties"]}
    schema["required"] = ["schema", *schema.get("required", [])]
    return schema
