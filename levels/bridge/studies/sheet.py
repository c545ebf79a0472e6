"""`python -m levels sheet`: one picture of all levels for people to look at, a family a row.

Writes `docs/levels/levels.png`; with `--references`, the same with each level's reference design
(those that exist) in `docs/levels/references.png`. What a level looks like is up to the editor
picture; this module shrinks and arranges.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from bench.bridge.design.design import Design
from bench.bridge.level.files import LevelFile, load_all

DOCS = Path(__file__).resolve().parents[3] / "docs" / "bridge" / "levels"

THUMBNAIL = (256, 160)
CAPTION_HEIGHT = 14
LABEL_WIDTH = 52
MARGIN = 4
ANCHOR_RADIUS = 3
PAPER, INK, ANCHOR = (255, 255, 255), (40, 40, 40), (200, 30, 30)
PALETTE_COLOURS = 256
"""A sheet is looked at, not measured; a palette makes the file a quarter of the size."""


def thumbnail(level_file: LevelFile, design: Design | None) -> Image.Image:
    """The editor picture of a level, shrunk; its anchors are marked again, or none is seen."""
    from bench.bridge.physics.draw import draw_editor
    from bench.bridge.physics.draw.view import view_of

    level = level_file.level
    large = draw_editor(level, design, limit_usd=level.strict_limit_usd)
    shrink = THUMBNAIL[0] / large.width
    size = (THUMBNAIL[0], round(large.height * shrink))
    small = Image.new("RGB", THUMBNAIL, PAPER)
    small.paste(large.resize(size, Image.Resampling.LANCZOS))
    pen, view = ImageDraw.Draw(small), view_of(level, design)
    for anchor in level.anchors:
        x, y = (pixel * shrink for pixel in view.final(anchor.x, anchor.y))
        pen.circle((x, y), ANCHOR_RADIUS, fill=ANCHOR, outline=PAPER)
    return small


def sheet(rows: Mapping[str, Sequence[tuple[str, Image.Image]]]) -> Image.Image:
    """Thumbnails in rows: label -> (caption, picture) from left to right."""
    columns = max(len(row) for row in rows.values())
    cell_width, cell_height = THUMBNAIL[0] + MARGIN, THUMBNAIL[1] + CAPTION_HEIGHT + MARGIN
    size = (LABEL_WIDTH + columns * cell_width, MARGIN + len(rows) * cell_height)
    page = Image.new("RGB", size, PAPER)
    pen = ImageDraw.Draw(page)
    small, large = ImageFont.load_default(11), ImageFont.load_default(20)
    for i, (label, row) in enumerate(rows.items()):
        y = MARGIN + i * cell_height
        pen.text((MARGIN, y + THUMBNAIL[1] // 2), label, INK, font=large)
        for j, (caption, picture) in enumerate(row):
            x = LABEL_WIDTH + j * cell_width
            page.paste(picture, (x, y))
            pen.text((x + 2, y + THUMBNAIL[1]), caption, INK, font=small)
    return page


def rows_by_family(
    levels: Sequence[LevelFile], pictures: Sequence[Image.Image]
) -> dict[str, list[tuple[str, Image.Image]]]:
    """The pictures with their levels' names, one row a family, in the levels' order."""
    rows: dict[str, list[tuple[str, Image.Image]]] = {}
    for level_file, picture in zip(levels, pictures, strict=True):
        rows.setdefault(level_file.metadata.family, []).append((level_file.name, picture))
    return rows


def thumbnails(
    levels: Sequence[LevelFile], designs: Mapping[str, Design], jobs: int
) -> Iterator[Image.Image]:
    """One thumbnail a level, in order, drawn by `jobs` processes."""
    wanted = [designs.get(level_file.name) for level_file in levels]
    if jobs == 1:
        return map(thumbnail, levels, wanted)
    with ProcessPoolExecutor(jobs) as pool:
        return iter(list(pool.map(thumbnail, levels, wanted, chunksize=8)))


def save(page: Image.Image, path: Path) -> None:
    """Write the sheet as a small PNG."""
    path.parent.mkdir(parents=True, exist_ok=True)
    page.quantize(PALETTE_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        path, optimize=True
    )


def references(levels: Sequence[LevelFile]) -> dict[str, Design]:
    """The reference designs that exist, by level name."""
    from levels.bridge.search.store import load

    stored = {level_file.name: load(level_file.name) for level_file in levels}
    return {name: reference.design for name, reference in stored.items() if reference is not None}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m levels sheet", description=__doc__)
    parser.add_argument("--references", action="store_true", help="with the reference designs")
    parser.add_argument("--out", type=Path, default=None, help="the picture's file")
    parser.add_argument("--jobs", type=int, default=2, help="processes that draw")
    options = parser.parse_args(argv)
    out = options.out or DOCS / ("references.png" if options.references else "levels.png")
    levels = load_all()
    designs = references(levels) if options.references else {}
    save(sheet(rows_by_family(levels, list(thumbnails(levels, designs, options.jobs)))), out)
    shown = f", {len(designs)} with a reference," if options.references else ""
    print(f"{len(levels)} levels{shown} on {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
