"""The engineer: what it may know, its statics, its sizing, its repairs."""

import ast
import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import bench.bridge.baselines.engineer as package
from bench.bridge.answer.parse import parse_answer
from bench.bridge.baselines.engineer import engineer, propose
from bench.bridge.baselines.engineer_moves import random_move
from bench.bridge.baselines.engineer_shapes import (
    Sketch,
    deck,
    empty_state,
    sketches,
    state_of,
    warren,
)
from bench.bridge.baselines.engineer_site import MAX_BARS, Site, survey
from bench.bridge.baselines.engineer_studio import Studio
from bench.bridge.baselines.scene import Gap, Scene
from bench.bridge.level.files import load_level
from bench.bridge.physics.engine import simulate
from bench.bridge.rules import validate
from bench.bridge.statics import bars as statics
from bench.bridge.statics.annealing import Schedule, anneal
from bench.bridge.statics.graph import ANCHOR, copy_state, distance, road_in_order
from bench.bridge.statics.influence import MECHANISM, peak_forces
from bench.bridge.statics.price import is_legal, overload_price, price, size_bars
from bench.bridge.task import BridgeTask
from bench.protocol import Settings
from bench.task import Execution, Outcome, Step
from tests_unit.support.bridge_fakes import ScriptedDriver

FILES = sorted(Path(package.__file__).parent.glob("engineer*.py"))
ALLOWED = (
    "bench.bridge.baselines",
    "bench.bridge.statics",
    "bench.bridge.design.materials",
    "bench.task",
    "__future__",
)
LIBRARIES = {
    "collections",
    "dataclasses",
    "functools",
    "itertools",
    "math",
    "numba",
    "numpy",
    "typing",
}


def site(width_m=8.0, supports=(), rocks=(), steel=True, weights=(3.0,)) -> Site:
    axles = tuple((3.5 * s + o, 130.0 * w / 2) for s, w in enumerate(weights) for o in (-0.8, 0.8))
    return Site(Gap((0.0, 0.0), (width_m, 0.0)), tuple(supports), tuple(rocks), axles, steel)


def observed(name: str, budget="strict", steps=(), *, limit=None):
    file = load_level(name)
    if limit is not None:
        file = replace(file, level=replace(file.level, strict_limit_usd=limit))
    task = BridgeTask(file, ScriptedDriver(), Settings(budget=budget, images=False))
    return task, task.observe(list(steps)).data


def failed(task: BridgeTask, call: int, text: str) -> Step:
    """What the episode makes of an answer whose execution, if legal, is no success."""
    candidate = task.parse(text)
    violations = task.validate(candidate.design)
    execution = None
    if not violations:
        execution = Execution(Outcome.FAILURE_OR_TIMEOUT, {"outcome": "failure_or_timeout"}, {})
    return Step(call, text, candidate, violations, task.feedback(candidate, violations, execution))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_no_file_of_the_engineer_reads_simulator_levels_references_or_the_disk(path: Path):
    names = set()
    for found in ast.walk(ast.parse(path.read_text())):
        if isinstance(found, ast.Import):
            names |= {a.name for a in found.names}
        elif isinstance(found, ast.ImportFrom):
            names.add(found.module)
        elif isinstance(found, ast.Name):
            assert found.id not in {"open", "__import__", "eval", "exec"}
    for name in names:
        root = name.split(".")[0]
        assert root in LIBRARIES or name.startswith(ALLOWED), name


def test_there_are_files_to_check():
    assert len(FILES) >= 5


def forces(state, axles, peak, jolt=0.0):
    """Fill `peak` by the engineer's method; the sag."""
    task = site().task(1.0, jolt)
    return peak_forces(state, np.array(axles), task.method, task.work, peak)


def king_post():
    """Two roads over 4 m, a post of 1 m and two ties: statically determinate but for the road."""
    sketch = Sketch("king post")
    sketch.add(statics.ROAD, (0.0, 0.0), (2.0, 0.0), (4.0, 0.0))
    sketch.add(statics.WOOD, (2.0, 0.0), (2.0, -1.0))
    sketch.add(statics.STEEL, (0.0, 0.0), (2.0, -1.0), (4.0, 0.0))
    return state_of(site(4.0), sketch)


