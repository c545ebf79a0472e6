"""A pytest plugin that kills the second worker of a run, as soon as the game runs its design.

`NATIVE_KILL_LOG` names the event log of that worker's game. Profiles with a shortened window are
allowed in such a run.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from bench.bridge.drivers.native import profile


def kill_in_run(log: Path) -> None:
    while '"event": "run"' not in log.read_text():
        time.sleep(0.02)
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGKILL)


def pytest_addoption() -> None:
    """The first hook of a run: a session reads its profile when it is configured."""
    profile.load_profile = partial(profile.load_profile, for_tests=True)


def pytest_configure(config: pytest.Config) -> None:
    if getattr(config, "workerinput", {}).get("workerid") == "gw1":
        log = Path(os.environ["NATIVE_KILL_LOG"])
        threading.Thread(target=kill_in_run, args=(log,), daemon=True).start()
