"""The faults of a desktop, each with its own name; none of them is ever scored.

DriverError
`-- NativeError               what was expected, what was seen, and a screenshot
|-- BackendError          the desktop's own interfaces
|   |-- NoDisplay         no desktop to connect to, or a library for it is missing
|   |-- DisplayLost       the desktop went away
|   `-- DisplayBusy       another driver holds this display
|-- WindowError           the game's window
|   |-- WindowMissing     no window with the title (also: the game crashed)
|   |-- WindowAmbiguous   several windows with the title
|   |-- WindowSizeWrong   the client area has another size than the profile's
|   |-- WindowOffScreen   a part of the client area is outside the screen
|   |-- WindowCovered     another window lies on the client area
|   `-- FocusLost         another window has the keyboard
|-- ScreenError           what the game shows
|   |-- UnexpectedScreen  no known screen, or another one than was waited for
|   |-- BlackScreen       the client area is black
|   |-- StartTimeout      the run key started nothing in time
|   |-- RunInterrupted    the run ended before its window did
|   |-- GameFrozen        the picture stands still, or the game takes no input
|   `-- MarkerConflict    the outcome's markers contradict each other
|-- ReloadError           the game does not show the save that was written
|-- SaveFileError         the layout file
|   |-- SaveLocked        it cannot be replaced
|   |-- SaveChanged       the game, or another program, wrote it again
|   `-- LayoutRefused     the user's layout of this level is missing or differs
|-- CaptureError          frames were late, or could not be kept in time
`-- OperatorAbort         the mouse is in a corner: a person stops the run
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.errors import DriverError

if TYPE_CHECKING:
    from bench.bridge.drivers.native.backends.base import Shot


class NativeError(DriverError):
    """A fault of the desktop. `shot` is the client area when it was noticed, if it could be seen.

    `recoverable` says whether going back to the editor and trying once more makes sense.
    """

    recoverable = True

    def __init__(self, expected: str, seen: str, hint: str = "", shot: Shot | None = None) -> None:
        self.expected, self.seen, self.hint, self.shot = expected, seen, hint, shot
        self.screenshot: str | None = None
        self.log: bytes | None = None  # of the frames, where a whole run was recorded
        super().__init__(expected, seen)

    def __str__(self) -> str:
        """One line: expected, seen, what to do, where the screenshot is."""
        text = f"expected {self.expected}; saw {self.seen}"
        if self.hint:
            text += f"; {self.hint}"
        if self.screenshot:
            text += f" (screenshot: {self.screenshot})"
        return text


class BackendError(NativeError):
    """The desktop's own interfaces fail."""


class NoDisplay(BackendError):
    """There is no desktop to connect to, or a library for it is missing."""

    recoverable = False


class DisplayLost(BackendError):
    """The desktop went away while it was in use."""

    recoverable = False


class DisplayBusy(BackendError):
    """Another driver holds this display."""

    recoverable = False


class WindowError(NativeError):
    """The game's window is not as the profile says."""


class WindowMissing(WindowError):
    """No window has the profile's title."""


class WindowAmbiguous(WindowError):
    """Several windows have the profile's title."""

    recoverable = False


class WindowSizeWrong(WindowError):
    """The client area has another size than the profile's; coordinates are never scaled."""

    recoverable = False


class WindowOffScreen(WindowError):
    """A part of the client area lies outside the screen."""

    recoverable = False


class WindowCovered(WindowError):
    """Another window lies on the client area."""


class FocusLost(WindowError):
    """Another window has the keyboard."""


class ScreenError(NativeError):
    """The game shows something that was not expected."""


class UnexpectedScreen(ScreenError):
    """No known screen, or another one than was waited for."""


class BlackScreen(ScreenError):
    """The client area is black."""


class StartTimeout(ScreenError):
    """The run key was pressed and no run was seen in time."""


class RunInterrupted(ScreenError):
    """The game left the run before the window ended."""


class GameFrozen(ScreenError):
    """The picture stands still during a run, or the game takes no input after it."""


class MarkerConflict(ScreenError):
    """The markers of the outcome contradict each other."""


class ReloadError(NativeError):
    """The editor does not show the save that was written."""


class SaveFileError(NativeError):
    """The layout file cannot be used."""


class SaveLocked(SaveFileError):
    """The layout file cannot be replaced."""


class SaveChanged(SaveFileError):
    """The layout file does not hold what was written."""


class LayoutRefused(SaveFileError):
    """The user's layout of this level is missing, broken, or differs from ours."""

    recoverable = False


class CaptureError(NativeError):
    """Frames were late, or could not be encoded and kept in time."""


class OperatorAbort(NativeError):
    """The mouse is in a corner of the screen: a person stops the run."""

    recoverable = False
