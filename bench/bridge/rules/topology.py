"""The graph itself: ids, ends, repeated members, and what hangs on the anchors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from bench.bridge.design.design import Member
from bench.bridge.design.materials import MATERIALS
from bench.bridge.rules.case import Case
from bench.bridge.rules.wording import listing, node_at
from bench.task import Violation


def empty_topology(case: Case) -> Iterator[Violation]:
    """There are no nodes, or no edges."""
    empty = [
        name
        for name, items in (("nodes", case.design.nodes), ("edges", case.design.members))
        if not items
    ]
    if empty:
        yield Violation(
            "EMPTY_TOPOLOGY",
            f"the design has no {' and no '.join(empty)}; return the complete graph: every "
            "native anchor, every node of yours, and every edge",
            values={"nodes": len(case.design.nodes), "edges": len(case.design.members)},
        )


def duplicate_id(case: Case) -> Iterator[Violation]:
    """An id is used twice among nodes and edges."""
    places: dict[int, list[str]] = defaultdict(list)
    for i, node in enumerate(case.design.nodes):
        places[node.id].append(f"nodes[{i}]")
    for i, member in enumerate(case.design.members):
        places[member.id].append(f"edges[{i}]")
    free = max(places, default=0) + 1
    for id_, found in places.items():
        if len(found) > 1:
            yield Violation(
                "DUPLICATE_ID",
                f"id {id_} is used {len(found)} times, by {listing(found)}; nodes and edges share "
                f"one id space, so leave it to one of them (ids from {free} on are free)",
                (id_,),
                {"places": found[:20], "count": len(found)},
            )


def bad_reference(case: Case) -> Iterator[Violation]:
    """An edge names a node that does not exist."""
    nodes = case.design.node_by_id
    edges = {member.id for member in case.design.members}
    for member in case.design.members:
        ends = (("anchorAID", member.a), ("anchorBID", member.b))
        wrong = [(name, id_) for name, id_ in ends if id_ not in nodes]
        if wrong:
            told = " and ".join(
                f"{name} {id_} ({'an edge' if id_ in edges else 'nothing has this id'})"
                for name, id_ in wrong
            )
            yield Violation(
                "BAD_REFERENCE",
                f"edge {member.id} has {told}; both ends must be ids of nodes",
                (member.id,),
                {"missing": [id_ for _, id_ in wrong]},
            )


def self_loop(case: Case) -> Iterator[Violation]:
    """Both ends of an edge are one node."""
    for member in case.design.members:
        if member.a == member.b:
            yield Violation(
                "SELF_LOOP",
                f"edge {member.id} joins node {member.a} to itself; an edge needs two different "
                "nodes",
                (member.id,),
                {"node": member.a},
            )


def duplicate_edge(case: Case) -> Iterator[Violation]:
    """The same material twice between two nodes, or a third member there."""
    kept: dict[tuple[int, int], list[Member]] = defaultdict(list)
    for member in case.design.members:
        if member.a == member.b:
            continue
        pair = (min(member.a, member.b), max(member.a, member.b))
        others = kept[pair]
        between = f"between nodes {pair[0]} and {pair[1]}"
        same = next((other for other in others if other.type == member.type), None)
        if same is not None:
            told = (
                f"edge {member.id} repeats edge {same.id}: both are {_material(member)} {between}"
            )
        elif len(others) >= 2:
            beside = listing([f"edge {other.id} ({_material(other)})" for other in others])
            told = (
                f"edge {member.id} ({_material(member)}) is a third one {between}, beside {beside}"
            )
        else:
            others.append(member)
            continue
        yield Violation(
            "DUPLICATE_EDGE",
            f"{told}; at most two edges, of different materials, may join the same two nodes",
            (member.id,),
            {"nodes": list(pair), "edges": [other.id for other in others]},
        )


def isolated_node(case: Case) -> Iterator[Violation]:
    """A dynamic node that no edge uses."""
    used = {id_ for member in case.design.members for id_ in (member.a, member.b)}
    for node in case.dynamic_nodes:
        if node.id not in used:
            yield Violation(
                "ISOLATED_NODE",
                f"{node_at(node)} is used by no edge; join it to the bridge or remove it",
                (node.id,),
            )


def disconnected(case: Case) -> Iterator[Violation]:
    """A group of joined nodes holds no native anchor; one violation a group.

    Disjoint sets over all members whose ends exist.
    """
    parent = {node.id: node.id for node in case.design.nodes}

    def root(id_: int) -> int:
        while parent[id_] != id_:
            parent[id_] = parent[parent[id_]]
            id_ = parent[id_]
        return id_

    for segment in case.segments:
        parent[root(segment.a.id)] = root(segment.b.id)
    held = {root(id_) for id_ in case.anchor_by_id if id_ in parent}
    groups: dict[int, list[int]] = defaultdict(list)
    for node in case.dynamic_nodes:
        groups[root(node.id)].append(node.id)
    anchors = listing(sorted(case.anchor_by_id))
    for group, ids in groups.items():
        if group not in held:
            one = len(ids) == 1
            subject = f"node {ids[0]} is" if one else f"nodes {listing(ids)} are"
            them = "it" if one else "them"
            yield Violation(
                "DISCONNECTED",
                f"{subject} joined to no native anchor by any chain of edges; join {them} to one "
                f"of the native anchors {anchors}, or remove {them}",
                tuple(ids),
                {"nodes": len(ids)},
            )


def _material(member: Member) -> str:
    material = MATERIALS.get(member.type)
    return material.name if material else f"type {member.type}"
