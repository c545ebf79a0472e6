"""The checks of one episode: its records are led through the task again, call after call.

Replies and executions are taken from the records, everything else is made anew and compared:
the request, the candidate, its violations, the feedback, the counters and the outcome.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any

from bench import VERSION
from bench.domain import get_domain
from bench.episode import count, outcome_of
from bench.errors import LevelError
from bench.protocol import Settings
from bench.records import (
    CallFolder,
    CallRecord,
    Episode,
    ExecutionRecord,
    Result,
    Session,
    Trajectory,
)
from bench.records import Picture as PictureRecord
from bench.records.files import inside, normal, read_bytes, sha256
from bench.records.folder import message_records, read_record
from bench.records.layout import LISTED_OF_CALL
from bench.records.recorder import violation_record
from bench.records.schema import OLD_TRAJECTORIES
from bench.task import Candidate, Execution, Outcome, Picture, Step, Task, Violation
from bench.turn import RUN_FALSE_AFTER_VALID, judge
from reports.verify.driver import NoDriver, pixel_png
from reports.verify.findings import Finding

RELEASE_FILE = "RELEASE.json"
"""In an unpacked release, whose pictures may be elsewhere."""
UNCHECKED = OLD_TRAJECTORIES[:1]
"""Trajectories that are read for reports, but hold something else than tasks make now."""
LIMITS = ("condition", "limit", "strict_limit")


class Checker:
    """Checks episodes of a session. `prompts` tells whether requests can be made again here."""

    def __init__(
        self, session: Session, settings: Settings, levels_dir: Path | None, *, prompts: bool
    ) -> None:
        frozen = session.manifest.configuration
        self.session = session
        self.settings = settings
        self.levels_dir = levels_dir
        self.domain = get_domain(session.domain)
        # Of a skill text only the hash is recorded.
        self.prompts = prompts and not (frozen.get("settings") or {}).get("skill_sha256")
        self.pictures = not (session.path / RELEASE_FILE).exists()

    def task(self, level: str) -> Task[Any]:
        """The task of a level as the session's manifest has it. Raises LevelError."""
        return self.domain.task(level, self.settings, NoDriver(), self.levels_dir)

    def check(self, episode: Episode) -> Iterator[Finding]:
        """All that is wrong with an episode, run or not. Raises RecordError."""
        where = episode.folder.path.relative_to(self.session.path).as_posix()
        if episode.result is None or not (episode.folder.path / "trajectory.json").exists():
            return
        label = f"{where}/trajectory.json"
        data = read_record(episode.folder.path / "trajectory.json", label)
        result, trajectory = episode.result, Trajectory.load(data, label)
        if data["schema"] in UNCHECKED:
            told = f"{data['schema']} is read for reports, but not checked by this version"
            yield Finding("other-version", label, told)
            return
        yield from self._check_listed(episode)
        yield from self._check_keys(episode, result, trajectory, where)
        try:
            task = self.task(episode.key.level)
        except LevelError as error:
            yield Finding("other-version", where, str(error))
            return
        yield from _check_limits(task, result, trajectory, where)
        yield from _check_outcome(result, trajectory, where)
        yield from self._check_horizon(trajectory, where)
        steps: list[Step[Any]] = []
        for record in trajectory.calls:
            step = yield from self._check_call(task, episode, record, steps)
            if step is None:
                return
            steps.append(step)

    def _check_keys(
        self, episode: Episode, result: Result, trajectory: Trajectory, where: str
    ) -> Iterator[Finding]:
        key = episode.key
        for name, record in (("result.json", result), ("trajectory.json", trajectory)):
            found = (record.level, record.sample, record.model, record.protocol)
            if found != (key.level, key.sample, self.session.model, VERSION):
                told = "is of level {}, sample {}, model {}, version {}".format(*found)
                yield Finding("wrong-key", f"{where}/{name}", told)

    def _check_listed(self, episode: Episode) -> Iterator[Finding]:
        """The manifest of a run that ended holds the hashes of requests and executions."""
        manifest = self.session.manifest
        if not manifest.runs or manifest.runs[-1].get("ended") is None:
            return
        for path in episode.folder.listed():
            label = path.relative_to(self.session.path).as_posix()
            if path.name in LISTED_OF_CALL and label not in manifest.records:
                yield Finding("unlisted-file", label, "the manifest holds no hash of it")

    def _check_horizon(self, trajectory: Trajectory, where: str) -> Iterator[Finding]:
        """No call after the end: a success, the last call, or the last attempt."""
        calls, attempts = self.settings.calls, self.settings.attempts
        made = trajectory.counters
        for what, found, limit in (
            ("calls", made.calls, calls),
            ("physics attempts", made.executions, attempts),
        ):
            if found > limit:
                yield Finding("protocol-mismatch", where, f"{found} {what}, {limit} are allowed")
        if any(call.status == "success" for call in trajectory.calls[:-1]):
            yield Finding("protocol-mismatch", where, "goes on after a success")
        ended = made.success_call or made.calls == calls or made.executions == attempts
        if trajectory.infra is None and not ended:
            told = f"ends after {made.calls} calls, neither won nor at the end of its {calls}"
            yield Finding("protocol-mismatch", where, told)

    def _check_call(
        self,
        task: Task[Any],
        episode: Episode,
        record: CallRecord,
        steps: list[Step[Any]],
    ) -> Generator[Finding, None, Step[Any] | None]:
        """Check a call and return its step, None when its records are gone."""
        folder = episode.folder.call(record.call)
        where = folder.path.relative_to(self.session.path).as_posix()
        response = folder.response()
        for name in ("request.json", "response.json", "feedback.json"):
            if not (folder.path / name).exists():
                yield Finding("missing-file", f"{where}/{name}", "every finished call has one")
        if response is None:
            return None
        yield from self._check_request(task, folder, record, steps, where)
        if sha256(response.text.encode("utf-8", "surrogatepass")) != record.response_sha256:
            yield Finding("changed-file", f"{where}/response.json", "its text has another hash")
        candidate, violations = judge(task, response.text)
        yield from _check_verdict(record, candidate, violations, where)
        yield from _check_design(task, folder, record, candidate, where)
        execution = yield from self._check_execution(task, folder, record, where)
        if execution is None and not violations:
            return None
        feedback = task.feedback(candidate, violations, None if violations else execution)
        recorded = folder.feedback()
        if recorded is not None:
            yield from _check_feedback(recorded, feedback, violations, where)
        return Step(record.call, response.text, candidate, violations, feedback)

    def _check_request(
        self,
        task: Task[Any],
        folder: CallFolder,
        record: CallRecord,
        steps: list[Step[Any]],
        where: str,
    ) -> Iterator[Finding]:
        request = folder.request()
        if request is None:
            return
        where = f"{where}/request.json"
        if (request.level, request.call) != (task.name, record.call):
            yield Finding("wrong-key", where, f"is of {request.level}, call {request.call}")
        yield from self._check_pictures(folder.path.parent, request.pictures, where)
        if not self.prompts:
            return
        made = task.observe(steps)
        names = [picture.name for picture in made.pictures]
        parts = (
            ("messages", request.messages, message_records(made)),
            ("data", request.data, normal(dict(made.data))),
            ("pictures", [picture.name for picture in request.pictures], names),
        )
        differing = [what for what, found, expected in parts if found != expected]
        if differing:
            told = f"its {', '.join(differing)} are not those that the records before it lead to"
            yield Finding("prompt-mismatch", where, told)

    def _check_execution(
        self, task: Task[Any], folder: CallFolder, record: CallRecord, where: str
    ) -> Generator[Finding, None, Execution | None]:
        """Check a physics attempt and return it, None when there was none."""
        execution = folder.execution_record()
        where = f"{where}/execution.json"
        if execution is None:
            if record.attempt is not None:
                yield Finding("missing-file", where, "the trajectory has a physics attempt")
            return None
        if record.attempt is None:
            yield Finding("outcome-mismatch", where, "the trajectory has no physics attempt")
        yield from self._check_attempt_files(folder, execution, where)
        pictures = tuple(Picture(picture.name, pixel_png()) for picture in execution.pictures)
        attempt = Execution(
            Outcome(execution.outcome), execution.summary, execution.facts, {}, pictures
        )
        told = (execution.outcome, normal(dict(task.flags(attempt))))
        if record.attempt is not None and told != (record.status, record.execution):
            yield Finding("outcome-mismatch", where, "is not what the trajectory tells of it")
        return attempt

    def _check_attempt_files(
        self, folder: CallFolder, execution: ExecutionRecord, where: str
    ) -> Iterator[Finding]:
        files = execution.files.items()
        rows = [
            PictureRecord(name=name, file=f"{folder.path.name}/{name}", sha256=digest)
            for name, digest in files
        ]
        yield from self._check_pictures(folder.path.parent, [*rows, *execution.pictures], where)

    def _check_pictures(
        self, episode: Path, pictures: Iterable[PictureRecord], where: str
    ) -> Iterator[Finding]:
        for picture in pictures:
            if picture.file.endswith(".png") and not self.pictures:
                continue
            path = inside(episode, picture.file)
            label = path.relative_to(self.session.path).as_posix()
            if not path.exists():
                yield Finding("missing-file", label, f"{Path(where).name} names it")
            elif sha256(read_bytes(path)) != picture.sha256:
                told = f"its hash is not the one in {Path(where).name}"
                yield Finding("changed-file", label, told)


