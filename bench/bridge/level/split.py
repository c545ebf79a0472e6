"""The split of the levels for training: whole families, so that no scene of a kind leaks.

`levels/split.json` names the families of either part; both parts hold every group.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from bench.bridge.level.files import DEFAULT_ROOT, level_index
from bench.errors import LevelError

SPLIT_SCHEMA = "polybridgebench.split/1"
SPLIT_NAME = "split.json"

Part = Literal["train", "test"]
PARTS: tuple[Part, ...] = ("train", "test")


def split_families(root: Path | None = None) -> dict[Part, tuple[str, ...]]:
    """The families of either part.

    Raises LevelError when the file is missing or broken, when a family is in both parts, in
    none, or not in the index.
    """
    path = (root or DEFAULT_ROOT) / SPLIT_NAME
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        schema = data["schema"]
        parts = {part: tuple(str(code) for code in data[part]) for part in PARTS}
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise LevelError(f"{path}: cannot be read ({reason}); restore it") from error
    if schema != SPLIT_SCHEMA:
        raise LevelError(f"{path}: schema is {schema!r}; this version reads {SPLIT_SCHEMA!r}")
    listed = [code for part in PARTS for code in parts[part]]
    families = dict.fromkeys(entry.family for entry in level_index(root))
    twice = sorted({code for code in listed if listed.count(code) > 1})
    wrong = [*twice, *sorted(families.keys() ^ set(listed))]
    if wrong:
        raise LevelError(f"{path}: family {wrong[0]} must be in exactly one part, and in the index")
    return parts


def split_levels(part: Part, root: Path | None = None) -> list[str]:
    """The names of a part's levels, in catalogue order. Raises LevelError as `split_families`."""
    families = set(split_families(root)[part])
    return [entry.name for entry in level_index(root) if entry.family in families]
