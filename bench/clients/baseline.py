"""A client that designs by itself, in any domain."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bench.clients.base import AttemptLog, Reply, Request
from bench.task import Json

Designer = Callable[[Mapping[str, Json]], str]
"""Turns an observation's data into an answer's text."""


class BaselineClient:
    """Answers with a domain's designer. Reads the observation's data and nothing else."""

    def __init__(self, baseline: str, design: Designer) -> None:
        self._baseline = baseline
        self._design = design

    @property
    def name(self) -> str:
        """The name in tables."""
        return f"baseline:{self._baseline}"

    def describe(self) -> Mapping[str, Json]:
        """The baseline's name; it has no settings."""
        return {"client": "baseline", "model": self.name}

    def reply(self, request: Request, log: AttemptLog) -> Reply:
        """Design from the observation's data."""
        return Reply(self._design(request.observation.data), finish_reason="stop")

    def close(self) -> None:
        """Nothing to release."""
