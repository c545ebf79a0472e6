"""T2J: a gap with a tall rock below one end of the deck.

Tests a clearance that breaks the symmetry: the forbidden triangle stands near one bank, so that
depth is free on one side and forbidden on the other.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import TERRAIN, Family, grid

GRID = grid(span_m=(12, 14, 16), side=("L", "R"))[:-1]


def build(span_m: float, side: str) -> Scene:
    """A gap of `span_m`; a rock's tip 0.5 m below the deck, its steep face 0.5 m from a bank."""
    scene = banks(f"T2J_RockOffset{side}_{metres(span_m)}", span_m)
    if side == "L":
        return scene.with_rock((0.5, -0.5), 0.0, 3.0)
    return scene.with_rock((span_m - 0.5, -0.5), 3.0, 0.0)


CONSTRAINTS = ("rock",)

FAMILY = Family("T2J", TERRAIN, __doc__, GRID, build, CONSTRAINTS, part="test")
