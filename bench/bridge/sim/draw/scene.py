"""What does not move: grid, ground, water, rocks, anchors, flags, panels. Cached by level."""

from __future__ import annotations

import math
from functools import lru_cache

from PIL import Image, ImageDraw

from bench.bridge.level import BOTTOM_Y_M, Level
from bench.bridge.sim import constants as c
from bench.bridge.sim.draw import palette as p
from bench.bridge.sim.draw.labels import Box, Labels
from bench.bridge.sim.draw.view import (
    BOTTOM_PX,
    HEIGHT,
    LEFT_PX,
    RIGHT_PX,
    SUPERSAMPLE,
    TOP_PX,
    WIDTH,
    View,
    view_of,
)

S = SUPERSAMPLE
LABEL_EVERY_M = ((36.0, 1), (0.0, 2))
"""Pixels a metre (finished picture) from which on grid labels stand every so many metres."""
LONGEST_NAME = 60


@lru_cache(maxsize=8)
def background(level: Level, name: str | None) -> tuple[Image.Image, tuple[Box, ...]]:
    """The scene without bridge and vehicles at drawing size, and the boxes of its labels.

    `name` is what is shown as the level's name, None for nothing. Callers copy the picture.
    """
    view = view_of(level)
    image = Image.new("RGB", (WIDTH * S, HEIGHT * S), p.SKY)
    draw = ImageDraw.Draw(image)
    _grid(draw, view)
    _water(draw, view, level)
    _ground(draw, view, level)
    _grid_over_ground(draw, view)
    _piers(draw, view, level)
    _rocks(draw, view, level)
    _flag(draw, view, level)
    _panels(draw)
    labels = Labels(draw)
    _axis_labels(labels, view)
    _materials(draw, labels, level)
    _scale_bar(draw, labels, view)
    if name is not None:
        shown = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 3] + "..."
        labels.write((LEFT_PX * S, 18 * S), shown, 18, p.INK, "lt")
    _anchors(draw, labels, view, level)
    _rock_labels(labels, view, level)
    for q in level.platforms:
        middle = view.at((q.x_start + q.x_end) / 2, BOTTOM_Y_M + 1.0)
        labels.write(middle, "platform", 13, p.EARTH_EDGE, "mm", back=p.PANEL)
    return image, tuple(labels.boxes)


def _grid(draw: ImageDraw.ImageDraw, view: View) -> None:
    """A line every metre, a stronger one every five."""
    top, bottom = TOP_PX * S, (HEIGHT - BOTTOM_PX) * S
    for x in range(math.ceil(view.left_m), math.floor(view.right_m) + 1):
        px = view.at(x, 0)[0]
        colour = p.GRID_STRONG if x % 5 == 0 else p.GRID
        draw.line([(px, top), (px, bottom)], fill=colour, width=S)
    for y in range(math.ceil(view.bottom_m), math.floor(view.top_m) + 1):
        py = view.at(0, y)[1]
        colour = p.GRID_STRONG if y % 5 == 0 else p.GRID
        draw.line([(LEFT_PX * S, py), ((WIDTH - RIGHT_PX) * S, py)], fill=colour, width=S)


def _grid_over_ground(draw: ImageDraw.ImageDraw, view: View) -> None:
    """Short ticks at the picture's edge go over ground and water, so that scales can be read."""
    bottom = (HEIGHT - BOTTOM_PX) * S
    for x in range(math.ceil(view.left_m), math.floor(view.right_m) + 1):
        px = view.at(x, 0)[0]
        draw.line([(px, bottom - 8 * S), (px, bottom)], fill=p.INK, width=S)
    for y in range(math.ceil(view.bottom_m), math.floor(view.top_m) + 1):
        py = view.at(0, y)[1]
        draw.line([(LEFT_PX * S, py), ((LEFT_PX + 8) * S, py)], fill=p.INK, width=S)


def _water(draw: ImageDraw.ImageDraw, view: View, level: Level) -> None:
    bottom = (HEIGHT - BOTTOM_PX) * S
    (x, y), right = view.at(view.left_m, level.water_y), view.at(view.right_m, 0)[0]
    draw.rectangle([(x, y), (right, bottom)], fill=p.WATER)
    draw.line([(x, y), (right, y)], fill=p.WATER_EDGE, width=2 * S)
    for m in range(math.ceil(view.bottom_m), math.floor(level.water_y) + 1):
        py = view.at(0, m)[1]
        draw.line([(x, py), (right, py)], fill=(126, 176, 207), width=S)


