"""A client that answers from a recorded session, so that its tables can be checked for nothing.

A reply is found by its request's hash alone. Only complete replies were ever recorded as one,
so no error is replayed; a request that the session never made is an error and never a guess.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.clients.base import AttemptLog, Reply, Request, Usage
from bench.clients.hashing import request_sha256
from bench.errors import FatalClientError, RecordError, SessionError
from bench.task import Json


class ReplayClient:
    """Answers as the recorded session did. Sends nothing and needs no key.

    `description` is that of the client that is replayed: the same model, address and
    parameters give the same hashes.
    """

    def __init__(self, description: Mapping[str, Json], name: str, session: Path) -> None:
        if not (session / "manifest.json").is_file():
            raise SessionError(f"--replay {session}: no session is there (no manifest.json)")
        self._description = dict(description)
        self._name = name
        self._session = session
        self._index: dict[str, Path] | None = None

    @property
    def name(self) -> str:
        """The replayed model's name in tables."""
        return self._name

    def describe(self) -> Mapping[str, Json]:
        """The replayed client's settings, and which session the answers come from."""
        return {**self._description, "replay": self._session.name}

    def reply(self, request: Request, log: AttemptLog) -> Reply:
        """The recorded reply. Raises FatalClientError when the session holds none."""
        if self._index is None:
            self._index = index_session(self._session)
        digest = request_sha256(self._description, request)
        folder = self._index.get(digest)
        if folder is None:
            raise FatalClientError(
                f"--replay {self._session.name} holds no reply to {request.level} "
                f"call {request.call} (request {digest[:12]}); model, address, parameters, budget "
                "and prompt must be those of the recorded session"
            )
        return read_reply(folder / "response.json")

    def close(self) -> None:
        """Nothing is open."""


def index_session(session: Path) -> dict[str, Path]:
    """Request hash -> call folder, for every call of a session that got a complete reply.

    Raises RecordError when two calls with one hash hold different replies.
    """
    index: dict[str, Path] = {}
    for path in sorted(session.rglob("call-*/request.json")):
        folder = path.parent
        digest = _read(path).get("request_sha256")
        if not isinstance(digest, str) or not (folder / "response.json").is_file():
            continue
        other = index.setdefault(digest, folder)
        mine, theirs = (read_reply(f / "response.json").text for f in (folder, other))
        if mine != theirs:
            names = " and ".join(str(f.relative_to(session)) for f in (other, folder))
            raise RecordError(f"{names} hold different replies to one request")
    return index


def read_reply(path: Path) -> Reply:
    """A recorded reply. Raises RecordError when the file does not hold one."""
    data = _read(path)
    usage = data.get("usage") or {}
    try:
        return Reply(
            text=_string(data["text"]),
            finish_reason=data.get("finish_reason"),
            usage=Usage(**usage),
            reasoning=data.get("reasoning"),
            meta=data.get("meta") or {},
        )
    except (KeyError, TypeError) as error:
        raise RecordError(f"{path.parent.name}/{path.name} holds no reply: {error}") from None


def _string(value: Json) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text is a {type(value).__name__}")
    return value


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise RecordError(f"{path.parent.name}/{path.name} cannot be read: {error}") from None
    if not isinstance(data, dict):
        raise RecordError(f"{path.parent.name}/{path.name} holds no JSON object")
    return data
