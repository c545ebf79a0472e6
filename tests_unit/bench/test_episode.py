"""The accounting of an episode, and what it leaves on disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.episode import EpisodeResult, run_episode
from bench.errors import BudgetReached, ClientError, DriverError, FatalClientError
from bench.protocol import Settings
from bench.records import EpisodeFolder
from bench.task import Outcome
from tests_unit.support.fakes import FakeClient, FakeTask, answers


def play(letters: str, folder: Path, **options: Any) -> EpisodeResult:
    padded = letters + "V" * (3 - len(letters))
    client = FakeClient(list(answers(padded)))
    return run_episode(FakeTask(), client, EpisodeFolder(folder), Settings(**options))


@pytest.mark.parametrize(
    ("letters", "outcome", "valid", "won", "executions", "validation", "physics"),
    [
        # letters: what the calls 1, 2, 3 answer; then the counters, worked out by hand
        ("S", "success", 1, 1, 1, 0, 0),
        ("VS", "success", 2, 2, 1, 1, 0),
        ("PS", "success", 2, 2, 1, 1, 0),
        ("VVS", "success", 3, 3, 1, 2, 0),
        ("FS", "success", 1, 2, 2, 0, 1),
        ("FFS", "success", 1, 3, 3, 0, 2),
        ("FVS", "success", 1, 3, 2, 1, 1),
        ("VFS", "success", 2, 3, 2, 1, 1),
        ("VVF", "failure_or_timeout", 3, None, 1, 2, 0),
        ("FFF", "failure_or_timeout", 1, None, 3, 0, 2),
        ("FVV", "failure_or_timeout", 1, None, 1, 2, 1),
        ("FFV", "failure_or_timeout", 1, None, 2, 1, 2),
        ("VFV", "failure_or_timeout", 2, None, 1, 2, 1),
        ("VVV", "invalid", None, None, 0, 3, 0),
        ("PPP", "invalid", None, None, 0, 3, 0),
    ],
)
def test_accounting(
    letters: str,
    outcome: str,
    valid: int | None,
    won: int | None,
    executions: int,
    validation: int,
    physics: int,
    tmp_path: Path,
) -> None:
    result = play(letters, tmp_path)
    counters = result.trajectory.counters
    assert result.outcome == outcome
    assert counters.calls == len(letters)
    assert counters.valid_call == valid
    assert counters.success_call == won
    assert counters.executions == executions
    assert counters.validation_repairs == validation
    assert counters.execution_repairs == physics


def test_codes_count_once_a_candidate_and_single_violations_are_kept(tmp_path: Path) -> None:
    calls = play("VFS", tmp_path).trajectory.calls
    assert [c.codes for c in calls] == [
        ["BAD_REFERENCE", "OVER_BUDGET"],
        ["RUN_FALSE_AFTER_VALID"],
        [],
    ]
    assert [v.code for v in calls[0].violations] == [
        "BAD_REFERENCE",
        "BAD_REFERENCE",
        "OVER_BUDGET",
    ]
    assert calls[0].violations[1].ids == [8, 9]
    assert [c.status for c in calls] == ["invalid", "failure_or_timeout", "success"]
    assert [c.attempt for c in calls] == [None, 1, 2]
    assert [c.repairs for c in calls] == [None, "violations", "execution"]


def test_the_trajectory_carries_level_measures_flags_and_tokens(tmp_path: Path) -> None:
    play("PFS", tmp_path)
    data = json.loads((tmp_path / "trajectory.json").read_text())
    assert data["facts"]["strict_limit"] == 5000
    assert data["facts"]["condition"] == "strict"
    assert data["sample"] == 1
    parse, fall, win = data["calls"]
    assert parse["design"] is None
    assert parse["execution"] is None
    assert fall["design"]["metres_by_material"] == {"Road": 12.0}
    assert fall["execution"] == {"clean": False, "continuous_deck": True}
    assert win["design"]["cost"] == 4500.0
    assert win["execution"] == {"clean": True, "continuous_deck": True}
    own = json.loads((tmp_path / "call-3" / "execution.json").read_text())
    assert own["facts"] == {"clean": True, "continuous_deck": True, "digest": "win"}
    assert win["tokens"] == {"input": 100, "output": 20, "reasoning": None}


def test_fewer_attempts_end_the_episode_earlier(tmp_path: Path) -> None:
    assert play("FVS", tmp_path / "a", attempts=1).trajectory.counters.calls == 1
    assert play("VFS", tmp_path / "b", attempts=1).outcome is Outcome.FAILURE_OR_TIMEOUT
    assert play("FFS", tmp_path / "c", calls=2).trajectory.counters.calls == 2


def test_a_transport_failure_is_an_infra_error_and_goes_on_at_its_call(tmp_path: Path) -> None:
    folder = EpisodeFolder(tmp_path)
    client = FakeClient(["fall", ClientError("no answer after 4 attempts"), "win"])
    broken = run_episode(FakeTask(), client, folder)
    assert broken.outcome is Outcome.INFRA_ERROR
    assert broken.result.infra is not None
    assert (broken.result.infra.where, broken.result.infra.call) == ("client", 2)
    assert broken.trajectory.counters.calls == 1

    task, healed = FakeTask(), FakeClient(["never", "win", "never"])
    again = run_episode(task, healed, folder)
    assert again.outcome is Outcome.SUCCESS
    assert healed.sent == [2]
    assert task.executed == ["win"]
    assert again.trajectory.counters.success_call == 2


def test_a_driver_fault_is_an_infra_error_and_its_reply_is_not_paid_again(tmp_path: Path) -> None:
    folder = EpisodeFolder(tmp_path)
    task = FakeTask(faults=[DriverError("the window is gone")])
    assert run_episode(task, FakeClient(["win"]), folder).outcome is Outcome.INFRA_ERROR
    client = FakeClient([])
    assert run_episode(FakeTask(), client, folder).outcome is Outcome.SUCCESS
    assert client.sent == []


def test_a_fatal_client_error_is_recorded_and_stops_the_run(tmp_path: Path) -> None:
    with pytest.raises(FatalClientError, match="invalid key"):
        run_episode(
            FakeTask(), FakeClient([FatalClientError("invalid key")]), EpisodeFolder(tmp_path)
        )
    result = EpisodeFolder(tmp_path).result()
    assert result is not None
    assert result.outcome is Outcome.INFRA_ERROR


def test_an_exhausted_budget_leaves_the_episode_open(tmp_path: Path) -> None:
    with pytest.raises(BudgetReached):
        run_episode(
            FakeTask(), FakeClient(["bad", BudgetReached("--max-cost 1")]), EpisodeFolder(tmp_path)
        )
    assert EpisodeFolder(tmp_path).result() is None
    assert EpisodeFolder(tmp_path).call(1).feedback() is not None


def test_a_finished_episode_is_read_back(tmp_path: Path) -> None:
    first = play("FS", tmp_path)
    client, task = FakeClient([]), FakeTask()
    again = run_episode(task, client, EpisodeFolder(tmp_path))
    assert again.read_back
    assert again.trajectory == first.trajectory
    assert (client.sent, task.executed) == ([], [])


def test_the_request_is_on_disk_before_it_is_sent_with_pictures_by_hash(tmp_path: Path) -> None:
    folder = EpisodeFolder(tmp_path)
    found: list[dict[str, Any]] = []
    client = FakeClient(
        ["fall", "win"],
        on_send=lambda r: found.append(
            json.loads((tmp_path / f"call-{r.call}" / "request.json").read_text())
        ),
    )
    run_episode(FakeTask(), client, folder)
    assert [p["file"] for p in found[0]["pictures"]] == ["call-1/editor.png"]
    assert [p["file"] for p in found[1]["pictures"]] == [
        "call-2/editor.png",
        "call-1/contact_sheet.png",
    ]
    assert found[1]["messages"][0]["parts"][1:] == [{"image": "editor"}, {"image": "contact_sheet"}]
    assert len(found[0]["request_sha256"]) == 64


def test_every_record_of_a_call_is_there(tmp_path: Path) -> None:
    play("FS", tmp_path)
    names = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    call = {
        "request.json",
        "attempts.jsonl",
        "response.json",
        "design.json",
        "save.txt",
        "execution.json",
        "rollout.json.gz",
        "frames/frame_00.png",
        "feedback.json",
        "editor.png",
    }
    wanted = {f"call-{n}/{name}" for n in (1, 2) for name in call}
    assert names == wanted | {"call-1/contact_sheet.png", "result.json", "trajectory.json"}


def test_text_that_is_no_valid_unicode_is_recorded_exactly(tmp_path: Path) -> None:
    text = 'a lone surrogate \ud800, a NUL \x00, "quotes" and \u2028'
    run_episode(FakeTask(), FakeClient([text, "win"]), EpisodeFolder(tmp_path))
    response = EpisodeFolder(tmp_path).call(1).response()
    assert response is not None
    assert response.text == text


def test_a_huge_reply_is_cut_just_past_the_limit(tmp_path: Path) -> None:
    run_episode(FakeTask(), FakeClient(["\u00e9" * 1_500_000, "win"]), EpisodeFolder(tmp_path))
    response = EpisodeFolder(tmp_path).call(1).response()
    assert response is not None
    assert response.cut
    # Two bytes a character: 2,000,001 ends within one, which is kept whole.
    assert len(response.text.encode()) == 2_000_002


def test_no_machine_path_is_recorded(tmp_path: Path) -> None:
    fault = DriverError("/home/erika/game/save.layout: gone; see https://host.example/a/b")
    run_episode(FakeTask(faults=[fault]), FakeClient(["win"]), EpisodeFolder(tmp_path))
    result = EpisodeFolder(tmp_path).result()
    assert result is not None
    assert result.infra is not None
    assert result.infra.message == "<path>: gone; see https://host.example/a/b"


def test_attempts_are_logged_as_they_end(tmp_path: Path) -> None:
    run_episode(FakeTask(), FakeClient(["win"]), EpisodeFolder(tmp_path))
    assert EpisodeFolder(tmp_path).call(1).attempts() == [{"attempt": 1, "status": 200}]
