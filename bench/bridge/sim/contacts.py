"""Vehicles: contact of their circles with ground and roads, with each other, and their motion.

A vehicle's row in `car`: x, y, cos, sin, vx, vy, angular velocity, mass. `car_force`: fx, fy,
torque. Circle k of vehicle v has index v * CIRCLES + k.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bench.bridge.sim import constants as c

CIRCLES = len(c.VEHICLE_CIRCLES)
WHEELS = 2
MAX_NEAR = 24
"""Segments that a circle can have near it; more than this many are never within reach of a
legal bridge, and the nearest in index order are kept for the others."""
NEAR_MARGIN_M = 0.4
"""A segment further from a circle than this cannot reach it before the next search."""

_LOCAL = np.array(c.VEHICLE_CIRCLES)
_STIFFNESS = c.GRAVITY / (2.0 * c.TYRE_DEFLECTION_M)
"""Tyre stiffness per unit of vehicle mass: half the weight over the static deflection."""
_DAMPING = 2.0 * c.TYRE_DAMPING * np.sqrt(_STIFFNESS * 0.5)
"""Tyre damping per unit of vehicle mass, on half the mass."""
_INERTIA = (c.BODY_LENGTH_M * c.BODY_LENGTH_M + c.BODY_HEIGHT_M * c.BODY_HEIGHT_M) / 12.0


@njit(cache=True, nogil=True)
def _segment(i, pos, a, b, ground):
    """End points of segment i: ground first, then bars."""
    g = ground.shape[0]
    if i < g:
        return ground[i, 0], ground[i, 1], ground[i, 2], ground[i, 3]
    m = i - g
    return pos[a[m], 0], pos[a[m], 1], pos[b[m], 0], pos[b[m], 1]


@njit(cache=True, nogil=True)
def find_near(car, arrived, pos, a, b, roads, alive, ground, near, near_count):
    """List, for every circle, the segments whose box comes within its radius and the margin."""
    g = ground.shape[0]
    for v in range(car.shape[0]):
        for k in range(CIRCLES):
            j = v * CIRCLES + k
            count = 0
            if not arrived[v]:
                x = car[v, 0] + _LOCAL[k, 0] * car[v, 2] - _LOCAL[k, 1] * car[v, 3]
                y = car[v, 1] + _LOCAL[k, 0] * car[v, 3] + _LOCAL[k, 1] * car[v, 2]
                reach = _LOCAL[k, 2] + NEAR_MARGIN_M
                for i in range(g + roads.shape[0]):
                    index = i if i < g else g + roads[i - g]
                    if i >= g and not alive[roads[i - g]]:
                        continue
                    x0, y0, x1, y1 = _segment(index, pos, a, b, ground)
                    if (
                        min(x0, x1) - reach < x < max(x0, x1) + reach
                        and min(y0, y1) - reach < y < max(y0, y1) + reach
                        and count < MAX_NEAR
                    ):
                        near[j, count] = index
                        count += 1
            near_count[j] = count


@njit(cache=True, nogil=True)
def _push(v, k, px, py, nx, ny, depth, svx, svy, car, car_force, speed):
    """Contact force on vehicle v at point (px, py) with normal (nx, ny); returns fx, fy.

    (svx, svy) is the surface's velocity there. Wheels are driven, other circles only rub.
    """
    mass = car[v, 7]
    rx, ry = px - car[v, 0], py - car[v, 1]
    vx = car[v, 4] - car[v, 6] * ry - svx
    vy = car[v, 5] + car[v, 6] * rx - svy
    normal = mass * (_STIFFNESS * depth - _DAMPING * (vx * nx + vy * ny))
    if normal <= 0.0:
        return 0.0, 0.0
    tx, ty = ny, -nx
    along = vx * tx + vy * ty
    if k < WHEELS:
        cap = min(c.FRICTION * normal, c.DRIVE_CAP_G * mass * c.GRAVITY)
        drive = c.DRIVE_GAIN_PER_S * mass * (speed - along)
    else:
        cap = c.PASSIVE_FRICTION * normal
        drive = -c.DRIVE_GAIN_PER_S * mass * along
    drive = min(max(drive, -cap), cap)
    fx = normal * nx + drive * tx
    fy = normal * ny + drive * ty
    car_force[v, 0] += fx
    car_force[v, 1] += fy
    car_force[v, 2] += rx * fy - ry * fx
    return fx, fy


@njit(cache=True, nogil=True)
def _touch(v, k, i, t, px, py, nx, ny, depth, car, car_force, pos, vel, force, a, b, g, speed):
    """One contact with segment i at parameter t; a road's nodes share the load by the lever."""
    if i < g:
        _push(v, k, px, py, nx, ny, depth, 0.0, 0.0, car, car_force, speed)
        return
    m = i - g
    na, nb = a[m], b[m]
    svx = (1.0 - t) * vel[na, 0] + t * vel[nb, 0]
    svy = (1.0 - t) * vel[na, 1] + t * vel[nb, 1]
    fx, fy = _push(v, k, px, py, nx, ny, depth, svx, svy, car, car_force, speed)
    force[na, 0] -= (1.0 - t) * fx
    force[na, 1] -= (1.0 - t) * fy
    force[nb, 0] -= t * fx
    force[nb, 1] -= t * fy


