"""A baseline that has no other idea says so instead of sending one design twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import wraps

from bench.task import Json

Designer = Callable[[Mapping[str, Json]], str]
"""Turns an observation's data into an answer's text."""

STOP = "No other design: a repair would repeat the last answer."
"""What is answered in place of a design; read as any refusal is, as PARSE_ERROR."""


def never_twice(designer: Designer) -> Designer:
    """The designer, but STOP where its answer would be the latest candidate, and ever after."""

    @wraps(designer)
    def design(data: Mapping[str, Json]) -> str:
        previous = data["previous"] or {}
        if previous.get("raw_text") == STOP:
            return STOP
        text = designer(data)
        return STOP if _same(json.loads(text), previous.get("candidate")) else text

    return design


def _same(answer: Mapping[str, Json], candidate: Json) -> bool:
    """Whether the candidate, any JSON value, is the answer's graph."""
    return isinstance(candidate, dict) and all(
        answer[key] == candidate.get(key) for key in ("nodes", "edges")
    )
