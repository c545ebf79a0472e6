"""`python -m levels unseen DIR`: 30 levels of the same families with parameters no level has.

For checking that a client does not know the 189 levels by heart. Limits follow the rule of strict
budgets from references in `unseen_budgets.json`; `--calibrate` searches those again. Use them with
`pytest bench --levels-dir DIR` or `python -m bench ladder --levels-dir DIR --anonymous-levels`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from bench.bridge.design.materials import LOOSE_LIMIT_USD
from bench.console import Parser
from levels.bridge.budgets import budgets_text, read_budgets
from levels.bridge.build import Scene, to_level
from levels.bridge.families import REGISTRY
from levels.bridge.files import generated_files
from levels.bridge.generate import write
from levels.bridge.registry import Parameters, Registry

BUDGETS_PATH = Path(__file__).parents[1] / "unseen_budgets.json"
ITERATIONS = 300_000
"""Annealing steps a level; the 189 levels' own calibration goes on for longer."""
SPANS = ("span_m", "gap_m", "left_gap_m")
TWICE = 9
"""Every n-th family gives a second level: 27 + 3."""


def moved(parameters: Parameters) -> Parameters:
    """The parameters with the span half a metre off the grid."""
    name = next(key for key in SPANS if key in parameters)
    span = float(parameters[name])
    return {**parameters, name: span + (0.5 if span < 12.0 else -0.5)}


def unseen_registry() -> Registry:
    """The families with grids of their own: one level each, three of them two."""
    found = []
    for i, family in enumerate(REGISTRY):
        grid = [family.grid[len(family.grid) // 2], *family.grid[:1][: i % TWICE == 0]]
        found.append(replace(family, grid=tuple(moved(p) for p in grid)))
    return Registry(found)


def reference_cost(scene: Scene) -> float:
    """The cost of the reference that a search finds. Raises ValueError when it finds none."""
    from levels.bridge.search.reference import search_reference

    found = search_reference(to_level(scene, LOOSE_LIMIT_USD), 1, ITERATIONS)
    if found is None:
        raise ValueError(f"no reference for {scene.name} in {ITERATIONS} steps; give it more")
    return found.cost_usd


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    parser = Parser("python -m levels unseen", __doc__)
    parser.add_argument("folder", type=Path, help="where the level files go")
    parser.add_argument("--calibrate", action="store_true", help="search the references again")
    args = parser.parse_args(argv)
    registry = unseen_registry()
    scenes = [scene for _, scene, _ in registry.scenes()]
    if args.calibrate:
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            costs = list(pool.map(reference_cost, scenes))
        text = budgets_text({s.name: cost for s, cost in zip(scenes, costs, strict=True)})
        BUDGETS_PATH.write_text(text, encoding="utf-8")
    budgets = read_budgets([scene.name for scene in scenes], BUDGETS_PATH)
    write(args.folder, generated_files(registry, budgets))
    print(f"{len(scenes)} levels in {args.folder}")
    return 0
