"""What the generator writes: the text of every level file, of the index, and of a save."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bench.bridge.design.design import Design, Node
from bench.bridge.design.save import encode_payload, save_of
from bench.bridge.level.context import scene_fields, visible_context, whole
from bench.bridge.level.files import DATA_NAME
from bench.bridge.level.level import Level
from bench.bridge.level.split import PARTS, SPLIT_NAME, SPLIT_SCHEMA
from bench.task import Json
from levels.bridge.budgets import Budget
from levels.bridge.build import to_level
from levels.bridge.registry import Family, Parameters, Registry

INDEX_SCHEMA = "polybridgebench.index/1"


@dataclass(frozen=True)
class GeneratedLevel:
    """One level with everything that its three files are made of."""

    family: Family
    level: Level
    tags: tuple[str, ...]
    parameters: Parameters

    def files(self) -> Iterator[tuple[str, str]]:
        """The three files as (path below the levels' root, text)."""
        save = initial_save(self.level)
        stem = f"{DATA_NAME}/{self.family.code}/{self.level.name}"
        yield f"{stem}.json", to_text(self._layout(save))
        yield f"{stem}_inner.json", to_text(save)
        yield f"{stem}_context.json", to_text(self._context())

    def row(self) -> dict[str, Json]:
        """The level's row in the index: enough to select by."""
        return {
            "name": self.level.name,
            "family": self.family.code,
            "group": self.family.group,
            "suite": self.family.suite,
            "tags": list(self.tags),
        }

    def _layout(self, save: Json) -> dict[str, Json]:
        layout = {"description": describe(self.level), **scene_fields(self.level)}
        return {**layout, "saveFiles": [encode_payload(save)]}

    def _context(self) -> dict[str, Json]:
        level = self.level
        return {
            **visible_context(level, level.strict_limit_usd, level.name),
            "analysis_metadata": {
                "family_id": self.family.code,
                "group": self.family.group,
                "suite": self.family.suite,
                "level_tags": list(self.tags),
                "generator_parameters": dict(self.parameters),
            },
        }


def generated_levels(registry: Registry, budgets: Mapping[str, Budget]) -> Iterator[GeneratedLevel]:
    """Every level of the registry, in catalogue order."""
    for family, scene, parameters in registry.scenes():
        level = to_level(scene, budgets[scene.name].strict_limit_usd)
        yield GeneratedLevel(family, level, scene.tags, parameters)


def generated_files(registry: Registry, budgets: Mapping[str, Budget]) -> dict[str, str]:
    """Every file's text by its path below the levels' root: three a level, the index, the split."""
    levels = list(generated_levels(registry, budgets))
    rows = [g.row() for g in levels]
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    files = {"index.json": f'{{\n "schema": "{INDEX_SCHEMA}",\n "levels": [\n{lines}\n ]\n}}\n'}
    files[SPLIT_NAME] = split_text(registry)
    for generated in levels:
        files.update(generated.files())
    return files


def split_text(registry: Registry) -> str:
    """The split for training, a part a line: every family says which side it is on."""
    parts: dict[str, Json] = {part: [f.code for f in registry if f.part == part] for part in PARTS}
    lines = {"schema": SPLIT_SCHEMA, "by": "family", **parts}
    rows = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in lines.items())
    return f"{{\n{rows}\n}}\n"


def initial_save(level: Level) -> Json:
    """The save that the editor starts with: the native anchors, and no member."""
    anchors = tuple(Node(a.id, a.x, a.y, is_anchor=True) for a in level.anchors)
    return save_of(Design(anchors, ()), level.name)


def describe(level: Level) -> str:
    """One sentence on the scene, for a person who opens the layout."""
    parts = [f"{level.span_m:g} m between banks"]
    if level.rise_m:
        word = "higher" if level.rise_m > 0 else "lower"
        parts.append(f"right bank {abs(level.rise_m):g} m {word}")
    if level.left_toe_x:
        parts.append("sloping bank faces")
    for platform in level.platforms:
        width = platform.x_end - platform.x_start
        parts.append(f"platform {width:g} m wide at y = {platform.surface_y:g}")
    for rock in level.rocks:
        x, y = rock.vertices[0]
        parts.append(f"rock with its tip at ({x:g}, {y:g})")
    if level.pier_anchor_ids:
        parts.append("free-standing anchor in the gap")
    parts.append(", ".join(material.name for material in level.materials))
    weights = " and ".join(str(whole(w)) for w in level.vehicle_weights_pg)
    noun = "vehicle" if len(level.vehicle_weights_pg) == 1 else "vehicles"
    return "; ".join([*parts, f"{noun} of {weights} PG"]) + "."


def to_text(value: Json) -> str:
    """JSON as the level files are written: an object or list of plain values takes one line."""
    return _pretty(value, 0) + "\n"


def _pretty(value: Json, depth: int) -> str:
    """The value with one space of indent a level, as a reader wants to compare scenes."""
    if isinstance(value, dict):
        children = list(value.values())
        items = [(f"{_plain(key)}: ", child) for key, child in value.items()]
        brackets = "{}"
    elif isinstance(value, list):
        children, items, brackets = value, [("", child) for child in value], "[]"
    else:
        return _plain(value)
    if not any(isinstance(child, dict | list) for child in children):
        return _plain(value)
    margin = " " * (depth + 1)
    rows = ",\n".join(margin + label + _pretty(child, depth + 1) for label, child in items)
    return f"{brackets[0]}\n{rows}\n{' ' * depth}{brackets[1]}"


def _plain(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
