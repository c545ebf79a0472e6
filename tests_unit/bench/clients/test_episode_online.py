"""Episodes against the local server: records, secrets, resume and replay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.errors import BudgetReached, FatalClientError
from bench.records import EpisodeFolder
from bench.task import Outcome
from tests_unit.support.asking import play_episode
from tests_unit.support.model_server import ModelServer, Play, answer, by_level, error, in_turn

KEY = "sk-seeded-Kq81Lw0PzXe7"
GOOD, BAD, FALL = answer("win"), answer("bad"), answer("fall")


def without_timing(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: without_timing(v) for k, v in value.items() if k != "timing"}
    return [without_timing(v) for v in value] if isinstance(value, list) else value


def records(folder: Path) -> dict[str, Any]:
    """All JSON records of an episode without what two equal runs may differ in."""
    return {
        path.relative_to(folder).as_posix(): without_timing(json.loads(path.read_text()))
        for path in sorted(folder.rglob("*.json"))
        if path.name != "manifest.json"
    }


def test_recorded_episode_is_replayed_without_key_or_server(tmp_path: Path) -> None:
    with ModelServer(in_turn(BAD, error(503, "busy"), FALL, GOOD)) as server:
        online = play_episode(tmp_path / "online", server.url)
        assert len(server.seen) == 4
        url = server.url
    (tmp_path / "online" / "manifest.json").write_text("{}")
    again = play_episode(tmp_path / "again", url, replay=tmp_path / "online")
    assert online.outcome is Outcome.SUCCESS
    assert [c.status for c in online.trajectory.calls] == [
        "invalid",
        "failure_or_timeout",
        "success",
    ]
    assert again.outcome is Outcome.SUCCESS
    assert records(tmp_path / "again") == records(tmp_path / "online")
    assert not list((tmp_path / "again").rglob("attempts.jsonl"))


def test_attempts_and_tokens_are_on_disk(tmp_path: Path) -> None:
    with ModelServer(in_turn(Play(body=b"<html>"), GOOD)) as server:
        result = play_episode(tmp_path, server.url)
    lines = (tmp_path / "L1" / "call-1" / "attempts.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    assert [(r["attempt"], r["error"], r["possibly_billed"]) for r in rows] == [
        (1, "not_json", True),
        (2, None, False),
    ]
    call = result.trajectory.calls[0]
    assert (call.tokens.input, call.tokens.output, call.tokens.reasoning) == (1000, 200, 150)


def test_hash_of_the_request_record_is_that_of_the_reply(tmp_path: Path) -> None:
    with ModelServer(GOOD) as server:
        play_episode(tmp_path, server.url)
    call = tmp_path / "L1" / "call-1"
    asked = json.loads((call / "request.json").read_text())["request_sha256"]
    assert json.loads((call / "response.json").read_text())["meta"]["request_sha256"] == asked


def test_seeded_key_is_in_no_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRIDGE_KEY", KEY)
    echo = error(500, f"upstream said: bad header 'Bearer {KEY}' for {KEY}")
    with ModelServer(in_turn(echo, BAD, echo)) as server:
        result = play_episode(tmp_path, server.url, "api_key_env=BRIDGE_KEY")
        assert {seen.headers["authorization"] for seen in server.seen} == {f"Bearer {KEY}"}
    assert result.outcome is Outcome.INFRA_ERROR
    texts = [p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()]
    assert any(b"upstream said" in text for text in texts)
    assert not [text for text in texts if KEY.encode() in text]


def test_infra_error_is_asked_again_on_resume_and_the_rest_is_kept(tmp_path: Path) -> None:
    with ModelServer(in_turn(BAD, *[error(502, "gone")] * 3, GOOD)) as server:
        first = play_episode(tmp_path, server.url)
        assert first.outcome is Outcome.INFRA_ERROR
        assert len(server.seen) == 4
        second = play_episode(tmp_path, server.url)
        assert len(server.seen) == 5
    assert second.outcome is Outcome.SUCCESS
    assert [c.status for c in second.trajectory.calls] == ["invalid", "success"]


def test_fatal_fault_stops_at_once(tmp_path: Path) -> None:
    with ModelServer(error(401, "who are you")) as server:
        with pytest.raises(FatalClientError, match="who are you"):
            play_episode(tmp_path, server.url)
        assert len(server.seen) == 1


def test_reached_budget_leaves_the_episode_for_a_resume(tmp_path: Path) -> None:
    prices = ("price_input_usd=0", "price_output_usd=100", "price_date=2026-11-30")
    args = (*prices, "max_output_tokens=1000")  # $0.10 at most, and $0.02 for each answer
    limits = {"limits_folder": tmp_path / "limits"}
    with ModelServer(in_turn(BAD, GOOD)) as server:
        with pytest.raises(BudgetReached, match=r"\$0\.0200 is spent"):
            play_episode(tmp_path, server.url, *args, most_usd=0.11, **limits)
        assert len(server.seen) == 1
        assert EpisodeFolder(tmp_path / "L1").result() is None
        result = play_episode(tmp_path, server.url, *args, most_usd=0.12, **limits)
        assert len(server.seen) == 2
    assert result.outcome is Outcome.SUCCESS


def test_server_can_play_a_script_by_level(tmp_path: Path) -> None:
    with ModelServer(by_level({"L1": ["bad", GOOD], "L2": []})) as server:
        result = play_episode(tmp_path, server.url)
    assert [c.status for c in result.trajectory.calls] == ["invalid", "success"]
