"""The bridge in pymunk: members are damped springs between bodies, contact is Chipmunk's own.

Differences that stay: a tyre's spring lies between a small rigid wheel and the chassis; a road is
a rigid body on stiff end springs; nodes have no mass damping. So forces differ by some per cent
while the bridge and the loads are the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pymunk

from bench.bridge.design.design import Design
from bench.bridge.design.materials import ROAD
from bench.bridge.level.level import Level
from bench.bridge.physics import constants as c
from bench.bridge.physics.model import Model, build_model
from bench.bridge.physics.params import DEFAULT
from bench.bridge.physics.result import Ending

STEP_S = 0.00025
CHECK_STEPS = 4
ITERATIONS = 20
GROUND = pymunk.ShapeFilter(categories=1, mask=2)
"""Ground and roads meet vehicles only, never each other."""
WHEEL_FRICTION = 2.0 * c.DRIVE_CAP_G
"""Both wheels together can pull with as much as the drive's cap allows two of them."""


WHEEL_SHARE = 0.01
"""A wheel's part of its vehicle's mass: small, for what meets the road hard is the wheel alone."""

Vehicle = tuple[pymunk.Body, list[pymunk.Circle]]
"""Chassis, and the two wheels' circles."""


@dataclass(frozen=True, slots=True)
class WitnessResult:
    """Outcome, its time, and each bar's peak utilisation (B,)."""

    ending: Ending
    end_s: float
    peak_utilisation: np.ndarray


