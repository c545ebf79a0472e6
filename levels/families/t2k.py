"""T2K: a gap with a rock hanging over its middle.

Tests keeping clear from above: a forbidden triangle comes down to 2 m over the deck, in the way
of stays from a high anchor, or to 3 m over mid span, where an arch would be highest.
"""

from levels.build import ROCK_TOP_Y_M, Scene, banks, metres
from levels.registry import TERRAIN, Family, grid

GRID = grid(span_m=(10, 12, 14), clearance_m=(2, 3))


def build(span_m: float, clearance_m: float) -> Scene:
    """A gap of `span_m` with a rock's tip `clearance_m` above the deck.

    At 2 m the second anchors stand 3 m above the banks and the tip hangs in the way of the stays
    from the left one; at 3 m it hangs over the middle.
    """
    name = f"T2K_RockAbove_{metres(span_m)}_R{metres(clearance_m)}"
    if clearance_m == 2:
        scene = banks(name, span_m, left_anchor_m=3.0, right_anchor_m=3.0)
        return scene.with_rock((0.6, 2.0), 2.0, ROCK_TOP_Y_M)
    return banks(name, span_m).with_rock((span_m / 2, clearance_m), 2.0, ROCK_TOP_Y_M)


FAMILY = Family("T2K", TERRAIN, __doc__, GRID, build)
