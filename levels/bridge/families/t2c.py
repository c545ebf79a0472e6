"""T2C: a sloping gap without steel.

Tests slope and material restriction together on short spans: every inclined member has to stay
within the 2 m of Road and Wood; on the rising 8 m the low anchors are only 0.4 m below the decks.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import TERRAIN, Family, grid

GRID = grid(span_m=(6, 8, 10), direction=("Up", "Down"))

DEPTH_M = {(8.0, "Up"): 0.4}
"""Low anchors so shallow that a flat strut from them would best be of steel, were there any."""


def build(span_m: float, direction: str) -> Scene:
    """A gap of `span_m` with the right bank 1 m higher (Up) or lower (Down), Road and Wood only."""
    rise_m = 1.0 if direction == "Up" else -1.0
    low_m = -DEPTH_M.get((span_m, direction), 2.0)
    name = f"T2C_SlopeRW{direction}_{metres(span_m)}"
    scene = banks(name, span_m, rise_m=rise_m, left_anchor_m=low_m, right_anchor_m=low_m)
    return scene.without_steel().tagged("slope")


CONSTRAINTS = ("slope", "materials")

FAMILY = Family("T2C", TERRAIN, __doc__, GRID, build, CONSTRAINTS)
