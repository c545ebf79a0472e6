"""Scenes with known answers, and an independent solver of static equilibrium."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.design.materials import MATERIALS
from bench.bridge.level.level import Anchor, Level
from bench.bridge.physics import constants as c
from tests_unit.support.paths import ROOT

GOLDEN = ROOT / "golden" / "bridge" / "physics"


def scene(design: Design, span_m: float, vehicles: tuple[float, ...], name: str = "case") -> Level:
    """A flat two-bank level whose native anchors are the design's anchors."""
    anchors = tuple(Anchor(n.id, n.x, n.y) for n in design.nodes if n.is_anchor)
    return Level(name, span_m, 0.0, "full", anchors, (), (), vehicles, 0.0, span_m, (), 50_000)


def design_of(row: dict[str, Any]) -> Design:
    nodes = tuple(Node(i, x, y, fixed) for i, x, y, fixed in row["nodes"])
    return Design(nodes, tuple(Member(i, t, a, b) for i, t, a, b in row["members"]))


def chain(span_m: float, sag_m: float, panel_m: float, types: tuple[int, ...]) -> Design:
    """A chain of stacked members hanging in a parabola between two anchors."""
    panels = int(np.ceil(span_m / panel_m))
    while True:
        xs = np.linspace(0.0, span_m, panels + 1)
        ys = -4.0 * sag_m * xs * (span_m - xs) / span_m**2
        if np.hypot(np.diff(xs), np.diff(ys)).max() <= 2.0:
            break
        panels += 1
    last = len(xs) - 1
    nodes = tuple(
        Node(i + 1, round(float(x), 4), round(float(y), 4), i in (0, last))
        for i, (x, y) in enumerate(zip(xs, ys, strict=True))
    )
    pairs = [(i, t) for i in range(last) for t in types]
    members = tuple(Member(100 + k, t, i + 1, i + 2) for k, (i, t) in enumerate(pairs))
    return Design(nodes, members)


@dataclass(frozen=True)
class Case:
    name: str
    level: Level
    design: Design
    expected: str
    first_break_s_range: tuple[float, float] | None


def calibration() -> list[Case]:
    cases = []
    for row in json.loads((GOLDEN / "calibration.json").read_text()):
        design = design_of(row)
        level = scene(design, row["span_m"], tuple(row["vehicle_weights_pg"]), row["name"])
        cases.append(Case(row["name"], level, design, row["expected"], row["first_break_s_range"]))
    return cases


@dataclass(frozen=True)
class Pin:
    name: str
    level: Level
    design: Design
    loads_pn: tuple[tuple[int, float, float], ...]
    linear_pn: np.ndarray
    nonlinear_pn: np.ndarray


def pins() -> list[Pin]:
    out = []
    for row in json.loads((GOLDEN / "pins.json").read_text()):
        design = design_of(row)
        span = max(x for _, x, _, fixed in row["nodes"] if fixed)
        loads = tuple((i, fx, fy) for i, fx, fy in row["loads_pn"])
        level = scene(design, span, (), row["name"])
        linear = np.array(row["linear_axial_force_pn"])
        out.append(
            Pin(
                row["name"], level, design, loads, linear, np.array(row["nonlinear_axial_force_pn"])
            )
        )
    return out


def equilibrium(
    design: Design,
    loads_pn: tuple[tuple[int, float, float], ...],
    *,
    linear: bool = False,
    ea_scale: float = 1.0,
) -> np.ndarray:
    """Axial forces (M,) in PN by Newton's method on the truss's potential energy.

    Written from the textbook (direct stiffness with the geometric term), not from the kernel.
    With `linear` one step from the undeformed shape, forces by the linear law.
    """
    index = {n.id: i for i, n in enumerate(design.nodes)}
    x0 = np.array([(n.x, n.y) for n in design.nodes], float)
    ends = np.array([(index[m.a], index[m.b]) for m in design.members])
    material = [MATERIALS[m.type] for m in design.members]
    length = np.linalg.norm(x0[ends[:, 1]] - x0[ends[:, 0]], axis=1)
    ea = np.array([m.strength_pn for m in material]) / c.STRAIN_AT_STRENGTH * ea_scale
    k = ea / np.maximum(length, c.SHORTEST_STIFF_LENGTH_M)
    load = np.zeros_like(x0)
    for (i, j), m, size in zip(ends, material, length, strict=True):
        load[i, 1] -= 0.5 * m.weight_pn_per_m * size
        load[j, 1] -= 0.5 * m.weight_pn_per_m * size
    for node, fx, fy in loads_pn:
        load[index[node]] += (fx, fy)
    free = np.repeat([not n.is_anchor for n in design.nodes], 2)
    x = x0.copy()
    for _ in range(1 if linear else 60):
        residual, tangent = load.ravel().copy(), np.zeros((x.size, x.size))
        for (i, j), stiffness, rest in zip(ends, k, length, strict=True):
            d = x[j] - x[i]
            size = np.linalg.norm(d)
            u = d / size
            force = stiffness * (size - rest)
            block = stiffness * np.outer(u, u) + force / size * (np.eye(2) - np.outer(u, u))
            dofs = np.array([2 * i, 2 * i + 1, 2 * j, 2 * j + 1])
            residual[dofs] += np.concatenate([force * u, -force * u])
            tangent[np.ix_(dofs, dofs)] += np.block([[block, -block], [-block, block]])
        step = np.zeros(x.size)
        step[free] = np.linalg.solve(tangent[np.ix_(free, free)], residual[free])
        x = x + step.reshape(-1, 2)
        if np.abs(step).max() < 1e-14:
            break
    unit = (x0[ends[:, 1]] - x0[ends[:, 0]]) / length[:, None]
    moved = (x - x0)[ends[:, 1]] - (x - x0)[ends[:, 0]]
    if linear:
        return k * np.einsum("ij,ij->i", unit, moved)
    return k * (np.linalg.norm(x[ends[:, 1]] - x[ends[:, 0]], axis=1) - length)
