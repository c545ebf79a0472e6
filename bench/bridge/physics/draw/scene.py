"""What does not move: grid, ground, water, rocks, anchors, flags, panels. Cached by level."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from PIL import Image, ImageDraw

from bench.bridge.level.level import Level
from bench.bridge.physics import constants as c
from bench.bridge.physics.draw import palette as p
from bench.bridge.physics.draw.ground import (
    draw_ground,
    draw_piers,
    draw_rocks,
    draw_water,
    surface_below,
)
from bench.bridge.physics.draw.labels import SIDES, Labels
from bench.bridge.physics.draw.view import (
    HEIGHT,
    LEFT_PX,
    PLOT,
    RIGHT_PX,
    SUPERSAMPLE,
    WIDTH,
    View,
)

S = SUPERSAMPLE
LABEL_EVERY_PX = 30
"""Grid labels stand every metre where a metre has so many pixels, else every two."""
FINE_GRID_PX = 44
"""From so many pixels a metre on, half metres have a line too."""
LONGEST_NAME_PX = 420
ANCHOR_PX = 6.0


@dataclass(frozen=True)
class Still:
    """The part of a picture that is the same for every design and frame of a level.

    `scene` is at the drawing size and without text; `panels` at the finished size, with
    everything that lies outside the plot; `labels` are all labels, those in the plot included.
    """

    scene: Image.Image
    panels: Image.Image
    labels: Labels


class Sheet:
    """One picture in the making: draw the scene with `draw`, then `finish`, then label."""

    def __init__(self, level: Level, view: View) -> None:
        self.view = view
        # The level's own name must not decide what is cached: it may be hidden.
        self.still = still_of(replace(level, name=""), view)
        self._scene = self.still.scene.copy()
        self.draw = ImageDraw.Draw(self._scene)

    def finish(self) -> tuple[Image.Image, Labels]:
        """The picture at its finished size, the level's labels on it, and room for more."""
        image = self.still.panels.copy()
        left, top, right, bottom = (v * S for v in PLOT)
        plot = self._scene.reduce(S, (left, top, right, bottom))
        image.paste(plot, PLOT[:2])
        draw = ImageDraw.Draw(image)
        draw.rectangle((PLOT[0], PLOT[1], PLOT[2] - 1, PLOT[3] - 1), outline=p.FAINT)
        labels = self.still.labels.on_copy(image)
        for text in labels.texts:
            # The plot was pasted over those that have a back; the others lie outside it.
            if text.back is not None:
                text.paint(draw)
        return image, labels


@lru_cache(maxsize=12)
def still_of(level: Level, view: View) -> Still:
    """The scene without bridge and vehicles; nobody draws on it but on copies."""
    scene = _sky().copy()
    draw = ImageDraw.Draw(scene)
    _grid(draw, view, view.bottom_m, view.top_m, (p.GRID_FINE, p.GRID, p.GRID_STRONG))
    draw_water(draw, view, level)
    water_grid = (p.WATER_GRID_FINE, p.WATER_GRID, p.WATER_GRID_STRONG)
    _grid(draw, view, view.bottom_m, level.water_y - 1e-9, water_grid)
    edge = view.at(view.left_m, level.water_y)[1]
    draw.line((0, edge, WIDTH * S, edge), fill=p.WATER_EDGE, width=2 * S)
    draw_ground(draw, view, level)
    draw_piers(draw, view, level)
    draw_rocks(scene, view, level)
    _flag(draw, view, level)
    for anchor in level.anchors:
        anchor_mark(draw, view, anchor.x, anchor.y)
    panels = Image.new("RGB", (WIDTH, HEIGHT), p.PANEL)
    labels = Labels.on(panels)
    _axes(labels, view)
    _materials(labels, level)
    _scale_bar(labels, view)
    for anchor in level.anchors:
        labels.mark(view.final(anchor.x, anchor.y), ANCHOR_PX)
    _scene_labels(labels, view, level)
    return Still(scene, panels, labels)


@lru_cache(maxsize=1)
def _sky() -> Image.Image:
    """The empty scene, paler towards the ground."""
    column = Image.new("RGB", (1, HEIGHT * S))
    for y in range(HEIGHT * S):
        share = (y - PLOT[1] * S) / ((PLOT[3] - PLOT[1]) * S)
        column.putpixel((0, y), p.mix(p.SKY_TOP, p.SKY_LOW, min(max(share, 0.0), 1.0)))
    return column.resize((WIDTH * S, HEIGHT * S), Image.Resampling.NEAREST)


def write_name(labels: Labels, name: str, y: float, size: int) -> None:
    """A level's name at the top left, cut to the room that there is."""
    shown = " ".join("".join(ch if ch.isprintable() else " " for ch in name).split())[:200]
    length = labels.draw.textlength
    if length(shown, font=p.font(size)) > LONGEST_NAME_PX:
        while shown and length(shown + "...", font=p.font(size)) > LONGEST_NAME_PX:
            shown = shown[:-1]
        shown += "..."
    labels.write((LEFT_PX, y), shown, size, p.INK, "ls")


