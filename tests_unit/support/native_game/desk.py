"""An X server of our own, the stand-in on it, and the driver's parts for it."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.bridge.drivers.native.driver import NativeDriver
from bench.bridge.drivers.native.profile import Profile, parse_profile
from bench.bridge.level.files import DATA_NAME, DEFAULT_ROOT, level_index
from tests_unit.support.native_game.look import profile_data
from tests_unit.support.paths import ROOT

STAND_IN = [sys.executable, "-m", "tests_unit.support.native_game"]
START_S = 30.0


@contextmanager
def x_server(
    folder: Path, size: str = "1920x1200"
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """An Xvfb with a cookie of its own; its display's name, and the process."""
    read, write = os.pipe()
    cookies = folder / "Xauthority"
    cookie = ["add", ":0", ".", secrets.token_hex(16)]
    subprocess.run(["xauth", "-q", "-f", str(cookies), *cookie], check=True, capture_output=True)
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as pipe:
            display = f":{pipe.readline().strip()}"
        os.environ["XAUTHORITY"] = str(cookies)
        yield display, server
    finally:
        end(server)


def end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


@dataclass
class Desk:
    """A display with a folder of layouts, and the stand-ins that were started on it."""

    display: str
    folder: Path
    games: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.layouts = self.folder / "layouts"
        self.layouts.mkdir(parents=True)
        self.slot = self.folder / "game" / "slot.json"
        self.slot.parent.mkdir()
        self.slot.write_text('{"name": "mine", "description": "the user\'s", "saveFiles": [""]}')
        self.log = self.folder / "events.jsonl"
        self.log.touch()
        self.faults = self.folder / "faults"

    def add_layout(self, *names: str) -> None:
        """Layouts as a user would export them; ours serve, the stand-in reads them."""
        families = {entry.name: entry.family for entry in level_index()}
        for name in names:
            shutil.copy(DEFAULT_ROOT / DATA_NAME / families[name] / f"{name}.json", self.layouts)

    def command(self, *arguments: str) -> list[str]:
        files = ["--layout", str(self.slot), "--log", str(self.log)]
        return [*STAND_IN, *files, *arguments]

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a stand-in and wait until its window is up."""
        count = len(self.events("up"))
        environment = {**os.environ, "DISPLAY": self.display}
        game = subprocess.Popen(self.command(*arguments), cwd=ROOT, env=environment)
        self.games.append(game)
        deadline = time.monotonic() + START_S
        while len(self.events("up")) == count:
            assert game.poll() is None, "the stand-in ended"
            assert time.monotonic() < deadline, "the stand-in did not come up"
            time.sleep(0.02)
        assert self.events("up")[-1]["driver"] == "x11"
        return game

    def events(self, *names: str) -> list[dict[str, Any]]:
        rows = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [row for row in rows if not names or row["event"] in names]

    def profile(self, **changes: Any) -> Profile:
        return parse_profile(profile_data(self.slot, **changes), "stand-in")

    def driver(self, profile: Profile | None = None, **more: Any) -> NativeDriver:
        return NativeDriver(
            profile or self.profile(),
            self.layouts,
            display=self.display,
            faults=self.faults,
            **more,
        )

    def close(self) -> None:
        for game in self.games:
            end(game)
