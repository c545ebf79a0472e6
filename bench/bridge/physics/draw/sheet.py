"""Several pictures in one: contact sheets and animations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from bench.bridge.design.design import Design
from bench.bridge.level.level import Level
from bench.bridge.physics.draw.frame import draw_record
from bench.bridge.physics.draw.palette import (
    ANCHOR,
    BAD,
    FAINT,
    FLAG,
    GOOD,
    INK,
    MATERIAL,
    PANEL,
    VEHICLE,
    font,
    utilisation_colour,
)
from bench.bridge.physics.result import RECORD_HZ, SimResult

COLUMNS = 2
TILE = (800, 500)
GAP_PX = 8
CAPTION_PX = 44
"""With it, a sheet of four is 1,104 px high; its captions have 20 px when that becomes 768."""
GIF_FPS = 10
GIF_COLOURS = 255
TAIL_S = 1.5
"""An animation stands still for this long at its end."""


def contact_sheet(images: Sequence[Image.Image], captions: Sequence[str]) -> Image.Image:
    """Pictures in reading order, two a row, each under its caption, RGB.

    Raises ValueError when there are not as many captions as pictures.
    """
    rows = max(1, -(-len(images) // COLUMNS))
    wide, high = TILE[0] + GAP_PX, TILE[1] + CAPTION_PX + GAP_PX
    sheet = Image.new("RGB", (COLUMNS * wide + GAP_PX, rows * high), PANEL)
    draw = ImageDraw.Draw(sheet)
    for i, (image, caption) in enumerate(zip(images, captions, strict=True)):
        x, y = GAP_PX + i % COLUMNS * wide, i // COLUMNS * high
        middle = y + CAPTION_PX / 2
        draw.text((x + 6, middle), caption, INK, font(30), "lm")
        sheet.paste(image.resize(TILE, Image.Resampling.HAMMING), (x, y + CAPTION_PX))
        edge = (x, y + CAPTION_PX, x + TILE[0] - 1, y + CAPTION_PX + TILE[1] - 1)
        draw.rectangle(edge, outline=FAINT)
    return sheet


def write_gif(path: Path, level: Level, design: Design, result: SimResult) -> None:
    """Write an animation of the whole rollout, as fast as life. Raises OSError."""
    step = RECORD_HZ // GIF_FPS
    last = len(result.positions) - 1
    rows = [*range(0, last, step), last]
    pictures = []
    for row in rows:
        # The last record is the decision itself, which need not fall on a record's time.
        time_s = result.end_s if row == last else row / RECORD_HZ
        picture = draw_record(level, design, result, row, time_s=time_s, name=level.name)
        pictures.append(picture.reduce(2))
    # One palette without dithering: what stands still stays equal, and is not stored again.
    palette = _shared_palette(pictures[0], pictures[-1])
    frames = [q.quantize(palette=palette, dither=Image.Dither.NONE) for q in pictures]
    pauses = [1000 // GIF_FPS] * (len(frames) - 1) + [round(1000 * TAIL_S)]
    frames[0].save(
        path, save_all=True, append_images=frames[1:], duration=pauses, loop=0, optimize=True
    )


def _shared_palette(first: Image.Image, last: Image.Image) -> Image.Image:
    """A palette for both pictures in which small but telling colours keep a place of their own."""
    wide, high = first.size
    mosaic = Image.new("RGB", (wide, 3 * high), PANEL)
    mosaic.paste(first, (0, 0))
    mosaic.paste(last, (0, high))
    telling = [utilisation_colour(i / 23) for i in range(24)]
    telling += [ANCHOR, VEHICLE, FLAG, GOOD, BAD, *MATERIAL.values()]
    for i, colour in enumerate(telling):
        mosaic.paste(colour, (i * wide // len(telling), 2 * high, wide, 3 * high))
    return mosaic.quantize(GIF_COLOURS, Image.Quantize.MEDIANCUT)
