"""What an error body says: its reason in words, whatever form the server gave it."""

from __future__ import annotations

import json
import re
from typing import Any

from bench.task import Json

MOST_BYTES = 20_000
"""Of a longer body only the start is read."""

_DEEPEST = 4
_REASONS = ("message", "msg", "detail", "details", "error_description", "errors", "title", "error")
_ABOUT_FILTERS = (
    *("metadata", "innererror", "details", "contentFilter"),
    *("promptFeedback", "prompt_feedback", "block_reason"),
)


def said(body: bytes) -> str:
    """Code, type and message of the error in a body; of a page without JSON, its text."""
    data = parsed(body)
    return said_by(data) if data is not None else _text_of(body)


def parsed(body: bytes) -> Json:
    """The body as JSON, None when it is none."""
    try:
        return json.loads(body[:MOST_BYTES].decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def said_by(data: Json) -> str:
    """Code, type and message of an error, from the JSON of a body."""
    if isinstance(data, list) and data:  # one provider wraps its errors in a list
        data = data[0]
    if not isinstance(data, dict):
        return str(data)
    error = data.get("error") or data
    about = error if isinstance(error, dict) else data
    parts = [about.get(key) for key in ("code", "type", "status")]
    plain = [part for part in parts if isinstance(part, str | int) and part]
    reason = message_of(error)
    return " ".join(dict.fromkeys(str(part) for part in (*plain, reason) if part))


def message_of(error: Json, depth: int = 0) -> str:
    """The words of an error: a text, an object's reason, or a list of them with their places."""
    if isinstance(error, str):
        return error
    if depth == _DEEPEST:
        return ""
    if isinstance(error, list):
        return "; ".join(filter(None, (message_of(item, depth + 1) for item in error[:3])))
    if not isinstance(error, dict):
        return ""
    words = (message_of(error[key], depth + 1) for key in _REASONS if error.get(key))
    reason = next(filter(None, words), "")
    place = error.get("loc") or error.get("param")
    if isinstance(place, list):
        place = ".".join(str(part) for part in place)
    return f"{place}: {reason}" if reason and depth and isinstance(place, str) else reason


def all_said(body: bytes) -> str:
    """What the error says and what it adds where content filters explain themselves."""
    data = parsed(body)
    return all_said_by(data) if data is not None else _text_of(body)


def all_said_by(data: Json) -> str:
    """`all_said` of the JSON of a body."""
    first = data[0] if isinstance(data, list) and data else data
    if not isinstance(first, dict):
        return str(first)
    error = first.get("error")
    extra: dict[str, Any] = {}
    for table in (first, error):
        if isinstance(table, dict):
            extra |= {key: table[key] for key in _ABOUT_FILTERS if table.get(key)}
    more = json.dumps(extra, ensure_ascii=False)[:4000] if extra else ""
    return f"{said_by(first)} {more}".strip()


def shape_of(value: Json, depth: int = 0) -> str:
    """The form of a JSON value without what it says: `{choices: [{message: {content: null}}]}`.

    Short words under `type`, `object`, `role` and `finish_reason` are kept: they name the form.
    """
    if isinstance(value, dict):
        if depth == 9:
            return "{...}"
        items = list(value.items())
        parts = [f"{key}: {_shape_under(str(key), item, depth + 1)}" for key, item in items[:12]]
        return "{" + ", ".join([*parts, *(["..."] if len(items) > 12 else [])]) + "}"
    if isinstance(value, list):
        if depth == 9 or not value:
            return "[...]" if value else "[]"
        kinds = list(dict.fromkeys(shape_of(item, depth + 1) for item in value[:20]))
        return "[" + ", ".join(kinds) + "]"
    return "null" if value is None else type(value).__name__


def _shape_under(key: str, value: Json, depth: int) -> str:
    named = key in ("type", "object", "role", "finish_reason") and isinstance(value, str)
    return repr(value) if named and len(value) <= 40 else shape_of(value, depth)


def _text_of(body: bytes) -> str:
    text = body[:MOST_BYTES].decode("utf-8", "replace")
    return re.sub(r"<[^>]{0,500}>", " ", re.sub(r"(?s)<(style|script)\b.{0,5000}?</\1>", " ", text))
