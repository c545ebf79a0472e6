"""The recorder's worker never outlives the folder that it writes into."""

from __future__ import annotations

import tempfile
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bench.bridge.drivers.native.capture import Recorder


def test_closing_waits_for_the_picture_that_is_being_written_and_drops_the_rest() -> None:
    """A run that breaks off removes its folder: a write in between would hide the real fault."""
    started, written = threading.Event(), []

    def slow(shot: Any, path: Path) -> None:
        started.set()
        time.sleep(0.3)
        path.write_bytes(b"picture")
        written.append(path.name)

    game: Any = SimpleNamespace(profile=None)
    with tempfile.TemporaryDirectory() as folder:
        recorder = Recorder(game, Path(folder), slow)
        shot: Any = None
        recorder.keep("frames/a.png", shot)
        recorder.keep("frames/b.png", shot)
        assert started.wait(5.0)
        recorder.close()
        assert written == ["frames_a.png"]
    time.sleep(0.5)
    assert not Path(folder).exists()
    assert written == ["frames_a.png"]
