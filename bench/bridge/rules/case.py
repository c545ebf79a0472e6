"""What a rule looks at: one design on one level under one limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.level.level import Anchor, Level

ROUNDING_M = 1e-4
"""Coordinates are rounded to this, so nothing nearer to a limit counts as beyond it."""

FLOAT_NOISE_M = 1e-9
"""Keeps a length that is exactly at a limit on its right side after a square root."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A member whose two ends exist and differ."""

    member: Member
    a: Node
    b: Node
    length_m: float


@dataclass(frozen=True)
class Case:
    """One design on one level; `limit_usd` is the budget condition's limit.

    A node is native by its id alone and dynamic otherwise, whatever it claims to be: so one pass
    also finds what would be wrong once a false claim is put right.
    """

    level: Level
    design: Design
    limit_usd: float

    @cached_property
    def anchor_by_id(self) -> Mapping[int, Anchor]:
        """The level's native anchors."""
        return {anchor.id: anchor for anchor in self.level.anchors}

    @cached_property
    def dynamic_nodes(self) -> tuple[Node, ...]:
        """Nodes that are not native anchors, in the design's order."""
        return tuple(n for n in self.design.nodes if n.id not in self.anchor_by_id)

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """Members with two ends that exist and differ, in the design's order."""
        nodes = self.design.node_by_id
        found = []
        for member in self.design.members:
            a, b = nodes.get(member.a), nodes.get(member.b)
            length = self.design.length_m(member)
            if a is not None and b is not None and a is not b and length is not None:
                found.append(Segment(member, a, b, length))
        return tuple(found)
