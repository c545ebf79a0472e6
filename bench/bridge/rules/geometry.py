"""Lengths, and solid ground."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from bench.bridge.design.design import Node
from bench.bridge.design.materials import (
    LENGTH_TOLERANCE_M,
    MATERIALS,
    ROAD,
    SHORTEST_MEMBER_M,
)
from bench.bridge.level.level import BOTTOM_Y_M, Level
from bench.bridge.rules.case import FLOAT_NOISE_M, ROUNDING_M, Case, Segment
from bench.bridge.rules.wording import SHOWN_PER_CODE, node_at, number, point
from bench.task import Violation

Point = tuple[float, float]


def edge_too_short(case: Case) -> Iterator[Violation]:
    """An edge is shorter than the editor's finest grid; tiny members would be free inertia."""
    for segment in case.segments:
        if segment.length_m < SHORTEST_MEMBER_M - ROUNDING_M:
            yield Violation(
                "EDGE_TOO_SHORT",
                f"{_told(segment)} is {number(segment.length_m)} m long; an edge has at least "
                f"{number(SHORTEST_MEMBER_M)} m: merge the two nodes or move them apart",
                (segment.member.id,),
                {"length_m": round(segment.length_m, 4), "limit_m": SHORTEST_MEMBER_M},
            )


def edge_too_long(case: Case) -> Iterator[Violation]:
    """An edge is longer than its material allows, 1 mm of tolerance aside."""
    for segment in case.segments:
        material = MATERIALS.get(segment.member.type)
        if material is None:
            continue
        if segment.length_m > material.max_length_m + LENGTH_TOLERANCE_M + FLOAT_NOISE_M:
            limit = number(material.max_length_m)
            yield Violation(
                "EDGE_TOO_LONG",
                f"{_told(segment)} is {number(segment.length_m)} m long; {material.name} has at "
                f"most {limit} m: move the nodes closer or put another one between them",
                (segment.member.id,),
                {"length_m": round(segment.length_m, 4), "limit_m": material.max_length_m},
            )


def nodes_too_close(case: Case) -> Iterator[Violation]:
    """Two nodes are closer than the editor's finest grid, 1 mm of tolerance aside.

    A second chain of nodes a millimetre beside the first would double its strength, against the
    rule that two members on a pair are one reinforced bar. Two native anchors are the level's own.
    """
    limit = SHORTEST_MEMBER_M
    told: list[Violation] = []
    for a, b, distance in _close_pairs(case.design.nodes, limit - LENGTH_TOLERANCE_M):
        if a.id in case.anchor_by_id and b.id in case.anchor_by_id:
            continue
        if len(told) > SHOWN_PER_CODE:  # only counted from here on, so it needs no words
            yield told[-1]
            continue
        violation = Violation(
            "NODES_TOO_CLOSE",
            f"{node_at(a)} and {node_at(b)} are {number(distance)} m apart; two nodes have at "
            f"least {number(limit)} m between them: merge them or move them apart",
            (a.id, b.id),
            {"distance_m": round(distance, 4), "limit_m": limit},
        )
        told.append(violation)
        yield violation


def roads_overlap(case: Case) -> Iterator[Violation]:
    """A road runs closer than 0.25 m to another road's end that is not its own; one a road.

    Two roads on one line, or nearly, share a vehicle between them: their strengths would add
    without a node in common. Ends nearer to each other than that are NODES_TOO_CLOSE.
    """
    roads = [s for s in case.segments if s.member.type == ROAD.type and s.length_m > 0.0]
    ends = list({node.id: node for s in roads for node in (s.a, s.b)}.values())
    x, y = np.array([n.x for n in ends]), np.array([n.y for n in ends])
    limit = SHORTEST_MEMBER_M
    for road in roads:
        dx, dy = road.b.x - road.a.x, road.b.y - road.a.y
        along = ((x - road.a.x) * dx + (y - road.a.y) * dy) / road.length_m
        aside = np.abs(dx * (y - road.a.y) - dy * (x - road.a.x)) / road.length_m
        inside = (along > FLOAT_NOISE_M) & (along < road.length_m - FLOAT_NOISE_M)
        near = np.flatnonzero(inside & (aside < limit - LENGTH_TOLERANCE_M - FLOAT_NOISE_M))
        if near.size:
            nearest = near[aside[near].argmin()]
            node, distance = ends[nearest], float(aside[nearest])
            others = f", and past {near.size - 1} more" if near.size > 1 else ""
            yield Violation(
                "ROADS_OVERLAP",
                f"{_told(road)} runs past the end of another road, {node_at(node)}, at "
                f"{number(distance)} m{others}; roads keep {number(limit)} m apart where they "
                "share no node: let the deck be one chain of roads",
                (road.member.id, node.id),
                {"distance_m": round(distance, 4), "limit_m": limit, "nodes": int(near.size)},
            )


