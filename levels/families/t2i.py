"""T2I: a gap with a rock below its middle.

Tests keeping clear from below: a forbidden triangle rises to 1 or 2 m under mid span, where a
deck truss would be deepest.
"""

from levels.build import Scene, banks, metres
from levels.registry import TERRAIN, Family, grid

GRID = grid(span_m=(10, 12, 14), clearance_m=(1, 2))


def build(span_m: float, clearance_m: float) -> Scene:
    """A gap of `span_m` with a rock's tip `clearance_m` below the middle of the deck."""
    scene = banks(f"T2I_RockBelow_{metres(span_m)}_R{metres(clearance_m)}", span_m)
    return scene.with_rock((span_m / 2, -clearance_m), 2.0)


FAMILY = Family("T2I", TERRAIN, __doc__, GRID, build)
