"""The body of a successful response -> a Reply, or the fault that it is none.

A complete choice is scored whatever is in it: a refusal, a filtered or cut-off answer, a tool
call instead of text. Anything else that came with HTTP 200 is a fault of the transport, with
the body's form in its message where its words do not say why.
"""

from __future__ import annotations

import json
from typing import Any

from bench.answer_json import cut_text
from bench.clients.base import Reply
from bench.clients.faults import Fault, fault_of_error_object
from bench.clients.filters import filter_of_body
from bench.clients.parts import Content, read_content, read_reasoning
from bench.clients.said import message_of, said_by, shape_of
from bench.clients.usage import read_usage
from bench.outside import Secret, hide_in, hide_secrets, one_line
from bench.task import Json

BROKEN_OFF = frozenset(
    [
        *("error", "abort", "aborted", "cancelled", "canceled", "failed"),
        *("server_error", "internal_error", "network_error", "insufficient_system_resource"),
    ]
)
"""Finish reasons by which servers say that they broke the answer off."""


def read_completion(
    body: bytes, request_id: str | None = None, secret: Secret | None = None
) -> Reply | Fault:
    """The first choice of a chat completion, or what is wrong with it.

    Nothing that the reply or the fault holds shows the secret.
    """
    try:
        data = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        start = one_line(body[:1000].decode("utf-8", "replace"), secret, 120)
        return Fault("not_json", f"{len(body)} bytes that begin {start!r}", 200, request_id)
    if isinstance(data, list) and len(data) == 1:
        data = data[0]
    if not isinstance(data, dict):
        return Fault("not_json", f"a JSON {type(data).__name__} at the top", 200, request_id)
    choice = _first(data.get("choices"))
    error = _error(data) or _error(choice or {})  # some gateways use the choice
    message = (choice or {}).get("message")
    if error or not isinstance(message, dict):
        return _no_answer(data, error, choice, request_id, secret)
    assert choice is not None
    result = _read_choice(data, choice, message, request_id, secret)
    return result if isinstance(result, Fault) else _without(result, secret)


def filtered_reply(
    provider: str, words: str, status: int, request_id: str | None, secret: Secret | None
) -> Reply:
    """A content filter's answer that came as an error: empty, and scored."""
    meta: dict[str, Json] = {
        "http_status": status,
        "request_id": request_id,
        "refusal": one_line(words, secret),
        "filter": provider,
    }
    return Reply(text="", finish_reason="content_filter", meta=meta)


def _first(choices: Json) -> dict[str, Any] | None:
    choice = choices[0] if isinstance(choices, list) and choices else None
    return choice if isinstance(choice, dict) else None


def _error(table: dict[str, Any]) -> Json:
    """The error in a body or a choice, None where it is there but says nothing."""
    error = table.get("error")
    return error if any(error.values() if isinstance(error, dict) else [error]) else None


def _no_answer(
    data: dict[str, Any],
    error: Json,
    choice: dict[str, Any] | None,
    request_id: str | None,
    secret: Secret | None,
) -> Reply | Fault:
    """A filter's answer, or the fault of a body with an error, or without choice or message."""
    about = {**data, "error": error} if error else {**data, "choices": None}
    filtered = filter_of_body(about)
    if filtered is not None:
        words = said_by(about) if error else filtered.shown
        return filtered_reply(filtered.provider, words, 200, request_id, secret)
    if error:
        return fault_of_error_object(error, request_id, secret)
    if choice is not None:
        missing = f"message = {one_line(repr(choice.get('message')), secret, 80)}"
    else:
        missing = f"choices = {one_line(repr(data.get('choices')), secret, 80)}"
    words = message_of({key: value for key, value in data.items() if key != "choices"})
    why = words or f"the body is {shape_of(data)}"
    return Fault("no_choice", one_line(f"{missing}; {why}", secret), 200, request_id)


def _read_choice(
    data: dict[str, Any],
    choice: dict[str, Any],
    message: dict[str, Any],
    request_id: str | None,
    secret: Secret | None,
) -> Reply | Fault:
    finish = choice.get("finish_reason")
    finish_reason = finish if isinstance(finish, str) and finish else None
    content = read_content(message.get("content"))
    if content.unknown:
        form = one_line(shape_of(data), secret, 1000)
        return Fault("unreadable", f"the body is {form}", 200, request_id)
    if finish_reason is not None and finish_reason.lower() in BROKEN_OFF:
        return Fault("error_object", one_line(f"finish_reason = {finish!r}"), 200, request_id)
    reasoning = read_reasoning(message, content)
    extra: dict[str, Json] = {"request_id": request_id, "response_model": data.get("model")}
    extra |= _beside_text(message, content)
    if not content.text and finish_reason is None and len(extra) == 2:
        return Fault("empty_answer", "content is empty and finish_reason too", 200, request_id)
    if len(data["choices"]) > 1:
        extra["choices"] = len(data["choices"])
    answered = bool(content.text or reasoning or len(extra) > 2)
    usage, note = read_usage(data.get("usage"), answered=answered)
    if note is not None:
        extra |= {"usage": data.get("usage"), "usage_note": note}
    return Reply(
        text=_fit(content.text, extra),
        finish_reason=finish_reason,
        usage=usage,
        reasoning=None if reasoning is None else _valid_text(reasoning),
        meta={key: value for key, value in extra.items() if value is not None},
    )


def _beside_text(message: dict[str, Any], content: Content) -> dict[str, Json]:
    """A refusal and tool calls, whether they stand beside the content or in it."""
    refusal = message.get("refusal") or "\n".join(content.refusals)
    calls = message.get("tool_calls") or message.get("function_call") or content.calls
    found = {"refusal": refusal, "tool_calls": calls}
    return {key: value for key, value in found.items() if value}


def _without(reply: Reply, secret: Secret | None) -> Reply:
    """The reply without the key. Its text and thoughts stay as they came otherwise."""

    def hide(text: str) -> str:
        text = _valid_text(text)
        return text if secret is None else secret.hide(text, shortest=8)

    def tidy(text: str) -> str:
        return hide_secrets(_valid_text(text), secret)

    meta = hide_in(dict(reply.meta), tidy)
    if isinstance(meta.get("response_model"), str):
        meta["response_model"] = one_line(meta["response_model"])
    finish = reply.finish_reason
    return Reply(
        text=hide(reply.text),
        finish_reason=None if finish is None else one_line(finish, secret),
        usage=reply.usage,
        reasoning=None if reply.reasoning is None else hide(reply.reasoning),
        meta=meta,
    )


def _fit(text: str, extra: dict[str, Json]) -> str:
    """`text` as it can be written: lone surrogates replaced, cut to size, both noted."""
    lone = sum("\ud800" <= char <= "\udfff" for char in text) if not text.isascii() else 0
    if lone:
        extra["lone_surrogates"] = lone
        text = _valid_text(text)
    whole = len(text.encode())
    text, cut = cut_text(text)
    if cut:
        extra["cut_from_bytes"] = whole
    return text


def _valid_text(text: str) -> str:
    """`text` with U+FFFD for what is no character."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
