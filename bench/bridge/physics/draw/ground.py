"""Water, banks, platforms, piers and rocks."""

from __future__ import annotations

import math

from PIL import Image, ImageDraw

from bench.bridge.level.level import BOTTOM_Y_M, Level
from bench.bridge.physics.draw import palette as p
from bench.bridge.physics.draw.view import SUPERSAMPLE, Point, View

S = SUPERSAMPLE
BANDS = 6
STRATUM_M = 2.2
HATCH_PX = 14


def draw_water(draw: ImageDraw.ImageDraw, view: View, level: Level) -> None:
    """Water over the whole width, darker with depth; ground is drawn over it."""
    depth = (level.water_y - view.bottom_m) / BANDS
    for i in range(BANDS):
        top = level.water_y - i * depth
        left, y0 = view.at(view.left_m, top)
        right, y1 = view.at(view.right_m, top - depth)
        draw.rectangle((left, y0, right, y1), fill=p.mix(p.WATER, p.WATER_DEEP, i / (BANDS - 1)))


def bank_polygons(level: Level, view: View) -> list[list[Point]]:
    """Left and right bank in metres, from the top edge's far end around to the bottom's.

    Below y = -5 a face goes straight down: no one can build there.
    """
    deep = view.bottom_m - 1.0
    (lx, ly), (ltx, lty) = level.left_bank_face
    (rx, ry), (rtx, rty) = level.right_bank_face
    far_left, far_right = view.left_m - 5.0, view.right_m + 5.0
    return [
        [(far_left, ly), (lx, ly), (ltx, lty), (ltx, deep), (far_left, deep)],
        [(far_right, ry), (rx, ry), (rtx, rty), (rtx, deep), (far_right, deep)],
    ]


def draw_ground(draw: ImageDraw.ImageDraw, view: View, level: Level) -> None:
    """Banks and platforms: brown in two strata, turf where vehicles drive."""
    deep = view.bottom_m - 1.0
    for shape in bank_polygons(level, view):
        _solid(draw, view, shape, p.EARTH, p.EARTH_DEEP)
    for q in level.platforms:
        shape = [
            (q.x_start, deep), (q.x_start, q.surface_y), (q.x_end, q.surface_y), (q.x_end, deep),
        ]  # fmt: skip
        _solid(draw, view, shape, p.PLATFORM, p.PLATFORM_DEEP)
    tops = [(view.left_m - 5.0, 0.0, 0.0), (level.span_m, view.right_m + 5.0, level.rise_m)]
    tops += [(q.x_start, q.x_end, q.surface_y) for q in level.platforms]
    for x0, x1, y in tops:
        a, b = view.at(x0, y), view.at(x1, y)
        draw.rectangle((*a, b[0], b[1] + 5 * S), fill=p.TURF)


def _solid(
    draw: ImageDraw.ImageDraw, view: View, shape: list[Point], upper: p.Colour, lower: p.Colour
) -> None:
    points = [view.at(*xy) for xy in shape]
    draw.polygon(points, fill=upper)
    surface = max(y for _, y in shape)
    below = _cut_below(shape, surface - STRATUM_M)
    if len(below) > 2:
        draw.polygon([view.at(*xy) for xy in below], fill=lower)
    draw.line(points, fill=p.EARTH_EDGE, width=2 * S)


def _cut_below(shape: list[Point], level_y: float) -> list[Point]:
    """The part of a polygon below a height (one step of Sutherland and Hodgman's clipping)."""
    kept: list[Point] = []
    for (x0, y0), (x1, y1) in zip(shape, [*shape[1:], shape[0]], strict=True):
        if y0 <= level_y:
            kept.append((x0, y0))
        if (y0 <= level_y) != (y1 <= level_y):
            share = (level_y - y0) / (y1 - y0)
            kept.append((x0 + share * (x1 - x0), level_y))
    return kept


def draw_piers(draw: ImageDraw.ImageDraw, view: View, level: Level) -> None:
    """A thin column below each free-standing anchor."""
    for anchor in level.anchors:
        if anchor.id in level.pier_anchor_ids:
            (x, y), foot = view.at(anchor.x, anchor.y), view.at(0, view.bottom_m - 1.0)[1]
            half = max(3.0 * S, view.size(0.09))
            draw.rectangle((x - half, y, x + half, foot), p.PLATFORM_DEEP, p.EARTH_EDGE, 2 * S)


def draw_rocks(image: Image.Image, view: View, level: Level) -> None:
    """Hatched, with a red edge: nothing may touch it."""
    for rock in level.rocks:
        points = [view.at(*xy) for xy in rock.vertices]
        xs, ys = [q[0] for q in points], [q[1] for q in points]
        left, top = math.floor(min(xs)), math.floor(min(ys))
        size = (max(1, math.ceil(max(xs)) - left), max(1, math.ceil(max(ys)) - top))
        mask = Image.new("L", size, 0)
        ImageDraw.Draw(mask).polygon([(x - left, y - top) for x, y in points], fill=255)
        fill = Image.new("RGB", size, p.ROCK)
        hatch = ImageDraw.Draw(fill)
        for x in range(-size[1], size[0], HATCH_PX * S):
            hatch.line((x, size[1], x + size[1], 0), fill=p.ROCK_HATCH, width=3 * S)
        image.paste(fill, (left, top), mask)
        edge = ImageDraw.Draw(image)
        edge.line([*points, *points[:2]], fill=p.ROCK_EDGE, width=3 * S, joint="curve")


def surface_below(level: Level, x: float) -> float | None:
    """Height of the solid ground at x, None where there is only water."""
    tops = [q.surface_y for q in level.platforms if q.x_start <= x <= q.x_end]
    for (ex, ey), (tx, _), side in (
        (*level.left_bank_face, -1.0), (*level.right_bank_face, 1.0),
    ):  # fmt: skip
        if (x - ex) * side >= 0:
            tops.append(ey)
        elif (x - tx) * side > 0:
            tops.append(ey + (BOTTOM_Y_M - ey) * (x - ex) / (tx - ex))
    return max(tops, default=None)
