"""Reading answers: what is a Design, what is refused, and with which words."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.bridge.answer.parse import MOST_EDGES, MOST_NODES, parse_answer
from bench.bridge.design.design import Design, Member, Node
from bench.bridge.rules import validate
from tests_unit.support.factories import answer, deck, flat_level, warren

STEADY = settings(deadline=None, derandomize=True, max_examples=200)

LEVEL = flat_level(10.0)
TRUSS = warren(LEVEL)
SMALL = deck(flat_level(4.0))


def changed(path: str, value: object, base: Design = SMALL) -> str:
    """The answer's text with the value at a path (`nodes.4.x`) replaced; `...` removes it."""
    content = answer(base, "think")
    *parents, last = (int(key) if key.isdigit() else key for key in path.split("."))
    target = content
    for key in parents:
        target = target[key]
    if value is ...:
        del target[last]
    elif isinstance(target, list) and last == len(target):
        target.append(value)
    else:
        target[last] = value
    return json.dumps(content)


def messages(text: str) -> list[str]:
    return [f"{v.code}: {v.message}" for v in parse_answer(text).violations]


def codes(text: str) -> set[str]:
    return {v.code for v in parse_answer(text).violations}


def test_an_answer_becomes_its_design():
    found = parse_answer(json.dumps(answer(TRUSS, "a Warren truss")))
    assert found.design == TRUSS
    assert found.violations == ()
    assert found.thought == "a Warren truss"
    assert found.draft == answer(TRUSS, "a Warren truss")
    assert found.notes == {}


def test_field_names_and_defaults_by_hand():
    text = """{"action": "modify", "thought_process": "",
        "nodes": [{"id": 7, "x": 1, "y": -2.5, "isKinematic": true}],
        "edges": [{"id": 9, "type": 3, "anchorAID": 7, "anchorBID": 8}]}"""
    assert parse_answer(text).design == Design(
        (Node(7, 1.0, -2.5, True),), (Member(9, 3, 7, 8, 0),)
    )


def test_coordinates_are_rounded_to_four_decimals_before_any_check():
    text = changed("nodes.4.x", 2.00004999)
    assert parse_answer(text).design.node_by_id[5].x == 2.0
    negative_zero = parse_answer(changed("nodes.4.y", -0.00001)).design.node_by_id[5].y
    assert math.copysign(1, negative_zero) == 1
    # Anchor 2, given 4e-5 m off, is where it was once it is rounded.
    moved = parse_answer(changed("nodes.1.x", 4.00004)).design
    assert validate(flat_level(4.0), moved, 1000) == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("```json\n", "\n```"),
        ("```", "```"),
        ("Here is the bridge:\n\n", "\n\nIt holds."),
        ("With {1, 2} and {x | x > 0} in mind [1]: ", " { and so on"),
        ("\ufeff", ""),
        ("} ", " }"),
    ],
)
def test_text_around_the_object_is_dropped_and_noted(before, after):
    found = parse_answer(before + json.dumps(answer(TRUSS)) + after)
    assert found.design == TRUSS
    assert found.notes == {"wrapped": True}


def test_white_space_around_the_object_is_no_wrapping():
    assert parse_answer(f"\n {json.dumps(answer(TRUSS))} \t\n").notes == {}


GOOD = json.dumps(answer(SMALL))
PARSE_ERRORS = {
    "empty": "",
    "blank": " \n ",
    "prose": "I cannot build this bridge.",
    "two objects": f"{GOOD}\n{GOOD}",
    "an object after it": GOOD + ' {"done": true}',
    "in a list": f"[ {GOOD}]",
    "a string of JSON": json.dumps(GOOD),
    "cut in a string": GOOD[: GOOD.index("isKine") + 3],
    "cut between items": GOOD[: GOOD.index('"edges"')],
    "cut at the end": GOOD[:-1],
    "cut fence": f"```json\n{GOOD[:200]}",
    "single quotes": "{'action': 'modify'}",
    "bare keys": '{action: "modify", "nodes": [{"id": 1}]}',
    "double braces": "{" + GOOD + "}",
    "line break in a string": GOOD.replace('""', '"a\nb"'),
    "bad escape": GOOD.replace('""', r'"\x"'),
    "no comma": GOOD.replace(', "edges"', ' "edges"'),
    "no colon": '{"action" "modify"}',
    "duplicate key": GOOD[:-1] + ', "nodes": []}',
    "duplicate key in a node": GOOD.replace('"id": 5,', '"id": 5, "id": 6,'),
    "duplicate key deep in an unknown field": GOOD[:-1] + ', "a": {"b": [0, {"c": 1, "c": 2}]}}',
    "NaN": GOOD.replace('"x": 2.0', '"x": NaN'),
    "-Infinity": GOOD.replace('"rate": 0', '"rate": -Infinity', 1),
    "too deep": GOOD[:-1] + ', "a": ' + "[" * 100 + "]" * 100 + "}",
    "endlessly deep": '{"a": ' + "[" * 500_000,
}


