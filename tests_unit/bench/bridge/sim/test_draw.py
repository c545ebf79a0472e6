"""Pictures: coordinates can be read off, labels never overlap, hostile designs cost nothing."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from bench.bridge.design import Design, Member, Node
from bench.bridge.level import Level
from bench.bridge.level_files import load_all, load_level
from bench.bridge.sim.draw import contact_sheet, draw_editor, draw_frame, write_gif
from bench.bridge.sim.draw import palette as p
from bench.bridge.sim.draw.bridge import pair_shifts
from bench.bridge.sim.draw.editor import draw_editor_with_labels
from bench.bridge.sim.draw.labels import Labels, overlap
from bench.bridge.sim.draw.scene import background
from bench.bridge.sim.draw.view import HEIGHT, WIDTH, view_of
from bench.bridge.sim.engine import simulate
from tests_unit.bench.bridge.sim.cases import calibration
from tests_unit.bench.bridge.sim.random_designs import warren

WORST = ("T2F_Platform_12m_I4m", "T2K_RockAbove_14m_R3m", "T4C_Multi3_18m", "T1B_Basic_4m")


def case(name: str):
    return next(c for c in calibration() if c.name == name)


def pixel(image: Image.Image, level: Level, x: float, y: float) -> tuple[int, ...]:
    px, py = view_of(level).final(x, y)
    return image.getpixel((round(px), round(py)))


def near(a: tuple[int, ...], b: tuple[int, ...], most: int = 12) -> bool:
    return max(abs(i - j) for i, j in zip(a, b, strict=True)) <= most


@pytest.mark.parametrize("name", WORST)
def test_anchors_ground_water_and_sky_are_where_their_coordinates_say(name: str) -> None:
    level = load_level(name).level
    image = draw_editor(level, None, limit_usd=10_000)
    assert image.size == (WIDTH, HEIGHT)
    assert image.mode == "RGB"
    for a in level.anchors:
        assert near(pixel(image, level, a.x, a.y), p.ANCHOR)
    assert near(pixel(image, level, -0.5, -3.5), p.EARTH)
    assert near(pixel(image, level, level.span_m + 0.5, level.rise_m - 3.5), p.EARTH)
    assert near(pixel(image, level, 0.52, level.water_y - 0.43), p.WATER)
    assert near(pixel(image, level, level.span_m / 2 + 0.4, 2.4), p.SKY) or level.rocks


def test_a_sloping_bank_reaches_into_the_gap() -> None:
    level = load_level("T2D_SlantBank_12m_O2m").level
    image = draw_editor(level, None, limit_usd=10_000)
    assert near(pixel(image, level, 1.5, -4.4), p.EARTH)
    assert not near(pixel(image, level, 1.5, -1.4), p.EARTH)


def test_a_rock_and_a_platform_are_drawn_where_nothing_may_or_can_be_built() -> None:
    level = load_level("G5_PlatformClearanceL_Light_8m").level
    image = draw_editor(level, None, limit_usd=10_000)
    assert near(pixel(image, level, 11.5, -3.4), p.PLATFORM)
    rock = level.rocks[0].vertices
    x = sum(v[0] for v in rock) / 3
    inside = [pixel(image, level, x, y) for y in np.linspace(-4.5, -3.9, 30)]
    assert any(near(c, p.ROCK, 40) for c in inside)


@pytest.mark.parametrize("name", [f.name for f in load_all()][::9])
def test_labels_never_overlap(name: str) -> None:
    level = load_level(name).level
    design = warren(1, level.span_m) if not level.rise_m else None
    _, boxes = draw_editor_with_labels(level, design, limit_usd=10_000)
    assert len(boxes) > 20
    assert not [(a, b) for a, b in combinations(boxes, 2) if overlap(a, b)]


def test_a_label_is_moved_or_left_out_rather_than_put_over_another() -> None:
    labels = Labels(ImageDraw.Draw(Image.new("RGB", (WIDTH * 2, HEIGHT * 2))))
    placed = sum(labels.near((400, 400), f"label {i}") for i in range(40))
    assert 4 <= placed < 40
    assert not any(overlap(a, b) for a, b in combinations(labels.boxes, 2))


def test_utilisation_colours_get_lighter_all_the_way() -> None:
    light = [
        0.2126 * r + 0.7152 * g + 0.0722 * b
        for r, g, b in (p.utilisation_colour(u) for u in np.linspace(0, 1, 40))
    ]
    assert all(b > a for a, b in pairwise(light))
    assert p.utilisation_colour(7.0) == p.utilisation_colour(1.0)


def test_the_two_members_of_a_pair_lie_beside_each_other() -> None:
    nodes = (Node(1, 0, 0, True), Node(2, 2, 0))
    shifts = pair_shifts(Design(nodes, (Member(3, 1, 1, 2), Member(4, 2, 2, 1))))
    assert shifts[0] == shifts[1] != 0.0  # the second runs the other way, so it moves oppositely
    assert pair_shifts(Design(nodes, (Member(3, 1, 1, 2),))) == [0.0]


def test_the_name_can_be_hidden_or_replaced() -> None:
    level = load_level("T1B_Basic_8m").level
    own = draw_editor(level, None, limit_usd=9000)
    hidden = draw_editor(level, None, limit_usd=9000, show_name=False)
    other = draw_editor(level, None, limit_usd=9000, name="level-1f3a")
    assert len({i.tobytes() for i in (own, hidden, other)}) == 3
    renamed = draw_editor(replace(level, name="X"), None, limit_usd=9000, name="level-1f3a")
    assert renamed.tobytes() == other.tobytes()


def test_drawing_again_gives_the_same_bytes() -> None:
    c = case("mechanism_8m")
    result = simulate(c.level, c.design)
    first = [draw_frame(c.level, c.design, result, k).tobytes() for k in (0, 3, 9, 47)]
    background.cache_clear()
    assert first == [draw_frame(c.level, c.design, result, k).tobytes() for k in (0, 3, 9, 47)]
    assert len(set(first)) == 4


def test_frames_show_strain_debris_and_the_verdict() -> None:
    c = case("multi2_21wood_6steel_a")
    result = simulate(c.level, c.design)
    before, after = (np.asarray(draw_frame(c.level, c.design, result, k)) for k in (12, 17))
    verdict = np.array(p.BAD)
    assert not (before == verdict).all(axis=2).any() or (after == verdict).all(axis=2).sum() > 2000
    debris = np.asarray(draw_frame(c.level, c.design, result, 14))
    assert (debris != before).any()


@pytest.mark.parametrize("x", [1e3, -1e3, 0.0])
def test_hostile_designs_cost_little(x: float) -> None:
    nodes = tuple(Node(i + 1, x + i * 0.3, (i % 7) - 1000.0 * (i % 2)) for i in range(1000))
    members = tuple(Member(2000 + i, 1 + i % 5, 1 + i % 1000, 1 + (i * 7) % 1000)
                    for i in range(2000))  # fmt: skip
    level = replace(load_level("T1B_Basic_8m").level, name="\u202e\U0001f600" * 150)
    begin = time.perf_counter()
    image = draw_editor(level, Design(nodes, members), limit_usd=1.0)
    assert image.size == (WIDTH, HEIGHT)
    assert time.perf_counter() - begin < 5.0


@pytest.mark.slow
def test_drawing_is_fast() -> None:
    """25 ms an editor picture and 1 s for 48 frames, in processor time of one core."""
    c = case("multi2_27steel_a")
    result = simulate(c.level, c.design)
    draw_editor(c.level, c.design, limit_usd=9000)
    begin = time.process_time()
    for _ in range(10):
        draw_editor(c.level, c.design, limit_usd=9000)
    assert (time.process_time() - begin) / 10 < 0.025
    begin = time.process_time()
    for k in range(48):
        draw_frame(c.level, c.design, result, k)
    assert time.process_time() - begin < 1.0


def test_contact_sheets_hold_every_picture_and_animations_play(tmp_path: Path) -> None:
    colours = [(200, 0, 0), (0, 200, 0), (0, 0, 200), (200, 200, 0)]
    images = [Image.new("RGB", (WIDTH, HEIGHT), c) for c in colours]
    sheet = contact_sheet(images, ["a", "b", "c", "d"])
    found = [sheet.getpixel((x, y)) for y in (300, 834) for x in (400, 1200)]
    assert found == colours
    c = case("mechanism_8m")
    result = simulate(c.level, c.design)
    write_gif(tmp_path / "out.gif", c.level, c.design, result)
    with Image.open(tmp_path / "out.gif") as gif:
        assert gif.n_frames == pytest.approx(result.end_s * 20, abs=3)
