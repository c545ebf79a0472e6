"""Main results, as the paper's first table: suites and all levels, one row a session."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reports import published
from reports.metrics import recovery_rate, success_rate, valid_rate
from reports.rows import SessionRows
from reports.tables.base import Cell, Table, labels, notes

COLUMNS = (
    *("Budget", "Model", "Core S@1", "Core S@3", "Comp. S@1", "Comp. S@3", "All S@1", "All S@3"),
    *("All V@1", "All V@3", "All R@3", "Published"),
)
METRICS = ("S@1", "S@3", "V@1", "V@3", "R@3")
FIXED_TRUSS = re.compile(r"baseline:(wood|steel)-truss-(deck|through)")
REFERENCE = re.compile(r"scripted:.*reference|.*\breferences?$", re.IGNORECASE)


def build(sessions: Sequence[SessionRows]) -> Table:
    """The models in the order given; below them the references and the best fixed truss."""
    named = list(zip(sessions, labels(sessions), strict=True))
    fixed = [s for s in sessions if FIXED_TRUSS.fullmatch(s.info.model)]
    plain = [(s, label) for s, label in named if s not in fixed and not is_reference(s)]
    rows = [_row(s, *label) for s, label in plain]
    rows += [_row(s, label[0], f"reference ({label[1]})") for s, label in named if is_reference(s)]
    for budget in dict.fromkeys(s.info.budget for s in fixed):
        best = max(
            (s for s in fixed if s.info.budget == budget),
            key=lambda s: success_rate(s.rows, 3).share or 0.0,
        )
        mark = labels([best])[0][1].removeprefix("baseline:")
        rows.append(_row(best, budget, f"best fixed truss ({mark})"))
    extra = ["Published: the paper's figures on the native game, where it states them."]
    if fixed:
        extra.append(f"Best fixed truss: of the {len(fixed)} sessions given, by S@3.")
    return Table("main", "Main results", COLUMNS, tuple(rows), 2, (*notes(sessions), *extra))


def is_reference(session: SessionRows) -> bool:
    """Whether a session plays the reference designs."""
    return bool(REFERENCE.fullmatch(session.info.model))


def _row(session: SessionRows, budget: str, name: str) -> tuple[Cell, ...]:
    rows = session.rows
    suites = [[r for r in rows if r.suite == suite] for suite in ("core", "compositional")]
    known = [
        figure.text()
        for figure in published.of(session.info.model, session.info.budget)
        if figure.metric in METRICS and figure.scope in ("overall", "core", "compositional")
    ]
    return (
        budget,
        name,
        *(success_rate(part, k) for part in suites for k in (1, 3)),
        *(success_rate(rows, k) for k in (1, 3)),
        *(valid_rate(rows, k) for k in (1, 3)),
        recovery_rate(rows, session.info),
        "; ".join(known) or None,
    )
