"""`python -m levels calibrate`: search the reference designs, then write the strict budgets.

Each level is searched on its own, from templates; then levels try each other's references (equal
gaps often have equal answers), every level is searched on from what it has, and they try again.
Results are written as they come: an interrupted run goes on where it stopped, and a level
whose scene has changed since is searched again. A reference is only ever replaced by a cheaper
one. After a change of the simulator `--remeasure` writes what it says of the stored designs, the
twins' too; levels whose design no longer holds are then searched again, such twins by the next
`python -m levels activity`. Exit codes: 0 every level has a reference, 1 some
have none, 4 wrong usage.
"""

from __future__ import annotations

import argparse
import math
import os
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from bench.bridge.design.design import Design
from bench.bridge.design.materials import LOOSE_LIMIT_USD
from bench.bridge.level.level import Level
from bench.bridge.rules import validate
from bench.console import Parser
from bench.records.files import write_bytes
from levels.bridge.budgets import BUDGETS_PATH, budgets_text
from levels.bridge.build import to_level
from levels.bridge.families import REGISTRY
from levels.bridge.search.exchange import borrowed, library
from levels.bridge.search.reference import search_reference
from levels.bridge.search.store import TWINS_ROOT, StoredReference, load, scene_digest, store
from levels.bridge.studies.twins import twins_of

ITERATIONS = 300_000
"""Annealing steps by default for a level with a span of `USUAL_SPAN_M` or more."""
USUAL_SPAN_M = 14.0


@dataclass(frozen=True)
class Job:
    """One level's search, as a worker process gets it."""

    level: Level
    seed: int
    iterations: int
    starts: tuple[tuple[str, Design], ...]
    use_templates: bool
    root: Path | None


def seed_for(level: Level, seed: int) -> int:
    """A seed of the level's own, so that levels of one scene are searched differently."""
    return zlib.crc32(f"{level.name} {seed}".encode())


def steps_for(level: Level, iterations: int) -> int:
    """More steps for shorter spans, whose steps are cheaper and whose few members must fit."""
    return round(iterations * min(5.0, max(1.0, (USUAL_SPAN_M / level.span_m) ** 2)))


def run_job(job: Job) -> StoredReference | None:
    """Search one level and store what was found unless the stored one is as cheap."""
    before = current(job.level, job.root)
    found = search_reference(
        job.level, job.seed, job.iterations, job.starts, use_templates=job.use_templates
    )
    if found is None:
        return before
    if before is not None and before.cost_usd <= found.cost_usd:
        return before
    search = {"template": found.template, "seed": found.seed, "iterations": found.iterations}
    return store(job.level, found.design, search, job.root)


def current(level: Level, root: Path | None) -> StoredReference | None:
    """The level's stored reference if it is good for the scene as it is now."""
    stored = load(level.name, root)
    if stored is None or stored.scene != scene_digest(level) or not stored.is_good:
        return None
    return None if validate(level, stored.design, LOOSE_LIMIT_USD) else stored


def levels_named(names: Sequence[str]) -> list[Level]:
    """Levels whose name contains one of these words (all without any), in catalogue order."""
    scenes = [scene for _, scene, _ in REGISTRY.scenes()]
    chosen = [s for s in scenes if not names or any(word in s.name for word in names)]
    return [to_level(scene, LOOSE_LIMIT_USD) for scene in chosen]


def twins_named(names: Sequence[str]) -> list[Level]:
    """Twins of levels whose name contains one of these words (all without any)."""
    pairs = [(family, scene) for family, scene, _ in REGISTRY.scenes()]
    return [
        to_level(twin.scene, LOOSE_LIMIT_USD)
        for family, scene in pairs
        if not names or any(word in scene.name for word in names)
        for twin in twins_of(family.code, scene)
    ]


def run_all(jobs: Sequence[Job], workers: int, title: str) -> Iterator[StoredReference | None]:
    """Run jobs in parallel with a progress bar; results as they come."""
    from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (*Progress.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        Progress(*columns, TextColumn("{task.fields[note]}")) as bar,
        ProcessPoolExecutor(workers) as pool,
    ):
        task = bar.add_task(title, total=len(jobs), note="")
        futures: dict[Future[StoredReference | None], str] = {
            pool.submit(run_job, job): job.level.name for job in jobs
        }
        for future in as_completed(futures):
            found = future.result()
            cost = f"${found.cost_usd:,.2f}" if found else "nothing found"
            bar.update(task, advance=1, note=f"{futures[future]}: {cost}")
            if not bar.console.is_terminal:
                bar.console.print(f"{futures[future]} {cost}", highlight=False)
            yield found


