"""What can go wrong with one HTTP attempt, and what is done about it: the one table.

`retry`: another attempt may help, after a back-off. `fatal`: every further request would fail
alike, so the run stops with the reason. Neither: this episode ends as an infra_error and the
run goes on. `billed`: the provider may charge for the attempt although no answer came of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from bench.task import Json


class Rule(NamedTuple):
    """How one kind of fault is treated; see the module's docstring."""

    retry: bool
    fatal: bool
    billed: bool
    meaning: str


_RETRY, _STOP, _SKIP = (True, False), (False, True), (False, False)

RULES: Mapping[str, Rule] = {
    # nothing reached the provider
    "no_connection": Rule(*_RETRY, False, "no connection could be made"),
    "pool_timeout": Rule(*_RETRY, False, "no free connection in time"),
    # the request was on its way or sent
    "write_failed": Rule(*_RETRY, True, "sending the request failed or took too long"),
    "read_timeout": Rule(*_RETRY, True, "the server sent nothing for the read timeout"),
    "deadline": Rule(*_RETRY, True, "the answer was not complete at the total deadline"),
    "reset": Rule(*_RETRY, True, "the connection broke before the answer was complete"),
    # the provider said so
    "rate_limit": Rule(*_RETRY, False, "too many requests (HTTP 429)"),
    "busy": Rule(*_RETRY, False, "the provider asks to come again (HTTP 408, 409, 425, 503)"),
    "server_error": Rule(*_RETRY, True, "the provider failed (HTTP 5xx)"),
    "quota": Rule(*_STOP, False, "the account's quota or credit is used up"),
    "authentication": Rule(*_STOP, False, "the key is missing, wrong or not allowed (401, 403)"),
    "unknown_model": Rule(*_STOP, False, "the model or the address is unknown (404)"),
    "bad_request": Rule(*_STOP, False, "the provider does not take this request (other 4xx)"),
    "text_only": Rule(*_STOP, False, "the server cannot take images"),
    "context_length": Rule(*_SKIP, False, "the prompt is longer than the model's context"),
    "redirect": Rule(*_STOP, False, "redirects are not followed: they would carry the key on"),
    # HTTP 200 without an answer in it
    "not_json": Rule(*_RETRY, True, "HTTP 200 with a body that is not JSON"),
    "error_object": Rule(*_RETRY, True, "HTTP 200 with an error instead of an answer"),
    "no_choice": Rule(*_RETRY, True, "HTTP 200 without a choice"),
    "empty_answer": Rule(*_RETRY, True, "no text and no finish reason"),
    "body_too_large": Rule(*_SKIP, True, "the body is larger than the client takes"),
    # ours
    "interrupted": Rule(*_SKIP, True, "the user stopped the run"),
}

RETRY_AFTER_CAP_S = 120.0
"""Longest wait that Retry-After can ask for; a longer one is cut to this and tried again."""

