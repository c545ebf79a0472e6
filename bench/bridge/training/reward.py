"""A reward for training: what an answer is worth, between 0 and 1, pure and deterministic.

    total = 0.05 parse + 0.10 validity x cover + 0.70 function + 0.15 cost

Each part is in [0, 1]:

parse     1 for a design, 0.5 for a JSON object that is no design, 0 for anything else
validity  share of the validator's rules that hold; 0 without a design
cover     share of the gap that road or ground lies over: legality alone earns nothing, so that
          an empty graph, a stick on an anchor or members between anchors stay near 0.05
function  only for legal designs: how far the slowest vehicle got, as a share of the way from
          where it ends with no bridge at all to its flag; 0 for what doing nothing reaches,
          at most 0.9 without success, 1 only on success
cost      on success only: 1 - cost / limit

`details` says how each number came about.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from bench.bridge.answer.parse import parse_answer
from bench.bridge.design.design import Design, Node
from bench.bridge.design.materials import ROAD
from bench.bridge.level.budget import limit_usd
from bench.bridge.level.level import Level
from bench.bridge.physics import constants as c
from bench.bridge.physics.result import SimResult
from bench.task import Json

WEIGHTS = {"parse": 0.05, "validity": 0.10, "function": 0.70, "cost": 0.15}
MOST_WITHOUT_SUCCESS = 0.9


@dataclass(frozen=True)
class Reward:
    """The parts of a reward, each in [0, 1], and their weighted total."""

    total: float
    parse: float
    validity: float
    function: float
    cost: float
    details: Mapping[str, Json] = field(default_factory=dict)


def reward(answer_text: str, level: Level, budget: str = "strict") -> Reward:
    """The reward of one answer on a level under a budget condition.

    Raises InputError for an unknown budget, nothing for whatever the answer holds.
    """
    from bench.bridge.physics.engine import simulate

    stage = _static_stage(answer_text, level, budget)
    result = simulate(level, stage.design) if stage.runs and stage.design else None
    return _finish(stage, level, result)


def rewards_many(
    answers: Sequence[str], levels: Sequence[Level], budget: str = "strict"
) -> list[Reward]:
    """The rewards of answer i on level i, with all cores; equal to single calls."""
    from bench.bridge.physics.engine import simulate

    def one(pair: tuple[str, Level]) -> Reward:
        stage = _static_stage(*pair, budget)
        result = simulate(pair[1], stage.design) if stage.runs and stage.design else None
        return _finish(stage, pair[1], result)

    # The kernel releases the interpreter lock: one thread more than cores keeps it busy while
    # another reads and checks the next answer.
    with ThreadPoolExecutor((os.cpu_count() or 1) + 1) as pool:
        return list(pool.map(one, zip(answers, levels, strict=True)))


@dataclass(frozen=True, slots=True)
class _Stage:
    """What is known of an answer before physics."""

    design: Design | None
    parse: float
    validity: float
    cover: float
    limit_usd: float
    codes: tuple[str, ...]

    @property
    def runs(self) -> bool:
        return self.design is not None and not self.codes


def _static_stage(answer_text: str, level: Level, budget: str) -> _Stage:
    """Parse, check and measure."""
    from bench.bridge.rules import checks

    _, limit = limit_usd(level.strict_limit_usd, budget)
    candidate = parse_answer(answer_text)
    if candidate.design is None:
        codes = tuple(dict.fromkeys(v.code for v in candidate.violations))
        parsed = 0.5 if "SCHEMA_ERROR" in codes and isinstance(candidate.draft, dict) else 0.0
        return _Stage(None, parsed, 0.0, 0.0, limit, codes)
    passed = checks(level, candidate.design, limit)
    codes = tuple(code for code, holds in passed.items() if not holds)
    validity = sum(passed.values()) / len(passed)
    return _Stage(
        candidate.design, 1.0, validity, deck_cover(level, candidate.design), limit, codes
    )


def _finish(stage: _Stage, level: Level, result: SimResult | None) -> Reward:
    """Add physics and weigh the parts."""
    function = cost = 0.0
    if result is not None and stage.design is not None:
        function = 1.0 if result.success else MOST_WITHOUT_SUCCESS * progress(level, result)
        if result.success:
            cost = max(0.0, 1.0 - stage.design.cost_usd / stage.limit_usd)
    total = (
        WEIGHTS["parse"] * stage.parse
        + WEIGHTS["validity"] * stage.validity * stage.cover
        + WEIGHTS["function"] * function
        + WEIGHTS["cost"] * cost
    )
    details = {
        "codes": list(stage.codes),
        "cover": round(stage.cover, 6),
        "cost_usd": None if stage.design is None else stage.design.cost_usd,
        "limit_usd": stage.limit_usd,
        "ending": None if result is None else result.ending.value,
        "end_s": None if result is None else result.end_s,
    }
    return Reward(total, stage.parse, stage.validity, function, cost, details)


def reach_m(result: SimResult) -> np.ndarray:
    """The furthest x (V,) in metres that each vehicle's centre got to."""
    reach: np.ndarray = result.poses[..., 0].max(axis=0)
    return reach


def progress(level: Level, result: SimResult) -> float:
    """Share of the way beyond what no bridge gives, of the vehicle that got least far of it."""
    flag = level.span_m + c.FLAG_OFFSET_M
    nothing = np.array(_reach_without_bridge(level))
    got = (reach_m(result) - nothing) / np.maximum(flag - nothing, 1e-9)
    return float(np.clip(got.min(), 0.0, 1.0))


@lru_cache(maxsize=512)
def _reach_without_bridge(level: Level) -> tuple[float, ...]:
    """Where each vehicle ends on this level with nothing built."""
    from bench.bridge.physics.engine import simulate

    nodes = tuple(Node(a.id, a.x, a.y, True) for a in level.anchors)
    return tuple(float(x) for x in reach_m(simulate(level, Design(nodes, ()))))


def deck_cover(level: Level, design: Design) -> float:
    """Share of the gap, in x, over which a road or drivable ground lies."""
    spans = [(max(0.0, lo), min(level.span_m, hi)) for lo, hi, _ in level.surfaces]
    for member in design.members:
        a, b = design.node_by_id.get(member.a), design.node_by_id.get(member.b)
        if member.type == ROAD.type and a is not None and b is not None:
            lo, hi = sorted((a.x, b.x))
            spans.append((max(0.0, lo), min(level.span_m, hi)))
    covered = reached = 0.0
    for lo, hi in sorted(s for s in spans if s[1] > s[0]):
        covered += max(0.0, hi - max(lo, reached))
        reached = max(reached, hi)
    ground = sum(p.x_end - p.x_start for p in level.platforms)
    gap = level.span_m - ground
    return float(np.clip((covered - ground) / gap, 0.0, 1.0)) if gap > 0 else 1.0
