"""T1H: a long gap with one free-standing anchor in the middle.

Tests the use of an intermediate support: a pier's head in mid gap, 1 or 3 m below the deck,
halves the span for a design that reaches it.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import ANCHORS, Family, grid

GRID = grid(span_m=(14, 16, 18, 20), depth_m=(1, 3))


def build(span_m: float, depth_m: float) -> Scene:
    """A gap of `span_m` with a pier's head `depth_m` below the middle of the deck."""
    scene = banks(f"T1H_MidAnchor_{metres(span_m)}_D{metres(depth_m)}", span_m)
    return scene.with_pier(span_m / 2, -depth_m)


CONSTRAINTS = ("anchors",)

FAMILY = Family("T1H", ANCHORS, __doc__, GRID, build, CONSTRAINTS, part="test")
