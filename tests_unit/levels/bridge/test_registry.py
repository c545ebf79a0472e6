"""Contract tests: every registered family and level is covered the moment it is registered."""

from __future__ import annotations

import tomllib
from collections import Counter
from itertools import pairwise

import pytest
from shapely import LineString, Point, Polygon

from bench.bridge.level.level import Level
from levels.bridge.build import banks, to_level
from levels.bridge.families import REGISTRY
from levels.bridge.registry import ANCHORS, GROUPS, Family, Registry, grid
from levels.bridge.studies.twins import REMOVALS
from tests_unit.support.paths import ROOT

SCENES = list(REGISTRY.scenes())
LEVELS = [to_level(scene, 1000) for _, scene, _ in SCENES]
NAMES = [level.name for level in LEVELS]

each_level = pytest.mark.parametrize("level", LEVELS, ids=NAMES)
each_family = pytest.mark.parametrize("family", list(REGISTRY), ids=lambda f: f.code)


def solid_ground(level: Level) -> list[Polygon]:
    """The banks, cut off 40 m out, and the platforms."""
    span, rise = level.span_m, level.rise_m
    left = [(-40, -5), (level.left_toe_x, -5), (0, 0), (-40, 0)]
    right = [(level.right_toe_x, -5), (span + 40, -5), (span + 40, rise), (span, rise)]
    return [Polygon(p) for p in (left, right, *(p.polygon for p in level.platforms))]


def route(level: Level) -> list[LineString]:
    """The straight lines across the gaps, from edge to edge."""
    edges = [(0.0, 0.0)]
    for p in level.platforms:
        edges += [(p.x_start, p.surface_y), (p.x_end, p.surface_y)]
    edges.append((level.span_m, level.rise_m))
    return [LineString(edges[i : i + 2]) for i in range(0, len(edges), 2)]


def test_there_are_189_levels_in_27_families():
    assert len(NAMES) == 189
    assert len(REGISTRY) == 27


def test_groups_have_the_sizes_of_the_paper():
    counts = Counter(family.group for family, _, _ in SCENES)
    assert [counts[group] for group in GROUPS] == [59, 64, 26, 40]


def test_suites_have_the_sizes_of_the_paper():
    assert Counter(f.suite for f, _, _ in SCENES) == {"core": 149, "compositional": 40}


def test_exactly_the_g_families_are_compositional():
    assert {f.code for f in REGISTRY if f.suite == "compositional"} == {
        "G1", "G2", "G3", "G4", "G5", "G6",
    }  # fmt: skip


def test_names_are_unique_even_on_a_disk_that_ignores_case():
    assert len({name.casefold() for name in NAMES}) == len(NAMES)


@each_family
def test_a_family_explains_itself(family: Family):
    assert family.doc is not None
    assert family.doc.startswith(f"{family.code}: ")
    assert family.goal.startswith("Tests ")
    assert len(family.goal) > 60


def test_every_constraint_of_a_family_can_be_taken_away():
    assert {kind for family in REGISTRY for kind in family.constraints} == set(REMOVALS)


@each_family
def test_k_selects_exactly_the_family(family: Family):
    # pytest -k matches, ignoring case, any part of the names of the test, its files and folders,
    # its function's attributes and its marks. Extra: a second sample's suffix.
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    marks = [line.partition(":")[0] for line in settings["tool"]["pytest"]["markers"]]
    shared = ["bench", "test_levels.py", "test_level", "parametrize", "pytestmark", *marks]
    shared += ["usefixtures", "filterwarnings", "skipif", "xfail", "xdist_group", "timeout"]
    selected = [
        name
        for name in NAMES
        if any(
            family.code.casefold() in text.casefold()
            for text in (*shared, f"test_level[{name}]", f"test_level[{name}-s2]")
        )
    ]
    assert selected == [scene.name for scene, _ in family.levels()]


@each_level
def test_ids_follow_the_order_and_the_decks_come_first(level: Level):
    assert [a.id for a in level.anchors] == list(range(1, len(level.anchors) + 1))
    assert [(a.x, a.y) for a in level.anchors[:2]] == [(0, 0), (level.span_m, level.rise_m)]


@each_level
def test_no_two_anchors_share_a_place(level: Level):
    assert len({(a.x, a.y) for a in level.anchors}) == len(level.anchors)


@each_level
def test_anchors_touch_no_rock(level: Level):
    for rock in level.rocks:
        triangle = Polygon(rock.vertices)
        assert all(triangle.distance(Point(a.x, a.y)) > 0.1 for a in level.anchors)


@each_level
def test_anchors_are_never_inside_solid_ground(level: Level):
    for ground in solid_ground(level):
        inside = [a.id for a in level.anchors if ground.buffer(-1e-6).contains(Point(a.x, a.y))]
        assert inside == []


