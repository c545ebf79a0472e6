"""T2D: a gap whose banks slope inwards.

Tests building beside slanted ground: the banks' faces lean into the gap, so that low anchors
stand closer together and nodes that suit a vertical face would lie inside solid ground.
"""

from levels.bridge.build import Scene, metres, slanted_banks
from levels.bridge.registry import TERRAIN, Family, grid

GRID = grid(span_m=(12, 14, 16), offset_m=(1, 2))


def build(span_m: float, offset_m: float) -> Scene:
    """A gap of `span_m`; each face passes `offset_m` into the gap at depth 3 m."""
    name = f"T2D_SlantBank_{metres(span_m)}_O{metres(offset_m)}"
    return slanted_banks(name, span_m, offset_m).tagged("bank_geometry")


CONSTRAINTS = ("bank",)

FAMILY = Family("T2D", TERRAIN, __doc__, GRID, build, CONSTRAINTS)
