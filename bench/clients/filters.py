"""How content filters say by an HTTP error that they stopped an answer: the one table.

A filter's answer is the model's and scored (PARSE_ERROR), so it must not be taken for a fault
of ours. Only what a provider publishes is here; an error of another wording stops the run, and
at the second time for one level it is that episode's infra_error (`bench.clients.faults`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bench.clients.said import all_said, all_said_by
from bench.task import Json

STATUSES = (400, 403, 422, 451)
"""HTTP errors that a filter may come with. Gateways pass the words on under another status than
their source, so every row of the table holds for all of them, and for an error in HTTP 200."""


class Filter(NamedTuple):
    """One wording: who uses it, under which status, how docs show it, and what finds it."""

    provider: str
    status: int
    shown: str
    pattern: str


FILTERS: tuple[Filter, ...] = (
    Filter(
        *("OpenAI", 400, "`invalid_prompt` that speaks of its usage policy or of safety reasons"),
        r"invalid_prompt\b.*(usage polic|safety)|flagged as potentially violating our usage polic",
    ),
    Filter("OpenAI", 400, "`content_policy_violation`", r"content_policy_violation"),
    Filter("OpenAI", 400, "`moderation_blocked`", r"moderation_blocked"),
    Filter(
        *("Azure OpenAI", 400, "`content_filter`, `ResponsibleAIPolicyViolation`"),
        r"\bcontent_filter\b|ResponsibleAIPolicyViolation",
    ),
    Filter(
        *("Anthropic", 400, "blocked by content filtering policy"),
        r"blocked by (our )?content[ -]filter",
    ),
    Filter(
        *("Gemini", 400, "`PROHIBITED_CONTENT`, or a `blockReason`"),
        r"PROHIBITED_CONTENT|\bblock_?reason\b",
    ),
    Filter(
        *("OpenRouter", 403, "input was flagged, or `flagged_input` in the metadata"),
        r"flagged_input|input was flagged|requires moderation on",
    ),
    Filter(
        *("xAI", 403, "content violates usage guidelines, `SAFETY_CHECK_TYPE_...`"),
        r"content violates usage guidelines|SAFETY_CHECK_TYPE",
    ),
    Filter("Zhipu", 400, "code `1301`, or a `contentFilter`", r"^1301\b|\bcontentFilter\b"),
    Filter("Qwen", 400, "`data_inspection_failed`", r"data_?inspection_?failed"),
    Filter(
        "Moonshot", 400, "rejected because it was considered high risk", r"considered high risk"
    ),
    Filter("DeepSeek", 400, "Content Exists Risk", r"content exists risk"),
    Filter("Volcengine", 400, "`...SensitiveContentDetected`", r"SensitiveContentDetected"),
)


def filter_of_status(status: int, body: bytes) -> Filter | None:
    """The filter that an HTTP error says stopped the request, None when it says no such thing."""
    return _find(all_said(body)) if status in STATUSES else None


def filter_of_body(data: Json) -> Filter | None:
    """The filter that the JSON of an HTTP 200 without an answer speaks of."""
    return _find(all_said_by(data))


def _find(text: str) -> Filter | None:
    return next((row for row in FILTERS if re.search(row.pattern, text, re.I | re.S)), None)
