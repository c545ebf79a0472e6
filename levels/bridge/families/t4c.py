"""T4C: a plain gap with several vehicles.

Tests loads that stand on the bridge together: two or three light vehicles in a row, 3.5 m
apart, so that the worst position is no longer one axle in the middle.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import LOAD, Family, grid

GRID = grid(span_m=(10, 12, 14, 16, 18), load=("Multi2", "Multi3"))


def build(span_m: float, load: str) -> Scene:
    """A gap of `span_m` under two (Multi2) or three (Multi3) vehicles of 3 PG."""
    return banks(f"T4C_{load}_{metres(span_m)}", span_m).with_load(load)


CONSTRAINTS = ("load",)

FAMILY = Family("T4C", LOAD, __doc__, GRID, build, CONSTRAINTS)
