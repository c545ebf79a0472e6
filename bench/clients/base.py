"""The client Protocol and what passes through it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from bench.task import Json, Observation

AttemptLog = Callable[[Mapping[str, Json]], None]
"""Called once for every transport attempt, at once when it ended."""


@dataclass(frozen=True, slots=True)
class Request:
    """One logical call: the observation, and where in the session it stands."""

    level: str
    call: int
    sample: int
    observation: Observation


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; None where it did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete choice, exactly as it came.

    `text` may be empty, cut off or not JSON: that is the model's doing and is scored.
    `meta` holds what was sent and what came back beside the text (model, request id,
    finish reason details), without any secret.
    """

    text: str
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    reasoning: str | None = None
    meta: Mapping[str, Json] = field(default_factory=dict)


class Client(Protocol):
    """Turns a request into a reply.

    Raises ClientError when no complete answer came back, FatalClientError when trying again
    cannot help. `describe` goes into the session's manifest; `bench.clients.frozen` says which
    part of it a resumed run may change.
    """

    @property
    def name(self) -> str:
        """The model's name in tables."""

    def describe(self) -> Mapping[str, Json]:
        """Every resolved setting, without secrets."""

    def reply(self, request: Request, log: AttemptLog) -> Reply:
        """Answer one request; report every transport attempt to `log`."""

    def close(self) -> None:
        """Release sockets and files."""
