"""Members, nodes and vehicles at given places, at the drawing size."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import ImageDraw

from bench.bridge.design.design import Design
from bench.bridge.physics import constants as c
from bench.bridge.physics.draw import palette as p
from bench.bridge.physics.draw.view import PLOT, SUPERSAMPLE, Area, Point, View

S = SUPERSAMPLE
Ends = tuple[Point, Point]
Line = tuple[Ends, p.Colour, int]
"""Ends in pixels, colour, material type."""
WIDTH_PX = {1: 9, 2: 6, 3: 6}
OTHER_WIDTH_PX = 5
CASING_PX = 3
NODE_PX = 4
PAIR_GAP_PX = 8.0
EDGE_PX = 12 * S
"""Members are clipped this far outside the plot, so that no cut end shows."""
BODY = (
    (-1.325, -0.15), (1.325, -0.15), (1.325, 0.15), (1.225, 0.2), (0.85, 0.24), (0.55, 0.55),
    (-0.8, 0.55), (-1.225, 0.22), (-1.325, 0.12),
)  # fmt: skip
WINDOWS = (
    ((-0.98, 0.24), (-0.72, 0.47), (-0.2, 0.47), (-0.2, 0.24)),
    ((-0.1, 0.24), (-0.1, 0.47), (0.48, 0.47), (0.7, 0.24)),
)


LIGHT_PG = 4.0
"""A heavier vehicle is a van: no window in the back."""
Pose = tuple[float, float, float]
"""x and y of a vehicle's centre of gravity (metres), angle (rad)."""


def beside(ends: Ends, shift: float) -> Ends:
    """A segment moved across its direction by `shift` pixels."""
    if shift == 0.0:
        return ends
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
                side = (k - (len(rows) - 1) / 2) * PAIR_GAP_PX * S
                shifts[i] = side if forward else -side
    return shifts


def clipped(ends: Ends, plot: Area = PLOT) -> Ends | None:
    """The part of a segment in and around the plot (Liang and Barsky), None when there is none."""
    (ax, ay), (bx, by) = ends
    dx, dy = bx - ax, by - ay
    low, high = 0.0, 1.0
    bounds = (
        (-dx, ax - (plot[0] * S - EDGE_PX)), (dx, plot[2] * S + EDGE_PX - ax),
        (-dy, ay - (plot[1] * S - EDGE_PX)), (dy, plot[3] * S + EDGE_PX - ay),
    )  # fmt: skip
    for step, room in bounds:
        if step == 0:
            if room < 0:
                return None
        elif step < 0:
            low = max(low, room / step)
        else:
            high = min(high, room / step)
    if low > high:
        return None
    return (ax + low * dx, ay + low * dy), (ax + high * dx, ay + high * dy)


def members(
    draw: ImageDraw.ImageDraw,
    lines: Sequence[Line],
    casing: p.Colour | None = None,
    plot: Area = PLOT,
) -> None:
    """Draw members with a dark casing; roads carry a white middle line."""
    seen = [(part, colour, kind) for ends, colour, kind in lines if (part := clipped(ends, plot))]
    for (a, b), _, kind in seen:
        width = WIDTH_PX.get(kind, OTHER_WIDTH_PX) + CASING_PX
        draw.line((*a, *b), fill=p.INK if casing is None else casing, width=width * S)
    for (a, b), colour, kind in seen:
        draw.line((*a, *b), fill=colour, width=WIDTH_PX.get(kind, OTHER_WIDTH_PX) * S)
        if kind == 1:
            draw.line((*a, *b), fill=p.LANE, width=S)


def nodes(draw: ImageDraw.ImageDraw, places: Sequence[Point]) -> None:
    """Dynamic joints as small white discs."""
    for xy in places:
        draw.circle(xy, NODE_PX * S, fill=p.NODE, outline=p.INK, width=2)


def top_of(pose: Pose) -> float:
    """Height of the highest point of a vehicle's body, in metres."""
    _, y, angle = pose
    return y + max(dx * math.sin(angle) + dy * math.cos(angle) for dx, dy in BODY)


def vehicle(draw: ImageDraw.ImageDraw, view: View, pose: Pose, weight_pg: float) -> None:
    """One vehicle, true to scale; the heavier, the darker, and with fewer windows."""
    x, y, angle = pose
    cos, sin = math.cos(angle), math.sin(angle)

    def at(dx: float, dy: float) -> Point:
        return view.at(x + dx * cos - dy * sin, y + dx * sin + dy * cos)

    px, py = at(0.0, 0.0)
    reach = view.size(2.0)
    plot = view.plot
    if not (plot[0] * S - reach < px < plot[2] * S + reach and py < plot[3] * S + reach):
        return
    outline = [at(*q) for q in BODY]
    draw.polygon(outline, fill=p.vehicle_colour(weight_pg))
    draw.line([*outline, *outline[:2]], fill=p.INK, width=2 * S, joint="curve")
    for window in WINDOWS[weight_pg > LIGHT_PG :]:
        draw.polygon([at(*q) for q in window], fill=p.GLASS, outline=p.INK, width=S)
    for dx, dy, radius in c.VEHICLE_CIRCLES[:2]:
        draw.circle(at(dx, dy), view.size(radius), fill=p.WHEEL)
        draw.circle(at(dx, dy), view.size(radius * 0.45), fill=p.HUB)
