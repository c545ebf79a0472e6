"""Does every constraint change what a good design is: `python -m levels.activity`.

A constraint of a level is active when the reference of the twin (the level of equal span without
it) is illegal there, fails, or is over the limit, or when the level's own reference costs at
least 5% more. Twins that are no level themselves are searched once and kept in golden/twins.
Writes the table of docs/activity.md, and counts how many references solve all levels.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from bench.bridge.design import Design, Node
from bench.bridge.level import Level
from bench.bridge.materials import LOOSE_LIMIT_USD
from bench.bridge.sim.engine import simulate
from bench.bridge.validate import validate
from levels.budget_rule import strict_limit_usd
from levels.build import Scene, to_level
from levels.calibrate import ITERATIONS, Job, run_job, seed_for, steps_for
from levels.families import REGISTRY
from levels.search.store import REFERENCES_ROOT, StoredReference, load, scene_digest
from levels.twins import twins_of

TWINS_ROOT = REFERENCES_ROOT.parent / "twins"
PAGE = REFERENCES_ROOT.parents[1] / "docs" / "activity.md"
COSTLIER = 1.05
LEAST_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class Activity:
    """One constraint of one level. `gap` is the level's reference cost over the twin's."""

    level: str
    family: str
    kind: str
    twin: str
    gap: float
    verdict: str

    @property
    def active(self) -> bool:
        """Whether the constraint changes the answer."""
        return self.verdict != "no"


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


def verdict_on(design: Design, level: Level, limit_usd: float) -> str:
    """`solves`, or why the design does not: anchors, codes, over the limit, fails."""
    moved = transferred(design, level)
    if moved is None:
        return "illegal: anchors"
    codes = [v.code for v in validate(level, moved, limit_usd)]
    if codes == ["OVER_BUDGET"]:
        return "over the limit"
    if codes:
        return f"illegal: {codes[0]}"
    return "solves" if simulate(level, moved).success else "fails"


def activities(found: dict[str, StoredReference]) -> Iterator[Activity]:
    """Every constraint of every level, in catalogue order. Twins must be known."""
    by_scene = {r.scene: r for r in found.values()}
    for family, scene, _ in REGISTRY.scenes():
        own = found[scene.name]
        level = to_level(scene, strict_limit_usd(own.cost_usd))
        for twin in twins_of(family.code, scene):
            other = by_scene.get(scene_digest(to_level(twin.scene, 0))) or load(
                twin.scene.name, TWINS_ROOT
            )
            if other is None:
                yield Activity(scene.name, family.code, twin.kind, "-", 0.0, "twin unsolved")
                continue
            gap = own.cost_usd / other.cost_usd
            verdict = verdict_on(other.design, level, level.strict_limit_usd)
            if verdict == "solves":
                verdict = f"costs {gap:.2f}" if gap >= COSTLIER else "no"
            yield Activity(scene.name, family.code, twin.kind, other.level, gap, verdict)


def references() -> dict[str, StoredReference]:
    """All references by level name. Raises KeyError for a level without one."""
    return {scene.name: _known(scene) for _, scene, _ in REGISTRY.scenes()}


def _known(scene: Scene) -> StoredReference:
    stored = load(scene.name)
    if stored is None:
        raise KeyError(f"{scene.name} has no reference; run `python -m levels.calibrate`")
    return stored


def search_twins(workers: int, iterations: int) -> int:
    """Search the twins that are no level and are not known yet; how many there were."""
    known = {r.scene for r in references().values()}
    jobs: dict[str, Job] = {}
    for family, scene, _ in REGISTRY.scenes():
        for twin in twins_of(family.code, scene):
            level = to_level(twin.scene, LOOSE_LIMIT_USD)
            digest = scene_digest(level)
            stored = load(level.name, TWINS_ROOT)
            if digest in known or (stored is not None and stored.scene == digest):
                continue
            steps = steps_for(level, iterations)
            jobs[level.name] = Job(level, seed_for(level, 1), steps, (), True, TWINS_ROOT)
    with ProcessPoolExecutor(workers) as pool:
        for name, result in zip(jobs, pool.map(run_job, jobs.values()), strict=True):
            print(name, "nothing found" if result is None else f"${result.cost_usd:,.2f}")
    return len(jobs)


def cover(found: dict[str, StoredReference]) -> int:
    """How many references solve all levels (greedy): the more, the less one answer fits all."""
    scenes = [scene for _, scene, _ in REGISTRY.scenes()]
    solves: dict[str, set[str]] = {name: {name} for name in found}
    for scene in scenes:
        level = to_level(scene, strict_limit_usd(found[scene.name].cost_usd))
        for name, reference in found.items():
            fits = max(n.x for n in reference.design.nodes if n.is_anchor) == scene.span_m
            if name != scene.name and fits:
                limit = float(level.strict_limit_usd)
                if verdict_on(reference.design, level, limit) == "solves":
                    solves[name].add(scene.name)
    left, count = {s.name for s in scenes}, 0
    while left:
        best = max(solves, key=lambda name: len(solves[name] & left))
        left -= solves[best]
        count += 1
    return count


def page(rows: Sequence[Activity], cover_count: int) -> str:
    """The page's generated part."""
    total, active = Counter(r.family for r in rows), Counter(r.family for r in rows if r.active)
    lines = ["| family | constraints | active | share |", "|---|---:|---:|---:|"]
    for family in total:
        share = active[family] / total[family]
        mark = "" if share >= LEAST_SHARE else " (below 80%)"
        lines.append(f"| {family} | {total[family]} | {active[family]} | {share:.0%}{mark} |")
    lines += [
        "",
        f"{sum(active.values())} of {len(rows)} constraints are active. {cover_count} references "
        "are needed to solve all 189 levels within their strict limits (greedy cover).",
        "",
        "| level | constraint | twin | cost / twin's | twin's reference here |",
        "|---|---|---|---:|---|",
    ]
    lines += [f"| {r.level} | {r.kind} | {r.twin} | {r.gap:.2f} | {r.verdict} |" for r in rows]
    return "\n".join(lines) + "\n"


START, END = "<!-- generated: python -m levels.activity -->\n", "<!-- end -->\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; 1 when a family is below 80%."""
    parser = argparse.ArgumentParser(prog="python -m levels.activity", description=__doc__)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--iterations", type=int, default=ITERATIONS // 2)
    parser.add_argument("--dry", action="store_true", help="print the table, write nothing")
    args = parser.parse_args(argv)
    search_twins(args.workers, args.iterations)
    found = references()
    rows = list(activities(found))
    text = page(rows, cover(found))
    if args.dry:
        print(text)
    else:
        _write(PAGE, text)
    total, active = Counter(r.family for r in rows), Counter(r.family for r in rows if r.active)
    return int(any(active[f] < LEAST_SHARE * total[f] for f in total))


def _write(path: Path, text: str) -> None:
    """Replace the generated part of the page."""
    before, _, rest = path.read_text(encoding="utf-8").partition(START)
    after = rest.partition(END)[2]
    path.write_text(f"{before}{START}{text}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
