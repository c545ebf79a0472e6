"""A save that surely looks different: the proof that a reload took place."""

from __future__ import annotations

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.design.materials import ROAD, WOOD
from bench.bridge.design.save import Save, design_of, save_of

REACH_M = 1.5


def probe_of(save: Save) -> Save:
    """The same anchors with one member beside the first of them, and nothing else.

    Road, or wood where the save holds that very road alone.
    """
    design = design_of(save)
    anchors = tuple(node for node in design.nodes if node.is_anchor)
    at = anchors[0]
    next_id = 1 + max(node.id for node in anchors)
    tip = Node(next_id, round(at.x + REACH_M, 4), round(at.y - REACH_M / 2, 4))
    used = {member.type for member in design.members}
    material = WOOD if used == {ROAD.type} else ROAD
    member = Member(next_id + 1, material.type, at.id, tip.id)
    return save_of(Design((*anchors, tip), (member,)), save["DisplayName"])
