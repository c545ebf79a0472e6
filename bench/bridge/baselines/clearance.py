"""Whether a member touches a forbidden triangle."""

from __future__ import annotations

from collections.abc import Iterable

from bench.bridge.baselines.scene import Point

MARGIN = 1e-6


def touches(a: Point, b: Point, triangles: Iterable[tuple[Point, Point, Point]]) -> bool:
    """Whether the segment a-b touches one of the triangles, boundary included.

    Separating axes: two convex shapes are apart only if the projections on the normal of one of
    their sides are.
    """
    return any(not _apart((a, b), triangle) for triangle in triangles)


def _apart(segment: tuple[Point, Point], triangle: tuple[Point, Point, Point]) -> bool:
    sides = [segment, *((triangle[i], triangle[i - 1]) for i in range(3))]
    for (xa, ya), (xb, yb) in sides:
        normal = (ya - yb, xb - xa)
        one = [x * normal[0] + y * normal[1] for x, y in segment]
        other = [x * normal[0] + y * normal[1] for x, y in triangle]
        if max(one) < min(other) - MARGIN or max(other) < min(one) - MARGIN:
            return True
    return False
