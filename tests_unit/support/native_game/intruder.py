"""Another program on the desktop, which steals the focus, covers a marker or moves the mouse."""

from __future__ import annotations

import threading
import warnings
from types import TracebackType
from typing import Any

from Xlib import X
from Xlib.display import Display

from tests_unit.support.native_game.desk import Desk
from tests_unit.support.native_game.look import FAILURE_PIXEL

DELAY_S = 0.3
LOOK_S = 0.03


class Intruder:
    """Does its deed soon after every `run` of the stand-in, at most `times`, or `always`."""

    def __init__(self, desk: Desk, deed: str, when: str, times: int = 99) -> None:
        self.desk, self.deed, self.when, self.left = desk, deed, when, times
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # python-xlib's own
            self._display: Any = Display(desk.display)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        root = self._display.screen().root
        self._root = root
        covers = deed == "cover"
        x, y = (20 + FAILURE_PIXEL[0], 30 + FAILURE_PIXEL[1]) if covers else (1700, 1000)
        self._window = root.create_window(
            x, y, 80, 60, 0, X.CopyFromParent, override_redirect=covers, background_pixel=0xFFFFFF
        )

    def __enter__(self) -> Intruder:
        if self.deed != "cover":
            self._window.map()
        self._display.sync()
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._thread.join()
        if self.deed == "corner":
            self._root.warp_pointer(600, 600)
            self._display.sync()
        self._display.close()

    def _watch(self) -> None:
        seen = 0
        while not self._stop.wait(LOOK_S):
            if self.when == "always":
                self._act()
                continue
            count = len(self.desk.events("run"))
            if count > seen and self.left:
                seen = count
                self.left -= 1
                if not self._stop.wait(DELAY_S):
                    self._act()

    def _act(self) -> None:
        if self.deed == "steal":
            self._window.set_input_focus(X.RevertToParent, X.CurrentTime)
        elif self.deed == "cover":
            self._window.map()
            self._window.configure(stack_mode=X.Above)
        else:
            self._root.warp_pointer(0, 0)
        self._display.sync()
