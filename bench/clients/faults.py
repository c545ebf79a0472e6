"""What can go wrong with one HTTP attempt, and what is done about it: the one table.

`retry`: another attempt may help, after a back-off. `fatal`: every further request would fail
alike, so the run stops with the reason. Neither: this episode ends as an infra_error and the
run goes on. `billed`: the provider may charge for the attempt although no answer came of it.
`one_prompt`: fatal, but it may be this one prompt's fault, so a second run does not stop there
again (`recurs`).

`python -m bench.clients.faults` prints the tables of docs/models.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from bench.clients.filters import FILTERS
from bench.clients.said import message_of, said, said_by
from bench.outside import Secret, one_line
from bench.task import Json


class Rule(NamedTuple):
    """How one kind of fault is treated; see the module's docstring."""

    retry: bool
    fatal: bool
    billed: bool
    meaning: str
    one_prompt: bool = False


_RETRY, _STOP, _SKIP = (True, False), (False, True), (False, False)

RULES: Mapping[str, Rule] = {
    # nothing reached the provider
    "no_connection": Rule(*_RETRY, False, "no connection could be made"),
    "tls": Rule(*_STOP, False, "no TLS: another protocol on the port, or no trusted certificate"),
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
    "authentication": Rule(*_STOP, False, "the key is missing or wrong (401, 407)"),
    "forbidden": Rule(*_STOP, False, "the key may not do this (403)", True),
    "unknown_model": Rule(*_STOP, False, "the model is unknown (404, 400)"),
    "wrong_address": Rule(*_STOP, False, "nothing is at this address (404, 405)"),
    "bad_request": Rule(*_STOP, False, "the provider does not take this request (other 4xx)", True),
    "text_only": Rule(*_STOP, False, "the server cannot take images"),
    "context_length": Rule(*_SKIP, False, "the prompt is longer than the model's context"),
    "redirect": Rule(*_STOP, False, "redirects are not followed: they would carry the key on"),
    # HTTP 200 without an answer in it
    "not_json": Rule(*_RETRY, True, "HTTP 200 with a body that is not JSON"),
    "error_object": Rule(*_RETRY, True, "HTTP 200 with an error, or a finish reason that is one"),
    "no_choice": Rule(*_RETRY, True, "HTTP 200 without a choice"),
    "empty_answer": Rule(*_RETRY, True, "no text and no finish reason"),
    "unreadable": Rule(*_SKIP, True, "HTTP 200 with content in a form that is not understood"),
    "body_too_large": Rule(*_SKIP, True, "the body is larger than the client takes"),
    # ours
    "interrupted": Rule(*_SKIP, True, "the user stopped the run"),
}

RETRY_AFTER_CAP_S = 120.0
"""Longest wait that Retry-After can ask for; the run stops when it asks for more."""

_QUOTA = re.compile(
    r"insufficient_quota|exceeded_current_quota|billing_(hard_limit|not_active)|arrearage|"
    r"insufficient[ _]balance|credit balance is too low",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    r"context_length_exceeded|context (length|window|size)|exceed_context_size|prompt is too long",
    re.IGNORECASE,
)
_IMAGES = r"(images?\b|image[ _]url|vision|multi-?modal)"
_NO_IMAGES = re.compile(
    r"can only concatenate str \(not .?\"list.?\"\) to str|mmproj|at most 0 image|"
    rf"{_IMAGES}[^.]{{0,40}}(is|are) (not|only) (supported|allowed|accepted)|"
    rf"(does|do) ?n[o']t (support|accept|have)[^.]{{0,30}}{_IMAGES}|"
    rf"(not a|no|non)[ -]{_IMAGES} model|cannot (process|read|handle) {_IMAGES}|"
    r"no endpoints found that support image|only '?text'? content type|"
    r"unknown variant `image_url`|content\.str: input should be a valid string",
    re.IGNORECASE,
)
_UNKNOWN_MODEL = re.compile(
    r"model_not_found|model_not_exist|unknown[ _]model|"
    r"\bmodels?\b.{0,80}(not found|does not exist|not available)|no such model",
    re.IGNORECASE,
)
_PLAIN_TO_TLS = re.compile(r"plain HTTP request was sent to HTTPS|HTTP request to an HTTPS", re.I)

