"""Whether a design has a continuous deck: recorded for analysis, never shown to a model."""

from __future__ import annotations

from bench.bridge.design.design import Design
from bench.bridge.design.materials import ROAD
from bench.bridge.level.level import Level, Surface

TOUCH_M = 0.01
"""A road this close to the ground's surface counts as joined to it (a wheel does not notice)."""


def continuous_deck(level: Level, design: Design) -> bool:
    """Whether road and ground join the left bank to the right one without a gap.

    Roads join at shared nodes, and join the ground where they come within 1 cm of a drivable
    surface. Says nothing about strength, slope or execution.
    """
    grounds = level.surfaces
    parent: dict[str, str] = {}

    def root(item: str) -> str:
        parent.setdefault(item, item)
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    nodes = design.node_by_id
    for member in design.members:
        a, b = nodes.get(member.a), nodes.get(member.b)
        if member.type != ROAD.type or a is None or b is None:
            continue
        parent[root(f"n{a.id}")] = root(f"n{b.id}")
        for index, ground in enumerate(grounds):
            if _touches(ground, (a.x, a.y), (b.x, b.y)):
                parent[root(f"n{a.id}")] = root(f"g{index}")
    for i, one in enumerate(grounds):
        for j, other in enumerate(grounds[:i]):
            if abs(one[2] - other[2]) <= TOUCH_M and one[0] <= other[1] and other[0] <= one[1]:
                parent[root(f"g{i}")] = root(f"g{j}")
    return root("g0") == root("g1")


def _touches(ground: Surface, a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Whether the segment a-b comes within TOUCH_M of a horizontal surface."""
    x_from, x_to, y = ground[0] - TOUCH_M, ground[1] + TOUCH_M, ground[2]
    (xa, ya), (xb, yb) = sorted((a, b))
    low, high = max(xa, x_from), min(xb, x_to)
    if low > high:
        return False
    if xb == xa:
        ends = (ya, yb)
    else:
        slope = (yb - ya) / (xb - xa)
        ends = (ya + slope * (low - xa), ya + slope * (high - xa))
    return min(ends) <= y + TOUCH_M and max(ends) >= y - TOUCH_M
