"""A design as the answer's JSON object: nodes and edges."""

from __future__ import annotations

from bench.bridge.design.design import Design
from bench.task import Json


def answer_of(design: Design, thought: str = "") -> dict[str, Json]:
    """The design as a model would answer it."""
    return {"action": "modify", "thought_process": thought, **graph_of(design)}


def graph_of(design: Design) -> dict[str, list[dict[str, Json]]]:
    """The complete graph with the field names of an answer, in the design's order."""
    return {
        "nodes": [
            {"id": n.id, "x": n.x, "y": n.y, "isKinematic": n.is_anchor} for n in design.nodes
        ],
        "edges": [
            {"id": m.id, "type": m.type, "anchorAID": m.a, "anchorBID": m.b, "rate": m.rate}
            for m in design.members
        ],
    }