_QUOTA = re.compile(
    r"insufficient_quota|exceeded_current_quota|billing_(hard_limit|not_active)|arrearage|"
    r"insufficient[ _]balance|credit balance is too low",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    r"context_length_exceeded|context (length|window|size)|exceed_context_size|prompt is too long",
    re.IGNORECASE,
)
_NO_IMAGES = re.compile(
    r"can only concatenate str \(not .?\"list.?\"\) to str|image input is not supported|"
    r"(does|do) not support (image|vision)|not a multimodal model|at most 0 image|mmproj|"
    r"unknown variant `image_url`",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content_filter|content_policy_violation|data_inspection_failed|DataInspectionFailed"
)
_UNKNOWN_MODEL = re.compile(
    r"model_not_found|model_not_exist|unknown[ _]model|model .{0,80}(not found|does not exist)",
    re.IGNORECASE,
)
_HINTS = {
    "text_only": "the server takes no images: give --no-images, or set vision = false "
    "in the model's profile",
    "context_length": "the prompt does not fit: use a model or server with a longer context",
    "quota": "add credit at the provider, then resume the session",
    "redirect": "set --base-url to the final address",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One attempt without an answer. `message` is one line, not yet redacted."""

    kind: str
    message: str
    status: int | None = None
    request_id: str | None = None
    retry_after_s: float | None = None

    @property
    def rule(self) -> Rule:
        """How this kind of fault is treated."""
        return RULES[self.kind]

    def line(self) -> str:
        """The fault in one line for the user, with what to do where that is known."""
        status = f"HTTP {self.status}: " if self.status is not None else ""
        hint = f"; {_HINTS[self.kind]}" if self.kind in _HINTS else ""
        return f"{self.kind}: {status}{self.message}{hint}"


def fault_of_status(
    status: int, headers: Mapping[str, str], body: bytes, now: datetime | None = None
) -> Fault:
    """The fault that an HTTP status other than 2xx means."""
    said = _said(body)
    if 300 <= status < 400:
        target = headers.get("location", "").split("?")[0]
        return Fault("redirect", f"answered by a redirect to {target!r}", status)
    return Fault(
        _kind_of_status(status, said),
        _one_line(said) or "no message",
        status,
        headers.get("x-request-id") or headers.get("request-id"),
        _retry_after(headers, now or datetime.now(UTC)),
    )


def fault_of_error_object(error: Json, request_id: str | None = None) -> Fault:
    """The fault of an error object that came with HTTP 200, judged by what it says."""
    said = json.dumps(error, ensure_ascii=False)[:4000]
    code = error.get("code") if isinstance(error, dict) else None
    kind = "error_object"
    if type(code) is int and 400 <= code < 600:
        kind = _kind_of_status(code, said)
    elif _QUOTA.search(said):
        kind = "quota"
    elif _NO_IMAGES.search(said):
        kind = "text_only"
    elif _UNKNOWN_MODEL.search(said):
        kind = "unknown_model"
    return Fault(kind, _one_line(_message(error) or said), 200, request_id)


def is_filtered(status: int, body: bytes) -> bool:
    """Whether a 4xx says that a content filter stopped the request: an answer, and scored."""
    return status in (400, 403) and _FILTERED.search(_said(body)) is not None


def _kind_of_status(status: int, said: str) -> str:
    if status == 402 or (status in (400, 403, 429) and _QUOTA.search(said)):
        return "quota"
    if _NO_IMAGES.search(said):
        return "text_only"
    if status in (401, 403, 407):
        return "authentication"
    if status in (400, 413, 422, 500) and _CONTEXT.search(said):
        return "context_length"
    if status == 404 or (status == 400 and _UNKNOWN_MODEL.search(said)):
        return "unknown_model"
    if status == 429:
        return "rate_limit"
    if status in (408, 409, 425, 503):
        return "busy"
    return "server_error" if status >= 500 else "bad_request"


def _said(body: bytes) -> str:
    """What an error body says: code, type and message of its error object, else its text."""
    text = body[:20_000].decode("utf-8", "replace")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return _strip_tags(text)
    if isinstance(data, list) and data:  # one provider wraps its errors in a list
        data = data[0]
    error = data.get("error", data) if isinstance(data, dict) else data
    if not isinstance(error, dict):
        return str(error)
    parts = [error.get("code"), error.get("type"), error.get("status"), _message(error)]
    return " ".join(dict.fromkeys(str(part) for part in parts if part))


def _message(error: Json) -> str:
    if isinstance(error, dict):
        message = error.get("message") or error.get("detail")
        return message if isinstance(message, str) else ""
    return error if isinstance(error, str) else ""


def _strip_tags(text: str) -> str:
    return re.sub(r"<[^>]{0,500}>", " ", text)


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 300 else f"{line[:300]}..."


def _retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that the server asks to wait, from either form of Retry-After, capped."""
    millis = headers.get("retry-after-ms")
    value = headers.get("retry-after")
    try:
        if millis is not None:
            seconds = float(millis) / 1000
        elif value is None:
            return None
        else:
            seconds = float(value)
    except ValueError:
        try:
            when = parsedate_to_datetime(value or "")
        except (TypeError, ValueError):
            return None
        seconds = ((when if when.tzinfo else when.replace(tzinfo=UTC)) - now).total_seconds()
    if not seconds > 0:  # also NaN
        return None
    return min(seconds, RETRY_AFTER_CAP_S)
