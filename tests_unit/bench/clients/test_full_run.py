"""Eight levels against the local server: good answers, bad ones and faults, end to end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from bench.bridge.baselines.registry import BASELINES
from bench.bridge.level.files import load_level
from bench.bridge.physics.engine import simulate
from bench.bridge.physics.result import Ending
from bench.bridge.task import BridgeTask
from bench.protocol import PAPER
from tests_unit.support.bridge_fakes import embedded
from tests_unit.support.model_server import ModelServer, Play, Seen, answer, by_level, error, html
from tests_unit.support.paths import ROOT

LEVELS = [f"T1B_Basic_{span}m" for span in (4, 6, 7, 8, 9, 10, 12, 14)]


def designs(level: str) -> tuple[str, str]:
    """A design that carries the traffic and one that falls, as a model would answer."""
    file = load_level(level)
    options = replace(PAPER, budget="loose", images=False)
    task = BridgeTask(file, embedded(), options)
    data = task.observe([]).data
    found: dict[bool, str] = {}
    for design in BASELINES.values():
        text = design(data)
        candidate = task.parse(text)
        if candidate.design is None or task.validate(candidate.design):
            continue
        result = simulate(file.level, candidate.design)
        found.setdefault(result.ending is Ending.SUCCESS, text)
    assert set(found) == {True, False}, f"no baseline wins, or none falls, on {level}"
    return found[True], found[False]


@pytest.fixture(scope="module")
def script() -> Mapping[str, Sequence[str | Play]]:
    """Two attempts a call, so two 502 are an infra_error."""
    refusal = answer(None, "stop", refusal="I do not build bridges")
    win, fall = zip(*(designs(level) for level in LEVELS), strict=True)
    return {
        LEVELS[0]: [win[0]],
        LEVELS[1]: ["{", win[1]],
        LEVELS[2]: [fall[2], win[2]],
        LEVELS[3]: [fall[3], fall[3], fall[3]],
        LEVELS[4]: ["{", "[]", "no bridge today"],
        LEVELS[5]: [error(503, "loading"), win[5]],
        LEVELS[6]: [html(502), html(502)],
        LEVELS[7]: [refusal, fall[7], win[7]],
    }


# What the script implies: outcome, calls, executions, first valid call, call of the success.
EXPECTED = {
    LEVELS[0]: ("success", 1, 1, 1, 1),
    LEVELS[1]: ("success", 2, 1, 2, 2),
    LEVELS[2]: ("success", 2, 2, 1, 2),
    LEVELS[3]: ("failure_or_timeout", 3, 3, 1, None),
    LEVELS[4]: ("invalid", 3, 0, None, None),
    LEVELS[5]: ("success", 1, 1, 1, 1),
    LEVELS[6]: ("infra_error", 0, 0, None, None),
    LEVELS[7]: ("success", 3, 2, 2, 3),
}
REQUESTS = 1 + 2 + 2 + 3 + 3 + 2 + 2 + 3


@dataclass(frozen=True)
class Run:
    """A finished run: its folder, what it printed, and what the server saw."""

    folder: Path
    code: int
    printed: str
    seen: list[Seen]
    url: str

    @property
    def table(self) -> dict[str, Any]:
        """Level -> what EXPECTED holds."""
        table = {}
        for path in (self.folder / "s").glob("*/result.json"):
            result = json.loads(path.read_text())
            c = result["counters"]
            counts = (c["calls"], c["executions"], c["valid_call"], c["success_call"])
            table[path.parent.name] = (result["outcome"], *counts)
        return table


def command_of(folder: Path, url: str, levels: Sequence[str], *options: str) -> list[str]:
    command = [sys.executable, "-m", "pytest", "bench", "--model", "local", "--base-url", url]
    command += ["--budget", "loose", "--runs-dir", str(folder), "--session", "s"]
    for arg in ("attempts=2", "backoff_min_s=0", "backoff_max_s=0"):
        command += ["--model-arg", arg]
    return [*command, "-k", " or ".join(f"{level}]" for level in levels), *options]


def own_environment() -> dict[str, str]:
    """Options of the run that this test is part of are not those of the run it starts."""
    return {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}


def benchmark(folder: Path, url: str, levels: Sequence[str], *options: str) -> tuple[int, str]:
    done = subprocess.run(
        command_of(folder, url, levels, *options),
        cwd=ROOT,
        env=own_environment(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def online(folder: Path, script: Mapping[str, Sequence[str | Play]], workers: str) -> Run:
    with ModelServer(by_level(script)) as server:
        code, printed = benchmark(folder, server.url, LEVELS, "-n", workers)
        return Run(folder, code, printed, server.seen, server.url)


@pytest.fixture(scope="module")
def alone(
    tmp_path_factory: pytest.TempPathFactory, script: Mapping[str, Sequence[str | Play]]
) -> Run:
    return online(tmp_path_factory.mktemp("alone"), script, "0")


def test_run_gives_the_table_that_the_script_implies(alone: Run) -> None:
    assert alone.table == EXPECTED, alone.printed
    assert len(alone.seen) == REQUESTS
    assert alone.code == 1


def test_four_workers_give_the_same_table(
    tmp_path: Path, script: Mapping[str, Sequence[str | Play]]
) -> None:
    run = online(tmp_path, script, "4")
    assert run.table == EXPECTED, run.printed
    assert len(run.seen) == REQUESTS
    assert run.code == 1


def test_failed_attempt_is_shown_as_it_happens(alone: Run) -> None:
    assert f"{LEVELS[5]} call 1: attempt 1 of 2 failed: busy: HTTP 503: loading" in alone.printed


def test_requests_hold_what_a_model_may_see_and_nothing_hidden(alone: Run) -> None:
    for request in alone.seen:
        for shown in ("task_context", "semantic_environment", "isKinematic"):
            assert shown in request.text
        for hidden in ("analysis_metadata", "anchor_connectivity"):
            assert hidden not in request.text
        content = request.body["messages"][-1]["content"]
        assert "image_url" in [part["type"] for part in content]


def test_replay_gives_the_same_table_without_a_server(alone: Run, tmp_path: Path) -> None:
    levels = [level for level in LEVELS if EXPECTED[level][0] != "infra_error"]
    replay = ("--replay", str(alone.folder / "s"))
    code, printed = benchmark(tmp_path, alone.url, levels, *replay)
    table = Run(tmp_path, code, printed, [], alone.url).table
    assert table == {level: EXPECTED[level] for level in levels}, printed
    assert code == 1


def test_interrupt_stops_a_request_in_2_s_and_the_session_goes_on_later(
    tmp_path: Path, script: Mapping[str, Sequence[str | Play]]
) -> None:
    hang = replace(answer("{}"), delay_s=4.0)
    first, second = LEVELS[0], LEVELS[1]
    plays = {first: script[first], second: ["{", hang, *script[second][1:]]}
    with ModelServer(by_level(plays)) as server:
        process = subprocess.Popen(
            command_of(tmp_path, server.url, [first, second]),
            cwd=ROOT,
            env=own_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        give_up = time.monotonic() + 120
        while len(server.seen) < 3 and process.poll() is None and time.monotonic() < give_up:
            time.sleep(0.02)
        time.sleep(0.2)
        attempts = tmp_path / "s" / second / "call-2" / "attempts.jsonl"
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        while not attempts.exists() and time.monotonic() < begin + 10:
            time.sleep(0.02)
        printed, _ = process.communicate(timeout=60)
        assert process.returncode == 2, printed
        last = json.loads(attempts.read_text().splitlines()[-1])
        assert (last["error"], last["possibly_billed"]) == ("interrupted", True)
        code, printed = benchmark(tmp_path, server.url, [first, second], "--resume")
        assert len(server.seen) == 4  # nothing that was answered is asked again
    table = Run(tmp_path, code, printed, [], server.url).table
    assert table == {level: EXPECTED[level] for level in (first, second)}, printed
    assert code == 0
