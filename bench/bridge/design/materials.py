"""The material table of the benchmark's contract."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

LENGTH_TOLERANCE_M = 1e-3
"""Coordinates are rounded to 1e-4 m, so a length limit is exceeded only beyond this."""

SHORTEST_MEMBER_M = 0.25
"""The editor's finest grid; shorter members would be free inertia."""

LOOSE_LIMIT_USD = 50_000


@dataclass(frozen=True, slots=True)
class Material:
    """One row of the table: `strength_pn` in PN, `weight_pn_per_m` of the member itself."""

    type: int
    name: str
    strength_pn: float
    max_length_m: float
    cost_usd_per_m: float
    weight_pn_per_m: float


ROAD = Material(1, "Road", 900.0, 2.0, 200.0, 6.0)
WOOD = Material(2, "Wood", 800.0, 2.0, 180.0, 2.5)
STEEL = Material(3, "Steel", 2000.0, 4.0, 450.0, 5.0)

MATERIALS = MappingProxyType({m.type: m for m in (ROAD, WOOD, STEEL)})
"""Material by its type number, in ascending order."""

PROFILES = MappingProxyType({"full": (ROAD, WOOD, STEEL), "road_wood_only": (ROAD, WOOD)})
"""Materials available on a level, by the level's `material_profile`."""