def _check_limits(
    task: Task[Any], result: Result, trajectory: Trajectory, where: str
) -> Iterator[Finding]:
    expected, recorded = normal(dict(task.facts)), trajectory.facts
    for key in LIMITS:
        if recorded.get(key) != expected[key]:
            told = (
                f"{key} is {recorded.get(key)!r}, the session's condition gives {expected[key]!r}"
            )
            yield Finding("budget-mismatch", f"{where}/trajectory.json", told)
    if (result.condition, result.limit) != (expected["condition"], expected["limit"]):
        told = f"is {result.condition} at {result.limit}, not {expected['limit']}"
        yield Finding("budget-mismatch", f"{where}/result.json", told)
    for key in expected.keys() - set(LIMITS):
        if recorded.get(key) != expected[key]:
            told = f"{key} is {recorded.get(key)!r}, the level's is {expected[key]!r}"
            yield Finding("wrong-key", f"{where}/trajectory.json", told)


def _check_outcome(result: Result, trajectory: Trajectory, where: str) -> Iterator[Finding]:
    """Counters, outcome and result follow from the calls."""
    counters = count(trajectory.calls)
    if counters != trajectory.counters:
        yield Finding("outcome-mismatch", where, "the counters are not those of the calls")
    expected = Outcome.INFRA_ERROR if trajectory.infra is not None else outcome_of(counters)
    if trajectory.outcome is not expected:
        told = f"the trajectory says {trajectory.outcome.value}, its calls give {expected.value}"
        yield Finding("outcome-mismatch", where, told)
    if (result.outcome, result.counters, result.codes) != (
        trajectory.outcome,
        trajectory.counters,
        [call.codes for call in trajectory.calls],
    ):
        yield Finding("outcome-mismatch", where, "result.json and trajectory.json differ")


