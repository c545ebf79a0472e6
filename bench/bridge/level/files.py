"""Reading the level files: three JSON files a level, one folder a family, and an index.

    <root>/index.json                               a row a level, in catalogue order
    <root>/data/<FAMILY>/<level>.json               the layout: scene and saves
    <root>/data/<FAMILY>/<level>_inner.json         the decoded initial save
    <root>/data/<FAMILY>/<level>_context.json       the model's context, and the analysis metadata

Every fault is a LevelError of one line that names the file, the place and the way out. The three
files say some things twice, so that each can be read alone; they are checked against each other.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bench.bridge.level.context import scene_fields, visible_context
from bench.bridge.level.level import BOTTOM_Y_M, Level, LevelMetadata
from bench.domain import Entry
from bench.errors import LevelError
from bench.near import near
from bench.task import Json

if TYPE_CHECKING:
    from pydantic import BaseModel

DEFAULT_ROOT = Path(__file__).resolve().parents[3] / "levels" / "bridge"
"""Where the levels of the repository are."""

INDEX_NAME = "index.json"
DATA_NAME = "data"
REPAIR = "correct it, or write the level files again with `python -m levels generate`"

M = TypeVar("M", bound="BaseModel")


@dataclass(frozen=True)
class LevelFile:
    """A level as read from its files.

    `layout` is the whole layout file, `initial_save` the decoded save that the editor starts
    with (`DisplayName`, `Objects`). Do not change either.
    """

    level: Level
    metadata: LevelMetadata
    layout: Mapping[str, Json]
    initial_save: Mapping[str, Json]

    @property
    def name(self) -> str:
        """The level's name."""
        return self.level.name

    @classmethod
    def bare(cls, level: Level) -> LevelFile:
        """A level that is in no file, without metadata."""
        save = {"DisplayName": level.name, "Objects": []}
        return cls(level, LevelMetadata("", "", "core", ()), {}, save)

    @property
    def display_name(self) -> str:
        """The DisplayName of the initial save."""
        return str(self.initial_save["DisplayName"])

    def context(self, limit_usd: float | None = None, name: str | None = None) -> dict[str, Json]:
        """The two objects that a model may see, under a budget limit (default: the strict one).

        `name` replaces the level's name, for runs that hide it.
        """
        limit_usd = self.level.strict_limit_usd if limit_usd is None else limit_usd
        return visible_context(self.level, limit_usd, self.name if name is None else name)


def level_index(root: Path | None = None) -> tuple[Entry, ...]:
    """All levels in catalogue order; reads the index only.

    A row may leave out group, suite and tags, as it did before they were in the index: no
    selection by them finds it then. Raises LevelError when the index is missing or broken.
    """
    path = (root or DEFAULT_ROOT) / INDEX_NAME
    data = _read_json(path)
    rows = data.get("levels") if isinstance(data, dict) else None
    if not isinstance(rows, list) or not rows:
        raise _fault(path, "levels", "must be a list of levels")
    entries = []
    for i, row in enumerate(rows):
        fields = row if isinstance(row, dict) else {}
        name, family = fields.get("name"), fields.get("family")
        if not (_is_word(name) and _is_word(family)):
            raise _fault(path, f"levels[{i}]", "must have a name and a family, plain file names")
        group, suite = fields.get("group", ""), fields.get("suite", "")
        if not (isinstance(group, str) and isinstance(suite, str)):
            raise _fault(path, f"levels[{i}]", "group and suite must be words")
        tags = fields.get("tags", [])
        if not (isinstance(tags, list) and all(isinstance(tag, str) for tag in tags)):
            raise _fault(path, f"levels[{i}]", "tags must be a list of words")
        entries.append(Entry(str(name), str(family), group, suite, tuple(tags)))
    names = [entry.name for entry in entries]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise _fault(path, "levels", f"name {twice} is there twice")
    return tuple(entries)


def level_names(root: Path | None = None) -> list[str]:
    """The names of all levels, in catalogue order."""
    return [entry.name for entry in level_index(root)]


def load_level(name: str, root: Path | None = None) -> LevelFile:
    """Read one level.

    Raises LevelError when the name is unknown (with the closest names) or a file is broken.
    """
    index = level_index(root)
    for entry in index:
        if entry.name == name:
            return _load(entry, (root or DEFAULT_ROOT) / DATA_NAME)
    close = near(name, (entry.name for entry in index), most=3, cutoff=0.5)
    hint = "did you mean " + ", ".join(close) if close else "see the index"
    raise LevelError(
        f"level {name!r} is unknown; {hint} (all: {root or DEFAULT_ROOT}/{INDEX_NAME})"
    )


def load_all(root: Path | None = None) -> list[LevelFile]:
    """Read every level, in catalogue order. Raises LevelError at the first broken file."""
    return [_load(entry, (root or DEFAULT_ROOT) / DATA_NAME) for entry in level_index(root)]


def load_level_file(path: Path) -> LevelFile:
    """Read a level by the path of its layout file, with the two other files beside it.

    For levels that are in no index. Raises LevelError when a file is missing or broken.
    """
    path = path.resolve()
    return _load(Entry(path.stem, path.parent.name), path.parent.parent)


