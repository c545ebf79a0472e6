"""T2H: two unequal gaps with a platform off the middle.

Tests sizing two bridges apart: a short gap and a long one in a single budget, where one design
repeated twice is too weak or too dear.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import TERRAIN, Family

GAPS_AND_WIDTHS_M = ((5, 3, 9), (9, 3, 5), (6, 2, 10), (10, 2, 6), (7, 4, 12))
GRID = tuple(
    {"left_gap_m": left, "width_m": width, "right_gap_m": right}
    for left, width, right in GAPS_AND_WIDTHS_M
)


def build(left_gap_m: float, width_m: float, right_gap_m: float) -> Scene:
    """Gaps of `left_gap_m` and `right_gap_m` beside a platform of `width_m` at deck height."""
    name = f"T2H_OffPlatform_{metres(left_gap_m)}_I{metres(width_m)}_{metres(right_gap_m)}"
    scene = banks(name, left_gap_m + width_m + right_gap_m)
    return scene.with_platform(left_gap_m, width_m)


CONSTRAINTS = ("platform",)

FAMILY = Family("T2H", TERRAIN, __doc__, GRID, build, CONSTRAINTS)
