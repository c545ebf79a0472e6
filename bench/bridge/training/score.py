"""The outcome of one design, without pytest and records."""

from __future__ import annotations

from bench.bridge.design.design import Design
from bench.bridge.level.level import Level
from bench.task import Outcome


def score(level: Level, design: Design, budget: str = "strict") -> Outcome:
    """The outcome of one design on a level: INVALID, SUCCESS or FAILURE_OR_TIMEOUT.

    Raises InputError for an unknown budget condition.
    """
    from bench.bridge.level.budget import limit_usd
    from bench.bridge.physics.engine import simulate
    from bench.bridge.rules import validate

    _, limit = limit_usd(level.strict_limit_usd, budget)
    if validate(level, design, limit):
        return Outcome.INVALID
    success = simulate(level, design).success
    return Outcome.SUCCESS if success else Outcome.FAILURE_OR_TIMEOUT
