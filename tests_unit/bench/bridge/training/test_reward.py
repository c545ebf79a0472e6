"""The reward: parts in [0, 1], nothing for what is legal and useless, equal alone and in bulk."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from bench.bridge import score
from bench.bridge.design.design import Design
from bench.bridge.design.graph import graph_of
from bench.bridge.level.files import load_level
from bench.bridge.training.reward import deck_cover, reward, rewards_many
from bench.errors import InputError
from bench.task import Outcome
from tests_unit.bench.bridge.physics.cases import calibration, chain

LEVEL = load_level("T1B_Basic_8m").level
ANCHORS = [{"id": a.id, "x": a.x, "y": a.y, "isKinematic": True} for a in LEVEL.anchors]


def answer(nodes: list, edges: list) -> str:
    return json.dumps(
        {"action": "modify", "thought_process": "", "nodes": ANCHORS + nodes, "edges": edges}
    )


def edge(key: int, kind: int, a: int, b: int) -> dict:
    return {"id": key, "type": kind, "anchorAID": a, "anchorBID": b, "rate": 0}


def node(key: int, x: float, y: float) -> dict:
    return {"id": key, "x": x, "y": y, "isKinematic": False}


def wood_truss() -> str:
    """The known good 8 m truss, on this level's anchor ids."""
    design = next(c for c in calibration() if c.name == "wood_8m_light3").design
    new_id = {1: 1, 5: 2, 10: 3, 11: 4}
    key = {n.id: new_id.get(n.id, 100 + n.id) for n in design.nodes}
    nodes = [node(key[n.id], n.x, n.y) for n in design.nodes if n.id not in new_id]
    return answer(nodes, [edge(200 + m.id, m.type, key[m.a], key[m.b]) for m in design.members])


def plank() -> str:
    nodes = [node(10 + i, 2.0 * i, 0.0) for i in (1, 2, 3)]
    return answer(nodes, [edge(20 + k, 1, a, b) for k, (a, b) in
                          enumerate([(1, 11), (11, 12), (12, 13), (13, 2)])])  # fmt: skip


def stubs() -> str:
    design = chain(8.0, 0.8, 2.0, (1,))
    nodes, edges = [], []
    for n in design.nodes[1:-1]:
        nodes.append(node(10 + n.id, n.x, n.y))
        for k in range(3):
            key = 100 + 10 * n.id + k
            nodes.append(node(key, round(n.x - 0.2 + 0.2 * k, 4), round(n.y - 0.3, 4)))
            edges.append(edge(1000 + key, 1, 10 + n.id, key))
    ends = [1, *[10 + n.id for n in design.nodes[1:-1]], 2]
    edges += [edge(500 + k, 1, a, b) for k, (a, b) in enumerate(pairwise(ends))]
    return answer(nodes, edges)


DEGENERATE = {
    "no JSON": "I cannot do this.",
    "empty object": "{}",
    "empty graph": '{"action": "modify", "thought_process": "", "nodes": [], "edges": []}',
    "anchors only": answer([], []),
    "a stick on an anchor": answer([node(5, 1.0, 1.0)], [edge(6, 2, 1, 5)]),
    "members between anchors": answer([], [edge(6, 2, 1, 3), edge(7, 2, 2, 4)]),
    "a plank": plank(),
    "a chain laden with stubs": stubs(),
    "thousands of tiny members": answer(
        [node(10 + i, round(0.001 * i, 4), 0.5) for i in range(990)],
        [edge(5000 + i, 1, 10 + i, 11 + i) for i in range(989)],
    ),
    "the prompt's example": json.dumps(
        {
            "action": "modify", "thought_process": "brief decision summary",
            "nodes": [
                {"id": 1, "x": 0.0, "y": 0.0, "isKinematic": True},
                {"id": 2, "x": 2.0, "y": 0.0, "isKinematic": False},
            ],
            "edges": [edge(3, 1, 1, 2)],
        }
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_answers_score_low(name: str) -> None:
    got = reward(DEGENERATE[name], LEVEL)
    assert 0.0 <= got.total < 0.3
    assert got.function < 0.25
    assert got.cost == 0.0


@pytest.mark.parametrize(
    "name", ["empty graph", "anchors only", "a stick on an anchor", "members between anchors"]
)
def test_what_is_legal_and_useless_earns_no_more_than_reading(name: str) -> None:
    assert reward(DEGENERATE[name], LEVEL).total <= 0.05


def test_a_bridge_that_works_earns_function_and_the_money_saved() -> None:
    got = reward(wood_truss(), LEVEL, "loose")
    assert (got.parse, got.validity, got.function) == (1.0, 1.0, 1.0)
    assert got.cost == pytest.approx(1.0 - got.details["cost_usd"] / 50_000)
    assert got.total == pytest.approx(0.85 + 0.15 * got.cost)


def test_doing_nothing_covers_nothing_and_half_a_deck_half() -> None:
    assert deck_cover(LEVEL, Design((), ())) == 0.0
    half = chain(8.0, 0.0, 2.0, (1,))
    assert deck_cover(LEVEL, Design(half.nodes, half.members[:2])) == pytest.approx(0.5)


def test_rewards_in_bulk_equal_single_calls() -> None:
    answers = [*DEGENERATE.values(), wood_truss()] * 2
    assert rewards_many(answers, [LEVEL] * len(answers)) == [reward(a, LEVEL) for a in answers]


def test_an_unknown_budget_is_refused() -> None:
    with pytest.raises(InputError, match="--budget 'cheap' is unknown"):
        reward("{}", LEVEL, "cheap")


def test_score_gives_the_outcome_without_pytest() -> None:
    from bench.bridge.answer.parse import parse_answer

    good, flat = parse_answer(wood_truss()).design, parse_answer(plank()).design
    assert good is not None
    assert flat is not None
    assert score(LEVEL, good, "loose") is Outcome.SUCCESS
    assert score(LEVEL, flat) is Outcome.FAILURE_OR_TIMEOUT
    assert score(LEVEL, Design((), ())) is Outcome.INVALID


def test_graph_of_is_what_a_model_would_answer() -> None:
    from bench.bridge.answer.parse import parse_answer

    design = parse_answer(wood_truss()).design
    assert design is not None
    text = json.dumps({"action": "modify", "thought_process": "", **graph_of(design)})
    assert parse_answer(text).design == design
