"""The body of a successful response -> a Reply, or the fault that it is none.

A complete choice is scored whatever is in it: a refusal, a filtered or cut-off answer, a tool
call instead of text. Anything else that came with HTTP 200 is a fault of the transport.
"""

from __future__ import annotations

import json
from typing import Any

from bench.clients.base import Reply, Usage
from bench.clients.faults import Fault, fault_of_error_object
from bench.task import Json

MAX_REPLY_BYTES = 2_000_000
"""A longer reply's text is cut just past this UTF-8 size, so that whoever reads it still sees
that it was too long; `meta["cut_from_bytes"]` says how long."""


def read_completion(body: bytes, request_id: str | None = None) -> Reply | Fault:
    """The first choice of a chat completion, or what is wrong with it."""
    try:
        data = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        start = " ".join(body[:120].decode("utf-8", "replace").split())
        return Fault("not_json", f"{len(body)} bytes that begin {start!r}", 200, request_id)
    if isinstance(data, list) and len(data) == 1:
        data = data[0]
    if not isinstance(data, dict):
        return Fault("not_json", f"a JSON {type(data).__name__} at the top", 200, request_id)
    choices = data.get("choices")
    if data.get("error") and not choices:
        return fault_of_error_object(data["error"], request_id)
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        return Fault("no_choice", f"choices = {_short(choices)}", 200, request_id)
    if choice.get("error"):  # some gateways report the upstream's failure here
        return fault_of_error_object(choice["error"], request_id)
    message = choice.get("message")
    if not isinstance(message, dict):
        return Fault("no_choice", f"message = {_short(message)}", 200, request_id)
    return _read_choice(data, choice, message, request_id)


def _read_choice(
    data: dict[str, Any], choice: dict[str, Any], message: dict[str, Any], request_id: str | None
) -> Reply | Fault:
    finish = choice.get("finish_reason")
    finish_reason = finish if isinstance(finish, str) and finish else None
    text = _text(message.get("content"))
    if text is None:
        return Fault("no_choice", f"content = {_short(message['content'])}", 200, request_id)
    if finish_reason == "error":
        return Fault("error_object", "finish_reason = 'error'", 200, request_id)
    extra: dict[str, Json] = {"request_id": request_id, "response_model": data.get("model")}
    for key in ("refusal", "tool_calls"):
        if message.get(key):
            extra[key] = message[key]
    if not text and finish_reason is None and len(extra) == 2:
        return Fault("empty_answer", "content is empty and finish_reason too", 200, request_id)
    if len(data["choices"]) > 1:
        extra["choices"] = len(data["choices"])
    return Reply(
        text=_fit(text, extra),
        finish_reason=finish_reason,
        usage=_usage(data.get("usage")),
        reasoning=_reasoning(message),
        meta=_valid_text({key: value for key, value in extra.items() if value is not None}),
    )


def _text(content: Json) -> str | None:
    """The text of a message's content: a string, nothing, or a list of text parts."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = [p.get("text") for p in content if isinstance(p, dict) and p.get("type") == "text"]
        return "".join(text for text in texts if isinstance(text, str))
    return None


def _fit(text: str, extra: dict[str, Json]) -> str:
    """`text` as it can be written: lone surrogates replaced, cut to size, both noted."""
    lone = sum("\ud800" <= char <= "\udfff" for char in text) if not text.isascii() else 0
    if lone:
        extra["lone_surrogates"] = lone
        text = _valid_text(text)
    data = text.encode("utf-8")
    if len(data) > MAX_REPLY_BYTES:
        extra["cut_from_bytes"] = len(data)
        end = MAX_REPLY_BYTES + 1
        while end < len(data) and data[end] & 0xC0 == 0x80:  # not within a character
            end += 1
        text = data[:end].decode("utf-8")
    return text


def _valid_text(value: Any) -> Any:
    """`value` with U+FFFD for what is no character, in all its strings."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_valid_text(item) for item in value]
    if isinstance(value, dict):
        return {_valid_text(key): _valid_text(item) for key, item in value.items()}
    return value


def _reasoning(message: dict[str, Any]) -> str | None:
    for key in ("reasoning_content", "reasoning"):
        if isinstance(message.get(key), str) and message[key]:
            return str(_valid_text(message[key]))
    return None


def _usage(usage: Json) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    details = usage.get("completion_tokens_details")
    return Usage(
        input_tokens=_count(usage.get("prompt_tokens")),
        output_tokens=_count(usage.get("completion_tokens")),
        reasoning_tokens=_count(details.get("reasoning_tokens"))
        if isinstance(details, dict)
        else None,
    )


def _count(value: Json) -> int | None:
    return value if type(value) is int and 0 <= value < 2**53 else None


def _short(value: Json) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}..."
