"""The contact sheet of all levels: every level is on it, in its family's row."""

from __future__ import annotations

import pytest
from PIL import Image

from bench.bridge.level.files import load_all
from bench.bridge.physics.draw.view import WIDTH, view_of
from levels.bridge.studies.sheet import (
    ANCHOR,
    CAPTION_HEIGHT,
    LABEL_WIDTH,
    MARGIN,
    THUMBNAIL,
    rows_by_family,
    save,
    sheet,
    thumbnail,
)


def plain(colour: tuple[int, int, int]) -> Image.Image:
    return Image.new("RGB", THUMBNAIL, colour)


def centre(row: int, column: int) -> tuple[int, int]:
    width, height = THUMBNAIL
    x = LABEL_WIDTH + column * (width + MARGIN) + width // 2
    return x, MARGIN + row * (height + CAPTION_HEIGHT + MARGIN) + height // 2


def test_each_picture_is_in_the_place_of_its_row_and_column():
    red, green, blue = (255, 0, 0), (0, 255, 0), (0, 0, 255)
    page = sheet({"T1B": [("a", plain(red)), ("b", plain(green))], "G1": [("c", plain(blue))]})
    assert page.getpixel(centre(0, 0)) == red
    assert page.getpixel(centre(0, 1)) == green
    assert page.getpixel(centre(1, 0)) == blue
    assert page.getpixel(centre(1, 1)) == (255, 255, 255)
    assert page.width == LABEL_WIDTH + 2 * (THUMBNAIL[0] + MARGIN)


def test_rows_are_families_in_catalogue_order_and_hold_all_levels():
    levels = load_all()
    rows = rows_by_family(levels, [plain((0, 0, 0))] * len(levels))
    assert list(rows) == list(dict.fromkeys(level.metadata.family for level in levels))
    assert [name for row in rows.values() for name, _ in row] == [level.name for level in levels]
    assert all(name.startswith(f"{family}_") for family, row in rows.items() for name, _ in row)


def test_a_thumbnail_is_a_shrunk_picture_of_its_own_level():
    levels = {level.name: level for level in load_all()}
    rock = thumbnail(levels["T2K_RockAbove_10m_R3m"], None)
    plain_gap = thumbnail(levels["T1B_Basic_10m"], None)
    assert rock.size == plain_gap.size == THUMBNAIL
    view = view_of(levels["T2K_RockAbove_10m_R3m"].level)
    shrink = THUMBNAIL[0] / WIDTH
    inside = tuple(round(pixel * shrink) for pixel in view.final(0.8, 7.0))  # rock, or sky
    (rock_r, _, rock_b), (water_r, _, water_b) = (
        picture.getpixel(inside) for picture in (rock, plain_gap)
    )
    assert water_b > water_r + 8
    assert abs(rock_b - rock_r) < 40


def test_a_thumbnail_marks_every_anchor():
    levels = {level.name: level for level in load_all()}

    def red_pixels(name: str) -> int:
        pixels = thumbnail(levels[name], None).get_flattened_data()
        return sum(pixel == ANCHOR for pixel in pixels)

    two, three, four = map(red_pixels, ("T1D_DeckOnly_8m", "T1E_OneSideL_8m", "T1B_Basic_8m"))
    assert two > 20
    assert three == pytest.approx(1.5 * two, rel=0.15)
    assert four == pytest.approx(2 * two, rel=0.15)


def test_a_saved_sheet_keeps_its_colours_apart(tmp_path):
    path = tmp_path / "new" / "sheet.png"
    save(sheet({"T1B": [("a", plain((200, 30, 30))), ("b", plain((30, 30, 200)))]}), path)
    page = Image.open(path).convert("RGB")
    assert page.getpixel(centre(0, 0)) == pytest.approx((200, 30, 30), abs=4)
    assert page.getpixel(centre(0, 1)) == pytest.approx((30, 30, 200), abs=4)
