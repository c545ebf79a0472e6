"""Native anchors: all there, where they were, kinematic; and no others."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

from bench.bridge.rules.case import FLOAT_NOISE_M, ROUNDING_M, Case
from bench.bridge.rules.wording import listing, node_at, number, point
from bench.task import Violation


def missing(case: Case) -> Iterator[Violation]:
    """A native anchor is absent."""
    for anchor in case.level.anchors:
        if anchor.id not in case.design.node_by_id:
            entry = {"id": anchor.id, "x": anchor.x, "y": anchor.y, "isKinematic": True}
            yield Violation(
                "ANCHOR_MISSING",
                f"native anchor {anchor.id} at {point(anchor.x, anchor.y)} is missing; keep the "
                f"node {json.dumps(entry)}",
                (anchor.id,),
                {"x": anchor.x, "y": anchor.y},
            )


def moved(case: Case) -> Iterator[Violation]:
    """A native anchor is more than 1e-4 m from its place."""
    for anchor in case.level.anchors:
        node = case.design.node_by_id.get(anchor.id)
        if node is None:
            continue
        distance = math.dist((anchor.x, anchor.y), (node.x, node.y))
        if distance > ROUNDING_M + FLOAT_NOISE_M:
            yield Violation(
                "ANCHOR_MOVED",
                f"native anchor {anchor.id} must stay at {point(anchor.x, anchor.y)} but is at "
                f"{point(node.x, node.y)}, {number(distance)} m away; put it back",
                (anchor.id,),
                {"x": node.x, "y": node.y, "anchor_x": anchor.x, "anchor_y": anchor.y},
            )


def released(case: Case) -> Iterator[Violation]:
    """A native anchor is no longer kinematic."""
    for anchor in case.level.anchors:
        node = case.design.node_by_id.get(anchor.id)
        if node is not None and not node.is_anchor:
            yield Violation(
                "ANCHOR_RELEASED",
                f"native anchor {anchor.id} at {point(anchor.x, anchor.y)} has isKinematic false; "
                "set it to true",
                (anchor.id,),
            )


def added(case: Case) -> Iterator[Violation]:
    """A node that is not native claims to be kinematic."""
    native = listing(sorted(case.anchor_by_id))
    for node in case.dynamic_nodes:
        if node.is_anchor:
            yield Violation(
                "ANCHOR_ADDED",
                f"{node_at(node)} has isKinematic true, but only the native anchors {native} "
                "may; set it to false",
                (node.id,),
            )