def _ground(draw: ImageDraw.ImageDraw, view: View, level: Level) -> None:
    """Banks and platforms: brown with turf where vehicles drive."""
    deep = view.bottom_m - 1.0
    (lx, ly), (ltx, lty) = level.left_bank_face
    (rx, ry), (rtx, rty) = level.right_bank_face
    far_left, far_right = view.left_m - 5.0, view.right_m + 5.0
    shapes = [
        ([(far_left, ly), (lx, ly), (ltx, lty), (ltx, deep), (far_left, deep)], p.EARTH),
        ([(far_right, ry), (rx, ry), (rtx, rty), (rtx, deep), (far_right, deep)], p.EARTH),
    ]
    shapes += [
        (
            [(q.x_start, deep), (q.x_start, q.surface_y), (q.x_end, q.surface_y), (q.x_end, deep)],
            p.PLATFORM,
        )
        for q in level.platforms
    ]
    for points, colour in shapes:
        draw.polygon([view.at(*xy) for xy in points], fill=colour)
        line = [view.at(*xy) for xy in points]
        draw.line(line, fill=p.EARTH_EDGE, width=2 * S)
    tops = [(far_left, lx, ly), (rx, far_right, ry)]
    tops += [(q.x_start, q.x_end, q.surface_y) for q in level.platforms]
    for x0, x1, y in tops:
        a, b = view.at(x0, y), view.at(x1, y)
        draw.rectangle([a, (b[0], b[1] + 5 * S)], fill=p.TURF)


def _piers(draw: ImageDraw.ImageDraw, view: View, level: Level) -> None:
    for anchor in level.anchors:
        if anchor.id in level.pier_anchor_ids:
            (x, y), foot = view.at(anchor.x, anchor.y), view.at(anchor.x, BOTTOM_Y_M - 1.0)[1]
            draw.rectangle([(x - 3 * S, y), (x + 3 * S, foot)], fill=p.EARTH_EDGE)


def _rocks(draw: ImageDraw.ImageDraw, view: View, level: Level) -> None:
    """Hatched, with a red edge: nothing may touch it."""
    for rock in level.rocks:
        points = [view.at(*xy) for xy in rock.vertices]
        xs, ys = [q[0] for q in points], [q[1] for q in points]
        box = (math.floor(min(xs)), math.floor(min(ys)), math.ceil(max(xs)), math.ceil(max(ys)))
        size = (max(1, box[2] - box[0]), max(1, box[3] - box[1]))
        local = [(x - box[0], y - box[1]) for x, y in points]
        mask = Image.new("L", size, 0)
        ImageDraw.Draw(mask).polygon(local, fill=255)
        fill = Image.new("RGB", size, p.ROCK)
        hatch = ImageDraw.Draw(fill)
        for offset in range(-size[1], size[0], 14 * S):
            hatch.line(
                [(offset, size[1]), (offset + size[1], 0)], fill=(148, 126, 138), width=3 * S
            )
        draw._image.paste(fill, box[:2], mask)
        draw.line([*points, points[0]], fill=p.ROCK_EDGE, width=3 * S, joint="curve")


def _rock_labels(labels: Labels, view: View, level: Level) -> None:
    for rock in level.rocks:
        x = sum(v[0] for v in rock.vertices) / 3
        y = sum(v[1] for v in rock.vertices) / 3
        labels.write(view.at(x, y), "ROCK", 13, p.ROCK_EDGE, "mm", back=p.PANEL)
        for vx, vy in rock.vertices:
            if view.bottom_m < vy < view.top_m:
                labels.near(view.at(vx, vy), f"({vx:g}, {vy:g})", 11, p.ROCK_EDGE)


def _flag(draw: ImageDraw.ImageDraw, view: View, level: Level) -> None:
    x, y = level.span_m + c.FLAG_OFFSET_M, level.rise_m
    (px, py), top = view.at(x, y), view.at(x, y + 1.6)[1]
    draw.line([(px, py), (px, top)], fill=p.INK, width=3 * S)
    w, h = view.size(0.7), view.size(0.5)
    draw.polygon([(px, top), (px + w, top + h / 2), (px, top + h)], fill=p.FLAG)


