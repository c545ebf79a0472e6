"""T4D: a plain gap with a mixed convoy.

Tests the order of unequal loads: a light vehicle and a heavy one, either in front, so that the
structure meets the heavy one with or without the light one's counterweight.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import LOAD, Family, grid

GRID = grid(span_m=(12, 14, 16), load=("ConvoyLightLead", "ConvoyHeavyLead"))


def build(span_m: float, load: str) -> Scene:
    """A gap of `span_m` under vehicles of 3 and 6 PG, in the order that `load` names."""
    return banks(f"T4D_{load}_{metres(span_m)}", span_m).with_load(load)


CONSTRAINTS = ("load",)

FAMILY = Family("T4D", LOAD, __doc__, GRID, build, CONSTRAINTS, part="test")
