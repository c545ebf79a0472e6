"""The static bound: worked out by hand, above every slow capacity, and monotone."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.design.materials import ROAD, STEEL, WOOD
from bench.bridge.level.files import level_names, load_level
from bench.bridge.level.level import Level
from bench.bridge.physics.engine import simulate
from bench.bridge.physics.params import SimParams
from bench.bridge.physics.result import SimResult
from bench.bridge.statics.capacity import slow_params, static_bound
from levels.bridge.search import store
from tests_unit.bench.bridge.physics.cases import calibration, scene
from tests_unit.bench.bridge.physics.random_designs import warren

SMALL = 0.01
"""Displacements are small up to this share of the span."""


@dataclass(frozen=True)
class Loaded:
    """A design, the bound, and the largest displacement when nothing breaks at 1.02 times it."""

    name: str
    level: Level
    design: Design
    bound: float
    displacement_share: float

    def run(self, multiple: float, params: SimParams) -> SimResult:
        """Simulate with this multiple of the bound."""
        return simulate(
            self.level, self.design, params=replace(params, weight_factor=multiple * self.bound)
        )


@cache
def all_loaded() -> list[Loaded]:
    """All references and calibration designs whose self-weight is balanced."""
    references = [(name, store.load(name)) for name in level_names()]
    named = [(name, load_level(name).level, r.design) for name, r in references if r is not None]
    assert len(named) == len(references), "every level has a reference"
    named += [(case.name, case.level, case.design) for case in calibration()]

    def load(item: tuple[str, Level, Design]) -> Loaded | None:
        name, level, design = item
        bound = static_bound(level, design)
        if bound is None:
            return None
        elastic = SimParams(weight_factor=1.02 * bound, breaking=False)
        drawn = np.array([(n.x, n.y) for n in design.nodes])
        moved = simulate(level, design, params=elastic).positions - drawn
        return Loaded(name, level, design, bound, float(np.abs(moved).max()) / level.span_m)

    with ThreadPoolExecutor(2) as pool:
        return [one for one in pool.map(load, named) if one is not None]


def which(judge: Callable[[Loaded], bool]) -> list[str]:
    """Names of the designs of which this is so, judged on two cores."""
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(judge, all_loaded()))
    return [one.name for one, yes in zip(all_loaded(), answers, strict=True) if yes]


def test_the_bound_of_two_bars_is_the_one_worked_out_by_hand() -> None:
    """A mast of two steel bars, 3-4-5, under the deck's middle node; wheel loads of 65 PN a PG.

    The deck's roads are level, so the node's load goes into the bars: 2 x 2000 x 0.6 = 2400 PN
    upwards. With one axle on the node the other, 1.6 m away on a road of 4 m, adds 2.4/4 of its
    load.
    """
    nodes = (
        Node(1, 0.0, 0.0, True), Node(2, 8.0, 0.0, True),
        Node(3, 0.0, -3.0, True), Node(4, 8.0, -3.0, True), Node(5, 4.0, 0.0),
    )  # fmt: skip
    members = (Member(10, 1, 1, 5), Member(11, 1, 5, 2), Member(12, 3, 3, 5), Member(13, 3, 4, 5))
    bound = static_bound(scene(Design(nodes, members), 8.0, (3.0,)), Design(nodes, members))
    weight = 0.5 * (6.0 * 8.0 + 5.0 * 10.0)
    assert bound == pytest.approx((2400.0 - weight) / (195.0 * (1.0 + 2.4 / 4.0)), rel=1e-6)


def test_there_is_no_bound_without_balance_and_none_without_a_road() -> None:
    hinged = scene(warren(1, 6.0), 6.0, (3.0,))
    chain = tuple(m for m in warren(1, 6.0).members if m.type == ROAD.type)
    assert static_bound(hinged, Design(warren(1, 6.0).nodes, chain)) is None
    bare = tuple(m for m in warren(1, 6.0).members if m.type != ROAD.type)
    assert static_bound(hinged, Design(warren(1, 6.0).nodes, bare)) is None


@pytest.mark.slow
def test_no_reference_or_calibration_design_carries_slow_vehicles_beyond_the_bound() -> None:
    """At 1.02 times the bound every design of small displacements breaks and lets one fall."""
    slack = [one.name for one in all_loaded() if one.displacement_share > SMALL]
    assert not slack, "with small displacements only, this test leaves nothing out"
    assert len(all_loaded()) >= len(level_names()) + 9, "one calibration case is a mechanism"

    def carries(one: Loaded) -> bool:
        result = one.run(1.02, slow_params(one.level))
        return result.success or bool(result.alive[-1].all())

    assert which(carries) == []


@pytest.mark.slow
def test_the_bound_is_no_mere_large_number() -> None:
    """Of every tenth design, half of what the bound says is carried, slowly and without a break."""
    for one in all_loaded()[::10]:
        result = one.run(0.5, slow_params(one.level))
        assert result.success, one.name
        assert result.clean, one.name


@pytest.mark.slow
def test_speed_lends_a_design_less_than_a_quarter_beyond_the_bound() -> None:
    """At full pace vehicles bounce, and the break rule's mean is 7 cm of way.

    No theorem says how much that lends; the most seen is 8%. Far more would be another fault.
    """
    assert which(lambda one: one.run(1.25, SimParams()).success) == []


@pytest.mark.slow
def test_the_bound_never_falls_when_members_get_stronger() -> None:
    """50 random cases: one wooden member or half of them, replaced by steel or doubled with it.

    Without self-weight: steel is heavier than wood, and weight is no gift.
    """
    rng, rose = np.random.default_rng(5), 0
    for seed in range(50):
        span_m = float(rng.uniform(5.0, 14.0))
        design = warren(seed, span_m, (WOOD.type,))
        level = scene(design, span_m, (3.0,) * int(rng.integers(1, 4)))
        wood = [m for m in design.members if m.type == WOOD.type]
        size = 1 if seed % 2 else len(wood) // 2
        chosen = [wood[int(k)] for k in rng.choice(len(wood), size, replace=False)]
        steel = tuple(replace(m, id=5000 + m.id, type=STEEL.type) for m in chosen)
        kept = design.members if seed % 4 < 2 else [m for m in design.members if m not in chosen]
        stronger = replace(design, members=(*kept, *steel))
        before = static_bound(level, design, self_weight_factor=0.0)
        after = static_bound(level, stronger, self_weight_factor=0.0)
        assert before is not None
        assert after is not None
        assert after >= before * (1.0 - 1e-9)
        rose += after > before * 1.001
    assert rose >= 5, "now and then the weakest member is among them"
