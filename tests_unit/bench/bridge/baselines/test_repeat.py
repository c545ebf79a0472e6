"""A baseline never sends one design twice: it says that it has no other, and stays with that."""

import json
from typing import Any

import pytest

from bench.bridge.baselines.registry import BASELINES
from bench.bridge.baselines.repeat import STOP, never_twice
from tests_unit.support.bridge_fakes import FAIL, ScriptedDriver, make_task, play
from tests_unit.support.factories import flat_level

GRAPH = {"nodes": [{"id": 1, "x": 0.0}], "edges": [{"id": 2}]}


def designer(data: Any) -> str:
    return json.dumps({"thought_process": "as ever", **GRAPH})


@pytest.mark.parametrize(
    ("previous", "stops"),
    [
        (None, False),
        ({"candidate": GRAPH}, True),
        ({"candidate": {**GRAPH, "thought_process": "another"}}, True),
        ({"candidate": {**GRAPH, "edges": []}}, False),
        ({"candidate": [1, 2]}, False),  # a model's draft may be any JSON value
        ({"raw_text": "no json"}, False),
        ({"raw_text": STOP}, True),
    ],
)
def test_it_stops_where_its_answer_is_the_last_candidate(previous: Any, stops: bool):
    assert (never_twice(designer)({"previous": previous}) == STOP) is stops


@pytest.mark.parametrize("name", ["plank", "truss", "wood-truss-deck"])
def test_an_episode_holds_each_design_once(name: str):
    """A gap of 4 m, and every legal design fails."""
    task = make_task(ScriptedDriver(FAIL, FAIL, FAIL), level=flat_level(4.0))
    texts: list[str] = []
    for _ in range(3):
        texts.append(BASELINES[name](task.observe(play(task, *texts)).data))
        task = make_task(ScriptedDriver(FAIL, FAIL, FAIL), level=flat_level(4.0))
    answers = [json.loads(text) for text in texts if text != STOP]
    designs = [json.dumps([answer["nodes"], answer["edges"]]) for answer in answers]
    assert len(set(designs)) == len(designs)
    assert [t == STOP for t in texts] == sorted(t == STOP for t in texts)
