"""What a construction task is, seen from the episode controller.

Nothing here knows what is being built. A `Task` is stateless over an episode: every
observation is a function of the steps so far, so an episode can be resumed from its records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, Literal, Protocol, TypeVar

Json = Any  # a value that json.dumps(allow_nan=False) accepts
D = TypeVar("D")  # the task's design type


class Outcome(StrEnum):
    """How an episode, or one execution, ended. Closed: nothing else is ever recorded."""

    SUCCESS = "success"
    FAILURE_OR_TIMEOUT = "failure_or_timeout"
    INVALID = "invalid"
    INFRA_ERROR = "infra_error"


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule of a candidate.

    `message` can be acted on by a reader who sees nothing else: it names ids, values and the
    limit. `ids` are the nodes or edges it is about; `values` holds the numbers of the message.
    """

    code: str
    message: str
    ids: tuple[int, ...] = ()
    values: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG picture with the name under which it is recorded (`editor`, `contact_sheet`)."""

    name: str
    png: bytes


@dataclass(frozen=True, slots=True)
class TextPart:
    """Text inside a message."""

    text: str


@dataclass(frozen=True, slots=True)
class ImagePart:
    """A picture inside a message."""

    picture: Picture


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message, free of any provider's format."""

    role: Literal["system", "user"]
    parts: tuple[TextPart | ImagePart, ...]


@dataclass(frozen=True, slots=True)
class Observation:
    """All that a model may know at one call.

    `data` is the same content as JSON that `messages` render as text; clients that are
    programs read it instead of the prose. Nothing else reaches a client.
    """

    data: Mapping[str, Json]
    messages: tuple[Message, ...]

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures of the messages, in the order in which a model sees them."""
        return tuple(
            part.picture
            for message in self.messages
            for part in message.parts
            if isinstance(part, ImagePart)
        )


@dataclass(frozen=True, slots=True)
class Candidate(Generic[D]):
    """An answer, read: a design, or the violations that keep it from being one.

    `draft` is the JSON object as the model wrote it (None when no JSON could be read), `notes`
    are facts for the record (`wrapped`, unknown fields), never part of the score.
    """

    design: D | None
    violations: tuple[Violation, ...] = ()
    draft: Json = None
    thought: str = ""
    notes: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Execution:
    """What one execution of a valid design gave.

    `outcome` is SUCCESS or FAILURE_OR_TIMEOUT. `summary` is what a model may be told; `facts`
    are measurements for the call's own record that no model sees, whichever a driver can give;
    `files` are recorded beside them (path within the call folder -> bytes); `pictures` are the
    evidence for the next call. `rollout` is the domain's own result where it ran just now: for
    rewards, never recorded.
    """

    outcome: Outcome
    summary: Mapping[str, Json]
    facts: Mapping[str, Json]
    files: Mapping[str, bytes] = field(default_factory=dict)
    pictures: tuple[Picture, ...] = ()
    rollout: Any = None


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the next call is told about this one. `kind` says which of the three it was."""

    kind: Literal["violations", "execution", "success"]
    data: Mapping[str, Json]
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class Step(Generic[D]):
    """One finished call of an episode: the answer, its design if it had one, the feedback."""

    call: int
    text: str
    candidate: Candidate[D]
    violations: tuple[Violation, ...]
    feedback: Feedback

    @property
    def executed(self) -> bool:
        """Whether this call's design entered physics."""
        return self.feedback.kind != "violations"

    @property
    def codes(self) -> tuple[str, ...]:
        """The distinct violation codes, in the order in which they were raised."""
        return tuple(dict.fromkeys(v.code for v in self.violations))


class Task(Protocol[D]):
    """One level under one budget condition, as the episode controller drives it."""

    @property
    def name(self) -> str:
        """The level's name, as in the test's node id."""

    @property
    def facts(self) -> Mapping[str, Json]:
        """What the records carry of the level (family, group, suite, tags, limits)."""

    def observe(self, steps: Sequence[Step[D]]) -> Observation:
        """What the model sees at call `len(steps) + 1`."""

    def parse(self, text: str) -> Candidate[D]:
        """Read an answer. Never raises for what a model wrote."""

    def validate(self, design: D) -> tuple[Violation, ...]:
        """All broken rules, in a fixed order. Predicts nothing about execution."""

    def execute(self, design: D) -> Execution:
        """Run a valid design. Raises DriverError for the driver's own faults."""

    def feedback(
        self,
        candidate: Candidate[D],
        violations: tuple[Violation, ...],
        execution: Execution | None,
    ) -> Feedback:
        """What the next call is told. `execution` is None when there were violations."""

    def flags(self, execution: Execution) -> Mapping[str, Json]:
        """What the metrics need of an execution's facts: the same names with every driver."""

    def picture(self, design: D | None) -> Picture:
        """The scene with a design in it, as an editor shows it."""

    def measure(self, design: D) -> Mapping[str, Json]:
        """Numbers of a design for the record (cost, size)."""

    def files(self, design: D) -> Mapping[str, bytes]:
        """Files that record a design (path within the call folder -> bytes)."""
