"""Main results, as the paper's first table: suites and all levels, one row a session."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reports.face import Published, face_of
from reports.metrics import RECOVERY, SUCCESS, VALID, recovery_rate, success_rate, valid_rate
from reports.rows import SessionRows
from reports.tables.base import Cell, Table, labels, notes

SUITES = {"core": "Core", "compositional": "Comp."}
COLUMNS = (
    *("Budget", "Model", *(f"{s} {m}" for s in SUITES.values() for m in ("S@1", SUCCESS))),
    *(f"All {metric}" for metric in ("S@1", SUCCESS, "V@1", VALID, RECOVERY)),
)
REFERENCE = re.compile(r"scripted:.*reference|.*\breferences?$", re.IGNORECASE)


def build(sessions: Sequence[SessionRows]) -> Table:
    """The models in the order given; below them the references and the best of each kind."""
    face = face_of(sessions[0].info.domain)
    named = list(zip(sessions, labels(sessions), strict=True))
    kinds = {
        kind.title: [s for s in sessions if kind.pattern.fullmatch(s.info.model)]
        for kind in face.best_of
    }
    apart = [session for group in kinds.values() for session in group]
    plain = [(s, label) for s, label in named if s not in apart and not is_reference(s)]
    rows = [(s, *label) for s, label in plain]
    rows += [(s, label[0], f"reference ({label[1]})") for s, label in named if is_reference(s)]
    rows += [row for title, group in kinds.items() for row in _best(title, group)]
    below = [*notes(sessions), *([face.published.note] if face.published else [])]
    for title, group in kinds.items():
        if group:
            below.append(f"Best {title}: of the {len(group)} sessions given, by {SUCCESS}.")
    columns = (*COLUMNS, *(["Published"] if face.published else []))
    cells = tuple(_row(*row, face.published) for row in rows)
    return Table("main", "Main results", columns, cells, 2, tuple(below))


def _best(title: str, group: Sequence[SessionRows]) -> list[tuple[SessionRows, str, str]]:
    """The best session of a kind under each budget."""
    found = []
    for budget in dict.fromkeys(s.info.budget for s in group):
        best = max(
            (s for s in group if s.info.budget == budget),
            key=lambda s: success_rate(s.rows).share or 0.0,
        )
        mark = labels([best])[0][1].removeprefix("baseline:")
        found.append((best, budget, f"best {title} ({mark})"))
    return found


def is_reference(session: SessionRows) -> bool:
    """Whether a session plays the reference designs."""
    return bool(REFERENCE.fullmatch(session.info.model))


def _row(
    session: SessionRows, budget: str, name: str, published: Published | None
) -> tuple[Cell, ...]:
    rows = session.rows
    suites = [[row for row in rows if row.suite == suite] for suite in SUITES]
    info = session.info
    return (
        budget,
        name,
        *(cell for part in (*suites, rows) for cell in (success_rate(part, 1), success_rate(part))),
        valid_rate(rows, 1),
        valid_rate(rows),
        recovery_rate(rows, info),
        *([published.of(info.model, info.budget)] if published else []),
    )
