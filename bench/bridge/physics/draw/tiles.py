"""The contact sheet of a simulation: a few frames, cropped and labelled to be read when small.

Vision models get a picture whose short side is 768 px: the sheet of four frames is drawn at that
size, so that nothing is shrunk, and no text on it is smaller than TEXT_PX.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from bench.bridge.design.design import Design
from bench.bridge.level.level import BOTTOM_Y_M, Level
from bench.bridge.physics.draw import palette as p
from bench.bridge.physics.draw.editor import MOST_NODE_LABELS, node_labels, weight_label
from bench.bridge.physics.draw.frame import draw_state, vehicles_at
from bench.bridge.physics.draw.labels import Labels
from bench.bridge.physics.draw.scene import ANCHOR_PX, ground_side, paint_scene
from bench.bridge.physics.draw.view import HIGHEST_M, LOWEST_M, SUPERSAMPLE, Box, View, fitted
from bench.bridge.physics.result import FRAME_HZ, SimResult

S = SUPERSAMPLE
COLUMNS = 2
TILE = (760, 354)
"""Most pixels of a tile with its caption; a wide scene takes less of the height."""
LEAST_HIGH_PX = 200
CAPTION_PX, AXIS_PX = 32, 28
GAP_PX = 8
HEADER_PX = 44
TEXT_PX = 20
TICK_M = 5
SIDE_M, ABOVE_M, BELOW_M = 1.5, 0.7, 0.6
"""Air around what a tile shows."""
LABEL_M = 0.7
"""Room below the lowest anchor for its id."""
BODY_M = (1.4, 1.9)
"""How far a vehicle and its label reach sideways and up from its centre."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One frame of the sheet: its index, the record that it shows, and its caption."""

    index: int
    record: int
    caption: str
    is_end: bool


def draw_sheet(
    level: Level,
    design: Design,
    result: SimResult,
    frames: Sequence[int],
    *,
    forces: bool = True,
) -> Image.Image:
    """The frames in reading order, two a row, under one header, RGB, 1536 px wide.

    Four frames are 768 px high at most. All tiles have one view, cropped to the bridge and the
    vehicles in the frames shown. `forces` colours members by force over strength, else they have
    the colours of their materials.
    """
    return sheet_parts(level, design, result, frames, forces=forces)[0]


