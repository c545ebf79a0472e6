"""The user's own layout files, one a level, made in the game from the published coordinates."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bench.bridge.design.save import Save, design_of, read_layout
from bench.bridge.drivers.native.errors import LayoutRefused
from bench.bridge.level.level import Level
from bench.errors import SaveError

SUFFIXES = (".json", ".layout", "")
TOLERANCE_M = 0.001


@dataclass(frozen=True)
class UserLayout:
    """A layout file that fits its level: its bytes and its first save."""

    data: bytes
    save: Save


@dataclass(frozen=True)
class LayoutReport:
    """What `check-layouts` says of one level; `reason` is None when the layout fits."""

    level: str
    reason: str | None
    missing: bool = False


def load_layout(folder: Path, level: Level) -> UserLayout:
    """The user's layout of a level. Raises LayoutRefused with the reason."""
    path = find_layout(folder, level.name)
    if path is None:
        raise LayoutRefused(
            f"a layout of {level.name} in the folder of --native-layouts",
            "no such file",
            f"export it from the game as {level.name}.json",
        )
    try:
        layout = read_layout(path.read_bytes(), path.name)
        save = layout.first_save()
        found = [(n.x, n.y) for n in design_of(save, path.name).nodes if n.is_anchor]
    except (OSError, SaveError) as error:
        raise LayoutRefused(f"a readable layout of {level.name}", str(error)) from None
    difference = anchor_difference(level, found)
    if difference is not None:
        raise LayoutRefused(
            f"the anchors of {level.name}", difference, "build the level from docs/bridge/levels.md"
        )
    return UserLayout(layout.text.encode(), save)


def find_layout(folder: Path, name: str) -> Path | None:
    """The layout file of a level, whichever suffix it has."""
    candidates = (folder / f"{name}{suffix}" for suffix in SUFFIXES)
    return next((path for path in candidates if path.is_file()), None)


def anchor_difference(level: Level, found: list[tuple[float, float]]) -> str | None:
    """How the anchors differ from ours, None when each is within 1 mm; ids do not matter."""
    if len(found) != len(level.anchors):
        return f"{len(found)} anchors instead of {len(level.anchors)}"
    left = list(found)
    for anchor in level.anchors:
        if not left:
            return f"no anchor for {anchor.id}"
        near = min(left, key=lambda p: math.dist(p, (anchor.x, anchor.y)))
        off = math.dist(near, (anchor.x, anchor.y))
        if off > TOLERANCE_M:
            return (
                f"anchor {anchor.id} at ({near[0]:g}, {near[1]:g}) instead of "
                f"({anchor.x:g}, {anchor.y:g}), {off * 1000:.1f} mm away"
            )
        left.remove(near)
    return None


def check_layouts(folder: Path, levels: Iterable[Level]) -> list[LayoutReport]:
    """Look at the layout of every level, in the given order."""
    reports = []
    for level in levels:
        missing = find_layout(folder, level.name) is None
        try:
            load_layout(folder, level)
        except LayoutRefused as error:
            reports.append(LayoutReport(level.name, error.seen, missing))
        else:
            reports.append(LayoutReport(level.name, None))
    return reports