def _load(entry: Entry, data: Path) -> LevelFile:
    from bench.bridge.level import schema as level_schema  # pydantic: not at import time

    folder = data / entry.family
    paths = {part: folder / f"{entry.name}{part}.json" for part in ("", "_inner", "_context")}
    raw = {part: _read_json(path) for part, path in paths.items()}
    layout = _checked(level_schema.Layout, raw[""], paths[""])
    inner = _checked(level_schema.Inner, raw["_inner"], paths["_inner"])
    context = _checked(level_schema.Context, raw["_context"], paths["_context"])
    level = layout.level(context.task_context.budget_limit)

    _expect(paths[""], "name", layout.name, entry.name)
    for place, problem in _scene_faults(level):
        raise _fault(paths[""], place, problem)
    for field, value in scene_fields(level).items():
        _expect(paths[""], field, raw[""][field], value)
    for i, node in enumerate(inner.Objects):
        if i < len(level.anchors):
            anchor = level.anchors[i]
            found = (node.id, float(node.x), float(node.y))
            _expect(paths["_inner"], f"Objects[{i}]", found, (anchor.id, anchor.x, anchor.y))
    _expect(paths["_inner"], "Objects", len(inner.Objects), len(level.anchors), unit=" anchors")
    visible = visible_context(level, level.strict_limit_usd, entry.name)
    for part, value in visible.items():
        _expect(paths["_context"], part, raw["_context"][part], value)
    metadata = context.metadata
    _expect(paths["_context"], "analysis_metadata.family_id", metadata.family, entry.family)
    for key, place in (("group", "group"), ("suite", "suite"), ("tags", "level_tags")):
        if listed := getattr(entry, key):
            told = getattr(metadata, key)
            _expect(paths["_context"], f"analysis_metadata.{place}", told, listed)
    return LevelFile(level, metadata, raw[""], raw["_inner"])


def _scene_faults(level: Level) -> Iterator[tuple[str, str]]:
    """What makes a well-formed scene impossible, as (place, problem)."""
    if level.span_m <= 0:
        yield "banks.right.edge.x", f"the span is {level.span_m} m; it must be positive"
    for i, anchor in enumerate(level.anchors):
        if anchor.id != i + 1:
            yield f"anchors[{i}].id", f"is {anchor.id}; ids must run 1, 2, 3, ... in order"
    decks = [(a.x, a.y) for a in level.anchors[:2]]
    if decks != [(0.0, 0.0), (level.span_m, level.rise_m)]:
        yield "anchors", f"the first two must be the banks' edges, not {decks}"
    if not level.left_toe_x < level.right_toe_x:
        yield "banks", f"the toes cross at y = {BOTTOM_Y_M:g}"
    ids = {a.id for a in level.anchors}
    for i, platform in enumerate(level.platforms):
        if not 0 < platform.x_start < platform.x_end < level.span_m:
            yield f"platforms[{i}]", "must lie between the banks, x_start < x_end"
        if not platform.bottom_y < platform.surface_y:
            yield f"platforms[{i}].surface_y", "must be above bottom_y"
        if not ids.issuperset(platform.anchor_ids):
            yield f"platforms[{i}].anchor_ids", f"{platform.anchor_ids} names an unknown anchor"
    if not ids.issuperset(level.pier_anchor_ids):
        yield "pier_anchor_ids", f"{level.pier_anchor_ids} names an unknown anchor"
    for i, rock in enumerate(level.rocks):
        (ax, ay), (bx, by), (cx, cy) = rock.vertices
        if math.isclose((bx - ax) * (cy - ay), (cx - ax) * (by - ay), abs_tol=1e-9):
            yield f"rocks[{i}].vertices", "are on one line; a rock is a triangle"


def _read_json(path: Path) -> Any:
    """The file's JSON value; duplicate keys and NaN are faults, which json alone lets pass."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise LevelError(f"{path}: is missing; write it with `python -m levels generate`") from None
    except (OSError, UnicodeDecodeError) as error:
        raise LevelError(f"{path}: cannot be read ({error}); {REPAIR}") from None
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise LevelError(f"{path}: is not valid JSON ({error}); {REPAIR}") from None


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"key {next(k for k in keys if keys.count(k) > 1)!r} is there twice")
    return found


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is no JSON number")


def _checked(model: type[M], raw: Json, path: Path) -> M:
    from pydantic import ValidationError

    try:
        return model.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        parts = [f"[{p}]" if isinstance(p, int) else f".{p}" for p in first["loc"]]
        found = "" if first["type"] == "missing" else f", not {_short(first['input'])}"
        problem = f"{first['msg'][:1].lower()}{first['msg'][1:]}{found}"
        raise _fault(path, "".join(parts).lstrip(".") or "the file", problem) from None


def _expect(path: Path, place: str, found: Json, expected: Json, unit: str = "") -> None:
    if found != expected:
        problem = f"is {_short(found)}{unit}, but the level's other fields give {_short(expected)}"
        raise _fault(path, place, f"{problem}{unit}")


def _fault(path: Path, place: str, problem: str) -> LevelError:
    return LevelError(f"{path}: {place}: {problem}; {REPAIR}")


def _short(value: Json) -> str:
    text = repr(value).replace("\n", " ")
    return text if len(text) <= 120 else f"{text[:117]}..."


def _is_word(value: Json) -> bool:
    """Whether this can be a file or folder name, so that an index cannot lead elsewhere."""
    return isinstance(value, str) and value.isidentifier()