class PymunkBridge:
    """One scene, stepped by `run`."""

    def __init__(self, level: Level, design: Design, step_s: float = STEP_S) -> None:
        self.level, self.step_s = level, step_s
        self.model = build_model(level, design, DEFAULT)
        self.space = pymunk.Space()
        self.space.gravity = (0.0, -c.GRAVITY)
        self.space.iterations = ITERATIONS
        self.nodes = self._add_nodes(self.model)
        self.bars = [self._add_bar(i) for i in range(len(self.model.bar_a))]
        self._add_ground()
        self.vehicles = [self._add_vehicle(i, row) for i, row in enumerate(self.model.vehicles)]

    def _add_nodes(self, m: Model) -> list[pymunk.Body]:
        bodies = []
        road_weight = np.zeros(len(m.position))
        for ends in (m.bar_a, m.bar_b):
            np.add.at(
                road_weight,
                ends,
                np.where(m.is_road, 0.5 * ROAD.weight_pn_per_m * m.rest_length, 0.0),
            )
        for i, (x, y) in enumerate(m.position):
            if m.inverse_inertia[i] == 0.0:
                body = pymunk.Body(body_type=pymunk.Body.STATIC)
            else:
                mass = max(m.weight[i] - road_weight[i], 0.2) / c.GRAVITY
                body = pymunk.Body(mass, float("inf"))
            body.position = (float(x), float(y))
            self.space.add(body)
            bodies.append(body)
        return bodies

    def _add_bar(self, i: int) -> list[pymunk.DampedSpring]:
        m = self.model
        a, b = self.nodes[m.bar_a[i]], self.nodes[m.bar_b[i]]
        k, damp = float(m.stiffness[i]), float(m.damping[i])
        if not m.is_road[i]:
            springs = [pymunk.DampedSpring(a, b, (0, 0), (0, 0), float(m.rest_length[i]), k, damp)]
        else:
            half = 0.5 * float(m.rest_length[i])
            mass = ROAD.weight_pn_per_m * 2 * half / c.GRAVITY
            road = pymunk.Body(mass, mass * half * half)
            middle = (a.position + b.position) / 2
            road.position, road.angle = middle, (b.position - a.position).angle
            shape = pymunk.Segment(road, (-half, 0), (half, 0), 0.0)
            shape.friction = 1.0
            shape.filter = GROUND
            self.space.add(road, shape)
            springs = [
                pymunk.DampedSpring(a, road, (0, 0), (-half, 0), 0.0, 2 * k, 2 * damp),
                pymunk.DampedSpring(road, b, (half, 0), (0, 0), 0.0, 2 * k, 2 * damp),
            ]
        self.space.add(*springs)
        return springs

    def _add_ground(self) -> None:
        for x0, y0, x1, y1 in self.model.ground:
            shape = pymunk.Segment(
                self.space.static_body, (float(x0), float(y0)), (float(x1), float(y1)), 0.0
            )
            shape.friction = 1.0
            shape.filter = GROUND
            self.space.add(shape)

    def _add_vehicle(self, number: int, row: np.ndarray) -> Vehicle:
        """A chassis on two small wheels, each on a spring as stiff and damped as our tyre.

        The spring has no length, so it gives way in every direction, as a tyre does.
        """
        x, _, mass = (float(v) for v in row)
        moment = mass * (c.BODY_LENGTH_M**2 + c.BODY_HEIGHT_M**2) / 12.0
        body = pymunk.Body(mass * (1.0 - 2.0 * WHEEL_SHARE), moment)
        body.position = (x, c.CENTRE_HEIGHT_M - c.TYRE_DEFLECTION_M)
        stiffness = 0.5 * mass * c.GRAVITY / c.TYRE_DEFLECTION_M
        damping = 2.0 * c.TYRE_DAMPING * float(np.sqrt(stiffness * 0.5 * mass))
        meets = pymunk.ShapeFilter(group=number + 1, categories=2, mask=3)
        self.space.add(body)
        wheels = []
        for k, (dx, dy, radius) in enumerate(c.VEHICLE_CIRCLES):
            if k < 2:
                wheel = pymunk.Body(mass * WHEEL_SHARE, float("inf"))
                wheel.position = (x + dx, c.CENTRE_HEIGHT_M + dy)
                spring = pymunk.DampedSpring(body, wheel, (dx, dy), (0, 0), 0.0, stiffness, damping)
                shape = pymunk.Circle(wheel, radius)
                shape.friction = WHEEL_FRICTION
                wheels.append(shape)
                self.space.add(wheel, shape, spring)
            else:
                shape = pymunk.Circle(body, radius, (dx, dy))
                shape.friction = c.PASSIVE_FRICTION
                self.space.add(shape)
            shape.filter = meets
        return body, wheels

    def forces_pn(self) -> np.ndarray:
        """Elastic axial force of every bar now, (B,) PN; NaN once it is out of the scene."""
        out = np.full(len(self.bars), np.nan)
        for i, springs in enumerate(self.bars):
            if not springs:
                continue
            a, b = (
                self.nodes[self.model.bar_a[i]].position,
                self.nodes[self.model.bar_b[i]].position,
            )
            out[i] = self.model.stiffness[i] * (a.get_distance(b) - self.model.rest_length[i])
        return out

    def run(self, window_s: float = 12.0, *, breaking: bool = True) -> WitnessResult:
        """Step until the outcome is decided."""
        m, mean = self.model, np.zeros(len(self.bars))
        peak = np.zeros(len(self.bars))
        keep = self.step_s * CHECK_STEPS / c.BREAK_FILTER_S
        left = list(self.vehicles)
        for s in range(round(window_s / self.step_s)):
            now = s * self.step_s
            for _, wheels in left:
                speed = min(c.CRUISE_MPS, c.ACCELERATION_MPS2 * now)
                for wheel in wheels:
                    wheel.surface_velocity = (-speed, 0.0)
            self.space.step(self.step_s)
            if s % CHECK_STEPS:
                continue
            force = self.forces_pn()
            mean += (np.nan_to_num(force) - mean) * keep
            np.maximum(peak, np.abs(mean) / m.strength, out=peak)
            if breaking:
                for i in np.flatnonzero(np.abs(mean) > m.strength):
                    self._break(int(i))
                    mean[i] = 0.0
            ending = self._judge(left)
            if ending is not None:
                return WitnessResult(ending, now, peak)
        return WitnessResult(Ending.TIMEOUT, window_s, peak)

    def _break(self, i: int) -> None:
        """Take a bar out of force and collision."""
        bodies = {s.b for s in self.bars[i]} | {s.a for s in self.bars[i]}
        self.space.remove(*self.bars[i])
        for body in bodies - set(self.nodes):
            self.space.remove(body, *body.shapes)
        self.bars[i] = []

    def _judge(self, left: list[Vehicle]) -> Ending | None:
        """Remove arrivals; the ending once it is decided."""
        flag_x, flag_y = self.model.flag
        for car in list(left):
            body = car[0]
            if body.position.y < self.model.water_y:
                return Ending.FELL
            if (
                body.position.x >= flag_x
                and body.position.y > flag_y
                and body.rotation_vector.x >= c.UPRIGHT_COSINE
            ):
                wheels = [wheel.body for wheel in car[1] if wheel.body is not None]
                self.space.remove(*body.constraints)
                for part in (body, *wheels):
                    self.space.remove(part, *part.shapes)
                left.remove(car)
        return Ending.SUCCESS if self.vehicles and not left else None