def _check_verdict(
    record: CallRecord, candidate: Candidate[Any], violations: tuple[Violation, ...], where: str
) -> Iterator[Finding]:
    made = [violation_record(violation) for violation in violations]
    codes = list(dict.fromkeys(violation.code for violation in violations))
    codes += [RUN_FALSE_AFTER_VALID] if record.status == "failure_or_timeout" else []
    if record.codes != codes or record.violations != made:
        told = f"recorded {', '.join(record.codes) or 'valid'}, is {', '.join(codes) or 'valid'}"
        yield Finding("candidate-mismatch", where, told)
    elif (record.status == "invalid") is not bool(violations):
        yield Finding("candidate-mismatch", where, f"{record.status} with {len(made)} violations")


def _check_design(
    task: Task[Any],
    folder: CallFolder,
    record: CallRecord,
    candidate: Candidate[Any],
    where: str,
) -> Iterator[Finding]:
    design = candidate.design
    measure = None if design is None else normal(dict(task.measure(design)))
    recorded = None if record.design is None else record.design
    if recorded != measure:
        yield Finding("design-mismatch", where, "its cost or other measures are not the answer's")
    for name, data in (task.files(design) if design is not None else {}).items():
        path = folder.path / name
        if not path.exists():
            yield Finding("missing-file", f"{where}/{name}", "the answer holds a design")
        elif read_bytes(path) != data:
            yield Finding("design-mismatch", f"{where}/{name}", "is not the design of the answer")


def _check_feedback(
    recorded: Any, feedback: Any, violations: tuple[Violation, ...], where: str
) -> Iterator[Finding]:
    made = (feedback.kind, normal(dict(feedback.data)), [violation_record(v) for v in violations])
    if (recorded.feedback, recorded.data, recorded.violations) != made:
        told = "is not the feedback that the answer and its execution give"
        yield Finding("candidate-mismatch", f"{where}/feedback.json", told)
