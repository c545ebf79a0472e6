"""Vehicles: contact of their circles with ground and roads, with each other, and their motion.

A vehicle's row in `car`: x, y, cos, sin, vx, vy, angular velocity, mass. `car_force`: fx, fy,
torque. Circle k of vehicle v has index v * CIRCLES + k.
"""

from __future__ import annotations

import numpy as np

from bench.bridge.physics import constants as c
from bench.bridge.physics.compiled import compiled

CIRCLES = len(c.VEHICLE_CIRCLES)
WHEELS = 2
NEAR_INTERVAL = 8
"""Steps between two searches for the segments near each circle (2 ms at the default step)."""
NEAR_MARGIN_M = 0.12
"""A segment further away cannot reach a circle before the next search: it would need 60 m/s."""

_LOCAL = np.array(c.VEHICLE_CIRCLES)
_STIFFNESS = c.GRAVITY / (2.0 * c.TYRE_DEFLECTION_M)
"""Tyre stiffness per unit of vehicle mass: half the weight over the static deflection."""
_DAMPING = 2.0 * c.TYRE_DAMPING * np.sqrt(_STIFFNESS * 0.5)
"""Tyre damping per unit of vehicle mass, on half the mass."""
_INERTIA = (c.BODY_LENGTH_M * c.BODY_LENGTH_M + c.BODY_HEIGHT_M * c.BODY_HEIGHT_M) / 12.0


@compiled
def place_circles(car, arrived, circle):
    """World position of every circle of the vehicles that are still driving."""
    for v in range(car.shape[0]):
        if arrived[v]:
            continue
        x, y, cos, sin = car[v, 0], car[v, 1], car[v, 2], car[v, 3]
        for k in range(CIRCLES):
            j = v * CIRCLES + k
            circle[j, 0] = x + _LOCAL[k, 0] * cos - _LOCAL[k, 1] * sin
            circle[j, 1] = y + _LOCAL[k, 0] * sin + _LOCAL[k, 1] * cos


