"""Members, nodes and vehicles at given places."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import ImageDraw

from bench.bridge.design import Design
from bench.bridge.sim import constants as c
from bench.bridge.sim.draw import palette as p
from bench.bridge.sim.draw.labels import Labels
from bench.bridge.sim.draw.view import SUPERSAMPLE, View

S = SUPERSAMPLE
Point = tuple[float, float]
Ends = tuple[Point, Point]
WIDTH_PX = {1: 9, 2: 6, 3: 6}
CASING_PX = 3


def beside(ends: Ends, shift: float) -> Ends:
    """A segment moved across its direction by `shift` pixels."""
    (ax, ay), (bx, by) = ends
    length = math.hypot(bx - ax, by - ay) or 1.0
    nx, ny = -(by - ay) / length * shift, (bx - ax) / length * shift
    return (ax + nx, ay + ny), (bx + nx, by + ny)


def pair_shifts(design: Design) -> list[float]:
    """Sideways shift of each member in pixels: the two of one pair lie beside each other."""
    seen: dict[tuple[int, int], list[int]] = {}
    for i, m in enumerate(design.members):
        seen.setdefault((min(m.a, m.b), max(m.a, m.b)), []).append(i)
    shifts = [0.0] * len(design.members)
    for rows in seen.values():
        if len(rows) > 1:
            for k, i in enumerate(rows):
                forward = design.members[i].a < design.members[i].b
                side = (k - (len(rows) - 1) / 2) * 7.0 * S
                shifts[i] = side if forward else -side
    return shifts


def members(
    draw: ImageDraw.ImageDraw, lines: Sequence[tuple[Ends, p.Colour, int]], casing: p.Colour = p.INK
) -> None:
    """Draw members: dark casing, colour inside. Each: ends in pixels, colour, material type."""
    for (a, b), _, kind in lines:
        draw.line([a, b], fill=casing, width=(WIDTH_PX.get(kind, 5) + CASING_PX) * S)
    for (a, b), colour, kind in lines:
        draw.line([a, b], fill=colour, width=WIDTH_PX.get(kind, 5) * S)
        if kind == 1:
            draw.line([a, b], fill=(235, 235, 235), width=S)


def nodes(draw: ImageDraw.ImageDraw, places: Sequence[Point]) -> None:
    """Dynamic joints as small white discs."""
    r = 4 * S
    for x, y in places:
        draw.ellipse([(x - r, y - r), (x + r, y + r)], fill=p.NODE, outline=p.INK, width=S)


def vehicle(
    draw: ImageDraw.ImageDraw, view: View, x: float, y: float, angle: float, *, faded: bool = False
) -> None:
    """One vehicle, true to scale, at its centre of gravity (metres) and angle (rad)."""
    cos, sin = math.cos(angle), math.sin(angle)

    def at(dx: float, dy: float) -> Point:
        return view.at(x + dx * cos - dy * sin, y + dx * sin + dy * cos)

    half = c.BODY_LENGTH_M / 2
    body = [(-half, -0.15), (half, -0.15), (half, 0.15), (half - 0.5, 0.22), (0.55, 0.55),
            (-0.75, 0.55), (-half + 0.1, 0.2)]  # fmt: skip
    colour = (222, 214, 190) if faded else p.VEHICLE
    shape = [at(*q) for q in body]
    draw.polygon(shape, fill=colour, outline=p.INK, width=2 * S)
    glass = [at(-0.6, 0.24), at(0.62, 0.24), at(0.4, 0.47), at(-0.6, 0.47)]
    draw.polygon(glass, fill=(188, 220, 236), outline=p.INK, width=S)
    for dx, dy, radius in c.VEHICLE_CIRCLES[:2]:
        (px, py), r = at(dx, dy), view.size(radius)
        draw.ellipse([(px - r, py - r), (px + r, py + r)], fill=p.WHEEL)
        r *= 0.45
        draw.ellipse([(px - r, py - r), (px + r, py + r)], fill=(190, 190, 194))


def node_labels(labels: Labels, design: Design, places: dict[int, Point]) -> None:
    """Ids of the dynamic nodes, where there is room."""
    for node in design.nodes:
        if not node.is_anchor:
            labels.near(places[node.id], str(node.id), 11, p.INK, 6.0, None)
