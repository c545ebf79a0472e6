"""T2I: a gap with a rock below the deck.

Tests keeping clear from below: a forbidden triangle rises to 1 or 2 m under the deck just where
the strut from a bank's lower anchor would go.
"""

from levels.build import Scene, banks, metres
from levels.registry import TERRAIN, Family, grid

GRID = grid(span_m=(10, 12, 14), clearance_m=(1, 2))


def build(span_m: float, clearance_m: float) -> Scene:
    """A gap of `span_m` with a rock's tip `clearance_m` below the deck, beside a bank.

    The lower anchors lie 1 m deeper than the tip, or no strut would come down to it.
    """
    depth_m = -clearance_m - 1.0
    name = f"T2I_RockBelow_{metres(span_m)}_R{metres(clearance_m)}"
    scene = banks(name, span_m, left_anchor_m=depth_m, right_anchor_m=depth_m)
    if clearance_m == 1:
        return scene.with_rock((0.8, -1.0), 2.0)
    return scene.with_rock((span_m - 0.6, -2.0), 0.9)


FAMILY = Family("T2I", TERRAIN, __doc__, GRID, build)
