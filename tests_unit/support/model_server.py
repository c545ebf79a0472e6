"""A small OpenAI-compatible server on a real socket that plays scripted replies and faults."""

from __future__ import annotations

import json
import random
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any


@dataclass(frozen=True, slots=True)
class Play:
    """What the server does with one request.

    It waits `delay_s`, sends status and headers, then the body in pieces of `piece` bytes with
    `pause_s` between them. `reset_after` cuts the connection (RST) after so many body bytes;
    `repeat` sends the body so many times over, as one body.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    delay_s: float = 0.0
    piece: int = 1 << 20
    pause_s: float = 0.0
    reset_after: int | None = None
    repeat: int = 1


def completion(
    text: str | None, finish_reason: str | None = "stop", **message: Any
) -> dict[str, Any]:
    """The JSON of a chat completion with one choice."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "served-model",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, **message},
                "finish_reason": finish_reason,
            }
        ],
        "usage": {
            "prompt_tokens": 1000,
            "completion_tokens": 200,
            "total_tokens": 1200,
            "completion_tokens_details": {"reasoning_tokens": 150},
        },
    }


def answer(text: str | None, finish_reason: str | None = "stop", **message: Any) -> Play:
    """A complete answer."""
    return sends(completion(text, finish_reason, **message))


def sends(value: Any, status: int = 200, **headers: str) -> Play:
    """Any JSON with any status."""
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Play(status, json.dumps(value).encode(), {"Content-Type": "application/json", **named})


def error(status: int, message: str, code: str | None = None, **headers: str) -> Play:
    """An error as OpenAI words it."""
    return sends({"error": {"message": message, "type": code, "code": code}}, status, **headers)


def html(status: int) -> Play:
    """A gateway's error page."""
    page = b"<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"
    return Play(status, page, {"Content-Type": "text/html"})


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as the server saw it; the headers' names are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: Any

    @property
    def text(self) -> str:
        """All text of the messages."""
        texts = []
        for message in self.body["messages"]:
            content = message["content"]
            if isinstance(content, str):
                texts.append(content)
            else:
                texts += [part["text"] for part in content if part["type"] == "text"]
        return "\n".join(texts)


Script = Callable[[Seen, int], Play]


def in_turn(*plays: Play) -> Script:
    """The plays in turn; the last one for all further requests."""
    return lambda _seen, index: plays[min(index, len(plays) - 1)]


def by_level(replies: Mapping[str, Sequence[str | Play]]) -> Script:
    """For each level its replies in turn, found by the level's name in the text.

    A level that is not in the script, or asks too often, gets a HTTP 400 that says so.
    """
    asked: Counter[str] = Counter()
    lock = threading.Lock()

    def play(seen: Seen, _index: int) -> Play:
        found = [name for name in replies if name in seen.text]
        if not found:
            return error(400, "no level of the script is in this prompt")
        name = max(found, key=len)
        with lock:
            index = asked[name]
            asked[name] += 1
        if index >= len(replies[name]):
            return error(400, f"{name} asks for reply {index + 1}; the script has fewer")
        reply = replies[name][index]
        return answer(reply) if isinstance(reply, str) else reply

    return play


MISBEHAVIOURS: Mapping[str, Play] = {
    "429": error(429, "slow down"),
    "500": error(500, "internal"),
    "502 page": html(502),
    "503": error(503, "loading"),
    "200 page": html(200),
    "broken JSON": Play(body=b'{"choices": [{"mess'),
    "reset": Play(body=b" " * 200, reset_after=40),
    "error object": sends({"error": {"message": "upstream overloaded"}}),
    "error beside a choice": sends({**completion("win"), "error": {"message": "died"}}),
    "null choices": sends({"choices": None, "message": "no worker is free"}),
    "no choice": sends({"choices": []}),
    "empty answer": answer("", None),
    "broken off": answer("wi", "abort"),
    "unknown content": sends(completion([{"type": "video"}])),  # type: ignore[arg-type]
}
"""What a server may do instead of an answer without ending the run."""


def misbehaving(script: Script, seed: int, share: float = 0.1) -> Script:
    """`script`, but a share of the requests, chosen by the seed, gets a misbehaviour instead.

    Which request that is depends on how many came before it, and on nothing else.
    """

    def play(seen: Seen, index: int) -> Play:
        dice = random.Random(f"{seed} {index}")
        if dice.random() < share:
            return dice.choice(list(MISBEHAVIOURS.values()))
        return script(seen, index)

    return play


class ModelServer:
    """Serves a script until closed; `seen` lists the requests in order of arrival."""

    def __init__(self, script: Script | Play) -> None:
        self.seen: list[Seen] = []
        self._script = in_turn(script) if isinstance(script, Play) else script
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                outer._serve(self)

            def log_message(self, format: str, *args: Any) -> None:
                """Print nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        # The default backlog of 5 refuses connections when several workers come at once.
        self._server.socket.listen(64)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def url(self) -> str:
        """The base URL for a client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers.get("Content-Length", "0")))
        headers = {key.lower(): value for key, value in handler.headers.items()}
        seen = Seen(handler.path, headers, json.loads(body))
        with self._lock:
            index = len(self.seen)
            self.seen.append(seen)
        try:
            self._play(handler, self._script(seen, index))
        except (BrokenPipeError, ConnectionError, ValueError):
            handler.close_connection = True  # the client went away, as some plays make it

    def _play(self, handler: BaseHTTPRequestHandler, play: Play) -> None:
        time.sleep(play.delay_s)
        handler.send_response(play.status)
        for key, value in {"x-request-id": f"req-{len(self.seen)}", **play.headers}.items():
            handler.send_header(key, value)
        handler.send_header("Content-Length", str(len(play.body) * play.repeat))
        handler.end_headers()
        if play.reset_after is not None:
            handler.wfile.write(play.body[: play.reset_after])
            handler.wfile.flush()
            time.sleep(0.05)  # or the reset overtakes the bytes before it
            linger = struct.pack("ii", 1, 0)
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            handler.close_connection = True
            handler.connection.close()
            return
        for _ in range(play.repeat):
            for start in range(0, len(play.body), play.piece):
                handler.wfile.write(play.body[start : start + play.piece])
                handler.wfile.flush()
                time.sleep(play.pause_s)


def closed_url() -> str:
    """A base URL on a port where nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/v1"
