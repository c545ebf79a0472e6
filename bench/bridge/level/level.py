"""A level: the scene that has to be bridged, and its metadata for analysis."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from bench.bridge.design.materials import PROFILES, Material
from bench.task import Json

BOTTOM_Y_M = -5.0
"""Banks and platforms are solid down to here."""

Surface = tuple[float, float, float]
"""Drivable ground: x from, x to, y, in metres; a bank reaches to infinity."""

MaterialProfile = Literal["full", "road_wood_only"]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A native anchor: part of the scene, immovable, with its id in the save."""

    id: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Platform:
    """A solid rectangular island; vehicles drive on its top. `anchor_ids` at its top edges."""

    x_start: float
    x_end: float
    surface_y: float
    bottom_y: float
    anchor_ids: tuple[int, ...]

    @property
    def polygon(self) -> tuple[tuple[float, float], ...]:
        """Corners in metres, counter-clockwise from the bottom left."""
        return (
            (self.x_start, self.bottom_y),
            (self.x_end, self.bottom_y),
            (self.x_end, self.surface_y),
            (self.x_start, self.surface_y),
        )


@dataclass(frozen=True, slots=True)
class Rock:
    """A forbidden triangle: no node or member may touch it. It collides with nothing."""

    vertices: tuple[tuple[float, float], tuple[float, float], tuple[float, float]]


@dataclass(frozen=True)
class Level:
    """The scene that a model and the simulator see. Metres; the left bank's top edge is (0, 0).

    `anchors` are in id order, the first two being the deck anchors of the left and the right
    bank. `left_toe_x` and `right_toe_x` are where the banks' faces meet y = -5: a vertical face
    has its toe below its edge, a sloping one reaches into the gap. `pier_anchor_ids` are
    free-standing anchors, drawn as a thin pier, colliding with nothing.
    """

    name: str
    span_m: float
    rise_m: float
    material_profile: MaterialProfile
    anchors: tuple[Anchor, ...]
    platforms: tuple[Platform, ...]
    rocks: tuple[Rock, ...]
    vehicle_weights_pg: tuple[float, ...]
    left_toe_x: float
    right_toe_x: float
    pier_anchor_ids: tuple[int, ...]
    strict_limit_usd: int

    @property
    def materials(self) -> tuple[Material, ...]:
        """Materials that may be used, in type order."""
        return PROFILES[self.material_profile]

    @property
    def surfaces(self) -> tuple[Surface, ...]:
        """Drivable ground: left bank, right bank, then the platforms."""
        return (
            (-math.inf, 0.0, 0.0),
            (self.span_m, math.inf, self.rise_m),
            *((p.x_start, p.x_end, p.surface_y) for p in self.platforms),
        )

    @cached_property
    def lowest_surface_y(self) -> float:
        """The lowest drivable surface of banks and platforms, in metres."""
        return min(0.0, self.rise_m, *(p.surface_y for p in self.platforms))

    @property
    def water_y(self) -> float:
        """The water line, 1.7 m below the lowest drivable surface."""
        return self.lowest_surface_y - 1.7

    @property
    def left_bank_face(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The left bank's face from its top edge to its toe; the bank is all that lies left."""
        return ((0.0, 0.0), (self.left_toe_x, BOTTOM_Y_M))

    @property
    def right_bank_face(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The right bank's face from its top edge to its toe; the bank is all that lies right."""
        return ((self.span_m, self.rise_m), (self.right_toe_x, BOTTOM_Y_M))


@dataclass(frozen=True, slots=True)
class LevelMetadata:
    """For analysis only: never shown to a model."""

    family: str
    group: str
    suite: Literal["core", "compositional"]
    tags: tuple[str, ...]
    parameters: Mapping[str, Json] = field(default_factory=dict)
