"""An episode that is killed at any point and run again ends as if nothing had happened."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.episode import run_episode
from bench.errors import RecordError
from bench.records import EpisodeFolder
from tests_unit.support.fakes import FakeClient, FakeTask, answers


class Killed(BaseException):
    """The process is gone: no handler of the project may see this."""


@contextmanager
def killed_at_write(number: int, *, after: bool) -> Iterator[None]:
    """Die in the `number`-th write of a file, before or after its rename.

    Nothing is synced: these are crashes of the process, not of the machine.
    """
    writes = 0
    replace = Path.replace

    def dying_sync(fd: int) -> None:
        nonlocal writes
        writes += 1
        if writes == number and not after:
            raise Killed

    def dying_replace(self: Path, target: Path) -> Path:
        moved = replace(self, target)
        if writes == number and after:
            raise Killed
        return moved

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", dying_sync)
        patch.setattr(Path, "replace", dying_replace)
        yield


def timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: timeless(v) for k, v in value.items() if k != "timing"}
    if isinstance(value, list):
        return [timeless(v) for v in value]
    return value


def contents(folder: Path) -> dict[str, Any]:
    """Every record but timing and attempts.jsonl, as the protocol compares them."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.name == "attempts.jsonl":
            continue
        name = path.relative_to(folder).as_posix()
        data = path.read_bytes()
        found[name] = timeless(json.loads(data)) if path.suffix == ".json" else data
    return found


def run(folder: Path, letters: str, sent: list[int], executed: list[str]) -> None:
    client = FakeClient(list(answers(letters)), sent=sent)
    run_episode(FakeTask(executed=executed), client, EpisodeFolder(folder))


@cache
def undisturbed(letters: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        run(Path(name), letters, [], [])
        return contents(Path(name))


def count_writes(letters: str) -> int:
    writes = 0

    def counting(fd: int) -> None:
        nonlocal writes
        writes += 1

    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", counting)
        run(Path(name), letters, [], [])
    return writes


LETTERS = "VFS"
WRITES = count_writes(LETTERS)


def test_the_kill_matrix_covers_every_file() -> None:
    # 3 calls x (editor or a reference, request, attempt, response, 2 design files, feedback), two
    # executions x (2 files, execution), a sheet, result, trajectory; call 1 and 2 share a picture.
    assert WRITES == 3 * 6 + 2 + 2 * 3 + 1 + 2


@pytest.mark.parametrize("after", [False, True], ids=["torn", "whole"])
@pytest.mark.parametrize("number", range(1, WRITES + 1))
def test_a_kill_in_any_write_changes_nothing(number: int, after: bool, tmp_path: Path) -> None:
    sent: list[int] = []
    executed: list[str] = []
    with killed_at_write(number, after=after):
        try:
            run(tmp_path, LETTERS, sent, executed)
        except Killed:
            pass
        else:
            # A torn line at most: appending has no rename.
            assert after
    answered = [n for n in (1, 2, 3) if (tmp_path / f"call-{n}" / "response.json").exists()]
    before, ran = list(sent), list(executed)
    recorded = sum((tmp_path / f"call-{n}" / "execution.json").exists() for n in (1, 2, 3))
    run(tmp_path, LETTERS, sent, executed)

    assert contents(tmp_path) == undisturbed(LETTERS)
    again = sent[len(before) :]
    assert not set(again) & set(answered), "a recorded reply was asked for again"
    assert len(executed) - len(ran) == 2 - recorded, "a recorded execution ran again"


def test_a_kill_while_the_request_is_out_marks_it_as_possibly_billed(tmp_path: Path) -> None:
    def die(_: Any) -> None:
        raise Killed

    with pytest.raises(Killed):
        run_episode(FakeTask(), FakeClient(["win"], on_send=die), EpisodeFolder(tmp_path))
    assert EpisodeFolder(tmp_path).call(1).request() is not None
    result = run_episode(FakeTask(), FakeClient(["win"]), EpisodeFolder(tmp_path))
    rows = EpisodeFolder(tmp_path).call(1).attempts()
    assert [row.get("possibly_billed") for row in rows] == [True, None]
    assert result.trajectory.calls[0].timing["possibly_billed"] == 1
    assert contents(tmp_path) == undisturbed("S")


def test_a_kill_in_physics_keeps_the_reply(tmp_path: Path) -> None:
    class DyingTask(FakeTask):
        def execute(self, design: str) -> Any:
            raise Killed

    with pytest.raises(Killed):
        run_episode(DyingTask(), FakeClient(["win"]), EpisodeFolder(tmp_path))
    client = FakeClient([])
    run_episode(FakeTask(), client, EpisodeFolder(tmp_path))
    assert client.sent == []
    assert contents(tmp_path) == undisturbed("S")


@settings(max_examples=25, deadline=None)
@given(
    letters=st.text("VFSP", min_size=3, max_size=3),
    kills=st.lists(st.tuples(st.integers(1, 30), st.booleans()), min_size=1, max_size=4),
)
def test_any_chain_of_kills_gives_the_trajectory_of_an_undisturbed_run(
    letters: str, kills: list[tuple[int, bool]]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, after in kills:
            with killed_at_write(number, after=after):
                try:
                    run(folder, letters, [], [])
                except Killed:
                    continue
        run(folder, letters, [], [])
        assert contents(folder) == undisturbed(letters)


def test_code_that_gives_another_feedback_to_the_same_reply_is_refused(tmp_path: Path) -> None:
    class Changed(FakeTask):
        def feedback(self, *arguments: Any) -> Any:
            return type(super().feedback(*arguments))("violations", {"messages": ["new wording"]})

    def die(request: Any) -> None:
        if request.call == 2:
            raise Killed

    with pytest.raises(Killed):
        run_episode(FakeTask(), FakeClient(["bad"], on_send=die), EpisodeFolder(tmp_path))
    with pytest.raises(RecordError, match=r"call-1/feedback\.json: differs"):
        run_episode(Changed(), FakeClient(["bad", "win"]), EpisodeFolder(tmp_path))


def test_a_picture_changed_on_disk_is_refused(tmp_path: Path) -> None:
    def die(request: Any) -> None:
        if request.call == 2:
            raise Killed

    with pytest.raises(Killed):
        run_episode(FakeTask(), FakeClient(["fall"], on_send=die), EpisodeFolder(tmp_path))
    (tmp_path / "call-1" / "contact_sheet.png").write_bytes(b"another")
    with pytest.raises(RecordError, match=r"contact_sheet\.png: was changed on disk"):
        run_episode(FakeTask(), FakeClient(["fall", "win"]), EpisodeFolder(tmp_path))


def test_a_torn_line_of_the_attempt_log_is_left_out(tmp_path: Path) -> None:
    call = EpisodeFolder(tmp_path).call(1)
    call.log_attempt({"status": 500})
    with (tmp_path / "call-1" / "attempts.jsonl").open("a") as file:
        file.write('{"status": 2')
    call.log_attempt({"status": 200})
    assert call.attempts() == [{"status": 500}, {"status": 200}]
