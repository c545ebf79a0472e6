"""One gap as the engineer surveys it: supports, room for joints, rocks, and the convoy's axles."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bench.bridge.baselines.engineer_search import Task
from bench.bridge.baselines.scene import Gap, Point, Scene
from bench.bridge.baselines.statics import axle_offsets
from bench.bridge.statics.influence import KICK, Method, workspace
from bench.bridge.statics.price import Ground

Floats: TypeAlias = NDArray[np.float64]

MAX_JOINTS, MAX_BARS = 72, 180
SHORTEST_M = 0.252
CLEAR_M, EXTRA_CLEAR_M = 0.005, 0.1
"""Distance that bars keep from rocks, and what is added after each violation."""
BELOW_M, ABOVE_M = (6.0, 1.0, 0.0), 7.0
"""How far from the road the engineer looks for joints; less below after each node in the ground."""
FACE_M = 2.6
"""A low support no further than this from an edge is taken to lie on a bank's sloping face."""


@dataclass(frozen=True)
class Site:
    """A gap, the supports beside its edges, the forbidden triangles, loads and materials.

    `axles`: metres from the first vehicle's centre, and load in PN, not yet raised for dynamics.
    `touched` and `buried`: how often earlier answers touched a rock, or lay in solid ground.
    """

    gap: Gap
    supports: tuple[Point, ...]
    rocks: tuple[tuple[Point, Point, Point], ...]
    axles: tuple[tuple[float, float], ...]
    steel: bool
    touched: int = 0
    buried: int = 0

    @property
    def axis(self) -> float:
        """Twice the x of the gap's middle, about which a symmetric site is mirrored."""
        return self.gap.left[0] + self.gap.right[0]

    @cached_property
    def symmetric(self) -> bool:
        """Whether mirroring at mid-gap gives the same site, the convoy aside."""
        points = {*self.supports, *(v for rock in self.rocks for v in rock)}
        rounded = {(round(x, 4), round(y, 4)) for x, y in points}
        images = {(round(self.axis - x, 4), y) for x, y in rounded}
        return self.gap.left[1] == self.gap.right[1] and rounded == images

    @cached_property
    def room(self) -> Floats:
        """Half-planes (nx, ny, c), n.p <= c, within which every joint has to lie."""
        (xl, yl), (xr, yr) = self.gap.left, self.gap.right
        below = BELOW_M[min(self.buried, len(BELOW_M) - 1)]
        rows = [(-1.0, 0.0, -xl), (1.0, 0.0, xr)]
        rows += [(0.0, -1.0, below - min(yl, yr)), (0.0, 1.0, max(yl, yr) + ABOVE_M)]
        for x, y in self.supports:
            for (ex, ey), side in ((self.gap.left, -1.0), (self.gap.right, 1.0)):
                lean = -side * (x - ex)
                if 1e-6 < lean <= FACE_M and y < ey - 1.5:
                    normal = side * (ey - y), -side * (ex - x)
                    size = math.hypot(*normal)
                    nx, ny = normal[0] / size, normal[1] / size
                    rows.append((nx, ny, nx * ex + ny * ey))
        return np.array(rows)

    @cached_property
    def forbidden(self) -> Floats:
        """The rocks that reach into the gap, (R, 3, 3) half-planes, grown by a small distance."""
        distance = CLEAR_M + EXTRA_CLEAR_M * self.touched
        near = [
            _grown(rock, distance)
            for rock in self.rocks
            if max(x for x, _ in rock) > self.gap.left[0]
            and min(x for x, _ in rock) < self.gap.right[0]
        ]
        return np.array(near, dtype=np.float64).reshape(len(near), 3, 3)

    @cached_property
    def ground(self) -> Ground:
        """Where joints and bars may be."""
        return Ground(self.room, np.zeros((0, 3, 3)), self.forbidden, SHORTEST_M)

    def task(self, dynamic: float, jolt: float) -> Task:
        """What compiled code reads.

        `dynamic` raises all loads, `jolt` the rise of a wheel's load at bends of the road.
        """
        return Task(
            ground=self.ground,
            axles=np.array([(-offset, load * dynamic) for offset, load in self.axles]),
            method=Method(softening=1.0, kick=jolt * KICK, largest_shift_m=math.inf, with_sag=True),
            work=workspace(MAX_JOINTS, MAX_BARS),
            axis=self.axis,
            steel=self.steel,
        )


def _grown(rock: Sequence[Point], distance_m: float) -> list[tuple[float, float, float]]:
    mx, my = (sum(p[k] for p in rock) / 3 for k in (0, 1))
    rows = []
    for i in range(3):
        (xa, ya), (xb, yb) = rock[i], rock[i - 1]
        nx, ny = yb - ya, xa - xb
        size = math.hypot(nx, ny) or 1.0
        nx, ny = nx / size, ny / size
        if nx * (mx - xa) + ny * (my - ya) > 0:
            nx, ny = -nx, -ny
        rows.append((nx, ny, nx * xa + ny * ya + distance_m))
    return rows


def survey(scene: Scene) -> list[Site]:
    """One site a gap, from left to right."""
    edges = {p for gap in scene.gaps for p in (gap.left, gap.right)}
    axles = tuple(axle_offsets(scene.vehicle_weights_pg))
    return [
        Site(
            gap,
            _supports(gap, scene.anchors.values(), edges),
            scene.rocks,
            axles,
            scene.has_steel,
            touched=sum("CLEARANCE" in call.codes for call in scene.calls),
            buried=sum("IN_TERRAIN" in call.codes for call in scene.calls),
        )
        for gap in scene.gaps
    ]


def _supports(gap: Gap, anchors: Iterable[Point], edges: set[Point]) -> tuple[Point, ...]:
    """The anchors in and beside a gap, its own edges aside."""
    left, right = gap.left[0] - 1e-9, gap.right[0] + 1e-9
    return tuple(sorted(p for p in set(anchors) - edges if left <= p[0] <= right))
