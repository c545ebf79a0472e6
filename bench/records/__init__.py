"""What is written to disk and read back: schemas, atomic writes, a reader for reports.

The names below are imported when they are first asked for: a path or a node id needs no schema.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bench.records.folder import CallFolder, EpisodeFolder
    from bench.records.reader import Episode, Session, read_session
    from bench.records.schema import (
        RECORDS,
        CallRecord,
        Counters,
        ExecutionRecord,
        FeedbackRecord,
        Infra,
        Key,
        Manifest,
        Picture,
        Request,
        Response,
        Result,
        Scene,
        Summary,
        SummaryRow,
        Tokens,
        Trajectory,
        ViolationRecord,
    )

__all__ = [
    "RECORDS",
    "CallFolder",
    "CallRecord",
    "Counters",
    "Episode",
    "EpisodeFolder",
    "ExecutionRecord",
    "FeedbackRecord",
    "Infra",
    "Key",
    "Manifest",
    "Picture",
    "Request",
    "Response",
    "Result",
    "Scene",
    "Session",
    "Summary",
    "SummaryRow",
    "Tokens",
    "Trajectory",
    "ViolationRecord",
    "read_session",
]

_ELSEWHERE = {
    "CallFolder": "folder",
    "EpisodeFolder": "folder",
    "Episode": "reader",
    "Session": "reader",
    "read_session": "reader",
}
"""Where a name lives that is no schema."""


def __getattr__(name: str) -> Any:
    """Import a name of the package from where it lives."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_ELSEWHERE.get(name, 'schema')}"), name)
