"""How far a legal design is from breaking a rule."""

from __future__ import annotations

from bench.bridge.design.design import Design
from bench.bridge.level.level import Level


def validity_margin(level: Level, design: Design, limit_usd: float) -> float:
    """The lesser of the budget's unspent share and the distance in metres to forbidden regions.

    Negative above the limit, 0 for a touched region. Lengths are left out: a member of exactly
    the longest length is no risk, as its ends are rounded and checked with a tolerance.
    """
    unspent = 1.0 - design.cost_usd / limit_usd if limit_usd > 0 else 0.0
    ends = [(design.node_by_id.get(m.a), design.node_by_id.get(m.b)) for m in design.members]
    lines = [((a.x, a.y), (b.x, b.y)) for a, b in ends if a is not None and b is not None]
    if not level.rocks or not lines:
        return round(unspent, 6)
    import shapely

    built = shapely.MultiLineString(lines)
    clear = min(shapely.distance(shapely.Polygon(rock.vertices), built) for rock in level.rocks)
    return round(min(unspent, float(clear)), 6)
