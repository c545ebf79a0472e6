"""Reading sessions back: lazily, and with an error that names the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.episode import run_episode
from bench.errors import RecordError
from bench.records import EpisodeFolder, Key, Manifest, Session, read_session
from bench.records.files import write_json
from bench.records.reader import summarize
from tests_unit.support.fakes import FakeClient, FakeTask, answers


def session(path: Path, samples: int = 1, **letters: str) -> Session:
    """A session of levels that were played as their letters say; '' was not run."""
    manifest = Manifest(
        protocol="pbb-1.0",
        session=path.name,
        configuration={"model": "fake", "budget": "strict", "samples": samples},
        hashes={},
        expected=[Key(level=name, sample=s) for name in letters for s in range(1, samples + 1)],
        source={},
        environment={},
    )
    path.mkdir(exist_ok=True)
    write_json(path / "manifest.json", manifest.dump())
    for name, word in letters.items():
        for sample in range(1, samples + 1) if word else ():
            folder = path / name if samples == 1 else path / name / f"sample-{sample}"
            client = FakeClient(list(answers(word)))
            run_episode(FakeTask(name), client, EpisodeFolder(folder), sample=sample)
    return read_session(path)


def test_episodes_come_in_the_order_in_which_they_were_expected(tmp_path: Path) -> None:
    found = session(tmp_path, L2="VVV", L1="S", L3="")
    assert [e.key.level for e in found.episodes()] == ["L2", "L1", "L3"]
    assert [e.result and e.result.outcome for e in found.episodes()] == ["invalid", "success", None]
    assert [t.level for t in found.trajectories()] == ["L2", "L1"]
    assert (found.model, found.budget, found.samples) == ("fake", "strict", 1)


def test_samples_are_read_from_their_folders(tmp_path: Path) -> None:
    found = session(tmp_path, samples=2, L1="FS")
    assert [(t.level, t.sample) for t in found.trajectories()] == [("L1", 1), ("L1", 2)]


def test_a_summary_counts_what_is_finished(tmp_path: Path) -> None:
    summary = summarize(session(tmp_path, L1="FS", L2="", L3="FVV"))
    assert (summary.expected, summary.finished) == (3, 2)
    assert summary.outcomes == {"failure_or_timeout": 1, "success": 1}
    first, missing, last = summary.results
    assert (first.success_call, first.executions, first.cost) == (2, 2, 4500.0)
    assert (missing.outcome, missing.calls) == (None, 0)
    assert (last.valid_call, last.success_call) == (1, None)


def test_a_copied_session_reads_the_same(tmp_path: Path) -> None:
    found = session(tmp_path / "a", L1="FS")
    (tmp_path / "a").rename(tmp_path / "b")
    moved = read_session(tmp_path / "b")
    assert moved.name == "a"
    assert [t.level for t in moved.trajectories()] == ["L1"]
    assert found.path != moved.path


def test_episode_folders_that_nobody_expects_are_found(tmp_path: Path) -> None:
    found = session(tmp_path, L1="S")
    run_episode(FakeTask("L9"), FakeClient(["win"]), EpisodeFolder(tmp_path / "L9"))
    assert found.strays() == ["L9"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda d: d.pop("counters"), r"L1/trajectory\.json: counters: Field required"),
        (lambda d: d.update(outcome="won"), r"L1/trajectory\.json: outcome: Input should be"),
        (lambda d: d.update(sample="1"), r"sample: Input should be a valid integer"),
        (lambda d: d.update(more=1), r"more: Extra inputs are not permitted"),
        (
            lambda d: d.update(schema="pbb-trajectory-9"),
            r"schema is 'pbb-trajectory-9'; this version reads 'pbb-trajectory-3'",
        ),
    ],
)
def test_a_record_that_does_not_fit_is_named(change: Any, told: str, tmp_path: Path) -> None:
    found = session(tmp_path, L1="S")
    path = tmp_path / "L1" / "trajectory.json"
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    with pytest.raises(RecordError, match=told):
        list(found.trajectories())


def test_a_trajectory_of_the_first_version_is_still_read(tmp_path: Path) -> None:
    found = session(tmp_path, L1="FS")
    path = tmp_path / "L1" / "trajectory.json"
    data = json.loads(path.read_text())
    data["schema"] = "pbb-trajectory-1"
    for call in data["calls"]:
        call["request_sha256"] = "0" * 64
        call["execution"] |= {"digest": "0" * 64, "decided_s": 4.0}
    path.write_text(json.dumps(data))
    (trajectory,) = found.trajectories()
    assert [call.status for call in trajectory.calls] == ["failure_or_timeout", "success"]
    assert [call.execution["clean"] for call in trajectory.calls if call.execution] == [False, True]
    data["calls"] = None
    path.write_text(json.dumps(data))
    with pytest.raises(RecordError, match=r"trajectory\.json: calls: Input should be a valid list"):
        list(read_session(tmp_path).trajectories())


def test_broken_json_and_missing_files_are_named(tmp_path: Path) -> None:
    found = session(tmp_path, L1="S", L2="S")
    (tmp_path / "L1" / "trajectory.json").write_text('{"schema": ')
    with pytest.raises(RecordError, match=r"L1/trajectory\.json: is not JSON"):
        _ = next(iter(found.episodes())).trajectory
    (tmp_path / "L2" / "trajectory.json").unlink()
    with pytest.raises(RecordError, match=r"L2/trajectory\.json: cannot be read"):
        _ = found.episode(Key(level="L2")).trajectory
    with pytest.raises(RecordError, match=r"manifest\.json: is missing"):
        read_session(tmp_path / "L1")


def test_call_folders_give_replies_feedback_and_executions(tmp_path: Path) -> None:
    episode = session(tmp_path, L1="VFS").episode(Key(level="L1"))
    invalid, fall, win = episode.calls()
    assert invalid.execution() is None
    feedback = invalid.feedback()
    assert feedback is not None
    assert [v.code for v in feedback.violations][-1] == "OVER_BUDGET"
    assert feedback.thought == "I choose bad"
    execution = fall.execution()
    assert execution is not None
    assert execution.facts["clean"] is False
    assert [p.name for p in execution.pictures] == ["contact_sheet"]
    response = win.response()
    assert response is not None
    assert response.text == "win"
