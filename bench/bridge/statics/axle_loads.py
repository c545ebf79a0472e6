"""What the axles of a slow convoy put on the joints, for every position that can be critical.

The way that wheels roll along is the highest road or ground; lengths along it are exact for
vehicles that keep their distance. A vehicle is in equilibrium under its weight and two upright
reactions, so on a way that climbs by tan(a) from rear to front axle, with the centre of gravity
h above it and the axles L apart,

    front = W (1/2 - (h / L) tan a)      rear = W (1/2 + (h / L) tan a)

An axle's share goes to the ends of its road by the lever rule, or to the ground for good.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from bench.bridge.design.design import Design, Node
from bench.bridge.design.materials import ROAD
from bench.bridge.level.level import Level
from bench.bridge.physics import constants as c

CENTRE_ABOVE_ROAD_M = c.CENTRE_HEIGHT_M - c.TYRE_DEFLECTION_M
GROUND_TAKES_OVER_M = c.TYRE_DEFLECTION_M
"""A tyre that rests on a road as little as this above the ground rests on the ground as well."""

Road = tuple[Node, Node]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A straight piece of the way, `start_m` along it; `road` is None on ground and in a gap."""

    start_m: float
    x: tuple[float, float]
    y: tuple[float, float]
    road: Road | None

    def at(self, along_m: float) -> tuple[float, float]:
        """The point this far along the way."""
        dx, dy = self.x[1] - self.x[0], self.y[1] - self.y[0]
        t = (along_m - self.start_m) / float(np.sqrt(dx * dx + dy * dy))
        return self.x[0] + t * dx, self.y[0] + t * dy


def axle_loads(
    level: Level, design: Design, rows: dict[int, int], size: int, pn_per_pg: float
) -> np.ndarray:
    """Loads (P, size) in PN at the positions P in which an axle stands at the end of a piece.

    `rows` has a free node's row of its horizontal force; the vertical one is the next. Between
    two such positions loads change linearly (but for a change of slope under a vehicle), and
    what is carried at two positions is carried in every mean of them: no position between is
    worse. Positions without load on a free node are left out.
    """
    way = _way(level, design)
    starts = [piece.start_m for piece in way]
    behind = [c.SPACING_M * i for i in range(len(level.vehicle_weights_pg))]
    offsets = [d + axle for d in behind for axle in (0.0, c.WHEELBASE_M)]
    loads = []
    for lead in sorted({round(s + d, 9) for s in starts for d in offsets}):
        load = np.zeros(size)
        for d, pg in zip(behind, level.vehicle_weights_pg, strict=True):
            for piece, x, force in _axles(way, starts, lead - d, pg * pn_per_pg):
                _add(load, piece, rows, x, force)
        if load.any():
            loads.append(load)
    return np.array(loads).reshape(-1, size)


def _axles(
    way: list[_Piece], starts: list[float], front_m: float, weight_pn: float
) -> Iterator[tuple[_Piece, float, float]]:
    """Piece, x and force of the two axles of a vehicle whose front axle is `front_m` along."""
    places = []
    for along in (front_m, front_m - c.WHEELBASE_M):
        piece = way[max(bisect_right(starts, along) - 1, 0)]
        places.append((piece, *piece.at(along)))
    (front, xf, yf), (rear, xr, yr) = places
    shift = CENTRE_ABOVE_ROAD_M / c.WHEELBASE_M * (yf - yr) / (xf - xr)
    share = float(np.clip(0.5 - shift, 0.0, 1.0))
    yield front, xf, share * weight_pn
    yield rear, xr, (1.0 - share) * weight_pn


def _add(load: np.ndarray, piece: _Piece, rows: dict[int, int], x: float, force_pn: float) -> None:
    """Put an axle on the ends of its road by the lever rule."""
    if piece.road is None:
        return
    a, b = piece.road
    t = (x - a.x) / (b.x - a.x)
    for node, share in ((a, 1.0 - t), (b, t)):
        if node.id in rows:
            load[rows[node.id] + 1] -= share * force_pn


def _way(level: Level, design: Design) -> list[_Piece]:
    """The highest road or ground from left to right; a gap goes on level, and carries nothing."""
    roads = [
        (a, b)
        for a, b in (
            sorted((design.node_by_id[m.a], design.node_by_id[m.b]), key=lambda n: n.x)
            for m in design.members
            if m.type == ROAD.type
        )
        if b.x > a.x
    ]
    grounds = level.surfaces
    ends = [x for low, high, _ in grounds for x in (low, high) if np.isfinite(x)]
    ends += [node.x for road in roads for node in road]
    tail = c.SPACING_M * len(level.vehicle_weights_pg)
    xs = sorted({min(ends) - tail, *ends, max(ends) + tail})
    way: list[_Piece] = []
    along, last_y = 0.0, 0.0
    for x0, x1 in pairwise(xs):
        road, y = _top(grounds, roads, x0, x1, last_y)
        way.append(_Piece(along, (x0, x1), y, road))
        along += float(np.sqrt((x1 - x0) ** 2 + (y[1] - y[0]) ** 2))
        last_y = y[1]
    return way


def _top(
    grounds: tuple[tuple[float, float, float], ...],
    roads: list[Road],
    x0: float,
    x1: float,
    last_y: float,
) -> tuple[Road | None, tuple[float, float]]:
    """The highest surface between two neighbouring ends of surfaces: its road and heights."""
    middle = 0.5 * (x0 + x1)
    ground = max((y for low, high, y in grounds if low < middle < high), default=None)
    over = [road for road in roads if road[0].x < middle < road[1].x]
    if over:
        best = max(over, key=lambda road: _height(road, middle))
        if ground is None or _height(best, middle) > ground + GROUND_TAKES_OVER_M:
            return best, (_height(best, x0), _height(best, x1))
    level_y = last_y if ground is None else ground
    return None, (level_y, level_y)


def _height(road: Road, x: float) -> float:
    """Height of a road's axis at x."""
    a, b = road
    return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
