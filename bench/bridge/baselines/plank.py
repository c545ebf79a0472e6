"""`baseline:plank`: a straight road over every gap, with nothing to hold it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

from bench.bridge.baselines.build import Bridge, points_on
from bench.bridge.baselines.scene import Scene
from bench.bridge.design.materials import ROAD
from bench.task import Json


def plank(data: Mapping[str, Json]) -> str:
    """Roads of equal length, each at most 2 m, on the straight line over every gap."""
    scene = Scene.from_data(data)
    bridge = Bridge(scene)
    for gap in scene.gaps:
        length = math.dist(gap.left, gap.right)
        pieces = max(1, math.ceil(length / ROAD.max_length_m - 1e-9))
        for a, b in pairwise(points_on(gap.left, gap.right, pieces)):
            bridge.member(ROAD.type, a, b)
    return bridge.answer("A straight road from edge to edge; the anchors there take the load.")
