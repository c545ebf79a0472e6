"""T4B: a plain gap with one heavy vehicle.

Tests sizing by load: the plain gap under a vehicle of two or three times the usual weight,
where the same topology needs steel, depth or shorter panels.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import LOAD, Family, grid

GRID = grid(span_m=(8, 10, 12, 14, 16), load=("HeavyW2", "HeavyW3"))


def build(span_m: float, load: str) -> Scene:
    """A gap of `span_m` under one vehicle of 6 PG (HeavyW2) or 9 PG (HeavyW3)."""
    return banks(f"T4B_{load}_{metres(span_m)}", span_m).with_load(load)


CONSTRAINTS = ("load",)

FAMILY = Family("T4B", LOAD, __doc__, GRID, build, CONSTRAINTS)
