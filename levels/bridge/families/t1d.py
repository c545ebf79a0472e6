"""T1D: a gap with nothing but the deck anchors.

Tests a structure that stands on its two ends alone: no anchor below the deck takes thrust or
shortens the span, so the truss has to carry all bending within itself.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import ANCHORS, Family, grid

GRID = grid(span_m=(6, 8, 9, 10, 12, 14, 16, 18))


def build(span_m: float) -> Scene:
    """A gap of `span_m` between two deck anchors."""
    scene = banks(f"T1D_DeckOnly_{metres(span_m)}", span_m, left_anchor_m=None, right_anchor_m=None)
    return scene.tagged("deck_anchors_only")


CONSTRAINTS = ("anchors",)

FAMILY = Family("T1D", ANCHORS, __doc__, GRID, build, CONSTRAINTS)