@njit(cache=True, nogil=True)
def _circle_contacts(
    v, k, x, y, car, car_force, pos, vel, force, a, b, alive, ground, near, near_count, speed
):
    """All contacts inside segments; where there is none, the deepest one with an end point."""
    g = ground.shape[0]
    radius = _LOCAL[k, 2]
    j = v * CIRCLES + k
    inside = False
    best, best_i, best_t, best_x, best_y = radius, -1, 0.0, 0.0, 0.0
    for q in range(near_count[j]):
        i = near[j, q]
        if i >= g and not alive[i - g]:
            continue
        x0, y0, x1, y1 = _segment(i, pos, a, b, ground)
        dx, dy = x1 - x0, y1 - y0
        square = dx * dx + dy * dy
        t = ((x - x0) * dx + (y - y0) * dy) / max(square, 1e-12)
        if 0.0 <= t <= 1.0:
            px, py = x0 + t * dx, y0 + t * dy
            length = np.sqrt(square)
            nx, ny = -dy / length, dx / length
            depth_side = (x - px) * nx + (y - py) * ny
            if i >= g and depth_side < 0.0:
                nx, ny, depth_side = -nx, -ny, -depth_side
            if -radius < depth_side < radius:
                inside = True
                _touch(
                    v,
                    k,
                    i,
                    t,
                    px,
                    py,
                    nx,
                    ny,
                    radius - depth_side,
                    car,
                    car_force,
                    pos,
                    vel,
                    force,
                    a,
                    b,
                    g,
                    speed,
                )
        else:
            t = 0.0 if t < 0.0 else 1.0
            px, py = x0 + t * dx, y0 + t * dy
            distance = np.sqrt((x - px) * (x - px) + (y - py) * (y - py))
            if distance < best and distance > 1e-9:
                best, best_i, best_t, best_x, best_y = distance, i, t, px, py
    if not inside and best_i >= 0:
        _touch(
            v,
            k,
            best_i,
            best_t,
            best_x,
            best_y,
            (x - best_x) / best,
            (y - best_y) / best,
            radius - best,
            car,
            car_force,
            pos,
            vel,
            force,
            a,
            b,
            g,
            speed,
        )


