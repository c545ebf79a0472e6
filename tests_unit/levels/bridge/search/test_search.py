"""The search for references: its judge against hand calculations, and that it repeats itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.level.level import Level, Rock
from bench.bridge.rules import validate
from levels.bridge.calibrate import main
from levels.bridge.search.exchange import borrowed, library, pieces_of
from levels.bridge.search.reference import search_reference
from levels.bridge.search.scene import (
    MAX_BARS,
    MAX_NODES,
    design_of,
    is_symmetric,
    make_scene,
    state_of,
)
from levels.bridge.search.store import load, path_of, scene_digest
from levels.bridge.search.templates import gaps_of, templates
from tests_unit.support.factories import (
    anchor_nodes,
    flat_level,
    platform_level,
    rock_level,
    warren,
)

WHEEL_PN = 195.0  # half of 3 PG at 130 PN
SHARE = 1.2  # one axle on the middle joint, the other 1.6 m away on a 2 m panel: 1 + 0.2


def peaks(level: Level, design: Design, *, deformed: bool, kick: float = 0.0) -> list[float]:
    """Peak force per member by the search's statics."""
    from bench.bridge.statics.influence import MECHANISM, peak_forces, workspace
    from levels.bridge.search.anneal import METHOD
    from levels.bridge.search.deformed import relaxed_forces

    scene = make_scene(level)
    state = state_of(scene, design)
    assert state is not None
    method = METHOD._replace(kick=kick)
    work, peak = workspace(MAX_NODES, MAX_BARS), np.zeros(MAX_BARS)
    assert peak_forces(state, scene.axles, method, work, peak) != MECHANISM
    if deformed:
        assert relaxed_forces(state, scene.axles, kick, work, peak) < 0.05
    return [float(value) for value in peak[: state.used[1]]]


def struts(level: Level) -> Design:
    """Two 2 m roads, their joint held by two steel struts from the lower anchors."""
    members = (Member(6, 1, 1, 5), Member(7, 1, 5, 2), Member(8, 3, 3, 5), Member(9, 3, 4, 5))
    return Design((*anchor_nodes(level), Node(5, 2.0, 0.0)), members)


def test_statics_give_the_strut_forces_of_a_hand_calculation() -> None:
    level = flat_level(4.0)
    own = 2 * 2.0 * 6.0 / 2 + 2 * math.sqrt(8) * 5.0 / 2  # halves of two roads and two struts
    force = (SHARE * WHEEL_PN + own) / math.sqrt(2)
    found = peaks(level, struts(level), deformed=False)
    assert found[2:] == pytest.approx([force, force], rel=1e-9)
    assert found[:2] == pytest.approx([0.0, 0.0], abs=1e-6)


def test_a_bend_upwards_raises_the_wheel_on_it() -> None:
    level = flat_level(4.0)
    flat = struts(level)
    bent = replace(flat, nodes=(*flat.nodes[:4], Node(5, 2.0, -0.1)))
    slope_change = 2 * 0.1 / 2.0
    plain = peaks(level, bent, deformed=False)
    kicked = peaks(level, bent, deformed=False, kick=4.0)
    raised = (SHARE + 4.0 * slope_change) * WHEEL_PN
    own = 2 * math.hypot(2, 0.1) * 6.0 / 2 + 2 * math.hypot(2, 1.9) * 5.0 / 2
    share = (raised + own) / (SHARE * WHEEL_PN + own)
    assert kicked[2] / plain[2] == pytest.approx(share, rel=1e-6)


def test_a_shallow_arch_carries_more_once_it_has_moved() -> None:
    level = flat_level(4.0)
    rise = 0.3
    arch = Design(
        (*anchor_nodes(level), Node(5, 2.0, rise)), (Member(6, 1, 1, 5), Member(7, 1, 5, 2))
    )
    length = math.hypot(2.0, rise)
    load = SHARE * WHEEL_PN + length * 6.0
    stiffness = 900.0 / 0.001 / length

    def unbalanced(height: float) -> float:
        now = math.hypot(2.0, height)
        return 2 * stiffness * (length - now) * height / now - load

    height = brentq(unbalanced, 0.2, rise)
    exact = stiffness * (length - math.hypot(2.0, height))
    linear = load / 2 * length / rise
    assert peaks(level, arch, deformed=False)[0] == pytest.approx(linear, rel=1e-6)
    assert exact > 1.04 * linear
    assert peaks(level, arch, deformed=True)[0] == pytest.approx(exact, rel=0.01)


def test_a_design_survives_the_way_through_a_state() -> None:
    level = flat_level(10.0)
    scene = make_scene(level)
    design = warren(level)
    state = state_of(scene, design, mirrored=True)
    assert state is not None
    again = design_of(scene, state)
    assert again.cost_usd == design.cost_usd
    assert {(n.x, n.y) for n in again.nodes} == {(n.x, n.y) for n in design.nodes}


