"""What does not move: grid, ground, water, rocks, anchors, flags, panels. Cached by level."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from PIL import Image, ImageDraw

from bench.bridge.level.level import Anchor, Level, Rock
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
    LEFT_PX,
    RIGHT_PX,
    SUPERSAMPLE,
    Area,
    View,
)

S = SUPERSAMPLE
LABEL_EVERY_PX = 30
"""Grid labels stand every metre where a metre has so many pixels, else every two."""
FINE_GRID_PX = 44
"""From so many pixels a metre on, half metres have a line too."""
LONGEST_NAME_PX = 420
ANCHOR_PX = 6.0
TIP_PX = 7.0
"""Labels of points keep so far off a rock's corners."""
WATER_LABEL_AT = (0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9)
"""Shares of the span at which the water's label is tried."""
ABOVE = ((0, -1), (-1, -1))
FLAG_HIGH_M = 1.6


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
        x0, y0, x1, y1 = self.view.plot
        image.paste(self._scene.reduce(S, (x0 * S, y0 * S, x1 * S, y1 * S)), (x0, y0))
        draw = ImageDraw.Draw(image)
        draw.rectangle((x0, y0, x1 - 1, y1 - 1), outline=p.FAINT)
        labels = self.still.labels.on_copy(image)
        for text in labels.texts:
            # The plot was pasted over those that have a back; the others lie outside it.
            if text.back is not None:
                text.paint(draw)
        return image, labels


@lru_cache(maxsize=12)
def still_of(level: Level, view: View) -> Still:
    """The scene without bridge and vehicles; nobody draws on it but on copies."""
    panels = Image.new("RGB", view.size_px, p.PANEL)
    labels = Labels.on(panels, view.plot)
    _axes(labels, view)
    _materials(labels, level, view)
    _scale_bar(labels, view)
    for rock in level.rocks:
        for tip in rock.vertices:
            labels.mark(view.final(*tip), TIP_PX)
    for anchor in level.anchors:
        labels.mark(view.final(anchor.x, anchor.y), ANCHOR_PX)
    _scene_labels(labels, view, level)
    return Still(paint_scene(level, view), panels, labels)


def paint_scene(level: Level, view: View) -> Image.Image:
    """Sky, grid, water, ground, rocks, flag and anchors at the drawing size, without text."""
    scene = _sky(view.size_px, view.plot).copy()
    draw = ImageDraw.Draw(scene)
    _grid(draw, view, view.bottom_m, view.top_m, (p.GRID_FINE, p.GRID, p.GRID_STRONG))
    draw_water(draw, view, level)
    water_grid = (p.WATER_GRID_FINE, p.WATER_GRID, p.WATER_GRID_STRONG)
    _grid(draw, view, view.bottom_m, level.water_y - 1e-9, water_grid)
    edge = view.at(view.left_m, level.water_y)[1]
    draw.line((0, edge, view.size_px[0] * S, edge), fill=p.WATER_EDGE, width=2 * S)
    draw_ground(draw, view, level)
    draw_piers(draw, view, level)
    draw_rocks(scene, view, level)
    _flag(draw, view, level)
    for anchor in level.anchors:
        anchor_mark(draw, view, anchor.x, anchor.y)
    return scene


@lru_cache(maxsize=4)
def _sky(size_px: tuple[int, int], plot: Area) -> Image.Image:
    """The empty scene, paler towards the ground."""
    wide, high = size_px
    column = Image.new("RGB", (1, high * S))
    for y in range(high * S):
        share = (y - plot[1] * S) / ((plot[3] - plot[1]) * S)
        column.putpixel((0, y), p.mix(p.SKY_TOP, p.SKY_LOW, min(max(share, 0.0), 1.0)))
    return column.resize((wide * S, high * S), Image.Resampling.NEAREST)


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
    (px, py), top = view.at(x, y), view.at(x, y + FLAG_HIGH_M)[1]
    draw.line((px, py, px, top), fill=p.INK, width=3 * S)
    w, h = view.size(0.7), view.size(0.5)
    draw.polygon([(px, top), (px + w, top + h / 2), (px, top + h)], fill=p.FLAG)


def _axes(labels: Labels, view: View) -> None:
    """Ticks and labels in metres below and left of the plot."""
    every = 1 if view.px_per_m >= LABEL_EVERY_PX else 2
    draw, plot = labels.draw, view.plot
    for m in range(-40, 60):
        px, py = view.final(m, m)
        size = 6 if m % every == 0 else 3
        if view.left_m <= m <= view.right_m:
            draw.line((px, plot[3], px, plot[3] + size), fill=p.INK)
            if m % every == 0:
                labels.write((px, plot[3] + 8), str(m), 15, p.INK, "mt")
        if view.bottom_m <= m <= view.top_m:
            draw.line((plot[0] - size, py, plot[0], py), fill=p.INK)
            if m % every == 0:
                labels.write((plot[0] - 8, py), str(m), 15, p.INK, "rm")
    labels.write((plot[2], plot[3] + 27), "x and y in metres", 13, p.FAINT, "rt")


