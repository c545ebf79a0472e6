"""The bridge in Box2D v3 (pyb2d3): members are spring joints, contact is Box2D's own.

A road is a rigid body that slides on a spring along its axis at both nodes; across the axis it
is held by Box2D's own soft joint (60 Hz, which gives a millimetre under a wheel). Box2D computes
in 32 bits, tyres are rigid, nodes have no mass damping.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyb2d3

from bench.bridge.design.design import Design
from bench.bridge.design.materials import ROAD
from bench.bridge.level.level import Level
from bench.bridge.physics import constants as c
from bench.bridge.physics.model import Model, build_model
from bench.bridge.physics.params import DEFAULT
from bench.bridge.physics.result import Ending
from bench.bridge.physics.witness.pymunk_springs import CHECK_STEPS, WitnessResult

STEP_S = 0.00025
CONTACT_HERTZ = 500.0
"""Stiffness of contacts."""


class Box2DBridge:
    """One scene, stepped by `run`."""

    def __init__(self, level: Level, design: Design, step_s: float = STEP_S) -> None:
        self.level, self.step_s = level, step_s
        self.model = build_model(level, design, DEFAULT)
        self.world = pyb2d3.World(gravity=(0.0, -c.GRAVITY), contact_hertz=CONTACT_HERTZ)
        self.nodes = self._add_nodes(self.model)
        self.bars = [self._add_bar(i) for i in range(len(self.model.bar_a))]
        self._add_ground()
        self.vehicles = [self._add_vehicle(row) for row in self.model.vehicles]

    def _body(self, x: float, y: float, mass: float, moment: float, **more: Any) -> Any:
        body = self.world.create_dynamic_body(position=(x, y), enable_sleep=False, **more)
        data = pyb2d3.MassData()
        data.mass, data.rotational_inertia = mass, moment
        body.mass_data = data
        return body

    def _add_nodes(self, m: Model) -> list[Any]:
        bodies = []
        road_weight = np.zeros(len(m.position))
        for ends in (m.bar_a, m.bar_b):
            np.add.at(road_weight, ends, np.where(m.is_road, 3.0 * m.rest_length, 0.0))
        for i, (x, y) in enumerate(m.position):
            if m.inverse_inertia[i] == 0.0:
                bodies.append(self.world.create_static_body(position=(float(x), float(y))))
            else:
                mass = float(max(m.weight[i] - road_weight[i], 0.2)) / c.GRAVITY
                bodies.append(self._body(float(x), float(y), mass, 0.0, fixed_rotation=True))
        return bodies

    def _hertz(self, k: float, *masses: float) -> float:
        inverse = sum(1.0 / m for m in masses if m > 0.0)
        return math.sqrt(k * inverse) / (2.0 * math.pi)

    def _add_bar(self, i: int) -> list[Any]:
        m = self.model
        ia, ib = int(m.bar_a[i]), int(m.bar_b[i])
        a, b, k = self.nodes[ia], self.nodes[ib], float(m.stiffness[i])
        if m.inverse_inertia[ia] == m.inverse_inertia[ib] == 0.0:
            return []
        if not m.is_road[i]:
            return [
                self.world.create_distance_joint(
                    body_a=a, body_b=b, length=float(m.rest_length[i]), enable_spring=True,
                    hertz=self._hertz(k, a.mass, b.mass), damping_ratio=c.MEMBER_DAMPING,
                )
            ]  # fmt: skip
        half = 0.5 * float(m.rest_length[i])
        mass = 2.0 * ROAD.weight_pn_per_m * half / c.GRAVITY
        (xa, ya), (xb, yb) = m.position[ia], m.position[ib]
        angle = math.atan2(yb - ya, xb - xa)
        road = self._body(
            float(xa + xb) / 2, float(ya + yb) / 2, mass, mass * half * half,
            rotation=pyb2d3.make_rot(angle),
        )  # fmt: skip
        self._segment(road, (-half, 0.0), (half, 0.0))
        ends = [
            self.world.create_wheel_joint(
                body_a=road, body_b=node, local_anchor_a=(x, 0), local_anchor_b=(0, 0),
                local_axis_a=(1, 0), enable_spring=True,
                hertz=self._hertz(2 * k, mass, node.mass), damping_ratio=c.MEMBER_DAMPING,
            )
            for node, x in ((a, -half), (b, half))
        ]  # fmt: skip
        return [*ends, road]

    def _segment(self, body: Any, p: tuple[float, float], q: tuple[float, float]) -> None:
        shape = pyb2d3.shape_def(
            density=0.0, update_body_mass=False,
            material=pyb2d3.surface_material(friction=1.0),
            filter=pyb2d3.make_filter(category_bits=1, mask_bits=2),
        )  # fmt: skip
        body.create_segment_shape(shape, pyb2d3.segment(p, q))

    def _add_ground(self) -> None:
        body = self.world.create_static_body(position=(0.0, 0.0))
        for x0, y0, x1, y1 in self.model.ground:
            self._segment(body, (float(x0), float(y0)), (float(x1), float(y1)))

    def _add_vehicle(self, row: np.ndarray) -> tuple[Any, list[Any]]:
        x, _, mass = (float(v) for v in row)
        moment = mass * (c.BODY_LENGTH_M**2 + c.BODY_HEIGHT_M**2) / 12.0
        body = self._body(x, c.CENTRE_HEIGHT_M, mass, moment)
        wheels = []
        for k, (dx, dy, radius) in enumerate(c.VEHICLE_CIRCLES):
            shape = pyb2d3.shape_def(
                density=0.0, update_body_mass=False,
                # The drive is a force on the chassis, so that wheels have to slide freely.
                material=pyb2d3.surface_material(friction=0.0 if k < 2 else c.PASSIVE_FRICTION),
                filter=pyb2d3.make_filter(category_bits=2, mask_bits=3),
            )  # fmt: skip
            made = body.create_circle_shape(shape, pyb2d3.circle((dx, dy), radius))
            if k < 2:
                wheels.append(made)
        return body, wheels

    def forces_pn(self) -> np.ndarray:
        """Elastic axial force of every bar now, (B,) PN, from the distance of its nodes."""
        m = self.model
        p = np.array([(b.position[0], b.position[1]) for b in self.nodes])
        d = p[m.bar_b] - p[m.bar_a]
        length = np.sqrt(d[:, 0] ** 2 + d[:, 1] ** 2)
        forces: np.ndarray = m.stiffness * (length - m.rest_length)
        return forces

    def run(self, window_s: float = 12.0) -> WitnessResult:
        """Step until the outcome is decided."""
        m, mean = self.model, np.zeros(len(self.bars))
        peak = np.zeros(len(self.bars))
        keep = self.step_s * CHECK_STEPS / c.BREAK_FILTER_S
        left = list(self.vehicles)
        for s in range(round(window_s / self.step_s)):
            now = s * self.step_s
            if s % CHECK_STEPS == 0:
                self._drive(left, min(c.CRUISE_MPS, c.ACCELERATION_MPS2 * now))
            self.world.step(self.step_s, 1)
            if s % CHECK_STEPS:
                continue
            whole = np.array([bool(bar) for bar in self.bars])
            mean += (np.where(whole, self.forces_pn(), 0.0) - mean) * keep
            np.maximum(peak, np.abs(mean) / m.strength, out=peak)
            for i in np.flatnonzero(whole & (np.abs(mean) > m.strength)):
                for part in self.bars[i]:
                    part.destroy()
                self.bars[i] = []
                mean[i] = 0.0
            ending = self._judge(left)
            if ending is not None:
                return WitnessResult(ending, now, peak)
        return WitnessResult(Ending.TIMEOUT, window_s, peak)

    def _drive(self, left: list[tuple[Any, list[Any]]], speed: float) -> None:
        for body, _ in left:
            gap = speed - body.linear_velocity[0]
            cap = c.DRIVE_CAP_G * body.mass * c.GRAVITY * 2
            push = min(max(2 * c.DRIVE_GAIN_PER_S * body.mass * gap, -cap), cap)
            body.apply_linear_impulse_to_center((push * self.step_s * CHECK_STEPS, 0.0))

    def _judge(self, left: list[tuple[Any, list[Any]]]) -> Ending | None:
        flag_x, flag_y = self.model.flag
        for car in list(left):
            x, y = car[0].position
            if y < self.model.water_y:
                return Ending.FELL
            if x >= flag_x and y > flag_y and math.cos(car[0].angle) >= c.UPRIGHT_COSINE:
                car[0].destroy()
                left.remove(car)
        return Ending.SUCCESS if self.vehicles and not left else None
