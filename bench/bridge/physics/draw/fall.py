"""What happens after a break in the picture only: debris and splashes. No part of physics.

A member breaks in two; each half flies on as a rigid piece from the state at the last record
in which it held, with that record's velocity, until it meets ground or water.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from PIL import ImageDraw

from bench.bridge.design.design import Design
from bench.bridge.level.level import Level
from bench.bridge.physics import constants as c
from bench.bridge.physics.draw import palette as p
from bench.bridge.physics.draw.bridge import Line, members
from bench.bridge.physics.draw.ground import surface_below
from bench.bridge.physics.draw.view import SUPERSAMPLE, Point, View
from bench.bridge.physics.result import RECORD_HZ, SimResult

S = SUPERSAMPLE
SPIN_RAD_PER_S = 1.6
"""The halves turn away from each other this fast, so that a break is seen."""
FASTEST_MPS = 12.0
SINKING_MPS = 0.9
SPLASH_S = 0.7
MOST_SPLASHES = 40
APART_M = 0.7
"""Splashes nearer than this to a younger or stronger one are part of it."""
DROPS = (-1.5, -1.0, -0.6, -0.25, 0.1, 0.4, 0.75, 1.15, 1.6)


@dataclass(frozen=True, slots=True)
class Piece:
    """One half of a broken member where it is now, metres and rad; `wet_s` since it hit water."""

    x: float
    y: float
    angle: float
    length: float
    kind: int
    wet_s: float | None


@dataclass(frozen=True, slots=True)
class Splash:
    """Water thrown up at x, `age_s` ago; `strength` 1 for a vehicle."""

    x: float
    age_s: float
    strength: float


def pieces(level: Level, design: Design, result: SimResult, record: int) -> Iterator[Piece]:
    """Halves of the members that have broken by a record."""
    index = {key: i for i, key in reversed(list(enumerate(n.id for n in design.nodes)))}
    held = result.alive[: record + 1].sum(axis=0)
    for i, m in enumerate(design.members):
        # A member that never held has no place to fall from (an end does not exist).
        if result.alive[record, i] or not held[i] or m.a not in index or m.b not in index:
            continue
        row = int(held[i]) - 1
        age = (record - row) / RECORD_HZ
        for near, far, spin in ((m.a, m.b, 1.0), (m.b, m.a, -1.0)):
            yield _half(level, result, row, age, (index[near], index[far], m.type), spin)


def _half(
    level: Level, result: SimResult, row: int, age: float, who: tuple[int, int, int], spin: float
) -> Piece:
    near, far, kind = who
    (ax, ay), (bx, by) = result.positions[row, near].tolist(), result.positions[row, far].tolist()
    before = max(row - 1, 0)
    va, vb = (
        ((result.positions[row, k] - result.positions[before, k]) * RECORD_HZ).tolist()
        for k in (near, far)
    )
    x, y = 0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by
    vx, vy = (min(max(0.75 * va[k] + 0.25 * vb[k], -FASTEST_MPS), FASTEST_MPS) for k in (0, 1))
    length = math.hypot(bx - ax, by - ay)
    turn = ((bx - ax) * (vb[1] - va[1]) - (by - ay) * (vb[0] - va[0])) / max(length, 0.25) ** 2
    turn = min(max(turn, -4.0), 4.0) + spin * SPIN_RAD_PER_S
    angle = math.atan2(by - ay, bx - ax)
    wet = _fall_s(y, vy, level.water_y)
    ground = surface_below(level, x + vx * wet)
    if ground is not None and level.water_y < ground < y:
        time = min(age, _fall_s(y, vy, ground))
        wet = math.inf
    else:
        time = min(age, wet)
    x, y = x + vx * time, y + vy * time - 0.5 * c.GRAVITY * time * time
    angle += turn * time
    if age < wet:
        return Piece(x, y, angle, length / 2, kind, None)
    return Piece(x, y - SINKING_MPS * (age - wet), angle, length / 2, kind, age - wet)


def _fall_s(y: float, vy: float, floor: float) -> float:
    """Time until a thrown point comes down to a height; 0 when it is there already."""
    if y <= floor:
        return 0.0
    return (vy + math.sqrt(vy * vy + 2 * c.GRAVITY * (y - floor))) / c.GRAVITY


def vehicle_splashes(level: Level, result: SimResult, record: int) -> Iterator[Splash]:
    """Splashes of vehicles whose wheels met the water a moment before a record."""
    first = max(0, record - round(SPLASH_S * RECORD_HZ))
    wet = result.vehicles[first : record + 1, :, 1] - c.CENTRE_HEIGHT_M < level.water_y
    for v in range(wet.shape[1]):
        rows = wet[:, v]
        if rows.any() and not (rows[0] and first > 0) and not result.arrived[record, v]:
            row = first + int(rows.argmax())
            yield Splash(float(result.vehicles[row, v, 0]), (record - row) / RECORD_HZ, 1.0)


def draw_fall(
    draw: ImageDraw.ImageDraw,
    view: View,
    level: Level,
    design: Design,
    result: SimResult,
    record: int,
) -> list[Splash]:
    """Draw the debris of a record; returns the splashes that go over everything."""
    dry: list[Line] = []
    sunk: list[Line] = []
    splashes = list(vehicle_splashes(level, result, record))
    for piece in pieces(level, design, result, record):
        reach = piece.length / 2
        dx, dy = reach * math.cos(piece.angle), reach * math.sin(piece.angle)
        ends = (view.at(piece.x - dx, piece.y - dy), view.at(piece.x + dx, piece.y + dy))
        if piece.wet_s is None:
            dry.append((ends, p.DEBRIS, piece.kind))
            continue
        sunk.append((ends, p.mix(p.DEBRIS, p.WATER_DEEP, 0.55), piece.kind))
        if (
            0.0 < piece.wet_s < SPLASH_S
            and piece.y + SINKING_MPS * piece.wet_s > level.water_y - 0.1
        ):
            splashes.append(Splash(piece.x, piece.wet_s, 0.55))
    members(draw, sunk, p.mix(p.DEBRIS_EDGE, p.WATER_DEEP, 0.55), view.plot)
    members(draw, dry, p.DEBRIS_EDGE, view.plot)
    return _apart(splashes)


def _apart(splashes: list[Splash]) -> list[Splash]:
    kept: list[Splash] = []
    for splash in sorted(splashes, key=lambda s: (-s.strength, s.age_s, s.x)):
        if all(abs(splash.x - other.x) >= APART_M for other in kept):
            kept.append(splash)
        if len(kept) == MOST_SPLASHES:
            break
    return kept


def draw_splash(draw: ImageDraw.ImageDraw, view: View, water_y: float, splash: Splash) -> None:
    """Foam on the water line and drops thrown from it."""
    age, size = splash.age_s, splash.strength
    half = size * (0.5 + 1.3 * age)
    left, y = view.at(splash.x - half, water_y)
    right = view.at(splash.x + half, water_y)[0]
    thick = max(1.5, 6.0 * size * (1.0 - age / SPLASH_S)) * S
    draw.ellipse((left, y - thick, right, y + thick), fill=p.SPLASH, outline=p.WATER_EDGE, width=S)
    for k, side in enumerate(DROPS):
        up = (4.4 - 1.1 * abs(side) - 1.3 * (k % 2)) * math.sqrt(size)
        height = up * age - 0.5 * c.GRAVITY * age * age + 0.08
        if height > 0.0:
            place: Point = view.at(splash.x + side * size * (0.25 + age), water_y + height)
            radius = (2.4 + 1.6 * size - 0.6 * abs(side)) * S
            draw.circle(place, radius, fill=p.SPLASH, outline=p.WATER_EDGE, width=S)
