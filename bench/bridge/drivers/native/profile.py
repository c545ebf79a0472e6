"""The profile: what one version, resolution and language of the game looks like, in TOML.

Coordinates are pixels of the client area. Another size is refused, never scaled. There are no
guesses: the success pixel, which nobody has published, is a required field.
"""

from __future__ import annotations

import hashlib
import itertools
import tomllib
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bench.errors import InputError


class Screen(StrEnum):
    """What the game shows. UNKNOWN: no screen's markers match, or those of several."""

    EDITOR = "EDITOR"
    MENU = "MENU"
    LOAD_PANEL = "LOAD_PANEL"
    SIM = "SIM"
    DONE_OK = "DONE_OK"
    DONE_FAIL = "DONE_FAIL"
    UNKNOWN = "UNKNOWN"


SCREENS = tuple(s for s in Screen if s is not Screen.UNKNOWN)
RUNNING = (Screen.SIM, Screen.DONE_OK, Screen.DONE_FAIL)
LEAST_MARKERS = 2

Channel = Annotated[int, Field(ge=0, le=255)]
Seconds = Annotated[float, Field(gt=0, le=600)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class Point(_Part):
    """A pixel of the client area."""

    x: int = Field(ge=0)
    y: int = Field(ge=0)


class Marker(Point):
    """A pixel whose channels are all within `tolerance` of `rgb`; or, when `absent`, are not."""

    rgb: Annotated[list[Channel], Field(min_length=3, max_length=3)]
    tolerance: int = Field(default=20, ge=0, le=120)
    absent: bool = False

    def matches(self, rgb: tuple[int, int, int]) -> bool:
        """Whether a pixel of this colour fulfils the marker."""
        near = all(abs(a - b) <= self.tolerance for a, b in zip(self.rgb, rgb, strict=True))
        return near != self.absent

    def excludes(self, other: Marker) -> bool:
        """Whether no colour of the pixel can fulfil both."""
        if (self.x, self.y) != (other.x, other.y):
            return False
        reach = [abs(a - b) for a, b in zip(self.rgb, other.rgb, strict=True)]
        if self.absent == other.absent:
            return not self.absent and max(reach) > self.tolerance + other.tolerance
        present, absent = (other, self) if self.absent else (self, other)
        return all(d + present.tolerance <= absent.tolerance for d in reach)


class Area(Point):
    """A rectangle of the client area."""

    width: int = Field(ge=1)
    height: int = Field(ge=1)


class Window(_Part):
    """The game's window: its exact title (or its beginning) and its client size."""

    title: str = Field(min_length=1)
    title_is_prefix: bool = False
    width: int = Field(ge=1146)
    height: int = Field(ge=638)


class Keys(_Part):
    """Keys by their pyautogui names. `back` leaves a menu; `run` starts and stops the run."""

    run: str = "space"
    back: str = "esc"
    scan_codes: bool = False


class Clicks(_Part):
    """Where to click: `menu` in the editor, `load` in the menu, `slot` in the load panel.

    `park` is a place where the pointer changes nothing.
    """

    menu: Point
    load: Point
    slot: Point
    park: Point


class Thresholds(_Part):
    """How the outcome is read.

    The failure rule is the paper's. `dominance` is by how much a marker's channel must exceed both
    others for the second opinion.
    """

    success_pixel: Point
    success_green: int = Field(ge=0, le=254)
    failure_pixel: Point = Point(x=1145, y=637)
    failure_red: int = Field(default=150, ge=0, le=254)
    dominance: int = Field(default=40, ge=0, le=254)


class Play(_Part):
    """The part of the editor that shows the bridge, and how many of its pixels a change has."""

    area: Area
    changed_px: int = Field(default=60, ge=1)


class Waits(_Part):
    """Seconds. `settle` follows a change of focus, `hold` a screen that was reached."""

    settle: Seconds = 0.3
    hold: Seconds = 0.1
    screen: Seconds = 5.0
    load: Seconds = 10.0
    start: Seconds = 3.0
    back: Seconds = 5.0
    poll: Seconds = 0.02
    encode: Seconds = 60.0


class Limits(_Part):
    """How much a run may be disturbed before its result is refused.

    `frozen_frames` equal pictures in a row during the run (0: the game may stand still),
    `unknown_frames` that show no known screen, and the latest start of a grab.
    """

    frozen_frames: int = Field(default=8, ge=0, le=48)
    unknown_frames: int = Field(default=2, ge=0, le=48)
    late: Seconds = 0.2


class Restart(_Part):
    """How the game is started again: a command (no shell), and how long it may take."""

    command: list[str] = Field(min_length=1)
    wait: Seconds = 60.0


class ForTests(_Part):
    """For tests only: the game plays `time_scale` times as fast, and so does the capture."""

    time_scale: float = Field(gt=0, le=20)


class Profile(_Part):
    """All of it. `layout_file` is the game's layout in the slot that `clicks.slot` loads."""

    name: str = Field(min_length=1)
    verified: bool
    game_version: str
    language: str
    layout_file: str = Field(min_length=1)
    window: Window
    keys: Keys = Keys()
    clicks: Clicks
    markers: dict[str, Annotated[list[Marker], Field(min_length=LEAST_MARKERS)]]
    thresholds: Thresholds
    play: Play
    waits: Waits = Waits()
    limits: Limits = Limits()
    restart: Restart | None = None
    test: ForTests | None = None

    @property
    def time_scale(self) -> float:
        """How much faster than life the game plays; 1 but in tests."""
        return 1.0 if self.test is None else self.test.time_scale

    def layout_path(self, display: str = "") -> Path:
        """The layout file, with `~` and `{display}` (the number in `:1`) resolved."""
        number = display.rpartition(":")[2].partition(".")[0]
        return Path(self.layout_file.replace("{display}", number)).expanduser()

    def described(self) -> dict[str, Any]:
        """What the manifest freezes: no path of the machine, and a hash over all that is seen."""
        data = self.model_dump(mode="json", exclude={"layout_file", "restart"})
        text = repr(sorted(data.items()))
        return {
            "profile": self.name,
            "verified": self.verified,
            "game_version": self.game_version,
            "language": self.language,
            "client": [self.window.width, self.window.height],
            "time_scale": self.time_scale,
            "profile_sha256": hashlib.sha256(text.encode()).hexdigest(),
        }


def load_profile(path: Path, *, for_tests: bool = False) -> Profile:
    """Read and check a profile. Raises InputError with one line for the first fault.

    A profile with a section `test` is refused unless `for_tests`: its window is not 12 s.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--native-profile {path}: cannot be read ({error})") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"--native-profile {path}: is not TOML: {error}") from None
    profile = parse_profile(data, str(path))
    if profile.test is not None and not for_tests:
        raise InputError(
            f"--native-profile {path}: has a section [test], which shortens the 12 s window; "
            "remove it"
        )
    return profile


def parse_profile(data: Mapping[str, Any], where: str) -> Profile:
    """The profile in decoded TOML. Raises InputError that names the place."""
    try:
        profile = Profile.model_validate(dict(data))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(
            f"--native-profile {where}: {place}: {first['msg']}; see docs/bridge/native.md"
        ) from None
    for problem in _problems(profile):
        raise InputError(f"--native-profile {where}: {problem}")
    return profile


def _problems(profile: Profile) -> Iterator[str]:
    names = {screen.value for screen in SCREENS}
    for name in sorted(names - set(profile.markers)):
        yield f"markers.{name} is missing"
    for name in sorted(set(profile.markers) - names):
        yield f"markers.{name} is no screen; use {', '.join(sorted(names))}"
    for name, markers in profile.markers.items():
        if all(marker.absent for marker in markers):
            yield f"markers.{name} must have a marker that is not `absent`"
    window = profile.window
    for name, point in _points(profile):
        if point.x >= window.width or point.y >= window.height:
            yield (
                f"{name} ({point.x}, {point.y}) is outside the client area of "
                f"{window.width} x {window.height}"
            )
    area = profile.play.area
    if area.x + area.width > window.width or area.y + area.height > window.height:
        yield "play.area reaches out of the client area"
    for a, b in itertools.combinations(SCREENS, 2):
        if not exclusive(profile.markers[a], profile.markers[b]):
            yield (
                f"markers.{a} and markers.{b} can match the same picture; give both one pixel "
                "with colours further apart than their tolerances, or mark it absent in one"
            )


def exclusive(first: list[Marker], second: list[Marker]) -> bool:
    """Whether no picture can match both screens."""
    return any(a.excludes(b) for a in first for b in second)


def _points(profile: Profile) -> Iterator[tuple[str, Point]]:
    clicks, thresholds = profile.clicks, profile.thresholds
    for name in ("menu", "load", "slot", "park"):
        yield f"clicks.{name}", getattr(clicks, name)
    yield "thresholds.success_pixel", thresholds.success_pixel
    yield "thresholds.failure_pixel", thresholds.failure_pixel
    for screen, markers in profile.markers.items():
        for i, marker in enumerate(markers):
            yield f"markers.{screen}[{i}]", marker
    yield "play.area", profile.play.area
