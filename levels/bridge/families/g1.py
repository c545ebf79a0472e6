"""G1: a rock below, and several or heavy vehicles.

Tests strength where a support is cut off: the loads of T4B and T4C beside a rock whose tip, 2 m
under the deck, stands in the way of the strut from one deep anchor (T2I).
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import COMPOSITIONAL, Family, grid

GRID = grid(span_m=(14, 16), load=("Multi2", "Multi3", "HeavyW2", "HeavyW3"))


def build(span_m: float, load: str) -> Scene:
    """A gap of `span_m` under `load`; a rock 2 m below the deck, left for several vehicles."""
    name = f"G1_Clearance_{load}_{metres(span_m)}_R2m"
    scene = banks(name, span_m, left_anchor_m=-2.5, right_anchor_m=-2.5).with_load(load)
    if load.startswith("Multi"):
        return scene.with_rock((0.2, -2.0), 0.0, 2.0)
    return scene.with_rock((span_m - 0.2, -2.0), 2.0, 0.0)


CONSTRAINTS = ("rock", "load")

FAMILY = Family("G1", COMPOSITIONAL, __doc__, GRID, build, CONSTRAINTS)
