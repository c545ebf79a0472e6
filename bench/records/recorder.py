"""Writes what a turn gave, in the order in which any kill is harmless.

The request before it is sent, the reply before it is read, a design's files before it is executed,
the execution before feedback is made of it, the feedback last: with it, a call is finished.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Generic, Literal, TypeVar

from bench.clients.base import Client
from bench.clients.base import Request as ClientRequest
from bench.clients.hashing import request_sha256
from bench.records.files import normal, sha256
from bench.records.folder import EpisodeFolder, message_records
from bench.records.schema import CallRecord, FeedbackRecord, Request, Response, ViolationRecord
from bench.task import D, Execution, Json, Task, Violation
from bench.turn import Turn

Clock = Callable[[], datetime]
_T = TypeVar("_T")


def utc_now() -> datetime:
    """The time of day; only ever recorded under `timing`."""
    return datetime.now(UTC)


class CallRecorder(Generic[D]):
    """The records of one call of an episode, read where they exist and written where not."""

    def __init__(self, task: Task[D], episode: EpisodeFolder, call: int, now: Clock) -> None:
        self.call = call
        self._task = task
        self._episode = episode
        self._folder = episode.call(call)
        self._now = now

    def response(self) -> Response | None:
        """The recorded reply, None when this call has none yet."""
        return self._folder.response()

    def ask(self, client: Client, request: ClientRequest) -> Response:
        """Record the request, send it, and record the reply before anybody looks into it."""
        result = self._episode.result()
        cut_off = result is None or (result.infra is not None and result.infra.where == "worker")
        if cut_off and self._folder.request() is not None:
            # A run was cut off while this request was out: it may have been answered and billed.
            row = {"event": "resumed", "possibly_billed": True, "at": self._stamp()}
            self._folder.log_attempt(row)
        observation = request.observation
        self._folder.write_request(
            Request(
                level=request.level,
                call=request.call,
                sample=request.sample,
                request_sha256=request_sha256(client.describe(), request),
                messages=message_records(observation),
                data=normal(dict(observation.data)),
                pictures=self._episode.place_pictures(self._folder, observation),
                timing={"started": self._stamp()},
            )
        )
        reply, timing = self._timed(lambda: client.reply(request, self._folder.log_attempt))
        return self._folder.write_response(reply, timing)

    def execute(self, design: D) -> Execution:
        """The recorded execution of this call, or a new one, recorded before it is told."""
        self._folder.write_files(self._task.files(design))
        recorded = self._folder.execution()
        if recorded is not None:
            return recorded
        execution, timing = self._timed(lambda: self._task.execute(design))
        return self._folder.write_execution(execution, timing)

    def write(self, turn: Turn[D], response: Response, before: Sequence[Turn[D]]) -> CallRecord:
        """Record a finished turn, its feedback last; `before` are the turns of earlier calls."""
        design = turn.step.candidate.design
        if design is not None and turn.execution is None:
            self._folder.write_files(self._task.files(design))
        self._write_feedback(turn)
        return self._record(turn, response, before)

    def _write_feedback(self, turn: Turn[D]) -> None:
        step = turn.step
        sheet = self._folder.execution_record()
        pictures = {picture.name: picture for picture in sheet.pictures} if sheet else {}
        self._folder.write_feedback(
            FeedbackRecord(
                feedback=step.feedback.kind,
                data=normal(dict(step.feedback.data)),
                violations=[violation_record(v) for v in step.violations],
                notes=normal(dict(step.candidate.notes)),
                thought=step.candidate.thought,
                pictures=[
                    pictures.get(picture.name) or self._folder.write_picture(picture)
                    for picture in step.feedback.pictures
                ],
            )
        )

    def _record(self, turn: Turn[D], response: Response, before: Sequence[Turn[D]]) -> CallRecord:
        step, execution = turn.step, turn.execution
        repairs: Literal["violations", "execution"] | None = None
        if before:
            repairs = "execution" if before[-1].step.executed else "violations"
        design = step.candidate.design
        attempt = 1 + sum(earlier.execution is not None for earlier in before)
        return CallRecord(
            call=self.call,
            status=turn.status,
            codes=list(turn.codes),
            violations=[violation_record(v) for v in step.violations],
            attempt=None if execution is None else attempt,
            repairs=repairs,
            design=None if design is None else normal(dict(self._task.measure(design))),
            execution=None if execution is None else normal(dict(self._task.flags(execution))),
            tokens=response.tokens,
            finish_reason=response.finish_reason,
            notes=normal(dict(step.candidate.notes)),
            response_sha256=sha256(response.text.encode("utf-8", "surrogatepass")),
            timing=self._timing(response),
        )

    def _timing(self, response: Response) -> dict[str, Json]:
        execution = self._folder.execution_record()
        attempts = self._folder.attempts()
        return {
            "started": response.timing.get("started"),
            "reply_s": response.timing.get("seconds"),
            "execution_s": execution.timing.get("seconds") if execution else None,
            "transport_attempts": sum("attempt" in row for row in attempts),
            "possibly_billed": sum(bool(row.get("possibly_billed")) for row in attempts),
        }

    def _timed(self, work: Callable[[], _T]) -> tuple[_T, Mapping[str, Json]]:
        started, begin = self._stamp(), time.monotonic()
        value = work()
        return value, {"started": started, "seconds": round(time.monotonic() - begin, 3)}

    def _stamp(self) -> str:
        return self._now().isoformat(timespec="milliseconds")


def violation_record(violation: Violation) -> ViolationRecord:
    """A violation as recorded."""
    return ViolationRecord(
        code=violation.code,
        message=violation.message,
        ids=list(violation.ids),
        values=normal(dict(violation.values)),
    )
