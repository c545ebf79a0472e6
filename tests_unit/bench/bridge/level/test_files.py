"""Reading level files: what comes back, and what a broken file says."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bench.bridge.level.files import (
    DEFAULT_ROOT,
    level_index,
    level_names,
    load_all,
    load_level,
    load_level_file,
)
from bench.errors import LevelError

NAME = "G5_PlatformClearanceL_Multi2_8m"
PARTS = ("", "_inner", "_context")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A levels folder with one level that has a platform, a rock and two vehicles."""
    (tmp_path / "data" / "G5").mkdir(parents=True)
    for part in PARTS:
        shutil.copy(DEFAULT_ROOT / "data" / "G5" / f"{NAME}{part}.json", tmp_path / "data" / "G5")
    index = {"schema": "polybridgebench.index/1", "levels": [{"name": NAME, "family": "G5"}]}
    (tmp_path / "index.json").write_text(json.dumps(index))
    return tmp_path


def file_of(root: Path, part: str) -> Path:
    return root / "data" / "G5" / f"{NAME}{part}.json"


def change(root: Path, part: str, place: str, value: object) -> Path:
    """Set one value of a file; `place` is a dotted path, `...` as the value deletes it."""
    path = file_of(root, part)
    data = json.loads(path.read_text())
    *steps, last = [int(s) if s.isdigit() else s for s in place.split(".")]
    target = data
    for step in steps:
        target = target[step]
    if value is ...:
        del target[last]
    else:
        target[last] = value
    path.write_text(json.dumps(data))
    return path


def fault_of(root: Path) -> str:
    with pytest.raises(LevelError) as caught:
        load_level(NAME, root)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_the_names_come_in_catalogue_order():
    names = level_names()
    assert names[:2] == ["T1B_Basic_4m", "T1B_Basic_6m"]
    assert names[-1] == "G6_DeckOnly_HeavyW3_12m"
    assert [level.name for level in load_all()] == names


def test_the_index_gives_each_levels_family():
    assert {e.family for e in level_index() if e.name.startswith("T2I_")} == {"T2I"}


def test_the_index_says_what_the_context_files_say():
    files = {level.name: level.metadata for level in load_all()}
    for entry in level_index():
        metadata = files[entry.name]
        told = (entry.family, entry.group, entry.suite, entry.tags)
        assert told == (metadata.family, metadata.group, metadata.suite, metadata.tags)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"group": "Dynamic Load"}, "analysis_metadata.group: is 'Compositional Constraints'"),
        ({"suite": "core"}, "analysis_metadata.suite: is 'compositional'"),
        ({"tags": ["rock"]}, "analysis_metadata.level_tags: is ('center_platform', "),
    ],
)
def test_an_index_that_says_otherwise_than_the_level_is_refused(root, row, says):
    index = {"levels": [{"name": NAME, "family": "G5", **row}]}
    (root / "index.json").write_text(json.dumps(index))
    assert says in fault_of(root)


def test_a_level_is_read_with_all_its_parts():
    level_file = load_level(NAME)
    level = level_file.level
    assert (level.span_m, level.rise_m) == (20.0, 0.0)
    assert [(a.id, a.x, a.y) for a in level.anchors][2:4] == [(3, 8.0, 0.0), (4, 12.0, 0.0)]
    assert level.platforms[0].anchor_ids == (3, 4)
    assert level.rocks[0].vertices == ((0.4, -0.6), (0.4, -5.0), (2.4, -5.0))
    assert level.vehicle_weights_pg == (3.0, 3.0)
    assert (level.left_toe_x, level.right_toe_x) == (0.0, 20.0)
    assert level_file.display_name == NAME
    assert level_file.metadata.family == "G5"
    assert level_file.metadata.suite == "compositional"
    assert level_file.metadata.tags == ("center_platform", "multi_vehicle", "rock_clearance")
    assert level_file.metadata.parameters == {"load": "Multi2", "gap_m": 8, "side": "L"}
    assert len(level_file.initial_save["Objects"]) == 8
    assert level_file.layout["saveFiles"]


