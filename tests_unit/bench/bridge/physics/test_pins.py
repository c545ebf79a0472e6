"""The kernel against independent methods where it matters for tricks: hanging chains and bends."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import root

from bench.bridge.analysis.plies import doubled_chain
from bench.bridge.design.design import Design, Member, Node
from bench.bridge.design.materials import MATERIALS
from bench.bridge.level.files import load_all, load_level
from bench.bridge.level.level import Level
from bench.bridge.physics import constants as c
from bench.bridge.physics import contacts, kernel
from bench.bridge.physics.engine import run_model, simulate_many
from bench.bridge.physics.model import Model, build_model
from bench.bridge.physics.params import DEFAULT, HALF_STEP, SimParams
from levels.bridge.search.store import load
from tests_unit.bench.bridge.physics.cases import chain, scene
from tests_unit.bench.bridge.physics.integrator import bare_model, crossing

REST = SimParams(cruise_mps=0.0, window_s=30.0, drag_per_s=6.0, breaking=False, stop_early=False)
"""A vehicle that does not drive, for long enough; the damping changes no equilibrium."""


def potential_gradient(state: np.ndarray, m: Model, free: np.ndarray) -> np.ndarray:
    """Of nodes (free ones) and a vehicle (x, y, angle) on the segments below its two wheels.

    Potential: springs, weights, and half the tyre's stiffness times the square of its depth.
    """
    pos = m.position.copy()
    pos[free] = state[:-3].reshape(-1, 2)
    x, y, angle = state[-3:]
    mass = m.vehicles[0, 2]
    gradient = np.zeros_like(pos)
    gradient[:, 1] += m.weight
    for i, j, k, rest in zip(m.bar_a, m.bar_b, m.stiffness, m.rest_length, strict=True):
        d = pos[j] - pos[i]
        length = math.hypot(*d)
        gradient[j] += k * (length - rest) * d / length
        gradient[i] -= k * (length - rest) * d / length
    car = np.array([0.0, mass * c.GRAVITY, 0.0])
    for cx, cy, radius in c.VEHICLE_CIRCLES[:2]:
        arm = np.array([
            cx * math.cos(angle) - cy * math.sin(angle), cx * math.sin(angle) + cy * math.cos(angle)
        ])  # fmt: skip
        wheel = np.array([x, y]) + arm
        for i, j in zip(m.bar_a, m.bar_b, strict=True):
            d = pos[j] - pos[i]
            length = math.hypot(*d)
            t = float((wheel - pos[i]) @ d) / length**2
            normal = np.array([-d[1], d[0]]) / length * (1.0 if d[0] > 0 else -1.0)
            depth = radius - float((wheel - pos[i]) @ normal)
            if not 0.0 <= t <= 1.0 or not 0.0 < depth < radius:
                continue
            push = mass * c.GRAVITY / (2.0 * c.TYRE_DEFLECTION_M) * depth * normal
            gradient[i] += (1.0 - t) * push
            gradient[j] += t * push
            car[:2] -= push
            car[2] -= arm[0] * push[1] - arm[1] * push[0]
    return np.concatenate([gradient[free].ravel(), car])


@pytest.mark.parametrize(("sag", "types"), [(0.5, (1,)), (1.0, (1, 2)), (1.4, (1, 3))])
def test_a_vehicle_at_rest_on_a_chain_is_newtons_equilibrium(
    sag: float, types: tuple[int, ...]
) -> None:
    """Member forces equal to 1e-6 of the largest; the vehicle stands in the middle of 8 m."""
    design = chain(8.0, sag, 2.0, types)
    built = build_model(scene(design, 8.0, (3.0,)), design, REST)
    m = replace(built, vehicles=np.array([[4.0, 0.7 - sag, built.vehicles[0, 2]]]))
    result = run_model(m, REST)
    free = m.inverse_inertia > 0
    pose = [*result.vehicles[-1, 0]]
    start = np.concatenate([result.positions[-1][free].ravel(), pose])
    found = root(potential_gradient, start, args=(m, free), tol=1e-13)
    assert np.abs(potential_gradient(found.x, m, free)).max() < 1e-5
    pos = m.position.copy()
    pos[free] = found.x[:-3].reshape(-1, 2)
    length = np.sqrt(((pos[m.bar_b] - pos[m.bar_a]) ** 2).sum(axis=1))
    newton = m.stiffness * (length - m.rest_length)
    kernel = result.utilisation[-1][:: len(types)] * m.strength
    assert newton.max() > 500.0  # it carries the vehicle, not its own weight alone
    assert np.abs(kernel - newton).max() < 1e-6 * newton.max()


def summed(model: Model, design: Design) -> Model:
    """The model with stacked members as strong, and as stiff, as their sum."""
    total = np.zeros(len(model.strength))
    for member, bar in zip(design.members, model.bar_of_member, strict=True):
        total[bar] += MATERIALS[member.type].strength_pn
    factor = total / model.strength
    return replace(
        model,
        strength=total,
        stiffness=model.stiffness * factor,
        damping=model.damping * np.sqrt(factor),
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("span", "sag", "types"),
    [(8.0, 0.8, (1, 2)), (8.0, 1.0, (1, 3)), (10.0, 1.0, (1, 3)), (12.0, 1.5, (1, 2, 3)),
     (14.0, 1.6, (1, 3))],
)  # fmt: skip
def test_chains_of_summed_strength_agree_with_an_independent_integrator(
    span: float, sag: float, types: tuple[int, ...]
) -> None:
    """Peaks within 1% of those at 0.01 ms without added inertia: the kernel solves its model.

    These are the chains that the doubled ones of NODES_TOO_CLOSE come to; pymunk breaks them.
    """
    design = chain(span, sag, 1.9, types)
    level = scene(design, span, (3.0,))
    params = SimParams(breaking=False)
    kernel = run_model(summed(build_model(level, design, params), design), params)
    peak, across = crossing(summed(bare_model(level, design), design))
    assert across
    assert kernel.success
    assert kernel.peak_utilisation.max() == pytest.approx(peak.max(), rel=0.01)


@pytest.mark.slow
def test_a_chain_doubled_at_a_millimetre_agrees_at_half_the_step_only() -> None:
    """Its stubs weigh little and get up to 2.5 times their inertia: with a quarter of what is
    added its peak is within 0.5% of the integrator's, with all of it several per cent low."""
    level = load_level("T1D_DeckOnly_12m").level
    design = doubled_chain(level, np.random.default_rng(3))
    peak, across = crossing(bare_model(level, design))
    assert across
    ratio = {}
    for name, params in (("half", HALF_STEP), ("full", DEFAULT)):
        params = replace(params, breaking=False)
        result = run_model(build_model(level, design, params), params)
        ratio[name] = float(result.peak_utilisation.max() / peak.max())
    assert ratio["half"] == pytest.approx(1.0, abs=0.005)
    assert 0.94 < ratio["full"] < 0.97


