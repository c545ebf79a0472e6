"""A level as the arrays that compiled code reads, and states as designs and back."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.level.level import Level
from bench.bridge.physics import constants as sim
from bench.bridge.physics.params import DEFAULT
from bench.bridge.statics import graph
from bench.bridge.statics.bars import TYPES_OF_CODE
from bench.bridge.statics.graph import ANCHOR, DECK, FREE, State
from bench.bridge.statics.price import Ground

Floats = NDArray[np.float64]

MAX_NODES, MAX_BARS = 96, 256
AXLE_M = 0.5 * sim.WHEELBASE_M
"""Distance of each axle from a vehicle's centre; each carries half the weight."""
SHORTEST_M = 0.2502
"""A little above the validator's limit: coordinates are rounded to 1e-4 m afterwards."""
CLEAR_M = 0.004
"""Distance that bars keep from rocks and nodes from solid ground."""
FLOOR_Y_M, CEILING_M = -7.0, 9.0


@dataclass(frozen=True)
class Scene:
    """What the search needs of a level.

    `axles` (A, 2): offset in m from the first vehicle's centre, load in PN.
    """

    level: Level
    ground: Ground
    axles: Floats
    steel: bool
    symmetric: bool

    @property
    def span_m(self) -> float:
        """The span, about whose middle a symmetric search mirrors."""
        return self.level.span_m


def half_planes(corners: Sequence[tuple[float, float]], grow_m: float) -> Floats:
    """A convex polygon, grown by `grow_m`, as rows (nx, ny, c): inside is n.p <= c."""
    points = np.array(corners, dtype=np.float64)
    middle = points.mean(axis=0)
    rows = []
    for p, q in zip(points, np.roll(points, -1, axis=0), strict=True):
        normal = np.array([q[1] - p[1], p[0] - q[0]])
        normal /= math.sqrt(float(normal @ normal))
        if normal @ (middle - p) > 0:
            normal = -normal
        rows.append((normal[0], normal[1], float(normal @ p) + grow_m))
    return np.array(rows, dtype=np.float64)


def _stack(regions: Iterable[Floats]) -> Floats:
    """Regions as (R, planes, 3); triangles get a repeated plane."""
    found = list(regions)
    padded = [r if len(r) == 4 else np.vstack([r, r[:1]]) for r in found]
    return np.array(padded, dtype=np.float64).reshape(len(found), 4, 3)


def make_scene(level: Level) -> Scene:
    """Read a level."""
    far = 50.0
    (lx, ly), (ltx, lty) = level.left_bank_face
    (rx, ry), (rtx, rty) = level.right_bank_face
    solids = [
        half_planes([(-far, ly), (lx, ly), (ltx, lty), (-far, lty)], -1e-4),
        half_planes([(rx, ry), (rx + far, ry), (rtx + far, rty), (rtx, rty)], -1e-4),
        *(half_planes(p.polygon, -1e-4) for p in level.platforms),
    ]
    axles = [
        (-sim.SPACING_M * i + side * AXLE_M, 0.5 * pg * DEFAULT.pn_per_pg)
        for i, pg in enumerate(level.vehicle_weights_pg)
        for side in (-1, 1)
    ]
    high = max(0.0, level.rise_m) + CEILING_M
    box = [(-1, 0, 0.0), (1, 0, level.span_m), (0, -1, -FLOOR_Y_M), (0, 1, high)]
    ground = Ground(
        room=np.array(box, dtype=np.float64),
        solids=_stack(solids),
        rocks=_stack(half_planes(r.vertices, CLEAR_M) for r in level.rocks),
        shortest_m=SHORTEST_M,
    )
    steel = any(material.type == 3 for material in level.materials)
    return Scene(level, ground, np.array(axles, dtype=np.float64), steel, is_symmetric(level))


def is_symmetric(level: Level) -> bool:
    """Whether mirroring at mid-span gives the same scene, vehicles aside."""

    def same(points: Iterable[tuple[float, ...]]) -> bool:
        found = {tuple(round(v, 6) for v in p) for p in points}
        return found == {(round(level.span_m - p[0], 6), *p[1:]) for p in found}

    return (
        level.rise_m == 0.0
        and same((a.x, a.y) for a in level.anchors)
        and same((x, p.surface_y) for p in level.platforms for x in (p.x_start, p.x_end))
        and same(v for rock in level.rocks for v in rock.vertices)
        and math.isclose(level.left_toe_x, level.span_m - level.right_toe_x)
    )


