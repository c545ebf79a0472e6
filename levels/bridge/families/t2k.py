"""T2K: a gap with a rock hanging beside its left bank.

Tests keeping clear from above: a forbidden triangle comes down to 2 or 3 m over the deck, in the
way of the stays from the left bank's anchor, which stands a little higher than the rock's tip.
"""

from levels.bridge.build import ROCK_TOP_Y_M, Scene, banks, metres
from levels.bridge.registry import TERRAIN, Family, grid

GRID = grid(span_m=(10, 12, 14), clearance_m=(2, 3))

SLOT_M = 0.12
"""From the bank to the rock's vertical face."""
ABOVE_TIP_M = {2: 0.6, 3: 0.3}
"""From the rock's tip up to the anchors, by clearance: no higher than where a stay still pays."""


def build(span_m: float, clearance_m: int) -> Scene:
    """A gap of `span_m` with a rock's tip `clearance_m` above the deck; both anchors are high."""
    name = f"T2K_RockAbove_{metres(span_m)}_R{metres(clearance_m)}"
    height_m = clearance_m + ABOVE_TIP_M[clearance_m]
    scene = banks(name, span_m, left_anchor_m=height_m, right_anchor_m=height_m)
    return scene.with_rock((SLOT_M, clearance_m), 0.0, 2.0, ROCK_TOP_Y_M)


CONSTRAINTS = ("rock",)

FAMILY = Family("T2K", TERRAIN, __doc__, GRID, build, CONSTRAINTS)
