"""Turns without pictures and records are those of a recorded episode."""

import json
from dataclasses import dataclass

import pytest

from bench.clients.base import Reply
from bench.clients.registry import make_client
from bench.domain import DriverOptions, get_domain
from bench.episode import run_episode
from bench.protocol import Settings
from bench.records import EpisodeFolder
from bench.turn import play_episode

DOMAIN = get_domain()


def task_of(level, settings, *, quiet):
    driver = DOMAIN.driver(DriverOptions("embedded", settings.window_s, quiet=quiet))
    return DOMAIN.task(level, settings, driver)


def text_task(level, budget="strict", **settings):
    return task_of(level, Settings(budget=budget, images=False, **settings), quiet=True)


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
def test_an_unrecorded_episode_ends_like_the_recorded_one(tmp_path, level, baseline):
    client = make_client(f"baseline:{baseline}")
    turns = play_episode(text_task(level), client)
    task = task_of(level, Settings(), quiet=False)
    recorded = run_episode(task, client, EpisodeFolder(tmp_path / level))
    calls = recorded.trajectory.calls
    assert [list(turn.codes) for turn in turns] == [call.codes for call in calls]
    assert [turn.status for turn in turns] == [call.status for call in calls]
    assert turns[-1].success == recorded.success
    for turn, call in zip(turns, calls, strict=True):
        if turn.execution is not None:
            record = recorded.folder.call(call.call).execution_record()
            facts = turn.execution.facts
            assert facts == {k: record.facts[k] for k in facts}
            assert call.execution == {k: facts[k] for k in ("clean", "continuous_deck")}


def test_nothing_is_drawn_and_the_data_are_those_of_the_pictured_task():
    level = "T1B_Basic_4m"
    client = Scripted(["no JSON", "{}", "[]"])
    turns = play_episode(text_task(level, "loose"), client)
    assert [t.step.codes for t in turns] == [("PARSE_ERROR",), ("SCHEMA_ERROR",), ("PARSE_ERROR",)]
    assert [o.pictures for o in client.seen] == [(), (), ()]
    full = task_of(level, Settings(budget="loose"), quiet=False).observe([])
    quick = {**client.seen[0].data, "pictures": full.data["pictures"]}
    assert quick == full.data


def test_anonymous_levels_hide_the_name():
    client = Scripted(["?"] * 3)
    play_episode(text_task("T1B_Basic_4m", anonymous=True), client)
    assert all("T1B" not in json.dumps(o.data) for o in client.seen)
