"""What the synthetic sessions of reports hold of each domain. A new domain adds its own here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bench.domain import DOMAINS

if TYPE_CHECKING:
    from tests_unit.support.report_sessions import Episode

TOY = {"toy": "tests_unit.support.report_toy.domain:DOMAIN"}
EVERY_DOMAIN = [*DOMAINS, *TOY]


@dataclass(frozen=True)
class Recorded:
    """The unit of its amounts, its facts of a level, what it measures of a design, and flags of an
    execution that ended with a letter."""

    unit: str
    facts: dict[str, Any]
    design: Callable[[Episode], dict[str, Any]]
    execution: Callable[[Episode, str], dict[str, Any]]


def bridge_design(episode: Episode) -> dict[str, Any]:
    margin = {} if episode.margin is None else {"margin": episode.margin}
    metres = {"Road": 8.0, "Wood": 10.0}
    return {"nodes": 6, "members": 9, "metres_by_material": metres, **margin}


def bridge_execution(episode: Episode, letter: str) -> dict[str, Any]:
    clean = None if episode.clean is None else episode.clean and letter == "S"
    found: dict[str, Any] = {"clean": clean, "continuous_deck": episode.deck}
    if letter != "S" or episode.capacity is None:
        return found
    multiplier, bound = episode.capacity
    return found | {"capacity": {"multiplier": multiplier, "static_bound": bound}}


def toy_design(episode: Episode) -> dict[str, Any]:
    return {"pegs": 4, "colours": {"red": 3.0, "blue": 1.0}}


def toy_execution(episode: Episode, letter: str) -> dict[str, Any]:
    return {"leans": not episode.deck}


RECORDED = {
    "bridge": Recorded("usd", {"span_m": 8.0}, bridge_design, bridge_execution),
    "toy": Recorded("peg", {"board": 3}, toy_design, toy_execution),
}
