"""Does every constraint change what a good design is: `python -m levels activity`.

A constraint of a level is active when the reference of the twin (the level of equal span without
it) is illegal there, fails, or is over the limit, or when the level's own reference costs at
least 5% more. A twin's reference is the cheapest design that is known for it, the level's own
design included: where that is legal on the twin and wins there, nothing dearer counts as the
twin's reference (taking a rock or a restriction away only ever adds designs). Twins that are no
level themselves are searched from it and kept in golden/bridge/twins.
Writes the table of docs/bridge/activity.md, and counts how many references solve all levels.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.bridge.design.design import Design
from bench.bridge.design.materials import LOOSE_LIMIT_USD
from bench.bridge.level.level import Level
from bench.bridge.physics.engine import simulate
from bench.bridge.rules import validate
from bench.console import Parser
from levels.bridge.budget_rule import strict_limit_usd
from levels.bridge.build import Scene, to_level
from levels.bridge.calibrate import ITERATIONS
from levels.bridge.families import REGISTRY
from levels.bridge.search.store import REFERENCES_ROOT, StoredReference, load, scene_digest
from levels.bridge.studies.twin_references import best_known, drop_strays, search_twins, transferred
from levels.bridge.studies.twins import twins_of

PAGE = REFERENCES_ROOT.parents[2] / "docs" / "bridge" / "activity.md"
COSTLIER = 1.05
LEAST_SHARE = 0.8
UNSOLVED = "twin unsolved"
"""Verdict where no design of the twin is known; shows nothing, so it does not count as active."""


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
        return self.verdict not in ("no", UNSOLVED)


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


def solves(design: Design, level: Level) -> bool:
    """Whether the design, moved to the level's anchors, is legal and wins within its limit."""
    return verdict_on(design, level, level.strict_limit_usd) == "solves"


def activities(found: dict[str, StoredReference]) -> Iterator[Activity]:
    """Every constraint of every level, in catalogue order. Twins must be known."""
    known = best_known(found)
    for family, scene, _ in REGISTRY.scenes():
        own = found[scene.name]
        level = to_level(scene, strict_limit_usd(own.cost_usd))
        for twin in twins_of(family.code, scene):
            twin_level = to_level(twin.scene, LOOSE_LIMIT_USD)
            other = known.get(scene_digest(twin_level))
            if other is None:
                yield Activity(scene.name, family.code, twin.kind, "-", 0.0, UNSOLVED)
                continue
            if own.cost_usd < other.cost_usd and solves(own.design, twin_level):
                other = own
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
        raise KeyError(f"{scene.name} has no reference; run `python -m levels calibrate`")
    return stored


def cover(found: dict[str, StoredReference]) -> int:
    """How many references solve all levels (greedy): the more, the less one answer fits all."""
    scenes = [scene for _, scene, _ in REGISTRY.scenes()]
    solved: dict[str, set[str]] = {name: {name} for name in found}
    for scene in scenes:
        level = to_level(scene, strict_limit_usd(found[scene.name].cost_usd))
        for name, reference in found.items():
            fits = max(n.x for n in reference.design.nodes if n.is_anchor) == scene.span_m
            if name != scene.name and fits:
                limit = float(level.strict_limit_usd)
                if verdict_on(reference.design, level, limit) == "solves":
                    solved[name].add(scene.name)
    left, count = {s.name for s in scenes}, 0
    while left:
        best = max(solved, key=lambda name: len(solved[name] & left))
        left -= solved[best]
        count += 1
    return count


def summary(rows: Sequence[Activity]) -> Iterator[str]:
    """Lines on what the active constraints rest on: a table by verdict, and the small gaps."""
    why = Counter(
        "costs at least 5% more" if r.verdict.startswith("costs") else r.verdict
        for r in rows
        if r.active
    )
    yield from ("| why it is active | constraints |", "|---|---:|")
    for verdict, count in sorted(why.items(), key=lambda item: (-item[1], item[0])):
        yield f"| {verdict} | {count} |"
    removable = [r for r in rows if r.kind in ("rock", "materials")]
    small = [r for r in removable if r.gap < COSTLIER]
    yield ""
    yield (
        f"{len(small)} of {len(removable)} rock and material rows have a gap under {COSTLIER}, "
        f"{sum(r.active for r in small)} of them active. An anchor or bank change is active "
        "whenever the twin's design hangs on an anchor that is not there, however little that "
        "saves, and where the gap is under about 1.03, costs scatter by as much from search to "
        "search."
    )


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
        *summary(rows),
        "",
        "| level | constraint | twin | cost / twin's | twin's reference here |",
        "|---|---|---|---:|---|",
    ]
    lines += [f"| {r.level} | {r.kind} | {r.twin} | {r.gap:.2f} | {r.verdict} |" for r in rows]
    return "\n".join(lines) + "\n"


START, END = "<!-- generated: python -m levels activity -->\n", "<!-- end -->\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; 1 when a family is below 80%."""
    parser = Parser("python -m levels activity", __doc__)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--iterations", type=int, default=ITERATIONS // 2)
    parser.add_argument(
        "--dry",
        action="store_true",
        help="print the table from what is stored; search and write nothing",
    )
    args = parser.parse_args(argv)
    found = references()
    if not args.dry:
        search_twins(found, args.workers, args.iterations)
        drop_strays(found)
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
