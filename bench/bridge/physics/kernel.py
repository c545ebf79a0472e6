"""The time loop, compiled. Semi-implicit Euler over lumped nodes and axial bars.

Only +, -, *, / and sqrt on float64, in a fixed order and without fastmath: results are the
same bits in every process, alone or in a batch. No allocation inside the loop.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bench.bridge.physics import constants as c
from bench.bridge.physics.compiled import compiled
from bench.bridge.physics.contacts import (
    CIRCLES,
    NEAR_INTERVAL,
    collide_vehicles,
    command,
    find_contacts,
    find_near,
    place_circles,
    push,
    step_vehicles,
    weigh,
)

RUNNING, SUCCESS, FELL, TIMEOUT = 0, 1, 2, 3


class Scene(NamedTuple):
    """The arrays of `model.Model` that the loop reads."""

    start: np.ndarray
    weight: np.ndarray
    loads: np.ndarray
    inverse: np.ndarray
    a: np.ndarray
    b: np.ndarray
    rest: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    strength: np.ndarray
    is_road: np.ndarray
    ground: np.ndarray
    vehicles: np.ndarray
    flag: np.ndarray
    water_y: float


class Clock(NamedTuple):
    """Step in seconds, steps of the window, steps a record, and what may be varied."""

    step: float
    steps: int
    per_record: int
    cruise: float
    drag: float
    breaking: bool
    stop_early: bool


class Out(NamedTuple):
    """What is written, from row 0: records of R rows, and each bar's break time and peak."""

    pos: np.ndarray
    use: np.ndarray
    alive: np.ndarray
    car: np.ndarray
    arrived: np.ndarray
    break_s: np.ndarray
    peak: np.ndarray


@compiled
def bar_forces(pos, vel, a, b, rest, stiff, damp, mean, limit, peak, keep, axial, pull):
    """Axial force of every bar into `pull` (B, 2), acting on end a; True when one broke.

    `mean` is the exponential mean of the elastic force that the break rule reads, `keep` its
    weight per step. Broken bars have no stiffness, no damping and an infinite limit.
    """
    broke = False
    for i in range(a.shape[0]):
        dx = pos[b[i], 0] - pos[a[i], 0]
        dy = pos[b[i], 1] - pos[a[i], 1]
        length = np.sqrt(dx * dx + dy * dy)
        inverse = 1.0 / max(length, 1e-9)
        elastic = stiff[i] * (length - rest[i])
        rate = (vel[b[i], 0] - vel[a[i], 0]) * dx + (vel[b[i], 1] - vel[a[i], 1]) * dy
        scaled = (elastic + damp[i] * rate * inverse) * inverse
        axial[i] = elastic
        pull[i, 0] = scaled * dx
        pull[i, 1] = scaled * dy
        mean[i] += (elastic - mean[i]) * keep
        size = abs(mean[i])
        peak[i] = max(peak[i], size)
        broke |= size > limit[i]
    return broke


@compiled
def add_pulls(force, pull, a, b):
    """Add every bar's pull to its two ends."""
    for i in range(a.shape[0]):
        force[a[i], 0] += pull[i, 0]
        force[a[i], 1] += pull[i, 1]
        force[b[i], 0] -= pull[i, 0]
        force[b[i], 1] -= pull[i, 1]


@compiled
def move_nodes(pos, vel, force, inverse, attached, step, drag, water_y):
    """Advance the nodes by one step; `drag` is the attached nodes' mass damping now."""
    for i in range(pos.shape[0]):
        if inverse[i] == 0.0:
            continue
        rate = drag
        if not attached[i]:
            rate = c.DETACHED_DAMPING_PER_S
            if pos[i, 1] < water_y:
                rate += c.WATER_DAMPING_PER_S
        for k in range(2):
            vel[i, k] += step * (force[i, k] * inverse[i] - rate * vel[i, k])
            pos[i, k] += step * vel[i, k]


@compiled
def mark_attached(attached, fixed, a, b, alive):
    """Mark the nodes that living bars connect to an anchor."""
    attached[:] = fixed
    changed = True
    while changed:
        changed = False
        for i in range(a.shape[0]):
            if alive[i] and attached[a[i]] != attached[b[i]]:
                attached[a[i]] = True
                attached[b[i]] = True
                changed = True


@compiled
def break_bars(mean, limit, stiff, damp, alive, break_s, time_s):
    """Take out every bar whose mean force is over its limit."""
    for i in range(mean.shape[0]):
        if abs(mean[i]) > limit[i]:
            alive[i] = False
            stiff[i] = 0.0
            damp[i] = 0.0
            mean[i] = 0.0
            limit[i] = np.inf
            break_s[i] = time_s


@compiled
def judge(car, arrived, flag_x, flag_y, water_y):
    """Mark arrivals; FELL, SUCCESS when all have arrived, else RUNNING."""
    waiting = 0
    for v in range(car.shape[0]):
        if arrived[v]:
            continue
        x, y = car[v, 0], car[v, 1]
        if y < water_y or x < c.LEFT_LIMIT_X_M:
            return FELL
        if x >= flag_x and y > flag_y and car[v, 2] >= c.UPRIGHT_COSINE:
            arrived[v] = True
        else:
            waiting += 1
    if waiting == 0 and car.shape[0] > 0:
        return SUCCESS
    return RUNNING


