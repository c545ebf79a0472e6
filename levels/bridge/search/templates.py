"""Starting designs: trusses of several shapes over every gap of a level."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.design.materials import ROAD, STEEL, WOOD
from bench.bridge.level.level import Level

Point = tuple[float, float]
LONGEST_PANEL_M = 1.999


@dataclass(frozen=True)
class Gap:
    """One gap between two drivable surfaces, and the anchors near it beside its deck ends."""

    left: Point
    right: Point
    supports: tuple[Point, ...]

    @property
    def span_m(self) -> float:
        """Distance of the two deck ends along x."""
        return self.right[0] - self.left[0]

    @property
    def fewest_panels(self) -> int:
        """Panels that the longest road needs."""
        return math.ceil(math.dist(self.left, self.right) / LONGEST_PANEL_M - 1e-9)

    def deck(self, panels: int, camber_m: float = 0.0) -> list[Point]:
        """The joints of the road, both ends included; parabolic camber."""
        (x0, y0), (x1, y1) = self.left, self.right
        shares = [i / panels for i in range(panels + 1)]
        return [
            (x0 + (x1 - x0) * s, y0 + (y1 - y0) * s + 4 * camber_m * s * (1 - s)) for s in shares
        ]


def gaps_of(level: Level) -> tuple[Gap, ...]:
    """The level's gaps from left to right: one, or one on either side of each platform."""
    platforms = sorted(level.platforms, key=lambda p: p.x_start)
    lefts = [(0.0, 0.0), *((p.x_end, p.surface_y) for p in platforms)]
    rights = [*((p.x_start, p.surface_y) for p in platforms), (level.span_m, level.rise_m)]
    found = []
    for left, right in zip(lefts, rights, strict=True):
        supports = tuple(
            (a.x, a.y)
            for a in level.anchors
            if left[0] - 1e-9 <= a.x <= right[0] + 1e-9 and (a.x, a.y) not in (left, right)
        )
        found.append(Gap(left, right, supports))
    return tuple(found)


class Sketch:
    """Collects members between points; joins points that coincide."""

    def __init__(self, *, steel: bool = True) -> None:
        self.steel = steel
        self.rows: dict[tuple[Point, Point, int], None] = {}

    def add(self, material: int, *points: Point) -> None:
        """Members of one material along a chain of points.

        Wood that is too long becomes steel, or is left out where there is none.
        """
        for a, b in itertools.pairwise(points):
            length = math.dist(a, b)
            if length < 0.26:
                continue
            too_long = material == WOOD.type and length > WOOD.max_length_m
            if self.steel or not too_long:
                self.add_row(a, b, STEEL.type if too_long else material)

    def add_row(self, a: Point, b: Point, material: int) -> None:
        """One member as it is; one of the same material on the pair stays alone."""
        p, q = sorted((_rounded(a), _rounded(b)))
        self.rows[(p, q, material)] = None

    def design(self, level: Level) -> Design:
        """The members as a design, the level's anchors first."""
        ids = {(a.x, a.y): a.id for a in level.anchors}
        nodes = [Node(a.id, a.x, a.y, True) for a in level.anchors]
        next_id = max(ids.values()) + 1
        for point in sorted({p for row in self.rows for p in row[:2]} - ids.keys()):
            ids[point] = next_id
            nodes.append(Node(next_id, *point))
            next_id += 1
        members = [
            Member(next_id + k, material, ids[p], ids[q])
            for k, (p, q, material) in enumerate(self.rows)
        ]
        return Design(tuple(nodes), tuple(members))


def _rounded(point: Point) -> Point:
    return (round(point[0], 4), round(point[1], 4))


def _tie_supports(sketch: Sketch, gap: Gap, chord: Sequence[Point]) -> None:
    """Tie each support to the nearest joints of the chord."""
    for support in gap.supports:
        near = sorted(chord, key=lambda p: math.dist(p, support))
        for joint in [p for p in near if math.dist(p, support) <= 3.9][:2]:
            sketch.add(WOOD.type, support, joint)


def warren(sketch: Sketch, gap: Gap, panels: int, depth_m: float, camber_m: float) -> None:
    """Triangles between the road and one chord, below it or above it (negative depth)."""
    deck = gap.deck(panels, camber_m)
    chord = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2 - depth_m) for a, b in itertools.pairwise(deck)]
    sketch.add(ROAD.type, *deck)
    for (a, b), joint in zip(itertools.pairwise(deck), chord, strict=True):
        sketch.add(WOOD.type, a, joint, b)
    sketch.add(WOOD.type, *chord)
    _tie_supports(sketch, gap, chord)


def pratt(sketch: Sketch, gap: Gap, panels: int, depth_m: float, camber_m: float) -> None:
    """Posts at the joints and one diagonal a panel, falling towards mid-span."""
    deck = gap.deck(panels, camber_m)
    chord = [(x, y - depth_m) for x, y in deck[1:-1]]
    sketch.add(ROAD.type, *deck)
    sketch.add(WOOD.type, *chord)
    sketch.add(WOOD.type, deck[0], chord[0])
    sketch.add(WOOD.type, deck[-1], chord[-1])
    for i, joint in enumerate(chord):
        sketch.add(WOOD.type, deck[i + 1], joint)
        if i + 1 < panels - 1:
            left = i + 1 < panels / 2
            ends = (deck[i + 1], chord[i + 1]) if left else (chord[i], deck[i + 2])
            sketch.add(WOOD.type, *ends)
    _tie_supports(sketch, gap, chord)


def bowstring(sketch: Sketch, gap: Gap, panels: int, depth_m: float, camber_m: float) -> None:
    """A Warren web whose chord is a parabola: shallow at the ends, deepest at mid-span."""
    deck = gap.deck(panels, camber_m)
    chord = []
    for i, (a, b) in enumerate(itertools.pairwise(deck)):
        s = (i + 0.5) / panels
        drop = math.copysign(max(abs(depth_m) * 4 * s * (1 - s), 0.35), depth_m)
        chord.append(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2 - drop))
    sketch.add(ROAD.type, *deck)
    for (a, b), joint in zip(itertools.pairwise(deck), chord, strict=True):
        sketch.add(WOOD.type, a, joint, b)
    sketch.add(WOOD.type, *chord)
    _tie_supports(sketch, gap, chord)


SHAPES: dict[str, Callable[[Sketch, Gap, int, float, float], None]] = {
    "warren": warren,
    "pratt": pratt,
    "bowstring": bowstring,
}
DEPTHS_M = (1.0, 1.5, -1.0, -1.5)
CAMBERS_M = (0.0, 0.6)


def templates(level: Level) -> Iterator[tuple[str, Design]]:
    """Named starting designs of a level: shape x extra panels x depth x camber."""
    gaps = gaps_of(level)
    for extra, depth, camber in itertools.product((0, 1), DEPTHS_M, CAMBERS_M):
        for name, shape in SHAPES.items():
            sketch = Sketch(steel=STEEL in level.materials)
            for gap in gaps:
                panels = max(gap.fewest_panels + extra, 2)
                flat = min(camber, 0.09 * gap.span_m)
                shape(sketch, gap, panels, depth, flat)
            yield f"{name}+{extra} depth {depth} camber {camber}", sketch.design(level)
