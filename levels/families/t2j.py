"""T2J: a gap with a rock below one quarter point.

Tests a clearance that breaks the symmetry: the forbidden triangle stands near one bank, so that
depth is free on one side and forbidden on the other.
"""

from levels.build import Scene, banks, metres
from levels.registry import TERRAIN, Family, grid

GRID = grid(span_m=(12, 14, 16), side=("L", "R"))[:-1]


def build(span_m: float, side: str) -> Scene:
    """A gap of `span_m` with a rock's tip 0.5 m below the deck, 1.6 m from a bank (L or R)."""
    x_m = 1.6 if side == "L" else span_m - 1.6
    return banks(f"T2J_RockOffset{side}_{metres(span_m)}", span_m).with_rock((x_m, -0.5), 2.5)


FAMILY = Family("T2J", TERRAIN, __doc__, GRID, build)
