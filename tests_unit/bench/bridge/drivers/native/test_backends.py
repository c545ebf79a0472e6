"""The Linux backends in a fresh process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from bench.bridge.drivers.native.backends.pointer import _without_mouseinfo
from tests_unit.support.native_game.desk import ROOT

WITHOUT_TKINTER = """
import sys

class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("tkinter", "_tkinter", "Tkinter"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Block())
from bench.bridge.drivers.native.backends import open_desktop
from bench.bridge.drivers.native.backends.base import Rect

desktop = open_desktop(None)
desktop.input.move(300, 200)
desktop.input.click(310, 210)
desktop.input.press("space")
desktop.input.check()
shot = desktop.capture.grab(Rect(0, 0, 8, 4))
print(desktop.input.pointer(), len(shot.bgrx), desktop.windows.find("no such window", prefix=False))
desktop.close()
print([name for name in ("tkinter", "mouseinfo") if name in sys.modules])
"""


def test_the_pointer_tool_may_be_forgotten_while_it_is_kept_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An import that fails may take entries away; its own error is the one to show."""
    monkeypatch.delitem(sys.modules, "mouseinfo", raising=False)
    with _without_mouseinfo():
        assert sys.modules.pop("mouseinfo") is None
    assert "mouseinfo" not in sys.modules


@pytest.mark.native
def test_no_tkinter_is_needed(display: str) -> None:
    """pyautogui imports it for its own pointer tool, and ends the process where it is missing."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TKINTER],
        cwd=ROOT,
        env={**os.environ, "DISPLAY": display},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["(310, 210) 128 []", "[]"]
