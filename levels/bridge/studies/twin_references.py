"""Reference designs of the twins: the levels' own where the twin is a level, else kept ones.

A twin is its level without one constraint. So its best known design is never dearer than the
level's own design where that is legal and wins there: the search of a twin starts from it, and
from what fits of all other references.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

from bench.bridge.design.design import Design, Node
from bench.bridge.design.materials import LOOSE_LIMIT_USD
from bench.bridge.level.level import Level
from bench.bridge.rules import validate
from levels.bridge.build import to_level
from levels.bridge.calibrate import Job, run_job, seed_for, steps_for
from levels.bridge.families import REGISTRY
from levels.bridge.search.exchange import borrowed, library
from levels.bridge.search.margins import is_reference
from levels.bridge.search.store import TWINS_ROOT, StoredReference, load, scene_digest
from levels.bridge.studies.twins import twins_of

CHEAPER_USD = 0.5
"""Less than this is no reason to search a twin again."""

Start = tuple[str, Design]


def transferred(design: Design, level: Level) -> Design | None:
    """A design of another level on this one's anchors; None when it hangs on one not there."""
    here = {(a.x, a.y): a.id for a in level.anchors}
    used = {end for m in design.members for end in (m.a, m.b)}
    first = 1 + max([*(a.id for a in level.anchors), *(n.id for n in design.nodes)])
    new: dict[int, int] = {}
    nodes = [Node(a.id, a.x, a.y, True) for a in level.anchors]
    for node in design.nodes:
        if node.is_anchor:
            if (node.x, node.y) in here:
                new[node.id] = here[(node.x, node.y)]
            elif node.id in used:
                return None
        else:
            new[node.id] = first + len(new)
            nodes.append(replace(node, id=new[node.id]))
    members = tuple(
        replace(m, id=first + 10_000 + i, a=new[m.a], b=new[m.b])
        for i, m in enumerate(design.members)
    )
    return Design(tuple(nodes), members)


def as_reference(design: Design, level: Level) -> Design | None:
    """The design on another level where it is a reference too: legal, and holds every margin."""
    moved = transferred(design, level)
    if moved is None or validate(level, moved, LOOSE_LIMIT_USD):
        return None
    return moved if is_reference(level, moved) else None


def best_known(found: Mapping[str, StoredReference]) -> dict[str, StoredReference]:
    """The cheapest reference of every scene, by digest: the levels' (`found`) and the twins'.

    A twin's design that `--remeasure` found to hold no longer is none.
    """
    best: dict[str, StoredReference] = {}
    twins = (load(path.stem, TWINS_ROOT) for path in sorted(TWINS_ROOT.glob("*.json")))
    for reference in (*found.values(), *(t for t in twins if t is not None and t.is_good)):
        known = best.get(reference.scene)
        if known is None or reference.cost_usd < known.cost_usd:
            best[reference.scene] = reference
    return best


def _twin_levels(found: Mapping[str, StoredReference]) -> dict[str, tuple[Level, list[Start]]]:
    """Twins that are no level, by digest, with the own designs that are references there too."""
    levels = {reference.scene for reference in found.values()}
    twins: dict[str, tuple[Level, list[Start]]] = {}
    for family, scene, _ in REGISTRY.scenes():
        for twin in twins_of(family.code, scene):
            level = to_level(twin.scene, LOOSE_LIMIT_USD)
            digest = scene_digest(level)
            if digest in levels:
                continue
            _, starts = twins.setdefault(digest, (level, []))
            own = as_reference(found[scene.name].design, level)
            if own is not None:
                starts.append((f"reference of {scene.name}", own))
    return twins


def twin_jobs(found: Mapping[str, StoredReference], iterations: int) -> Iterator[Job]:
    """Searches that are due: of unknown twins, and of those that know dearer than a start."""
    known = best_known(found)
    scenes = {scene.name: to_level(scene, LOOSE_LIMIT_USD) for _, scene, _ in REGISTRY.scenes()}
    pieces = library((scenes[name], r.design) for name, r in found.items())
    for digest, (level, starts) in _twin_levels(found).items():
        stored = known.get(digest)
        below = stored.cost_usd - CHEAPER_USD if stored else math.inf
        loan = borrowed(level, pieces, below)
        given = [s for s in (*starts, *([loan] if loan else [])) if s[1].cost_usd < below]
        if stored is None or given:
            level = replace(level, name=stored.level) if stored else level
            steps = steps_for(level, iterations)
            own = ((stored.level, stored.design),) if stored else ()
            yield Job(level, seed_for(level, 1), steps, (*given, *own), stored is None, TWINS_ROOT)


def search_twins(found: Mapping[str, StoredReference], workers: int, iterations: int) -> int:
    """Run the searches that are due; how many there were."""
    jobs = list(twin_jobs(found, iterations))
    with ProcessPoolExecutor(workers) as pool:
        for job, result in zip(jobs, pool.map(run_job, jobs), strict=True):
            cost = "nothing found" if result is None else f"${result.cost_usd:,.2f}"
            print(job.level.name, cost, flush=True)
    return len(jobs)


def drop_strays(found: Mapping[str, StoredReference]) -> int:
    """Delete kept designs beside the best of each twin that is no level; how many."""
    known = best_known(found)
    wanted = {known[digest].level for digest in _twin_levels(found) if digest in known}
    stray = [path for path in TWINS_ROOT.glob("*.json") if path.stem not in wanted]
    for path in stray:
        path.unlink()
    return len(stray)
