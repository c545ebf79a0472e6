"""What of a level is written down: the two objects that a model may see, and the scene's fields.

`visible_context` is the only maker of the model's context; level files are written with it and
checked against it, so the file and the prompt cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Iterable

from bench.bridge.level.level import Level
from bench.bridge.physics import constants
from bench.task import Json

SCHEMA = "polybridgebench.level/1"
"""The `schema` of a level's layout file."""

APPLIES_TO = ("Road", "Wood", "Steel", "Hydraulics")
"""What a forbidden region forbids: every material that the game can build with."""


def visible_context(level: Level, limit_usd: float, name: str) -> dict[str, Json]:
    """The context under a budget, with exactly two objects; empty lists stay present.

    `name` is what the model is told the level is called.
    """
    weights = list(level.vehicle_weights_pg)
    return {
        "task_context": {
            "levelName": name,
            "available_materials": [material.name for material in level.materials],
            "budget_limit": whole(limit_usd),
            "vehicle_count": len(weights),
            "vehicle_weights_pg": weights,
            "vehicle_weight_pg": max(weights),
            "material_profile": level.material_profile,
        },
        "semantic_environment": {
            "terrain_affordances": [
                {
                    "type": "center_platform",
                    "shape": "rectangular_terrain",
                    "x_start": platform.x_start,
                    "x_end": platform.x_end,
                    "surface_y": platform.surface_y,
                    "bottom_y": platform.bottom_y,
                    "drivable": True,
                    "support_anchor_ids": list(platform.anchor_ids),
                }
                for platform in level.platforms
            ],
            "forbidden_regions": [
                {
                    "type": "rock",
                    "shape": "triangle",
                    "vertices": points(rock.vertices),
                    "applies_to": list(APPLIES_TO),
                }
                for rock in level.rocks
            ],
        },
    }


def scene_fields(level: Level) -> dict[str, Json]:
    """The scene in plain fields, as a layout file holds it. Metres and PG; no budget.

    What follows from other fields (starts, flags, water line) is written too, for a reader that
    has nothing but the file.
    """
    left, right = level.left_bank_face, level.right_bank_face
    return {
        "schema": SCHEMA,
        "name": level.name,
        "banks": {
            side: {"edge": point(face[0]), "toe": point(face[1])}
            for side, face in (("left", left), ("right", right))
        },
        "anchors": [{"id": a.id, "x": a.x, "y": a.y} for a in level.anchors],
        "pier_anchor_ids": list(level.pier_anchor_ids),
        "platforms": [
            {
                "x_start": p.x_start,
                "x_end": p.x_end,
                "surface_y": p.surface_y,
                "bottom_y": p.bottom_y,
                "anchor_ids": list(p.anchor_ids),
            }
            for p in level.platforms
        ],
        "rocks": [{"vertices": points(rock.vertices)} for rock in level.rocks],
        "water_y": round(level.water_y, 4),
        "vehicles": [
            {"weight_pg": weight, "start_x": start_x_m(i)}
            for i, weight in enumerate(level.vehicle_weights_pg)
        ],
        "flags": [point((level.span_m + constants.FLAG_OFFSET_M, level.rise_m))],
        "material_profile": level.material_profile,
        "materials": [material.name for material in level.materials],
    }


def visible_scene(level: Level) -> dict[str, Json]:
    """The geometry that the editor picture shows and no context holds, for runs without pictures.

    Metres. A bank is solid from its face outwards and below its edge, down to its toe's height.
    """
    fields = scene_fields(level)
    scene = {name: fields[name] for name in ("banks", "water_y", "vehicles", "pier_anchor_ids")}
    return {**scene, "flag": fields["flags"][0]}


def start_x_m(index: int) -> float:
    """Where the centre of vehicle `index` (0 drives first) starts, in metres."""
    return round(constants.START_X_M - index * constants.SPACING_M, 4)


def point(xy: tuple[float, float]) -> dict[str, float]:
    """A point as level files and contexts spell it."""
    return {"x": xy[0], "y": xy[1]}


def points(vertices: Iterable[tuple[float, float]]) -> list[dict[str, float]]:
    """Several points, in order."""
    return [point(xy) for xy in vertices]


def whole(value: float) -> int | float:
    """The value, as an int when it is one: limits read `13000`, not `13000.0`."""
    return int(value) if float(value).is_integer() else value
