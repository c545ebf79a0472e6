"""The static instructions hold every operative rule of the paper's prompt, in our own words."""

import json

import pytest

from bench.bridge.answer.parse import parse_answer
from bench.bridge.design.graph import graph_of
from bench.bridge.design.materials import MATERIALS, SHORTEST_MEMBER_M
from bench.bridge.prompt.static import instructions, static_text
from bench.protocol import Settings

# Each rule as the phrases that must all be there; white space is folded.
RULES = {
    "role": ["structural engineer", "Poly Bridge", "design a bridge", "or repair one"],
    "complete topology": ["the whole bridge, as one complete graph of nodes and members"],
    "inputs": ["picture of the editor", "the decoded save and the level context"],
    "only execution decides": ["only the execution of your design shows whether it works"],
    "vehicles": [
        "one, two or three",
        "`task_context.vehicle_count`",
        "`task_context.vehicle_weights_pg`",
        "carry every one of them",
    ],
    "context is scoped": [
        "`task_context` and `semantic_environment` and nothing else",
        "parameters it was generated from are no part of the task",
    ],
    "platforms": [
        "`semantic_environment.terrain_affordances`",
        "Tell open gaps from solid ground by the picture and by where the anchors are",
        "way from bank to bank must be continuous",
        "road is needed only over open gaps, unless the structure wants it elsewhere",
    ],
    "forbidden regions": [
        "`semantic_environment.forbidden_regions`",
        "no node and no Road, Wood, Steel or Hydraulics member may touch them",
        "edges count as inside",
        "vertices are exactly the geometry that the validator uses",
    ],
    "frames": ["compare them in order", "what bends, what comes apart, where a vehicle gets stuck"],
    "causes are hypotheses": ["any cause that you read into the frames is a hypothesis"],
    "failure_or_timeout": [
        "success was not confirmed within the fixed time window",
        "no proof of any particular cause",
    ],
    "available materials": ["only those in `task_context.available_materials` may be used"],
    "anchors kept": [
        "Every node of the current save that has isKinematic=true",
        "with its id and its coordinates unchanged, and still isKinematic=true",
    ],
    "new nodes are dynamic": [
        "Nodes that you add have isKinematic=false",
        "Never add a node with isKinematic=true",
    ],
    "sequential ids": ["go on one by one from the highest id in the current save"],
    "edge types": ["An edge's `type` is its material's number", "is never an edge's"],
    "length": [
        "straight distance between its two nodes",
        "Road and Wood: 2 m at most. Steel: 4 m at most",
        "Put a node in between where that is not enough",
    ],
    "shortest member": ["shorter than 0.25 m (code EDGE_TOO_SHORT)"],
    "nodes apart": [
        "Two nodes, native anchors included, are at least 0.25 m apart (code NODES_TOO_CLOSE)"
    ],
    "one chain of roads": ["Roads that share no node keep 0.25 m apart (code ROADS_OVERLAP)"],
    "duplicates": ["Never repeat a material between the same two nodes (code DUPLICATE_EDGE)"],
    "reinforced pairs": ["different materials on one pair of nodes act as one reinforced member"],
    "third member": ["a third member on that pair is a duplicate, whatever it is made of"],
    "solid ground": ["lies inside the solid ground of a bank or a platform (code IN_TERRAIN)"],
    "connected": ["used by an edge and is held, through members, by a native anchor"],
    "authority": [
        "`task_context` and `semantic_environment` decide on the constraints",
        "The save decides on the current topology and on exact ids and coordinates",
        "Validation feedback decides on which rules the previous draft broke",
        "editor picture shows the scene and the current state; frames are evidence for a repair",
        "Drop what the history says where it contradicts the sources above",
        "go by the context and the save; never by guesses about hidden parameters",
    ],
    "budget": ["cost", "at or below `task_context.budget_limit`"],
    "repair": ["Whatever errors validation or execution feedback lists, remove them"],
    "runs by itself": ["Every legal design is run at once and automatically"],
    "raw JSON": ["one raw JSON object and nothing else: no Markdown fence, no text"],
    "action": ['`action` is always "modify"'],
    "required fields": ["`thought_process`, `nodes` and `edges` are required"],
    "thought": ["a short summary of what you decided, not a derivation step by step"],
    "thought, first": [
        "For a first design, name the structural idea and how the load gets to the native anchors",
        "how the bridge keeps clear of them",
    ],
    "thought, repair": [
        "name the evidence from validation or execution",
        "mark uncertain physical causes as hypotheses",
        "say which parts of the topology you changed",
    ],
}


@pytest.mark.parametrize("rule", RULES)
def test_static_text_holds_the_rule(rule: str) -> None:
    text = " ".join(static_text().split())
    assert [phrase for phrase in RULES[rule] if phrase not in text] == []


def test_static_text_has_the_material_table_of_the_contract() -> None:
    for m in MATERIALS.values():
        row = (
            f"| {m.name} | {m.type} | {m.strength_pn:g} PN | {m.max_length_m:g} m "
            f"| ${m.cost_usd_per_m:g} per m |"
        )
        assert row in static_text()
    assert SHORTEST_MEMBER_M == 0.25


def test_the_example_is_an_answer_that_parses() -> None:
    line = next(line for line in static_text().splitlines() if line.startswith('{"action"'))
    candidate = parse_answer(line)
    assert candidate.violations == ()
    assert candidate.design is not None
    example = json.loads(line)
    assert graph_of(candidate.design) == {"nodes": example["nodes"], "edges": example["edges"]}


def test_confidence_and_skill_appear_only_where_a_variant_asks_for_them() -> None:
    assert "confidence" not in instructions()
    assert "# Skill" not in instructions()
    asked = instructions(Settings(ask_confidence=True, skill="Prefer arches."))
    assert asked.startswith(static_text())
    assert "`confidence`: a number from 0 to 1" in asked
    assert asked.endswith("# Skill\n\nPrefer arches.\n")