def test_no_reference_leans_on_the_mass_damping() -> None:
    """Without any, peaks are at most 1.01 times those of the default."""
    files = load_all()
    levels = [file.level for file in files]
    designs = [stored.design for file in files if (stored := load(file.name)) is not None]
    usual, none = (
        [r.peak_utilisation.max() for r in simulate_many(levels, designs, params=params)]
        for params in (DEFAULT, SimParams(drag_per_s=0.0, breaking=False))
    )
    ratios = np.array(none) / np.array(usual)
    assert len(ratios) == len(files)
    assert ratios.max() <= 1.01
    assert ratios.max() > 1.0001  # the parameter does something


def bend(degrees: float) -> tuple[Level, Design]:
    """A rigid way of 20 m that turns upwards in its middle: roads between anchors only."""
    slope = math.radians(degrees)
    ends = [(10.0 + s * math.cos(slope), s * math.sin(slope)) for s in (2.0, 4.0, 6.0)]
    places = [(x, 0.0) for x in (0.0, 2.0, 4.0, 6.0, 8.0, 10.0)] + ends
    nodes = tuple(Node(i + 1, x, y, True) for i, (x, y) in enumerate(places))
    members = tuple(Member(100 + i, 1, i + 1, i + 2) for i in range(len(places) - 1))
    design = Design(nodes, members)
    return replace(scene(design, ends[-1][0], (3.0,)), rise_m=ends[-1][1]), design


def front_wheel_peak(degrees: float, *, deepest_only: bool) -> float:
    """Largest 20 ms mean, in vehicle weights, of the upward force on the front wheel on a bend.

    The kernel's own functions, step by step, on roads that do not move.
    """
    level, design = bend(degrees)
    m = build_model(level, design, DEFAULT)
    car, step = kernel.start_vehicles(m.vehicles), DEFAULT.step_s
    alive, roads = np.ones(len(m.bar_a), np.bool_), np.arange(len(m.bar_a))
    arrived, circle, total = np.zeros(1, np.bool_), np.zeros((6, 2)), np.zeros((1, 3))
    near, counts = np.zeros((6, 40), np.int64), np.zeros(6, np.int64)
    who, where = np.zeros((240, 2), np.int64), np.zeros((240, 6))
    still, tilted, speeds = np.zeros_like(m.position), np.zeros(1, np.int64), np.zeros(1)
    mean = peak = 0.0
    ground = len(m.ground)
    for s in range(round(6.5 / step)):
        contacts.place_circles(car, arrived, circle)
        if s % contacts.NEAR_INTERVAL == 0:
            contacts.find_near(
                circle, arrived, m.position, m.bar_a, m.bar_b, roads, alive, m.ground, near, counts
            )
        n = contacts.find_contacts(
            circle, m.position, m.bar_a, m.bar_b, alive, m.ground, near, counts, who, where
        )
        kept = list(range(n))
        if deepest_only:
            kept = [max((i for i in kept if who[i, 0] == k), key=lambda i: where[i, 5])
                    for k in sorted({int(who[i, 0]) for i in kept})]  # fmt: skip
        contacts.weigh(car, total)
        contacts.command(car, tilted, 800, speeds, min(c.CRUISE_MPS, 1.5 * s * step))
        push = (car, total, still, np.zeros_like(still), m.bar_a, m.bar_b, ground, speeds)
        front = [i for i in kept if who[i, 0] == 1]
        rear = [i for i in kept if who[i, 0] != 1]
        contacts.push(len(rear), who[rear], where[rear], *push)
        before = total[0, 1]
        contacts.push(len(front), who[front], where[front], *push)
        force = (total[0, 1] - before) / (car[0, 7] * c.GRAVITY)
        mean += (force - mean) * step / c.BREAK_FILTER_S
        peak = max(peak, mean)
        contacts.step_vehicles(car, total, arrived, step)
        if car[0, 0] > 11.0:
            return peak
    raise AssertionError("the vehicle did not get past the bend")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("degrees", "low"), [(5.0, 0.028), (10.0, 0.048), (20.0, 0.095), (30.0, 0.135)]
)
def test_two_contacts_at_a_concave_bend_press_a_little_less_than_the_deeper_one(
    degrees: float, low: float
) -> None:
    """A choice of the model, with its size: docs/bridge/simulator.md."""
    both, deepest = (front_wheel_peak(degrees, deepest_only=d) for d in (False, True))
    assert 1.0 - both / deepest == pytest.approx(low, abs=0.003)
