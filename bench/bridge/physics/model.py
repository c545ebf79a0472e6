"""From a level and a design to the arrays that the kernel steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.bridge.design.design import Design
from bench.bridge.design.materials import MATERIALS, ROAD
from bench.bridge.level.level import Level
from bench.bridge.physics import constants as c
from bench.bridge.physics.params import STABILITY, SimParams
from bench.bridge.physics.terrain import ground_segments

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Model:
    """N nodes in the design's order, B bars (a reinforced pair is one bar), V vehicles.

    `bar_of_member` (M,) maps the design's members to bars. `weight` (N,) PN, `inertia` (N,)
    PN s^2/m after scaling, `inverse_inertia` is 0 for anchors. `loads` (N, 2) PN are constant
    extra forces. `ground` (S, 4) as in `terrain`. `vehicles` (V, 3): start x, y and mass.
    """

    position: Floats
    weight: Floats
    loads: Floats
    inertia: Floats
    inverse_inertia: Floats
    bar_of_member: Ints
    bar_a: Ints
    bar_b: Ints
    rest_length: Floats
    stiffness: Floats
    damping: Floats
    strength: Floats
    is_road: NDArray[np.bool_]
    ground: Floats
    vehicles: Floats
    flag: Floats
    water_y: float


def build_model(
    level: Level,
    design: Design,
    params: SimParams,
    loads_pn: Sequence[tuple[int, float, float]] = (),
) -> Model:
    """Build the arrays. `loads_pn`: (node id, fx, fy) constant forces, for tests of statics."""
    index = {node.id: i for i, node in enumerate(design.nodes)}
    position = np.array([(n.x, n.y) for n in design.nodes], dtype=np.float64).reshape(-1, 2)
    fixed = np.array([n.is_anchor for n in design.nodes], dtype=np.bool_)
    bar_of_member, pairs = _bars(design, index)
    a = np.array([p[0] for p in pairs], dtype=np.int64)
    b = np.array([p[1] for p in pairs], dtype=np.int64)
    strength = np.array([c.bar_strength_pn(p[2]) for p in pairs], dtype=np.float64)
    metre_weight = np.array(
        [sum(MATERIALS[t].weight_pn_per_m for t in p[2]) for p in pairs], dtype=np.float64
    )
    delta = position[b] - position[a]
    length = np.sqrt(delta[:, 0] ** 2 + delta[:, 1] ** 2)
    stiffness = strength / c.STRAIN_AT_STRENGTH / np.maximum(length, c.SHORTEST_STIFF_LENGTH_M)
    weight = np.zeros(len(position))
    stiffness_sum = np.zeros(len(position))
    for end in (a, b):
        np.add.at(weight, end, 0.5 * metre_weight * length * params.self_weight_factor)
        np.add.at(stiffness_sum, end, stiffness)
    inertia = np.maximum(
        weight / c.GRAVITY, 2.0 * stiffness_sum * (params.scaling_step_s / STABILITY) ** 2
    )
    inertia[inertia == 0.0] = 1.0
    inverse = np.where(fixed, 0.0, 1.0 / inertia)
    loads = np.zeros((len(position), 2))
    for node_id, fx, fy in loads_pn:
        loads[index[node_id]] += (fx, fy)
    return Model(
        position=position,
        weight=weight,
        loads=loads,
        inertia=inertia,
        inverse_inertia=inverse,
        bar_of_member=bar_of_member,
        bar_a=a,
        bar_b=b,
        rest_length=length,
        stiffness=stiffness,
        damping=_damping(stiffness, inverse[a] + inverse[b]),
        strength=strength,
        is_road=np.array([ROAD.type in p[2] for p in pairs], dtype=np.bool_),
        ground=ground_segments(level),
        vehicles=_vehicles(level, params),
        flag=np.array([level.span_m + c.FLAG_OFFSET_M, level.rise_m]),
        water_y=level.water_y,
    )


def _bars(
    design: Design, index: dict[int, int]
) -> tuple[Ints, list[tuple[int, int, tuple[int, ...]]]]:
    """Join the members of one node pair: (a, b, material types ascending) per bar."""
    order: dict[tuple[int, int], int] = {}
    types: list[list[int]] = []
    of_member = []
    for member in design.members:
        i, j = sorted((index[member.a], index[member.b]))
        bar = order.setdefault((i, j), len(order))
        if bar == len(types):
            types.append([])
        types[bar].append(member.type)
        of_member.append(bar)
    bars = [(i, j, tuple(sorted(t))) for (i, j), t in zip(order, types, strict=True)]
    return np.array(of_member, dtype=np.int64), bars


def _damping(stiffness: Floats, inverse_mass: Floats) -> Floats:
    """Viscous coefficient for a share of critical damping on the ends' reduced mass."""
    reduced = np.where(inverse_mass > 0.0, 1.0 / np.where(inverse_mass > 0, inverse_mass, 1), 0.0)
    damping: Floats = 2.0 * c.MEMBER_DAMPING * np.sqrt(stiffness * reduced)
    return damping


def _vehicles(level: Level, params: SimParams) -> Floats:
    """Start x, y of the centre and mass, per vehicle in driving order."""
    sink = c.TYRE_DEFLECTION_M
    rows = [
        (
            c.START_X_M - c.SPACING_M * i,
            c.CENTRE_HEIGHT_M - sink,
            pg * params.pn_per_pg * params.weight_factor / c.GRAVITY,
        )
        for i, pg in enumerate(level.vehicle_weights_pg)
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 3)
