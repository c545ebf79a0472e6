"""T2B: a gap with the right bank lower.

Tests an inclined deck downhill: the same geometry as T2A with the opposite sign, where a design
that assumes a level deck ends above the far bank.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import TERRAIN, Family, grid

GRID = grid(span_m=(8, 12, 16), drop_m=(1, 2))


def build(span_m: float, drop_m: float) -> Scene:
    """A gap of `span_m` whose right bank is `drop_m` lower."""
    name = f"T2B_Downslope_{metres(span_m)}_H{metres(drop_m)}"
    return banks(name, span_m, rise_m=-drop_m).tagged("slope")


CONSTRAINTS = ("slope",)

FAMILY = Family("T2B", TERRAIN, __doc__, GRID, build, CONSTRAINTS)
