"""All tables in the order in which a report shows them."""

from __future__ import annotations

from collections.abc import Sequence

from reports.face import TableEntry, face_of, placed
from reports.rows import SessionRows
from reports.tables import (
    confidence,
    cost_curve,
    cumulative,
    efficiency,
    errors,
    families,
    groups,
    main,
    matrix,
    recovery,
    samples,
    selection,
    spending,
    tags,
)
from reports.tables.base import Table

TABLES = (
    TableEntry("main", main.build, headline=True),
    TableEntry("groups", groups.build, headline=True),
    TableEntry("recovery", recovery.build),
    TableEntry("cumulative", cumulative.build, headline=True),
    TableEntry("families", families.build, headline=True),
    TableEntry("tags", tags.build, headline=True),
    TableEntry("errors", errors.build, headline=True),
    TableEntry("efficiency", efficiency.build),
    TableEntry("cost_curve", cost_curve.build, headline=True),
    TableEntry("spending", spending.build),
    TableEntry("samples", samples.build, headline=True),
    TableEntry("selection", selection.build),
    TableEntry("confidence", confidence.build),
    TableEntry("matrix", matrix.build, headline=True),
)
"""The tables of every domain; a domain's face adds its own."""


def tables_of(domain: str) -> tuple[TableEntry, ...]:
    """The tables of a domain's sessions, its own among the generic ones."""
    return tuple(placed(TABLES, face_of(domain).tables))


def build_all(sessions: Sequence[SessionRows], *, headline_only: bool = False) -> list[Table]:
    """Every table that has something to say of these sessions, which are of one domain."""
    entries = tables_of(sessions[0].info.domain)
    built = (e.build(sessions) for e in entries if e.headline or not headline_only)
    return [table for table in built if table is not None]
