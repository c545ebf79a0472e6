"""The baselines by name."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from bench.bridge.baselines.fixed import fixed_truss
from bench.bridge.baselines.plank import plank
from bench.bridge.baselines.truss import truss
from bench.clients.base import AttemptLog, Reply, Request
from bench.errors import ModelError
from bench.task import Json

Designer = Callable[[Mapping[str, Json]], str]
"""Turns an observation's data into an answer's text."""

DEFAULT_BASELINE = "truss"


def _engineer(data: Mapping[str, Json]) -> str:
    # Imported on use: the engineer's compiled statics must not slow the other baselines down.
    from bench.bridge.baselines.engineer import engineer

    return engineer(data)


BASELINES: Mapping[str, Designer] = MappingProxyType(
    {
        "plank": plank,
        "wood-truss-deck": partial(fixed_truss, steel=False, above=False),
        "wood-truss-through": partial(fixed_truss, steel=False, above=True),
        "steel-truss-deck": partial(fixed_truss, steel=True, above=False),
        "steel-truss-through": partial(fixed_truss, steel=True, above=True),
        "truss": truss,
        "engineer": _engineer,
    }
)
"""Every baseline, from the weakest on."""


class BaselineClient:
    """A client that designs by itself. Reads the observation's data and nothing else."""

    def __init__(self, baseline: str) -> None:
        if baseline not in BASELINES:
            close = difflib.get_close_matches(baseline, BASELINES, n=1)
            hint = f"; did you mean baseline:{close[0]}?" if close else ""
            raise ModelError(
                f"baseline {baseline!r} is unknown; use one of {', '.join(BASELINES)}{hint}"
            )
        self._baseline = baseline
        self._design = BASELINES[baseline]

    @property
    def name(self) -> str:
        """The name in tables."""
        return f"baseline:{self._baseline}"

    def describe(self) -> Mapping[str, Json]:
        """The baseline's name; it has no settings."""
        return {"client": "baseline", "model": self.name}

    def reply(self, request: Request, log: AttemptLog) -> Reply:
        """Design a bridge from the observation's data."""
        return Reply(self._design(request.observation.data), finish_reason="stop")

    def close(self) -> None:
        """Nothing to release."""