def test_a_level_in_no_index_is_read_by_its_path(root):
    (root / "index.json").unlink()
    assert load_level_file(file_of(root, "")).level == load_level(NAME).level


def test_a_path_that_leads_nowhere_is_a_level_error(tmp_path):
    with pytest.raises(LevelError, match=r"none\.json: is missing"):
        load_level_file(tmp_path / "none.json")


def test_the_context_takes_another_limit_and_another_name():
    level_file = load_level(NAME)
    strict, loose = level_file.context(), level_file.context(50_000.0, "a hash")
    assert list(strict) == ["task_context", "semantic_environment"]
    assert strict["task_context"]["budget_limit"] == level_file.level.strict_limit_usd
    assert strict["task_context"]["levelName"] == NAME
    assert json.dumps(loose["task_context"]["budget_limit"]) == "50000"
    assert loose["task_context"]["levelName"] == "a hash"
    assert loose["semantic_environment"] == strict["semantic_environment"]


def test_a_limit_with_cents_stays_as_it_is():
    assert load_level(NAME).context(1234.5)["task_context"]["budget_limit"] == 1234.5


def test_listing_the_levels_does_not_import_pydantic_or_the_generator():
    code = (
        "import sys; from bench.bridge.level.files import level_names; assert level_names(); "
        "print([m for m in ('pydantic', 'levels', 'numba', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        cwd=DEFAULT_ROOT.parent,
    )  # fmt: skip
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("name", "close"),
    [
        ("t1b_basic_4m", "T1B_Basic_4m"),
        ("T2I_RockBelow_10m", "T2I_RockBelow_10m_R2m, T2I_RockBelow_10m_R1m"),
        ("G1_Clearence_Multi2_14m_R2m", "G1_Clearance_Multi2_14m_R2m"),
    ],
)
def test_an_unknown_level_names_the_closest(name: str, close: str):
    with pytest.raises(LevelError) as caught:
        load_level(name)
    assert repr(name) in str(caught.value)
    assert f"did you mean {close}" in str(caught.value)


def test_an_unknown_level_with_no_close_name_points_to_the_index():
    with pytest.raises(LevelError, match=r"'\?\?\?' is unknown; see the index .*index\.json"):
        load_level("???")


