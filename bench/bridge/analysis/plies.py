"""Attacks with chains that lie beside each other: strengths should not add for want of a node.

Each makes a candidate from a level and a seeded generator, legal or not. `doubled_chain` is the
trick that NODES_TOO_CLOSE closes, `staggered_chains` the one of ROADS_OVERLAP; the others are
their neighbours, with nodes at 0.25 m and more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.design.materials import MATERIALS, ROAD, SHORTEST_MEMBER_M, WOOD
from bench.bridge.level.level import Level

Curve = Callable[[float], float]

GRID_M = SHORTEST_MEMBER_M
DEEPEST_SAG_M = 2.4
LONGEST_PANEL_M = 1.95


class Sketch:
    """A design in the making: one node a place, one member of a material a pair."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self._nodes = {(a.x, a.y): Node(a.id, a.x, a.y, True) for a in level.anchors}
        self._members: dict[tuple[int, int, int], Member] = {}
        self._key = max(a.id for a in level.anchors)

    def node(self, x: float, y: float) -> int:
        """The id of the node at a place in metres, made where there is none."""
        place = round(float(x), 4) + 0.0, round(float(y), 4) + 0.0
        if place not in self._nodes:
            self._key += 1
            self._nodes[place] = Node(self._key, *place)
        return self._nodes[place].id

    def join(self, a: int, b: int, types: Sequence[int]) -> None:
        """Members of these materials between two nodes; what is there already is left."""
        for kind in types:
            pair = (min(a, b), max(a, b), kind)
            if a != b and pair not in self._members:
                self._key += 1
                self._members[pair] = Member(self._key, kind, a, b)

    def chain(self, ids: Sequence[int], types: Sequence[int], ends: Sequence[int] = ()) -> None:
        """Members from each node to the next; `ends` reinforce the road of the outer panels."""
        pairs = list(pairwise(ids))
        for i, (a, b) in enumerate(pairs):
            edge = min(i, len(pairs) - 1 - i)
            self.join(a, b, [ROAD.type, ends[edge]] if edge < len(ends) else types)

    def along(self, xs: Sequence[float], curve: Curve) -> list[int]:
        """Nodes on a curve at these x, in metres."""
        return [self.node(x, curve(x)) for x in xs]

    def design(self) -> Design:
        """What has been drawn."""
        return Design(tuple(self._nodes.values()), tuple(self._members.values()))


def parabola(level: Level, sag_m: float) -> Curve:
    """The line that hangs by `sag_m` below the straight one between the two deck anchors."""

    def height(x: float) -> float:
        t = x / level.span_m
        return level.rise_m * t - 4.0 * sag_m * t * (1.0 - t)

    return height


def materials_of(level: Level, rng: np.random.Generator, *, deck: bool) -> list[int]:
    """One material, or a reinforced road; a deck has road in any case."""
    others = [m.type for m in level.materials if m.type != ROAD.type]
    if deck:
        return [ROAD.type, *([int(rng.choice(others))] if rng.random() < 0.6 else [])]
    return [int(rng.choice([ROAD.type, *others]))]


def _ends(level: Level, rng: np.random.Generator) -> list[int]:
    """Materials that reinforce the outer panels, often none."""
    others = [m.type for m in level.materials if m.type != ROAD.type]
    return [int(rng.choice(others))] * int(rng.integers(0, 4)) if rng.random() < 0.5 else []


def _start(
    level: Level, rng: np.random.Generator, least_m: float = 1.0
) -> tuple[Sketch, list[float], Curve]:
    """A sketch, the x of a chain's joints, and the curve it hangs in."""
    count = math.ceil(level.span_m / rng.uniform(least_m, LONGEST_PANEL_M))
    xs = [float(x) for x in np.linspace(0.0, level.span_m, count + 1)]
    return Sketch(level), xs, parabola(level, float(rng.uniform(0.1, DEEPEST_SAG_M)))


