"""The command line around the native driver: pytest's options and `python -m bench native`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from bench.bridge.drivers.native.calibrate import to_toml
from bench.bridge.drivers.native.saves import LayoutSlot
from bench.cli import main
from tests_unit.support.bench_runs import bench
from tests_unit.support.native_game.desk import Desk
from tests_unit.support.native_game.look import PARK, profile_data

NAME = "T1B_Basic_10m"


def arguments(desk: Desk) -> list[str]:
    """The two options that name the stand-in's profile and layouts."""
    profile = desk.folder / "profile.toml"
    profile.write_text(to_toml(profile_data(desk.slot)))
    return ["--native-profile", str(profile), "--native-layouts", str(desk.layouts)]


def lines(text: str) -> dict[str, str]:
    """The doctor's lines by name."""
    rows = [line for line in text.splitlines() if line.startswith(("ok", "FAIL"))]
    return {row.split(":")[0].split("  ")[-1].strip(): row for row in rows}


@pytest.mark.native
def test_the_doctor_finds_everything_well(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.add_layout(NAME)
    desk.start("--script", "timeout")
    before = desk.slot.read_bytes()
    code = main(["native", "doctor", "--display", desk.display, *arguments(desk)])
    out = capsys.readouterr().out
    assert code == 0, out
    assert "1 of 189 levels can be run" in lines(out)["layouts"]
    assert "1280 x 800 at 20,30" in lines(out)["window"]
    assert "the screen EDITOR" in lines(out)["screen"]
    assert desk.slot.read_bytes() == before
    assert desk.events("key", "click") == []


@pytest.mark.native
def test_the_doctor_says_what_to_mend(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    LayoutSlot(desk.slot).open()
    code = main(["native", "doctor", "--display", desk.display, *arguments(desk)])
    found = lines(capsys.readouterr().out)
    assert code == 1
    assert [name for name, row in found.items() if row.startswith("FAIL")] == [
        "your own layout",
        "layouts",
        "game",
    ]
    assert "WindowMissing" in found["game"]
    options = arguments(desk)
    assert main(["native", "restore", *options[:2]]) == 0
    assert "is back" in capsys.readouterr().out


@pytest.mark.native
def test_calibrate_shows_position_and_colour(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.start("--script", "timeout")
    driver = desk.driver()
    driver.open()
    assert driver._game is not None
    driver._game.desktop.input.move(20 + PARK[0], 30 + PARK[1])
    driver.close()
    assert main(["native", "calibrate", "--display", desk.display, "--seconds", "0.3"]) == 0
    assert f"x = {PARK[0]}, y = {PARK[1]}, rgb = [143, 143, 143]" in capsys.readouterr().out


@pytest.mark.native
def test_levels_without_a_fitting_layout_are_skipped_and_still_expected(
    desk: Desk, tmp_path: Path
) -> None:
    other = "T1B_Basic_8m"
    desk.add_layout("T1B_Basic_9m")
    (desk.layouts / "T1B_Basic_9m.json").rename(desk.layouts / f"{other}.json")
    desk.start("--script", "timeout")
    nodes = [f"bench/test_levels.py::test_level[{name}]" for name in (NAME, other)]
    options = ["--driver", "native", "--model", "baseline", "--session", "s", "-rs"]
    options += ["--report-only", *arguments(desk)]
    run = bench(nodes[1], *options, runs_dir=tmp_path / "runs", target=nodes[0], fake=False)
    assert run.code == 1, run.out
    assert "2 skipped" in run.out, run.out
    assert f"export it from the game as {NAME}.json" in run.out
    assert "1000.0 mm away" in run.out
    assert "0 of 2 episodes have a result" in run.out
    assert f"Without one: {NAME}, {other}." in run.out
    summary = json.loads((tmp_path / "runs" / "s" / "summary.json").read_text())
    assert (summary["expected"], summary["finished"]) == (2, 0)
    assert [row["level"] for row in summary["results"]] == [NAME, other]
    assert desk.events("run") == []


@pytest.mark.native
def test_without_a_game_the_run_fails_in_its_set_up(desk: Desk, tmp_path: Path) -> None:
    desk.add_layout(NAME)
    node = f"bench/test_levels.py::test_level[{NAME}]"
    options = ["--driver", "native", "--model", "baseline", "--session", "s", *arguments(desk)]
    run = bench(*options, runs_dir=tmp_path / "runs", target=node, fake=False)
    assert run.code == 1
    assert "WindowMissing: expected a window titled 'Poly Bridge'" in run.out
    folder = tmp_path / "runs" / "s" / "faults"
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["fault-001-WindowMissing.json", "fault-001-WindowMissing.png"]


@pytest.mark.native
def test_a_fault_that_stays_stops_the_session(desk: Desk, tmp_path: Path) -> None:
    names = (NAME, "T1B_Basic_9m")
    desk.add_layout(*names)
    desk.start("--script", "timeout", "--fault", "ignore-reload")
    nodes = [f"bench/test_levels.py::test_level[{name}]" for name in names]
    options = ["--driver", "native", "--model", "baseline", "--session", "s", *arguments(desk)]
    run = bench(*nodes[1:], *options, runs_dir=tmp_path / "runs", target=nodes[0], fake=False)
    assert run.code == 2
    assert "the driver cannot go on (ReloadError: " in run.out, run.out
    assert "run with --resume" in run.out
    results = sorted((tmp_path / "runs" / "s").glob("*/result.json"))
    assert [path.parent.name for path in results] == [NAME]
    assert json.loads(results[0].read_text())["outcome"] == "infra_error"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["-n", "2"], "cannot run in parallel"),
        (["-n", "2", "--native-displays", ":1"], "name one display a worker"),
        (["--dry-run"], "leave --driver native out"),
        (["--native-layouts", "no-such"], "no-such: is no folder"),
    ],
)
def test_a_mistake_ends_with_exit_code_4(more: list[str], message: str, tmp_path: Path) -> None:
    profile = tmp_path / "p.toml"
    profile.write_text(to_toml(profile_data(Path("slot.json"))))
    options = ["--native-profile", str(profile), "--native-layouts", str(tmp_path), *more]
    run = bench(
        "--driver", "native", "--model", "baseline", *options, runs_dir=tmp_path / "r", fake=False
    )
    assert run.code == 4
    assert message in run.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["doctor"], "needs --native-profile"),
        (["check-layouts"], "needs --native-layouts"),
    ],
)
def test_the_tools_name_what_is_missing(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["native", *words]) == 4
    assert message in capsys.readouterr().err


def test_check_layouts_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = Desk(os.environ.get("DISPLAY", ""), tmp_path / "desk")
    desk.add_layout(NAME, "T1B_Basic_9m")
    (desk.layouts / "T1B_Basic_8m.json").write_bytes(
        (desk.layouts / "T1B_Basic_9m.json").read_bytes()
    )
    assert main(["native", "check-layouts", "--native-layouts", str(desk.layouts)]) == 1
    out = capsys.readouterr().out
    assert "2 of 189 fit, 186 missing, 1 refused" in out
    assert "T1B_Basic_8m" in out
    assert "1000.0 mm away" in out
