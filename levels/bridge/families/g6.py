"""G6: deck anchors only, and several or heavy vehicles.

Tests strength without supports below: the two-anchor gap of T1D under two vehicles or one of
two or three times the usual weight.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import COMPOSITIONAL, Family, grid

GRID = grid(span_m=(10, 12, 14), load=("Multi2", "HeavyW2")) + grid(span_m=(12,), load=("HeavyW3",))


def build(span_m: float, load: str) -> Scene:
    """A gap of `span_m` between two deck anchors, under `load`."""
    name = f"G6_DeckOnly_{load}_{metres(span_m)}"
    scene = banks(name, span_m, left_anchor_m=None, right_anchor_m=None)
    return scene.tagged("deck_anchors_only").with_load(load)


CONSTRAINTS = ("anchors", "load")

FAMILY = Family("G6", COMPOSITIONAL, __doc__, GRID, build, CONSTRAINTS, part="test")