def doubled_chain(
    level: Level, rng: np.random.Generator, known: Sequence[Design] = (), *, near: bool = True
) -> Design:
    """A second chain beside the first, tied to it, every second node often shared.

    The nodes lie 1 mm to 0.1 m apart, tied by stubs over a third one; or, not `near`, 0.25 to
    0.4 m apart and tied straight.
    """
    sketch, xs, curve = _start(level, rng)
    offset = float(10 ** rng.uniform(-3.0, -1.0) if near else rng.uniform(GRID_M, 0.4))
    first = sketch.along(xs, curve)
    share = int(rng.choice([1, 2, 2]))
    second = [first[0]]
    for i, (x, upper) in enumerate(zip(xs[1:-1], first[1:-1], strict=True), start=1):
        if share == 2 and i % 2 == 0:
            second.append(upper)
            continue
        lower = sketch.node(x, curve(x) - offset)
        second.append(lower)
        if near:
            stub = sketch.node(x, curve(x) - offset - GRID_M)
            sketch.join(upper, stub, [WOOD.type])
            sketch.join(lower, stub, [WOOD.type])
        else:
            sketch.join(upper, lower, [WOOD.type])
    second.append(first[-1])
    ends = _ends(level, rng)
    sketch.chain(first, materials_of(level, rng, deck=True), ends)
    deck = bool(rng.random() < 0.6)
    sketch.chain(second, materials_of(level, rng, deck=deck), ends if deck else ())
    return sketch.design()


def wide_double_chain(
    level: Level, rng: np.random.Generator, known: Sequence[Design] = ()
) -> Design:
    """Doubled chains with nodes as far apart as they must be."""
    return doubled_chain(level, rng, known, near=False)


def staggered_chains(
    level: Level, rng: np.random.Generator, known: Sequence[Design] = ()
) -> Design:
    """Two or three chains on one line whose joints lie in different places."""
    sketch, xs, curve = _start(level, rng)
    width = xs[1] - xs[0]
    sketch.chain(sketch.along(xs, curve), materials_of(level, rng, deck=True))
    heights = [curve(x) for x in xs]
    chord = rng.random() < 0.7
    plies = int(rng.integers(2, 4))
    for ply in range(1, plies):
        at = [0.0, *(x + width * ply / plies for x in xs[:-1]), level.span_m]
        line = (lambda x: float(np.interp(x, xs, heights))) if chord else curve
        sketch.chain(sketch.along(at, line), materials_of(level, rng, deck=rng.random() < 0.7))
    return sketch.design()


def bypassed_chain(level: Level, rng: np.random.Generator, known: Sequence[Design] = ()) -> Design:
    """A chain whose members are passed by longer ones, the nodes between on the long ones' axes.

    Some lie a little off the axis.
    """
    kind = materials_of(level, rng, deck=False)
    longest = 0.97 * MATERIALS[kind[0]].max_length_m
    spans = math.ceil(level.span_m / (rng.uniform(0.5, 1.0) * longest))
    parts = int(rng.integers(2, 5 if longest > 2.0 else 4))
    curve = parabola(level, float(rng.uniform(0.1, DEEPEST_SAG_M)))
    off = float(rng.choice([0.0, 0.0, 0.0, 0.01, 0.05, 0.1, -0.02]))
    sketch = Sketch(level)
    ids = []
    for x0, x1 in pairwise(np.linspace(0.0, level.span_m, spans + 1).tolist()):
        for j in range(parts):
            t = j / parts
            y = curve(x0) + (curve(x1) - curve(x0)) * t - (off if j else 0.0)
            ids.append(sketch.node(x0 + (x1 - x0) * t, y))
    ids.append(sketch.node(level.span_m, curve(level.span_m)))
    sketch.chain(ids, materials_of(level, rng, deck=True), _ends(level, rng))
    for a, b in pairwise(ids[::parts]):
        sketch.join(a, b, kind)
    return sketch.design()