def test_forces_of_a_king_post_are_those_of_the_joint_method():
    state, peak = king_post(), np.zeros(MAX_BARS)
    load = 1000.0
    sag = forces(state, [(0.0, load)], peak)
    # Axle on the post's head. Self-weight by hand: at the head 6 PN/m x 2 m of road and half of
    # 2.5 PN of post, at the foot that half and half of two ties of 5 PN/m x sqrt(5) m.
    post = load + 12.0 + 1.25
    foot = post + 1.25 + 5.0 * math.sqrt(5.0)
    tie = foot / 2 * math.sqrt(5.0)
    by_code = dict(zip(state.bars[: state.used[1], 2].tolist(), peak.tolist(), strict=False))
    assert by_code[statics.WOOD] == pytest.approx(post, rel=1e-2)
    assert by_code[statics.STEEL] == pytest.approx(tie, rel=1e-2)
    assert by_code[statics.ROAD] == pytest.approx(0.0, abs=1e-6)
    # Under the axle alone: post shortens by F L / EA, ties stretch.
    shortening = load / (800 / 0.001)
    stretch = load / 2 * math.sqrt(5) / (2000 / 0.001 / math.sqrt(5))
    assert sag == pytest.approx(shortening + stretch * math.sqrt(5), rel=1e-2)


def test_a_road_without_anything_below_is_a_mechanism():
    sketch = Sketch("road")
    sketch.add(statics.ROAD, (0.0, 0.0), (2.0, 0.0), (4.0, 0.0))
    state = state_of(site(4.0), sketch)
    assert forces(state, [(0.0, 1.0)], np.zeros(MAX_BARS)) == MECHANISM


def test_joints_that_bars_almost_in_line_hold_count_as_a_mechanism():
    sketch = Sketch("nearly straight")
    sketch.add(statics.ROAD, (0.0, 0.0), (2.0, -0.02), (4.0, 0.0))
    state = state_of(site(4.0), sketch)
    assert forces(state, [(0.0, 1.0)], np.zeros(MAX_BARS)) == MECHANISM


def test_an_axle_presses_harder_at_a_bend_of_the_road():
    flat, bent = np.zeros(MAX_BARS), np.zeros(MAX_BARS)
    for jolt, peak in ((0.0, flat), (1.0, bent)):
        road = deck(site(8.0), 4, -0.3)
        state = state_of(site(8.0), warren(site(8.0), road, 1.0))
        forces(state, [(0.0, 390.0)], peak, jolt)
    count = state.used[1]
    assert (bent[:count] >= flat[:count] - 1e-9).all()
    assert bent.max() > flat.max() * 1.05


def test_sizing_takes_the_cheapest_material_that_carries():
    state, peak = king_post(), np.zeros(MAX_BARS)
    count = state.used[1]
    for force, road, other in ((850, 1, 3), (1150, 4, 3), (1400, 5, 3), (700, 1, 2)):
        peak[:count] = force
        size_bars(state, peak, 1.0, True)
        for m in range(count):
            is_road = statics.IS_ROAD[state.bars[m, 2]]
            a, b, code = state.bars[m]
            expected = road if is_road else (3 if distance(state.xy, a, b) > 2.0 else other)
            assert code == expected
    peak[:count] = 1400
    size_bars(state, peak, 1.0, False)
    assert set(state.bars[:count, 2].tolist()) == {statics.ROAD_WOOD, statics.WOOD}


def test_price_and_overload_by_hand():
    state, peak = king_post(), np.zeros(MAX_BARS)
    assert price(state) == pytest.approx(4 * 200 + 180 + 2 * math.sqrt(5) * 450)
    assert overload_price(state, peak, 1.0) == 0.0
    peak[: state.used[1]] = np.where(state.bars[: state.used[1], 2] == statics.WOOD, 1200.0, 0.0)
    # 1200 PN on wood: half as much again as it carries, of a bar of $180 and $40 for the joint.
    assert overload_price(state, peak, 1.0) == pytest.approx(0.5 * 220.0)


def test_every_sketch_joins_the_gap_from_edge_to_edge():
    place = site(12.0, supports=((0.0, -2.0), (12.0, -2.0)))
    found = list(sketches(place))
    assert {s.concept.split(" ")[1] for s in found} >= {"Warren", "Pratt", "bowstring", "arch"}
    for sketch in found:
        roads = sorted(pair for pair, kind in sketch.bars.items() if kind == statics.ROAD)
        assert roads[0][0] == (0.0, 0.0)
        assert roads[-1][1] == (12.0, 0.0)
        assert all(a[1] == b[0] for a, b in pairwise(roads))


