"""How much heavier the vehicles may be on a design, and a static upper bound.

The multiplier of all vehicle weights that the design still carries, by bisection to 2% on
[0.1, 8]; below 1 for a design that fails. The bound is the limit load of a linear programme, for
slow vehicles: with --slow they drive at 0.5 m/s.

example: python -m bench capacity T1B_Basic_8m golden/bridge/references/T1B_Basic_8m.json
"""

from __future__ import annotations

import argparse
import json

from bench.bridge.cli import inputs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    inputs.add_level(parser)
    inputs.add_design(parser)
    parser.add_argument(
        "--slow", action="store_true", help="drive at 0.5 m/s, the pace that the bound is for"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the capacity."""
    from bench.bridge.physics.params import DEFAULT
    from bench.bridge.statics.capacity import load_capacity, slow_params, static_bound

    level = inputs.read_level(args.level).level
    design = inputs.read_design(args.design)
    inputs.check_graph(design)
    params = slow_params(level) if args.slow else DEFAULT
    capacity, bound = load_capacity(level, design, params), static_bound(level, design)
    if args.json:
        facts = {
            "level": level.name,
            "cruise_mps": params.cruise_mps,
            "capacity": round(capacity.multiplier, 4),
            "per_1000_usd": round(capacity.per_1000_usd, 4),
            "static_bound": None if bound is None else round(bound, 4),
            "rollouts": capacity.rollouts,
            "cost_usd": design.cost_usd,
        }
        print(json.dumps(facts, allow_nan=False))
        return 0
    pace = f"at {params.cruise_mps:g} m/s"
    print(f"capacity      {capacity.multiplier:.2f} x the vehicles' weight, {pace}")
    print(f"per $1,000    {capacity.per_1000_usd:.3f}")
    limit = "none: self-weight alone is not balanced, or there is no road to load"
    print(f"static bound  {limit if bound is None else f'{bound:.2f}'}")
    print(f"rollouts      {capacity.rollouts}")
    return 0
