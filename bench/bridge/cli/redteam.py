"""Search for legal designs within the limit that win by a trick; print the cheapest finds.

Starts from hanging chains, stub-laden chains, tied cables, and from known winners with parts left
out (the reference of the level where there is one, or DESIGN.json). Exit code 0: nothing found.

example: python -m bench redteam T1B_Basic_8m --minutes 1
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from bench.bridge.cli import inputs
from bench.bridge.design.design import Design
from bench.bridge.level.files import DEFAULT_ROOT
from bench.errors import InputError

REFERENCES = DEFAULT_ROOT.parents[1] / "golden" / "bridge" / "references"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    inputs.add_level(parser)
    inputs.add_design(parser, optional=True)
    inputs.add_budget(parser)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long (default 1)")
    parser.add_argument("--seed", type=int, default=0, help="of the search (default 0)")
    parser.add_argument("--out", type=Path, metavar="FIND.json", help="write the cheapest find")


def run(args: argparse.Namespace) -> int:
    """Search until the time is over."""
    from bench.bridge.analysis.redteam import Find, search
    from bench.bridge.design.graph import answer_of

    if args.minutes <= 0:
        raise InputError(f"--minutes {args.minutes:g} must be above 0")
    file = inputs.read_level(args.level)
    limit = inputs.limit_usd(file, args.budget)
    known = _known(file.name, args.design)
    end = time.monotonic() + 60.0 * args.minutes
    best: dict[str, Find] = {}
    for made, legal, finds in search(file.level, limit, known, args.seed):
        for find in finds:
            for trick in find.tricks:
                if trick not in best or find.cost_usd < best[trick.value].cost_usd:
                    best[trick.value] = find
        if time.monotonic() > end:
            count = f"{made} candidates, {legal} legal within ${limit:,.0f}"
            print(f"{file.name}: {count}, seed {args.seed}")
            break
    for name, find in sorted(best.items()):
        share = (
            f", {find.cost_usd / known[0].cost_usd:.2f} of the known design's cost" if known else ""
        )
        print(f"  {name}: ${find.cost_usd:,.2f} by {find.attack}{share}")
    if not best:
        print("  no trick found")
    elif args.out:
        cheapest = min(best.values(), key=lambda f: f.cost_usd)
        args.out.write_text(json.dumps(answer_of(cheapest.design, "found by redteam"), indent=1))
        print(f"  cheapest written to {args.out}")
    return 1 if best else 0


def _known(level: str, path: str | None) -> list[Design]:
    """The design given, else the level's reference, else nothing."""
    if path:
        return [inputs.read_design(path)]
    reference = REFERENCES / f"{level}.json"
    return [inputs.read_design(str(reference))] if reference.exists() else []
