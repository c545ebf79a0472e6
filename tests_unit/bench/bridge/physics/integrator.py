"""An independent integrator of the simulator's equations, for witness: docs/bridge/simulator.md.

Explicit midpoint rule with 0.01 ms instead of semi-implicit Euler with 0.25 ms, no added inertia,
angles instead of unit vectors, members and contacts one by one. One vehicle, nothing breaks.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from bench.bridge.design.design import Design
from bench.bridge.level.level import Level
from bench.bridge.physics import constants as c
from bench.bridge.physics.model import Model, build_model
from bench.bridge.physics.params import SimParams

STEP_S = 0.00001
CIRCLES = np.array(c.VEHICLE_CIRCLES)
MOMENT = (c.BODY_LENGTH_M**2 + c.BODY_HEIGHT_M**2) / 12.0
TYRE = c.GRAVITY / (2.0 * c.TYRE_DEFLECTION_M)
TYRE_DAMPING = 2.0 * c.TYRE_DAMPING * math.sqrt(0.5 * TYRE)


@njit
def contact(p, r, x0, y0, x1, y1, two_faced):  # type: ignore[no-untyped-def]
    """(inside, t, depth, nx, ny) of a circle on a segment; depth <= 0 where they do not touch."""
    dx, dy = x1 - x0, y1 - y0
    length = math.hypot(dx, dy)
    t = ((p[0] - x0) * dx + (p[1] - y0) * dy) / (length * length)
    inside = 0.0 <= t <= 1.0
    if inside:
        nx, ny = -dy / length, dx / length
        height = (p[0] - x0) * nx + (p[1] - y0) * ny
        if two_faced and height < 0.0:
            nx, ny, height = -nx, -ny, -height
        return True, t, (r - height if height > -r else -1.0), nx, ny
    t = min(max(t, 0.0), 1.0)
    ex, ey = p[0] - x0 - t * dx, p[1] - y0 - t * dy
    away = math.hypot(ex, ey)
    return False, t, r - away, ex / away, ey / away


@njit
def touch(k, t, depth, nx, ny, at, m, car, force, total, command, a, b, vel):  # type: ignore[no-untyped-def]
    """One contact's forces on the vehicle (`total`) and on the ends of its road (m >= 0)."""
    mass = car[6]
    rx = at[0] - nx * (CIRCLES[k, 2] - depth) - car[0]
    ry = at[1] - ny * (CIRCLES[k, 2] - depth) - car[1]
    ux, uy = car[3] - car[5] * ry, car[4] + car[5] * rx
    if m >= 0:
        ux -= (1.0 - t) * vel[a[m], 0] + t * vel[b[m], 0]
        uy -= (1.0 - t) * vel[a[m], 1] + t * vel[b[m], 1]
    push = mass * (TYRE * depth - TYRE_DAMPING * (ux * nx + uy * ny))
    if push <= 0.0:
        return
    along = ux * ny - uy * nx
    wheel = k < 2
    most = min(c.FRICTION * push, c.DRIVE_CAP_G * mass * c.GRAVITY)
    if not wheel:
        most = c.PASSIVE_FRICTION * push
    drive = c.DRIVE_GAIN_PER_S * mass * ((command if wheel else 0.0) - along)
    drive = min(max(drive, -most), most)
    fx, fy = push * nx + drive * ny, push * ny - drive * nx
    total[0] += fx
    total[1] += fy
    total[2] += rx * fy - ry * fx
    if m >= 0:
        for end, share in ((a[m], 1.0 - t), (b[m], t)):
            force[end, 0] -= share * fx
            force[end, 1] -= share * fy


