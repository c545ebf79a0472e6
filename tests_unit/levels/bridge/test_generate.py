"""The level files are reproduced byte for byte, and `--check` says what is not."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path

import pytest

from bench.bridge.design.save import decode_payload
from bench.bridge.level.files import load_all
from levels.__main__ import main as levels
from levels.bridge.budgets import read_budgets
from levels.bridge.families import REGISTRY
from levels.bridge.files import describe, generated_files, generated_levels, to_text
from levels.bridge.generate import differences, main, strays, write

NAMES = [scene.name for _, scene, _ in REGISTRY.scenes()]
FILES = generated_files(REGISTRY, read_budgets(NAMES))
LAYOUT = "data/T2I/T2I_RockBelow_10m_R1m.json"


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("levels")
    assert write(root, FILES) == len(FILES) == len(NAMES) * 3 + 2
    return root


@pytest.fixture
def root(written, tmp_path) -> Path:
    """A folder with the index and family T2I, as written."""
    for name in FILES:
        if name.startswith("data/T2I/") or name == "index.json":
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes((written / name).read_bytes())
    return tmp_path


@pytest.fixture
def files() -> dict[str, str]:
    return {n: t for n, t in FILES.items() if n.startswith("data/T2I/") or n == "index.json"}


def test_the_files_in_the_repository_are_as_generated(capsys):
    assert main(["--check"]) == 0
    assert f"{len(NAMES)} levels, {len(FILES)} files: all as generated" in capsys.readouterr().out


def test_what_is_written_needs_no_second_write_and_checks_clean(written, capsys):
    assert write(written, FILES) == 0
    assert main(["--check", "--root", str(written)]) == 0


def test_the_loader_gives_back_what_the_generator_made(written):
    loaded = load_all(written)
    made = list(generated_levels(REGISTRY, read_budgets(NAMES)))
    assert [f.level for f in loaded] == [g.level for g in made]
    assert [f.metadata.family for f in loaded] == [g.family.code for g in made]
    assert [f.metadata.group for f in loaded] == [g.family.group for g in made]
    assert [f.metadata.suite for f in loaded] == [g.family.suite for g in made]
    assert [f.metadata.tags for f in loaded] == [g.tags for g in made]
    assert [dict(f.metadata.parameters) for f in loaded] == [dict(g.parameters) for g in made]


def test_the_first_save_is_the_inner_file_and_holds_the_anchors_only():
    for level in load_all():
        assert len(level.layout["saveFiles"]) == 1
        save = decode_payload(level.layout["saveFiles"][0])
        assert save == level.initial_save
        assert [(o["id"], o["x"], o["y"]) for o in save["Objects"]] == [
            (a.id, a.x, a.y) for a in level.level.anchors
        ]
        assert all(o["type"] == 0 and o["isKinematic"] is True for o in save["Objects"])


def test_whole_coordinates_of_a_save_have_no_decimal_point_as_in_the_game():
    text = FILES["data/T2G/T2G_PlatformUp_9m_H1p5m_inner.json"]
    assert '"x": 22, "y": 0,' in text
    assert '"x": 9, "y": 1.5,' in text


def test_the_context_file_has_the_nesting_of_the_protocol():
    context = json.loads(FILES["data/G5/G5_PlatformClearanceL_Multi2_8m_context.json"])
    assert list(context) == ["task_context", "semantic_environment", "analysis_metadata"]
    assert context["task_context"] == {
        "levelName": "G5_PlatformClearanceL_Multi2_8m",
        "available_materials": ["Road", "Wood", "Steel"],
        "budget_limit": read_budgets(NAMES)["G5_PlatformClearanceL_Multi2_8m"].strict_limit_usd,
        "vehicle_count": 2,
        "vehicle_weights_pg": [3.0, 3.0],
        "vehicle_weight_pg": 3.0,
        "material_profile": "full",
    }
    assert context["semantic_environment"] == {
        "terrain_affordances": [
            {
                "type": "center_platform",
                "shape": "rectangular_terrain",
                "x_start": 8.0,
                "x_end": 12.0,
                "surface_y": 0.0,
                "bottom_y": -5.0,
                "drivable": True,
                "support_anchor_ids": [3, 4],
            }
        ],
        "forbidden_regions": [
            {
                "type": "rock",
                "shape": "triangle",
                "vertices": [{"x": 0.4, "y": -0.6}, {"x": 0.4, "y": -5.0}, {"x": 2.4, "y": -5.0}],
                "applies_to": ["Road", "Wood", "Steel", "Hydraulics"],
            }
        ],
    }
    assert context["analysis_metadata"] == {
        "family_id": "G5",
        "group": "Compositional Constraints",
        "suite": "compositional",
        "level_tags": ["center_platform", "multi_vehicle", "rock_clearance"],
        "generator_parameters": {"load": "Multi2", "gap_m": 8, "side": "L"},
    }


def test_empty_lists_stay_in_the_context():
    context = json.loads(FILES["data/T1B/T1B_Basic_4m_context.json"])
    assert context["semantic_environment"] == {"terrain_affordances": [], "forbidden_regions": []}


def test_the_layout_holds_what_follows_from_the_scene():
    layout = json.loads(FILES["data/T2B/T2B_Downslope_8m_H2m.json"])
    assert layout["water_y"] == -3.7  # 1.7 m below the right bank at -2
    assert layout["flags"] == [{"x": 10.0, "y": -2.0}]
    convoy = json.loads(FILES["data/T4D/T4D_ConvoyHeavyLead_12m.json"])
    assert convoy["vehicles"] == [
        {"weight_pg": 6.0, "start_x": -2.1},
        {"weight_pg": 3.0, "start_x": -5.6},
    ]


def test_a_level_describes_itself_to_a_person():
    levels = {f.name: f.level for f in load_all()}
    assert describe(levels["T2C_SlopeRWDown_6m"]) == (
        "6 m between banks; right bank 1 m lower; Road, Wood; vehicle of 3 PG."
    )
    assert describe(levels["G5_PlatformClearanceR_Multi2_10m"]) == (
        "24 m between banks; platform 4 m wide at y = 0; rock with its tip at (14.4, -0.6); "
        "Road, Wood, Steel; vehicles of 3 and 3 PG."
    )


def test_json_text_keeps_plain_rows_on_one_line():
    assert to_text({"a": [{"x": 1.0}, {"x": 2}], "b": [], "c": {"d": [3]}}) == (
        '{\n "a": [\n  {"x": 1.0},\n  {"x": 2}\n ],\n "b": [],\n "c": {\n  "d": [3]\n }\n}\n'
    )


def test_a_missing_file_is_reported(root, files):
    (root / LAYOUT).unlink()
    assert list(differences(root, files)) == [f"missing  {LAYOUT}"]


def test_a_changed_byte_is_reported_with_its_line(root, files):
    path = root / LAYOUT
    path.write_bytes(path.read_bytes().replace(b'"right"', b'"Right"'))
    line = 1 + FILES[LAYOUT].splitlines().index('  "right": {')
    assert list(differences(root, files)) == [f"differs  {LAYOUT}: first at line {line}"]


def test_another_spelling_of_the_same_json_is_a_difference(root, files):
    path = root / LAYOUT
    path.write_bytes(path.read_bytes() + b"\n")
    assert list(differences(root, files)) == [f"differs  {LAYOUT}: its length differs"]


def test_stray_files_are_reported_and_code_folders_are_not_strays(root, files):
    (root / "data" / "T2I" / "T2I_Old.json").write_text("{}")
    (root / "data" / "OLD").mkdir()
    (root / "data" / "OLD" / "OLD_1m.json").write_text("{}")
    (root / "families").mkdir()
    (root / "families" / "__init__.py").write_text("")
    (root / "families" / "t2i.py").write_text("")
    (root / "__pycache__").mkdir()
    (root / "__pycache__" / "build.pyc").write_text("")
    assert strays(root, files) == ["data/OLD/OLD_1m.json", "data/T2I/T2I_Old.json"]


def test_check_exits_1_and_lists_every_fault(root, capsys):
    (root / LAYOUT).unlink()
    (root / "data" / "T2I" / "T2I_Old.json").write_text("{}")
    assert main(["--check", "--root", str(root)]) == 1
    out = capsys.readouterr().out
    assert f"missing  {LAYOUT}\n" in out
    assert "stray    data/T2I/T2I_Old.json" in out
    missing = sum(not (root / name).exists() for name in FILES)
    assert f"{missing + 1} problems in {len(FILES)} files" in out


def test_writing_repairs_the_files(root, files, capsys):
    (root / LAYOUT).write_text("{}")
    assert main(["--root", str(root)]) == 0
    assert list(differences(root, files)) == []


def test_budgets_that_cannot_be_read_exit_4_with_one_line(tmp_path, capsys):
    assert levels(["generate", "--check", "--budgets", str(tmp_path / "none.json")]) == 4
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "none.json" in captured.err


def repacked(root: Path, change=lambda text: text) -> None:
    """Compress the layout's first save anew, at another level, after a change of its text."""
    path = root / LAYOUT
    payload = json.loads(path.read_text())["saveFiles"][0]
    text = change(zlib.decompress(base64.b64decode(payload)).decode())
    other = base64.b64encode(zlib.compress(text.encode(), level=0)).decode()
    assert other != payload
    path.write_text(path.read_text().replace(payload, other))


def test_a_save_that_another_zlib_packed_is_no_difference(root, files):
    repacked(root)
    assert list(differences(root, files)) == []


def test_a_save_of_other_content_is_a_difference(root, files):
    repacked(root, lambda text: text.replace('"y":-2', '"y":-3'))
    assert [line[:7] for line in differences(root, files)] == ["differs"]
