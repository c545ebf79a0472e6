"""Quick episodes are the real ones without pictures."""

import json
from dataclasses import dataclass

import pytest

from bench.bridge.baselines.registry import BaselineClient
from bench.bridge.drivers import get_driver
from bench.bridge.level.files import load_level
from bench.bridge.task import BridgeTask
from bench.bridge.training.quick import QuickTask, play
from bench.clients.base import Reply
from bench.episode import run_episode
from bench.records import EpisodeFolder

PICTURES = ("pictures",)


@dataclass
class Scripted:
    """Answers with the given texts, one a call, and keeps what it was shown."""

    texts: list
    name: str = "scripted"

    def __post_init__(self):
        self.seen = []

    def reply(self, request, log):
        self.seen.append(request.observation)
        return Reply(self.texts[request.call - 1])


@pytest.mark.parametrize("baseline", ["plank", "truss"])
@pytest.mark.parametrize("level", ["T1B_Basic_6m", "T2I_RockBelow_10m_R1m"])
def test_a_quick_episode_ends_like_the_recorded_one(tmp_path, level, baseline):
    file = load_level(level)
    turns = play(QuickTask(file, "strict"), BaselineClient(baseline))
    recorded = run_episode(
        BridgeTask(file, "strict", get_driver("embedded")),
        BaselineClient(baseline),
        EpisodeFolder(tmp_path / level),
    )
    calls = recorded.trajectory.calls
    assert [t.step.codes for t in turns] == [
        tuple(c for c in call.codes if c != "RUN_FALSE_AFTER_VALID") for call in calls
    ]
    assert turns[-1].success == recorded.success
    for turn, call in zip(turns, calls, strict=True):
        if turn.execution is not None:
            record = recorded.folder.call(call.call).execution_record()
            facts = turn.execution.facts
            assert facts == {k: record.facts[k] for k in facts}
            assert call.execution == {k: facts[k] for k in ("clean", "continuous_deck")}


def test_nothing_is_drawn_and_the_data_are_those_of_the_pictured_task():
    file = load_level("T1B_Basic_4m")
    client = Scripted(["no JSON", "{}", "[]"])
    turns = play(QuickTask(file, "loose"), client)
    assert [t.step.codes for t in turns] == [("PARSE_ERROR",), ("SCHEMA_ERROR",), ("PARSE_ERROR",)]
    assert [o.pictures for o in client.seen] == [(), (), ()]
    full = BridgeTask(file, "loose", get_driver("embedded")).observe([])
    quick = {**client.seen[0].data, "pictures": full.data["pictures"]}
    assert quick == full.data


def test_anonymous_levels_hide_the_name():
    client = Scripted(["?"] * 3)
    play(QuickTask(load_level("T1B_Basic_4m"), "strict", anonymous=True), client)
    assert all("T1B" not in json.dumps(o.data) for o in client.seen)
