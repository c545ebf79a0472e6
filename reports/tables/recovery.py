"""Recovery and what it took: calls, physics attempts, repair calls, cost and material."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reports.face import Scale, cost_scale, face_of
from reports.metrics import (
    RECOVERY,
    calls_all,
    cost_of_successes,
    effort,
    mean,
    recovery_rate,
)
from reports.rows import SessionRows
from reports.tables.base import Cell, Number, Table, labels, notes

COLUMNS = (
    *("Budget", "Model", RECOVERY, "Calls, all", "Physics attempts", "Attempts, all"),
    *("Validation-repair calls", "Physics-repair calls"),
)


def build(sessions: Sequence[SessionRows]) -> Table:
    """One row a session; then a column of each resource of the mean successful design."""
    domain = sessions[0].info.domain
    face, cost = face_of(domain), cost_scale(domain)
    resources = _resources(sessions)
    rows = [
        (*label, *_cells(session, cost, list(resources)))
        for session, label in zip(sessions, labels(sessions), strict=True)
    ]
    columns = (*COLUMNS, f"Cost, succ. ({cost.text})", *resources.values())
    what = f"Cost and {face.resources_word}" if face.resources_word else "Cost"
    extra = (
        "Calls, all and Attempts, all: mean over results. Validation-repair calls ended in a "
        "parse or validator failure, physics-repair calls carried feedback of an execution. "
        f"{what}: mean over successes (their number).",
    )
    return Table(
        "recovery", "Recovery and resources", columns, tuple(rows), 2, (*notes(sessions), *extra)
    )


def _resources(sessions: Sequence[SessionRows]) -> Mapping[str, str]:
    """The measures that are resources of a design, as they first come, with their headings."""
    heading = face_of(sessions[0].info.domain).resources
    measures = dict.fromkeys(
        measure
        for session in sessions
        for row in session.rows
        for call in row.calls
        for measure in call.measures
    )
    return {measure: text for measure in measures if (text := heading(measure)) is not None}


def _cells(session: SessionRows, scale: Scale, resources: Sequence[str]) -> tuple[Cell, ...]:
    work = effort(session.rows)
    cost, successes = cost_of_successes(session.rows)
    won = [row.winner.measures for row in session.scored if row.winner is not None]
    known = [measures for measures in won if any(name in measures for name in resources)]
    means = [mean(measures.get(name, 0.0) for measures in known) for name in resources]
    return (
        recovery_rate(session.rows, session.info),
        Number(calls_all(session.rows)[0]),
        work.attempts,
        Number(work.attempts / work.episodes if work.episodes else None),
        work.validation_repairs,
        work.physics_repairs,
        Number(None if cost is None else cost / scale.divisor, 2, count=successes),
        *(Number(value, 1, count=number) for value, number in means),
    )
