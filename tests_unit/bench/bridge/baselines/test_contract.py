"""Every baseline, over every level: what it answers parses, is complete and, mostly, legal."""

import json
from functools import cache

import pytest

from bench.bridge.answer.parse import parse_answer
from bench.bridge.baselines.registry import BASELINES
from bench.bridge.baselines.repeat import STOP
from bench.bridge.design.save import save_of
from bench.bridge.level.files import LevelFile, load_all
from bench.bridge.prompt.observation import build_observation
from bench.bridge.rules import validate
from bench.bridge.task import BridgeTask
from bench.clients.base import Request
from bench.clients.registry import make_client
from bench.protocol import Settings
from bench.task import Outcome
from tests_unit.support.bridge_fakes import ScriptedDriver

MAY_BREAK = {
    "plank": set(),
    "wood-truss-deck": {"CLEARANCE", "IN_TERRAIN", "OVER_BUDGET"},
    "wood-truss-through": {"CLEARANCE", "OVER_BUDGET"},
    "steel-truss-deck": {"CLEARANCE", "IN_TERRAIN", "OVER_BUDGET"},
    "steel-truss-through": {"CLEARANCE", "OVER_BUDGET"},
    "truss": {"CLEARANCE", "IN_TERRAIN", "OVER_BUDGET"},
    "engineer": {"OVER_BUDGET"},
}
EVERY = {"engineer": 9}
"""A baseline that takes its time answers every n-th level only; the ladder runs them all."""


@cache
def level_files() -> list[LevelFile]:
    return load_all()


def observe(task: BridgeTask, steps=()):
    return task.observe(list(steps))


@pytest.mark.parametrize("name", BASELINES)
def test_every_first_answer_parses_and_breaks_no_rule_but_the_stated_ones(name: str):
    client = make_client(f"baseline:{name}")
    broken: dict[str, set[str]] = {}
    for file in level_files()[:: EVERY.get(name, 1)]:
        task = BridgeTask(file, ScriptedDriver())
        observation = observe(task)
        reply = client.reply(Request("?", 1, 1, observation), lambda attempt: None)
        candidate = parse_answer(reply.text)
        assert candidate.violations == (), file.name
        assert candidate.notes == {} or not candidate.notes.get("wrapped"), file.name
        assert candidate.thought, file.name
        codes = {v.code for v in validate(file.level, candidate.design, task.limit_usd)}
        if codes - MAY_BREAK.get(name, set()):
            broken[file.name] = codes
    assert broken == {}


@pytest.mark.parametrize("name", BASELINES)
def test_new_ids_go_on_one_by_one_from_the_highest_anchor(name: str):
    for file in level_files()[::20]:
        task = BridgeTask(file, ScriptedDriver(), Settings(budget="loose"))
        graph = json.loads(BASELINES[name](observe(task).data))
        ids = [n["id"] for n in graph["nodes"]] + [e["id"] for e in graph["edges"]]
        assert ids == list(range(1, len(ids) + 1)), file.name


@pytest.mark.parametrize("name", BASELINES)
def test_answers_stay_legal_in_form_after_every_kind_of_feedback(name: str):
    client = make_client(f"baseline:{name}")
    for file in level_files()[:: 12 * EVERY.get(name, 1)]:
        driver = ScriptedDriver(*[(Outcome.FAILURE_OR_TIMEOUT, None)] * 3)
        task = BridgeTask(file, driver)
        steps = []
        for call in (1, 2, 3):
            data = observe(task, steps)
            text = client.reply(Request("?", call, 1, data), lambda attempt: None).text
            steps = [*steps, _step(task, call, text)]
            if text == STOP:
                continue
            assert steps[-1].candidate.violations == ()
            assert set(steps[-1].codes) <= MAY_BREAK.get(name, set()), (file.name, call)


def _step(task: BridgeTask, call: int, text: str):
    from bench.task import Execution, Step

    candidate = task.parse(text)
    violations = task.validate(candidate.design) if candidate.design else candidate.violations
    execution = None
    if not violations:
        summary = {"outcome": "failure_or_timeout"}
        execution = Execution(Outcome.FAILURE_OR_TIMEOUT, summary, {})
    feedback = task.feedback(candidate, violations, execution)
    return Step(call, text, candidate, violations, feedback)


@pytest.mark.parametrize("name", BASELINES)
def test_a_baseline_reads_nothing_but_the_observations_data(name: str):
    """The level of the request, the messages and the pictures may be anything."""
    file = level_files()[0]
    data = observe(BridgeTask(file, ScriptedDriver())).data
    context = file.context()
    alone = build_observation(
        context=context,
        save=save_of(parse_answer(BASELINES["plank"](data)).design, "another name"),
        steps=(),
        graph=None,
        pictures=(),
    )
    client = make_client(f"baseline:{name}")
    first = client.reply(Request("?", 1, 1, alone), lambda attempt: None).text
    assert first == BASELINES[name](data)


def test_the_same_observation_gives_the_same_answer():
    file = level_files()[-1]
    data = observe(BridgeTask(file, ScriptedDriver())).data
    for design in BASELINES.values():
        assert design(data) == design(data)