def empty_state() -> State:
    """Room for a state of the search."""
    return graph.empty_state(MAX_NODES, MAX_BARS)


def state_of(
    scene: Scene, design: Design, *, mirrored: bool = False, factor: float = 1.0
) -> State | None:
    """A design as a state; None when `mirrored` and the design is not symmetric."""
    state = empty_state()
    xy, kind, _, bars, factors, count = state
    if len(design.nodes) > MAX_NODES or len(design.members) > MAX_BARS:
        return None
    index = {n.id: i for i, n in enumerate(design.nodes)}
    pairs: dict[tuple[int, int], list[int]] = {}
    for member in design.members:
        i, j = index[member.a], index[member.b]
        left = (i, j) if design.nodes[i].x <= design.nodes[j].x else (j, i)
        pairs.setdefault(left, []).append(member.type)
    for i, node in enumerate(design.nodes):
        xy[i] = (node.x, node.y)
        kind[i] = ANCHOR if node.is_anchor else FREE
    for m, ((i, j), types) in enumerate(pairs.items()):
        bars[m] = (i, j, TYPES_OF_CODE.index(tuple(sorted(types))))
        if 1 in types:
            for end in (i, j):
                kind[end] = kind[end] if kind[end] == ANCHOR else DECK
    factors[: len(pairs)] = factor
    count[:] = (len(design.nodes), len(pairs))
    if mirrored and not _find_mirrors(scene, state):
        return None
    return state


def _find_mirrors(scene: Scene, state: State) -> bool:
    """Fill in each node's mirror image; False when a node or a bar has none."""
    xy, kind, mirror, bars, _, count = state
    for i in range(count[0]):
        image = (scene.span_m - xy[i, 0], xy[i, 1])
        gaps = np.abs(xy[: count[0]] - image).max(axis=1)
        j = int(gaps.argmin())
        if gaps[j] > 2e-3 or kind[j] != kind[i]:
            return False
        mirror[i] = j
    have = {(min(a, b), max(a, b), c) for a, b, c in bars[: count[1]].tolist()}
    images = {(min(mirror[a], mirror[b]), max(mirror[a], mirror[b]), c) for a, b, c in have}
    return have == images


def design_of(scene: Scene, state: State) -> Design:
    """A state as a design: the level's anchors, then joints by x and y, then members.

    Nodes get ids after the anchors' last one, members after the nodes'.
    """
    xy, kind, _, bars, _, count = state
    anchors = scene.level.anchors
    ids: dict[int, int] = {}
    for i in range(count[0]):
        if kind[i] == ANCHOR:
            ids[i] = min(anchors, key=lambda a: (a.x - xy[i, 0]) ** 2 + (a.y - xy[i, 1]) ** 2).id
    rounded = [(round(float(x), 4), round(float(y), 4)) for x, y in xy[: count[0]]]
    joints = sorted(
        (i for i in range(count[0]) if kind[i] != ANCHOR),
        key=lambda i: (kind[i] != DECK, rounded[i], i),
    )
    next_id = max(a.id for a in anchors) + 1
    ids.update({i: next_id + k for k, i in enumerate(joints)})
    nodes = [Node(a.id, a.x, a.y, True) for a in anchors]
    nodes += [Node(ids[i], *rounded[i]) for i in joints]
    rows = sorted(
        (type_, *sorted((ids[int(a)], ids[int(b)])))
        for a, b, code in bars[: count[1]]
        for type_ in TYPES_OF_CODE[code]
    )
    next_id += len(joints)
    members = [Member(next_id + k, t, a, b) for k, (t, a, b) in enumerate(rows)]
    return Design(tuple(nodes), tuple(members))


def bar_peaks(scene: Scene, state: State, design: Design, peak: Floats) -> Floats:
    """Simulated peak utilisation per bar of the state, from `peak` per member of its design."""
    xy, _, _, bars, _, count = state
    place = {(n.x, n.y): n.id for n in design.nodes}
    by_pair: dict[tuple[int, int], float] = {}
    for member, value in zip(design.members, peak, strict=True):
        pair = (min(member.a, member.b), max(member.a, member.b))
        by_pair[pair] = float(value)
    found = np.zeros(count[1])
    for m in range(count[1]):
        ends = []
        for end in bars[m, :2]:
            x, y = float(xy[end, 0]), float(xy[end, 1])
            ends.append(place.get((x, y)) or place[(round(x, 4), round(y, 4))])
        found[m] = by_pair[(min(ends), max(ends))]
    return found
