"""The controller of one episode: up to three calls, each a turn.

It knows a task, a client and a recorder. Its only state is what is on disk: an episode that was
cut off is run again from its first call, where every reply and every execution that is recorded
stands in for a new one, so that nothing is paid or executed twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Literal

from bench import VERSION
from bench.clients.base import Client
from bench.clients.base import Request as ClientRequest
from bench.clients.faults import recurs
from bench.clients.streak import kind_of
from bench.errors import ClientError, DriverError, FatalClientError
from bench.protocol import PAPER, Settings
from bench.records.files import normal, scrub, write_json
from bench.records.folder import EpisodeFolder
from bench.records.layout import RESULT, TRAJECTORY
from bench.records.recorder import CallRecorder, Clock, utc_now
from bench.records.schema import CallRecord, Counters, Infra, Response, Result, Trajectory
from bench.task import D, Outcome, Task
from bench.turn import Turn, is_over, take_turn


@dataclass(frozen=True)
class EpisodeResult:
    """How an episode ended. `read_back` tells that it was finished before this run."""

    folder: EpisodeFolder
    result: Result
    trajectory: Trajectory
    read_back: bool = False

    @property
    def outcome(self) -> Outcome:
        """The episode's outcome."""
        return self.result.outcome

    @property
    def success(self) -> bool:
        """Whether the model solved it."""
        return self.outcome is Outcome.SUCCESS


def run_episode(
    task: Task[D],
    client: Client,
    folder: EpisodeFolder,
    settings: Settings = PAPER,
    *,
    sample: int = 1,
    now: Clock = utc_now,
) -> EpisodeResult:
    """Run an episode, or what is left of it, and record it.

    A finished episode is read back; one that ended as infra_error goes on where it stopped.
    ClientError and DriverError end it as INFRA_ERROR. Raises FatalClientError, after recording
    it as such, and BudgetReached, leaving the episode open: both stop the run. RecordError and
    OSError pass through, as does KeyboardInterrupt; the episode stays open.
    """
    folder.open()
    recorded = folder.result()
    if recorded is not None and recorded.outcome is not Outcome.INFRA_ERROR:
        return EpisodeResult(folder, recorded, folder.trajectory(), read_back=True)
    episode = _Episode(task, client, folder, sample, now)
    started = now()
    infra: Infra | None = None
    fatal: FatalClientError | None = None
    try:
        episode.run(settings)
    except DriverError as error:
        infra = episode.fault("driver", error)
    except ClientError as error:
        infra = episode.fault("client", error)
        if isinstance(error, FatalClientError) and not episode.recurs(error):
            fatal = error
    result = episode.finish(infra, started)
    if fatal is not None:
        raise fatal
    return result


def record_crash(
    task: Task[D],
    client: Client,
    folder: EpisodeFolder,
    message: str,
    *,
    sample: int = 1,
    now: Clock = utc_now,
) -> EpisodeResult:
    """Record an episode whose process died as INFRA_ERROR; its calls on disk stay as they are.

    A finished episode is left alone. A later `run_episode` goes on where it stopped.
    """
    recorded = folder.result()
    if recorded is not None and recorded.outcome is not Outcome.INFRA_ERROR:
        return EpisodeResult(folder, recorded, folder.trajectory(), read_back=True)
    folder.open()
    call = max(1, len(folder.calls()))
    infra = Infra(where="worker", error="WorkerCrash", message=scrub(message), call=call)
    return _Episode(task, client, folder, sample, now).finish(infra, now())


class _Episode(Generic[D]):
    """One run of an episode: its turns, recorded or new, and the record of each."""

    def __init__(
        self, task: Task[D], client: Client, folder: EpisodeFolder, sample: int, now: Clock
    ) -> None:
        self.task = task
        self.client = client
        self.folder = folder
        self.sample = sample
        self.now = now
        self.turns: list[Turn[D]] = []
        self.records: list[CallRecord] = []

    def run(self, settings: Settings) -> None:
        """Turn after turn until the episode is over; each is on disk before the next begins."""
        while not is_over(self.turns, settings):
            recorder = CallRecorder(self.task, self.folder, len(self.turns) + 1, self.now)
            response = recorder.response() or self._ask(recorder)
            turn = take_turn(self.task, recorder.call, response.text, recorder.execute)
            self.records.append(recorder.write(turn, response, self.turns))
            self.turns.append(turn)

    def _ask(self, recorder: CallRecorder[D]) -> Response:
        observation = self.task.observe([turn.step for turn in self.turns])
        request = ClientRequest(self.task.name, recorder.call, self.sample, observation)
        return recorder.ask(self.client, request)

    def fault(self, where: Literal["client", "driver"], error: Exception) -> Infra:
        """The record of a fault that is not the model's."""
        return Infra(
            where=where,
            error=type(error).__name__,
            message=scrub(str(error)),
            call=len(self.turns) + 1,
            kind=kind_of(error),
        )

    def recurs(self, error: ClientError) -> bool:
        """Whether a fault that would stop the run has met this very call before.

        A filter of unknown wording must not hold up a session for ever.
        """
        return recurs(error.kind, self.folder.call(len(self.turns) + 1).attempts())

    def finish(self, infra: Infra | None, started: datetime) -> EpisodeResult:
        """Record the trajectory, then the result, which makes the episode finished."""
        counters = count(self.records)
        outcome = Outcome.INFRA_ERROR if infra is not None else outcome_of(counters)
        facts = normal(dict(self.task.facts))
        begun = self.records[0].timing["started"] if self.records else started.isoformat()
        common: dict[str, Any] = {
            "protocol": VERSION,
            "model": self.client.name,
            "level": self.task.name,
            "sample": self.sample,
            "outcome": outcome,
            "counters": counters,
            "infra": infra,
            "timing": {"started": begun, "ended": self.now().isoformat(timespec="milliseconds")},
        }
        trajectory = Trajectory(facts=facts, calls=self.records, **common)
        designs = [r.design for r in self.records if r.design is not None]
        result = Result(
            condition=str(facts.get("condition", "")),
            codes=[r.codes for r in self.records],
            cost=designs[-1].get("cost") if designs else None,
            limit=facts.get("limit"),
            unit=facts.get("unit"),
            **common,
        )
        write_json(self.folder.path / TRAJECTORY, trajectory.dump())
        write_json(self.folder.path / RESULT, result.dump())
        return EpisodeResult(self.folder, result, trajectory)


def count(records: list[CallRecord]) -> Counters:
    """The counters over an episode's calls."""
    executed = [r.call for r in records if r.attempt is not None]
    won = [r.call for r in records if r.status == "success"]
    return Counters(
        calls=len(records),
        executions=len(executed),
        validation_repairs=sum(r.status == "invalid" for r in records),
        execution_repairs=sum(r.repairs == "execution" for r in records),
        valid_call=executed[0] if executed else None,
        success_call=won[0] if won else None,
    )


def outcome_of(counters: Counters) -> Outcome:
    """The outcome of an episode that no fault ended."""
    if counters.success_call is not None:
        return Outcome.SUCCESS
    return Outcome.FAILURE_OR_TIMEOUT if counters.executions else Outcome.INVALID
