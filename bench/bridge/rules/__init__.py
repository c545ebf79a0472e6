"""The rules of a legal design, by theme, and the order in which they are checked.

The rules complete nothing and predict nothing: there is no check of the road's continuity and
none of stability. A new rule is a generator in its theme's file and a line in `RULES`.
"""

from __future__ import annotations

from bench.bridge.design.design import Design
from bench.bridge.level.level import Level
from bench.bridge.rules import anchors, clearance, cost, geometry, materials, topology
from bench.bridge.rules.case import Case
from bench.bridge.rules.registry import Rule, RuleBook
from bench.task import Violation

RULES = RuleBook(
    (
        Rule("EMPTY_TOPOLOGY", topology.empty_topology, stops=True),
        Rule("DUPLICATE_ID", topology.duplicate_id, stops=True),
        Rule("ANCHOR_MISSING", anchors.missing),
        Rule("ANCHOR_MOVED", anchors.moved),
        Rule("ANCHOR_RELEASED", anchors.released),
        Rule("ANCHOR_ADDED", anchors.added),
        Rule("BAD_REFERENCE", topology.bad_reference),
        Rule("SELF_LOOP", topology.self_loop),
        Rule("EDGE_TOO_SHORT", geometry.edge_too_short),
        Rule("UNKNOWN_MATERIAL", materials.unknown),
        Rule("MATERIAL_NOT_ALLOWED", materials.not_allowed),
        Rule("EDGE_TOO_LONG", geometry.edge_too_long),
        Rule("DUPLICATE_EDGE", topology.duplicate_edge),
        Rule("NODES_TOO_CLOSE", geometry.nodes_too_close),
        Rule("ROADS_OVERLAP", geometry.roads_overlap),
        Rule("IN_TERRAIN", geometry.in_terrain),
        Rule("ISOLATED_NODE", topology.isolated_node),
        Rule("DISCONNECTED", topology.disconnected),
        Rule("CLEARANCE", clearance.clearance),
        Rule("OVER_BUDGET", cost.over_budget),
    )
)

CODES = ("PARSE_ERROR", "SCHEMA_ERROR", *RULES.codes)
"""Every code that a candidate can be refused with, in the order in which they are reported."""


def validate(level: Level, design: Design, limit_usd: float) -> tuple[Violation, ...]:
    """All broken rules of a design, in the order of `RULES`; empty for a legal design."""
    return tuple(RULES.violations(Case(level, design, limit_usd)))
