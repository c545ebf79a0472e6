"""G5: a platform, and a rock in one of the two gaps.

Tests two gaps that look equal and are not: one is free, in the other a rock reaches to
0.6 m below the deck beside the bank, with one or two vehicles.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import COMPOSITIONAL, Family, grid

GRID = (
    *grid(load=("Light",), gap_m=(8, 10), side=("L", "R")),
    *grid(load=("Multi2",), gap_m=(8,), side=("L",)),
    *grid(load=("Multi2",), gap_m=(10,), side=("R",)),
)


def build(load: str, gap_m: float, side: str) -> Scene:
    """Two gaps of `gap_m` beside a platform 4 m wide, with a rock in the gap on `side` (L or R)."""
    start_m = 0.0 if side == "L" else gap_m + 4.0
    scene = banks(f"G5_PlatformClearance{side}_{load}_{metres(gap_m)}", 2 * gap_m + 4.0)
    scene = scene.with_platform(gap_m, 4.0).with_rock((start_m + 0.4, -0.6), 0.0, 2.0)
    return scene.with_load(load)


CONSTRAINTS = ("platform", "rock")

FAMILY = Family("G5", COMPOSITIONAL, __doc__, GRID, build, CONSTRAINTS)
