"""T2I: a gap with a rock below the deck.

Tests keeping clear from below: a forbidden triangle rises to 1 or 2 m under the deck just where
the strut from a bank's lower anchor would go.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import TERRAIN, Family, grid

GRID = grid(span_m=(10, 12, 14), clearance_m=(1, 2))


def build(span_m: float, clearance_m: float) -> Scene:
    """A gap of `span_m` with a rock's tip `clearance_m` below the deck, beside the left bank.

    Its face towards the bank is vertical: the lower anchor is at the bottom of a narrow slot. For a
    clearance of 2 m both lower anchors lie deeper than the tip, but not too deep to be of use.
    """
    name = f"T2I_RockBelow_{metres(span_m)}_R{metres(clearance_m)}"
    depth_m, slot_m = (-2.0, 0.4) if clearance_m == 1 else (-2.4, 0.15)
    scene = banks(name, span_m, left_anchor_m=depth_m, right_anchor_m=depth_m)
    return scene.with_rock((slot_m, -clearance_m), 0.0, 2.0)


CONSTRAINTS = ("rock",)

FAMILY = Family("T2I", TERRAIN, __doc__, GRID, build, CONSTRAINTS)