def two_decks(level: Level, rng: np.random.Generator, known: Sequence[Design] = ()) -> Design:
    """Two hanging roads one below the other, free of each other or tied at their joints.

    The lower one has other panels where it is free, and may hang on the lower anchors.
    """
    sketch, xs, curve = _start(level, rng)
    drop = float(rng.uniform(GRID_M, 0.6))
    first = sketch.along(xs, curve)
    tied = int(rng.integers(0, 3))
    if not tied:
        count = math.ceil(level.span_m / rng.uniform(1.0, LONGEST_PANEL_M))
        xs = [float(x) for x in np.linspace(0.0, level.span_m, count + 1)]
    flatter = float(rng.uniform(0.5, 1.2)) if not tied else 1.0
    second = [sketch.node(x, flatter * curve(x) - drop) for x in xs[1:-1]]
    banks = [[a.id for a in level.anchors if abs(a.x - x) < 1e-6] for x in (0.0, level.span_m)]
    left, right = (int(rng.choice(bank)) for bank in banks)
    sketch.chain(first, materials_of(level, rng, deck=True))
    sketch.chain([left, *second, right], materials_of(level, rng, deck=True))
    for a, b in list(zip(first[1:-1], second, strict=False))[:: max(1, tied)]:
        if tied:
            sketch.join(a, b, [WOOD.type])
    return sketch.design()


def through_anchor(level: Level, rng: np.random.Generator, known: Sequence[Design] = ()) -> Design:
    """A chain whose end members are doubled by some that run on through the anchor.

    They end on the bank behind it, where a short member holds them back.
    """
    sketch, xs, curve = _start(level, rng)
    chain = sketch.along(xs, curve)
    sketch.chain(chain, materials_of(level, rng, deck=True), _ends(level, rng))
    kind = materials_of(level, rng, deck=False)
    behind = float(rng.uniform(GRID_M, 1.0))
    for x, edge, inner, turn in ((0.0, 0, 1, -1.0), (level.span_m, -1, -2, 1.0)):
        node = sketch.node(x + turn * behind, curve(x))
        sketch.join(chain[edge], node, kind)
        sketch.join(node, chain[inner], kind)
    return sketch.design()


def fine_chain(level: Level, rng: np.random.Generator, known: Sequence[Design] = ()) -> Design:
    """A chain of pieces of 0.25 m and a little more, often passed by longer members."""
    piece = 0.2515 if rng.random() < 0.6 else float(rng.uniform(0.26, 0.6))
    count = int(level.span_m / piece)
    sketch, curve = Sketch(level), parabola(level, float(rng.uniform(0.0, DEEPEST_SAG_M)))
    chain = sketch.along(np.linspace(0.0, level.span_m, count + 1).tolist(), curve)
    sketch.chain(chain, materials_of(level, rng, deck=True))
    if rng.random() < 0.6:
        kind = materials_of(level, rng, deck=False)
        longest = rng.uniform(0.3, 0.97) * MATERIALS[kind[0]].max_length_m
        step = max(2, int(longest * count / level.span_m))
        for a, b in pairwise([*range(0, count, step), count]):
            sketch.join(chain[a], chain[b], kind)
    return sketch.design()


def shallow_lattice(level: Level, rng: np.random.Generator, known: Sequence[Design] = ()) -> Design:
    """Two chords 0.25 to 0.5 m apart, laced by diagonals or by hangers; panels down to 0.25 m."""
    count = math.ceil(level.span_m / rng.uniform(GRID_M + 0.002, LONGEST_PANEL_M))
    sketch, curve = Sketch(level), parabola(level, float(rng.uniform(0.0, 1.5)))
    xs = np.linspace(0.0, level.span_m, count + 1).tolist()
    apart = float(rng.choice([0.25, 0.25, 0.35, 0.5])) * (1 if rng.random() < 0.7 else -1)
    upper = sketch.along(xs, curve)
    diagonal = bool(rng.random() < 0.5)
    places = [0.5 * (a + b) for a, b in pairwise(xs)] if diagonal else xs[1:-1]
    lower = [sketch.node(x, curve(x) - apart) for x in places]
    sketch.chain(upper, materials_of(level, rng, deck=True))
    held = rng.random() < 0.7
    second = [upper[0], *lower, upper[-1]] if held else lower
    sketch.chain(second, materials_of(level, rng, deck=False))
    for i, node in enumerate(lower):
        sketch.join(upper[i + 1], node, [WOOD.type])
        if diagonal:
            sketch.join(upper[i], node, [WOOD.type])
    return sketch.design()


PLIES = {
    f.__name__: f
    for f in (
        doubled_chain, wide_double_chain, staggered_chains, bypassed_chain, two_decks,
        through_anchor, fine_chain, shallow_lattice,
    )
}  # fmt: skip