def exchange(levels: Sequence[Level], root: Path | None) -> dict[str, tuple[str, Design]]:
    """Try all references on all levels; store and return what is cheaper than a level's own."""
    known = {level.name: (level, current(level, root)) for level in levels_named(())}
    pieces = library((level, r.design) for level, r in known.values() if r is not None)
    found = {}
    for level in levels:
        own = known[level.name][1]
        loan = borrowed(level, pieces, own.cost_usd if own else math.inf)
        if loan is not None:
            names, design = loan
            search = {"template": f"reference of {names}", "seed": 0, "iterations": 0}
            store(level, design, search, root)
            found[level.name] = (f"reference of {names}", design)
    return found


def write_budgets(root: Path | None) -> list[str]:
    """Write the budgets that follow from all references; the names of levels without one.

    Those of another `root` are written beside it, never over the benchmark's own.
    """
    path = root.parent / BUDGETS_PATH.name if root else BUDGETS_PATH
    levels = levels_named(())
    stored = {level.name: current(level, root) for level in levels}
    missing = [name for name, found in stored.items() if found is None]
    if not missing:
        text = budgets_text({name: r.cost_usd for name, r in stored.items() if r is not None})
        write_bytes(path, text.encode())
    return missing


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    parser = Parser("python -m levels calibrate", __doc__)
    parser.add_argument("names", nargs="*", help="parts of level names; all levels without any")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help="steps a level")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--improve", action="store_true", help="search all again, from the templates too"
    )
    parser.add_argument("--polish", action="store_true", help="search on from all that is stored")
    parser.add_argument(
        "--root", type=Path, help="folder of the reference files; twins and budgets are beside it"
    )
    parser.add_argument(
        "--remeasure", action="store_true", help="first run the stored designs anew"
    )
    parser.add_argument("--budgets-only", action="store_true", help="only write budgets.json")
    args = parser.parse_args(argv)
    if args.remeasure:
        remeasure(levels_named(args.names), args.root)
        beside = args.root.parent / TWINS_ROOT.name if args.root else TWINS_ROOT
        remeasure(twins_named(args.names), beside)
    if not args.budgets_only:
        calibrate(args)
    missing = write_budgets(args.root)
    if missing:
        print(f"no reference for {len(missing)} levels, budgets not written: {missing}")
    return 1 if missing else 0


def remeasure(levels: Sequence[Level], root: Path | None) -> None:
    """Write peaks and margins of the stored designs of unmoved scenes as they are now."""
    for level in levels:
        stored = load(level.name, root)
        if stored is not None and stored.scene == scene_digest(level):
            store(level, stored.design, stored.search, root)


def calibrate(args: argparse.Namespace) -> None:
    """Search what has no reference, exchange, search on from what was found, exchange again."""
    levels = levels_named(args.names)
    chosen = [level for level in levels if args.improve or current(level, args.root) is None]
    search_all(chosen, args, args.seed, use_templates=True)
    touched = {level.name for level in chosen} | set(exchange(levels, args.root))
    rest = [level for level in levels if args.polish or level.name in touched]
    search_all(rest, args, args.seed + 1, use_templates=False)
    exchange(levels, args.root)


def _start(level: Level, root: Path | None) -> tuple[tuple[str, Design], ...]:
    """The stored design to go on from, unless the level's anchors have been moved since."""
    stored = load(level.name, root)
    if stored is None:
        return ()
    anchors = {(n.x, n.y) for n in stored.design.nodes if n.is_anchor}
    if anchors != {(a.x, a.y) for a in level.anchors}:
        return ()
    return ((str(stored.search["template"]), stored.design),)


def search_all(
    levels: Sequence[Level], args: argparse.Namespace, seed: int, *, use_templates: bool
) -> None:
    """Search these levels from what is stored, with or without the templates, longest first."""
    jobs = []
    for level in sorted(levels, key=lambda level: -level.span_m):
        starts = _start(level, args.root)
        steps = steps_for(level, args.iterations)
        jobs.append(
            Job(level, seed_for(level, seed), steps, starts, use_templates or not starts, args.root)
        )
    for _ in run_all(jobs, args.workers, "templates" if use_templates else "search on"):
        pass