@pytest.mark.parametrize("name", PARSE_ERRORS)
def test_what_is_not_one_json_object_is_a_parse_error(name, snapshot):
    found = parse_answer(PARSE_ERRORS[name])
    assert [v.code for v in found.violations] == ["PARSE_ERROR"]
    assert found.design is None
    assert found.draft is None
    assert found.violations[0].message == snapshot


def test_nesting_that_a_reader_can_follow_is_ignored_like_any_unknown_field():
    found = parse_answer(GOOD[:-1] + ', "a": ' + "[" * 99 + "]" * 99 + "}")
    assert found.design == SMALL
    assert found.notes == {"unknown_fields": ["a"]}


def test_a_reply_beyond_two_megabytes_is_cut_and_so_no_object(snapshot):
    padded = GOOD[:-1] + " " * (2_000_000 - len(GOOD)) + "}"
    assert parse_answer(padded).design == SMALL
    assert messages(padded + " ") == snapshot
    euros = "€" * 700_000  # 3 bytes each
    assert codes(GOOD.replace('""', f'"{euros}"')) == {"PARSE_ERROR"}


SCHEMA_ERRORS = {
    "no action": ("action", ...),
    "another action": ("action", "create"),
    "no thought": ("thought_process", ...),
    "thought is a list": ("thought_process", ["a"]),
    "no nodes": ("nodes", ...),
    "nodes by id": ("nodes", {"1": {"x": 0}}),
    "edges null": ("edges", None),
    "node is a list": ("nodes.4", [5, 2.0, 0.0]),
    "no id": ("nodes.4.id", ...),
    "id text": ("nodes.4.id", "5"),
    "id true": ("nodes.4.id", True),
    "id 5.0": ("nodes.4.id", 5.0),
    "id 0": ("nodes.4.id", 0),
    "id 2^31": ("nodes.4.id", 2**31),
    "id with 30 digits": ("nodes.4.id", 10**29),
    "x text": ("nodes.4.x", "2.0"),
    "x null": ("nodes.4.x", None),
    "x too far": ("nodes.4.x", 1000.0001),
    "y too far": ("nodes.4.y", -2000),
    "kinematic 1": ("nodes.4.isKinematic", 1),
    "no kinematic": ("nodes.4.isKinematic", ...),
    "edge without type": ("edges.1.type", ...),
    "type name": ("edges.1.type", "Road"),
    "type 1.0": ("edges.1.type", 1.0),
    "end 0": ("edges.1.anchorAID", 0),
    "end object": ("edges.1.anchorBID", {"id": 2}),
    "rate text": ("edges.1.rate", "fast"),
}


@pytest.mark.parametrize("name", SCHEMA_ERRORS)
def test_what_is_no_design_is_a_schema_error_that_names_the_place(name, snapshot):
    found = parse_answer(changed(*SCHEMA_ERRORS[name]))
    assert found.design is None
    assert found.draft is not None
    assert [v.code for v in found.violations] == ["SCHEMA_ERROR"]
    assert found.violations[0] == snapshot


@pytest.mark.parametrize("spelling", ["1e999", "-1e999", "9" * 5000, "1" + "0" * 400 + ".5"])
def test_a_number_beyond_all_bounds_is_data(spelling, snapshot):
    found = parse_answer(GOOD.replace('"x": 2.0', f'"x": {spelling}'))
    assert [v.code for v in found.violations] == ["SCHEMA_ERROR"]
    assert found.violations[0].message == snapshot
    assert found.draft["nodes"][4]["x"] == spelling
    json.dumps(found.draft, allow_nan=False)


def test_values_at_the_limits_are_accepted():
    assert parse_answer(changed("nodes.4.x", 1000)).design.node_by_id[5].x == 1000
    assert parse_answer(changed("nodes.4.y", -1000.0)).design.node_by_id[5].y == -1000
    assert parse_answer(changed("edges.1.id", 2**31 - 1)).design.members[1].id == 2**31 - 1
    assert parse_answer(changed("edges.1.type", 10**20)).design.members[1].type == 10**20
    assert parse_answer(changed("edges.1.rate", ...)).design.members[1].rate == 0
    assert parse_answer(changed("edges.1.rate", 0.5)).design.members[1].rate == 0.5


@pytest.mark.parametrize(("name", "most"), [("nodes", MOST_NODES), ("edges", MOST_EDGES)])
def test_there_is_a_most_of_nodes_and_edges(name, most):
    item = answer(SMALL)[name][0]
    assert codes(changed(name, [item] * most)) == set()
    assert messages(changed(name, [item] * (most + 1))) == [
        f"SCHEMA_ERROR: {name} must have at most {most} items, not {most + 1}"
    ]


