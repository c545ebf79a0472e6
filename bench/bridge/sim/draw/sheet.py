"""Several pictures in one: contact sheets and animations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from bench.bridge.design import Design
from bench.bridge.level import Level
from bench.bridge.sim.draw.frame import draw_record
from bench.bridge.sim.draw.palette import INK, PANEL
from bench.bridge.sim.result import RECORD_HZ, SimResult

COLUMNS = 2
TILE = (800, 500)
CAPTION_PX = 34
GIF_SIZE = (640, 400)
GIF_FPS = 20
TAIL_S = 1.0
"""An animation stands still for this long at its end."""


def contact_sheet(images: Sequence[Image.Image], captions: Sequence[str]) -> Image.Image:
    """Pictures in reading order, two a row, each under its caption."""
    rows = -(-len(images) // COLUMNS)
    width, height = TILE
    sheet = Image.new("RGB", (COLUMNS * width, rows * (height + CAPTION_PX)), PANEL)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(22)
    for i, (image, caption) in enumerate(zip(images, captions, strict=True)):
        x, y = i % COLUMNS * width, i // COLUMNS * (height + CAPTION_PX)
        draw.text((x + 10, y + CAPTION_PX / 2), caption, font=font, fill=INK, anchor="lm")
        sheet.paste(image.resize(TILE, Image.Resampling.BOX), (x, y + CAPTION_PX))
    return sheet


def write_gif(
    path: Path, level: Level, design: Design, result: SimResult, *, limit_usd: float | None = None
) -> None:
    """Write an animation of the whole rollout, as fast as life."""
    step = RECORD_HZ // GIF_FPS
    rows = list(range(0, len(result.positions), step))
    if rows[-1] != len(result.positions) - 1:
        rows.append(len(result.positions) - 1)
    frames = []
    for row in rows:
        time_s = min(row / RECORD_HZ, result.end_s)
        picture = draw_record(level, design, result, row, time_s=time_s, name=level.name)
        small = picture.resize(GIF_SIZE, Image.Resampling.BOX, reducing_gap=2.0)
        frames.append(small.quantize(64, method=Image.Quantize.FASTOCTREE))
    pauses = [1000 // GIF_FPS] * (len(frames) - 1) + [round(1000 * TAIL_S)]
    frames[0].save(
        path, save_all=True, append_images=frames[1:], duration=pauses, loop=0, optimize=False
    )
