"""T2A: a gap with the right bank higher.

Tests an inclined deck uphill: node heights have to follow the slope, member lengths grow with
it, and the vehicle needs a road it can climb.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import TERRAIN, Family, grid

GRID = grid(span_m=(8, 12, 16), rise_m=(1, 2))


def build(span_m: float, rise_m: float) -> Scene:
    """A gap of `span_m` whose right bank is `rise_m` higher."""
    name = f"T2A_Upslope_{metres(span_m)}_H{metres(rise_m)}"
    return banks(name, span_m, rise_m=rise_m).tagged("slope")


CONSTRAINTS = ("slope",)

FAMILY = Family("T2A", TERRAIN, __doc__, GRID, build, CONSTRAINTS)
