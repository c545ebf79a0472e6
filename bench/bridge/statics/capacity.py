"""Load capacity of a design: how much heavier the vehicles may be, and a static upper bound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bench.bridge.design.design import Design
from bench.bridge.design.materials import MATERIALS
from bench.bridge.level.level import Level
from bench.bridge.physics import constants as c
from bench.bridge.physics.params import DEFAULT, SimParams
from bench.bridge.statics.axle_loads import axle_loads
from bench.task import Json

LOWEST, HIGHEST = 0.1, 8.0
TOLERANCE = 1.02
"""The bracket is halved (geometrically) until its ends are within 2%."""
MOST_ROLLOUTS = 10
SLOW_MPS = 0.5
"""At this pace vehicles hardly bounce, and 20 ms of the break rule's mean are 1 cm of way."""
FAR_ABOVE_HIGHEST = 100.0
"""The programme needs an end: a bridge on banks alone carries any vehicle."""


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
    from bench.bridge.physics.engine import simulate

    def carries(factor: float) -> bool:
        return simulate(level, design, params=replace(params, weight_factor=factor)).success

    multiplier, asked = bisect(carries)
    return Capacity(multiplier, asked, design.cost_usd)


def slow_params(level: Level) -> SimParams:
    """Parameters for the quasi-static limit: SLOW_MPS, and twice the time that the way takes."""
    convoy = c.SPACING_M * (len(level.vehicle_weights_pg) - 1)
    way_m = convoy - c.START_X_M + level.span_m + c.FLAG_OFFSET_M
    return SimParams(cruise_mps=SLOW_MPS, window_s=float(np.ceil(2.0 * way_m / SLOW_MPS)))


def capacity_facts(level: Level, design: Design) -> dict[str, Json]:
    """Capacity at full pace and static bound (None where there is none), for records."""
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

    One linear programme (scipy's HiGHS): the largest multiplier for which, at every position p
    of the convoy (`axle_loads`), axial forces t_p within the strengths balance self-weight w and
    the multiplied axle loads q_p:

        maximise m   subject to   A t_p + w + m q_p = 0,   -s <= t_p <= s   for all p

    None when even self-weight is not balanced, or no axle ever rests on a free node. Geometric
    effects (a sagging chain gets steeper) are not in it, nor is anything that speed does.
    """
    from scipy import sparse
    from scipy.optimize import linprog

    matrix, weight, strength, rows = _statics(design)
    if not rows:
        return None
    loads = axle_loads(level, design, rows, len(weight), pn_per_pg)
    if not len(loads):
        return None
    balance = sparse.kron(sparse.identity(len(loads)), sparse.csr_matrix(matrix))
    # The stubs do not know that HiGHS takes a sparse matrix.
    equations: Any = sparse.hstack([balance, sparse.csr_matrix(loads.reshape(-1, 1))], format="csr")
    limits = [float(s) for s in strength] * len(loads)
    answer = linprog(
        c=np.append(np.zeros(len(limits)), -1.0),
        A_eq=equations,
        b_eq=np.tile(-self_weight_factor * weight, len(loads)),
        bounds=[*((-s, s) for s in limits), (0.0, FAR_ABOVE_HIGHEST)],
        method="highs",
    )
    return None if answer.x is None else float(answer.x[-1])


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
        strength[column] = c.bar_strength_pn(types)
        own = sum(MATERIALS[t].weight_pn_per_m for t in types) * length
        for key, sign in ((a, 1.0), (b, -1.0)):
            if key in rows:
                matrix[rows[key], column] += sign * (nb.x - na.x) / length
                matrix[rows[key] + 1, column] += sign * (nb.y - na.y) / length
                weight[rows[key] + 1] -= 0.5 * own
    return matrix, weight, strength, rows