@pytest.mark.parametrize(
    ("level", "symmetric"),
    [
        (flat_level(10.0), True),
        (flat_level(10.0, rise=1.0), False),
        (rock_level(10.0), True),
        (rock_level(10.0, tip=(4.0, -1.0)), False),
    ],
    ids=["flat", "slope", "rock in the middle", "rock aside"],
)
def test_symmetry_is_seen(level: Level, symmetric: bool) -> None:
    assert is_symmetric(level) is symmetric


def test_templates_of_every_gap_reach_from_anchor_to_anchor() -> None:
    level = platform_level(16.0, width=4.0)
    assert [(g.left, g.right) for g in gaps_of(level)] == [
        ((0.0, 0.0), (6.0, 0.0)),
        ((10.0, 0.0), (16.0, 0.0)),
    ]
    for name, design in templates(level):
        roads = [m for m in design.members if m.type == 1]
        assert sum(design.length_m(m) or 0.0 for m in roads) >= 12.0 - 1e-6, name


def test_search_is_legal_within_the_peak_and_the_same_for_the_same_seed() -> None:
    level = flat_level(4.0)
    first = search_reference(level, 7, 30_000)
    second = search_reference(level, 7, 30_000)
    assert first is not None
    assert first == second
    assert validate(level, first.design, 1e9) == ()
    assert first.peak_utilisation <= 0.9
    assert first.cost_usd < 1800.0  # a deck of 800 and a few struts


def test_search_goes_on_from_a_given_design() -> None:
    level = flat_level(4.0)
    first = search_reference(level, 7, 30_000)
    assert first is not None
    start = (("first", first.design),)
    second = search_reference(level, 8, 5_000, start, use_templates=False)
    assert second is not None
    assert second.cost_usd <= first.cost_usd
    assert second.template == "first"


def test_a_piece_mirrored_twice_is_itself() -> None:
    level = flat_level(10.0, rise=1.0)
    (piece,) = pieces_of(level, warren(level))
    turned = piece.mirrored()
    assert turned.rise_m == -1.0
    assert turned != piece
    assert {frozenset(m[:2]) for m in turned.mirrored().members} == {
        frozenset(m[:2]) for m in piece.members
    }


def test_a_reference_of_one_gap_serves_both_gaps_of_a_platform_level() -> None:
    single = flat_level(4.0, name="Single")
    found = search_reference(single, 7, 30_000)
    assert found is not None
    tops_and_sides = platform_level(12.0, width=4.0)
    loan = borrowed(tops_and_sides, library([(single, found.design)]), math.inf)
    used = {m.a for m in found.design.members} | {m.b for m in found.design.members}
    if {3, 4} & used:  # the factory's platform has no anchors on its sides
        assert loan is None
    else:
        assert loan is not None
        assert loan[1].cost_usd == pytest.approx(2 * found.cost_usd, abs=0.02)


@pytest.mark.parametrize(
    ("change", "same"),
    [
        (lambda level: replace(level, name="Other", strict_limit_usd=1), True),
        (lambda level: replace(level, vehicle_weights_pg=(6.0,)), False),
        (lambda level: replace(level, rocks=(Rock(((5, -1.1), (4, -5), (6, -5))),)), False),
    ],
    ids=["name and budget", "load", "rock"],
)
def test_a_scene_is_known_by_what_a_design_meets(
    change: Callable[[Level], Level], same: bool
) -> None:
    level = rock_level(10.0)
    assert (scene_digest(change(level)) == scene_digest(level)) is same


def test_calibrate_writes_a_reference_and_leaves_it_on_the_next_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["T1B_Basic_4m", "--iterations", "2000", "--workers", "1", "--root", str(tmp_path)]
    assert main(command) == 1  # the other levels have no reference in this folder
    assert "budgets not written" in capsys.readouterr().out
    stored = load("T1B_Basic_4m", tmp_path)
    assert stored is not None
    assert stored.holds_all
    text = path_of("T1B_Basic_4m", tmp_path).read_bytes()
    main(command)
    assert path_of("T1B_Basic_4m", tmp_path).read_bytes() == text


def test_search_from_a_design_that_has_become_illegal_never_returns_it() -> None:
    level = flat_level(4.0)
    first = search_reference(level, 7, 30_000)
    assert first is not None
    joint = next(n for n in first.design.nodes if not n.is_anchor and n.y < 0.0)
    rock = Rock(((joint.x, joint.y + 0.05), (joint.x - 0.2, -5.0), (joint.x + 0.2, -5.0)))
    moved = replace(level, rocks=(rock,))
    assert validate(moved, first.design, 1e9)
    again = search_reference(moved, 8, 10_000, (("first", first.design),), use_templates=False)
    assert again is None or validate(moved, again.design, 1e9) == ()


def test_search_uses_no_steel_where_there_is_none() -> None:
    level = flat_level(4.0, material_profile="road_wood_only")
    for name, design in templates(level):
        assert all(m.type in (1, 2) for m in design.members), name
    found = search_reference(level, 7, 30_000)
    assert found is not None
    assert validate(level, found.design, 1e9) == ()
