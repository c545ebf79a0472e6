"""Episodes without pictures and without a folder, for ladders, environments and training loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from bench.bridge.analysis.deck import continuous_deck
from bench.bridge.design.design import Design
from bench.bridge.drivers import get_driver
from bench.bridge.level.files import LevelFile
from bench.bridge.prompt.evidence import eligible_frames, execution_summary, selected_frames
from bench.bridge.prompt.options import PromptOptions
from bench.bridge.task import BridgeTask
from bench.clients.base import Client, Request
from bench.task import Candidate, Execution, Outcome, Step, Task

CALLS = 3


class QuickTask(BridgeTask):
    """A `BridgeTask` whose observations have no pictures and whose executions draw none.

    Data, checks, physics and outcomes are the same; nothing that only a picture tells is there.
    """

    def __init__(self, level_file: LevelFile, budget: str, *, anonymous: bool = False) -> None:
        options = PromptOptions(images=False)
        driver = get_driver("embedded")
        super().__init__(level_file, budget, driver, anonymous=anonymous, options=options)

    def execute(self, design: Design) -> Execution:
        """Run a valid design; the summary is the driver's, frames are only numbered."""
        from bench.bridge.drivers.base import Rollout
        from bench.bridge.physics.engine import simulate

        result = simulate(self.level, design)
        timed_out = result.ending.value == "timeout"
        rollout = Rollout(
            outcome=Outcome.SUCCESS if result.success else Outcome.FAILURE_OR_TIMEOUT,
            decided_s=None if timed_out else result.end_s,
            detector="all vehicles reached their flags" if result.success else "embedded",
            frame=_no_frame,
        )
        indices = selected_frames(eligible_frames(rollout.decided_s))
        facts = {
            "ending": result.ending.value,
            "end_s": round(result.end_s, 6),
            "clean": result.clean,
            "continuous_deck": continuous_deck(self.level, design),
        }
        return Execution(rollout.outcome, execution_summary(rollout, indices), facts)


def _no_frame(index: int) -> NoReturn:
    raise AssertionError(f"frame {index}: a quick episode draws nothing")


@dataclass(frozen=True)
class Turn:
    """One call as it was played: the step, and the execution if there was one."""

    step: Step[Design]
    execution: Execution | None

    @property
    def success(self) -> bool:
        """Whether the execution was a success."""
        return self.execution is not None and self.execution.outcome is Outcome.SUCCESS


def answer(task: Task[Design], call: int, text: str) -> Turn:
    """Take one answer through parser, validator and physics, as the episode controller does."""
    candidate: Candidate[Design] = task.parse(text)
    violations = candidate.violations
    if candidate.design is not None and not violations:
        violations = task.validate(candidate.design)
    execution = None
    if candidate.design is not None and not violations:
        execution = task.execute(candidate.design)
    feedback = task.feedback(candidate, violations, execution)
    return Turn(Step(call, text, candidate, violations, feedback), execution)


def play(task: Task[Design], client: Client, calls: int = CALLS) -> list[Turn]:
    """A whole episode: call after call until one succeeds or none is left."""
    turns: list[Turn] = []
    while len(turns) < calls and not (turns and turns[-1].success):
        turns.append(answer(task, len(turns) + 1, _reply(task, client, turns)))
    return turns


def _reply(task: Task[Design], client: Client, turns: Sequence[Turn]) -> str:
    observation = task.observe([turn.step for turn in turns])
    request = Request(task.name, len(turns) + 1, 1, observation)
    return client.reply(request, lambda attempt: None).text
