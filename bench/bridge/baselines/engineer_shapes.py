"""Trusses that an engineer would sketch for a gap: what joins what, before any sizing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from bench.bridge.baselines.engineer_site import MAX_BARS, MAX_JOINTS, Site
from bench.bridge.baselines.scene import Point
from bench.bridge.statics import graph
from bench.bridge.statics.bars import ROAD, STEEL, WOOD
from bench.bridge.statics.graph import ANCHOR, DECK, FREE, State

LONGEST_ROAD_M, LONGEST_WOOD_M, LONGEST_TIE_M = 1.999, 2.0, 3.95
DEPTHS_M = (0.7, 1.0, 1.4, 1.8, -1.0, -1.5)
"""Below the road, or above it where negative."""


@dataclass
class Sketch:
    """Bars between points, under the concept's name."""

    concept: str
    bars: dict[tuple[Point, Point], int] = field(default_factory=dict)

    def add(self, material: int, *points: Point) -> None:
        """Bars along a chain of points; wood that would be too long becomes steel."""
        for a, b in pairwise((round(x, 4), round(y, 4)) for x, y in points):
            length = math.dist(a, b)
            if length > 0.26:
                kind = STEEL if material == WOOD and length > LONGEST_WOOD_M else material
                self.bars.setdefault((min(a, b), max(a, b)), kind)


def deck(site: Site, panels: int, camber_m: float) -> list[Point]:
    """Joints of the road, with a parabolic camber."""
    (x0, y0), (x1, y1) = site.gap.left, site.gap.right
    shares = [i / panels for i in range(panels + 1)]
    return [(x0 + (x1 - x0) * s, y0 + (y1 - y0) * s + 4 * camber_m * s * (1 - s)) for s in shares]


def sketches(site: Site) -> Iterator[Sketch]:
    """All concepts for a site: shape x panels x depth x camber."""
    gap = site.gap
    fewest = max(2, math.ceil(math.dist(gap.left, gap.right) / LONGEST_ROAD_M - 1e-9))
    for extra in (0, 1):
        for camber in (0.0, min(0.5, 0.05 * gap.width_m)):
            road = deck(site, fewest + extra, camber)
            for depth in DEPTHS_M:
                for shape in (warren, pratt, bow):
                    yield shape(site, road, depth)
            for rise in (0.4, 0.8):
                yield from arches(site, road, rise)


def _side(depth_m: float) -> str:
    return f"{abs(depth_m):g} m {'below' if depth_m > 0 else 'above'} the road"


def warren(site: Site, road: list[Point], depth_m: float) -> Sketch:
    """Triangles between the road and one chord."""
    chord = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2 - depth_m) for a, b in pairwise(road)]
    return _webbed(site, road, chord, f"a Warren truss {_side(depth_m)}")


def bow(site: Site, road: list[Point], depth_m: float) -> Sketch:
    """A Warren web whose chord is a parabola."""
    chord, panels = [], len(road) - 1
    for i, (a, b) in enumerate(pairwise(road)):
        s = (i + 0.5) / panels
        drop = math.copysign(max(abs(depth_m) * 4 * s * (1 - s), 0.4), depth_m)
        chord.append(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2 - drop))
    return _webbed(site, road, chord, f"a bowstring truss up to {_side(depth_m)}")


def _webbed(site: Site, road: list[Point], chord: list[Point], concept: str) -> Sketch:
    sketch = Sketch(concept)
    sketch.add(ROAD, *road)
    for (a, b), joint in zip(pairwise(road), chord, strict=True):
        sketch.add(WOOD, a, joint, b)
    sketch.add(WOOD, *chord)
    _tie(sketch, site, [*chord, *road[1:-1]])
    return sketch


def pratt(site: Site, road: list[Point], depth_m: float) -> Sketch:
    """Posts at the road's joints and one diagonal a panel."""
    sketch = Sketch(f"a Pratt truss {_side(depth_m)}")
    chord, panels = [(x, y - depth_m) for x, y in road[1:-1]], len(road) - 1
    sketch.add(ROAD, *road)
    sketch.add(WOOD, road[0], *chord, road[-1])
    for i, joint in enumerate(chord):
        sketch.add(WOOD, road[i + 1], joint)
        if i + 1 < panels - 1:
            ends = (road[i + 1], chord[i + 1]) if i + 1 < panels / 2 else (joint, road[i + 2])
            sketch.add(WOOD, *ends)
    _tie(sketch, site, chord)
    return sketch


def arches(site: Site, road: list[Point], rise_m: float) -> Iterator[Sketch]:
    """A chord from bank to bank between the outer supports: an arch below, a cable above."""
    low = [p for p in site.supports if p[1] < site.gap.deck_y(p[0]) - 0.5]
    high = [p for p in site.supports if p[1] > site.gap.deck_y(p[0]) + 0.5]
    for name, found, side in (("an arch", low, -1.0), ("a hung cable", high, 1.0)):
        if len(found) < 2 or found[-1][0] - found[0][0] < 0.5 * site.gap.width_m:
            continue
        (xa, ya), (xb, yb) = found[0], found[-1]
        joints = []
        for a, b in pairwise(road):
            x = (a[0] + b[0]) / 2
            s = (x - xa) / (xb - xa)
            straight = ya + (yb - ya) * s
            crown = (a[1] + b[1]) / 2 + side * rise_m
            joints.append((x, straight + (crown - straight) * max(0.0, 4 * s * (1 - s))))
        sketch = Sketch(
            f"{name} between the banks' supports, {rise_m:g} m from the road at mid-gap"
        )
        sketch.add(ROAD, *road)
        sketch.add(WOOD, (xa, ya), *joints, (xb, yb))
        for (a, b), joint in zip(pairwise(road), joints, strict=True):
            sketch.add(WOOD, a, joint, b)
        yield sketch


def _tie(sketch: Sketch, site: Site, joints: list[Point]) -> None:
    """Tie every support to the two nearest joints."""
    for support in site.supports:
        near = sorted(joints, key=lambda p: math.dist(p, support))
        for joint in [p for p in near if math.dist(p, support) <= LONGEST_TIE_M][:2]:
            sketch.add(WOOD, support, joint)


def empty_state() -> State:
    """Room for a truss."""
    return graph.empty_state(MAX_JOINTS, MAX_BARS)


def state_of(site: Site, sketch: Sketch) -> State | None:
    """A sketch as arrays, mirrored where the site is; None when it is too large."""
    fixed = [site.gap.left, site.gap.right, *site.supports]
    fixed = [(round(x, 4), round(y, 4)) for x, y in fixed]
    points = fixed + sorted({p for pair in sketch.bars for p in pair} - set(fixed))
    bars = [(pair, kind) for pair, kind in sketch.bars.items() if not set(pair) <= set(fixed)]
    if len(points) > MAX_JOINTS or len(bars) > MAX_BARS:
        return None
    state = empty_state()
    xy, kinds, mirror, rows, _, count = state
    index = {p: i for i, p in enumerate(points)}
    on_road = {p for pair, kind in sketch.bars.items() if kind == ROAD for p in pair}
    for p, i in index.items():
        xy[i] = p
        kinds[i] = ANCHOR if i < len(fixed) else DECK if p in on_road else FREE
        if site.symmetric:
            mirror[i] = _image(points, (site.axis - p[0], p[1]))
    for m, ((a, b), kind) in enumerate(bars):
        rows[m] = index[a], index[b], kind
    count[:] = len(points), len(bars)
    return state


def _image(points: list[Point], goal: Point) -> int:
    near = [i for i, p in enumerate(points) if math.dist(p, goal) < 1e-3]
    return near[0] if near else -1
