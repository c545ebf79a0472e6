"""A bridge under construction, and the answer it becomes."""

from __future__ import annotations

import json
import math

from bench.bridge.baselines.scene import Point, Scene
from bench.bridge.design.materials import MATERIALS
from bench.task import Json


class Bridge:
    """Collects nodes by position and members by pair; ids go on from the highest anchor's."""

    def __init__(self, scene: Scene) -> None:
        self._anchors = dict(scene.anchors)
        self._ids = {_key(p): i for i, p in sorted(self._anchors.items(), reverse=True)}
        self._points: list[Point] = []
        self._members: dict[tuple[int, int, int], None] = {}
        self._next_id = scene.first_free_id
        self._points_by_id = dict(self._anchors)

    def node(self, x: float, y: float) -> int:
        """The id of the node at (x, y), a native anchor where there is one."""
        point = (round(x, 4) + 0.0, round(y, 4) + 0.0)
        key = _key(point)
        if key not in self._ids:
            self._ids[key] = self._next_id
            self._points_by_id[self._next_id] = point
            self._next_id += 1
        return self._ids[key]

    def member(self, type_: int, a: Point, b: Point) -> None:
        """Add a member between two points; repeating one changes nothing."""
        ends = sorted((self.node(*a), self.node(*b)))
        self._members[ends[0], ends[1], type_] = None

    @property
    def cost_usd(self) -> float:
        """Cost of all members so far."""
        points = self._points_by_id
        return sum(
            math.dist(points[a], points[b]) * MATERIALS[t].cost_usd_per_m
            for a, b, t in self._members
        )

    def segments(self) -> list[tuple[Point, Point]]:
        """The end points of every member."""
        points = self._points_by_id
        return [(points[a], points[b]) for a, b, _ in self._members]

    def answer(self, thought: str) -> str:
        """The complete graph as an answer's JSON text."""
        nodes: list[Json] = [
            {"id": i, "x": p[0], "y": p[1], "isKinematic": i in self._anchors}
            for i, p in sorted(self._points_by_id.items())
        ]
        edges: list[Json] = [
            {"id": self._next_id + n, "type": t, "anchorAID": a, "anchorBID": b, "rate": 0}
            for n, (a, b, t) in enumerate(self._members)
        ]
        return json.dumps(
            {"action": "modify", "thought_process": thought, "nodes": nodes, "edges": edges}
        )


def _key(point: Point) -> tuple[int, int]:
    return round(point[0] * 1e4), round(point[1] * 1e4)


def points_on(a: Point, b: Point, pieces: int) -> list[Point]:
    """`pieces` + 1 points on the straight line from a to b, both ends included."""
    return [
        (a[0] + (b[0] - a[0]) * i / pieces, a[1] + (b[1] - a[1]) * i / pieces)
        for i in range(pieces + 1)
    ]