def _panels(draw: ImageDraw.ImageDraw) -> None:
    """Plain panels at the top, the left and the bottom carry text."""
    draw.rectangle([(0, 0), (WIDTH * S, TOP_PX * S)], fill=p.PANEL)
    draw.rectangle([(0, (HEIGHT - BOTTOM_PX) * S), (WIDTH * S, HEIGHT * S)], fill=p.PANEL)
    draw.rectangle([(0, 0), (LEFT_PX * S, HEIGHT * S)], fill=p.PANEL)
    draw.rectangle([((WIDTH - RIGHT_PX) * S, 0), (WIDTH * S, HEIGHT * S)], fill=p.PANEL)
    frame = [(LEFT_PX * S, TOP_PX * S), ((WIDTH - RIGHT_PX) * S, (HEIGHT - BOTTOM_PX) * S)]
    draw.rectangle(frame, outline=p.FAINT, width=S)


def _axis_labels(labels: Labels, view: View) -> None:
    every = next(n for least, n in LABEL_EVERY_M if view.scale / S >= least)
    bottom = (HEIGHT - BOTTOM_PX + 4) * S
    for x in range(math.ceil(view.left_m), math.floor(view.right_m) + 1):
        if x % every == 0:
            labels.write((view.at(x, 0)[0], bottom), str(x), 13, p.INK, "mt")
    for y in range(math.ceil(view.bottom_m), math.floor(view.top_m) + 1):
        if y % every == 0:
            labels.write(((LEFT_PX - 6) * S, view.at(0, y)[1]), str(y), 13, p.INK, "rm")
    labels.write((5 * S, (TOP_PX - 4) * S), "y (m)", 12, p.FAINT, "lb")
    labels.write(((WIDTH - RIGHT_PX) * S, bottom + 20 * S), "x (m)", 12, p.FAINT, "rt")


def _materials(draw: ImageDraw.ImageDraw, labels: Labels, level: Level) -> None:
    """The toolbar at the bottom left: what may be used, with its limits."""
    x, y = LEFT_PX * S, (HEIGHT - 34) * S
    for material in level.materials:
        draw.rounded_rectangle(
            [(x, y), (x + 26 * S, y + 14 * S)], radius=3 * S, fill=p.MATERIAL[material.type]
        )
        text = (
            f"{material.type} {material.name}: max {material.max_length_m:g} m, "
            f"${material.cost_usd_per_m:g}/m, {material.strength_pn:g} PN"
        )
        labels.write((x + 32 * S, y + 7 * S), text, 13, p.INK, "lm")
        x += round(labels.boxes[-1][2] - labels.boxes[-1][0]) + 52 * S


def _scale_bar(draw: ImageDraw.ImageDraw, labels: Labels, view: View) -> None:
    right, y = (WIDTH - RIGHT_PX - 8) * S, (HEIGHT - 26) * S
    left = right - view.size(2.0)
    draw.line([(left, y), (right, y)], fill=p.INK, width=2 * S)
    for x in (left, right):
        draw.line([(x, y - 5 * S), (x, y + 5 * S)], fill=p.INK, width=2 * S)
    labels.write(((left + right) / 2, y + 6 * S), "2 m", 12, p.INK, "mt")


def _anchors(draw: ImageDraw.ImageDraw, labels: Labels, view: View, level: Level) -> None:
    for a in level.anchors:
        anchor_mark(draw, view, a.x, a.y)
    for a in level.anchors:
        # Into the ground, where no member will lie.
        side = -1 if _solid_is_left(level, a.x) else 1
        labels.near(view.at(a.x, a.y), f"{a.id} ({a.x:g}, {a.y:g})", 13, p.BAD, first=(side, 1))


def _solid_is_left(level: Level, x: float) -> bool:
    """Whether the solid ground that an anchor at x sits on lies to its left."""
    for q in level.platforms:
        if q.x_start <= x <= q.x_end:
            return x > (q.x_start + q.x_end) / 2
    return x < level.span_m / 2


def anchor_mark(draw: ImageDraw.ImageDraw, view: View, x: float, y: float) -> None:
    """A native anchor."""
    px, py = view.at(x, y)
    r = 7 * S
    draw.ellipse([(px - r, py - r), (px + r, py + r)], fill=p.ANCHOR, outline=p.INK, width=2 * S)
