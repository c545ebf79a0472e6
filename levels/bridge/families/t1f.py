"""T1F: a gap with deep anchors.

Tests whether coordinates are read rather than assumed: the banks' second anchors lie 3 to 5 m
down, too far for one member, so using them takes intermediate nodes and leaving them alone is a
choice.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import ANCHORS, Family, grid

GRID = grid(span_m=(10, 12, 14), depth_m=(3, 4, 5))


def build(span_m: float, depth_m: float) -> Scene:
    """A gap of `span_m` with the low anchors `depth_m` below the deck."""
    name = f"T1F_DeepAnchor_{metres(span_m)}_D{metres(depth_m)}"
    scene = banks(name, span_m, left_anchor_m=-depth_m, right_anchor_m=-depth_m)
    return scene.tagged("bottom_anchor")


CONSTRAINTS = ("anchors",)

FAMILY = Family("T1F", ANCHORS, __doc__, GRID, build, CONSTRAINTS)
