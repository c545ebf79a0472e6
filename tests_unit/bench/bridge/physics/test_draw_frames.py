"""Rollout frames, contact sheets and animations."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.level.level import Level
from bench.bridge.physics.draw import contact_sheet, draw_frame, draw_record, write_gif
from bench.bridge.physics.draw import palette as p
from bench.bridge.physics.draw.fall import pieces, vehicle_splashes
from bench.bridge.physics.draw.frame import LEGEND_PX, VERDICT_PX
from bench.bridge.physics.draw.scene import still_of
from bench.bridge.physics.draw.view import HEIGHT, PLOT, WIDTH, view_of
from bench.bridge.physics.engine import simulate
from bench.bridge.physics.result import Ending, SimResult
from tests_unit.bench.bridge.physics.cases import calibration
from tests_unit.support.factories import anchor_nodes, flat_level


def scene() -> tuple[Level, Design]:
    """A 6 m gap with one wooden member at y = 3 from x = 2 to 4, held by two fixed nodes."""
    level = flat_level(6.0)
    nodes = (*anchor_nodes(level), Node(5, 2.0, 3.0, True), Node(6, 4.0, 3.0, True))
    return level, Design(nodes, (Member(7, 2, 5, 6),))


def rollout(
    level: Level,
    design: Design,
    records: int = 81,
    *,
    use: float = 0.0,
    breaks_at: int | None = None,
    speed: tuple[float, float] = (0.0, 0.0),
    ending: Ending = Ending.FELL,
) -> SimResult:
    """States by hand: nodes move at `speed` up to the break, vehicles stand on the left bank."""
    rest = np.array([(n.x, n.y) for n in design.nodes])
    t = np.arange(records)[:, None, None] / 40
    last = records if breaks_at is None else breaks_at
    alive = np.repeat((np.arange(records) < last)[:, None], len(design.members), axis=1)
    cars = len(level.vehicle_weights_pg)
    vehicles = np.tile(np.array([-2.1, 0.45, 0.0]), (records, cars, 1))
    return SimResult(
        ending=ending,
        end_s=(records - 1) / 40,
        positions=rest + t * np.array(speed),
        utilisation=np.full((records, len(design.members)), use),
        alive=alive,
        vehicles=vehicles,
        arrived=np.zeros((records, cars), dtype=np.bool_),
        break_s=np.full(len(design.members), np.nan if breaks_at is None else last / 40),
        peak_utilisation=np.full(len(design.members), abs(use)),
    )


def pixel(image: Image.Image, level: Level, design: Design, x: float, y: float) -> tuple[int, ...]:
    px, py = view_of(level, design).final(x, y)
    colour = image.getpixel((round(px), round(py)))
    assert isinstance(colour, tuple)
    return colour


def near(a: tuple[int, ...], b: tuple[int, ...], most: int = 14) -> bool:
    return max(abs(i - j) for i, j in zip(a, b, strict=True)) <= most


def test_utilisation_colours_get_lighter_all_the_way() -> None:
    light = [
        0.2126 * r + 0.7152 * g + 0.0722 * b
        for r, g, b in (p.utilisation_colour(u) for u in np.linspace(0, 1, 60))
    ]
    assert all(b > a for a, b in pairwise(light))
    assert p.utilisation_colour(7.0) == p.utilisation_colour(1.0)
    assert p.utilisation_colour(0.0) == (68, 1, 84)


@pytest.mark.parametrize("use", [0.0, 0.35, -0.35, 0.8, 1.2])
def test_a_member_has_the_colour_of_its_utilisation(use: float) -> None:
    level, design = scene()
    image = draw_frame(level, design, rollout(level, design, use=use), 3)
    assert near(pixel(image, level, design, 3.0, 3.0), p.utilisation_colour(abs(use)))


def test_the_legend_is_the_same_in_every_frame_and_agrees_with_the_members() -> None:
    level, design = scene()
    x, y, w, h = LEGEND_PX
    legends = set()
    for use in (0.1, 0.9):
        image = draw_frame(level, design, rollout(level, design, use=use), 2)
        legends.add(image.crop((x - 12, 0, WIDTH, PLOT[1] - 2)).tobytes())
        for share in (0.0, 0.5, 1.0):
            found = image.getpixel((x + round(share * (w - 1)), y + h // 2))
            assert isinstance(found, tuple)
            assert near(found, p.utilisation_colour(share), 3)
    assert len(legends) == 1


def test_frame_k_is_record_10k_and_the_last_state_stands_still() -> None:
    level, design = scene()
    result = rollout(level, design, records=36, speed=(0.0, -1.0), ending=Ending.SUCCESS)
    image = draw_frame(level, design, result, 2)
    assert near(pixel(image, level, design, 3.0, 2.5), p.utilisation_colour(0))
    plots = [
        draw_frame(level, design, result, k).crop((PLOT[0], PLOT[1], PLOT[2], PLOT[3]))
        for k in (4, 30)
    ]
    assert plots[0].tobytes() == plots[1].tobytes()
    assert near(pixel(draw_frame(level, design, result, 30), level, design, 3.0, 3 - 35 / 40),
                p.utilisation_colour(0))  # fmt: skip


@pytest.mark.parametrize(
    ("ending", "colour"),
    [(Ending.FELL, p.BAD), (Ending.SUCCESS, p.GOOD), (Ending.TIMEOUT, p.BAD)],
)
def test_the_marker_appears_with_the_decision_and_not_before(
    ending: Ending, colour: p.Colour
) -> None:
    level, design = scene()
    result = replace(rollout(level, design, records=36, ending=ending), end_s=0.80)
    corner = (VERDICT_PX[0] + 12, VERDICT_PX[1] + 6)
    marks = [draw_frame(level, design, result, k).getpixel(corner) for k in range(6)]
    # 0.80 s lies between frames 3 (0.75 s) and 4 (1.00 s).
    assert [m == colour for m in marks] == [False] * 4 + [True] * 2


def test_a_broken_member_falls_freely_in_two_halves_from_where_it_was() -> None:
    level, design = scene()
    result = rollout(level, design, breaks_at=10, speed=(1.0, 0.0))
    # Last held at record 9: x from 2.225 to 4.225, moving at 1 m/s; 12 records later it has
    # fallen 9.81 / 2 x 0.3^2 = 0.4415 m and moved on by 0.3 m.
    left, right = pieces(level, design, result, 21)
    assert (left.x, right.x) == pytest.approx((2.725 + 0.3, 3.725 + 0.3))
    assert left.y == right.y == pytest.approx(3.0 - 0.44145)
    assert left.length == right.length == pytest.approx(1.0)
    assert left.angle == pytest.approx(1.6 * 0.3)
    assert list(pieces(level, design, result, 9)) == []
    image = draw_record(level, design, result, 21)
    assert near(pixel(image, level, design, 3.025, 3.0 - 0.44145), p.DEBRIS)
    assert not near(pixel(image, level, design, 3.2, 3.0), p.utilisation_colour(0))


def test_debris_splashes_sinks_and_rests_on_solid_ground() -> None:
    level, design = scene()
    result = rollout(level, design, breaks_at=1)
    # From y = 3 to the water at -1.7 takes sqrt(2 x 4.7 / 9.81) = 0.9789 s.
    fall_s = math.sqrt(2 * 4.7 / 9.81)
    wet = next(iter(pieces(level, design, result, 50)))
    assert wet.wet_s == pytest.approx(50 / 40 - fall_s)
    assert wet.y == pytest.approx(-1.7 - 0.9 * (50 / 40 - fall_s))
    splash, later = (np.asarray(draw_record(level, design, result, k)) for k in (46, 80))
    foam = [(image == np.array(p.SPLASH)).all(axis=2).sum() for image in (splash, later)]
    assert foam[0] > 100 > foam[1]
    ashore = Design(
        tuple(replace(n, x=n.x - 6.0) if n.id > 4 else n for n in design.nodes), design.members
    )
    resting = list(pieces(level, ashore, rollout(level, ashore, breaks_at=1), 80))
    assert [(q.y, q.wet_s) for q in resting] == [(pytest.approx(0.0), None)] * 2


def test_a_vehicle_splashes_when_its_wheels_meet_the_water() -> None:
    level, design = scene()
    result = rollout(level, design)
    result.vehicles[:, 0, 0] = 3.0
    result.vehicles[:, 0, 1] = np.linspace(1.0, -3.0, 81)
    # The lowest point is 0.45 m below the centre: it meets -1.7 when the centre is at -1.25,
    # after record 45 (1 - 4 x 45 / 80 = -1.25, not yet below).
    assert not list(vehicle_splashes(level, result, 45))
    (splash,) = vehicle_splashes(level, result, 50)
    assert (splash.x, splash.age_s) == (3.0, pytest.approx(4 / 40))
    assert not list(vehicle_splashes(level, result, 80))


def test_an_arrived_vehicle_leaves_and_is_counted() -> None:
    level, design = scene()
    result = rollout(level, design, ending=Ending.SUCCESS)
    shown = pixel(draw_record(level, design, result, 5), level, design, -2.1, 0.42)
    assert near(shown, p.VEHICLE)
    result.arrived[4:] = True
    image = draw_record(level, design, result, 5)
    assert not near(pixel(image, level, design, -2.1, 0.42), p.VEHICLE)


def test_a_vehicle_is_drawn_at_its_angle() -> None:
    level, design = scene()
    result = rollout(level, design)
    result.vehicles[:, 0] = (3.0, 2.0, math.pi / 2)
    image = draw_record(level, design, result, 0)
    # Upright on its rear end: wheels, 0.2 m below the centre when level, now lie to the right.
    for y in (1.2, 2.8):
        assert near(pixel(image, level, design, 3.2, y), p.HUB)


def test_members_without_ends_are_left_out() -> None:
    level, design = scene()
    broken = Design(design.nodes, (*design.members, Member(8, 1, 5, 99)))
    result = rollout(level, broken)
    result.alive[:, 1] = False
    image = draw_record(level, broken, result, 8)
    assert image.tobytes() == draw_record(level, design, rollout(level, design), 8).tobytes()


def test_drawing_real_rollouts_again_gives_the_same_bytes() -> None:
    for case in calibration()[::3]:
        result = simulate(case.level, case.design)
        first = [draw_frame(case.level, case.design, result, k).tobytes() for k in (0, 9, 15, 47)]
        still_of.cache_clear()
        again = [draw_frame(case.level, case.design, result, k).tobytes() for k in (0, 9, 15, 47)]
        assert first == again
        assert len(set(first)) == 4


def test_contact_sheets_hold_every_picture_in_reading_order() -> None:
    colours = [(200, 0, 0), (0, 200, 0), (0, 0, 200), (200, 200, 0)]
    images = [Image.new("RGB", (WIDTH, HEIGHT), c) for c in colours]
    sheet = contact_sheet(images, ["a", "b", "c", "d"])
    across, down = sheet.width // 4, sheet.height // 4
    found = [sheet.getpixel((x, y)) for y in (down, 3 * down) for x in (across, 3 * across)]
    assert found == colours
    with pytest.raises(ValueError, match="argument"):
        contact_sheet(images, ["a"])


def test_an_animation_is_as_long_as_the_rollout(tmp_path: Path) -> None:
    level, design = scene()
    result = rollout(level, design, records=40, breaks_at=20, speed=(0.0, 0.5))
    write_gif(tmp_path / "out.gif", level, design, result)
    with Image.open(tmp_path / "out.gif") as gif:
        # Records 0, 4, ... 36 and the last, 39.
        assert getattr(gif, "n_frames", 0) == 11
        assert gif.size == (WIDTH // 2, HEIGHT // 2)
        assert gif.info["duration"] == 100
