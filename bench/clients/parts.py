"""The content of a message, in the forms that servers give it: text, thoughts, refusals, calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bench.task import Json

_TEXT = (None, "text", "output_text", "input_text")
_THOUGHT = ("thinking", "reasoning", "redacted_thinking", "reasoning_content", "thought")
_CALL = ("tool_use", "tool_call", "tool_calls", "function_call", "server_tool_use")
_REASONING_KEYS = ("reasoning_content", "reasoning", "thinking", "thinking_blocks")
_WORDS = ("thinking", "text", "summary", "reasoning", "content")
_DEEPEST = 6


@dataclass(slots=True)
class Content:
    """What a message holds. `unknown` is whether a part of it was not understood."""

    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    calls: list[Json] = field(default_factory=list)
    unknown: bool = False

    @property
    def text(self) -> str:
        """The text of all its parts."""
        return "".join(self.texts)


def read_content(content: Json) -> Content:
    """A string, nothing, one part or a list of parts."""
    found = Content()
    if content is None:
        return found
    for part in content if isinstance(content, list) else [content]:
        _read_part(part, found)
    return found


def read_reasoning(message: Mapping[str, Any], found: Content) -> str | None:
    """What the model thought, from wherever the server put it; None when nowhere."""
    for key in _REASONING_KEYS:
        words = "".join(_words(message.get(key)))
        if words:
            return words
    details = "".join(_words(message.get("reasoning_details")))
    return details or "".join(found.thoughts) or None


def _read_part(part: Json, found: Content) -> None:
    if isinstance(part, str):
        found.texts.append(part)
        return
    if not isinstance(part, dict):
        found.unknown = True
        return
    kind, text = part.get("type"), part.get("text")
    if isinstance(text, dict):  # {"type": "text", "text": {"value": "..."}}
        text = text.get("value")
    if kind in _TEXT and isinstance(text, str):
        found.texts.append(text)
    elif kind in _THOUGHT:
        found.thoughts += _words(part)
    elif kind == "refusal" and isinstance(part.get("refusal"), str):
        found.refusals.append(part["refusal"])
    elif kind in _CALL:
        found.calls.append(part)
    else:
        found.unknown = True


def _words(value: Json, depth: int = 0) -> Iterator[str]:
    """The words of thoughts: a text, a part, or a list of either; nothing of what is encrypted."""
    if isinstance(value, str):
        yield value
    elif depth == _DEEPEST:
        return
    elif isinstance(value, list):
        for item in value:
            yield from _words(item, depth + 1)
    elif isinstance(value, dict):
        for key in _WORDS:
            if value.get(key):
                yield from _words(value[key], depth + 1)
                return
