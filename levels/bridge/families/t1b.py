"""T1B: a plain gap between level banks.

Tests whether a model can span a gap at all: a continuous deck, carried by a triangulated
structure from four anchors, with every material. The span is the only thing that grows.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import ANCHORS, Family, grid

GRID = grid(span_m=(4, 6, 7, 8, 9, 10, 12, 14, 16, 18))


def build(span_m: float) -> Scene:
    """A gap of `span_m` with two anchors a bank."""
    return banks(f"T1B_Basic_{metres(span_m)}", span_m).tagged("basic")


CONSTRAINTS = ()

FAMILY = Family("T1B", ANCHORS, __doc__, GRID, build, CONSTRAINTS)
