"""The contract of every rule: one accepted and one rejected design, and its message."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.level.level import Level
from bench.bridge.rules import CODES, RULES, Case, Rule, RuleBook, validate
from bench.bridge.rules.wording import SHOWN_PER_CODE
from bench.bridge.training.reward import rules_held
from bench.task import Violation
from tests_unit.support.factories import deck, flat_level, platform_level, rock_level, warren

LEVEL = flat_level(4.0)
# Anchors 1 (0, 0), 2 (4, 0), 3 (0, -2), 4 (4, -2); node 5 (2, 0); roads 6 (1-5) and 7 (5-2).
DECK = deck(LEVEL)
LOWER = Node(8, 2.0, -1.0)
HANGER = Member(9, 2, 5, 8)


def plus(*items: Node | Member, base: Design = DECK) -> Design:
    """The base with more nodes and members."""
    nodes = tuple(i for i in items if isinstance(i, Node))
    members = tuple(i for i in items if isinstance(i, Member))
    return Design((*base.nodes, *nodes), (*base.members, *members))


def swap(item: Node | Member, base: Design = DECK) -> Design:
    """The base with the node or member of the same id replaced."""
    if isinstance(item, Node):
        nodes = tuple(item if n.id == item.id else n for n in base.nodes)
        return replace(base, nodes=nodes)
    return replace(base, members=tuple(item if m.id == item.id else m for m in base.members))


@dataclass(frozen=True)
class Example:
    """A design just on the right side of a rule, and one that breaks it.

    `also` are the codes that the broken design cannot but raise as well.
    """

    accepted: Design
    rejected: Design
    level: Level = LEVEL
    limit_usd: float = 1000.0
    also: tuple[str, ...] = ()
    rejected_level: Level | None = None

    @property
    def accepted_case(self) -> Case:
        return Case(self.level, self.accepted, self.limit_usd)

    @property
    def rejected_case(self) -> Case:
        return Case(self.rejected_level or self.level, self.rejected, self.limit_usd)


def found(case: Case) -> tuple[Violation, ...]:
    return validate(case.level, case.design, case.limit_usd)


EXAMPLES = {
    "EMPTY_TOPOLOGY": Example(DECK, Design(DECK.nodes, ())),
    "DUPLICATE_ID": Example(plus(LOWER, HANGER), plus(LOWER, replace(HANGER, id=8))),
    "ANCHOR_MISSING": Example(DECK, replace(DECK, nodes=DECK.nodes[:3] + DECK.nodes[4:])),
    "ANCHOR_MOVED": Example(swap(Node(4, 4.0, -2.0001, True)), swap(Node(4, 4.0, -2.5, True))),
    "ANCHOR_RELEASED": Example(DECK, swap(Node(3, 0.0, -2.0, False))),
    "ANCHOR_ADDED": Example(plus(LOWER, HANGER), plus(replace(LOWER, is_anchor=True), HANGER)),
    "BAD_REFERENCE": Example(plus(LOWER, HANGER), plus(Member(9, 2, 7, 88))),
    "SELF_LOOP": Example(plus(LOWER, HANGER), plus(Member(9, 2, 5, 5))),
    "EDGE_TOO_SHORT": Example(
        plus(Node(8, 2.0, -0.25), HANGER),
        plus(Node(8, 2.0, -0.24), HANGER),
        also=("NODES_TOO_CLOSE",),
    ),
    "UNKNOWN_MATERIAL": Example(
        plus(LOWER, replace(HANGER, type=3)),
        plus(LOWER, replace(HANGER, type=4)),
        limit_usd=1250.0,
    ),
    "MATERIAL_NOT_ALLOWED": Example(
        plus(LOWER, HANGER),
        plus(LOWER, replace(HANGER, type=3)),
        level=replace(LEVEL, material_profile="road_wood_only"),
        limit_usd=2000.0,
    ),
    "EDGE_TOO_LONG": Example(
        plus(Node(8, 2.0, -2.001), HANGER), plus(Node(8, 2.0, -2.0012), HANGER), limit_usd=2000.0
    ),
    "DUPLICATE_EDGE": Example(plus(Member(9, 2, 5, 1)), plus(Member(9, 1, 5, 1)), limit_usd=2000.0),
    "NODES_TOO_CLOSE": Example(
        plus(Node(8, 2.2491, 0.0), Member(9, 2, 8, 2)),
        plus(Node(8, 2.2489, 0.0), Member(9, 2, 8, 2)),
        limit_usd=2000.0,
    ),
    "ROADS_OVERLAP": Example(
        plus(Node(8, 1.0, -0.2491), Member(9, 1, 1, 8)),
        plus(Node(8, 1.0, -0.2489), Member(9, 1, 1, 8)),
        limit_usd=2000.0,
    ),
    "IN_TERRAIN": Example(
        plus(Node(8, 0.0, -1.0), Member(9, 2, 1, 8)), plus(Node(8, -0.01, -1.0), Member(9, 2, 1, 8))
    ),
    "ISOLATED_NODE": Example(plus(LOWER, HANGER), plus(LOWER), also=("DISCONNECTED",)),
    "DISCONNECTED": Example(
        plus(LOWER, Node(10, 3.0, -1.0), HANGER, Member(11, 2, 8, 10)),
        plus(LOWER, Node(10, 3.0, -1.0), Member(11, 2, 8, 10)),
        limit_usd=2000.0,
    ),
    "CLEARANCE": Example(
        DECK,
        DECK,
        level=rock_level(4.0, tip=(1.0, -0.0001)),
        rejected_level=rock_level(4.0, tip=(1.0, 0.0)),
    ),
    "OVER_BUDGET": Example(DECK, plus(LOWER, HANGER), limit_usd=800.0),
}


def test_every_rule_has_an_example_and_every_example_a_rule():
    assert tuple(EXAMPLES) == RULES.codes


@pytest.mark.parametrize("code", RULES.codes)
def test_the_accepted_design_breaks_no_rule(code):
    assert found(EXAMPLES[code].accepted_case) == ()


@pytest.mark.parametrize("code", RULES.codes)
def test_the_rejected_design_breaks_this_rule_alone(code, snapshot):
    violations = found(EXAMPLES[code].rejected_case)
    assert tuple(v.code for v in violations) == (code, *EXAMPLES[code].also)
    assert violations[0] == snapshot


@pytest.mark.parametrize("code", RULES.codes)
def test_the_share_of_rules_held_leaves_out_the_broken_ones_and_what_a_stop_hides(code):
    rule = next(rule for rule in RULES if rule.code == code)
    case = EXAMPLES[code].rejected_case
    found = {v.code for v in validate(case.level, case.design, case.limit_usd)}
    later = RULES.codes[RULES.codes.index(code) :]
    broken = later if rule.stops else (code, *EXAMPLES[code].also)
    assert rules_held(tuple(found)) == (len(RULES) - len(set(broken))) / len(RULES)


@pytest.mark.parametrize("rule", tuple(RULES), ids=RULES.codes)
def test_a_rule_raises_its_own_code_only(rule):
    raised = {v.code for example in EXAMPLES.values() for v in rule.find(example.rejected_case)}
    assert raised == {rule.code}


def test_the_codes_are_the_contracts_in_its_order():
    expected = (
        *("PARSE_ERROR", "SCHEMA_ERROR", "EMPTY_TOPOLOGY", "DUPLICATE_ID"),
        *("ANCHOR_MISSING", "ANCHOR_MOVED", "ANCHOR_RELEASED", "ANCHOR_ADDED", "BAD_REFERENCE"),
        *("SELF_LOOP", "EDGE_TOO_SHORT", "UNKNOWN_MATERIAL", "MATERIAL_NOT_ALLOWED"),
        *("EDGE_TOO_LONG", "DUPLICATE_EDGE", "NODES_TOO_CLOSE", "ROADS_OVERLAP", "IN_TERRAIN"),
        *("ISOLATED_NODE", "DISCONNECTED", "CLEARANCE", "OVER_BUDGET"),
    )
    assert expected == CODES


def test_two_rules_with_one_code_are_refused():
    rule = Rule("OVER_BUDGET", lambda case: iter(()))
    with pytest.raises(ValueError, match="two rules are registered as OVER_BUDGET"):
        RuleBook((*RULES, rule))


OTHER_MESSAGES = {
    "no nodes and no edges": (LEVEL, Design((), ())),
    "id used by many": (LEVEL, Design(DECK.nodes, tuple(Member(5, 1, 1, 5) for _ in range(15)))),
    "node beside an anchor": (LEVEL, plus(Node(8, 0.001, 0.0), Member(9, 2, 8, 5))),
    "nodes on one spot": (
        LEVEL,
        plus(*(Node(i, 2.0, -1.0) for i in (8, 10)), HANGER, Member(11, 2, 5, 10)),
    ),
    "roads on one line": (
        LEVEL,
        plus(
            *(Node(10 + i, x, 0.0) for i, x in enumerate((1.0, 3.0))),
            *(Member(20 + i, 1, a, b) for i, (a, b) in enumerate(((1, 10), (10, 11), (11, 2)))),
        ),
    ),
    "both ends missing": (LEVEL, plus(Member(9, 2, 77, 88))),
    "third edge": (LEVEL, plus(Member(9, 2, 5, 1), Member(10, 3, 1, 5))),
    "third edge of unknown type": (LEVEL, plus(Member(9, 2, 5, 1), Member(10, 7, 1, 5))),
    "in the right bank": (
        flat_level(4.0, rise=1.0),
        plus(Node(18, 4.25, 0.9), Member(19, 2, 2, 18), base=deck(flat_level(4.0, rise=1.0))),
    ),
    "in a sloping bank": (
        replace(LEVEL, left_toe_x=1.0),
        plus(Node(8, 0.1, -1.0), Member(9, 2, 5, 8)),
    ),
    "in a platform": (
        platform_level(),
        plus(Node(80, 8.0, -0.5), Member(81, 2, 10, 80), base=deck(platform_level())),
    ),
    "joined group": (
        LEVEL,
        plus(
            *(Node(20 + i, 1.0 + 0.25 * i, 3.0) for i in range(15)),
            *(Member(40 + i, 3, 20, 21 + i) for i in range(14)),
        ),
    ),
    "node in a rock": (rock_level(4.0, tip=(2.0, 0.0)), DECK),
}


@pytest.mark.parametrize("name", OTHER_MESSAGES)
def test_messages_of_special_cases(name, snapshot):
    level, design = OTHER_MESSAGES[name]
    assert [v.message for v in validate(level, design, 100_000)] == snapshot


def test_many_violations_of_a_code_end_in_a_count():
    loops = tuple(Member(100 + i, 1, 5, 5) for i in range(50))
    violations = validate(LEVEL, plus(*loops), 1000)
    assert len(violations) == SHOWN_PER_CODE + 1
    assert violations[-1].message == "and 30 more of the kind SELF_LOOP"
    assert violations[-1].values == {"more": 30}
    assert {v.code for v in violations} == {"SELF_LOOP"}


def test_all_violations_come_in_one_pass_in_the_order_of_the_rules():
    broken = plus(
        Node(8, -1.0, -1.0, True),
        Member(9, 9, 8, 99),
        Member(10, 3, 1, 4),
        Member(11, 1, 2, 2),
        base=swap(Node(1, 0.0, 0.5, True)),
    )
    codes = [v.code for v in validate(LEVEL, broken, 0)]
    assert codes == [
        "ANCHOR_MOVED",
        "ANCHOR_ADDED",
        "BAD_REFERENCE",
        "SELF_LOOP",
        "UNKNOWN_MATERIAL",
        "EDGE_TOO_LONG",  # road 6, now from (0, 0.5): 2.06 m
        "EDGE_TOO_LONG",  # steel 10 over the diagonal of the gap: 4.72 m
        "IN_TERRAIN",
        "DISCONNECTED",
        "OVER_BUDGET",
    ]


def test_a_warren_truss_is_legal_up_to_its_cost():
    level = flat_level(10.0)
    # 10 m of road, 8 m of chord, and 10 diagonals of sqrt(1 + 1.5^2) = 1.802776 m.
    assert validate(level, warren(level), 2000 + 180 * (8 + 18.0278)) == ()
    assert [v.code for v in validate(level, warren(level), 6684.99)] == ["OVER_BUDGET"]
