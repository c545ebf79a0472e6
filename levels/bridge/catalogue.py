"""The catalogue: every level's facts as plain rows, and the docs page's table of families.

`python -m levels catalogue` writes `golden/bridge/levels/catalogue.json` and the tables in
`docs/bridge/levels.md`; tests compare both with the registry.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from bench.bridge.level.level import BOTTOM_Y_M
from bench.console import Parser
from bench.task import Json
from levels.bridge.budget_rule import RULE
from levels.bridge.budgets import Budget, read_budgets
from levels.bridge.build import Scene
from levels.bridge.families import REGISTRY
from levels.bridge.registry import GROUPS, Family, Registry

REPOSITORY = Path(__file__).resolve().parents[2]
GOLDEN_PATH = REPOSITORY / "golden" / "bridge" / "levels" / "catalogue.json"
PAGE_PATH = REPOSITORY / "docs" / "bridge" / "levels.md"

MOVED = frozenset(
    scene.name
    for family, scene, _ in REGISTRY.scenes()
    if family.code in ("T2I", "T2J", "T2K", "G1", "G4", "G5")
    or scene.name.startswith("G2_RoadWood_HeavyW2")
    or scene.name in ("T1C_RoadWood_11m", "T2C_SlopeRWUp_8m")
)
"""Levels whose rocks, free anchors or platforms were moved, so that the constraint is active.

Their names, spans, loads and tags are the catalogue's; their geometry is not.
"""


def rows(registry: Registry = REGISTRY) -> list[dict[str, Json]]:
    """One row of facts a level, in catalogue order. Metres and PG; no budget."""
    return [_row(family, scene) for family, scene, _ in registry.scenes()]


def _row(family: Family, scene: Scene) -> dict[str, Json]:
    return {
        "name": scene.name,
        "family": family.code,
        "group": family.group,
        "suite": family.suite,
        "span": scene.span_m,
        "rise": scene.rise_m,
        "materials": "full" if scene.material_profile == "full" else "RW",
        "anchors": [list(anchor) for anchor in scene.anchors],
        "platforms": [
            {"x_start": start, "x_end": end, "surface_y": y, "bottom_y": BOTTOM_Y_M}
            for start, end, y in scene.platforms
        ],
        "rocks": [
            {"type": "rock", "shape": "triangle", "vertices": [list(v) for v in rock]}
            for rock in scene.rocks
        ],
        "vehicle_weights_pg": list(scene.vehicle_weights_pg),
        "tags": list(scene.tags),
    }


def rows_text(levels: list[dict[str, Json]]) -> str:
    """The rows as JSON, one level a line."""
    return "[\n" + ",\n".join(json.dumps(row) for row in levels) + "\n]\n"


def family_table(registry: Registry = REGISTRY) -> str:
    """A Markdown table: what each family is, what it tests, and what varies in it."""
    lines = ["| family | levels | scene | what it tests | what varies |", "|---|---|---|---|---|"]
    for group in GROUPS:
        members = [family for family in registry if family.group == group]
        total = sum(len(family.grid) for family in members)
        lines.append(f"| **{group}** | **{total}** | | | |")
        for family in members:
            goal = family.goal.removeprefix("Tests ")
            cells = (family.code, len(family.grid), family.title, goal, _axes(family))
            lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(lines)


def _axes(family: Family) -> str:
    """The distinct values of every parameter that varies, in the grid's order."""
    axes = {key: list(dict.fromkeys(p[key] for p in family.grid)) for key in family.grid[0]}
    parts = [f"`{key}` {', '.join(str(v) for v in values)}" for key, values in axes.items()]
    return "; ".join(parts)


def budget_sentence(budgets: dict[str, Budget]) -> str:
    """The rule, the range and the number of distinct strict limits, as the page prints them."""
    limits = sorted({budget.strict_limit_usd for budget in budgets.values()})
    return (
        f"Rule: {RULE}. The {len(budgets)} strict limits run from ${limits[0]:,} to "
        f"${limits[-1]:,} and take {len(limits)} distinct values; the paper's run from $6,500 to "
        "$42,000 and take 26. Ours are limits of the embedded simulator, not the paper's."
    )


def page_with_tables(page: str) -> str:
    """The page with what stands between its `<!-- name -->` marks written anew."""
    names = [scene.name for _, scene, _ in REGISTRY.scenes()]
    blocks = {"families": family_table(), "budgets": budget_sentence(read_budgets(names))}
    for name, text in blocks.items():
        start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        head, _, rest = page.partition(start)
        tail = rest.partition(end)[2]
        page = f"{head}{start}\n{text}\n{end}{tail}"
    return page


def main(argv: Sequence[str] | None = None) -> int:
    """Write the golden catalogue and the page's tables."""
    Parser("python -m levels catalogue", __doc__).parse_args(argv)
    GOLDEN_PATH.parent.mkdir(parents=True, exist_ok=True)
    GOLDEN_PATH.write_text(rows_text(rows()), encoding="utf-8", newline="\n")
    page = PAGE_PATH.read_text(encoding="utf-8")
    PAGE_PATH.write_text(page_with_tables(page), encoding="utf-8", newline="\n")
    return 0
