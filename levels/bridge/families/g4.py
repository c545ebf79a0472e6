"""G4: a sloping gap with a rock below.

Tests clearance measured from an inclined deck: the rock's tip is 1 m under a deck that rises or
falls by 1 m, beside the left bank, and its back reaches under three quarters of the span.
"""

from bench.bridge.level.level import BOTTOM_Y_M
from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import COMPOSITIONAL, Family, grid

GRID = grid(span_m=(10, 12, 14), direction=("Up", "Down"))

TIP_X_M = 0.3
BACK_SHARE, BACK_DEPTH_M = 0.75, 1.5
"""The rock's back falls from its tip to this depth under the deck, at this share of the span: a
road hung on a deep chain would touch it."""


def build(span_m: float, direction: str) -> Scene:
    """A gap of `span_m` rising (Up) or falling (Down) by 1 m, with a rock 1 m under the deck."""
    rise_m = 1.0 if direction == "Up" else -1.0
    scene = banks(f"G4_SlopeClearance{direction}_{metres(span_m)}_R1m", span_m, rise_m=rise_m)
    back_m = BACK_SHARE * span_m
    tip = (TIP_X_M, rise_m * TIP_X_M / span_m - 1.0)
    back = (back_m, rise_m * back_m / span_m - BACK_DEPTH_M)
    return scene.with_triangle(tip, (TIP_X_M, BOTTOM_Y_M), back).tagged("slope")


CONSTRAINTS = ("slope", "rock")

FAMILY = Family("G4", COMPOSITIONAL, __doc__, GRID, build, CONSTRAINTS, part="test")
