"""T1G: a gap with anchors above the deck.

Tests hanging a deck instead of propping it: the second anchors stand above the banks, which
asks for stays or a through truss, while vehicles pass below them.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import ANCHORS, Family, grid

GRID = grid(span_m=(10, 12, 14, 16), height_m=(2, 4))


def build(span_m: float, height_m: float) -> Scene:
    """A gap of `span_m` with the second anchors `height_m` above the deck."""
    name = f"T1G_HighAnchor_{metres(span_m)}_H{metres(height_m)}"
    scene = banks(name, span_m, left_anchor_m=height_m, right_anchor_m=height_m)
    return scene.tagged("high_anchor")


CONSTRAINTS = ("anchors",)

FAMILY = Family("T1G", ANCHORS, __doc__, GRID, build, CONSTRAINTS)