@each_level
def test_each_anchor_but_a_pier_is_on_the_edge_of_solid_ground(level: Level):
    free = {
        a.id
        for a in level.anchors
        if all(ground.boundary.distance(Point(a.x, a.y)) > 1e-6 for ground in solid_ground(level))
        and a.y <= max(0.0, level.rise_m)  # T1G's anchors stand above the banks, in the air
    }
    assert free == set(level.pier_anchor_ids)


@each_level
def test_every_edge_of_the_route_has_an_anchor(level: Level):
    places = {(a.x, a.y) for a in level.anchors}
    for line in route(level):
        assert set(line.coords) <= places


@each_level
def test_the_straight_deck_is_clear_of_rocks_and_no_steeper_than_one_in_four(level: Level):
    for line in route(level):
        (x0, y0), (x1, y1) = line.coords
        assert abs(y1 - y0) / (x1 - x0) <= 0.25
        assert all(Polygon(rock.vertices).distance(line) >= 0.5 for rock in level.rocks)


@each_level
def test_rocks_stand_in_the_gap_and_their_tips_outside_the_ground(level: Level):
    """A rock's foot may reach into a bank; what is seen of it, and its tip, is in the gap."""
    for rock in level.rocks:
        triangle, tip = Polygon(rock.vertices), Point(rock.vertices[0])
        seen = triangle
        for ground in solid_ground(level):
            seen = seen.difference(ground)
            assert not ground.buffer(-1e-9).contains(tip)
        assert seen.area > 1.0


@each_level
def test_a_platform_names_the_anchors_at_its_top_edges(level: Level):
    for p in level.platforms:
        at = {a.id: (a.x, a.y) for a in level.anchors}
        assert [at[i] for i in p.anchor_ids] == [(p.x_start, p.surface_y), (p.x_end, p.surface_y)]


@each_level
def test_one_to_three_vehicles_of_the_three_known_weights(level: Level):
    assert 1 <= len(level.vehicle_weights_pg) <= 3
    assert all(weight in (3.0, 6.0, 9.0) for weight in level.vehicle_weights_pg)


def test_a_slanted_face_runs_from_the_edge_through_its_anchor_to_the_bottom():
    levels = {level.name: level for level in LEVELS}
    level = levels["T2D_SlantBank_12m_O2m"]
    assert level.left_toe_x == pytest.approx(10 / 3)  # 2 m in at depth 3, so 10/3 m at depth 5
    assert level.right_toe_x == pytest.approx(12 - 10 / 3)
    for face, anchor in zip(
        (level.left_bank_face, level.right_bank_face), level.anchors[2:], strict=True
    ):
        assert LineString(face).distance(Point(anchor.x, anchor.y)) < 1e-12
    assert {n for n in NAMES if levels[n].left_toe_x} == {n for n in NAMES if n.startswith("T2D")}


def test_the_mid_anchor_is_the_only_free_standing_one():
    piers = {level.name: level.pier_anchor_ids for level in LEVELS if level.pier_anchor_ids}
    assert set(piers) == {name for name in NAMES if name.startswith("T1H")}
    assert set(piers.values()) == {(5,)}


def test_families_with_one_code_are_refused():
    family = Family("T1B", ANCHORS, "", grid(span_m=(4,)), lambda span_m: banks("T1B_A", span_m))
    with pytest.raises(ValueError, match="family T1B is registered twice"):
        Registry([family, family])


@pytest.mark.parametrize("second", ["X2_same", "x2_SAME"])
def test_levels_with_one_name_are_refused(second: str):
    names = iter(["X2_same", second] * 2)
    family = Family(
        "X2", ANCHORS, "", grid(span_m=(4, 5)), lambda span_m: banks(next(names), span_m)
    )
    with pytest.raises(ValueError, match="names must be unique"):
        Registry([family])


def test_a_level_must_carry_its_familys_code():
    family = Family("X2", ANCHORS, "", grid(span_m=(4,)), lambda span_m: banks("X3_A", span_m))
    with pytest.raises(ValueError, match="X3_A must start with X2_"):
        Registry([family])


def test_an_unknown_group_is_refused():
    family = Family("X2", "Anchors", "", (), banks)
    with pytest.raises(ValueError, match="group 'Anchors' is not in"):
        Registry([family])


def test_a_grid_varies_its_last_axis_fastest():
    made = grid(a=(1, 2), b=("x", "y"))
    assert [(m["a"], m["b"]) for m in made] == [(1, "x"), (1, "y"), (2, "x"), (2, "y")]


def test_families_keep_together_in_the_catalogues_order():
    codes = [family.code for family, _, _ in SCENES]
    changes = [b for a, b in pairwise(codes) if a != b]
    assert [codes[0], *changes] == [family.code for family in REGISTRY]
