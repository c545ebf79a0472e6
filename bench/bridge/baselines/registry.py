"""The baselines by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from bench.bridge.baselines.fixed import fixed_truss
from bench.bridge.baselines.plank import plank
from bench.bridge.baselines.repeat import Designer, never_twice
from bench.bridge.baselines.truss import truss
from bench.errors import ModelError
from bench.near import unknown
from bench.task import Json


def _engineer(data: Mapping[str, Json]) -> str:
    # Imported on use: the engineer's compiled statics must not slow the other baselines down.
    from bench.bridge.baselines.engineer import engineer

    return engineer(data)


_DESIGNERS: Mapping[str, Designer] = {
    "plank": plank,
    "wood-truss-deck": partial(fixed_truss, steel=False, above=False),
    "wood-truss-through": partial(fixed_truss, steel=False, above=True),
    "steel-truss-deck": partial(fixed_truss, steel=True, above=False),
    "steel-truss-through": partial(fixed_truss, steel=True, above=True),
    "truss": truss,
    "engineer": _engineer,
}

BASELINES: Mapping[str, Designer] = MappingProxyType(
    {name: never_twice(designer) for name, designer in _DESIGNERS.items()}
)
"""Every baseline, from the weakest on."""


def get_baseline(name: str) -> Designer:
    """The baseline of that name. Raises ModelError, with the closest name, for an unknown one."""
    if name not in BASELINES:
        raise ModelError(unknown("baseline", name, BASELINES, prefix="baseline:"))
    return BASELINES[name]