def _materials(labels: Labels, level: Level, view: View) -> None:
    """The toolbar at the bottom left: what may be used, with its limits."""
    x, y = float(LEFT_PX), view.size_px[1] - 26.0
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
    right, y = view.size_px[0] - RIGHT_PX - 8.0, view.size_px[1] - 30.0
    left = right - 2 * view.px_per_m
    labels.draw.line((left, y, right, y), fill=p.INK, width=2)
    for x in (left, right):
        labels.draw.line((x, y - 5, x, y + 5), fill=p.INK, width=2)
    labels.write(((left + right) / 2, y + 6), "2 m", 14, p.INK, "mt")


def _scene_labels(labels: Labels, view: View, level: Level) -> None:
    """Names and places of what must be met or kept clear of."""
    for a in level.anchors:
        side = ground_side(level, a)
        sides = [(side * s[0], -s[1]) for s in SIDES]
        text = f"{a.id} ({a.x:g}, {a.y:g})"
        labels.near(view.final(a.x, a.y), text, 14, p.BAD, 11.0, sides=sides)
    for rock in level.rocks:
        x = sum(v[0] for v in rock.vertices) / 3
        y = sum(v[1] for v in rock.vertices) / 3
        labels.write(
            view.final(x, y), "ROCK", 14, p.ROCK_EDGE, "mm", back=p.PANEL, within=view.plot
        )
        for vx, vy in rock.vertices:
            labels.near(view.final(vx, vy), f"({vx:g}, {vy:g})", 13, p.ROCK_EDGE, 11.0)
    for q in level.platforms:
        middle = view.final((q.x_start + q.x_end) / 2, (q.surface_y + view.bottom_m) / 2)
        labels.write(middle, "platform", 14, p.EARTH_EDGE, "mm", back=p.PANEL, within=view.plot)
    for pier in level.anchors:
        if pier.id in level.pier_anchor_ids:
            foot = view.final(pier.x, view.bottom_m + 0.8)
            labels.near(foot, "pier", 13, p.EARTH_EDGE)
    flag = (level.span_m + c.FLAG_OFFSET_M, level.rise_m)
    top = view.final(flag[0], flag[1] + FLAG_HIGH_M)
    labels.near(top, f"flag ({flag[0]:g}, {flag[1]:g})", 13, p.GOOD, 5.0, sides=ABOVE)
    for toe, side in ((level.left_bank_face[1], -1), (level.right_bank_face[1], 1)):
        text, around = f"({toe[0]:.4g}, {toe[1]:g})", ((side, -1), (side, 0), (-side, -1))
        labels.near(view.final(*toe), text, 13, p.EARTH_EDGE, sides=around)
    _water_label(labels, view, level)


def _water_label(labels: Labels, view: View, level: Level) -> None:
    """Where the water begins: written deep below, where the joints of a bridge need no room."""
    text = f"water: below y = {level.water_y:.4g}"
    y = view.final(0.0, view.bottom_m)[1] - 14
    for share in WATER_LABEL_AT:
        x = share * level.span_m
        ground = any(surface_below(level, x + dx) is not None for dx in (-1.8, 0.0, 1.8))
        if ground or any(_covers(rock, x) for rock in level.rocks):
            continue
        place = (view.final(x, 0.0)[0], y)
        if labels.write(place, text, 14, p.WATER_INK, "mb", within=view.plot, back=p.PANEL):
            return


def _covers(rock: Rock, x: float) -> bool:
    """Whether a label at x may lie over a rock."""
    xs = [vx for vx, _ in rock.vertices]
    return min(xs) - 1.5 < x < max(xs) + 1.5 and min(y for _, y in rock.vertices) < 0.0


def ground_side(level: Level, anchor: Anchor) -> int:
    """On which side of an anchor its label goes, -1 for the left.

    Into solid ground where there is some beside the anchor: the gap is the bridge's.
    """
    ground = surface_below(level, anchor.x - 0.3)
    return -1 if ground is not None and ground >= anchor.y - 1e-9 else 1


def anchor_mark(draw: ImageDraw.ImageDraw, view: View, x: float, y: float) -> None:
    """A native anchor: a red square, as in the game; joints are round."""
    px, py = view.at(x, y)
    r = ANCHOR_PX * S
    draw.rectangle((px - r, py - r, px + r, py + r), fill=p.ANCHOR, outline=p.INK, width=2 * S)
