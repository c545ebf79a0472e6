"""Check a design against a level's rules and limit.

Prints every violation, the cost and the limit. Exit code 0: legal, 1: not.

example: python -m bench validate T1B_Basic_8m golden/bridge/references/T1B_Basic_8m.json
"""

from __future__ import annotations

import argparse

from bench.bridge.cli import inputs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    inputs.add_level(parser)
    inputs.add_design(parser)
    inputs.add_budget(parser)


def run(args: argparse.Namespace) -> int:
    """Print the verdict."""
    from bench.bridge.rules import validate

    file = inputs.read_level(args.level)
    limit = inputs.limit_usd(file, args.budget)
    candidate = inputs.read_candidate(args.design)
    design = candidate.design
    violations = candidate.violations
    if design is not None:
        violations = validate(file.level, design, limit)
    for violation in violations:
        print(f"{violation.code}: {violation.message}")
    if design is not None:
        metres = ", ".join(f"{m:g} m {name}" for name, m in design.metres_by_material().items())
        print(f"cost   ${design.cost_usd:,.2f} of ${limit:,.0f} ({args.budget})")
        print(f"graph  {len(design.nodes)} nodes, {len(design.members)} members: {metres}")
    print("not legal" if violations else "legal")
    return 1 if violations else 0
