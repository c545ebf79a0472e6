"""Chains beside chains must not add their strengths: seeded samplers on levels all over.

docs/bridge/tricks.md has the table. The samplers are the red team's (bench/bridge/analysis/plies).
"""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from bench.bridge.analysis.plies import PLIES, Sketch, doubled_chain, parabola, staggered_chains
from bench.bridge.analysis.redteam import Trick, examine, search
from bench.bridge.design.design import Design
from bench.bridge.design.materials import ROAD, STEEL, WOOD
from bench.bridge.level.files import LevelFile, load_all, load_level
from bench.bridge.level.level import Level
from bench.bridge.physics.engine import simulate, simulate_many
from bench.bridge.rules import RULES, RuleBook, validate
from bench.bridge.rules.case import Case
from bench.task import Violation
from levels.bridge.search.store import load

CANDIDATES = 20
CLOSED = {"doubled_chain": "NODES_TOO_CLOSE", "staggered_chains": "ROADS_OVERLAP"}
"""Samplers whose candidates, next to all, break a rule that is there for them."""


@cache
def open_levels() -> tuple[LevelFile, ...]:
    """Forty levels without a platform, from all over the catalogue."""
    return tuple(file for file in load_all() if not file.level.platforms)[::4]


def without(*codes: str):  # type: ignore[no-untyped-def]
    """The validator with these rules switched off."""
    book = RuleBook(rule for rule in RULES if rule.code not in codes)

    def refuse(level: Level, design: Design, limit_usd: float) -> tuple[Violation, ...]:
        return tuple(book.violations(Case(level, design, limit_usd)))

    return refuse


def legal(  # type: ignore[no-untyped-def]
    name: str, level: Level, refuse=validate, candidates: int = CANDIDATES
) -> list[Design]:
    rng = np.random.default_rng(1)
    drawn = [PLIES[name](level, rng) for _ in range(candidates)]
    return [d for d in drawn if not refuse(level, d, level.strict_limit_usd)]


@pytest.mark.slow
@pytest.mark.parametrize("name", PLIES)
def test_no_chain_beside_a_chain_wins_within_the_strict_limit(name: str) -> None:
    tried, won = 0, []
    for file in open_levels():
        level, designs = file.level, legal(name, file.level)
        tried += len(designs)
        won += [file.name for r in simulate_many([level] * len(designs), designs) if r.success]
    assert len(open_levels()) >= 40
    assert won == []
    assert tried > 60 or name in CLOSED


@pytest.mark.slow
@pytest.mark.parametrize(("name", "code"), CLOSED.items())
def test_the_rules_are_what_closes_them(name: str, code: str) -> None:
    """Without the rule the same samplers win somewhere, and what wins is what the rule refuses."""
    won = set()
    for file in open_levels():
        limit = file.level.strict_limit_usd
        designs = legal(name, file.level, without(code), CANDIDATES * 3)
        designs = [d for d in designs if validate(file.level, d, limit)]
        results = simulate_many([file.level] * len(designs), designs)
        won |= {file.name for r in results if r.success}
    assert won


def blind_template(level: Level, sag_share: float) -> Design:
    """One fixed template: a sagging road and, 1 mm beside it, a chain of steel (of wood where there
    is none) that shares every second node and is tied to the others by stubs."""
    panels = 2 * math.ceil(level.span_m / 3.8)
    xs = [level.span_m * i / panels for i in range(panels + 1)]
    curve = parabola(level, sag_share * level.span_m)
    sketch = Sketch(level)
    first = sketch.along(xs, curve)
    second = []
    for i, (x, node) in enumerate(zip(xs, first, strict=True)):
        if i % 2 == 0:
            second.append(node)
            continue
        beside = sketch.node(x, curve(x) - 0.001)
        stub = sketch.node(x, curve(x) - 0.251)
        sketch.join(node, stub, [WOOD.type])
        sketch.join(beside, stub, [WOOD.type])
        second.append(beside)
    sketch.chain(first, [ROAD.type])
    sketch.chain(second, [max(level.materials, key=lambda m: m.strength_pn).type])
    return sketch.design()


def test_the_blind_template_is_refused_everywhere_and_only_by_its_rule() -> None:
    """1 mm is under 0.25 m on every level; with the rule off it wins several of them."""
    won = set()
    refuse = without("NODES_TOO_CLOSE")
    for file in open_levels():
        for share in (0.06, 0.09, 0.12):
            design = blind_template(file.level, share)
            codes = {v.code for v in validate(file.level, design, file.level.strict_limit_usd)}
            assert "NODES_TOO_CLOSE" in codes, file.name
            if not refuse(file.level, design, file.level.strict_limit_usd):
                won |= {file.name} if simulate(file.level, design).success else set()
    assert len(won) >= 3


def test_the_red_team_finds_the_trick_when_its_rule_is_off() -> None:
    """Within 4,000 candidates of a seed: far less than two minutes, but no clock is asked."""
    level = load_level("T1G_HighAnchor_16m_H2m").level
    stored = load(level.name)
    assert stored is not None
    refuse = without("NODES_TOO_CLOSE")
    for made, _, finds in search(
        level, level.strict_limit_usd, [stored.design], seed=0, refuse=refuse
    ):
        if any(Trick.PLIED in find.tricks for find in finds):
            break
        assert made < 4000


def test_a_doubled_chain_is_called_plied_and_hanging_and_a_reference_neither() -> None:
    level = load_level("T1G_HighAnchor_16m_H2m").level
    rng = np.random.default_rng(0)
    for make in (doubled_chain, staggered_chains):
        design = make(level, rng)
        tricks = examine(level, design, simulate(level, design))
        assert {Trick.PLIED, Trick.HANGING} <= set(tricks)
    stored = load(level.name)
    assert stored is not None
    assert examine(level, stored.design, simulate(level, stored.design)) == ()


def test_a_long_member_over_two_short_ones_is_honest() -> None:
    """A node on another member's axis, which is no rule's business: strengths add, at their price.

    Two roads of 1.9 m under a steel member of 3.8 m carry 900 + 2000 PN where all three pull in
    line, for $650 a metre; a pair of road and steel has 1500 PN. No level is won by it, as the
    joint in the middle hangs on the roads alone.
    """
    level = next(f.level for f in open_levels() if f.name == "T1B_Basic_16m")
    for sag in np.arange(0.4, 2.5, 0.2):
        sketch, curve = Sketch(level), parabola(level, float(sag))
        spans = math.ceil(level.span_m / 3.9)
        ids = []
        for x0, x1 in pairwise(np.linspace(0.0, level.span_m, spans + 1).tolist()):
            ids += [
                sketch.node(x0, curve(x0)),
                sketch.node(0.5 * (x0 + x1), 0.5 * (curve(x0) + curve(x1))),
            ]
        ids.append(sketch.node(level.span_m, curve(level.span_m)))
        sketch.chain(ids, [ROAD.type])
        for a, b in pairwise(ids[::2]):
            sketch.join(a, b, [STEEL.type])
        design = sketch.design()
        assert validate(level, design, 50_000) == ()
        assert not simulate(level, design).success
