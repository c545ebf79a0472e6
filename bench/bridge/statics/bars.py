"""Bars by their code, as arrays for compiled code: strengths, prices, weights, longest lengths.

A bar's code says what it is made of: 1 road, 2 wood, 3 steel (the material's type), 4 road and
wood, 5 road and steel, 6 wood and steel; the last three are two members on one node pair.
"""

from __future__ import annotations

import numpy as np

from bench.bridge.design.materials import MATERIALS
from bench.bridge.physics.constants import REINFORCED_STRENGTH_PN

TYPES_OF_CODE: tuple[tuple[int, ...], ...] = ((), (1,), (2,), (3,), (1, 2), (1, 3), (2, 3))
"""Material types of a bar by its code; code 0 does not exist."""

ROAD, WOOD, STEEL, ROAD_WOOD, ROAD_STEEL = 1, 2, 3, 4, 5


def _rows(value: str) -> list[list[float]]:
    return [[float(getattr(MATERIALS[t], value)) for t in types] for types in TYPES_OF_CODE]


STRENGTH_PN = np.array(
    [
        REINFORCED_STRENGTH_PN.get(types, row[0] if row else 1.0)
        for types, row in zip(TYPES_OF_CODE, _rows("strength_pn"), strict=True)
    ]
)
UNIT_COST_USD = np.array([sum(row) for row in _rows("cost_usd_per_m")])
UNIT_WEIGHT_PN = np.array([sum(row) for row in _rows("weight_pn_per_m")])
LONGEST_M = np.array([min(row, default=0.0) for row in _rows("max_length_m")])
IS_ROAD = np.array([1 in types for types in TYPES_OF_CODE])
HAS_STEEL = np.array([3 in types for types in TYPES_OF_CODE])
