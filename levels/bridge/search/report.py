"""`python -m levels numbers`: write the numbers of docs/bridge/budgets.md from the references.

With `--feasibility FILE` (costs by level name that an earlier study reached at the edge of
failure) also the ratios to them.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from levels.bridge.budget_rule import RULE, strict_limit_usd
from levels.bridge.build import Scene
from levels.bridge.families import REGISTRY
from levels.bridge.registry import GROUPS
from levels.bridge.search.margins import HIGHEST_PEAK
from levels.bridge.search.store import StoredReference, load

PAGE = Path(__file__).resolve().parents[3] / "docs" / "bridge" / "budgets.md"
PAPER_RANGE_USD, PAPER_VALUES = (6_500, 42_000), 26
"""Strict limits in the paper: their range, and how many different ones there are."""


def references() -> dict[str, tuple[str, Scene, StoredReference]]:
    """Group, scene and reference of every level that has one, in catalogue order."""
    rows = ((family.group, scene, load(scene.name)) for family, scene, _ in REGISTRY.scenes())
    return {scene.name: (group, scene, r) for group, scene, r in rows if r is not None}


def numbers() -> str:
    """Range, distinct values and groups of the limits, peaks and margins, as Markdown."""
    found = references()
    limits = {name: strict_limit_usd(r.cost_usd) for name, (_, _, r) in found.items()}
    values = sorted(set(limits.values()))
    low, high = PAPER_RANGE_USD
    lines = [
        "| | this simulator | the paper |",
        "|---|---|---|",
        f"| levels | {len(found)} | 189 |",
        f"| strict limits, range | ${values[0]:,} to ${values[-1]:,} | ${low:,} to ${high:,} |",
        f"| strict limits, distinct values | {len(values)} | {PAPER_VALUES} |",
        f"| strict limits, median | ${statistics.median(limits.values()):,.0f} | |",
        "",
        f"Rule: {RULE}.",
        "",
        "| group | levels | reference cost, median | strict limit, range | distinct values |",
        "|---|---|---|---|---|",
    ]
    for group in GROUPS:
        names = [name for name, (g, _, _) in found.items() if g == group]
        if not names:
            continue
        cost = statistics.median(found[name][2].cost_usd for name in names)
        here = sorted({limits[name] for name in names})
        lines.append(
            f"| {group} | {len(names)} | ${cost:,.0f} | ${here[0]:,} to ${here[-1]:,} "
            f"| {len(here)} |"
        )
    peaks = [r.peak_utilisation for _, _, r in found.values()]
    lines += [
        "",
        f"Peak utilisation of the references: median {statistics.median(peaks):.3f}, "
        f"largest {max(peaks):.4f} (allowed: {HIGHEST_PEAK}).",
        "",
        f"References that miss a margin: {', '.join(_missing(found)) or 'none'}.",
    ]
    return "\n".join(lines)


def _missing(found: Mapping[str, tuple[str, Scene, StoredReference]]) -> Iterator[str]:
    for name, (_, _, reference) in found.items():
        lost = [margin for margin, verdict in reference.margins.items() if not verdict.holds]
        if lost:
            yield f"{name} ({', '.join(lost)})"


def ratios(feasible_usd: Mapping[str, float]) -> str:
    """Reference cost over the earlier search's cost, as Markdown."""
    found = references()
    rows = sorted(
        ((r.cost_usd / feasible_usd[n], n, r.cost_usd) for n, (_, _, r) in found.items()),
        reverse=True,
    )
    values = [row[0] for row in rows]
    lines = [
        f"Median {statistics.median(values):.3f}, smallest {values[-1]:.3f}, largest "
        f"{values[0]:.3f}; {sum(v > 1.0 for v in values)} of {len(values)} levels cost more than "
        f"there, {sum(v > 1.1 for v in values)} more than 1.10 times. The largest:",
        "",
        "| level | reference | earlier search | ratio |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {name} | ${cost:,.2f} | ${feasible_usd[name]:,.2f} | {ratio:.3f} |"
        for ratio, name, cost in rows[:10]
    ]
    return "\n".join(lines)


def fill(page: str, block: str, text: str) -> str:
    """The page with the text between `<!-- block -->` and `<!-- /block -->` replaced."""
    pattern = rf"(<!-- {block} -->\n).*?(\n<!-- /{block} -->)"
    return re.sub(pattern, lambda m: m[1] + text + m[2], page, flags=re.DOTALL)


def read_feasible(path: Path) -> dict[str, float]:
    """Costs by level name of the earlier search."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    return {name: float(row["cost_usd"]) for name, row in rows.items()}


def main(argv: Sequence[str] | None = None) -> int:
    """Write the page's blocks."""
    parser = argparse.ArgumentParser(prog="python -m levels numbers", description=__doc__)
    parser.add_argument("--feasibility", type=Path)
    args = parser.parse_args(argv)
    page = fill(PAGE.read_text(encoding="utf-8"), "numbers", numbers())
    if args.feasibility:
        page = fill(page, "ratios", ratios(read_feasible(args.feasibility)))
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