@njit(cache=True, nogil=True)
def roll_on_ground(
    car, car_force, arrived, pos, vel, force, a, b, alive, ground, near, near_count, circle, speed
):
    """Weight and all contacts of every vehicle with ground and roads; fills `circle` (x, y)."""
    for v in range(car.shape[0]):
        if arrived[v]:
            continue
        car_force[v, 0] = 0.0
        car_force[v, 1] = -car[v, 7] * c.GRAVITY
        car_force[v, 2] = 0.0
        for k in range(CIRCLES):
            j = v * CIRCLES + k
            x = car[v, 0] + _LOCAL[k, 0] * car[v, 2] - _LOCAL[k, 1] * car[v, 3]
            y = car[v, 1] + _LOCAL[k, 0] * car[v, 3] + _LOCAL[k, 1] * car[v, 2]
            circle[j, 0], circle[j, 1] = x, y
            if near_count[j] > 0:
                _circle_contacts(
                    v,
                    k,
                    x,
                    y,
                    car,
                    car_force,
                    pos,
                    vel,
                    force,
                    a,
                    b,
                    alive,
                    ground,
                    near,
                    near_count,
                    speed,
                )


@njit(cache=True, nogil=True)
def _bump(v, w, x, y, nx, ny, depth, car, car_force):
    """Equal and opposite push between two vehicles; the normal points from w to v."""
    mass = min(car[v, 7], car[w, 7])
    ax, ay = x - car[v, 0], y - car[v, 1]
    bx, by = x - car[w, 0], y - car[w, 1]
    vx = (car[v, 4] - car[v, 6] * ay) - (car[w, 4] - car[w, 6] * by)
    vy = (car[v, 5] + car[v, 6] * ax) - (car[w, 5] + car[w, 6] * bx)
    push = mass * (_STIFFNESS * depth - _DAMPING * (vx * nx + vy * ny))
    if push <= 0.0:
        return
    fx, fy = push * nx, push * ny
    car_force[v, 0] += fx
    car_force[v, 1] += fy
    car_force[v, 2] += ax * fy - ay * fx
    car_force[w, 0] -= fx
    car_force[w, 1] -= fy
    car_force[w, 2] -= bx * fy - by * fx


@njit(cache=True, nogil=True)
def collide_vehicles(car, car_force, arrived, circle):
    """Contacts between the circles of every two vehicles that are close."""
    reach = 2.0 * c.BODY_LENGTH_M
    for v in range(car.shape[0]):
        for w in range(v + 1, car.shape[0]):
            if arrived[v] or arrived[w]:
                continue
            dx, dy = car[v, 0] - car[w, 0], car[v, 1] - car[w, 1]
            if dx * dx + dy * dy > 0.36 * reach * reach:
                continue
            for k in range(CIRCLES):
                for m in range(CIRCLES):
                    p, q = v * CIRCLES + k, w * CIRCLES + m
                    ex, ey = circle[p, 0] - circle[q, 0], circle[p, 1] - circle[q, 1]
                    gap = np.sqrt(ex * ex + ey * ey)
                    depth = _LOCAL[k, 2] + _LOCAL[m, 2] - gap
                    if depth > 0.0 and gap > 1e-9:
                        share = _LOCAL[m, 2] / (_LOCAL[k, 2] + _LOCAL[m, 2])
                        _bump(
                            v,
                            w,
                            circle[q, 0] + share * ex,
                            circle[q, 1] + share * ey,
                            ex / gap,
                            ey / gap,
                            depth,
                            car,
                            car_force,
                        )


@njit(cache=True, nogil=True)
def step_vehicles(car, car_force, arrived, step):
    """Advance the vehicles; the heading is a unit vector, turned and normalised."""
    for v in range(car.shape[0]):
        if arrived[v]:
            continue
        mass = car[v, 7]
        car[v, 4] += step * car_force[v, 0] / mass
        car[v, 5] += step * car_force[v, 1] / mass
        car[v, 6] += step * car_force[v, 2] / (mass * _INERTIA)
        car[v, 0] += step * car[v, 4]
        car[v, 1] += step * car[v, 5]
        turn = step * car[v, 6]
        cos = car[v, 2] - turn * car[v, 3]
        sin = car[v, 3] + turn * car[v, 2]
        size = np.sqrt(cos * cos + sin * sin)
        car[v, 2] = cos / size
        car[v, 3] = sin / size
