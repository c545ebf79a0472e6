"""JSON as text that is short and still readable: one item of a long list a line."""

from __future__ import annotations

import json

from bench.task import Json

_LINE = 100


def render(value: Json) -> str:
    """JSON text of a value: one entry a line at the top, one item a line in long lists.

    Numbers and key order stay as they are. A lone surrogate, which UTF-8 cannot hold, turns
    the whole text into ASCII escapes.
    """
    text = _render(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


def _inline(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def _render(value: Json) -> str:
    text = _inline(value)
    if len(text) <= _LINE or not isinstance(value, dict):
        return text
    entries = (f"{_inline(key)}: {_entry(entry)}" for key, entry in value.items())
    return "{\n" + ",\n".join(entries) + "\n}"


def _entry(value: Json) -> str:
    text = _inline(value)
    if len(text) <= _LINE or not isinstance(value, list):
        return text
    return "[\n" + ",\n".join(_inline(item) for item in value) + "\n]"
