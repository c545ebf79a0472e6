"""A driver that simulates nothing: `pytest -p tests_unit.support.fake_driver`.

A bridge holds when a member of it is made of wood. Environment variables make it misbehave:
`FAKE_DRIVER_FAULT=<level>` raises DriverError there, `FAKE_DRIVER_WAIT=<level>` writes the file
named by `FAKE_DRIVER_SIGNAL` there and waits to be killed, `FAKE_DRIVER_EXIT=<level>` ends the
process, `FAKE_DRIVER_DISK=<level>` finds the disk full, `FAKE_DRIVER_REFUSES=<level>` has no
layout of it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import bench.bridge.drivers
from bench.bridge.design.design import Design
from bench.bridge.design.materials import WOOD
from bench.bridge.drivers.base import Capabilities, Rollout
from bench.bridge.level.level import Level
from bench.errors import DriverError
from bench.task import Outcome

SIZE = (64, 40)


class FakeDriver:
    name = "embedded"
    capabilities = Capabilities(parallel=True, deterministic=True, states=False)

    def describe(self) -> Mapping[str, Any]:
        return {"driver": "fake"}

    def open(self) -> None:
        pass

    def refuses(self, level: Level) -> str | None:
        refused = os.environ.get("FAKE_DRIVER_REFUSES", "").split(",")
        return f"no layout of {level.name}" if level.name in refused else None

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
        misbehave(level.name)
        won = any(member.type == WOOD.type for member in design.members)
        return Rollout(
            outcome=Outcome.SUCCESS if won else Outcome.FAILURE_OR_TIMEOUT,
            decided_s=4.0,
            detector="fake",
            frame=lambda k: Image.new("RGB", SIZE, (k, k, k)),
            facts={"clean": won, "digest": f"{len(design.members)} members"},
            files={"rollout.json.gz": repr(design).encode()},
        )

    def close(self) -> None:
        pass


def misbehave(level: str) -> None:
    if os.environ.get("FAKE_DRIVER_FAULT") == level:
        raise DriverError("the window is gone")
    if os.environ.get("FAKE_DRIVER_DISK") == level:
        raise OSError(28, "No space left on device")
    if os.environ.get("FAKE_DRIVER_EXIT") == level:
        os._exit(9)
    if os.environ.get("FAKE_DRIVER_WAIT") == level:
        Path(os.environ["FAKE_DRIVER_SIGNAL"]).write_text(str(os.getpid()))
        time.sleep(60)


def get_driver(name: str, options: Mapping[str, Any] | None = None) -> Any:
    return FakeDriver() if name == "embedded" else REAL(name, options)


REAL = bench.bridge.drivers.get_driver


@pytest.hookimpl(tryfirst=True)
def pytest_configure() -> None:
    """Take the embedded driver's place where this is loaded as a plugin, not where imported."""
    bench.bridge.drivers.get_driver = get_driver
