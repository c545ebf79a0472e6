"""Editor pictures: coordinates can be read off, nothing hidden shows, hostile input is cheap."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.level.files import load_all, load_level
from bench.bridge.level.level import Level
from bench.bridge.physics.draw import draw_editor
from bench.bridge.physics.draw import palette as p
from bench.bridge.physics.draw.bridge import clipped, pair_shifts
from bench.bridge.physics.draw.editor import editor_parts
from bench.bridge.physics.draw.ground import surface_below
from bench.bridge.physics.draw.scene import still_of
from bench.bridge.physics.draw.view import HEIGHT, PLOT, WIDTH, view_of
from tests_unit.support.factories import anchor_nodes, deck, flat_level, rock_level, warren
from tests_unit.support.factories import platform_level as island

WORST = ("T2F_Platform_12m_I4m", "T2K_RockAbove_14m_R3m", "T4C_Multi3_18m", "T1B_Basic_4m")
ALL = [f.level for f in load_all()]


def pixel(
    image: Image.Image, level: Level, x: float, y: float, design: Design | None = None
) -> tuple[int, ...]:
    px, py = view_of(level, design).final(x, y)
    colour = image.getpixel((round(px), round(py)))
    assert isinstance(colour, tuple)
    return colour


def near(a: tuple[int, ...], b: tuple[int, ...], most: int = 14) -> bool:
    return max(abs(i - j) for i, j in zip(a, b, strict=True)) <= most


def between(c: tuple[int, ...], a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(min(i, j) - 3 <= k <= max(i, j) + 3 for k, i, j in zip(c, a, b, strict=True))


@pytest.mark.parametrize("level", ALL, ids=lambda v: v.name)
def test_the_view_holds_the_scene_at_one_scale(level: Level) -> None:
    view = view_of(level)
    for x, y in [
        (-2.1 - 3.5 * (len(level.vehicle_weights_pg) - 1) - 1.3, 1.0),
        (level.span_m + 2.7, level.rise_m + 1.6),
        *((a.x, a.y) for a in level.anchors),
        *(v for rock in level.rocks for v in rock.vertices),
        (0.0, level.water_y),
        (level.span_m / 2, -5.0),
    ]:
        px, py = view.final(x, y)
        assert view.plot[0] <= px <= view.plot[2]
        assert view.plot[1] <= py <= view.plot[3]
        assert view.metres(px, py) == pytest.approx((x, y), abs=1e-9)
    (ax, ay), (bx, by) = view.final(0, 0), view.final(1, 1)
    assert bx - ax == pytest.approx(ay - by) == pytest.approx(view.px_per_m)
    assert view.px_per_m > 30


def test_a_high_bridge_is_shown_whole_and_a_hostile_one_changes_the_view_no_further() -> None:
    level = flat_level(8.0)
    tower = Design((*anchor_nodes(level), Node(9, 4.0, 9.3)), ())
    assert view_of(level, tower).top_m >= 9.8
    view = view_of(level, Design((Node(1, 0, 1000.0), Node(2, 0, -1000.0)), ()))
    assert (view.bottom_m, view.top_m) == pytest.approx((-9.0, 14.0))
    assert view_of(level, Design((), ())) == view_of(level) == view_of(level, deck(level))


@pytest.mark.parametrize("name", WORST)
def test_anchors_ground_water_and_sky_are_where_their_coordinates_say(name: str) -> None:
    level = load_level(name).level
    image = draw_editor(level, None, limit_usd=10_000)
    assert (image.size, image.mode) == (view_of(level).size_px, "RGB")
    for a in level.anchors:
        assert near(pixel(image, level, a.x, a.y), p.ANCHOR)
    assert near(pixel(image, level, -0.25, -1.0), p.EARTH)
    assert near(pixel(image, level, -0.25, -4.2), p.EARTH_DEEP)
    assert near(pixel(image, level, level.span_m + 0.25, level.rise_m - 1.0), p.EARTH)
    assert between(pixel(image, level, 0.26, level.water_y - 0.57), p.WATER, p.WATER_DEEP)
    assert between(pixel(image, level, 1.26, 2.27), p.SKY_TOP, p.SKY_LOW)


def test_a_sloping_bank_reaches_into_the_gap() -> None:
    level = load_level("T2D_SlantBank_12m_O2m").level
    image = draw_editor(level, None, limit_usd=10_000)
    # The face runs from (0, 0) through the anchor at (2, -3).
    assert near(pixel(image, level, 1.25, -2.1), p.EARTH)
    assert between(pixel(image, level, 1.25, -1.6), p.SKY_TOP, p.SKY_LOW)
    assert surface_below(level, 1.0) == pytest.approx(-1.5)
    assert surface_below(level, 10.5) == pytest.approx(-2.25)
    assert surface_below(level, 6.0) is None


def test_solid_ground_is_known_for_debris() -> None:
    level = island(16.0, 4.0, 0.5)
    assert [surface_below(level, x) for x in (-1.0, 3.0, 8.0, 17.0)] == [0.0, None, 0.5, 0.0]


def test_a_rock_a_platform_and_a_pier_cannot_be_taken_for_each_other() -> None:
    rock = rock_level(10.0, (5.0, 0.5))
    image = draw_editor(rock, None, limit_usd=10_000)
    inside = [pixel(image, rock, 5.0, y) for y in np.linspace(-2.7, -1.0, 60)]
    assert any(near(c, p.ROCK) for c in inside)
    assert any(near(c, p.ROCK_HATCH) for c in inside)
    platform = island()
    image = draw_editor(platform, None, limit_usd=10_000)
    assert near(pixel(image, platform, 8.0, -1.5), p.PLATFORM)
    pier = load_level("T1H_MidAnchor_14m_D3m").level
    image = draw_editor(pier, None, limit_usd=10_000)
    assert near(pixel(image, pier, 7.0, -4.6), p.PLATFORM_DEEP)
    assert between(pixel(image, pier, 6.25, -4.75), p.WATER, p.WATER_DEEP)


def test_vehicles_and_flag_stand_true_to_scale() -> None:
    level = flat_level(10.0, vehicles=(3.0, 6.0))
    image, labels = editor_parts(level, None, 9_000, None)
    for x in (-2.1, -5.6):
        for wheel in (x - 0.8, x + 0.8):
            assert near(pixel(image, level, wheel, 0.25), p.HUB)
            assert near(pixel(image, level, wheel, 0.07), p.WHEEL)
    assert near(pixel(image, level, -2.1, 0.42), p.VEHICLE)
    assert near(pixel(image, level, -5.6, 0.42), p.VEHICLE_MIDDLE)
    assert near(pixel(image, level, 12.2, 1.35), p.FLAG)
    assert {"3 PG", "6 PG"} <= {t.text for t in labels.texts}


def test_materials_are_told_by_colour_and_a_pair_by_lying_beside_each_other() -> None:
    level = flat_level(6.0)
    nodes = (*anchor_nodes(level), Node(5, 2.0, 2.0), Node(6, 4.0, 2.0))
    members = (Member(7, 2, 5, 6), Member(8, 3, 6, 5), Member(9, 2, 3, 5), Member(10, 3, 4, 6))
    design = Design(nodes, members)
    image = draw_editor(level, design, limit_usd=10_000)
    assert near(pixel(image, level, 1.0, 0.0, design), p.MATERIAL[2])
    assert near(pixel(image, level, 5.0, 0.0, design), p.MATERIAL[3])
    x, y = view_of(level, design).final(3.0, 2.0)
    column = [image.getpixel((round(x), round(y) + k)) for k in range(-9, 10)]
    assert any(near(c, p.MATERIAL[2]) for c in column)
    assert any(near(c, p.MATERIAL[3]) for c in column)
    # The second member runs the other way, so its shift has the same sign.
    assert pair_shifts(design)[0] == pair_shifts(design)[1] != 0.0
    assert pair_shifts(design)[2] == 0.0


def test_members_are_cut_at_the_edge_of_the_plot_and_keep_their_direction() -> None:
    far = clipped(((-4_000.0, 700.0), (8_000.0, 900.0)))
    assert far is not None
    for x, y in far:
        assert y == pytest.approx(700.0 + (x + 4_000.0) / 60.0)
        assert 0 < x < 2 * WIDTH
    assert clipped(((-900.0, 0.0), (-800.0, 900.0))) is None
    assert clipped(((500.0, 500.0), (600.0, 600.0))) == ((500.0, 500.0), (600.0, 600.0))


@pytest.mark.parametrize("level", ALL[::7], ids=lambda v: v.name)
def test_labels_never_overlap_and_all_anchors_have_one(level: Level) -> None:
    design = warren(level, 1.4)
    _, labels = editor_parts(level, design, 10_000, level.name)
    boxes = [t.box for t in labels.texts]
    for a, b in combinations(boxes, 2):
        assert not (a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]), (a, b)
    texts = [t.text for t in labels.texts]
    assert {f"{a.id} ({a.x:g}, {a.y:g})" for a in level.anchors} <= set(texts)
    ids = {str(n.id) for n in design.nodes if not n.is_anchor}
    assert len(ids & set(texts)) >= 0.8 * len(ids)
    assert {f"${design.cost_usd:,.2f}", level.name} <= set(texts)
    assert any(t.startswith("budget $10,000") for t in texts)


@pytest.mark.parametrize("level", ALL[::5], ids=lambda v: v.name)
def test_no_label_covers_an_anchor_or_the_tip_of_a_rock(level: Level) -> None:
    view = view_of(level)
    _, labels = editor_parts(level, None, 10_000, level.name)
    tips = [v for rock in level.rocks for v in rock.vertices]
    for place in [view.final(*v) for v in tips] + [view.final(a.x, a.y) for a in level.anchors]:
        for t in labels.texts:
            inside = t.box[0] < place[0] < t.box[2] and t.box[1] < place[1] < t.box[3]
            assert not inside, (t.text, place)


def test_what_a_level_has_no_anchor_for_has_coordinates_too() -> None:
    level = load_level("T2D_SlantBank_12m_O2m").level
    texts = {t.text for t in editor_parts(level, None, 10_000, None)[1].texts}
    # The face through (0, 0) and (2, -3) meets y = -5 at 10 / 3.
    wanted = {"(3.333, -5)", "(8.667, -5)", "flag (14, 0)", "water: below y = -1.7"}
    assert wanted <= texts


def test_a_wide_level_has_a_low_picture_in_place_of_an_empty_sky() -> None:
    wide = load_level("G5_PlatformClearanceR_Multi2_10m").level
    view = view_of(wide)
    assert view.size_px == (WIDTH, 486)
    assert 4.0 < view.top_m < 5.0
    high = load_level("T1B_Basic_4m").level
    assert view_of(high).size_px == (WIDTH, HEIGHT)


def test_axes_are_labelled_at_their_metres() -> None:
    level = load_level("T2F_Platform_12m_I4m").level
    _, labels = editor_parts(level, None, 10_000, None)
    view = view_of(level)
    below = {
        t.text: t.xy[0] for t in labels.texts if t.anchor == "mt" and t.xy[1] == view.plot[3] + 8
    }
    assert {"0", "10", "28"} <= set(below)
    assert all(
        x == pytest.approx(view.final(int(text), 0)[0], abs=0.51) for text, x in below.items()
    )
    beside = {t.text: t.xy[1] for t in labels.texts if t.anchor == "rm"}
    assert {"-5", "0", "4"} <= set(beside)
    assert all(
        y == pytest.approx(view.final(0, int(text))[1], abs=0.51) for text, y in beside.items()
    )


def test_only_the_materials_of_the_profile_are_listed() -> None:
    level = flat_level(material_profile="road_wood_only")
    _, labels = editor_parts(level, None, 10_000, None)
    text = " ".join(t.text for t in labels.texts)
    assert "1 Road: max 2 m, $200/m, 900 PN" in text
    assert "2 Wood: max 2 m, $180/m, 800 PN" in text
    assert "Steel" not in text


def test_the_name_can_be_hidden_or_replaced() -> None:
    level = load_level("T1B_Basic_8m").level
    own = draw_editor(level, None, limit_usd=9000)
    hidden = draw_editor(level, None, limit_usd=9000, show_name=False)
    other = draw_editor(level, None, limit_usd=9000, name="level-1f3a")
    assert len({i.tobytes() for i in (own, hidden, other)}) == 3
    renamed = draw_editor(replace(level, name="X"), None, limit_usd=9000, name="level-1f3a")
    assert renamed.tobytes() == other.tobytes()


def test_drawing_again_gives_the_same_bytes() -> None:
    level = load_level("T2K_RockAbove_14m_R3m").level
    first = draw_editor(level, warren(level), limit_usd=9000).tobytes()
    assert draw_editor(level, warren(level), limit_usd=9000).tobytes() == first
    still_of.cache_clear()
    assert draw_editor(level, warren(level), limit_usd=9000).tobytes() == first


def test_drawing_a_design_leaves_the_cached_scene_as_it_was() -> None:
    level = flat_level(8.0)
    empty = draw_editor(level, None, limit_usd=9000).tobytes()
    assert draw_editor(level, warren(level), limit_usd=9000).tobytes() != empty
    assert draw_editor(level, None, limit_usd=9000).tobytes() == empty


@pytest.mark.parametrize("x", [1e3, -1e3, 0.0])
def test_hostile_designs_cost_little_and_stay_in_the_plot(x: float) -> None:
    nodes = tuple(Node(i + 1, x + i * 0.3, (i % 7) - 1000.0 * (i % 2)) for i in range(1000))
    members = tuple(
        Member(2000 + i, 1 + i % 5, 1 + i % 1000, 1 + (i * 7) % 1100) for i in range(2000)
    )
    level = flat_level(8.0, name="\u202e\U0001f600\n" * 150)
    still = np.asarray(draw_editor(level, Design(nodes[:7], ()), limit_usd=1.0))
    begin = time.process_time()
    image = np.asarray(draw_editor(level, Design(nodes, members), limit_usd=1.0))
    assert time.process_time() - begin < 3.0
    # Panels are the same but for cost and budget in the top one.
    assert image.shape == still.shape == (HEIGHT, WIDTH, 3)
    assert (image[PLOT[3] + 30 :] == still[PLOT[3] + 30 :]).all()


def test_a_name_of_any_length_and_script_is_cut_to_its_room() -> None:
    for name in ("x" * 300, "\u202e\u4e2d\U0001f600\n\t" * 60, "", "   "):
        _, labels = editor_parts(flat_level(), None, 9_000, name)
        titles = [t for t in labels.texts if t.size == 19]
        assert all(t.box[2] < WIDTH / 2 - 100 for t in titles)
        assert all(t.text.isprintable() for t in titles)