def sheet_parts(
    level: Level,
    design: Design,
    result: SimResult,
    frames: Sequence[int],
    *,
    forces: bool = True,
) -> tuple[Image.Image, list[Labels]]:
    """The contact sheet, and the labels of its header and of each tile."""
    shown = [_shown(result, k) for k in frames]
    view = _view(level, design, result, [s.record for s in shown])
    scene = paint_scene(level, view)
    wide, high = view.size_px
    columns = min(COLUMNS, len(shown))
    rows = -(-len(shown) // columns)
    size = (columns * (wide + GAP_PX), HEADER_PX + rows * (high + GAP_PX))
    sheet = Image.new("RGB", size, p.PANEL)
    labels = [_header(sheet, level, forces=forces)]
    for i, frame in enumerate(shown):
        tile, text = _tile(scene.copy(), view, level, design, result, frame, forces=forces)
        x, y = (
            GAP_PX // 2 + i % columns * (wide + GAP_PX),
            HEADER_PX + i // columns * (high + GAP_PX),
        )
        sheet.paste(tile, (x, y))
        labels.append(text)
    return sheet, labels


def _shown(result: SimResult, index: int) -> Shown:
    time_s = index / FRAME_HZ
    is_end = time_s >= result.end_s
    # After the end the last state stands still: it is the time of the end that the tile shows.
    time = f"{result.end_s:.2f} s, end" if is_end else f"{time_s:.2f} s"
    return Shown(index, result.record_of_frame(index), f"frame {index}: {time}", is_end)


def _view(level: Level, design: Design, result: SimResult, records: Sequence[int]) -> View:
    """One crop for all tiles: anchors, nodes as designed and as shown, vehicles, water line."""
    xs, ys = [0.0, level.span_m], [level.water_y - BELOW_M]
    ys += [y for a in level.anchors for y in (a.y - LABEL_M, a.y + 0.2)]
    xs += [a.x for a in level.anchors] + [n.x for n in design.nodes]
    ys += [n.y for n in design.nodes]
    used = {m.a for m in design.members} | {m.b for m in design.members}
    rows = [i for i, n in enumerate(design.nodes) if n.id in used]
    for record in records:
        for x, y in result.positions[record][rows].tolist():
            xs.append(x)
            ys.append(y)
        for (x, y, _), _ in vehicles_at(level, result, record):
            xs += [x - BODY_M[0], x + BODY_M[0]]
            ys += [y - 0.5, y + BODY_M[1]]
    left = max(min(xs), -12.0) - SIDE_M
    right = min(max(xs), level.span_m + 4.0) + SIDE_M
    bottom = max(min(ys), LOWEST_M, BOTTOM_Y_M - 0.5) - BELOW_M
    top = min(max(ys), HIGHEST_M) + ABOVE_M
    high = CAPTION_PX + AXIS_PX + math.ceil(TILE[0] * (top - bottom) / (right - left))
    size = (TILE[0], min(max(high, LEAST_HIGH_PX), TILE[1]))
    box: Box = (left, bottom, right, top)
    return fitted(box, (0, CAPTION_PX, size[0], size[1] - AXIS_PX), size)


def _tile(
    scene: Image.Image,
    view: View,
    level: Level,
    design: Design,
    result: SimResult,
    frame: Shown,
    *,
    forces: bool,
) -> tuple[Image.Image, Labels]:
    """One frame: the state in the scene, then the text."""
    draw_state(ImageDraw.Draw(scene), view, level, design, result, frame.record, forces=forces)
    tile = scene.reduce(S)
    labels = Labels.on(tile, view.plot)
    _caption(labels, view, frame, result)
    for pose, weight in vehicles_at(level, result, frame.record):
        weight_label(labels, view, pose, weight, TEXT_PX)
    for anchor in level.anchors:
        labels.mark(view.final(anchor.x, anchor.y), ANCHOR_PX)
    for anchor in level.anchors:
        side = ground_side(level, anchor)
        sides = ((side, 1), (side, -1), (side, 0))
        place = view.final(anchor.x, anchor.y)
        labels.near(place, str(anchor.id), TEXT_PX, p.BAD, 11.0, sides=sides)
    _ticks(labels, view)
    if len(design.nodes) <= MOST_NODE_LABELS:
        node_labels(labels, view, design, _places(design, result, frame.record), TEXT_PX)
    edge = (0, 0, view.size_px[0] - 1, view.size_px[1] - 1)
    labels.draw.rectangle(edge, outline=p.FAINT)
    return tile, labels


def _caption(labels: Labels, view: View, frame: Shown, result: SimResult) -> None:
    """A strip above the scene: which frame this is, marked where it shows the end."""
    colour, back = p.INK, p.PANEL
    if frame.is_end:
        colour, back = p.NODE, p.GOOD if result.success else p.BAD
    labels.draw.rectangle((0, 0, view.size_px[0], CAPTION_PX), fill=back)
    labels.write((10, CAPTION_PX // 2), frame.caption, 24, colour, "lm")


def _places(design: Design, result: SimResult, record: int) -> dict[int, tuple[float, float]]:
    """Where the nodes are that a living member still holds, in metres."""
    alive = result.alive[record].tolist()
    held = {key for m, on in zip(design.members, alive, strict=True) if on for key in (m.a, m.b)}
    rows = zip(design.nodes, result.positions[record].tolist(), strict=True)
    return {n.id: (x, y) for n, (x, y) in rows if n.id in held}


def _ticks(labels: Labels, view: View) -> None:
    """A strip below the scene: metres along x, every five of them."""
    wide, high = view.size_px
    axis = view.plot[3]
    labels.draw.rectangle((0, axis, wide, high), fill=p.PANEL)
    for m in range(-10, 60, TICK_M):
        px, _ = view.final(m, 0.0)
        if view.left_m <= m <= view.right_m:
            place, within = (px, axis + 17), (0, axis, wide, high + 4)
            if labels.write(place, f"{m} m", TEXT_PX, p.INK, "mm", within=within):
                labels.draw.line((px, axis, px, axis + 5), fill=p.INK, width=2)


def _header(sheet: Image.Image, level: Level, *, forces: bool) -> Labels:
    """What the colours mean."""
    labels, middle = Labels.on(sheet), HEADER_PX / 2
    x = 12.0

    def write(text: str) -> float:
        labels.write((x, middle), text, TEXT_PX, p.INK, "lm", within=(0, 0, *sheet.size))
        return labels.texts[-1].box[2] + 12 if labels.texts else x

    if forces:
        x = write("force / strength:  0%")
        for i in range(200):
            colour = p.utilisation_colour(i / 199)
            labels.draw.line((x + i, 12, x + i, HEADER_PX - 12), fill=colour)
        labels.draw.rectangle((x - 1, 11, x + 200, HEADER_PX - 11), outline=p.INK)
        x += 212
        x = write("100% (breaks)") + 16
    else:
        for m in level.materials:
            _swatch(labels.draw, x, p.MATERIAL[m.type])
            x += 40
            x = write(m.name) + 16
    _swatch(labels.draw, x, p.DEBRIS)
    x += 40
    x = write("broken") + 16
    write("numbers: node ids (anchors red); metres along x")
    return labels


def _swatch(draw: ImageDraw.ImageDraw, x: float, colour: p.Colour) -> None:
    draw.rectangle((x, 14, x + 30, HEADER_PX - 14), fill=colour, outline=p.INK)