def test_all_schema_errors_come_at_once_in_the_order_of_the_fields():
    content = answer(SMALL)
    content["action"] = "build"
    content["nodes"][0] = "anchor"
    content["nodes"][2]["y"] = "low"
    del content["edges"][1]["anchorBID"]
    places = [v.values["place"] for v in parse_answer(json.dumps(content)).violations]
    assert places == ["action", "nodes[0]", "nodes[2].y", "edges[1].anchorBID"]


def test_thousands_of_schema_errors_end_in_a_count():
    found = parse_answer(changed("nodes", [{}] * 1000)).violations
    assert len(found) == 21
    assert found[-1].message == "and 3980 more of the kind SCHEMA_ERROR"


def test_unknown_fields_are_ignored_and_noted():
    content = answer(SMALL)
    content["comment"] = "x"
    content["nodes"][1]["label"] = content["nodes"][2]["label"] = "n"
    content["edges"][0]["colour"] = {"r": 1}
    found = parse_answer(json.dumps(content))
    assert found.design == SMALL
    assert found.notes == {"unknown_fields": ["comment", "nodes[].label", "edges[].colour"]}


def test_confidence_is_noted_and_nothing_else():
    assert parse_answer(changed("confidence", 0.75)).notes == {"confidence": 0.75}
    assert parse_answer(changed("confidence", 0.75)).design == SMALL


@pytest.mark.parametrize("value", [1.5, -0.1, "high", None, True, 10**30])
def test_a_confidence_that_is_no_share_is_an_unknown_field(value):
    found = parse_answer(changed("confidence", value))
    assert found.design == SMALL
    assert found.notes == {"unknown_fields": ["confidence"]}


def test_lone_surrogates_become_what_a_record_can_hold():
    text = changed("thought_process", "a").replace('"a"', r'"x\ud800y \ud83d\ude00 \\ud800"')
    found = parse_answer(text)
    assert found.thought == "x\ufffdy \U0001f600 \\ud800"
    raw = parse_answer(f"\udcff {GOOD}")
    assert raw.design == SMALL
    json.dumps(found.draft, ensure_ascii=False).encode()


@given(st.text())
@STEADY
def test_no_text_raises(text):
    found = parse_answer(text)
    assert found.design is None
    assert found.violations


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
paths = st.sampled_from(
    (
        *("action", "nodes", "edges", "nodes.0", "edges.1", "nodes.5", "confidence"),
        *("nodes.4.id", "nodes.4.x", "nodes.1.isKinematic"),
        *("edges.0.type", "edges.1.anchorAID", "edges.0.rate"),
    )
)


@given(paths, json_values)
@STEADY
def test_mutated_answers_never_raise_and_their_records_can_be_written(path, value):
    found = parse_answer(changed(path, value))
    assert (found.design is None) == bool(found.violations)
    record = {
        "draft": found.draft,
        "notes": dict(found.notes),
        "values": [dict(v.values) for v in found.violations],
        "messages": [v.message for v in found.violations],
    }
    json.dumps(record, allow_nan=False, ensure_ascii=False).encode()
    if found.design is not None:
        validate(LEVEL, found.design, 5000)


@given(st.data())
@STEADY
def test_damaged_text_never_raises_and_names_one_of_two_codes(data):
    at = data.draw(st.integers(0, len(GOOD)))
    length = data.draw(st.integers(0, 30))
    text = GOOD[:at] + data.draw(st.text('{}[]":,0.e-\\ntu ', max_size=5)) + GOOD[at + length :]
    assert codes(text) <= {"PARSE_ERROR", "SCHEMA_ERROR"}


@given(st.integers(1, len(GOOD) - 1))
@STEADY
def test_an_answer_cut_anywhere_is_a_parse_error_that_says_so(at):
    (message,) = messages(GOOD[:at])
    assert message.startswith("PARSE_ERROR: the JSON object that starts at line 1, column 1 is")


@given(
    st.lists(st.tuples(st.floats(-1000, 1000), st.floats(-1000, 1000), st.booleans()), max_size=9),
    st.text(max_size=30),
)
@STEADY
def test_any_graph_comes_back_from_its_answer(points, thought):
    nodes = tuple(
        Node(i + 1, round(x, 4) + 0.0, round(y, 4) + 0.0, k) for i, (x, y, k) in enumerate(points)
    )
    members = tuple(Member(100 + i, i - 3, 1 + i, 9) for i in range(len(nodes)))
    found = parse_answer(json.dumps(answer(Design(nodes, members), thought)))
    assert found.design == Design(nodes, members)
