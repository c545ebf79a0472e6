"""The profile: strict, exclusive, and never scaled."""

from __future__ import annotations

import copy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.bridge.drivers.native.calibrate import to_toml
from bench.bridge.drivers.native.profile import Marker, load_profile, parse_profile
from bench.errors import InputError
from tests_unit.support.native_game.desk import ROOT
from tests_unit.support.native_game.look import profile_data

EXAMPLE = ROOT / "docs" / "examples" / "native-2560x1600.toml"


def changed(*path: Any, value: Any = None) -> dict[str, Any]:
    """The stand-in's profile with one value replaced, or taken out when it is None."""
    data = copy.deepcopy(profile_data(Path("slot.json")))
    inner: Any = data
    for key in path[:-1]:
        inner = inner[key]
    if value is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (changed("thresholds", "success_pixel"), r"thresholds\.success_pixel: Field required"),
        (changed("window", "width", value="1280"), r"window\.width"),
        (changed("window", "widht", value=1280), r"window\.widht: Extra inputs"),
        (changed("thresholds", "success_green", value=255), r"thresholds\.success_green"),
        (changed("markers", "SIM"), r"markers\.SIM is missing"),
        (changed("markers", "PAUSE", value=[]), r"markers\.PAUSE"),
        (changed("clicks", "slot", value={"x": 1280, "y": 5}), r"clicks\.slot \(1280, 5\) is out"),
        (changed("clicks", "slot", "x", value=-1), r"clicks\.slot\.x"),
        (changed("play", "area", "width", value=2000), r"play\.area reaches out"),
        (changed("window", "height", value=637), r"window\.height"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(data: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse_profile(data, "my.toml")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("--native-profile my.toml: ")


def test_markers_that_can_match_one_picture_are_refused() -> None:
    data = profile_data(Path("slot.json"))
    # MENU in the editor's colours, but for less than both tolerances together.
    data["markers"]["MENU"] = [m | {"rgb": [230, 160, 99]} for m in data["markers"]["EDITOR"]]
    data["markers"]["MENU"][1]["rgb"] = data["markers"]["EDITOR"][1]["rgb"]
    with pytest.raises(InputError, match=r"markers\.EDITOR and markers\.MENU can match the same"):
        parse_profile(data, "x")
    data["markers"]["MENU"][0]["rgb"] = [230, 160, 101]
    parse_profile(data, "x")


def dot(rgb: list[int], tolerance: int, absent: bool = False, x: int = 1) -> Marker:
    return Marker(x=x, y=1, rgb=rgb, tolerance=tolerance, absent=absent)


def test_which_markers_exclude_each_other() -> None:
    here = dot([100, 100, 100], 10)
    assert here.excludes(dot([100, 100, 121], 10))
    assert not here.excludes(dot([100, 100, 120], 10))
    assert not here.excludes(dot([200, 200, 200], 10, x=2))
    assert here.excludes(dot([100, 100, 100], 10, absent=True))
    assert here.excludes(dot([105, 100, 100], 15, absent=True))
    assert not here.excludes(dot([106, 100, 100], 15, absent=True))
    assert not dot([0, 0, 0], 9, absent=True).excludes(dot([0, 0, 0], 9, absent=True))


@pytest.mark.parametrize(
    ("rgb", "found"), [((110, 90, 100), True), ((111, 100, 100), False), ((100, 100, 89), False)]
)
def test_a_marker_matches_within_its_tolerance(rgb: tuple[int, int, int], found: bool) -> None:
    assert dot([100, 100, 100], 10).matches(rgb) is found
    assert dot([100, 100, 100], 10, absent=True).matches(rgb) is not found


def test_a_shortened_window_is_for_tests_only(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text(to_toml(profile_data(Path("slot.json"), scale=8.0)))
    with pytest.raises(InputError, match="shortens the 12 s window"):
        load_profile(path)
    assert load_profile(path, for_tests=True).time_scale == 8


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    data = profile_data(Path('C:\\Games\\a "b".json'))
    path = tmp_path / "p.toml"
    path.write_text(to_toml(data))
    assert load_profile(path) == parse_profile(data, "x")


def test_the_manifest_gets_no_path_and_notices_a_moved_pixel() -> None:
    one = parse_profile(profile_data(Path("/home/me/slot.json")), "x").described()
    moved = changed("thresholds", "success_pixel", "x", value=701)
    two = parse_profile(moved, "x").described()
    assert "/home" not in repr(one)
    assert one["profile_sha256"] != two["profile_sha256"]
    assert parse_profile(profile_data(Path("b.json")), "x").described() == one


def test_each_display_has_its_layout_file() -> None:
    profile = parse_profile(changed("layout_file", value="/g{display}/slot.json"), "x")
    assert str(profile.layout_path(":12.0")) == "/g12/slot.json"


def test_the_example_is_complete_but_for_what_nobody_has_published() -> None:
    """It is refused, unverified as it is, exactly for the success pixel."""
    with pytest.raises(InputError, match=r"thresholds\.success_pixel: Field required"):
        load_profile(EXAMPLE)
    text = EXAMPLE.read_text()
    assert "verified = false" in text
    completed = text.replace("# success_pixel =", "success_pixel =")
    import tomllib

    profile = parse_profile(tomllib.loads(completed), "example")
    assert (profile.window.width, profile.window.height) == (2560, 1600)
    assert (profile.thresholds.failure_pixel.x, profile.thresholds.failure_pixel.y) == (1145, 637)


def test_importing_the_driver_loads_no_desktop_library() -> None:
    code = (
        "import sys, pkgutil, importlib\n"
        "import bench.bridge.drivers, bench.bridge.drivers.native as n\n"
        "for m in pkgutil.walk_packages(n.__path__, n.__name__ + '.'):\n"
        "    importlib.import_module(m.name)\n"
        "print([m for m in ('pyautogui', 'mss', 'Xlib', 'mouseinfo') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