# file, place, new value (... deletes), what the message must say
CORRUPTIONS = [
    ("", "name", "Other", "name: is 'Other'"),
    ("", "schema", "polybridgebench.level/2", "schema: input should be"),
    ("", "schema", ..., "schema: field required"),
    ("", "banks.left.toe.x", "0", "banks.left.toe.x: input should be a valid number, not '0'"),
    ("", "banks.left.edge.x", 1.0, "banks: is {'left'"),
    ("", "banks.right.edge.x", -20.0, "banks.right.edge.x: the span is -20.0 m"),
    ("", "banks.left.toe.x", 30.0, "banks: the toes cross"),
    ("", "anchors.2", ..., "anchors[2].id: is 4; ids must run"),
    ("", "anchors", [], "anchors: list should have at least 2 items"),
    ("", "anchors.0.id", 0, "anchors[0].id: input should be greater than or equal to 1"),
    ("", "anchors.0.id", True, "anchors[0].id: input should be a valid integer, not True"),
    ("", "anchors.1.x", 19.0, "anchors: the first two must be the banks' edges"),
    ("", "anchors.5.x", 19.0, "_inner.json: Objects[5]: is (6, 20.0, -2.0)"),
    ("", "anchors.3.z", 0.0, "anchors[3].z: extra inputs are not permitted"),
    ("", "pier_anchor_ids", [9], "pier_anchor_ids: (9,) names an unknown anchor"),
    ("", "platforms.0.x_end", 40.0, "platforms[0]: must lie between the banks"),
    ("", "platforms.0.bottom_y", 1.0, "platforms[0].surface_y: must be above bottom_y"),
    ("", "platforms.0.anchor_ids", [3, 99], "platforms[0].anchor_ids: (3, 99) names an unknown"),
    ("", "platforms.0.anchor_ids", [3], "_context.json: semantic_environment: is"),
    ("", "rocks.0.vertices.0.y", -5.0, "rocks[0].vertices: are on one line"),
    ("", "rocks.0.vertices.0.y", -1.5, "_context.json: semantic_environment: is"),
    ("", "rocks.0.vertices.2", ..., "rocks[0].vertices: list should have at least 3 items"),
    ("", "rocks", [], "_context.json: semantic_environment: is"),
    ("", "water_y", -2.0, "water_y: is -2.0, but the level's other fields give -1.7"),
    ("", "vehicles", [], "vehicles: list should have at least 1 item"),
    ("", "vehicles.0.weight_pg", 0.0, "vehicles[0].weight_pg: input should be greater than 0"),
    ("", "vehicles.1.start_x", -5.0, "vehicles: is"),
    ("", "vehicles.1.weight_pg", 6.0, "_context.json: task_context: is"),
    ("", "flags.0.x", 21.0, "flags: is [{'x': 21.0"),
    ("", "material_profile", "steel", "material_profile: input should be 'full' or"),
    ("", "materials", ["Road"], "materials: is ['Road']"),
    ("", "saveFiles", [], "saveFiles: list should have at least 1 item"),
    ("", "saveFiles.0", 5, "saveFiles[0]: input should be a valid string, not 5"),
    ("_inner", "DisplayName", ..., "DisplayName: field required"),
    ("_inner", "Objects.7", ..., "Objects: is 7 anchors"),
    ("_inner", "Objects.0.isKinematic", ..., "Objects[0].isKinematic: field required"),
    ("_inner", "Objects.0.id", 0, "Objects[0].id: input should be greater than or equal to 1"),
    ("_inner", "Objects.0.type", 1, "Objects[0].type: input should be 0"),
    ("_inner", "Objects.4.y", -2.5, "Objects[4]: is (5, 0.0, -2.5)"),
    ("_context", "task_context.budget_limit", ..., "task_context.budget_limit: field required"),
    ("_context", "task_context.budget_limit", 0, "budget_limit: input should be greater than 0"),
    ("_context", "task_context.budget_limit", 9500.5, "budget_limit: input should be a valid int"),
    ("_context", "task_context.levelName", "X", "task_context: is"),
    ("_context", "task_context.vehicle_count", 1, "task_context: is"),
    ("_context", "task_context.hint", "use steel", "task_context.hint: extra inputs"),
    ("_context", "reference", {}, "reference: extra inputs are not permitted"),
    ("_context", "semantic_environment.forbidden_regions", [], "semantic_environment: is"),
    ("_context", "analysis_metadata.family_id", "G4", "family_id: is 'G4'"),
    ("_context", "analysis_metadata.suite", "extra", "suite: input should be 'core' or"),
    (
        "_context",
        "analysis_metadata.level_tags",
        "rock",
        "level_tags: input should be a valid list",
    ),
]


@pytest.mark.parametrize(
    ("part", "place", "value", "says"),
    CORRUPTIONS,
    ids=[f"{part}:{place}={str(value)[:20]}" for part, place, value, _ in CORRUPTIONS],
)
def test_a_wrong_value_is_named_with_its_file_place_and_way_out(root, part, place, value, says):
    path = change(root, part, place, value)
    message = fault_of(root)
    assert says in message
    assert "python -m levels generate" in message
    assert str(path.parent) in message


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda text: "", "is not valid JSON"),
        (lambda text: text[:-3], "is not valid JSON"),
        (lambda text: "[]", "input should be a valid dictionary"),
        (lambda text: "[" * 100_000, "is not valid JSON"),
        (lambda text: "\ufeff" + text, "is not valid JSON"),
    ],
    ids=["empty", "cut", "list", "deep", "bom"],
)
def test_a_file_that_is_no_json_object_says_so(root, part, spoil, says):
    path = file_of(root, part)
    path.write_text(spoil(path.read_text()), encoding="utf-8")
    message = fault_of(root)
    assert message.startswith(f"{path}: ")
    assert says in message


