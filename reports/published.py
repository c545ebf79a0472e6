"""The published figures of the paper: data to stand beside ours, never to be mixed with them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("published.json")


@dataclass(frozen=True)
class Figure:
    """One published number: percent unless the metric says otherwise; `n` as far as known."""

    model: str
    budget: str
    scope: str
    metric: str
    value: float
    n: str | None

    @property
    def digits(self) -> int:
        """Digits after the point, as printed in the paper."""
        return 2 if "limit" in self.metric else 1

    def text(self) -> str:
        """`S@3 50.8`, with its scope when that is not all levels."""
        scope = "" if self.scope == "overall" else f"{self.scope} "
        count = "" if self.n is None else f" ({self.n})"
        return f"{scope}{self.metric} {self.value:.{self.digits}f}{count}"


@cache
def figures() -> tuple[Figure, ...]:
    """All published figures, in the file's order."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    return tuple(Figure(**entry) for entry in data["figures"])


@cache
def _aliases() -> tuple[tuple[str, str], ...]:
    models = json.loads(FILE.read_text(encoding="utf-8"))["models"]
    return tuple((start, name) for name, starts in models.items() for start in starts)


def source() -> str:
    """Where the figures come from."""
    return str(json.loads(FILE.read_text(encoding="utf-8"))["source"])


def of(model: str, budget: str) -> tuple[Figure, ...]:
    """The figures of a model under a budget; the model is known by the start of its name."""
    bare = model.lower().rsplit("/", 1)[-1]
    name = next((name for start, name in _aliases() if bare.startswith(start)), None)
    return tuple(f for f in figures() if f.model == name and f.budget == budget)
