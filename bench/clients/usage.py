"""The tokens of an answer, from usage that providers fill in in more ways than one."""

from __future__ import annotations

from typing import NamedTuple

from bench.clients.base import Usage
from bench.task import Json


class ReadUsage(NamedTuple):
    """The usage, and what to note in the record where its numbers do not add up (else None)."""

    usage: Usage
    note: str | None = None


def read_usage(data: Json, *, answered: bool) -> ReadUsage:
    """Input, output and reasoning tokens. `answered`: the answer holds text, thoughts or calls.

    Output is the largest of completion, reasoning and total - prompt, since some count the
    reasoning within completion, some beside it and some leave it out. A zero that cannot be is
    unknown: no prompt is empty, and no text costs nothing.
    """
    if not isinstance(data, dict):
        return ReadUsage(Usage(), None if data is None else "usage is no object")
    prompt = _first(data, "prompt_tokens", "input_tokens")
    completion = _first(data, "completion_tokens", "output_tokens")
    details = data.get("completion_tokens_details") or data.get("output_tokens_details")
    inner = details if isinstance(details, dict) else {}
    reasoning = _first(inner, "reasoning_tokens")
    if reasoning is None:
        reasoning = _first(data, "reasoning_tokens")
    total = _first(data, "total_tokens")
    rest = total - prompt if total is not None and prompt and total >= prompt else None
    known = [count for count in (completion, reasoning, rest) if count is not None]
    output = max(known, default=None)
    if output == 0 and (answered or not prompt):
        output = None
    usage = Usage(prompt or None, output, reasoning)
    return ReadUsage(usage, _note(usage, prompt, completion, total))


def _note(
    usage: Usage, prompt: int | None, completion: int | None, total: int | None
) -> str | None:
    given = f"prompt {_said(prompt)}, completion {_said(completion)}, total {_said(total)}"
    if usage.input_tokens is None or usage.output_tokens is None:
        return f"usage is unknown ({given}): the worst case is booked"
    if usage.output_tokens != completion:
        return f"usage does not add up ({given}): {usage.output_tokens} output tokens are booked"
    return None


def _first(table: dict[str, Json], *names: str) -> int | None:
    counts = (_count(table.get(name)) for name in names)
    return next((count for count in counts if count is not None), None)


def _count(value: Json) -> int | None:
    return value if type(value) is int and 0 <= value < 2**53 else None


def _said(count: int | None) -> str:
    return "unknown" if count is None else str(count)
