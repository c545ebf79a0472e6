"""Memory stays flat over many episodes: what reads a session holds one episode at a time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.bridge.level.files import load_level
from bench.bridge.task import BridgeTask
from bench.clients.scripted import ScriptedClient
from bench.episode import run_episode
from bench.protocol import Settings
from bench.records import EpisodeFolder
from bench.records.files import json_bytes
from tests_unit.support.bench_runs import script
from tests_unit.support.fake_driver import FakeDriver

LEVEL = "T1B_Basic_7m"
EPISODES = 10_000
MEASURE = """
import gc, os, sys
from pathlib import Path
from bench.records import read_session
from bench.records.reader import summarize

def rss():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

session = read_session(Path(sys.argv[1]))
most = start = 0
for number, trajectory in enumerate(session.trajectories(), 1):
    assert len(trajectory.calls) == 3
    if number == 500:
        start = rss()
    if number % 500 == 0:
        most = max(most, rss())
before = rss()
summary = summarize(session)
assert summary.finished == number == int(sys.argv[2])
print(start, most, before, rss())
"""


def template(folder: Path) -> tuple[bytes, bytes]:
    """Result and trajectory of one real episode of three calls."""
    task = BridgeTask(load_level(LEVEL), FakeDriver(), Settings(budget="loose"))
    folder.mkdir()
    name = script(folder / "script.json", **{LEVEL: "FVF"}).removeprefix("scripted:")
    run_episode(task, ScriptedClient(Path(name)), EpisodeFolder(folder))
    return (folder / "result.json").read_bytes(), (folder / "trajectory.json").read_bytes()


def write_session(folder: Path, episodes: int, records: tuple[bytes, bytes]) -> None:
    """A session of so many samples of one level, its pages shared by hard links."""
    samples = folder / LEVEL
    for sample in range(1, episodes + 1):
        place = samples / f"sample-{sample}"
        place.mkdir(parents=True)
        for name, data in zip(("result.json", "trajectory.json"), records, strict=True):
            first = samples / "sample-1" / name
            if sample == 1:
                first.write_bytes(data)
            else:
                (place / name).hardlink_to(first)
    keys = [{"level": LEVEL, "sample": sample} for sample in range(1, episodes + 1)]
    manifest: dict[str, Any] = {
        "schema": "pbb-manifest-1",
        "protocol": "pbb-1.0",
        "session": "s",
        "configuration": {"model": "m", "budget": "loose", "samples": episodes},
        "hashes": {},
        "expected": keys,
        "source": {},
        "environment": {},
    }
    (folder / "manifest.json").write_bytes(json_bytes(manifest))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads Linux's /proc")
def test_reading_ten_thousand_episodes_holds_one_at_a_time(tmp_path: Path) -> None:
    write_session(tmp_path / "s", EPISODES, template(tmp_path / "one"))
    arguments = [sys.executable, "-c", MEASURE, str(tmp_path / "s"), str(EPISODES)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    start, most, before, after = map(int, done.stdout.split())
    size = len((tmp_path / "one" / "trajectory.json").read_bytes())
    # From 500 to 10,000 episodes; kept, their text alone would be 36 MB.
    assert most - start < 4e6 < 0.2 * EPISODES * size, (start, most)
    # The summary's rows are its content: some hundred bytes an episode.
    assert after - before < 2_000 * EPISODES, (before, after)
