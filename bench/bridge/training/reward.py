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

from bench.bridge.design.design import Design, Node
from bench.bridge.design.materials import ROAD
from bench.bridge.level.level import Level
from bench.bridge.physics import constants as c
from bench.bridge.physics.result import SimResult
from bench.bridge.rules import RULES
from bench.bridge.task import BridgeTask, text_task
from bench.task import Json
from bench.turn import Turn, take_turn

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
    task = text_task(level, budget)
    return reward_of(task, take_turn(task, 1, answer_text))


def rewards_many(
    answers: Sequence[str], levels: Sequence[Level], budget: str = "strict"
) -> list[Reward]:
    """The rewards of answer i on level i, with all cores; equal to single calls."""

    def one(pair: tuple[str, Level]) -> Reward:
        return reward(*pair, budget)

    # The kernel releases the interpreter lock: one thread more than cores keeps it busy while
    # another reads and checks the next answer.
    with ThreadPoolExecutor((os.cpu_count() or 1) + 1) as pool:
        return list(pool.map(one, zip(answers, levels, strict=True)))


def reward_of(task: BridgeTask, turn: Turn[Design]) -> Reward:
    """The reward of a turn that was taken, at the limit of its task; nothing runs again.

    The turn must have run in the embedded simulator, whose states tell how far vehicles got.
    """
    design = turn.step.candidate.design
    result: SimResult | None = None if turn.execution is None else turn.execution.rollout
    parse, validity, cover, function, cost = _parse_part(turn), 0.0, 0.0, 0.0, 0.0
    if design is not None:
        validity, cover = rules_held(turn.step.codes), deck_cover(task.level, design)
    if result is not None and design is not None:
        function = 1.0 if result.success else MOST_WITHOUT_SUCCESS * progress(task.level, result)
        if result.success:
            cost = max(0.0, 1.0 - design.cost_usd / task.limit_usd)
    total = (
        WEIGHTS["parse"] * parse
        + WEIGHTS["validity"] * validity * cover
        + WEIGHTS["function"] * function
        + WEIGHTS["cost"] * cost
    )
    details = {
        "codes": list(turn.step.codes),
        "cover": round(cover, 6),
        "cost_usd": None if design is None else design.cost_usd,
        "limit_usd": task.limit_usd,
        "ending": None if result is None else result.ending.value,
        "end_s": None if result is None else result.end_s,
    }
    return Reward(total, parse, validity, function, cost, details)


def _parse_part(turn: Turn[Design]) -> float:
    candidate = turn.step.candidate
    if candidate.design is not None:
        return 1.0
    found = "SCHEMA_ERROR" in turn.step.codes and isinstance(candidate.draft, dict)
    return 0.5 if found else 0.0


def rules_held(codes: Sequence[str]) -> float:
    """Share of the rules that hold; what comes after a rule that ends the validation does not."""
    held = 0
    for rule in RULES:
        held += rule.code not in codes
        if rule.stops and rule.code in codes:
            break
    return held / len(RULES)


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
