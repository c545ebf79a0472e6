"""The baselines by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from bench.bridge.baselines.fixed import fixed_truss
from bench.bridge.baselines.plank import plank
from bench.bridge.baselines.truss import truss
from bench.errors import ModelError
from bench.near import unknown
from bench.task import Json

Designer = Callable[[Mapping[str, Json]], str]
"""Turns an observation's data into an answer's text."""


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


def get_baseline(name: str) -> Designer:
    """The baseline of that name. Raises ModelError, with the closest name, for an unknown one."""
    if name not in BASELINES:
        raise ModelError(unknown("baseline", name, BASELINES, prefix="baseline:"))
    return BASELINES[name]
