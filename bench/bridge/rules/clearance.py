"""Forbidden regions: no node and no member may touch one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.bridge.rules.case import Case
from bench.bridge.rules.wording import listing, node_at, point
from bench.task import Violation

if TYPE_CHECKING:
    from shapely import Polygon


def clearance(case: Case) -> Iterator[Violation]:
    """A node or a member touches a forbidden region, its boundary included."""
    if not case.level.rocks:
        return
    import shapely

    # A member between two nodes on one spot is no line; its nodes are looked at anyway.
    segments = [s for s in case.segments if s.length_m > 0]
    nodes_xy = np.array([(n.x, n.y) for n in case.design.nodes]).reshape(-1, 2)
    ends_xy = np.array([(s.a.x, s.a.y, s.b.x, s.b.y) for s in segments]).reshape(-1, 2, 2)
    points: Any = shapely.points(nodes_xy)
    lines: Any = shapely.linestrings(ends_xy)
    for i, rock in enumerate(case.level.rocks):
        region = shapely.Polygon(rock.vertices)
        shapely.prepare(region)
        corners = listing([point(*vertex) for vertex in rock.vertices])
        told = f"touches forbidden_regions[{i}], the triangle {corners}"
        advice = "keep clear of it, its boundary included"
        for k in np.flatnonzero(shapely.intersects(region, points)):
            node = case.design.nodes[k]
            message = f"{node_at(node)} {told}; {advice}"
            yield Violation("CLEARANCE", message, (node.id,), {"region": i})
        for k in np.flatnonzero(shapely.intersects(region, lines)):
            segment = segments[k]
            message = (
                f"edge {segment.member.id} from {node_at(segment.a)} to {node_at(segment.b)} "
                f"{told}{_where(region, lines[k])}; {advice}"
            )
            yield Violation("CLEARANCE", message, (segment.member.id,), {"region": i})


def _where(region: Polygon, line: Any) -> str:
    """Where a line is in the region; empty where rounding leaves nothing of a mere touch."""
    import shapely

    ends = shapely.get_coordinates(shapely.intersection(region, line))
    if not len(ends):
        return ""
    first, last = (point(float(x), float(y)) for x, y in (ends[0], ends[-1]))
    return f", at {first}" if first == last else f", from {first} to {last}"
