"""What the references carry beside their static bounds: `python -m levels capacities`.

Prints the figures of docs/bridge/capacity.md: capacity over bound at full pace and slowly, and the
references that carry more than 1.02 times their bound. Half a minute on two cores.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from statistics import median

from bench.bridge.level.level import Level
from bench.bridge.statics.capacity import TOLERANCE, load_capacity, slow_params, static_bound
from bench.console import Parser
from levels.bridge.calibrate import levels_named
from levels.bridge.search.store import load

Row = tuple[str, float, float]
"""Level, and capacity over the static bound at full pace and slowly."""


def measure(level: Level) -> Row | None:
    """The ratios of one level's reference; None without a reference or a bound."""
    stored = load(level.name)
    bound = static_bound(level, stored.design) if stored is not None else None
    if stored is None or not bound:
        return None
    full = load_capacity(level, stored.design).multiplier
    slow = load_capacity(level, stored.design, slow_params(level)).multiplier
    return level.name, full / bound, slow / bound


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    parser = Parser("python -m levels capacities", __doc__)
    parser.add_argument("names", nargs="*", help="parts of level names; all levels without any")
    levels = levels_named(parser.parse_args(argv).names)
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # the kernel releases the lock
        rows = [row for row in pool.map(measure, levels) if row is not None]
    if not rows:
        print("no such reference has a bound")
        return 1
    print(f"capacity over static bound, {len(rows)} of {len(levels)} levels")
    for pace, ratios in (
        ("3.5 m/s", {name: full for name, full, _ in rows}),
        ("0.5 m/s", {name: slow for name, _, slow in rows}),
    ):
        above = sum(ratio > TOLERANCE for ratio in ratios.values())
        worst = max(ratios, key=ratios.__getitem__)
        print(
            f"  at {pace}: median {median(ratios.values()):.3f}, "
            f"largest {ratios[worst]:.3f} ({worst}), {above} above {TOLERANCE}"
        )
    return 0
