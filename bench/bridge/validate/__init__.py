"""The rules of a legal design, by theme, and the order in which they are checked.

The rules complete nothing and predict nothing: there is no check of the road's continuity and
none of stability. A new rule is a generator in its theme's file and a line in `RULES`.
"""

from __future__ import annotations

from bench.bridge.design import Design
from bench.bridge.level import Level
from bench.bridge.validate import anchors, clearance, cost, geometry, materials, references
from bench.bridge.validate.case import Case
from bench.bridge.validate.registry import Rule, RuleBook
from bench.task import Violation

RULES = RuleBook(
    (
        Rule("EMPTY_TOPOLOGY", references.empty_topology, stops=True),
        Rule("DUPLICATE_ID", references.duplicate_id, stops=True),
        Rule("ANCHOR_MISSING", anchors.missing),
        Rule("ANCHOR_MOVED", anchors.moved),
        Rule("ANCHOR_RELEASED", anchors.released),
        Rule("ANCHOR_ADDED", anchors.added),
        Rule("BAD_REFERENCE", references.bad_reference),
        Rule("SELF_LOOP", references.self_loop),
        Rule("EDGE_TOO_SHORT", geometry.edge_too_short),
        Rule("UNKNOWN_MATERIAL", materials.unknown),
        Rule("MATERIAL_NOT_ALLOWED", materials.not_allowed),
        Rule("EDGE_TOO_LONG", geometry.edge_too_long),
        Rule("DUPLICATE_EDGE", references.duplicate_edge),
        Rule("IN_TERRAIN", geometry.in_terrain),
        Rule("ISOLATED_NODE", references.isolated_node),
        Rule("DISCONNECTED", references.disconnected),
        Rule("CLEARANCE", clearance.clearance),
        Rule("OVER_BUDGET", cost.over_budget),
    )
)

CODES = ("PARSE_ERROR", "SCHEMA_ERROR", *RULES.codes)
"""Every code that a candidate can be refused with, in the order in which they are reported."""


def validate(level: Level, design: Design, limit_usd: float) -> tuple[Violation, ...]:
    """All broken rules of a design, in the order of `RULES`; empty for a legal design."""
    return tuple(RULES.violations(Case(level, design, limit_usd)))


def checks(level: Level, design: Design, limit_usd: float) -> dict[str, bool]:
    """Whether each rule holds, by code; `len(RULES)` of them.

    After a broken rule that ends the validation the later ones count as not holding.
    """
    return RULES.passed(Case(level, design, limit_usd))
