"""One episode as data of the page: what was shown and what came back, call by call."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.errors import RecordError
from bench.records import CallFolder, CallRecord, Episode, Picture
from bench.records.files import inside
from reports.html.pictures import Pictures
from reports.html.scripts import write_script

Json = Any
TEXT_LIMIT = 60_000
"""Characters of one text in the page; the record holds the whole."""
LONG_TEXT = 2_000
"""A longer part of a system message is the same in every request: written once."""


class EpisodeWriter:
    """Writes episodes' data; keeps texts and pictures that many share to one copy.

    `context` names the parts of an observation's data that are shown, empty for all.
    """

    def __init__(self, out: Path, pictures: Pictures, context: Sequence[str] = ()) -> None:
        self.out = out
        self.pictures = pictures
        self.context = context
        self._texts: dict[str, str] = {}

    def write(self, episode: Episode, key: str, about: dict[str, Json]) -> Path:
        """Write one episode under its key. Raises RecordError for a broken record."""
        trajectory = episode.trajectory
        rows = {row.call: row for row in trajectory.calls} if trajectory else {}
        calls = [self._call(folder, rows.get(folder.call), key) for folder in episode.calls()]
        infra = trajectory.infra if trajectory else None
        value = {
            **about,
            "level": episode.key.level,
            "sample": episode.key.sample,
            "outcome": trajectory.outcome.value if trajectory else None,
            "infra": infra.model_dump(mode="json") if infra else None,
            "facts": trajectory.facts if trajectory else {},
            "calls": calls,
        }
        return write_script(self.out / "data" / "e" / f"{key}.js", f"e/{key}", value)

    def _call(self, folder: CallFolder, row: CallRecord | None, key: str) -> dict[str, Json]:
        request, response = folder.request(), folder.response()
        feedback, execution = folder.feedback(), folder.execution_record()
        violations = row.violations if row else feedback.violations if feedback else []
        return {
            "n": folder.call,
            "row": _row(row) if row else None,
            "violations": [v.model_dump(mode="json") for v in violations],
            "messages": self._messages(request.messages) if request else [],
            "shown": self._placed(folder, request.pictures) if request else [],
            "context": self._context(request.data) if request else None,
            "reply": cut(response.text) if response else None,
            "reasoning": cut(response.reasoning or "") if response else "",
            "thought": cut(feedback.thought) if feedback else "",
            "design": _design(folder.path / "design.json"),
            "execution": {"summary": execution.summary, "facts": execution.facts}
            if execution
            else None,
            "sheet": self._placed(folder, execution.pictures) if execution else [],
            "replay": self._replay(folder, key),
        }

    def _placed(self, folder: CallFolder, pictures: list[Picture]) -> list[dict[str, Json]]:
        found = []
        for picture in pictures:
            address = self.pictures.place(inside(folder.path.parent, picture.file), picture.sha256)
            found.append({"name": picture.name, "src": address})
        return found

    def _messages(self, messages: list[Json]) -> list[dict[str, Json]]:
        return [
            {"role": m["role"], "parts": [self._part(m["role"], part) for part in m["parts"]]}
            for m in messages
        ]

    def _part(self, role: str, part: dict[str, Json]) -> dict[str, Json]:
        text = part.get("text")
        if text is None:
            return {"image": str(part.get("image", ""))}
        if role != "system" or len(text) < LONG_TEXT:
            return {"text": cut(text)}
        name = self._texts.get(text)
        if name is None:
            name = self._texts[text] = f"t/{len(self._texts)}"
            write_script(self.out / "data" / f"{name}.js", name, text)
        return {"ref": name}

    def _context(self, data: Json) -> Json:
        if not isinstance(data, dict):
            return None
        return {key: value for key, value in data.items() if key in (self.context or data)}

    def _replay(self, folder: CallFolder, key: str) -> str | None:
        """The recorded states as they are, in base64: the browser unpacks them when asked."""
        path = folder.path / "rollout.json.gz"
        if not path.is_file():
            return None
        name = f"r/{key}-{folder.call}"
        packed = base64.b64encode(path.read_bytes()).decode("ascii")
        write_script(self.out / "data" / f"{name}.js", name, packed)
        return name


def _row(row: CallRecord) -> dict[str, Json]:
    """What the page shows of a call's row; the violations stand beside it."""
    return row.model_dump(mode="json", exclude={"violations", "response_sha256", "execution"})


def _design(path: Path) -> Json:
    if not path.is_file():
        return None
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RecordError(f"{path.parent.name}/design.json: cannot be read ({error})") from None


def cut(text: str) -> str:
    """A text up to the page's limit."""
    if len(text) <= TEXT_LIMIT:
        return text
    return f"{text[:TEXT_LIMIT]}\n[cut: the record holds all {len(text):,} characters]"
