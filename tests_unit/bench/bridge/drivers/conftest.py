"""One X server for all native tests (pyautogui binds to one display a process), a desk each."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests_unit.support.native_game.desk import Desk, x_server


@pytest.fixture(scope="session")
def display(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    for program in ("Xvfb", "xauth"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    before = {name: os.environ.get(name) for name in ("DISPLAY", "XAUTHORITY")}
    with x_server(tmp_path_factory.mktemp("x")) as (name, _):
        os.environ["DISPLAY"] = name  # for runs in processes of their own
        yield name
    for key, value in before.items():
        if value is None:
            os.environ.pop(key, None)
        else:
            os.environ[key] = value


@pytest.fixture
def desk(display: str, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(display, tmp_path / "desk")
    mine = desk.slot.read_bytes()
    yield desk
    desk.close()
    assert desk.slot.read_bytes() == mine, "the user's layout was not given back"
    assert [path.name for path in desk.slot.parent.iterdir()] == [desk.slot.name]