def _grid(
    draw: ImageDraw.ImageDraw,
    view: View,
    low_m: float,
    high_m: float,
    colours: tuple[p.Colour, p.Colour, p.Colour],
) -> None:
    """Lines every metre, stronger ones every five, fine ones every half where there is room."""
    fine = view.px_per_m >= FINE_GRID_PX
    x0, y1 = view.at(view.left_m, low_m)
    x1, y0 = view.at(view.right_m, high_m)
    lines: list[tuple[int, tuple[float, float, float, float]]] = []
    for half in range(-2 * 40, 2 * 60):
        rank = 2 if half % 10 == 0 else 1 if half % 2 == 0 else 0
        if rank == 0 and not fine:
            continue
        m = half / 2
        px, py = view.at(m, m)
        if view.left_m <= m <= view.right_m:
            lines.append((rank, (px, y0, px, y1)))
        if low_m <= m <= high_m:
            lines.append((rank, (x0, py, x1, py)))
    for rank, line in sorted(lines):
        draw.line(line, fill=colours[rank], width=S)


def _flag(draw: ImageDraw.ImageDraw, view: View, level: Level) -> None:
    x, y = level.span_m + c.FLAG_OFFSET_M, level.rise_m
    (px, py), top = view.at(x, y), view.at(x, y + 1.6)[1]
    draw.line((px, py, px, top), fill=p.INK, width=3 * S)
    w, h = view.size(0.7), view.size(0.5)
    draw.polygon([(px, top), (px + w, top + h / 2), (px, top + h)], fill=p.FLAG)


def _axes(labels: Labels, view: View) -> None:
    """Ticks and labels in metres below and left of the plot."""
    every = 1 if view.px_per_m >= LABEL_EVERY_PX else 2
    draw = labels.draw
    for m in range(-40, 60):
        px, py = view.final(m, m)
        size = 6 if m % every == 0 else 3
        if view.left_m <= m <= view.right_m:
            draw.line((px, PLOT[3], px, PLOT[3] + size), fill=p.INK)
            if m % every == 0:
                labels.write((px, PLOT[3] + 8), str(m), 15, p.INK, "mt")
        if view.bottom_m <= m <= view.top_m:
            draw.line((PLOT[0] - size, py, PLOT[0], py), fill=p.INK)
            if m % every == 0:
                labels.write((PLOT[0] - 8, py), str(m), 15, p.INK, "rm")
    labels.write((PLOT[2], PLOT[3] + 27), "x and y in metres", 13, p.FAINT, "rt")


def _materials(labels: Labels, level: Level) -> None:
    """The toolbar at the bottom left: what may be used, with its limits."""
    x, y = float(LEFT_PX), HEIGHT - 26.0
    for m in level.materials:
        swatch = (x, y - 7, x + 26, y + 7)
        labels.draw.rounded_rectangle(swatch, 3, p.MATERIAL[m.type], p.INK)
        if m.type == 1:
            labels.draw.line((x + 3, y, x + 23, y), fill=p.LANE)
        text = f"{m.type} {m.name}: max {m.max_length_m:g} m, ${m.cost_usd_per_m:g}/m, "
        text += f"{m.strength_pn:g} PN"
        labels.write((x + 33, y), text, 15, p.INK, "lm")
        x = labels.texts[-1].box[2] + 24


def _scale_bar(labels: Labels, view: View) -> None:
    right, y = WIDTH - RIGHT_PX - 8.0, HEIGHT - 30.0
    left = right - 2 * view.px_per_m
    labels.draw.line((left, y, right, y), fill=p.INK, width=2)
    for x in (left, right):
        labels.draw.line((x, y - 5, x, y + 5), fill=p.INK, width=2)
    labels.write(((left + right) / 2, y + 6), "2 m", 14, p.INK, "mt")


def _scene_labels(labels: Labels, view: View, level: Level) -> None:
    """Names and places of what must be met or kept clear of."""
    for a in level.anchors:
        # Into solid ground where there is some beside the anchor: the gap is the bridge's.
        ground = surface_below(level, a.x - 0.3)
        left = ground is not None and ground >= a.y - 1e-9
        sides = [(-s[0] if left else s[0], -s[1]) for s in SIDES]
        text = f"{a.id} ({a.x:g}, {a.y:g})"
        labels.near(view.final(a.x, a.y), text, 14, p.BAD, 10.0, sides=sides)
    for rock in level.rocks:
        x = sum(v[0] for v in rock.vertices) / 3
        y = sum(v[1] for v in rock.vertices) / 3
        labels.write(view.final(x, y), "ROCK", 14, p.ROCK_EDGE, "mm", back=p.PANEL, within=PLOT)
        for vx, vy in rock.vertices:
            labels.near(view.final(vx, vy), f"({vx:g}, {vy:g})", 12, p.ROCK_EDGE)
    for q in level.platforms:
        middle = view.final((q.x_start + q.x_end) / 2, (q.surface_y + view.bottom_m) / 2)
        labels.write(middle, "platform", 14, p.EARTH_EDGE, "mm", back=p.PANEL, within=PLOT)
    for pier in level.anchors:
        if pier.id in level.pier_anchor_ids:
            foot = view.final(pier.x, view.bottom_m + 0.8)
            labels.near(foot, "pier", 13, p.EARTH_EDGE)


def anchor_mark(draw: ImageDraw.ImageDraw, view: View, x: float, y: float) -> None:
    """A native anchor: a red square, as in the game; joints are round."""
    px, py = view.at(x, y)
    r = ANCHOR_PX * S
    draw.rectangle((px - r, py - r, px + r, py + r), fill=p.ANCHOR, outline=p.INK, width=2 * S)