_HINTS = {
    "text_only": "the server takes no images: give --no-images, or set vision = false "
    "in the model's profile",
    "context_length": "the prompt does not fit: use a model or server with a longer context",
    "quota": "add credit at the provider, then resume the session",
    "redirect": "set --base-url to the final address",
    "tls": "check --base-url: http:// or https://, and the port",
    "wrong_address": "check --base-url (it often ends in /v1) and the model's name",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One attempt without an answer. `message` is one line that is safe to show."""

    kind: str
    message: str
    status: int | None = None
    request_id: str | None = None
    retry_after_s: float | None = None

    @property
    def rule(self) -> Rule:
        """How this kind of fault is treated."""
        return RULES[self.kind]

    @property
    def waits_too_long(self) -> bool:
        """Whether the server asks to wait longer than anybody does: nothing is tried again."""
        return self.rule.retry and (self.retry_after_s or 0.0) > RETRY_AFTER_CAP_S

    @property
    def retry(self) -> bool:
        """Whether another attempt may help."""
        return self.rule.retry and not self.waits_too_long

    @property
    def fatal(self) -> bool:
        """Whether the run stops."""
        return self.rule.fatal or self.waits_too_long

    def line(self) -> str:
        """The fault in one line for the user, with what to do where that is known."""
        status = f"HTTP {self.status}: " if self.status is not None else ""
        hint = f"; {_HINTS[self.kind]}" if self.kind in _HINTS else ""
        if self.waits_too_long:
            hint = (
                f"; the server asks to wait {self.retry_after_s:g} s, more than the "
                f"{RETRY_AFTER_CAP_S:g} s that a run waits: resume the session later"
            )
        return f"{self.kind}: {status}{self.message}{hint}"


def recurs(kind: str, attempts: Sequence[Mapping[str, Json]]) -> bool:
    """Whether a fault that stops a run is the second of its kind for one call.

    `attempts` are all rows of the call's attempts.jsonl, this run's last one included. Such a
    fault ends its run at once, so each row of its kind is another run's. True means: treat it
    as this episode's infra_error and go on, since a filter of unknown wording must not hold up
    a session for ever.
    """
    if kind not in RULES or not RULES[kind].one_prompt:
        return False
    return sum(1 for row in attempts if row.get("error") == kind) >= 2


def fault_of_status(
    status: int,
    headers: Mapping[str, str],
    body: bytes,
    now: datetime | None = None,
    secret: Secret | None = None,
) -> Fault:
    """The fault that an HTTP status other than 2xx means."""
    text = said(body)
    if 300 <= status < 400:
        target = one_line(headers.get("location", "").split("?")[0], secret)
        return Fault("redirect", f"answered by a redirect to {target!r}", status)
    return Fault(
        _kind_of_status(status, text),
        one_line(text, secret) or "no message",
        status,
        request_id_of(headers, secret),
        _retry_after(headers, now or datetime.now(UTC)),
    )


def request_id_of(headers: Mapping[str, str], secret: Secret | None = None) -> str | None:
    """The provider's name for a request, None when it gave none."""
    value = headers.get("x-request-id") or headers.get("request-id")
    return one_line(value, secret) if value else None


def fault_of_error_object(
    error: Json, request_id: str | None = None, secret: Secret | None = None
) -> Fault:
    """The fault of an error object that came with HTTP 200, judged by what it says."""
    text = said_by({"error": error})
    code = error.get("code") if isinstance(error, dict) else None
    kind = "error_object"
    if type(code) is int and 400 <= code < 600:
        kind = _kind_of_status(code, text)
    elif _QUOTA.search(text):
        kind = "quota"
    elif _NO_IMAGES.search(text):
        kind = "text_only"
    elif _UNKNOWN_MODEL.search(text):
        kind = "unknown_model"
    words = message_of(error) or text or json.dumps(error, ensure_ascii=False)[:4000]
    return Fault(kind, one_line(words, secret), 200, request_id)


def _kind_of_status(status: int, text: str) -> str:
    if status == 402 or (status in (400, 403, 429) and _QUOTA.search(text)):
        return "quota"
    if _NO_IMAGES.search(text):
        return "text_only"
    if status in (401, 407):
        return "authentication"
    if status == 403:
        return "forbidden"
    if status in (400, 413, 422, 500) and _CONTEXT.search(text):
        return "context_length"
    if status in (400, 404, 422) and _UNKNOWN_MODEL.search(text):
        return "unknown_model"
    if status in (404, 405):
        return "wrong_address"
    if status == 400 and _PLAIN_TO_TLS.search(text):
        return "tls"
    if status == 429:
        return "rate_limit"
    if status in (408, 409, 425, 503):
        return "busy"
    return "server_error" if status >= 500 else "bad_request"


def _retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that the server asks to wait, from either form of Retry-After."""
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
    return seconds if seconds > 0 else None  # also not NaN


def outcome_of(kind: str) -> str:
    """What a fault of this kind leads to, as docs say it."""
    rule = RULES[kind]
    if kind == "interrupted":
        return "not run"
    if rule.one_prompt:
        return "stops the run; the second time for one call: infra_error"
    return "tried again" if rule.retry else "stops the run" if rule.fatal else "infra_error"


def fault_table() -> str:
    """The table of docs/models.md."""
    rows = ["| fault | meaning | what happens | may be billed |", "|---|---|---|---|"]
    for kind, rule in RULES.items():
        billed = "yes" if rule.billed else "no"
        rows.append(f"| `{kind}` | {rule.meaning} | {outcome_of(kind)} | {billed} |")
    return "\n".join(rows) + "\n"


def filter_table() -> str:
    """The table of docs/models.md: what is known as a content filter's answer."""
    rows = ["| provider | HTTP | what it says |", "|---|---|---|"]
    rows += [f"| {row.provider} | {row.status} | {row.shown} |" for row in FILTERS]
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    print(f"{fault_table()}\n{filter_table()}", end="")
