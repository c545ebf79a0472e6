"""Closed-loop actions: every input waits until the old screen is gone and the new one is there.

The run key is a toggle: one lost or doubled press turns every later run into a false failure,
so nothing is ever sent blindly.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Collection
from functools import partial

from bench.bridge.drivers.native.backends.base import Desktop, Rect, Shot
from bench.bridge.drivers.native.errors import (
    BlackScreen,
    FocusLost,
    GameFrozen,
    NativeError,
    ReloadError,
    StartTimeout,
    UnexpectedScreen,
    WindowAmbiguous,
    WindowCovered,
    WindowMissing,
    WindowOffScreen,
    WindowSizeWrong,
)
from bench.bridge.drivers.native.profile import RUNNING, SCREENS, Point, Profile, Screen
from bench.bridge.drivers.native.screens import changed_px, describe, is_black, screen_of

AMBIENT_FACTOR = 3
"""A reload must change this many times more pixels than two looks at the same editor."""


class Game:
    """The game in its window. Every method raises a NativeError with a picture of what it saw."""

    def __init__(self, profile: Profile, desktop: Desktop) -> None:
        self.profile = profile
        self.desktop = desktop
        self.waits = profile.waits

    def locate(self) -> tuple[int, Rect]:
        """The window and its client area, checked against the profile."""
        want = self.profile.window
        found = self.desktop.windows.find(want.title, prefix=want.title_is_prefix)
        if not found:
            raise WindowMissing(
                f"a window titled {want.title!r}", "none", "start the game, or mend window.title"
            )
        if len(found) > 1:
            raise WindowAmbiguous(
                f"one window titled {want.title!r}", f"{len(found)}", "close all but the game"
            )
        client = self.desktop.windows.client(found[0])
        if (client.width, client.height) != (want.width, want.height):
            raise WindowSizeWrong(
                f"a client area of {want.width} x {want.height}",
                f"{client.width} x {client.height}",
                "set that resolution in the game, or calibrate a profile for this one",
            )
        screen = self.desktop.windows.screen()
        if not client.within(screen):
            raise WindowOffScreen(
                f"the client area within the screen of {screen.width} x {screen.height}",
                f"it at {client.x},{client.y}",
                "move the window",
            )
        return found[0], client

    def see(self) -> Shot:
        """The client area now."""
        _, client = self.locate()
        return self.desktop.capture.grab(client)

    def screen(self) -> Screen:
        """The screen that the game shows now."""
        return screen_of(self.profile, self.see())

    def ready(self) -> tuple[int, Rect]:
        """See to it that the game has the keyboard and nothing lies on it."""
        window, client = self.locate()
        self.desktop.input.check()
        windows = self.desktop.windows
        if windows.cover(window) is not None or not windows.focused(window):
            windows.activate(window)
            # A game drops a click that comes right after it regained the focus.
            time.sleep(self.waits.settle)
        self.check_undisturbed(window, client)
        return window, client

    def check_undisturbed(self, window: int, client: Rect) -> None:
        """Raise WindowCovered or FocusLost."""
        cover = self.desktop.windows.cover(window)
        if cover is not None:
            raise WindowCovered(
                "nothing on the game's window", cover, "close it", self.desktop.capture.grab(client)
            )
        if not self.desktop.windows.focused(window):
            raise FocusLost(
                "the keyboard's focus on the game",
                "it on another window",
                "turn off what steals it; touch nothing during a run",
                self.desktop.capture.grab(client),
            )

    def wait_for(
        self,
        screens: Collection[Screen],
        timeout_s: float,
        after: str,
        fault: Callable[[str, str, str, Shot | None], NativeError] = UnexpectedScreen,
        hold: bool = True,
    ) -> Shot:
        """Look until one of `screens` is there, and with `hold` still is a moment later."""
        deadline = time.monotonic() + timeout_s
        names = " or ".join(screens)
        while True:
            shot = self.see()
            if screen_of(self.profile, shot) in screens:
                if not hold:
                    return shot
                time.sleep(self.waits.hold)
                shot = self.see()
                if screen_of(self.profile, shot) in screens:
                    return shot
            if time.monotonic() > deadline:
                self._blame(shot)
                seen = describe(self.profile, shot)
                raise fault(f"{names} within {timeout_s:g} s after {after}", seen, "", shot)
            time.sleep(self.waits.poll)

    def _blame(self, shot: Shot) -> None:
        """Raise the fault that explains why a screen did not come, if one is known."""
        window, client = self.locate()
        self.desktop.input.check()
        self.check_undisturbed(window, client)
        if is_black(shot):
            raise BlackScreen("the game's picture", "a black client area", "", shot)

    def click(self, point: Point) -> None:
        """Click at a point of the client area and move the pointer out of the way."""
        _, client = self.ready()
        self.desktop.input.click(client.x + point.x, client.y + point.y)
        park = self.profile.clicks.park
        self.desktop.input.move(client.x + park.x, client.y + park.y)

    def to_editor(self) -> Shot:
        """Go to the editor from any known screen."""
        self.ready()
        screen = self.screen()
        if screen in RUNNING:
            return self.stop_run()
        if screen in (Screen.MENU, Screen.LOAD_PANEL):
            return self._load(screen)
        return self.wait_for({Screen.EDITOR}, self.waits.screen, "looking")

    def reload(self) -> Shot:
        """Load the layout file from its slot; the editor afterwards."""
        screen = self.screen()
        if screen in RUNNING:
            self.stop_run()
            screen = Screen.EDITOR
        if screen not in (Screen.MENU, Screen.LOAD_PANEL):
            self.wait_for({Screen.EDITOR}, self.waits.screen, "looking")
            self.click(self.profile.clicks.menu)
            self.wait_for({Screen.MENU}, self.waits.screen, "a click on the menu")
            screen = Screen.MENU
        return self._load(screen)

    def _load(self, screen: Screen) -> Shot:
        clicks = self.profile.clicks
        if screen is Screen.MENU:
            self.click(clicks.load)
            self.wait_for({Screen.LOAD_PANEL}, self.waits.screen, "a click on load")
        self.click(clicks.slot)
        return self.wait_for({Screen.EDITOR}, self.waits.load, "a click on the slot")

    def ambient(self, first: Shot) -> int:
        """How much the editor's play area changes by itself between two looks."""
        time.sleep(self.waits.hold)
        return changed_px(first, self.see(), self.profile.play.area)

    def reload_changes(self) -> bool:
        """Reload; whether the play area shows something else than before."""
        before = self.to_editor()
        ambient = self.ambient(before)
        after = self.reload()
        changed = changed_px(before, after, self.profile.play.area)
        return changed > self.profile.play.changed_px + AMBIENT_FACTOR * ambient

    def not_reloaded(self) -> ReloadError:
        """The fault of a reload that showed nothing new."""
        return ReloadError(
            "another bridge in the play area after the reload",
            "the same picture as before",
            "does clicks.slot load the profile's layout_file?",
            self.see(),
        )

    def start_run(self) -> Shot:
        """Press the run key in the editor; the first picture of the run."""
        self.ready()
        self.wait_for({Screen.EDITOR}, self.waits.screen, "looking")
        self.desktop.input.press(self.profile.keys.run)
        return self.wait_for(RUNNING, self.waits.start, "the run key", StartTimeout, hold=False)

    def stop_run(self) -> Shot:
        """Press the run key in a run; the editor afterwards."""
        self.ready()
        before = self.see()
        self.desktop.input.press(self.profile.keys.run)
        fault = partial(self._stuck, before)
        return self.wait_for({Screen.EDITOR}, self.waits.back, "the run key in a run", fault)

    def _stuck(
        self, before: Shot, expected: str, seen: str, hint: str, shot: Shot | None
    ) -> NativeError:
        if shot is not None and shot.bgrx == before.bgrx:
            return GameFrozen(expected, f"{seen}, and not a pixel has changed", hint, shot)
        return UnexpectedScreen(expected, seen, hint, shot)

    def recover(self) -> str:
        """Observe, go back to the editor, else restart; says what was done. Raises if neither."""
        try:
            self.ready()
            if self.screen() is Screen.UNKNOWN:
                self.desktop.input.press(self.profile.keys.back)
                self.wait_for(SCREENS, self.waits.screen, "the back key")
            self.to_editor()
        except NativeError:
            if self.profile.restart is None:
                raise
            self.restart()
            return "restarted the game"
        return "went back to the editor"

    def restart(self) -> None:
        """Run the profile's restart command and wait for a known screen, then for the editor."""
        restart = self.profile.restart
        if restart is None:
            raise UnexpectedScreen("a restart command in the profile", "none")
        try:
            process = subprocess.Popen(
                restart.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
            )
        except OSError as error:
            raise UnexpectedScreen(
                f"the command {restart.command[0]!r} to start the game", str(error.strerror)
            ) from None
        # The game outlives this driver; somebody must still take note when it ends.
        threading.Thread(target=process.wait, daemon=True).start()
        deadline = time.monotonic() + restart.wait
        while True:
            try:
                if self.screen() is not Screen.UNKNOWN:
                    break
            except (WindowMissing, WindowAmbiguous):
                # The old window may still be closing.
                if time.monotonic() > deadline:
                    raise
            if time.monotonic() > deadline:
                shot = self.see()
                raise UnexpectedScreen(
                    f"a known screen within {restart.wait:g} s after the restart",
                    describe(self.profile, shot),
                    "",
                    shot,
                )
            time.sleep(self.waits.hold)
        self.to_editor()
