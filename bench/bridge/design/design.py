"""A bridge: the complete graph of nodes and members."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from bench.bridge.design.materials import MATERIALS


@dataclass(frozen=True, slots=True)
class Node:
    """A joint at (x, y) metres. `is_anchor` is the save's isKinematic."""

    id: int
    x: float
    y: float
    is_anchor: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    """A member between two nodes; `type` is the material's number, known or not."""

    id: int
    type: int
    a: int
    b: int
    rate: float = 0


@dataclass(frozen=True)
class Design:
    """Nodes and members in the order in which they were given; coordinates are rounded already.

    A design may be illegal: the validator, not this type, says so.
    """

    nodes: tuple[Node, ...]
    members: tuple[Member, ...]

    @cached_property
    def node_by_id(self) -> Mapping[int, Node]:
        """Nodes by id; of nodes that share an id, the first."""
        return {n.id: n for n in reversed(self.nodes)}

    def length_m(self, member: Member) -> float | None:
        """Length in metres, None when an end does not exist."""
        a, b = self.node_by_id.get(member.a), self.node_by_id.get(member.b)
        if a is None or b is None:
            return None
        dx, dy = b.x - a.x, b.y - a.y
        return math.sqrt(dx * dx + dy * dy)

    @cached_property
    def cost_usd(self) -> float:
        """Sum of length x unit cost, rounded to cents; the same in any order of the members.

        Members with missing ends or of an unknown material cost nothing.
        """
        costs = []
        for member in self.members:
            material, length = MATERIALS.get(member.type), self.length_m(member)
            if material is not None and length is not None:
                costs.append(length * material.cost_usd_per_m)
        return round(math.fsum(costs), 2)

    def metres_by_material(self) -> dict[str, float]:
        """Metres of each known material that is used, rounded to 1e-4 m, in type order."""
        metres: dict[str, float] = {}
        for material in MATERIALS.values():
            lengths = [self.length_m(m) or 0.0 for m in self.members if m.type == material.type]
            if lengths:
                metres[material.name] = round(sum(lengths), 4)
        return metres
