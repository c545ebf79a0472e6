"""T1C: a plain gap without steel.

Tests whether the list of available materials is read and obeyed: the plain gap of T1B, with
Road and Wood only, so that no member may be longer than 2 m.
"""

from levels.build import Scene, banks, metres
from levels.registry import ANCHORS, Family, grid

GRID = grid(span_m=(4, 6, 7, 8, 9, 10, 11, 12))


def build(span_m: float) -> Scene:
    """A gap of `span_m` with two anchors a bank, Road and Wood only."""
    return banks(f"T1C_RoadWood_{metres(span_m)}", span_m).without_steel()


FAMILY = Family("T1C", ANCHORS, __doc__, GRID, build)
