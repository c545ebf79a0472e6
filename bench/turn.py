"""One turn: an answer is parsed, validated, executed if it is legal, and answered with feedback.

This is the only place that knows the order. Episodes, environments, rewards, ladders, verification
and play all take their turns here. It decides and writes nothing: what executes a design is passed
in, so that a recorder can put a recorded execution, or a written one, in the task's place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal

from bench.clients.base import Client, Request
from bench.protocol import PAPER, Settings
from bench.task import Candidate, D, Execution, Outcome, Step, Task, Violation

RUN_FALSE_AFTER_VALID = "RUN_FALSE_AFTER_VALID"
"""Not a validator code: a valid design whose execution was no success."""

Status = Literal["success", "failure_or_timeout", "invalid"]


@dataclass(frozen=True)
class Turn(Generic[D]):
    """A finished turn: the step as later observations see it, and its execution if it had one."""

    step: Step[D]
    execution: Execution | None

    @property
    def success(self) -> bool:
        """Whether the execution was a success."""
        return self.execution is not None and self.execution.outcome is Outcome.SUCCESS

    @property
    def status(self) -> Status:
        """How the turn ended, as records and metrics name it."""
        if self.execution is None:
            return "invalid"
        return "success" if self.success else "failure_or_timeout"

    @property
    def codes(self) -> tuple[str, ...]:
        """The distinct codes of the candidate, RUN_FALSE_AFTER_VALID among them."""
        failed = self.status == "failure_or_timeout"
        return (*self.step.codes, *((RUN_FALSE_AFTER_VALID,) if failed else ()))


def judge(task: Task[D], text: str) -> tuple[Candidate[D], tuple[Violation, ...]]:
    """Read an answer and check it. A candidate without violations is legal and has a design."""
    candidate = task.parse(text)
    if candidate.design is None or candidate.violations:
        return candidate, candidate.violations
    return candidate, task.validate(candidate.design)


def take_turn(
    task: Task[D],
    call: int,
    text: str,
    execute: Callable[[D], Execution] | None = None,
) -> Turn[D]:
    """Take one answer through parser, validator and execution.

    `execute` runs a legal design in the task's place (default: the task itself). Raises
    DriverError for the driver's own faults, nothing for whatever the answer holds.
    """
    candidate, violations = judge(task, text)
    execution = None
    if candidate.design is not None and not violations:
        execution = (execute or task.execute)(candidate.design)
    feedback = task.feedback(candidate, violations, execution)
    return Turn(Step(call, text, candidate, violations, feedback), execution)


def is_over(turns: Sequence[Turn[D]], settings: Settings = PAPER) -> bool:
    """Whether an episode ends after these turns: a success, or no call or attempt left."""
    attempts = sum(turn.execution is not None for turn in turns)
    won = bool(turns) and turns[-1].success
    return won or len(turns) >= settings.calls or attempts >= settings.attempts


def play_episode(task: Task[D], client: Client, settings: Settings = PAPER) -> list[Turn[D]]:
    """A whole episode in memory, nothing recorded: turn after turn until it is over.

    Raises what the client and the driver raise.
    """
    turns: list[Turn[D]] = []
    while not is_over(turns, settings):
        observation = task.observe([turn.step for turn in turns])
        request = Request(task.name, len(turns) + 1, 1, observation)
        text = client.reply(request, lambda attempt: None).text
        turns.append(take_turn(task, request.call, text))
    return turns
