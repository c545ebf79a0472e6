"""Reference files: `golden/bridge/references/<level>.json`, written whole or not at all.

The twins' are in `golden/bridge/twins`, in the same form.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.level.level import Level
from bench.errors import LevelError
from bench.records.files import write_bytes
from bench.task import Json
from levels.bridge.search.margins import HIGHEST_PEAK, Verdict, judge, margins

REFERENCES_ROOT = Path(__file__).resolve().parents[3] / "golden" / "bridge" / "references"
TWINS_ROOT = REFERENCES_ROOT.parent / "twins"


@dataclass(frozen=True)
class StoredReference:
    """A reference as its file states it."""

    level: str
    scene: str
    design: Design
    cost_usd: float
    peak_utilisation: float
    margins: Mapping[str, Verdict]
    search: Mapping[str, Json]

    @property
    def holds_all(self) -> bool:
        """Whether it wins clean under every margin."""
        return all(verdict.holds for verdict in self.margins.values())

    @property
    def is_good(self) -> bool:
        """Whether it still is what a reference must be: it holds all, at no higher peak."""
        return self.holds_all and self.peak_utilisation <= HIGHEST_PEAK


def scene_digest(level: Level) -> str:
    """What identifies a level's scene: everything that a design's fate depends on.

    Name and budget are left out, so that equal scenes are equal, and a level that has been moved
    shows.
    """
    facts = (
        level.span_m,
        level.rise_m,
        level.material_profile,
        [(a.x, a.y) for a in level.anchors],
        [(p.x_start, p.x_end, p.surface_y, p.bottom_y) for p in level.platforms],
        [rock.vertices for rock in level.rocks],
        level.vehicle_weights_pg,
        level.left_toe_x,
        level.right_toe_x,
    )
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


def path_of(name: str, root: Path | None = None) -> Path:
    """The file of one level's reference."""
    return (root or REFERENCES_ROOT) / f"{name}.json"


def store(
    level: Level, design: Design, search: Mapping[str, Json], root: Path | None = None
) -> StoredReference:
    """Judge a design under all margins and write its file."""
    verdict = judge(level, design)
    found = StoredReference(
        level.name,
        scene_digest(level),
        design,
        design.cost_usd,
        verdict.peak_utilisation,
        dict(margins(level, design)),
        dict(search),
    )
    path = path_of(level.name, root)
    write_bytes(path, _text(found).encode())
    return found


def load(name: str, root: Path | None = None) -> StoredReference | None:
    """Read one reference, None when there is none. Raises LevelError for a broken file."""
    path = path_of(name, root)
    if not path.exists():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return StoredReference(
            data["level"],
            data["scene"],
            _design(data["design"]),
            float(data["cost_usd"]),
            float(data["peak_utilisation"]),
            {name: Verdict(**row) for name, row in data["margins"].items()},
            data["search"],
        )
    except (ValueError, KeyError, TypeError) as error:
        raise LevelError(
            f"{path}: cannot be read ({type(error).__name__}: {error}); write it again with "
            f"`python -m levels calibrate {name}`"
        ) from error


def answer_of(design: Design) -> dict[str, Json]:
    """A design in the form in which a model gives it, without the action and the thoughts."""
    return {
        "nodes": [
            {"id": n.id, "x": n.x, "y": n.y, "isKinematic": n.is_anchor} for n in design.nodes
        ],
        "edges": [
            {"id": m.id, "type": m.type, "anchorAID": m.a, "anchorBID": m.b} for m in design.members
        ],
    }


def _design(data: Json) -> Design:
    nodes = tuple(Node(n["id"], n["x"], n["y"], n["isKinematic"]) for n in data["nodes"])
    members = tuple(
        Member(e["id"], e["type"], e["anchorAID"], e["anchorBID"]) for e in data["edges"]
    )
    return Design(nodes, members)


def _text(found: StoredReference) -> str:
    """The file's text: a node or a member a line."""
    answer = answer_of(found.design)

    def lines(rows: list[Json]) -> str:
        return "[\n" + ",\n".join(f"   {json.dumps(row)}" for row in rows) + "\n  ]"

    rows = {
        name: {"success": v.success, "clean": v.clean, "peak_utilisation": v.peak_utilisation}
        for name, v in found.margins.items()
    }
    return (
        f'{{\n "level": {json.dumps(found.level)},\n "scene": {json.dumps(found.scene)},\n'
        f' "cost_usd": {found.cost_usd},\n "peak_utilisation": {found.peak_utilisation},\n'
        f' "search": {json.dumps(dict(found.search))},\n "margins": {json.dumps(rows)},\n'
        f' "design": {{\n  "action": "modify",\n  "thought_process": "",\n'
        f'  "nodes": {lines(answer["nodes"])},\n'
        f'  "edges": {lines(answer["edges"])}\n }}\n}}\n'
    )
