"""Small builders of levels and designs for tests. Metres throughout."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.design.graph import answer_of
from bench.bridge.design.materials import ROAD, WOOD, Material
from bench.bridge.level.level import Anchor, Level, Platform, Rock


def flat_level(
    span: float = 10.0,
    rise: float = 0.0,
    vehicles: tuple[float, ...] = (3.0,),
    **overrides: Any,
) -> Level:
    """Two banks with vertical faces; anchors 1, 2 at the deck edges, 3, 4 two metres below.

    `overrides` replace any field of the level.
    """
    level = Level(
        name="Flat",
        span_m=span,
        rise_m=rise,
        material_profile="full",
        anchors=(
            Anchor(1, 0.0, 0.0),
            Anchor(2, span, rise),
            Anchor(3, 0.0, -2.0),
            Anchor(4, span, rise - 2.0),
        ),
        platforms=(),
        rocks=(),
        vehicle_weights_pg=vehicles,
        left_toe_x=0.0,
        right_toe_x=span,
        pier_anchor_ids=(),
        strict_limit_usd=20_000,
    )
    return replace(level, **overrides)


def platform_level(span: float = 16.0, width: float = 4.0, surface_y: float = 0.0) -> Level:
    """A flat level with a platform in the middle; anchors 5, 6 at its top edges."""
    start, end = (span - width) / 2, (span + width) / 2
    level = flat_level(span)
    anchors = (*level.anchors, Anchor(5, start, surface_y), Anchor(6, end, surface_y))
    platform = Platform(start, end, surface_y, -5.0, (5, 6))
    return replace(level, anchors=anchors, platforms=(platform,))


def rock_level(
    span: float = 10.0,
    tip: tuple[float, float] = (5.0, -1.0),
    half_width: float = 1.0,
    base_y: float = -5.0,
) -> Level:
    """A flat level with one forbidden triangle, its base level at `base_y`."""
    x, _ = tip
    return flat_level(
        span, rocks=(Rock((tip, (x - half_width, base_y), (x + half_width, base_y))),)
    )


def anchor_nodes(level: Level) -> tuple[Node, ...]:
    """The level's anchors as the nodes of a design."""
    return tuple(Node(a.id, a.x, a.y, True) for a in level.anchors)


def deck(level: Level, panel: float = 2.0, material: Material = ROAD) -> Design:
    """The anchors and a straight chain of equal pieces from anchor 1 to anchor 2.

    Nodes, then members, get the ids after the anchors' last one.
    """
    first, last = level.anchors[0], level.anchors[1]
    panels = max(1, math.ceil(math.dist((first.x, first.y), (last.x, last.y)) / panel - 1e-9))
    next_id = max(a.id for a in level.anchors) + 1
    joints = tuple(
        Node(
            next_id + i - 1,
            round(first.x + (last.x - first.x) * i / panels, 4),
            round(first.y + (last.y - first.y) * i / panels, 4),
        )
        for i in range(1, panels)
    )
    chain = (first.id, *(n.id for n in joints), last.id)
    next_id += len(joints)
    members = tuple(
        Member(next_id + i, material.type, chain[i], chain[i + 1]) for i in range(panels)
    )
    return Design((*anchor_nodes(level), *joints), members)


def warren(
    level: Level,
    panel: float = 2.0,
    depth: float = 1.5,
    material: Material = WOOD,
) -> Design:
    """A Warren truss: a road deck, diagonals and one chord of `material`.

    The chord lies `depth` below the deck, above it for a negative `depth`. Legal on a flat level
    with the defaults (diagonals of 1.8 m, chord pieces of 2 m); under one light vehicle it crosses
    10 m and breaks at 12 m.
    """
    road = deck(level, panel)
    by_id = road.node_by_id
    next_id = max([n.id for n in road.nodes] + [m.id for m in road.members]) + 1
    chord = []
    for i, piece in enumerate(road.members):
        a, b = by_id[piece.a], by_id[piece.b]
        x, y = round((a.x + b.x) / 2, 4), round((a.y + b.y) / 2 - depth, 4)
        chord.append(Node(next_id + i, x, y))
    pairs = []
    for piece, joint in zip(road.members, chord, strict=True):
        pairs += [(piece.a, joint.id), (joint.id, piece.b)]
    pairs += [(left.id, right.id) for left, right in itertools.pairwise(chord)]
    next_id += len(chord)
    members = tuple(Member(next_id + i, material.type, a, b) for i, (a, b) in enumerate(pairs))
    return Design((*road.nodes, *chord), (*road.members, *members))


def answer(design: Design, thought: str = "") -> dict[str, Any]:
    """The JSON object with which a model would give this design."""
    return answer_of(design, thought)
