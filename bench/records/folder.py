"""The folders of one episode and of one call, as they are written while it runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from bench.answer_json import cut_text
from bench.clients.base import Reply
from bench.errors import RecordError
from bench.records.files import (
    append_line,
    inside,
    json_bytes,
    normal,
    read_bytes,
    read_lines,
    remove_temporaries,
    sha256,
    write_bytes,
    write_json,
)
from bench.records.layout import (
    ATTEMPTS,
    EXECUTION,
    FEEDBACK,
    LISTED_OF_CALL,
    REQUEST,
    RESPONSE,
    RESULT,
    TRAJECTORY,
    call_path,
)
from bench.records.schema import (
    ExecutionRecord,
    FeedbackRecord,
    Picture,
    R,
    Request,
    Response,
    Result,
    Trajectory,
    UsageRecord,
)
from bench.task import Execution, Json, Observation, Outcome, TextPart
from bench.task import Picture as TaskPicture


def read_record(path: Path, name: str) -> Json:
    """The JSON of a record file. Raises RecordError that names it."""
    try:
        return json.loads(read_bytes(path))
    except ValueError as error:
        raise RecordError(f"{name}: is not JSON ({error})") from None


class CallFolder:
    """`call-N`: the records of one call, in the order in which they come into being."""

    def __init__(self, path: Path, call: int) -> None:
        self.path = path
        self.call = call
        self.label = f"{path.parent.name}/{path.name}"

    def write_request(self, request: Request) -> None:
        """Record what is about to be sent."""
        write_json(self.path / REQUEST, request.dump())

    def log_attempt(self, row: Mapping[str, Json]) -> None:
        """Record one transport attempt at once."""
        append_line(self.path / ATTEMPTS, row)

    def attempts(self) -> list[dict[str, Json]]:
        """The transport attempts so far, over all runs."""
        return read_lines(self.path / ATTEMPTS)

    def write_response(self, reply: Reply, timing: Mapping[str, Json]) -> Response:
        """Record a complete reply before anybody looks into it; gives it as recorded."""
        text, cut = cut_text(reply.text)
        usage = reply.usage
        response = Response(
            text=text,
            cut=cut,
            finish_reason=reply.finish_reason,
            usage=UsageRecord(
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                reasoning_tokens=usage.reasoning_tokens,
            ),
            reasoning=reply.reasoning,
            meta=normal(dict(reply.meta)),
            timing=dict(timing),
        )
        write_json(self.path / RESPONSE, response.dump())
        return response

    def write_files(self, files: Mapping[str, bytes]) -> dict[str, str]:
        """Record a task's or a driver's files; gives their hashes."""
        for name, data in files.items():
            write_bytes(inside(self.path, name), data)
        return {name: sha256(data) for name, data in sorted(files.items())}

    def write_execution(self, execution: Execution, timing: Mapping[str, Json]) -> Execution:
        """Record a physics attempt, its files first; gives it as a resumed run reads it."""
        files = self.write_files(execution.files)
        pictures = [self.write_picture(picture) for picture in execution.pictures]
        summary, facts = normal(dict(execution.summary)), normal(dict(execution.facts))
        record = ExecutionRecord.load(
            {
                "schema": ExecutionRecord.kind,
                "outcome": execution.outcome.value,
                "summary": summary,
                "facts": facts,
                "files": files,
                "pictures": pictures,
                "timing": dict(timing),
            },
            f"{self.label}/{EXECUTION}",
        )
        write_json(self.path / EXECUTION, record.dump())
        return Execution(execution.outcome, summary, facts, {}, execution.pictures)

    def write_picture(self, picture: TaskPicture) -> Picture:
        """Record a picture under its own name in this call."""
        file = f"{picture.name}.png"
        write_bytes(inside(self.path, file), picture.png)
        return Picture(
            name=picture.name, file=f"{self.path.name}/{file}", sha256=sha256(picture.png)
        )

    def write_feedback(self, record: FeedbackRecord) -> None:
        """Record the feedback. Raises RecordError when another one is there already."""
        data = json_bytes(record.dump())
        path = self.path / FEEDBACK
        if path.exists() and read_bytes(path) != data:
            raise RecordError(
                f"{self.label}/{FEEDBACK}: differs from what this version makes of the same "
                "reply; the code or the level changed, start a new session"
            )
        write_bytes(path, data)

    def response(self) -> Response | None:
        """The recorded reply, None when this call has none yet."""
        return self._read(Response, RESPONSE)

    def request(self) -> Request | None:
        """The recorded request, None when nothing was sent yet."""
        return self._read(Request, REQUEST)

    def feedback(self) -> FeedbackRecord | None:
        """The recorded feedback, None when the call is not finished."""
        return self._read(FeedbackRecord, FEEDBACK)

    def execution_record(self) -> ExecutionRecord | None:
        """The recorded physics attempt, None when there was none or it was cut off."""
        return self._read(ExecutionRecord, EXECUTION)

    def execution(self) -> Execution | None:
        """The recorded physics attempt as an Execution with its pictures, without its files."""
        record = self.execution_record()
        if record is None:
            return None
        pictures = tuple(self._picture(picture) for picture in record.pictures)
        return Execution(Outcome(record.outcome), record.summary, record.facts, {}, pictures)

    def _picture(self, picture: Picture) -> TaskPicture:
        png = read_bytes(inside(self.path.parent, picture.file))
        if sha256(png) != picture.sha256:
            raise RecordError(f"{self.path.parent.name}/{picture.file}: was changed on disk")
        return TaskPicture(picture.name, png)

    def _read(self, kind: type[R], name: str) -> R | None:
        path = self.path / name
        if not path.exists():
            return None
        label = f"{self.label}/{name}"
        return kind.load(read_record(path, label), label)


class EpisodeFolder:
    """`<level>` or `<level>/sample-K`: the records of one episode."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self) -> None:
        """Create the folder; delete what a killed run left half written."""
        self.path.mkdir(parents=True, exist_ok=True)
        remove_temporaries(self.path)

    def call(self, number: int) -> CallFolder:
        """The folder of one call, which need not exist."""
        return CallFolder(call_path(self.path, number), number)

    def calls(self) -> list[CallFolder]:
        """The folders of all calls that were begun, in order."""
        found = []
        number = 1
        while (folder := self.call(number)).path.is_dir():
            found.append(folder)
            number += 1
        return found

    def listed(self) -> list[Path]:
        """The records whose hashes a session's manifest holds, as far as they exist.

        The result, the trajectory, and of each call what no other record has the hash of.
        """
        paths = [self.path / name for name in (RESULT, TRAJECTORY)]
        paths += [call.path / name for call in self.calls() for name in LISTED_OF_CALL]
        return [path for path in paths if path.exists()]

    def result(self) -> Result | None:
        """The recorded result, None when the episode is not finished."""
        path = self.path / RESULT
        label = f"{self.path.name}/{RESULT}"
        return Result.load(read_record(path, label), label) if path.exists() else None

    def trajectory(self) -> Trajectory:
        """The recorded trajectory. Raises RecordError when it is missing or broken."""
        label = f"{self.path.name}/{TRAJECTORY}"
        return Trajectory.load(read_record(self.path / TRAJECTORY, label), label)

    def place_pictures(self, call: CallFolder, observation: Observation) -> list[Picture]:
        """Record the pictures of an observation; one that an earlier call holds is referred to."""
        placed = []
        for picture in observation.pictures:
            digest = sha256(picture.png)
            file = f"{picture.name}.png"
            for earlier in range(call.call - 1, 0, -1):
                path = self.call(earlier).path / file
                if path.exists() and sha256(read_bytes(path)) == digest:
                    placed.append(
                        Picture(name=picture.name, file=f"call-{earlier}/{file}", sha256=digest)
                    )
                    break
            else:
                placed.append(call.write_picture(picture))
        return placed


def message_records(observation: Observation) -> list[Json]:
    """The messages with pictures by name."""
    return [
        {
            "role": message.role,
            "parts": [
                {"text": part.text} if isinstance(part, TextPart) else {"image": part.picture.name}
                for part in message.parts
            ],
        }
        for message in observation.messages
    ]
