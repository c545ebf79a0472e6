"""T2F: two equal gaps with a platform between them.

Tests telling ground from gap: the island in the middle is drivable, so two short bridges do,
and a road across the island is money wasted.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import TERRAIN, Family

GAPS_AND_WIDTHS_M = ((6, 2), (6, 4), (8, 2), (8, 4), (10, 4), (12, 4))
GRID = tuple({"gap_m": gap_m, "width_m": width_m} for gap_m, width_m in GAPS_AND_WIDTHS_M)


def build(gap_m: float, width_m: float) -> Scene:
    """Two gaps of `gap_m` with a platform of `width_m` at deck height."""
    name = f"T2F_Platform_{metres(gap_m)}_I{metres(width_m)}"
    return banks(name, 2 * gap_m + width_m).with_platform(gap_m, width_m)


CONSTRAINTS = ("platform",)

FAMILY = Family("T2F", TERRAIN, __doc__, GRID, build, CONSTRAINTS)
