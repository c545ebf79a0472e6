"""`levels/budgets.json`: the reference cost and the strict limit of every level."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.errors import LevelError
from levels.bridge.budget_rule import RULE, strict_limit_usd

BUDGETS_PATH = Path(__file__).parent / "budgets.json"

REPAIR = "write it again with `python -m levels calibrate`, or restore it from version control"


@dataclass(frozen=True, slots=True)
class Budget:
    """What a reference design costs, and the limit that follows from it by the rule."""

    reference_cost_usd: float
    strict_limit_usd: int


def budgets_text(reference_costs_usd: Mapping[str, float]) -> str:
    """The file's text for these reference costs; limits follow from the rule."""
    levels = {
        name: {"reference_cost_usd": cost, "strict_limit_usd": strict_limit_usd(cost)}
        for name, cost in reference_costs_usd.items()
    }
    rows = ",\n".join(f"  {json.dumps(n)}: {json.dumps(row)}" for n, row in levels.items())
    return f'{{\n "rule": {json.dumps(RULE)},\n "levels": {{\n{rows}\n }}\n}}\n'


def read_budgets(names: Iterable[str], path: Path = BUDGETS_PATH) -> dict[str, Budget]:
    """The budgets of these levels.

    Raises LevelError when the file cannot be read, lacks a level, or states a limit that the
    rule does not give.
    """
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["levels"]
        found = {
            name: Budget(float(row["reference_cost_usd"]), row["strict_limit_usd"])
            for name, row in rows.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise LevelError(f"{path}: cannot be read ({reason}); {REPAIR}") from error
    wanted = list(names)
    missing = [name for name in wanted if name not in found]
    if missing:
        raise LevelError(f"{path}: no budget for {missing[0]} ({len(missing)} in all); {REPAIR}")
    for name in wanted:
        budget = found[name]
        expected = strict_limit_usd(budget.reference_cost_usd)
        if budget.strict_limit_usd != expected:
            raise LevelError(
                f"{path}: {name}: strict_limit_usd={budget.strict_limit_usd} should be {expected} "
                f"({RULE}); {REPAIR}"
            )
    return {name: found[name] for name in wanted}
