"""One order for every design: sums of floats depend on theirs, so a fate could depend on it too."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bench.bridge.design.design import Design
from bench.bridge.physics.result import SimResult


@dataclass(frozen=True, eq=False)
class Ordered:
    """A design with nodes by place and members by their nodes' ranks.

    Whatever order, ids and ends the answer had, this one has the same order. `node_rank` (N,) and
    `member_rank` (M,) say where the answer's nodes and members went.
    """

    design: Design
    node_rank: NDArray[np.int64]
    member_rank: NDArray[np.int64]

    def given_back(self, result: SimResult) -> SimResult:
        """The states of a simulation of the ordered design, in the answer's order."""
        return replace(
            result,
            positions=result.positions[:, self.node_rank],
            utilisation=result.utilisation[:, self.member_rank],
            alive=result.alive[:, self.member_rank],
            break_s=result.break_s[self.member_rank],
            peak_utilisation=result.peak_utilisation[self.member_rank],
        )


def ordered(design: Design) -> Ordered:
    """Sort nodes by x, then y, and members by their ends and type; equal ones as they came."""
    nodes, members = design.nodes, design.members
    by_place = sorted(range(len(nodes)), key=lambda i: (nodes[i].x, nodes[i].y, nodes[i].is_anchor))
    rank = {nodes[i].id: k for k, i in enumerate(by_place)}
    keys = [(*sorted((rank[m.a], rank[m.b])), m.type) for m in members]
    by_ends = sorted(range(len(members)), key=keys.__getitem__)
    return Ordered(
        Design(tuple(nodes[i] for i in by_place), tuple(members[i] for i in by_ends)),
        _inverse(by_place),
        _inverse(by_ends),
    )


def _inverse(order: list[int]) -> NDArray[np.int64]:
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank
