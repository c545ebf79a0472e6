"""The published figures of the paper: data to stand beside ours, never to be mixed with them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from reports.metrics import RECOVERY, SUCCESS, VALID
from reports.rows import SessionRows
from reports.tables.base import Number, Table

FILE = Path(__file__).with_name("published.json")
COLUMNS = ("Budget", "Model", "Levels", "Metric", "Published", "n")
TOLD = ("S@1", SUCCESS, "V@1", VALID, RECOVERY)
"""The metrics that stand beside ours in the main table."""
SCOPES = ("overall", "core", "compositional")


@dataclass(frozen=True)
class PublishedFigure:
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
def _data() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


@cache
def published_figures() -> tuple[PublishedFigure, ...]:
    """All published figures, in the file's order."""
    return tuple(PublishedFigure(**entry) for entry in _data()["figures"])


def told(model: str, budget: str) -> str | None:
    """The figures of a model under a budget; the model is known by the start of its name."""
    bare = model.lower().rsplit("/", 1)[-1]
    aliases = ((start, name) for name, starts in _data()["models"].items() for start in starts)
    name = next((name for start, name in aliases if bare.startswith(start)), None)
    known = [
        figure.text()
        for figure in published_figures()
        if (figure.model, figure.budget) == (name, budget)
        and figure.metric in TOLD
        and figure.scope in SCOPES
    ]
    return "; ".join(known) or None


def build(sessions: Sequence[SessionRows]) -> Table:
    """One row a figure; the sessions do not change it."""
    rows = tuple(
        (f.budget, f.model, f.scope, f.metric, Number(f.value, f.digits), f.n)
        for f in published_figures()
    )
    return Table("published", "Published figures", COLUMNS, rows, 4, (_data()["source"],))
