"""T1C: a plain gap without steel.

Tests whether the list of available materials is read and obeyed: the plain gap of T1B, with
Road and Wood only, so that no member may be longer than 2 m; on 11 m the low anchors are only
0.6 m below the deck.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import ANCHORS, Family, grid

GRID = grid(span_m=(4, 6, 7, 8, 9, 10, 11, 12))

DEPTH_M = {11.0: 0.6}
"""Low anchors so shallow that a flat strut from them would best be of steel, were there any."""


def build(span_m: float) -> Scene:
    """A gap of `span_m` with two anchors a bank, the low ones as `DEPTH_M` says, without steel."""
    depth_m = DEPTH_M.get(span_m, 2.0)
    name = f"T1C_RoadWood_{metres(span_m)}"
    return banks(name, span_m, left_anchor_m=-depth_m, right_anchor_m=-depth_m).without_steel()


CONSTRAINTS = ("materials",)

FAMILY = Family("T1C", ANCHORS, __doc__, GRID, build, CONSTRAINTS)
