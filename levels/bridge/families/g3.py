"""G3: a platform, and several or heavy vehicles.

Tests two bridges under raised loads: the island of T2F with the vehicles of T4B and T4C, where
both gaps have to hold and share one budget.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import COMPOSITIONAL, Family, grid

GRID = grid(gap_m=(8,), load=("Multi2", "Multi3", "HeavyW2", "HeavyW3")) + grid(
    gap_m=(9,), load=("Multi2", "HeavyW2", "HeavyW3")
)


def build(gap_m: float, load: str) -> Scene:
    """Two gaps of `gap_m` beside a platform 4 m wide, under `load`."""
    scene = banks(f"G3_Platform_{load}_{metres(gap_m)}", 2 * gap_m + 4.0)
    return scene.with_platform(gap_m, 4.0).with_load(load)


CONSTRAINTS = ("platform", "load")

FAMILY = Family("G3", COMPOSITIONAL, __doc__, GRID, build, CONSTRAINTS)