def _close_pairs(nodes: Sequence[Node], limit_m: float) -> Iterator[tuple[Node, Node, float]]:
    """Pairs nearer than a limit, by a grid of that size: each node looks at nine cells only."""
    cells: dict[tuple[int, int], list[int]] = {}
    for i, node in enumerate(nodes):
        column, row = math.floor(node.x / limit_m), math.floor(node.y / limit_m)
        near = (
            k
            for right, up in itertools.product((-1, 0, 1), repeat=2)
            for k in cells.get((column + right, row + up), ())
        )
        for k in sorted(near):
            other = nodes[k]
            dx, dy = node.x - other.x, node.y - other.y
            square = dx * dx + dy * dy
            if square < (limit_m - FLOAT_NOISE_M) ** 2:
                yield other, node, math.sqrt(square)
        cells.setdefault((column, row), []).append(i)


def in_terrain(case: Case) -> Iterator[Violation]:
    """A dynamic node is strictly inside a bank or a platform; on the surface is fine."""
    for node in case.dynamic_nodes:
        solid = _solid_around(case.level, node.x, node.y)
        if solid is not None:
            yield Violation(
                "IN_TERRAIN",
                f"{node_at(node)} is inside {solid}; nothing can be built in solid ground: move "
                "it out (on the surface is fine)",
                (node.id,),
                {"x": node.x, "y": node.y},
            )


def _solid_around(level: Level, x: float, y: float) -> str | None:
    """The bank or platform that holds a point, described with its outline."""
    if y <= BOTTOM_Y_M + ROUNDING_M:
        return None
    left, right = level.left_bank_face, level.right_bank_face
    if y < left[0][1] - ROUNDING_M and x < _face_x(left, y) - ROUNDING_M:
        return (
            f"the left bank, solid left of the line from {_face(left)} and below "
            f"y = {number(left[0][1])}"
        )
    if y < right[0][1] - ROUNDING_M and x > _face_x(right, y) + ROUNDING_M:
        return (
            f"the right bank, solid right of the line from {_face(right)} and below "
            f"y = {number(right[0][1])}"
        )
    for platform in level.platforms:
        within_x = platform.x_start + ROUNDING_M < x < platform.x_end - ROUNDING_M
        within_y = platform.bottom_y + ROUNDING_M < y < platform.surface_y - ROUNDING_M
        if within_x and within_y:
            return (
                f"the platform from x = {number(platform.x_start)} to {number(platform.x_end)}, "
                f"solid below y = {number(platform.surface_y)}"
            )
    return None


def _face_x(face: tuple[Point, Point], y: float) -> float:
    """Where a bank's face is at height y."""
    (top_x, top_y), (toe_x, toe_y) = face
    return top_x + (toe_x - top_x) * (top_y - y) / (top_y - toe_y)


def _face(face: tuple[Point, Point]) -> str:
    return f"{point(*face[0])} to {point(*face[1])}"


def _told(segment: Segment) -> str:
    material = MATERIALS.get(segment.member.type)
    kind = material.name if material else f"type {segment.member.type}"
    return f"edge {segment.member.id} ({kind}) from {node_at(segment.a)} to {node_at(segment.b)}"
