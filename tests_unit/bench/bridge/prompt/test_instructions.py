"""The static instructions hold every operative rule of the paper's prompt, in our own words."""

import json
import math

import pytest

from bench.bridge.answer.parse import parse_answer
from bench.bridge.design.graph import graph_of
from bench.bridge.design.materials import MATERIALS, SHORTEST_MEMBER_M
from bench.bridge.physics import constants as c
from bench.bridge.physics.params import DEFAULT
from bench.bridge.prompt.static import instructions, static_text, world_facts_text
from bench.protocol import Settings
from tests_unit.support.factories import flat_level

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
    "duplicates": ["Never repeat a material between the same two nodes (code DUPLICATE_EDGE)"],
    "reinforced pairs": ["different materials on one pair of nodes act as one reinforced member"],
    "third member": ["a third member on that pair is a duplicate, whatever it is made of"],
    "the way": [
        "start on the left bank and drive to the right by themselves",
        "each has to reach the flag on the right bank, upright and in time",
    ],
    "wheels": ["Only Road members and solid ground carry wheels"],
    "pins": ["Joints are pins"],
    "crossing": ["may cross one another, solid ground and water"],
    "water": ["gets below the water line"],
    "heaviest": ["`vehicle_weight_pg` is the heaviest one's"],
    "ids on a repair": ["On a repair, ids of parts that you added before may be used again"],
    "tolerance": ["(1 mm of tolerance)"],
    "nodes apart": ["closer than 0.25 m, anchors included (code NODES_TOO_CLOSE)"],
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


CONSTANTS = (
    "130 PN",
    "3.5 m/s",
    "42 degrees",
    "6 PN",
    "1200 PN",
    "1500 PN",
    "12 s",
)


def test_physics_constants_are_told_by_the_variant_alone() -> None:
    told = instructions(Settings(world_facts=True))
    assert told.startswith(static_text())
    for constant in CONSTANTS:
        assert constant not in instructions()
        assert constant in told
    assert "Time is up after 20 s." in instructions(Settings(world_facts=True, window_s=20.0))


def test_world_facts_are_the_simulators() -> None:
    text = " ".join(world_facts_text().split())
    stall = math.degrees(math.acos(c.STALL_COSINE))
    weights = ", ".join(f"{m.name} {m.weight_pn_per_m:g} PN" for m in MATERIALS.values())
    name = {m.type: m.name for m in MATERIALS.values()}
    pairs = ", ".join(
        f"{name[a]} with {name[b]} {strength:g} PN"
        for (a, b), strength in c.REINFORCED_STRENGTH_PN.items()
    )
    for fact in (
        f"1 PG of a vehicle's weight is {DEFAULT.pn_per_pg:g} PN",
        f"two axles {c.WHEELBASE_M:g} m apart",
        f"Vehicles start {c.SPACING_M:g} m apart",
        f"the first one with its centre at x = {c.START_X_M:g}",
        f"speed up to {DEFAULT.cruise_mps:g} m/s",
        f"stands {c.FLAG_OFFSET_M:g} m behind the right bank's edge",
        f"{-flat_level().water_y:g} m below the lowest surface",
        f"more than {stall:.0f} degrees",
        f"Self-weight per metre: {weights}",
        f"reinforced members: {pairs}",
    ):
        assert fact in text


def test_confidence_and_skill_appear_only_where_a_variant_asks_for_them() -> None:
    assert "confidence" not in instructions()
    assert "# Skill" not in instructions()
    asked = instructions(Settings(ask_confidence=True, skill="Prefer arches."))
    assert asked.startswith(static_text())
    assert "`confidence`: a number from 0 to 1" in asked
    assert asked.endswith("# Skill\n\nPrefer arches.\n")