@njit
def rates(now, pos, vel, car, s, axial, out_vel, out_car, cruise, drag):  # type: ignore[no-untyped-def]
    """Accelerations of nodes and vehicle, and every bar's elastic force."""
    inverse, weight, a, b, rest, stiff, damp, roads, ground = s
    ramp = min(1.0, now / c.GRAVITY_RAMP_S)
    ramp = ramp * ramp * (3.0 - 2.0 * ramp)
    force = np.zeros(pos.shape)
    force[:, 1] = -weight * ramp
    for i in range(len(a)):
        dx, dy = pos[b[i], 0] - pos[a[i], 0], pos[b[i], 1] - pos[a[i], 1]
        length = math.hypot(dx, dy)
        ux, uy = dx / length, dy / length
        axial[i] = stiff[i] * (length - rest[i])
        speed = (vel[b[i], 0] - vel[a[i], 0]) * ux + (vel[b[i], 1] - vel[a[i], 1]) * uy
        pull = axial[i] + damp[i] * speed
        for end, sign in ((a[i], 1.0), (b[i], -1.0)):
            force[end, 0] += sign * pull * ux
            force[end, 1] += sign * pull * uy
    total = np.zeros(3)
    command = min(cruise, c.ACCELERATION_MPS2 * now)
    for k in range(len(CIRCLES)):
        cos, sin = math.cos(car[2]), math.sin(car[2])
        at = (
            car[0] + CIRCLES[k, 0] * cos - CIRCLES[k, 1] * sin,
            car[1] + CIRCLES[k, 0] * sin + CIRCLES[k, 1] * cos,
        )
        found, best, corner = False, 0.0, (0.0, 0.0, 0.0, 0.0, -1)
        for i in range(len(ground) + len(roads)):
            m = -1
            if i < len(ground):
                x0, y0, x1, y1 = ground[i]
            else:
                m = roads[i - len(ground)]
                x0, y0, x1, y1 = pos[a[m], 0], pos[a[m], 1], pos[b[m], 0], pos[b[m], 1]
            inside, t, depth, nx, ny = contact(at, CIRCLES[k, 2], x0, y0, x1, y1, m >= 0)
            if inside and depth > 0.0:
                found = True
                touch(k, t, depth, nx, ny, at, m, car, force, total, command, a, b, vel)
            elif not inside and depth > best:
                best, corner = depth, (t, depth, nx, ny, m)
        if not found and best > 0.0:
            t, depth, nx, ny, m = corner
            touch(k, t, depth, nx, ny, at, int(m), car, force, total, command, a, b, vel)
    rate = drag + max(0.0, 1.0 - now / c.START_DAMPING_TIME_S) * (c.START_DAMPING_PER_S - drag)
    for i in range(len(pos)):
        for k in range(2):
            out_vel[i, k] = force[i, k] * inverse[i] - (rate * vel[i, k] if inverse[i] else 0.0)
    mass = car[6]
    out_car[0], out_car[1] = total[0] / mass, total[1] / mass - c.GRAVITY
    out_car[2] = total[2] / (mass * MOMENT)


@njit
def integrate(pos, vel, car, s, step, window, flag, cruise, drag):  # type: ignore[no-untyped-def]
    """Step until the vehicle is past `flag`, or the window ends; peaks of the filtered forces."""
    bars = len(s[2])
    axial, mean, peak = np.zeros(bars), np.zeros(bars), np.zeros(bars)
    dv, dc = np.zeros(pos.shape), np.zeros(3)
    for n in range(int(window / step)):
        now = n * step
        rates(now, pos, vel, car, s, axial, dv, dc, cruise, drag)
        mean += (axial - mean) * (step / c.BREAK_FILTER_S)
        peak = np.maximum(peak, np.abs(mean))
        half_car = car.copy()
        half_car[:3] += 0.5 * step * car[3:6]
        half_car[3:6] += 0.5 * step * dc
        half_pos, half_vel = pos + 0.5 * step * vel, vel + 0.5 * step * dv
        rates(now + 0.5 * step, half_pos, half_vel, half_car, s, axial, dv, dc, cruise, drag)
        pos += step * half_vel
        vel += step * dv
        car[:3] += step * half_car[3:6]
        car[3:6] += step * dc
        if car[0] >= flag:
            return peak, True
    return peak, False


def bare_model(level: Level, design: Design) -> Model:
    """The simulator's arrays without any added inertia."""
    return build_model(level, design, SimParams(scaling_step_s=1e-9))


def crossing(m: Model, window_s: float = 12.0) -> tuple[np.ndarray, bool]:
    """Peak utilisation (B,) by the filtered forces until the vehicle is across; whether it is."""
    scene: Any = (
        m.inverse_inertia, m.weight, m.bar_a, m.bar_b, m.rest_length, m.stiffness, m.damping,
        np.flatnonzero(m.is_road), m.ground,
    )  # fmt: skip
    x, y, mass = m.vehicles[0]
    car = np.array([x, y, 0.0, 0.0, 0.0, 0.0, mass])
    peak, across = integrate(
        m.position.copy(), np.zeros_like(m.position), car, scene, STEP_S, window_s,
        float(m.flag[0]), c.CRUISE_MPS, c.ATTACHED_DAMPING_PER_S,
    )  # fmt: skip
    return peak / m.strength, bool(across)
