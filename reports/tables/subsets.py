"""Valid, Success and Recovery of one subset of levels a row: what families and tags share."""

from __future__ import annotations

from collections.abc import Sequence

from reports.metrics import (
    RECOVERY,
    SUCCESS,
    VALID,
    recovery_rate,
    success_rate,
    valid_rate,
)
from reports.rows import EpisodeRow, SessionInfo
from reports.tables.base import Cell

COLUMNS = ("Levels", "V@1", VALID, "S@1", SUCCESS, RECOVERY)


def cells(rows: Sequence[EpisodeRow], info: SessionInfo) -> tuple[Cell, ...]:
    """The number of levels, then the five rates."""
    return (
        len({row.level for row in rows}),
        valid_rate(rows, 1),
        valid_rate(rows),
        success_rate(rows, 1),
        success_rate(rows),
        recovery_rate(rows, info),
    )
