"""T2G: two gaps with a platform above or below the banks.

Tests a route over three heights: up to the island and down again, or the other way round, with
each of the two bridges sloping differently.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import TERRAIN, Family

GAPS_AND_STEPS_M = ((6, 1.0), (8, 1.0), (9, 1.5))
GRID = tuple(
    {"gap_m": gap_m, "step_m": step_m, "direction": direction}
    for gap_m, step_m in GAPS_AND_STEPS_M
    for direction in ("Up", "Down")
)


def build(gap_m: float, step_m: float, direction: str) -> Scene:
    """Two gaps of `gap_m`; the platform, 4 m wide, is `step_m` higher (Up) or lower (Down)."""
    surface_y_m = step_m if direction == "Up" else -step_m
    name = f"T2G_Platform{direction}_{metres(gap_m)}_H{metres(step_m)}"
    scene = banks(name, 2 * gap_m + 4.0).with_platform(gap_m, 4.0, surface_y_m)
    return scene.tagged("slope")


CONSTRAINTS = ("platform",)

FAMILY = Family("T2G", TERRAIN, __doc__, GRID, build, CONSTRAINTS, part="test")
