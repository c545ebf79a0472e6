"""G2: no steel, and several or heavy vehicles.

Tests strength from weak members: twice the usual load with Road and Wood only, which leaves
geometry as the way to carry it.
"""

from levels.build import Scene, banks, metres
from levels.registry import COMPOSITIONAL, Family, grid

GRID = grid(span_m=(6, 8, 10), load=("Multi2", "HeavyW2"))


def build(span_m: float, load: str) -> Scene:
    """A gap of `span_m` under `load`, Road and Wood only."""
    return banks(f"G2_RoadWood_{load}_{metres(span_m)}", span_m).with_load(load).without_steel()


FAMILY = Family("G2", COMPOSITIONAL, __doc__, GRID, build)
