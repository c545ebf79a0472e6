"""G2: no steel, and several or heavy vehicles.

Tests strength from weak members: twice the usual load with Road and Wood only, which leaves
geometry as the way to carry it; under HeavyW2 the low anchors are only 0.5, 0.6 and 1 m below the
deck.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import COMPOSITIONAL, Family, grid

GRID = grid(span_m=(6, 8, 10), load=("Multi2", "HeavyW2"))

DEPTH_M = {("HeavyW2", 6.0): 0.5, ("HeavyW2", 8.0): 0.6, ("HeavyW2", 10.0): 1.0}
"""Low anchors so shallow that the flat struts from them would best be of steel, were there any."""


def build(span_m: float, load: str) -> Scene:
    """A gap of `span_m` under `load`, Road and Wood only; the low anchors as `DEPTH_M` says."""
    depth_m = DEPTH_M.get((load, span_m), 2.0)
    name = f"G2_RoadWood_{load}_{metres(span_m)}"
    scene = banks(name, span_m, left_anchor_m=-depth_m, right_anchor_m=-depth_m)
    return scene.with_load(load).without_steel()


CONSTRAINTS = ("materials", "load")

FAMILY = Family("G2", COMPOSITIONAL, __doc__, GRID, build, CONSTRAINTS)
