"""The scene as a baseline sees it: read from an observation's data, nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bench.bridge.design.materials import MATERIALS, Material
from bench.task import Json

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Gap:
    """An open stretch of the way, from the anchor at its left edge to that at its right."""

    left: Point
    right: Point

    @property
    def width_m(self) -> float:
        """Horizontal width in metres."""
        return self.right[0] - self.left[0]

    def deck_y(self, x: float) -> float:
        """Height of the straight deck at x."""
        share = (x - self.left[0]) / self.width_m
        return self.left[1] + share * (self.right[1] - self.left[1])


@dataclass(frozen=True, slots=True)
class Call:
    """What came of an earlier call: the validator's codes, or a failed execution."""

    failed: bool
    codes: frozenset[str]


@dataclass(frozen=True)
class Scene:
    """What a designer needs. Anchors by id; `gaps` from left to right; `calls` so far."""

    anchors: Mapping[int, Point]
    first_free_id: int
    gaps: tuple[Gap, ...]
    rocks: tuple[tuple[Point, Point, Point], ...]
    materials: tuple[Material, ...]
    limit_usd: float
    vehicle_weights_pg: tuple[float, ...]
    calls: tuple[Call, ...] = ()

    @property
    def has_steel(self) -> bool:
        """Whether steel may be used."""
        return any(m.name == "Steel" for m in self.materials)

    @classmethod
    def from_data(cls, data: Mapping[str, Json]) -> Scene:
        """Read an observation's data (`bench.bridge.prompt.observation`)."""
        task, environment = data["task_context"], data["semantic_environment"]
        objects = data["save"]["Objects"]
        anchors = {o["id"]: (float(o["x"]), float(o["y"])) for o in objects if o.get("isKinematic")}
        names = set(task["available_materials"])
        calls = [*data["earlier"], *([data["previous"]] if data["previous"] else [])]
        return cls(
            anchors=anchors,
            first_free_id=max(anchors) + 1,
            gaps=_gaps(anchors, environment["terrain_affordances"]),
            rocks=tuple(_triangle(r["vertices"]) for r in environment["forbidden_regions"]),
            materials=tuple(m for m in MATERIALS.values() if m.name in names),
            limit_usd=float(task["budget_limit"]),
            vehicle_weights_pg=tuple(float(w) for w in task["vehicle_weights_pg"]),
            calls=tuple(_call(call) for call in calls),
        )


def _gaps(anchors: Mapping[int, Point], platforms: list[Json]) -> tuple[Gap, ...]:
    """The gaps between the banks' deck anchors (the two lowest ids) and the platforms."""
    left, right = (anchors[i] for i in sorted(anchors)[:2])
    gaps, start = [], left
    for platform in sorted(platforms, key=lambda p: p["x_start"]):
        y = float(platform["surface_y"])
        gaps.append(Gap(start, (float(platform["x_start"]), y)))
        start = (float(platform["x_end"]), y)
    gaps.append(Gap(start, right))
    return tuple(gaps)


def _triangle(vertices: list[Json]) -> tuple[Point, Point, Point]:
    a, b, c = ((float(v["x"]), float(v["y"])) for v in vertices)
    return a, b, c


def _call(call: Mapping[str, Json]) -> Call:
    """The latest call is told in full, earlier ones by outcome and codes."""
    codes = call.get("codes") or [v["code"] for v in call.get("violations", ())]
    return Call(call["outcome"] == "failure_or_timeout", frozenset(codes))
