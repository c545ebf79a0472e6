"""T2K: a gap with a rock hanging over its middle.

Tests keeping clear from above: a forbidden triangle comes down to 2 or 3 m over mid span, where
an arch or a through truss would be highest.
"""

from levels.build import ROCK_TOP_Y_M, Scene, banks, metres
from levels.registry import TERRAIN, Family, grid

GRID = grid(span_m=(10, 12, 14), clearance_m=(2, 3))


def build(span_m: float, clearance_m: float) -> Scene:
    """A gap of `span_m` with a rock's tip `clearance_m` above the middle of the deck."""
    scene = banks(f"T2K_RockAbove_{metres(span_m)}_R{metres(clearance_m)}", span_m)
    return scene.with_rock((span_m / 2, clearance_m), 2.0, ROCK_TOP_Y_M)


FAMILY = Family("T2K", TERRAIN, __doc__, GRID, build)
