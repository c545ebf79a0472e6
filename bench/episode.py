"""The controller of one episode: up to three calls, each observe, answer, validate, execute.

It knows a task, a client and a records folder. Its only state is what is on disk: an episode
that was cut off is run again from its first call, where every reply and every execution that is
recorded stands in for a new one, so that nothing is paid or executed twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, Literal, TypeVar

from bench import VERSION
from bench.clients.base import Client
from bench.clients.base import Request as ClientRequest
from bench.clients.hashing import request_sha256
from bench.errors import ClientError, DriverError, FatalClientError
from bench.records.files import normal, scrub, sha256, write_json
from bench.records.folder import CallFolder, EpisodeFolder, message_records
from bench.records.schema import (
    CallRecord,
    Counters,
    FeedbackRecord,
    Infra,
    Request,
    Response,
    Result,
    Trajectory,
    ViolationRecord,
)
from bench.task import D, Execution, Json, Outcome, Step, Task, Violation

RUN_FALSE_AFTER_VALID = "RUN_FALSE_AFTER_VALID"
"""Not a validator code: a valid design whose execution was no success."""

Clock = Callable[[], datetime]
_T = TypeVar("_T")


def utc_now() -> datetime:
    """The time of day; only ever recorded under `timing`."""
    return datetime.now(UTC)


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

    @property
    def message(self) -> str:
        """The episode in a few lines: each call, and where the records are."""
        result = self.result
        lines = [f"{result.level}: {result.outcome.value} ({result.model}, {result.condition})"]
        lines += [_call_line(call, result.limit_usd) for call in self.trajectory.calls]
        if result.infra is not None:
            infra = result.infra
            lines.append(
                f"  call {infra.call}: no result, a fault of the {infra.where}: "
                f"{infra.error}: {infra.message} (run again with --resume)"
            )
        lines.append(f"  records: {self.folder.path}")
        return "\n".join(lines)


@dataclass(frozen=True)
class _Call(Generic[D]):
    """A finished call and its record."""

    step: Step[D]
    record: CallRecord


def run_episode(
    task: Task[D],
    client: Client,
    folder: EpisodeFolder,
    *,
    calls: int = 3,
    attempts: int = 3,
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
        episode.run(calls, attempts)
    except DriverError as error:
        infra = episode.fault("driver", error)
    except ClientError as error:
        infra = episode.fault("client", error)
        fatal = error if isinstance(error, FatalClientError) else None
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
    """One run of an episode; `done` are the finished calls, recorded or new."""

    def __init__(
        self, task: Task[D], client: Client, folder: EpisodeFolder, sample: int, now: Clock
    ) -> None:
        self.task = task
        self.client = client
        self.folder = folder
        self.sample = sample
        self.now = now
        self.done: list[_Call[D]] = []

    def run(self, calls: int, attempts: int) -> None:
        """Call after call, until one succeeds or no call or attempt is left."""
        for number in range(1, calls + 1):
            call = self._run_call(self.folder.call(number))
            self.done.append(call)
            if call.record.status == "success" or call.record.attempt == attempts:
                return

    def _run_call(self, folder: CallFolder) -> _Call[D]:
        response = folder.response() or self._ask(folder)
        candidate = self.task.parse(response.text)
        violations = candidate.violations
        if candidate.design is not None and not violations:
            violations = self.task.validate(candidate.design)
        execution: Execution | None = None
        if candidate.design is not None:
            folder.write_files(self.task.files(candidate.design))
            if not violations:
                execution = folder.execution() or self._execute(folder, candidate.design)
        feedback = self.task.feedback(candidate, violations, execution)
        step = Step(folder.call, response.text, candidate, violations, feedback)
        self._write_feedback(folder, step)
        return _Call(step, self._record(folder, step, execution, response))

    def _ask(self, folder: CallFolder) -> Response:
        observation = self.task.observe([call.step for call in self.done])
        request = ClientRequest(self.task.name, folder.call, self.sample, observation)
        result = self.folder.result()
        cut_off = result is None or (result.infra is not None and result.infra.where == "worker")
        if cut_off and folder.request() is not None:
            # A run was cut off while this request was out: it may have been answered and billed.
            folder.log_attempt({"event": "resumed", "possibly_billed": True, "at": self._stamp()})
        folder.write_request(
            Request(
                level=self.task.name,
                call=folder.call,
                sample=self.sample,
                request_sha256=request_sha256(self.client.describe(), request),
                messages=message_records(observation),
                data=normal(dict(observation.data)),
                pictures=self.folder.place_pictures(folder, observation),
                timing={"started": self._stamp()},
            )
        )
        reply, timing = self._timed(lambda: self.client.reply(request, folder.log_attempt))
        return folder.write_response(reply, timing)

    def _execute(self, folder: CallFolder, design: D) -> Execution:
        execution, timing = self._timed(lambda: self.task.execute(design))
        return folder.write_execution(execution, timing)

    def _timed(self, work: Callable[[], _T]) -> tuple[_T, dict[str, Json]]:
        started, begin = self._stamp(), time.monotonic()
        value = work()
        return value, {"started": started, "seconds": round(time.monotonic() - begin, 3)}

    def _stamp(self) -> str:
        return self.now().isoformat(timespec="milliseconds")

    def _write_feedback(self, folder: CallFolder, step: Step[D]) -> None:
        sheet = folder.execution_record()
        pictures = {picture.name: picture for picture in sheet.pictures} if sheet else {}
        folder.write_feedback(
            FeedbackRecord(
                feedback=step.feedback.kind,
                data=normal(dict(step.feedback.data)),
                violations=[violation_record(v) for v in step.violations],
                notes=normal(dict(step.candidate.notes)),
                thought=step.candidate.thought,
                pictures=[
                    pictures.get(picture.name) or folder.write_picture(picture)
                    for picture in step.feedback.pictures
                ],
            )
        )

    def _record(
        self,
        folder: CallFolder,
        step: Step[D],
        execution: Execution | None,
        response: Response,
    ) -> CallRecord:
        codes = list(step.codes)
        status: Literal["success", "failure_or_timeout", "invalid"] = "invalid"
        if execution is not None and execution.outcome is Outcome.SUCCESS:
            status = "success"
        elif execution is not None:
            status = "failure_or_timeout"
            codes.append(RUN_FALSE_AFTER_VALID)
        repairs: Literal["violations", "execution"] | None = None
        if self.done:
            repairs = "execution" if self.done[-1].step.executed else "violations"
        design = step.candidate.design
        executed = sum(call.step.executed for call in self.done)
        return CallRecord(
            call=folder.call,
            status=status,
            codes=codes,
            violations=[violation_record(v) for v in step.violations],
            attempt=None if execution is None else executed + 1,
            repairs=repairs,
            design=None if design is None else normal(dict(self.task.measure(design))),
            execution=None if execution is None else normal(dict(self.task.flags(execution))),
            tokens=response.tokens,
            finish_reason=response.finish_reason,
            notes=normal(dict(step.candidate.notes)),
            response_sha256=sha256(response.text.encode("utf-8", "surrogatepass")),
            timing=_call_timing(folder, response),
        )

    def fault(self, where: Literal["client", "driver"], error: Exception) -> Infra:
        """The record of a fault that is not the model's."""
        return Infra(
            where=where,
            error=type(error).__name__,
            message=scrub(str(error)),
            call=len(self.done) + 1,
        )

    def finish(self, infra: Infra | None, started: datetime) -> EpisodeResult:
        """Record the trajectory, then the result, which makes the episode finished."""
        records = [call.record for call in self.done]
        counters = count(records)
        outcome = Outcome.INFRA_ERROR if infra is not None else outcome_of(counters)
        facts = normal(dict(self.task.facts))
        timing: dict[str, Json] = {
            "started": records[0].timing["started"] if records else started.isoformat(),
            "ended": self._stamp(),
        }
        trajectory = Trajectory(
            protocol=VERSION,
            model=self.client.name,
            level=self.task.name,
            sample=self.sample,
            outcome=outcome,
            facts=facts,
            counters=counters,
            calls=records,
            infra=infra,
            timing=timing,
        )
        designs = [r.design for r in records if r.design is not None]
        result = Result(
            protocol=VERSION,
            model=self.client.name,
            level=self.task.name,
            sample=self.sample,
            condition=str(facts.get("condition", "")),
            outcome=outcome,
            counters=counters,
            codes=[r.codes for r in records],
            cost_usd=designs[-1].get("cost_usd") if designs else None,
            limit_usd=facts.get("limit_usd"),
            infra=infra,
            timing=timing,
        )
        write_json(self.folder.path / "trajectory.json", trajectory.dump())
        write_json(self.folder.path / "result.json", result.dump())
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


def _call_line(call: CallRecord, limit_usd: float | None) -> str:
    """`  call 2: invalid, CLEARANCE, OVER_BUDGET; $6,000.00 of $5,000.00`."""
    line = f"  call {call.call}: {', '.join([call.status, *call.codes])}"
    cost = (call.design or {}).get("cost_usd")
    if cost is not None:
        line += f"; ${cost:,.2f}" + ("" if limit_usd is None else f" of ${limit_usd:,.2f}")
    return line


def violation_record(violation: Violation) -> ViolationRecord:
    """A violation as recorded."""
    return ViolationRecord(
        code=violation.code,
        message=violation.message,
        ids=list(violation.ids),
        values=normal(dict(violation.values)),
    )


def _call_timing(folder: CallFolder, response: Response) -> dict[str, Json]:
    execution = folder.execution_record()
    attempts = folder.attempts()
    return {
        "started": response.timing.get("started"),
        "reply_s": response.timing.get("seconds"),
        "execution_s": execution.timing.get("seconds") if execution else None,
        "transport_attempts": len(attempts),
        "possibly_billed": sum(bool(row.get("possibly_billed")) for row in attempts),
    }
