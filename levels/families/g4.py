"""G4: a sloping gap with a rock below.

Tests clearance measured from an inclined deck: the rock's tip is 1 m under a deck that rises or
falls by 1 m, beside the left bank.
"""

from levels.build import Scene, banks, metres
from levels.registry import COMPOSITIONAL, Family, grid

GRID = grid(span_m=(10, 12, 14), direction=("Up", "Down"))


def build(span_m: float, direction: str) -> Scene:
    """A gap of `span_m` rising (Up) or falling (Down) by 1 m, with a rock 1 m under the deck."""
    rise_m = 1.0 if direction == "Up" else -1.0
    scene = banks(f"G4_SlopeClearance{direction}_{metres(span_m)}_R1m", span_m, rise_m=rise_m)
    deck_y = round(0.8 * rise_m / span_m, 2)
    return scene.with_rock((0.8, deck_y - 1.0), 1.5).tagged("slope")


FAMILY = Family("G4", COMPOSITIONAL, __doc__, GRID, build)
