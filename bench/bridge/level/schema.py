"""The shape of a level's three files and of the index, checked strictly where JSON comes in.

Imports pydantic: only `bench.bridge.level.files` imports this module, when it reads a level.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from bench.bridge.level.level import Anchor, Level, LevelMetadata, Platform, Rock
from bench.task import Json

Id = Annotated[int, Field(ge=1, le=2**31 - 1)]
Positive = Annotated[float, Field(gt=0)]
Profile = Literal["full", "road_wood_only"]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, frozen=True)


class _Point(_Strict):
    x: float
    y: float


class _Bank(_Strict):
    edge: _Point
    toe: _Point


class _Banks(_Strict):
    left: _Bank
    right: _Bank


class _Anchor(_Strict):
    id: Id
    x: float
    y: float


class _Platform(_Strict):
    x_start: float
    x_end: float
    surface_y: float
    bottom_y: float
    anchor_ids: list[Id]


class _Rock(_Strict):
    vertices: Annotated[list[_Point], Field(min_length=3, max_length=3)]


class _Vehicle(_Strict):
    weight_pg: Positive
    start_x: float


class Layout(BaseModel):
    """`<level>.json`: the scene and the saves. Other fields are kept and ignored."""

    model_config = ConfigDict(strict=True, extra="ignore", allow_inf_nan=False, frozen=True)

    description: str
    schema_: Literal["polybridgebench.level/1"] = Field(alias="schema")
    name: str
    banks: _Banks
    anchors: Annotated[list[_Anchor], Field(min_length=2)]
    pier_anchor_ids: list[Id]
    platforms: list[_Platform]
    rocks: list[_Rock]
    water_y: float
    vehicles: Annotated[list[_Vehicle], Field(min_length=1)]
    flags: Annotated[list[_Point], Field(min_length=1)]
    material_profile: Profile
    materials: list[str]
    saveFiles: Annotated[list[str], Field(min_length=1)]

    def level(self, strict_limit_usd: int) -> Level:
        """The scene as a Level."""
        right = self.banks.right
        return Level(
            name=self.name,
            span_m=float(right.edge.x),
            rise_m=float(right.edge.y),
            material_profile=self.material_profile,
            anchors=tuple(Anchor(a.id, float(a.x), float(a.y)) for a in self.anchors),
            platforms=tuple(
                Platform(
                    float(p.x_start),
                    float(p.x_end),
                    float(p.surface_y),
                    float(p.bottom_y),
                    tuple(p.anchor_ids),
                )
                for p in self.platforms
            ),
            rocks=tuple(_rock(r) for r in self.rocks),
            vehicle_weights_pg=tuple(float(v.weight_pg) for v in self.vehicles),
            left_toe_x=float(self.banks.left.toe.x),
            right_toe_x=float(right.toe.x),
            pier_anchor_ids=tuple(self.pier_anchor_ids),
            strict_limit_usd=strict_limit_usd,
        )


def _rock(rock: _Rock) -> Rock:
    a, b, c = ((float(v.x), float(v.y)) for v in rock.vertices)
    return Rock((a, b, c))


class _Node(_Strict):
    type: Literal[0]
    x: float
    y: float
    id: Id
    anchorAID: Literal[0]
    anchorBID: Literal[0]
    splitForDrawBridge: Literal[0]
    rate: Literal[0]
    isKinematic: Literal[True]


class Inner(_Strict):
    """`<level>_inner.json`: the decoded initial save, which holds the native anchors only."""

    DisplayName: str
    Objects: Annotated[list[_Node], Field(min_length=2)]


class _TaskContext(_Strict):
    levelName: str
    available_materials: list[str]
    budget_limit: Annotated[int, Field(gt=0)]
    vehicle_count: int
    vehicle_weights_pg: list[float]
    vehicle_weight_pg: float
    material_profile: Profile


class _SemanticEnvironment(_Strict):
    terrain_affordances: list[dict[str, Json]]
    forbidden_regions: list[dict[str, Json]]


class _AnalysisMetadata(_Strict):
    family_id: Annotated[str, Field(min_length=1)]
    group: Annotated[str, Field(min_length=1)]
    suite: Literal["core", "compositional"]
    level_tags: list[str]
    generator_parameters: dict[str, float | str]


class Context(_Strict):
    """`<level>_context.json`: the model's context, and apart from it the analysis metadata."""

    task_context: _TaskContext
    semantic_environment: _SemanticEnvironment
    analysis_metadata: _AnalysisMetadata

    @property
    def metadata(self) -> LevelMetadata:
        """The analysis metadata as a data type."""
        raw = self.analysis_metadata
        return LevelMetadata(
            raw.family_id,
            raw.group,
            raw.suite,
            tuple(raw.level_tags),
            dict(raw.generator_parameters),
        )
