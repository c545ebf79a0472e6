"""Four fixed trusses: one shape for every level, whatever the load, rocks or budget."""

from __future__ import annotations

import math
from collections.abc import Mapping

from bench.bridge.baselines.build import Bridge
from bench.bridge.baselines.scene import Scene
from bench.bridge.baselines.warren import warren
from bench.bridge.design.materials import ROAD, STEEL, WOOD
from bench.task import Json

DEPTH_M = 1.5
PANEL_M = 2.0


def fixed_truss(data: Mapping[str, Json], *, steel: bool, above: bool) -> str:
    """A Warren truss over every gap: depth 1.5 m, panels of 2 m at most.

    Where steel is not available, the steel truss is made of wood.
    """
    scene = Scene.from_data(data)
    material = STEEL if steel and scene.has_steel else WOOD
    bridge = Bridge(scene)
    for gap in scene.gaps:
        length = math.dist(gap.left, gap.right)
        panels = max(2, math.ceil(length / PANEL_M - 1e-9))
        truss = warren(gap, panels, DEPTH_M, above=above)
        for a, b in truss.deck:
            bridge.member(ROAD.type, a, b)
        for a, b in (*truss.chord, *truss.diagonals):
            bridge.member(material.type, a, b)
    side = "above" if above else "below"
    return bridge.answer(
        f"A Warren truss of {material.name}, {DEPTH_M} m {side} the deck, carries the load to "
        "the anchors at both ends of every gap; it is the same on every level."
    )
