"""The limit of a budget condition: the one place that knows how `--budget` becomes dollars."""

from __future__ import annotations

from bench.bridge.design.materials import LOOSE_LIMIT_USD
from bench.protocol import parse_budget


def limit_usd(strict_limit_usd: float, budget: str) -> tuple[str, float]:
    """The condition's name and its limit in dollars, rounded to cents.

    Raises InputError for an unknown condition.
    """
    condition, factor = parse_budget(budget)
    limit = float(LOOSE_LIMIT_USD) if factor is None else round(strict_limit_usd * factor, 2)
    return condition, limit