def test_duplicate_keys_are_refused(root):
    path = file_of(root, "")
    path.write_text(path.read_text().replace('"water_y"', '"water_y": -9.0,\n "water_y"'))
    assert "key 'water_y' is there twice" in fault_of(root)


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_does_not_have_are_refused(root, word):
    path = file_of(root, "")
    path.write_text(path.read_text().replace("-1.7", word))
    assert f"{word} is no JSON number" in fault_of(root)


@pytest.mark.parametrize("part", PARTS)
def test_a_missing_file_says_how_to_make_it(root, part):
    file_of(root, part).unlink()
    assert f"{NAME}{part}.json: is missing; write it with" in fault_of(root)


def test_a_file_in_another_encoding_is_a_level_error(root):
    file_of(root, "").write_bytes(b"\xff\xfe{}")
    assert "cannot be read" in fault_of(root)


def test_a_folder_in_place_of_a_file_is_a_level_error(root):
    file_of(root, "_inner").unlink()
    file_of(root, "_inner").mkdir()
    assert "cannot be read" in fault_of(root)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "index.json: is missing; write it with `python -m levels generate`"),
        ("{", "is not valid JSON"),
        ("[]", "levels: must be a list of levels"),
        ('{"levels": []}', "levels: must be a list of levels"),
        ('{"levels": ["A"]}', "levels[0]: must have a name and a family"),
        ('{"levels": [{"name": "A"}]}', "levels[0]: must have a name and a family"),
        ('{"levels": [{"name": "../A", "family": "G5"}]}', "levels[0]: must have a name"),
        ('{"levels": [{"name": "A", "family": "G5", "tags": 3}]}', "levels[0]: tags must be"),
        ('{"levels": [{"name": "A", "family": "G5", "suite": 3}]}', "levels[0]: group and suite"),
        (
            '{"levels": [{"name": "A", "family": "G5"}, {"name": "A", "family": "G5"}]}',
            "levels: name A is there twice",
        ),
    ],
)
def test_a_broken_index_is_one_clear_line(tmp_path, text, says):
    if text is not None:
        (tmp_path / "index.json").write_text(text)
    with pytest.raises(LevelError) as caught:
        level_names(tmp_path)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def places_of(value: object, at: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Every place in a JSON value, as the steps that lead to it."""
    children: list[tuple[str, object]] = []
    if isinstance(value, dict):
        children = list(value.items())
    elif isinstance(value, list):
        children = [(str(i), child) for i, child in enumerate(value)]
    found = [at] if at else []
    for key, child in children:
        found += places_of(child, (*at, key))
    return found


ORIGINAL = {
    part: json.loads((DEFAULT_ROOT / "data" / "G5" / f"{NAME}{part}.json").read_text())
    for part in PARTS
}
PLACES = [(part, ".".join(p)) for part in PARTS for p in places_of(ORIGINAL[part])]
JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5), st.just([]), st.just({}), st.just(...), st.just([[[]]]),
)  # fmt: skip
# what another level could well have: nothing else in the files says it again
FREE = ("description", "DisplayName", "saveFiles.0", "task_context.budget_limit")
FREE += ("banks.left.toe.x", "banks.right.toe.x")
FREE_BELOW = ("analysis_metadata",)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.sampled_from(PLACES), junk=JUNK)
@example(place=("", "anchors.0.x"), junk=-0.0)
def test_any_change_of_any_value_is_refused_in_one_line_or_makes_another_level(root, place, junk):
    part, where = place
    backup = file_of(root, part).read_bytes()
    path = change(root, part, where, junk)
    changed = json.loads(path.read_text())
    error = None
    try:
        load_level(NAME, root)
    except LevelError as caught:
        error = str(caught)
    finally:
        path.write_bytes(backup)
    if error is None:
        free = where in FREE or where.startswith(FREE_BELOW)
        assert free or changed == ORIGINAL[part]
    else:
        assert "\n" not in error
        assert NAME in error
        assert json.dumps(changed) != json.dumps(ORIGINAL[part])  # False == 0 otherwise
