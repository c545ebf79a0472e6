"""Load capacity of a design: how much heavier the vehicles may be, and a static upper bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from bench.bridge.design import Design, Node
from bench.bridge.level import Level
from bench.bridge.materials import MATERIALS, ROAD
from bench.bridge.sim import constants as c
from bench.bridge.sim.params import DEFAULT, SimParams
from bench.task import Json

LOWEST, HIGHEST = 0.1, 8.0
TOLERANCE = 1.02
"""The bracket is halved (geometrically) until its ends are within 2%."""
MOST_ROLLOUTS = 10
POSITION_STEP_M = 0.25


@dataclass(frozen=True, slots=True)
class Capacity:
    """The largest multiplier of all vehicle weights that the design still carries.

    `multiplier` is the lower end of the last bracket: it was simulated and succeeded (or is
    LOWEST, the least that is tried). A design that fails as it is has less than 1.
    """

    multiplier: float
    rollouts: int
    cost_usd: float

    @property
    def per_1000_usd(self) -> float:
        """Multiplier for each 1,000 dollars; 0 for a design that costs nothing."""
        return 1000.0 * self.multiplier / self.cost_usd if self.cost_usd > 0 else 0.0


def bisect(carries: Callable[[float], bool]) -> tuple[float, int]:
    """Largest multiplier in [LOWEST, HIGHEST] that is carried, and how often it was asked.

    Geometric bisection from 1 upwards or downwards; at most MOST_ROLLOUTS questions.
    """
    asked = 1
    if carries(1.0):
        low, high = 1.0, HIGHEST
        asked += 1
        if carries(HIGHEST):
            return HIGHEST, asked
    else:
        low, high = LOWEST, 1.0
    while high / low > TOLERANCE and asked < MOST_ROLLOUTS:
        middle = float(np.sqrt(low * high))
        asked += 1
        if carries(middle):
            low = middle
        else:
            high = middle
    return low, asked


def load_capacity(level: Level, design: Design, params: SimParams = DEFAULT) -> Capacity:
    """Capacity of a legal design in the embedded simulator."""
    from bench.bridge.sim.engine import simulate

    def carries(factor: float) -> bool:
        return simulate(level, design, params=replace(params, weight_factor=factor)).success

    multiplier, asked = bisect(carries)
    return Capacity(multiplier, asked, design.cost_usd)


def capacity_facts(level: Level, design: Design) -> dict[str, Json]:
    """Capacity and static bound (None where self-weight alone is not balanced), for records."""
    capacity, bound = load_capacity(level, design), static_bound(level, design)
    return {
        "multiplier": round(capacity.multiplier, 4),
        "per_1000_usd": round(capacity.per_1000_usd, 4),
        "static_bound": None if bound is None else round(bound, 4),
        "rollouts": capacity.rollouts,
    }


def static_bound(
    level: Level,
    design: Design,
    pn_per_pg: float = DEFAULT.pn_per_pg,
    self_weight_factor: float = 1.0,
) -> float | None:
    """Upper bound on the multiplier for slow vehicles, by the lower-bound theorem of plasticity.

    For each position of the convoy a linear programme maximises the multiplier such that axial
    forces within the strengths balance self-weight and the multiplied axle loads; the bound is
    the least over the positions (scipy's HiGHS). None when even self-weight is not balanced.
    Geometric effects (a sagging chain gets steeper) are not in it.
    """
    from scipy.optimize import linprog

    matrix, weight, strength, rows = _statics(design)
    weight = self_weight_factor * weight
    best = np.inf
    for load in _axle_loads(level, design, rows, len(weight), pn_per_pg):
        # matrix @ tension + weight + multiplier * load = 0
        answer = linprog(
            c=np.append(np.zeros(len(strength)), -1.0),
            A_eq=np.hstack([matrix, load[:, None]]),
            b_eq=-weight,
            bounds=[*((-s, s) for s in strength), (0.0, 100.0)],
            method="highs",
        )
        if answer.x is None:
            return None
        best = min(best, float(answer.x[-1]))
    return float(best) if np.isfinite(best) else None


def _statics(
    design: Design,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, dict[int, int]]:
    """Equilibrium matrix (2F, B), self-weight (2F,) PN, strengths (B,) PN, row of each free node.

    A reinforced pair is one bar here too.
    """
    rows = {n.id: 2 * i for i, n in enumerate(m for m in design.nodes if not m.is_anchor)}
    pairs: dict[tuple[int, int], list[int]] = {}
    for member in design.members:
        pairs.setdefault((min(member.a, member.b), max(member.a, member.b)), []).append(member.type)
    matrix, weight = np.zeros((2 * len(rows), len(pairs))), np.zeros(2 * len(rows))
    strength = np.zeros(len(pairs))
    for column, ((a, b), types) in enumerate(pairs.items()):
        na, nb = design.node_by_id[a], design.node_by_id[b]
        length = float(np.sqrt((nb.x - na.x) ** 2 + (nb.y - na.y) ** 2))
        strongest = max(MATERIALS[t].strength_pn for t in types)
        strength[column] = c.REINFORCED_STRENGTH_PN.get(tuple(sorted(types)), strongest)
        own = sum(MATERIALS[t].weight_pn_per_m for t in types) * length
        for key, sign in ((a, 1.0), (b, -1.0)):
            if key in rows:
                matrix[rows[key], column] += sign * (nb.x - na.x) / length
                matrix[rows[key] + 1, column] += sign * (nb.y - na.y) / length
                weight[rows[key] + 1] -= 0.5 * own
    return matrix, weight, strength, rows


def _axle_loads(
    level: Level, design: Design, rows: dict[int, int], size: int, pn_per_pg: float
) -> Iterator[np.ndarray]:
    """Loads (2F,) PN for the convoy's positions, from the first axle on to the last one off."""
    roads = [
        sorted((design.node_by_id[m.a], design.node_by_id[m.b]), key=lambda n: (n.x, n.y))
        for m in design.members
        if m.type == ROAD.type
    ]
    tail = c.SPACING_M * (len(level.vehicle_weights_pg) - 1) + c.WHEELBASE_M
    for lead in np.arange(0.0, level.span_m + tail, POSITION_STEP_M):
        load = np.zeros(size)
        for i, pg in enumerate(level.vehicle_weights_pg):
            front = lead - c.SPACING_M * i
            for x in (front, front - c.WHEELBASE_M):
                _add_axle(load, roads, rows, float(x), 0.5 * pg * pn_per_pg)
        if load.any():
            yield load


def _add_axle(
    load: np.ndarray, roads: list[list[Node]], rows: dict[int, int], x: float, force_pn: float
) -> None:
    """Put one axle on the highest road below which x lies, by the lever rule."""
    over = [(a, b) for a, b in roads if a.x <= x <= b.x and b.x > a.x]
    if not over:
        return
    a, b = max(over, key=lambda r: r[0].y + (r[1].y - r[0].y) * (x - r[0].x) / (r[1].x - r[0].x))
    t = (x - a.x) / (b.x - a.x)
    for node, share in ((a, 1.0 - t), (b, t)):
        if node.id in rows:
            load[rows[node.id] + 1] -= share * force_pn
