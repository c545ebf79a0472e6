"""What every driver keeps, with the same designs: a reference that holds, a road alone that falls.

The native driver drives the stand-in for the game, on an X server of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bench.bridge.answer.parse import parse_answer
from bench.bridge.design.design import Design
from bench.bridge.design.materials import ROAD
from bench.bridge.drivers.base import Driver
from bench.bridge.drivers.registry import DRIVERS, make_driver
from bench.bridge.level.files import load_level
from bench.bridge.level.level import Level
from bench.domain import DriverOptions
from bench.errors import InputError
from bench.protocol import FRAME_COUNT, WINDOW_S
from bench.task import Outcome
from tests_unit.support.bridge_fakes import ScriptedDriver
from tests_unit.support.fake_driver import FakeDriver
from tests_unit.support.paths import GOLDEN

LEVEL = "T1C_RoadWood_8m"
SPEED = 10.0
FAKES = {"fake": FakeDriver, "scripted": None}


def params() -> list[Any]:
    names = [*DRIVERS, *FAKES]
    return [pytest.param(n, marks=pytest.mark.native) if n == "native" else n for n in names]


@pytest.fixture(params=params())
def driver(request: pytest.FixtureRequest) -> Iterator[Driver]:
    """Every registered driver, and the tests' own, opened."""
    made: Any
    if request.param == "native":
        desk = request.getfixturevalue("desk")
        desk.add_layout(LEVEL)
        desk.start("--speed", str(SPEED))
        made = desk.driver(desk.profile(scale=SPEED))
    elif request.param == "scripted":
        made = ScriptedDriver((Outcome.SUCCESS, 6.0), (Outcome.FAILURE_OR_TIMEOUT, 2.0))
    elif request.param == "fake":
        made = FakeDriver()
    else:
        made = make_driver(DriverOptions(request.param, WINDOW_S))
    made.open()
    yield made
    made.close()


@pytest.fixture(scope="module")
def level() -> Level:
    return load_level(LEVEL).level


@pytest.fixture(scope="module")
def holds() -> Design:
    stored = json.loads((GOLDEN / "bridge" / "references" / f"{LEVEL}.json").read_text())
    design = parse_answer(json.dumps(stored["design"])).design
    assert design is not None
    return design


@pytest.fixture(scope="module")
def falls(holds: Design) -> Design:
    """The road alone."""
    return replace(holds, members=tuple(m for m in holds.members if m.type == ROAD.type))


def test_a_reference_holds_and_a_road_alone_falls(
    driver: Driver, level: Level, holds: Design, falls: Design
) -> None:
    assert driver.execute(level, holds).outcome is Outcome.SUCCESS
    assert driver.execute(level, falls).outcome is Outcome.FAILURE_OR_TIMEOUT


def test_a_rollout_has_frames_json_facts_and_files(
    driver: Driver, level: Level, holds: Design
) -> None:
    rollout = driver.execute(level, holds)
    assert rollout.frame_count == FRAME_COUNT
    assert rollout.decided_s is None or 0.0 < rollout.decided_s <= WINDOW_S
    assert rollout.detector
    assert json.loads(json.dumps(dict(rollout.facts), allow_nan=False)) == dict(rollout.facts)
    assert all(isinstance(data, bytes) for data in rollout.files.values())
    assert rollout.frame is not None
    frame = rollout.frame(1)
    assert frame.mode == "RGB"
    assert frame.width > frame.height > 0


def test_the_editor_shows_the_level_with_and_without_a_design(
    driver: Driver, level: Level, holds: Design
) -> None:
    empty, built = (
        driver.editor_picture(level, design, limit_usd=9_000.0) for design in (None, holds)
    )
    assert empty.size == built.size
    assert empty.tobytes() != built.tobytes()


def test_it_describes_itself_without_a_path(driver: Driver) -> None:
    described = dict(driver.describe())
    assert json.loads(json.dumps(described, allow_nan=False)) == described
    assert described["driver"] == driver.name
    assert not any(str(value).startswith("/") for value in described.values())


def test_it_is_whole_and_refuses_no_level_that_it_was_given(driver: Driver, level: Level) -> None:
    assert driver.broken is None
    assert driver.refuses(level) is None


def test_closing_twice_is_harmless(driver: Driver) -> None:
    driver.close()
    driver.close()
    assert driver.broken is None


def test_what_repeats_exactly_gives_the_same_rollout(
    driver: Driver, level: Level, holds: Design
) -> None:
    if not driver.capabilities.deterministic or driver.name == "fake":
        assert not driver.capabilities.states
        return
    first, second = (driver.execute(level, holds) for _ in range(2))
    assert first.facts == second.facts
    assert first.files == second.files


def test_an_unknown_driver_is_named() -> None:
    with pytest.raises(InputError, match="did you mean embedded"):
        make_driver(DriverOptions("embeded", WINDOW_S))
