"""What is written to disk and read back: schemas, atomic writes, a reader for reports."""

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
    "Session",
    "Summary",
    "SummaryRow",
    "Tokens",
    "Trajectory",
    "ViolationRecord",
    "read_session",
]
