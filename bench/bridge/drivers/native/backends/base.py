"""What a platform gives: windows, input and pictures, as small Protocols."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL import Image

Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle on the screen in pixels."""

    x: int
    y: int
    width: int
    height: int

    def within(self, other: Rect) -> bool:
        """Whether no part of it is outside the other one."""
        return (
            other.x <= self.x
            and other.y <= self.y
            and self.x + self.width <= other.x + other.width
            and self.y + self.height <= other.y + other.height
        )

    def meets(self, other: Rect) -> bool:
        """Whether the two share a pixel."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


@dataclass(frozen=True)
class Shot:
    """One grab of the client area: BGRX bytes, and when it began and ended (monotonic seconds)."""

    bgrx: bytes
    width: int
    height: int
    begun_s: float
    ended_s: float

    def rgb(self, x: int, y: int) -> Rgb:
        """The colour of a pixel, client coordinates."""
        at = 4 * (y * self.width + x)
        blue, green, red = self.bgrx[at : at + 3]
        return red, green, blue

    @cached_property
    def pixels(self) -> NDArray[np.uint8]:
        """The pixels (height, width, 3) in the order blue, green, red."""
        import numpy as np

        return np.frombuffer(self.bgrx, np.uint8).reshape(self.height, self.width, 4)[:, :, :3]

    def image(self) -> Image.Image:
        """The picture, RGB."""
        from PIL import Image

        return Image.frombytes("RGB", (self.width, self.height), self.bgrx, "raw", "BGRX")


class WindowBackend(Protocol):
    """Finds and watches windows. A window is known by an opaque number."""

    def find(self, title: str, *, prefix: bool) -> list[int]:
        """Visible windows whose title is, or begins with, `title`."""

    def client(self, window: int) -> Rect:
        """The client area on the screen."""

    def screen(self) -> Rect:
        """The whole desktop."""

    def focused(self, window: int) -> bool:
        """Whether key presses go to this window."""

    def activate(self, window: int) -> None:
        """Raise the window and give it the keyboard."""

    def cover(self, window: int) -> str | None:
        """A description of a window that lies on this one's client area, None if there is none."""

    def close(self) -> None:
        """Release the connection."""


class InputBackend(Protocol):
    """Mouse and keyboard, in screen coordinates. Raises OperatorAbort in the fail-safe corner."""

    def click(self, x: int, y: int) -> None:
        """Click with the left button."""

    def move(self, x: int, y: int) -> None:
        """Put the pointer somewhere."""

    def press(self, key: str) -> None:
        """Press and release a key; comes back as soon as it is sent."""

    def pointer(self) -> tuple[int, int]:
        """Where the pointer is."""

    def check(self) -> None:
        """Raise OperatorAbort when the pointer is in the fail-safe corner."""


class CaptureBackend(Protocol):
    """Pictures of the screen."""

    def grab(self, rect: Rect) -> Shot:
        """The pixels of a rectangle on the screen."""

    def close(self) -> None:
        """Release the connection."""


@dataclass(frozen=True)
class Desktop:
    """The three backends together; `name` tells displays apart."""

    name: str
    windows: WindowBackend
    input: InputBackend
    capture: CaptureBackend

    def close(self) -> None:
        """Release the connections."""
        self.capture.close()
        self.windows.close()