@compiled
def record(row, pos, mean, alive, car, arrived, strength, out):
    """Write one 40 Hz record."""
    out.pos[row] = pos
    for i in range(mean.shape[0]):
        out.use[row, i] = mean[i] / strength[i]
        out.alive[row, i] = alive[i]
    for v in range(car.shape[0]):
        out.arrived[row, v] = arrived[v]
        for k in range(4):
            out.car[row, v, k] = car[v, k]


@compiled
def start_vehicles(vehicles):
    """Rows of `car` at rest, upright, at their start."""
    car = np.zeros((vehicles.shape[0], 8))
    car[:, :2] = vehicles[:, :2]
    car[:, 2] = 1.0
    car[:, 7] = vehicles[:, 2]
    return car


@compiled
def mass_damping(now, drag):
    """Mass damping of attached nodes, per second: high at the start, then falling to `drag`."""
    early = max(0.0, 1.0 - now / c.START_DAMPING_TIME_S)
    return drag + early * (c.START_DAMPING_PER_S - drag)


@compiled
def gravity_ramp(now):
    """Share of the structure's weight that acts: 3 t^2 - 2 t^3 over the first moments.

    Level at both ends, so that it wakes few swings of its own.
    """
    t = min(1.0, now / c.GRAVITY_RAMP_S)
    return t * t * (3.0 - 2.0 * t)


@compiled
def run(scene, clock, out):
    """Step until the outcome is decided; (outcome, steps done, records written).

    Everything the loop touches is a local array: a call that hands on a whole tuple of them
    would cost more than the step itself.
    """
    a, b, rest, strength, inverse = scene.a, scene.b, scene.rest, scene.strength, scene.inverse
    loads, weight, ground, step = scene.loads, scene.weight, scene.ground, clock.step
    n, bars, cars = inverse.shape[0], a.shape[0], scene.vehicles.shape[0]
    pos, vel, force = scene.start.copy(), np.zeros((n, 2)), np.zeros((n, 2))
    stiff, damp, limit = scene.stiffness.copy(), scene.damping.copy(), strength.copy()
    mean, axial, pull = np.zeros(bars), np.zeros(bars), np.zeros((bars, 2))
    if not clock.breaking:
        limit[:] = np.inf
    alive, fixed, attached = np.ones(bars, np.bool_), inverse == 0.0, np.empty(n, np.bool_)
    mark_attached(attached, fixed, a, b, alive)
    car, car_force = start_vehicles(scene.vehicles), np.zeros((cars, 3))
    arrived, circle = np.zeros(cars, np.bool_), np.zeros((cars * CIRCLES, 2))
    tilted, speeds = np.zeros(cars, np.int64), np.zeros(cars)
    roads, keep, peak = np.flatnonzero(scene.is_road), step / c.BREAK_FILTER_S, out.peak
    surfaces, stall_steps = ground.shape[0] + roads.shape[0], int(c.STALL_S / step + 0.5)
    near = np.empty((cars * CIRCLES, surfaces), np.int64)
    near_count = np.zeros(cars * CIRCLES, np.int64)
    who = np.empty((cars * CIRCLES * surfaces, 2), np.int64)
    where = np.empty((cars * CIRCLES * surfaces, 6))
    record(0, pos, mean, alive, car, arrived, strength, out)
    outcome, rows, done = RUNNING, 1, 0
    for s in range(clock.steps):
        now = s * step
        ramp = gravity_ramp(now)
        for i in range(n):
            force[i, 0] = loads[i, 0] * ramp
            force[i, 1] = (loads[i, 1] - weight[i]) * ramp
        if bar_forces(pos, vel, a, b, rest, stiff, damp, mean, limit, peak, keep, axial, pull):
            break_bars(mean, limit, stiff, damp, alive, out.break_s, now)
            mark_attached(attached, fixed, a, b, alive)
        add_pulls(force, pull, a, b)
        if outcome == RUNNING and cars > 0:
            place_circles(car, arrived, circle)
            if s % NEAR_INTERVAL == 0:
                find_near(circle, arrived, pos, a, b, roads, alive, ground, near, near_count)
            weigh(car, car_force)
            touching = find_contacts(circle, pos, a, b, alive, ground, near, near_count, who, where)
            command(car, tilted, stall_steps, speeds, min(clock.cruise, c.ACCELERATION_MPS2 * now))
            push(touching, who, where, car, car_force, vel, force, a, b, ground.shape[0], speeds)
            if cars > 1:
                collide_vehicles(car, car_force, arrived, circle)
            step_vehicles(car, car_force, arrived, step)
        move_nodes(
            pos, vel, force, inverse, attached, step, mass_damping(now, clock.drag), scene.water_y
        )
        done = s + 1
        if outcome == RUNNING:
            outcome = judge(car, arrived, scene.flag[0], scene.flag[1], scene.water_y)
        stop = outcome != RUNNING and clock.stop_early
        if done % clock.per_record == 0 or stop:
            record(rows, pos, mean, alive, car, arrived, strength, out)
            rows += 1
        if stop:
            break
    for i in range(bars):
        peak[i] = peak[i] / strength[i]
    return TIMEOUT if outcome == RUNNING else outcome, done, rows
