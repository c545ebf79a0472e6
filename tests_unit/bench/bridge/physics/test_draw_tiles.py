"""The contact sheet of a simulation: what a model with 768 px on the short side can read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from bench.bridge.answer.parse import parse_answer
from bench.bridge.baselines.registry import BASELINES
from bench.bridge.design.design import Design
from bench.bridge.level.files import load_all
from bench.bridge.level.level import Level
from bench.bridge.physics.draw import draw_sheet
from bench.bridge.physics.draw import palette as p
from bench.bridge.physics.draw.labels import Labels
from bench.bridge.physics.draw.tiles import TEXT_PX, sheet_parts
from bench.bridge.physics.engine import simulate
from bench.bridge.physics.result import Ending, SimResult
from bench.bridge.prompt.evidence import eligible_frames, selected_frames
from bench.bridge.task import text_task
from tests_unit.support.factories import flat_level, platform_level, warren

SCENES = {
    "one vehicle": flat_level(10.0),
    "three heavy ones": flat_level(20.0, vehicles=(9.0, 6.0, 3.0)),
    "an island": platform_level(16.0),
    "a step down": flat_level(6.0, rise=-1.5),
}


def run(level: Level) -> tuple[Design, SimResult]:
    """A bridge of thin wood that breaks under what is heavy or long."""
    design = warren(level)
    return design, simulate(level, design)


def parts(level: Level, **options: bool) -> tuple[Image.Image, list[Labels]]:
    design, result = run(level)
    decided = None if result.ending is Ending.TIMEOUT else result.end_s
    indices = selected_frames(eligible_frames(decided))
    return sheet_parts(level, design, result, indices, **options)


@pytest.mark.parametrize("name", SCENES)
def test_four_frames_fit_768_px_and_no_text_is_smaller_than_20(name: str) -> None:
    image, labels = parts(SCENES[name])
    assert image.width == 1536
    assert 300 < image.height <= 768
    assert len(labels) == 5
    assert min(t.size for part in labels for t in part.texts) >= TEXT_PX == 20


@pytest.mark.parametrize("name", SCENES)
def test_a_tile_has_ids_weights_and_its_time(name: str) -> None:
    level = SCENES[name]
    _, labels = parts(level)
    texts = [[t.text for t in part.texts] for part in labels]
    assert texts[1][0] == "frame 0: 0.00 s"
    first = set(texts[1])
    assert {f"{w:g} PG" for w in level.vehicle_weights_pg} <= first
    assert {str(a.id) for a in level.anchors} <= first
    ids = {str(n.id) for n in warren(level).nodes}
    assert len(ids & first) >= 0.8 * len(ids)


def test_the_last_tile_has_the_time_of_the_end_and_not_of_its_frame() -> None:
    level = SCENES["three heavy ones"]
    design, result = run(level)
    assert result.ending is Ending.FELL
    result = replace(result, end_s=3.65)
    _, labels = sheet_parts(level, design, result, [0, 14, 15])
    captions = [part.texts[0].text for part in labels[1:]]
    assert captions == ["frame 0: 0.00 s", "frame 14: 3.50 s", "frame 15: 3.65 s, end"]


def test_the_header_explains_forces_once_and_materials_where_frames_are_plain() -> None:
    level = SCENES["one vehicle"]
    for forces, wanted, not_wanted in (
        (True, ["force / strength:  0%", "100% (breaks)"], "Wood"),
        (False, ["Road", "Wood", "Steel"], "100% (breaks)"),
    ):
        image, labels = parts(level, forces=forces)
        header = [t.text for t in labels[0].texts]
        assert header[: len(wanted)] == wanted
        assert not_wanted not in header
        assert "broken" in header
        # Whether a colour of wood is there at all tells what members are coloured by.
        tiles = np.asarray(image)[44:]
        wood = (np.abs(tiles.astype(int) - p.MATERIAL[2]).max(axis=2) <= 3).sum()
        assert (wood > 500) is not forces


def test_drawing_a_sheet_again_gives_the_same_bytes() -> None:
    level = SCENES["an island"]
    design, result = run(level)
    first, again = (draw_sheet(level, design, result, [0, 3, 6, 9]).tobytes() for _ in range(2))
    assert first == again


def test_every_family_has_a_sheet_with_all_its_anchors() -> None:
    seen: dict[str, Level] = {f.metadata.family: f.level for f in load_all()}
    for level in seen.values():
        data = text_task(level).observe([]).data
        design = parse_answer(BASELINES["wood-truss-through"](data)).design
        assert design is not None
        image, labels = sheet_parts(level, design, simulate(level, design), [0, 2, 4, 6])
        assert image.height <= 768
        first = {t.text for t in labels[1].texts}
        assert {str(a.id) for a in level.anchors} <= first, level.name
