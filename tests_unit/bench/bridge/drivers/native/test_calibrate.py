"""Calibration makes a profile that is accepted and tells the screens apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.bridge.drivers.native.backends.base import Desktop, Rect, Shot
from bench.bridge.drivers.native.calibrate import Calibration, to_toml
from bench.bridge.drivers.native.profile import SCREENS, load_profile
from bench.bridge.drivers.native.screens import screen_of
from tests_unit.support.native_game import look

CLIENT = Rect(20, 30, 1280, 800)


class Painted:
    """A screen in the stand-in's colours; a pixel has a colour only where a marker is."""

    def __init__(self) -> None:
        self.name = "EDITOR"

    def grab(self, rect: Rect) -> Shot:
        data = bytearray(bytes((90, 90, 90, 0)) * (CLIENT.width * CLIENT.height))
        for marker in look.markers()[self.name]:
            if not marker.get("absent"):
                at = 4 * (marker["y"] * CLIENT.width + marker["x"])
                data[at : at + 3] = bytes(reversed(marker["rgb"]))
        whole = Shot(bytes(data), CLIENT.width, CLIENT.height, 0.0, 0.0)
        if rect == CLIENT:
            return whole
        red, green, blue = whole.rgb(rect.x - CLIENT.x, rect.y - CLIENT.y)
        return Shot(bytes((blue, green, red, 0)), 1, 1, 0.0, 0.0)


class Person:
    """Points where asked, outside the window once, and brings the game to its screens."""

    def __init__(self, painted: Painted) -> None:
        self.painted = painted
        self.place = (0, 0)
        self.points = [(5, 5), *look.CHIPS]
        self.later = [(20, 20), (640, 330), (600, 230), look.PARK, (0, 50), (1279, 749)]

    def ask(self, text: str) -> str:
        if text.startswith("bring the game to "):
            self.painted.name = text.split()[4].rstrip(",")
            return ""
        wanted: Any = None
        if "steady" in text:
            if not self.points:
                return "done"
            wanted = self.points.pop(0)
        elif "success" in text:
            both = [look.SUCCESS_PIXEL, look.OTHER_SUCCESS_PIXEL]
            done = self.place == (both[1][0] + 20, both[1][1] + 30)
            if done:
                return "done"
            first = self.place == (both[0][0] + 20, both[0][1] + 30)
            wanted = both[1] if first else both[0]
        elif "failure" in text:
            if self.place == (look.OTHER_FAILURE_PIXEL[0] + 20, look.OTHER_FAILURE_PIXEL[1] + 30):
                return "done"
            wanted = look.OTHER_FAILURE_PIXEL
        else:
            wanted = self.later.pop(0)
        self.place = (wanted[0] + CLIENT.x, wanted[1] + CLIENT.y)
        return ""

    def pointer(self) -> tuple[int, int]:
        return self.place


def test_a_calibrated_profile_tells_the_screens_apart(tmp_path: Path) -> None:
    painted = Painted()
    person = Person(painted)
    desktop: Any = Desktop("fake", None, person, painted)  # type: ignore[arg-type]
    data = Calibration(desktop, CLIENT, person.ask).run("Poly Bridge", "slot.json")
    path = tmp_path / "made.toml"
    path.write_text(to_toml(data))
    profile = load_profile(path)
    assert not profile.verified
    assert profile.clicks.slot.model_dump() == {"x": 600, "y": 230}
    assert profile.thresholds.success_green == 150
    assert (profile.play.area.width, profile.play.area.height) == (1279, 699)
    for screen in SCREENS:
        painted.name = screen.value
        assert screen_of(profile, painted.grab(CLIENT)) is screen