def test_random_moves_keep_the_road_whole_and_mirror_images_true():
    place = site(12.0, supports=((0.0, -2.0), (12.0, -2.0)))
    state = state_of(place, warren(place, deck(place, 6, 0.0), 1.0))
    trial, peak = empty_state(), np.zeros(MAX_BARS)
    task, none = place.task(1.0, 1.0), Schedule(0, 1.0, 1.0, 0.1)
    anneal(task, state, trial, empty_state(), 1.0, 7, none, 1.0, True)
    kept = 0  # no step yet: that call only seeded the compiled generator
    for _ in range(3000):
        copy_state(state, trial)
        random_move(trial, peak, place.axis, 1.0, True, 0.3)
        if is_legal(trial, place.ground):
            copy_state(trial, state)
            kept += 1
        xy, kind, mirror, ends, _, count = trial
        road = np.zeros(MAX_BARS, np.int64)
        road = road[: road_in_order(trial, road)]
        assert tuple(xy[ends[road[0], 0]]) == (0.0, 0.0)
        assert tuple(xy[ends[road[-1], 1]]) == (12.0, 0.0)
        assert all(ends[a, 1] == ends[b, 0] for a, b in pairwise(road))
        assert (ends[: count[1], :2] < count[0]).all()
        for i in range(count[0]):
            if mirror[i] >= 0:
                assert mirror[mirror[i]] == i
                assert xy[mirror[i]].tolist() == pytest.approx([12.0 - xy[i, 0], xy[i, 1]])
        assert {ANCHOR} == set(kind[:4].tolist())
    assert kept > 500


def test_a_rock_and_the_ground_bound_the_room():
    rock = ((3.0, -3.0), (5.0, -3.0), (4.0, -1.2))
    place = site(8.0, rocks=(rock,))
    low, high = (warren(place, deck(place, 4, 0.0), d) for d in (1.5, 1.0))
    assert not is_legal(state_of(place, low), place.ground)
    assert is_legal(state_of(place, high), place.ground)
    sunk = replace(place, rocks=(), buried=2)
    assert not is_legal(state_of(sunk, high), sunk.ground)
    wary = replace(place, touched=2)
    assert not is_legal(state_of(wary, high), wary.ground)


def test_a_low_support_inside_the_gap_marks_a_sloping_face():
    slanted = site(12.0, supports=((2.0, -3.0), (10.0, -3.0)))
    nx, ny, c = slanted.room[4]
    assert nx * 0.5 + ny * -2.0 > c  # left of the line from (0, 0) to (2, -3): in the bank
    assert nx * 2.5 + ny * -3.0 < c
    pier = site(14.0, supports=((7.0, -3.0),))
    assert len(pier.room) == 4


def test_supports_of_a_gap_are_the_anchors_in_it():
    _, data = observed("T2F_Platform_8m_I2m")
    left, right = survey(Scene.from_data(data))
    assert left.gap == Gap((0.0, 0.0), (8.0, 0.0))
    assert right.gap == Gap((10.0, 0.0), (18.0, 0.0))
    assert {x for x, _ in left.supports} == {0.0, 8.0}
    assert {x for x, _ in right.supports} == {10.0, 18.0}


def test_less_money_buys_a_higher_utilisation():
    proposals = []
    for limit in (4000.0, 6000.0):
        _, data = observed("T1B_Basic_8m")
        studios = [Studio(s, 0, 0, 0.5) for s in survey(Scene.from_data(data))]
        proposals.append(propose(studios, limit, 0.3))
    assert proposals[0].cost_usd <= 4000.0 < proposals[1].cost_usd <= 6000.0
    assert proposals[1].target < proposals[0].target


@pytest.mark.parametrize("name", ["T1B_Basic_8m", "T2I_RockBelow_10m_R1m", "T2G_PlatformUp_6m_H1m"])
def test_first_answers_are_legal_and_carry(name):
    task, data = observed(name, "loose")
    candidate = parse_answer(engineer(data))
    assert validate(task.level, candidate.design, task.limit_usd) == ()
    assert simulate(task.level, candidate.design).success
    assert "Concept: gap 1:" in candidate.thought


def test_after_a_failed_run_the_topology_is_another_one_and_the_thought_says_why():
    task, data = observed("T1B_Basic_10m", "loose")
    first = engineer(data)
    step = failed(task, 1, first)
    assert step.executed
    second = engineer(task.observe([step]).data)
    one, two = parse_answer(first), parse_answer(second)
    assert {(n.x, n.y) for n in one.design.nodes} != {(n.x, n.y) for n in two.design.nodes}
    assert "hypothesis" in two.thought


def test_after_an_answer_over_the_budget_it_comes_down():
    task, _ = observed("T1B_Basic_8m", limit=3000)
    step = failed(task, 1, engineer(observed("T1B_Basic_8m", "loose")[1]))
    assert step.codes == ("OVER_BUDGET",)
    again = parse_answer(engineer(task.observe([step]).data))
    assert again.design.cost_usd < step.candidate.design.cost_usd
    assert "less reserve" in again.thought
