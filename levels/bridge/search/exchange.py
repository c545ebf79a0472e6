"""Trying one level's reference on others: gap by gap, moved and mirrored.

A piece is what a design has in one gap. Levels that share a gap (a platform level has two; a level
that leans left is the mirror image of one that leans right) often share the best piece.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from bench.bridge.design.design import Design, Node
from bench.bridge.level.level import Level
from bench.bridge.statics.price import is_legal
from levels.bridge.search.margins import is_reference
from levels.bridge.search.scene import make_scene, state_of
from levels.bridge.search.templates import Gap, Point, Sketch, gaps_of

CHOICES = 6
"""Pieces that are tried in each gap, cheapest first."""
TRIALS = 12
"""Designs that are simulated for a level at most."""


@dataclass(frozen=True)
class Piece:
    """Members of one gap, relative to the gap's left deck end, and the anchors that they use."""

    source: str
    span_m: float
    rise_m: float
    vehicle_weights_pg: tuple[float, ...]
    members: tuple[tuple[Point, Point, int], ...]
    anchors: frozenset[Point]
    cost_usd: float

    def mirrored(self) -> Piece:
        """The piece as seen from behind."""

        def turn(point: Point) -> Point:
            return (round(self.span_m - point[0], 4), round(point[1] - self.rise_m, 4))

        members = tuple((turn(b), turn(a), material) for a, b, material in self.members)
        anchors = frozenset(turn(p) for p in self.anchors)
        return replace(self, rise_m=-self.rise_m, members=members, anchors=anchors)

    def fits(self, gap: Gap, weights_pg: Sequence[float]) -> bool:
        """Whether gap and anchors are those that the piece was made for, and vehicles may be."""
        here = {_relative(p, gap.left) for p in (gap.left, gap.right, *gap.supports)}
        return (
            abs(self.span_m - gap.span_m) < 1e-9
            and abs(self.rise_m - (gap.right[1] - gap.left[1])) < 1e-9
            and _may_carry(self.vehicle_weights_pg, weights_pg)
            and self.anchors <= here
        )


def _x(node: Node) -> float:
    return node.x


def _may_carry(made_for_pg: Sequence[float], weights_pg: Sequence[float]) -> bool:
    """Whether it is worth a trial: the heaviest is no heavier, and a single one stays one."""
    as_many = len(made_for_pg) >= min(len(weights_pg), 2)
    return as_many and max(made_for_pg) >= max(weights_pg)


def _relative(point: Point, origin: Point) -> Point:
    return (round(point[0] - origin[0], 4), round(point[1] - origin[1], 4))


def pieces_of(level: Level, design: Design) -> Iterator[Piece]:
    """A design's pieces; none when a member spans a platform."""
    gaps = gaps_of(level)
    rows: list[list[tuple[Point, Point, int]]] = [[] for _ in gaps]
    for member in design.members:
        left, right = sorted((design.node_by_id[i] for i in (member.a, member.b)), key=_x)
        homes = [
            k
            for k, g in enumerate(gaps)
            if g.left[0] - 1e-9 <= left.x and right.x <= g.right[0] + 1e-9
        ]
        if not homes:
            return
        rows[homes[0]].append(((left.x, left.y), (right.x, right.y), member.type))
    fixed = {(a.x, a.y) for a in level.anchors}
    for gap, members in zip(gaps, rows, strict=True):
        sketch = Sketch()
        for a, b, material in members:
            sketch.add_row(a, b, material)
        used = {p for a, b, _ in members for p in (a, b)} & fixed
        yield Piece(
            level.name,
            gap.span_m,
            gap.right[1] - gap.left[1],
            level.vehicle_weights_pg,
            tuple((_relative(a, gap.left), _relative(b, gap.left), t) for a, b, t in members),
            frozenset(_relative(p, gap.left) for p in used),
            sketch.design(level).cost_usd,
        )


def legal(level: Level, design: Design) -> bool:
    """Whether geometry and materials are in order, a little stricter than the validator."""
    scene = make_scene(level)
    state = state_of(scene, design)
    if state is None or (not scene.steel and any(m.type == 3 for m in design.members)):
        return False
    return bool(is_legal(state, scene.ground))


def _assembled(level: Level, pieces: Iterable[tuple[Gap, Piece]]) -> Design:
    """A design out of one piece a gap."""
    sketch = Sketch()
    for gap, piece in pieces:
        x, y = gap.left
        for a, b, material in piece.members:
            sketch.add_row((a[0] + x, a[1] + y), (b[0] + x, b[1] + y), material)
    return sketch.design(level)


def combinations(level: Level, pieces: Sequence[Piece]) -> Iterator[tuple[str, Design]]:
    """Legal designs out of pieces that fit the level's gaps, cheapest first, with their source."""
    gaps = gaps_of(level)
    choices = []
    for gap in gaps:
        fitting = (p for p in pieces if p.fits(gap, level.vehicle_weights_pg))
        good = (p for p in fitting if legal(level, _assembled(level, [(gap, p)])))
        choices.append(list(itertools.islice(good, CHOICES)))
    sets = sorted(itertools.product(*choices), key=lambda chosen: sum(p.cost_usd for p in chosen))
    for chosen in sets:
        names = " and ".join(dict.fromkeys(p.source for p in chosen))
        yield names, _assembled(level, zip(gaps, chosen, strict=True))


def borrowed(level: Level, pieces: Sequence[Piece], below_usd: float) -> tuple[str, Design] | None:
    """The cheapest design out of other levels' pieces that wins here with all margins.

    `pieces` in ascending order of cost. None when none costs less than `below_usd`.
    """
    for names, design in itertools.islice(combinations(level, pieces), TRIALS):
        if design.cost_usd >= below_usd - 0.5:
            return None
        if is_reference(level, design):
            return names, design
    return None


def library(references: Iterable[tuple[Level, Design]]) -> list[Piece]:
    """Pieces of all references, also mirrored, cheapest first."""
    found = [p for level, design in references for p in pieces_of(level, design)]
    return sorted([*found, *(p.mirrored() for p in found)], key=lambda p: (p.cost_usd, p.source))
