"""What a session has spent, from its records alone.

The shared limits keep the sum in a file of their own; that file is only a shortcut. Where it is
missing, broken or of an older version, this is how it is made again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.clients.tokens import TOKENS_PER_MESSAGE, image_tokens
from bench.records.files import read_lines
from bench.task import Json

Price = Callable[[int, int], "float | None"]
"""US dollars for so many input and output tokens, None where the price is unknown."""

NOT_SENT = "not_sent"
"""The event of an attempts.jsonl that says: the request of this call was not sent after all."""


@dataclass(frozen=True, slots=True)
class Bill:
    """What one attempt or a session counts for. `usd` is None where no price was known."""

    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = None

    def row(self) -> dict[str, Json]:
        """The bill as a row of attempts.jsonl holds it."""
        return {
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "usd": self.usd,
        }


def bill_of(row: Mapping[str, Any]) -> Bill | None:
    """The bill in a row of attempts.jsonl, None where there is none."""
    booked = row.get("booked")
    if not isinstance(booked, dict):
        return None
    usd: Any = booked.get("usd")
    return Bill(
        _tokens(booked.get("input_tokens")),
        _tokens(booked.get("output_tokens")),
        float(usd) if type(usd) in (int, float) and usd >= 0 else None,
    )


def bills_of_session(session: Path, output_bound: int, *, cut_off: bool) -> list[Bill]:
    """A bill for every request that any record of the session tells of.

    `output_bound` is the most output tokens of one answer, for what nobody knows the usage of.
    With `cut_off`, a request without an end counts at its worst case: right while no run is on.
    """
    bills: list[Bill] = []
    for path in sorted(session.rglob("call-*/request.json")):
        bills += _bills_of_call(path.parent, output_bound, cut_off)
    return bills


def _bills_of_call(call: Path, output_bound: int, cut_off: bool) -> list[Bill]:
    worst = Bill(_input_bound(call), output_bound)
    rows = read_lines(call / "attempts.jsonl")
    bills = []
    ended = False
    for row in rows:
        if (bill := bill_of(row)) is not None:
            bills.append(bill)
        elif row.get("event") == "resumed":  # the run before was cut off with a request out
            bills += [] if ended else [worst]
        elif row.get("possibly_billed"):
            bills.append(worst)
        elif "attempt" in row and row.get("error") is None:
            bills.append(_bill_of_reply(call, worst))
        ended = row.get("error") == "interrupted" or row.get("event") == NOT_SENT
    answered = (call / "response.json").exists()
    if cut_off and not answered and not ended and _is_open(call.parent):
        bills.append(worst)
    return bills


def _is_open(episode: Path) -> bool:
    """Whether a run was cut off in this episode: no result, or that of a dead worker."""
    result = _read(episode / "result.json")
    infra = result.get("infra") or {}
    return not result or (isinstance(infra, dict) and infra.get("where") == "worker")


def _bill_of_reply(call: Path, worst: Bill) -> Bill:
    usage = _read(call / "response.json").get("usage") or {}
    counts = [usage.get(name) for name in ("input_tokens", "output_tokens")]
    if any(type(count) is not int for count in counts):
        return worst
    return Bill(*map(_tokens, counts))


def _input_bound(call: Path) -> int:
    """No fewer input tokens than the recorded request had; see `bench.clients.tokens`."""
    record = _read(call / "request.json")
    messages = [m for m in record.get("messages") or [] if isinstance(m, dict)]
    texts = [part.get("text") for m in messages for part in _dicts(m.get("parts"))]
    size = sum(len(text.encode("utf-8", "replace")) for text in texts if isinstance(text, str))
    files = [p.get("file") for p in _dicts(record.get("pictures"))]
    images = sum(_image_tokens(call.parent / str(file)) for file in files)
    return size + TOKENS_PER_MESSAGE * len(messages) + 2 * images


def _image_tokens(path: Path) -> int:
    try:
        with path.open("rb") as file:
            return image_tokens(file.read(32))
    except OSError:
        return image_tokens(b"")


def _dicts(value: Json) -> Iterable[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _tokens(value: Json) -> int:
    return value if type(value) is int and value >= 0 else 0


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}
