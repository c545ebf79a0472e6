"""The time loop, compiled. Semi-implicit Euler over lumped nodes and axial bars.

Only +, -, *, / and sqrt on float64, in a fixed order and without fastmath: results are the
same bits in every process, alone or in a batch. No allocation inside the loop.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bench.bridge.sim import constants as c
from bench.bridge.sim.contacts import (
    CIRCLES,
    MAX_NEAR,
    NEAR_INTERVAL,
    collide_vehicles,
    find_contacts,
    find_near,
    place_circles,
    push,
    step_vehicles,
    weigh,
)

RUNNING, SUCCESS, FELL, TIMEOUT = 0, 1, 2, 3


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def add_pulls(force, pull, a, b):
    """Add every bar's pull to its two ends."""
    for i in range(a.shape[0]):
        force[a[i], 0] += pull[i, 0]
        force[a[i], 1] += pull[i, 1]
        force[b[i], 0] -= pull[i, 0]
        force[b[i], 1] -= pull[i, 1]


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def record(
    row, pos, mean, strength, alive, car, arrived, out_pos, out_use, out_alive, out_car, out_arrived
):
    """Write one 40 Hz record."""
    out_pos[row] = pos
    for i in range(mean.shape[0]):
        out_use[row, i] = mean[i] / strength[i]
        out_alive[row, i] = alive[i]
    for v in range(car.shape[0]):
        out_arrived[row, v] = arrived[v]
        for k in range(4):
            out_car[row, v, k] = car[v, k]


@njit(cache=True, nogil=True)
def run(
    start,
    weight,
    loads,
    inverse,
    a,
    b,
    rest,
    stiffness,
    damping,
    strength,
    is_road,
    ground,
    vehicles,
    flag,
    water_y,
    step,
    steps,
    per_record,
    cruise,
    breaking,
    stop_early,
    out_pos,
    out_use,
    out_alive,
    out_car,
    out_arrived,
    break_s,
    peak,
    axial,
):
    """Step until the outcome is decided; (outcome, steps done, records written).

    Arrays as in `model.Model` (loads and weight in PN). `out_*` are filled from row 0.
    """
    n, bars, cars = start.shape[0], a.shape[0], vehicles.shape[0]
    pos, vel, force = start.copy(), np.zeros((n, 2)), np.zeros((n, 2))
    stiff, damp, mean, pull = stiffness.copy(), damping.copy(), np.zeros(bars), np.zeros((bars, 2))
    limit = strength.copy()
    if not breaking:
        limit[:] = np.inf
    alive, fixed = np.ones(bars, np.bool_), inverse == 0.0
    attached = np.empty(n, np.bool_)
    mark_attached(attached, fixed, a, b, alive)
    car, car_force = np.zeros((cars, 8)), np.zeros((cars, 3))
    for v in range(cars):
        car[v, 0], car[v, 1], car[v, 2], car[v, 7] = (
            vehicles[v, 0],
            vehicles[v, 1],
            1.0,
            vehicles[v, 2],
        )
    arrived = np.zeros(cars, np.bool_)
    near = np.zeros((cars * CIRCLES, MAX_NEAR), np.int64)
    near_count = np.zeros(cars * CIRCLES, np.int64)
    circle = np.zeros((cars * CIRCLES, 2))
    who = np.zeros((cars * CIRCLES * MAX_NEAR, 2), np.int64)
    where = np.zeros((cars * CIRCLES * MAX_NEAR, 6))
    roads = np.flatnonzero(is_road)
    keep = step / c.BREAK_FILTER_S
    outcome, rows, done = RUNNING, 0, 0
    record(
        0,
        pos,
        mean,
        strength,
        alive,
        car,
        arrived,
        out_pos,
        out_use,
        out_alive,
        out_car,
        out_arrived,
    )
    rows = 1
    for s in range(steps):
        now = s * step
        ramp = min(1.0, now / c.GRAVITY_RAMP_S)
        for i in range(n):
            force[i, 0] = loads[i, 0] * ramp
            force[i, 1] = (loads[i, 1] - weight[i]) * ramp
        if bar_forces(pos, vel, a, b, rest, stiff, damp, mean, limit, peak, keep, axial, pull):
            break_bars(mean, limit, stiff, damp, alive, break_s, now)
            mark_attached(attached, fixed, a, b, alive)
        add_pulls(force, pull, a, b)
        if outcome == RUNNING and cars > 0:
            place_circles(car, arrived, circle)
            if s % NEAR_INTERVAL == 0:
                find_near(circle, arrived, pos, a, b, roads, alive, ground, near, near_count)
            weigh(car, car_force)
            touching = find_contacts(circle, pos, a, b, alive, ground, near, near_count, who, where)
            speed = min(cruise, c.ACCELERATION_MPS2 * now)
            push(touching, who, where, car, car_force, vel, force, a, b, ground.shape[0], speed)
            if cars > 1:
                collide_vehicles(car, car_force, arrived, circle)
            step_vehicles(car, car_force, arrived, step)
        rest_of_start = max(0.0, 1.0 - now / c.START_DAMPING_TIME_S)
        drag = c.ATTACHED_DAMPING_PER_S + rest_of_start * (
            c.START_DAMPING_PER_S - c.ATTACHED_DAMPING_PER_S
        )
        move_nodes(pos, vel, force, inverse, attached, step, drag, water_y)
        done = s + 1
        if outcome == RUNNING:
            outcome = judge(car, arrived, flag[0], flag[1], water_y)
        stop = outcome != RUNNING and stop_early
        if done % per_record == 0 or stop:
            record(
                rows,
                pos,
                mean,
                strength,
                alive,
                car,
                arrived,
                out_pos,
                out_use,
                out_alive,
                out_car,
                out_arrived,
            )
            rows += 1
        if stop:
            break
    if outcome == RUNNING:
        outcome = TIMEOUT
    for i in range(bars):
        peak[i] = peak[i] / strength[i]
    return outcome, done, rows
