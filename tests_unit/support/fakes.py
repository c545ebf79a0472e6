"""A task and a client without bridges, for tests of the controller, records and fixtures.

An answer is a word: `win` and `fall` are designs that are executed, `bad` is a design that breaks
rules, anything else does not parse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.clients.base import AttemptLog, Reply, Request, Usage
from bench.errors import ClientError
from bench.task import (
    Candidate,
    Execution,
    Feedback,
    ImagePart,
    Message,
    Observation,
    Outcome,
    Picture,
    Step,
    TextPart,
    Violation,
)

DESIGNS = ("win", "fall", "bad")


def png(text: str) -> bytes:
    """Bytes that stand for a picture."""
    return b"\x89PNG\r\n\x1a\n" + text.encode()


@dataclass
class FakeTask:
    """A task whose design is a word. `faults` are raised by the executions, in order."""

    name: str = "L1"
    budget: str = "strict"
    faults: list[Exception | None] = field(default_factory=list)
    executed: list[str] = field(default_factory=list)
    seen: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "level": self.name,
            "family": "F1",
            "group": "anchor_connectivity",
            "suite": "core",
            "tags": ["flat"],
            "strict_limit": 5000,
            "limit": 5000.0,
            "unit": "usd",
            "condition": self.budget,
        }

    def observe(self, steps: Sequence[Step[str]]) -> Observation:
        self.seen.append(tuple(step.text for step in steps))
        text = f"{self.name} call {len(steps) + 1}"
        if steps:
            text += f" after {steps[-1].text}: {dict(steps[-1].feedback.data)}"
        current = next((s.candidate.design for s in reversed(steps) if s.executed), None)
        parts: list[TextPart | ImagePart] = [TextPart(text), ImagePart(self.picture(current))]
        if steps:
            parts += [ImagePart(p) for p in steps[-1].feedback.pictures]
        return Observation({"text": text}, (Message("user", tuple(parts)),))

    def parse(self, text: str) -> Candidate[str]:
        if text in DESIGNS:
            return Candidate(text, draft={"word": text}, thought=f"I choose {text}")
        return Candidate(None, (Violation("PARSE_ERROR", f"{text[:20]!r} is no word"),))

    def validate(self, design: str) -> tuple[Violation, ...]:
        if design != "bad":
            return ()
        limit = {"cost_usd": 6000.0, "limit_usd": 5000.0}
        return (
            Violation("BAD_REFERENCE", "edge 7 names node 9, which does not exist", (7, 9)),
            Violation("BAD_REFERENCE", "edge 8 names node 9, which does not exist", (8, 9)),
            Violation("OVER_BUDGET", "cost $6,000.00 is above the limit of $5,000.00", (), limit),
        )

    def execute(self, design: str) -> Execution:
        self.executed.append(design)
        fault = self.faults.pop(0) if self.faults else None
        if fault is not None:
            raise fault
        won = design == "win"
        return Execution(
            Outcome.SUCCESS if won else Outcome.FAILURE_OR_TIMEOUT,
            # A tuple on purpose: a resumed run reads a list.
            summary={"duration_s": 4.25, "frames": (0, 4, 8, 12)},
            facts={"clean": won, "continuous_deck": True, "digest": design},
            files={"rollout.json.gz": b"states of " + design.encode(), "frames/frame_00.png": b"0"},
            pictures=() if won else (Picture("contact_sheet", png(f"sheet {design}")),),
        )

    def feedback(
        self,
        candidate: Candidate[str],
        violations: tuple[Violation, ...],
        execution: Execution | None,
    ) -> Feedback:
        if execution is None:
            return Feedback("violations", {"messages": [v.message for v in violations]})
        if execution.outcome is Outcome.SUCCESS:
            return Feedback("success", execution.summary)
        return Feedback("execution", execution.summary, execution.pictures)

    def flags(self, execution: Execution) -> Mapping[str, Any]:
        return {name: execution.facts[name] for name in ("clean", "continuous_deck")}

    def picture(self, design: str | None) -> Picture:
        return Picture("editor", png(f"editor {design}"))

    def measure(self, design: str) -> Mapping[str, Any]:
        cost = {"win": 4500.0, "fall": 3000.0, "bad": 6000.0}[design]
        return {"cost": cost, "members": 3, "metres_by_material": {"Road": 12.0}}

    def files(self, design: str) -> Mapping[str, bytes]:
        return {"design.json": b"{}\n", "save.txt": design.encode()}


@dataclass
class FakeClient:
    """Answers with `replies` by call number; an exception among them is raised.

    `on_send` runs after a request counts as sent and before its reply.
    """

    replies: Sequence[str | Exception]
    on_send: Callable[[Request], None] | None = None
    sent: list[int] = field(default_factory=list)
    name: str = "fake"

    def describe(self) -> Mapping[str, Any]:
        return {"client": "fake"}

    def reply(self, request: Request, log: AttemptLog) -> Reply:
        self.sent.append(request.call)
        if self.on_send is not None:
            self.on_send(request)
        answer = self.replies[request.call - 1]
        if isinstance(answer, Exception):
            log({"attempt": 1, "status": 500, "error": "server"})
            raise answer
        log({"attempt": 1, "status": 200})
        return Reply(answer, "stop", Usage(100, 20), meta={"id": f"r{request.call}"})

    def close(self) -> None:
        pass


def answers(letters: str) -> Iterable[str]:
    """Replies from the letters of a protocol line: V invalid, F failure, S success, P parse."""
    return [{"V": "bad", "F": "fall", "S": "win", "P": "no json"}[letter] for letter in letters]


class Offline(ClientError):
    """No complete answer."""
