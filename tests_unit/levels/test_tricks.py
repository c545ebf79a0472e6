"""Tricks that must not win: each is tried on the levels, within their strict limits.

docs/tricks.md says what each trick saves and what closes it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from bench.bridge.design import Design, Member, Node
from bench.bridge.level import Level
from bench.bridge.level_files import LevelFile, load_all
from bench.bridge.materials import ROAD, STEEL, WOOD
from bench.bridge.redteam import rope
from bench.bridge.sim.engine import simulate, simulate_many
from bench.bridge.sim.params import HALF_STEP, SimParams
from bench.bridge.validate import validate
from levels.search.store import load

# Levels that a hanging chain of reinforced road wins within the strict limit. None is over 16 m
# without a rise, none is compositional; docs/tricks.md lists them.
CHAIN_LEVELS_AT_MOST = 12
# Two falling gaps whose rock makes the reference, and so the limit, dearer: an open gap.
COMPOSITIONAL_CHAINS = {"G4_SlopeClearanceDown_12m_R1m", "G4_SlopeClearanceDown_14m_R1m"}


@cache
def files() -> tuple[LevelFile, ...]:
    return tuple(load_all())


def ropes(level: Level, kinds: Iterable[Sequence[int]]) -> Iterator[Design]:
    """Chains of every sag up to 2.5 m that are legal within the strict limit."""
    least = math.ceil(level.span_m / 2.0 - 1e-9)
    for types in kinds:
        for panels in (least, least + 1, least + 2):
            for sag in np.arange(0.0, 2.55, 0.1):
                design = rope(level, float(sag), panels, types)
                if not validate(level, design, level.strict_limit_usd):
                    yield design


def winners(level: Level, designs: Sequence[Design], params: SimParams | None = None) -> list[int]:
    results = simulate_many(
        [level] * len(designs), designs, params=params if params else SimParams()
    )
    return [i for i, r in enumerate(results) if r.success]


@pytest.mark.slow
def test_sagging_reinforced_roads_win_few_levels_and_no_compositional_one() -> None:
    won = []
    for file in files():
        level = file.level
        if level.platforms:
            continue
        kinds = [(ROAD.type, WOOD.type)]
        if level.material_profile == "full":
            kinds.append((ROAD.type, STEEL.type))
        if winners(level, list(ropes(level, kinds))):
            won.append(file)
    assert len(won) <= CHAIN_LEVELS_AT_MOST, [f.name for f in won]
    compositional = {f.name for f in won if f.metadata.suite == "compositional"}
    assert compositional <= COMPOSITIONAL_CHAINS


@pytest.mark.slow
def test_a_bare_road_wins_nothing_however_it_hangs() -> None:
    for file in files():
        if not file.level.platforms:
            assert not winners(file.level, list(ropes(file.level, [(ROAD.type,)]))), file.name


def stub_laden(design: Design, count: int, length_m: float) -> Design:
    """Dangling roads on every free node: inertia without stiffness."""
    nodes, members = list(design.nodes), list(design.members)
    key = max(m.id for m in members)
    for node in design.nodes:
        if node.is_anchor:
            continue
        for k in range(count):
            angle = math.pi * (1.15 + 0.7 * (k + 0.5) / count)
            x, y = node.x + length_m * math.cos(angle), node.y + length_m * math.sin(angle)
            nodes.append(Node(key + 1, round(x, 4), round(y, 4)))
            members.append(Member(key + 2, ROAD.type, node.id, key + 1))
            key += 2
    return Design(tuple(nodes), tuple(members))


@pytest.mark.slow
def test_stubs_turn_no_losing_chain_into_a_winner() -> None:
    """On 30 levels: bare roads with 1 to 6 stubs of 0.25 and 0.5 m a joint."""
    tried = 0
    for file in files()[::5]:
        level = file.level
        if level.platforms:
            continue
        laden = [
            stub_laden(rope(level, sag, math.ceil(level.span_m / 2.0) + 1, (ROAD.type,)), n, size)
            for sag in (0.4, 0.8, 1.2, 1.6)
            for n in (1, 3, 6)
            for size in (0.25, 0.5)
        ]
        legal = [d for d in laden if not validate(level, d, level.strict_limit_usd)]
        tried += bool(legal)
        assert not winners(level, legal), file.name
        assert not winners(level, legal, HALF_STEP), file.name
    assert tried >= 20


def tied_cables(level: Level, sag_m: float, drop_m: float, kind: int) -> Design:
    """A road and a second cable below it, tied by short hangers."""
    panels = math.ceil(level.span_m / 2.0) + 1
    base = rope(level, sag_m, panels, (ROAD.type,))
    key = max(m.id for m in base.members)
    nodes, members, lower = list(base.nodes), list(base.members), [level.anchors[0].id]
    for node in base.nodes:
        if not node.is_anchor:
            nodes.append(Node(key + 1, node.x, round(node.y - drop_m, 4)))
            members.append(Member(key + 2, WOOD.type, node.id, key + 1))
            lower.append(key + 1)
            key += 2
    lower.append(level.anchors[1].id)
    for a, b in itertools.pairwise(lower):
        key += 1
        members.append(Member(key, kind, a, b))
    return Design(tuple(nodes), tuple(members))


@pytest.mark.slow
def test_tied_parallel_cables_win_only_what_a_reinforced_chain_wins() -> None:
    won = set()
    for file in files():
        level = file.level
        if level.platforms:
            continue
        designs = [
            tied_cables(level, sag, drop, kind.type)
            for sag in (0.3, 0.8, 1.3, 1.8)
            for drop in (0.25, 0.5)
            for kind in level.materials
        ]
        legal = [d for d in designs if not validate(level, d, level.strict_limit_usd)]
        if winners(level, legal):
            won.add(file.name)
    assert len(won) <= CHAIN_LEVELS_AT_MOST, sorted(won)
    assert {name for name in won if name.startswith("G")} <= COMPOSITIONAL_CHAINS


@pytest.mark.slow
def test_jumping_saves_no_more_than_one_panel() -> None:
    """References with two neighbouring deck panels left out: the vehicle falls."""
    for file in files():
        stored = load(file.name)
        assert stored is not None
        design, level = stored.design, file.level
        roads = [m for m in design.members if m.type == ROAD.type]
        at = design.node_by_id
        roads.sort(key=lambda m: at[m.a].x + at[m.b].x)
        # Both panels wide enough that the two together are more than one longest panel.
        pairs = [
            (p, q)
            for p, q in itertools.pairwise(roads)
            if {p.a, p.b} & {q.a, q.b}
            and abs(at[p.a].x - at[p.b].x) + abs(at[q.a].x - at[q.b].x) > 2.0
        ]
        cut = [
            replace(design, members=tuple(m for m in design.members if m not in pair))
            for pair in pairs
        ]
        won = winners(level, cut)
        assert not won, (file.name, [pairs[i] for i in won])


def test_a_bridge_cannot_stand_on_its_debris() -> None:
    """Two decks 1 m apart, the upper one too weak: it falls through the lower one."""
    level = next(f.level for f in files() if f.name == "T1B_Basic_10m")
    upper = rope(level, 0.0, 5, (ROAD.type,))
    result = simulate(level, upper)
    assert not result.success
    assert not result.clean
    fallen = result.positions[-1][:, 1].min()
    assert fallen < level.water_y or result.ending == "fell"


def test_a_road_that_dips_into_the_water_is_no_way_across() -> None:
    """A V of strong road to 2.6 m below the deck: the vehicle's centre goes under."""
    level = next(f.level for f in files() if f.name == "T1B_Basic_8m")
    level = replace(level, strict_limit_usd=50_000)
    design = rope(level, 2.6, 6, (ROAD.type, STEEL.type))
    assert simulate(level, design).ending == "fell"


def test_arriving_upside_down_is_no_arrival() -> None:
    """The judge wants the vehicle within 60 degrees of upright at its flag."""
    from bench.bridge.sim import constants as c
    from bench.bridge.sim.kernel import RUNNING, SUCCESS, judge

    for angle, outcome in ((0.0, SUCCESS), (0.9, SUCCESS), (1.2, RUNNING), (math.pi, RUNNING)):
        car = np.array([[13.0, 0.5, math.cos(angle), math.sin(angle), 0.0, 0.0, 0.0, 40.0]])
        arrived = np.zeros(1, np.bool_)
        assert judge(car, arrived, 12.0, 0.0, -1.7) == outcome
        assert bool(arrived[0]) == (math.cos(angle) >= c.UPRIGHT_COSINE)


@pytest.mark.slow
def test_no_reference_wins_only_because_the_window_ends_then() -> None:
    """Every reference is across with at least 1 s to spare, and also in a window 1 s shorter.

    28 m take 10.3 s at 3.5 m/s.
    """
    for file in files():
        stored = load(file.name)
        assert stored is not None
        result = simulate(file.level, stored.design, params=SimParams(window_s=11.0))
        assert result.success, file.name
        assert result.end_s < 11.0, file.name
