"""T2E: a rising gap with low anchors at unequal depths.

Tests banks that differ in height and in anchor depth at once: no line of the structure is
horizontal or mirrored, so each coordinate has to be worked out.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import TERRAIN, Family, grid

GRID = grid(span_m=(10, 12, 14), deep_side=("L", "R"))


def build(span_m: float, deep_side: str) -> Scene:
    """A gap of `span_m` rising by 1 m; the anchor of `deep_side` lies 4 m down, the other 2 m."""
    scene = banks(
        f"T2E_AsymBank{deep_side}_{metres(span_m)}",
        span_m,
        rise_m=1.0,
        left_anchor_m=-4.0 if deep_side == "L" else -2.0,
        right_anchor_m=-4.0 if deep_side == "R" else -2.0,
    )
    return scene.tagged("bank_geometry", "slope")


CONSTRAINTS = ("bank",)

FAMILY = Family("T2E", TERRAIN, __doc__, GRID, build, CONSTRAINTS, part="test")
