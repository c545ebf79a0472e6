"""All tables in the order in which a report shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reports.rows import SessionRows
from reports.tables import (
    capacity,
    confidence,
    cost_curve,
    cumulative,
    deck,
    efficiency,
    errors,
    families,
    groups,
    main,
    matrix,
    published,
    recovery,
    samples,
    selection,
    spending,
    tags,
)
from reports.tables.base import Table

Builder = Callable[[Sequence[SessionRows]], Table | None]


@dataclass(frozen=True)
class Entry:
    """A table's builder. A headline table is the same from the JSON report alone."""

    name: str
    build: Builder
    headline: bool = False


TABLES = (
    Entry("main", main.build, headline=True),
    Entry("groups", groups.build, headline=True),
    Entry("recovery", recovery.build),
    Entry("cumulative", cumulative.build, headline=True),
    Entry("families", families.build, headline=True),
    Entry("tags", tags.build, headline=True),
    Entry("errors", errors.build, headline=True),
    Entry("efficiency", efficiency.build),
    Entry("cost_curve", cost_curve.build, headline=True),
    Entry("deck", deck.build),
    Entry("spending", spending.build),
    Entry("samples", samples.build, headline=True),
    Entry("selection", selection.build),
    Entry("confidence", confidence.build),
    Entry("capacity", capacity.build),
    Entry("matrix", matrix.build, headline=True),
    Entry("published", published.build, headline=True),
)


def build_all(sessions: Sequence[SessionRows], *, headline_only: bool = False) -> list[Table]:
    """Every table that has something to say of these sessions."""
    built = (e.build(sessions) for e in TABLES if e.headline or not headline_only)
    return [table for table in built if table is not None]
