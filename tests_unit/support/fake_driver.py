"""A driver that simulates nothing: `--driver fake`, once this is loaded with `-p`.

A bridge holds when a member of it is made of wood. The environment variable FAKE_DRIVER holds a
JSON object that makes it misbehave at a level: `{"fault": level}` raises DriverError there, `wait`
writes the file named by `signal` and waits to be killed, `exit` ends the process, `disk` finds the
disk full; `refuses` lists levels of which it has no layout.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PIL import Image

from bench.bridge.design.design import Design
from bench.bridge.design.materials import WOOD
from bench.bridge.drivers.base import Capabilities, Rollout
from bench.bridge.drivers.registry import DRIVERS
from bench.bridge.level.level import Level
from bench.domain import DriverOptions
from bench.errors import DriverError
from bench.task import Outcome

SIZE = (64, 40)
VARIABLE = "FAKE_DRIVER"


class FakeDriver:
    name = "fake"
    capabilities = Capabilities(parallel=True, deterministic=True, states=False)
    broken = None

    def __init__(self, options: DriverOptions | None = None) -> None:
        self.script: dict[str, Any] = json.loads(os.environ.get(VARIABLE, "{}"))

    def describe(self) -> Mapping[str, Any]:
        return {"driver": "fake"}

    def open(self) -> None:
        pass

    def refuses(self, level: Level) -> str | None:
        return (
            f"no layout of {level.name}" if level.name in self.script.get("refuses", ()) else None
        )

    def editor_picture(
        self,
        level: Level,
        design: Design | None,
        *,
        limit_usd: float,
        shown_name: str | None = None,
    ) -> Image.Image:
        return Image.new("RGB", SIZE, (0, 0, len(design.members) % 256 if design else 0))

    def execute(self, level: Level, design: Design) -> Rollout:
        self.misbehave(level.name)
        won = any(member.type == WOOD.type for member in design.members)
        return Rollout(
            outcome=Outcome.SUCCESS if won else Outcome.FAILURE_OR_TIMEOUT,
            decided_s=4.0,
            detector="fake",
            frame=lambda k: Image.new("RGB", SIZE, (k, k, k)),
            facts={"clean": won, "digest": f"{len(design.members)} members"},
            files={"rollout.json.gz": repr(design).encode()},
        )

    def misbehave(self, level: str) -> None:
        if self.script.get("fault") == level:
            raise DriverError("the window is gone")
        if self.script.get("disk") == level:
            raise OSError(28, "No space left on device")
        if self.script.get("exit") == level:
            os._exit(9)
        if self.script.get("wait") == level:
            Path(self.script["signal"]).write_text(str(os.getpid()))
            time.sleep(60)

    def close(self) -> None:
        pass


def pytest_addoption() -> None:
    """Register it where this is loaded as a plugin, before any option is read."""
    DRIVERS["fake"] = FakeDriver
