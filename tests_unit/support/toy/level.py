"""The levels: some numbers, and which way they are to be put."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from bench.domain import Entry
from bench.errors import LevelError
from bench.near import near

ROOT = Path(__file__).with_name("data")


@dataclass(frozen=True)
class Level:
    """The numbers as they lie; `strict` is how many may be moved."""

    entry: Entry
    numbers: tuple[int, ...]
    strict: int

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def goal(self) -> tuple[int, ...]:
        return tuple(sorted(self.numbers, reverse=self.entry.family == "DOWN"))


def levels(root: Path | None = None) -> list[Level]:
    path = (root or ROOT) / "index.json"
    try:
        rows = json.loads(path.read_text())["levels"]
    except (OSError, ValueError, KeyError) as error:
        raise LevelError(f"{path}: cannot be read ({error}); restore it") from None
    return [
        Level(
            Entry(row["name"], row["family"], row["group"], row["suite"], tuple(row["tags"])),
            tuple(row["numbers"]),
            row["strict"],
        )
        for row in rows
    ]


def load(name: str, root: Path | None = None) -> Level:
    known = {level.name: level for level in levels(root)}
    if name not in known:
        raise LevelError(f"level {name!r} is unknown; did you mean {', '.join(near(name, known))}")
    return known[name]