@compiled
def find_near(circle, arrived, pos, a, b, roads, alive, ground, near, near_count):
    """List, for every circle, the segments whose box comes within its radius and the margin.

    Segments: ground first, then bars, in index order, so that sums keep their order. A row of
    `near` has room for all of them: a contact left out would be a design's luck.
    """
    g = ground.shape[0]
    for j in range(circle.shape[0]):
        count = 0
        if not arrived[j // CIRCLES]:
            x, y = circle[j, 0], circle[j, 1]
            reach = _LOCAL[j % CIRCLES, 2] + NEAR_MARGIN_M
            for i in range(g + roads.shape[0]):
                if i < g:
                    index = i
                    x0, y0, x1, y1 = ground[i, 0], ground[i, 1], ground[i, 2], ground[i, 3]
                else:
                    m = roads[i - g]
                    index = g + m
                    if not alive[m]:
                        continue
                    x0, y0, x1, y1 = pos[a[m], 0], pos[a[m], 1], pos[b[m], 0], pos[b[m], 1]
                if (
                    min(x0, x1) - reach < x < max(x0, x1) + reach
                    and min(y0, y1) - reach < y < max(y0, y1) + reach
                ):
                    near[j, count] = index
                    count += 1
        near_count[j] = count


@compiled
def find_contacts(circle, pos, a, b, alive, ground, near, near_count, who, where):
    """Fill the contact list and return its length.

    `who` (K, 2): circle and segment; `where` (K, 6): parameter along the segment, point,
    normal, depth. All contacts inside segments count; where a circle has none, the deepest
    one with an end point, else the joints of a straight road would push twice.
    """
    g = ground.shape[0]
    n = 0
    for j in range(circle.shape[0]):
        x, y, radius = circle[j, 0], circle[j, 1], _LOCAL[j % CIRCLES, 2]
        first = n
        best, best_i, best_t, best_x, best_y = radius, -1, 0.0, 0.0, 0.0
        for q in range(near_count[j]):
            i = near[j, q]
            if i < g:
                x0, y0, x1, y1 = ground[i, 0], ground[i, 1], ground[i, 2], ground[i, 3]
            elif alive[i - g]:
                na, nb = a[i - g], b[i - g]
                x0, y0, x1, y1 = pos[na, 0], pos[na, 1], pos[nb, 0], pos[nb, 1]
            else:
                continue
            dx, dy = x1 - x0, y1 - y0
            square = max(dx * dx + dy * dy, 1e-12)
            t = ((x - x0) * dx + (y - y0) * dy) / square
            if 0.0 <= t <= 1.0:
                # The sign of the side is kept: ground is solid, a road has two faces.
                side = (dx * (y - y0) - dy * (x - x0)) / np.sqrt(square)
                sign = -1.0 if (i >= g and side < 0.0) else 1.0
                if -radius < side * sign < radius:
                    size = sign / np.sqrt(square)
                    who[n, 0], who[n, 1] = j, i
                    where[n, 0], where[n, 1], where[n, 2] = t, x0 + t * dx, y0 + t * dy
                    where[n, 3], where[n, 4] = -dy * size, dx * size
                    where[n, 5] = radius - side * sign
                    n += 1
            else:
                t = 0.0 if t < 0.0 else 1.0
                px, py = x0 + t * dx, y0 + t * dy
                distance = np.sqrt((x - px) * (x - px) + (y - py) * (y - py))
                if 1e-9 < distance < best:
                    best, best_i, best_t, best_x, best_y = distance, i, t, px, py
        if n == first and best_i >= 0:
            who[n, 0], who[n, 1] = j, best_i
            where[n, 0], where[n, 1], where[n, 2] = best_t, best_x, best_y
            where[n, 3], where[n, 4] = (x - best_x) / best, (y - best_y) / best
            where[n, 5] = radius - best
            n += 1
    return n


@compiled
def command(car, tilted, stall_steps, speeds, speed):
    """Speed that every vehicle's wheels are driven towards: `speed`, or 0 while it is too steep.

    `tilted` counts the steps in a row that a vehicle has been tilted beyond what its tyres hold;
    from `stall_steps` on it stays where it is: the vehicle has stalled for good.
    """
    for v in range(car.shape[0]):
        if tilted[v] < stall_steps:
            tilted[v] = tilted[v] + 1 if car[v, 2] < c.STALL_COSINE else 0
        speeds[v] = 0.0 if tilted[v] > 0 else speed


@compiled
def push(count, who, where, car, car_force, vel, force, a, b, ground_count, speeds):
    """Forces of all contacts on vehicles and, by the lever rule, on the roads' end nodes.

    Wheels are driven towards their vehicle's of `speeds` along the surface, other circles only rub.
    """
    for n in range(count):
        v, k, m = who[n, 0] // CIRCLES, who[n, 0] % CIRCLES, who[n, 1] - ground_count
        t, nx, ny, mass = where[n, 0], where[n, 3], where[n, 4], car[v, 7]
        rx, ry = where[n, 1] - car[v, 0], where[n, 2] - car[v, 1]
        vx = car[v, 4] - car[v, 6] * ry
        vy = car[v, 5] + car[v, 6] * rx
        if m >= 0:
            vx -= (1.0 - t) * vel[a[m], 0] + t * vel[b[m], 0]
            vy -= (1.0 - t) * vel[a[m], 1] + t * vel[b[m], 1]
        normal = mass * (_STIFFNESS * where[n, 5] - _DAMPING * (vx * nx + vy * ny))
        if normal <= 0.0:
            continue
        along = vx * ny - vy * nx
        if k < WHEELS:
            cap = min(c.FRICTION * normal, c.DRIVE_CAP_G * mass * c.GRAVITY)
            drive = c.DRIVE_GAIN_PER_S * mass * (speeds[v] - along)
        else:
            cap = c.PASSIVE_FRICTION * normal
            drive = -c.DRIVE_GAIN_PER_S * mass * along
        drive = min(max(drive, -cap), cap)
        fx, fy = normal * nx + drive * ny, normal * ny - drive * nx
        car_force[v, 0] += fx
        car_force[v, 1] += fy
        car_force[v, 2] += rx * fy - ry * fx
        if m >= 0:
            force[a[m], 0] -= (1.0 - t) * fx
            force[a[m], 1] -= (1.0 - t) * fy
            force[b[m], 0] -= t * fx
            force[b[m], 1] -= t * fy


@compiled
def weigh(car, car_force):
    """Start the vehicles' forces with their weight."""
    for v in range(car.shape[0]):
        car_force[v, 0] = 0.0
        car_force[v, 1] = -car[v, 7] * c.GRAVITY
        car_force[v, 2] = 0.0


@compiled
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


@compiled
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


@compiled
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
