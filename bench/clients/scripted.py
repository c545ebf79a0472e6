"""A client that answers from a file: for tests, demonstrations and checks of the pipeline.

The file is one of

    script.json     {"<level>": [reply, ...], "*": [reply, ...]}   "*" answers every other level
    script.jsonl    one {"level": "<level>", "reply": reply} a line; lines of a level in call order
    a folder        <level>/1.txt, <level>/2.txt, ...: the raw text of calls 1, 2, ...; "*" is
                    named `_default`

A reply is a string (sent as it is), or an object. An object with a key `text`, `error` or
`fatal` is an instruction: `text` (string or object) with optional `finish_reason`, `usage`
(input_tokens, output_tokens, reasoning_tokens) and `reasoning`; `error` raises ClientError,
`fatal` FatalClientError. Any other object is the answer itself and is sent as JSON text.
A level's last reply is repeated when there are more calls than replies.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.clients.base import AttemptLog, Reply, Request, Usage
from bench.errors import ClientError, FatalClientError, ModelError
from bench.task import Json

DEFAULT = "*"
DEFAULT_FOLDER = "_default"

_INSTRUCTIONS = ("text", "error", "fatal")
_USAGE = ("input_tokens", "output_tokens", "reasoning_tokens")
_FIELDS = {*_INSTRUCTIONS, "finish_reason", "usage", "reasoning"}


class ScriptedClient:
    """Answers call n of a level with the level's n-th reply.

    Raises ModelError at once when the script cannot be read, so that no episode starts on it.
    """

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._replies = _load(self._path)

    @property
    def name(self) -> str:
        """The model's name in tables: the script's, without its folder."""
        return f"scripted:{self._path.name}"

    def describe(self) -> Mapping[str, Json]:
        """The script's name, a hash of its replies, and how many it holds for which level."""
        counts = {level: len(replies) for level, replies in sorted(self._replies.items())}
        content = json.dumps(self._replies, sort_keys=True).encode()
        return {
            "client": "scripted",
            "model": self.name,
            "sha256": hashlib.sha256(content).hexdigest(),
            "replies": counts,
        }

    def reply(self, request: Request, log: AttemptLog) -> Reply:
        """The reply for this level and call. Raises ClientError where the script says so."""
        replies = self._replies.get(request.level) or self._replies.get(DEFAULT)
        if not replies:
            raise FatalClientError(
                f"{self._path}: has no reply for level {request.level} and no {DEFAULT!r}; add one"
            )
        entry = replies[min(request.call, len(replies)) - 1]
        if isinstance(entry, str):
            return Reply(entry, finish_reason="stop")
        if not any(key in entry for key in _INSTRUCTIONS):
            return Reply(json.dumps(entry, ensure_ascii=False), finish_reason="stop")
        if "fatal" in entry:
            raise FatalClientError(str(entry["fatal"]))
        if "error" in entry:
            raise ClientError(str(entry["error"]))
        text = entry["text"]
        return Reply(
            text if isinstance(text, str) else json.dumps(text, ensure_ascii=False),
            finish_reason=entry.get("finish_reason", "stop"),
            usage=Usage(**entry.get("usage", {})),
            reasoning=entry.get("reasoning"),
        )

    def close(self) -> None:
        """Nothing to release."""


def _load(path: Path) -> dict[str, list[Any]]:
    try:
        if path.is_dir():
            script = _from_folder(path)
        elif path.suffix == ".jsonl":
            script = _from_lines(path)
        else:
            script = _from_json(path)
    except FileNotFoundError:
        raise ModelError(f"{path}: there is no such script of replies; check the path") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"{path}: cannot be read: {error}") from None
    if not any(script.values()):
        raise ModelError(f"{path}: holds no reply; see bench/clients/scripted.py for its form")
    return script


def _from_json(path: Path) -> dict[str, list[Any]]:
    data = _parse(path.read_text(encoding="utf-8"), str(path))
    if not isinstance(data, dict):
        raise ModelError(f'{path}: must be an object {{"<level>": [reply, ...]}}')
    for level, replies in data.items():
        if not isinstance(replies, list):
            raise ModelError(f"{path}: the replies of {level!r} must be a list")
        for number, entry in enumerate(replies, 1):
            _check(entry, f"{path}: {level!r}, reply {number}")
    return data


def _from_lines(path: Path) -> dict[str, list[Any]]:
    script: dict[str, list[Any]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        place = f"{path}: line {number}"
        if not line.strip():
            continue
        row = _parse(line, place)
        if not isinstance(row, dict) or set(row) != {"level", "reply"}:
            raise ModelError(f'{place}: must be {{"level": "<level>", "reply": reply}}')
        if not isinstance(row["level"], str):
            raise ModelError(f"{place}: the level must be a string")
        _check(row["reply"], place)
        script.setdefault(row["level"], []).append(row["reply"])
    return script


def _from_folder(path: Path) -> dict[str, list[Any]]:
    script: dict[str, list[Any]] = {}
    for folder in sorted(p for p in path.iterdir() if p.is_dir()):
        texts = list(_texts(folder))
        script[DEFAULT if folder.name == DEFAULT_FOLDER else folder.name] = texts
    return script


def _texts(folder: Path) -> Iterator[str]:
    numbers = {p.stem: p for p in folder.glob("*.txt")}
    for number in range(1, len(numbers) + 1):
        path = numbers.get(str(number))
        if path is None:
            raise ModelError(
                f"{folder}: has {len(numbers)} .txt files but no {number}.txt; "
                "they must be 1.txt, 2.txt, ... without a gap"
            )
        # Bytes, so that line ends stay as they are.
        yield path.read_bytes().decode("utf-8")


def _parse(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{place}: is not JSON: {error}") from None


def _check(entry: Any, place: str) -> None:
    if isinstance(entry, str):
        return
    if not isinstance(entry, dict):
        raise ModelError(f"{place}: a reply must be a string or an object")
    found = [key for key in _INSTRUCTIONS if key in entry]
    if not found:
        return
    if len(found) > 1:
        raise ModelError(f"{place}: has both {found[0]!r} and {found[1]!r}; keep one")
    unknown = sorted(set(entry) - _FIELDS)
    if unknown:
        raise ModelError(f"{place}: unknown field {unknown[0]!r}; known: {sorted(_FIELDS)}")
    usage = entry.get("usage", {})
    if not isinstance(usage, dict) or not all(
        key in _USAGE and type(value) is int for key, value in usage.items()
    ):
        raise ModelError(f"{place}: usage takes whole numbers for {', '.join(_USAGE)}")
    if not isinstance(entry.get("text", ""), str | dict):
        raise ModelError(f"{place}: text must be a string or an object")
    for key in ("finish_reason", "reasoning"):
        if not isinstance(entry.get(key), str | None):
            raise ModelError(f"{place}: {key} must be a string")
