"""G1: a rock below, and several or heavy vehicles.

Tests strength where depth is forbidden: the loads of T4B and T4C over a rock whose tip is 2 m
under mid span (T2I).
"""

from levels.build import Scene, banks, metres
from levels.registry import COMPOSITIONAL, Family, grid

GRID = grid(span_m=(14, 16), load=("Multi2", "Multi3", "HeavyW2", "HeavyW3"))


def build(span_m: float, load: str) -> Scene:
    """A gap of `span_m` under `load`, with a rock's tip 2 m below the middle of the deck."""
    scene = banks(f"G1_Clearance_{load}_{metres(span_m)}_R2m", span_m).with_load(load)
    return scene.with_rock((span_m / 2, -2.0), 2.0)


FAMILY = Family("G1", COMPOSITIONAL, __doc__, GRID, build)
