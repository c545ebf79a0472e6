"""Runs of the stand-in through the driver: no false result, the same outcomes as embedded."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.bridge.answer.parse import parse_answer
from bench.bridge.design.design import Design
from bench.bridge.design.materials import ROAD
from bench.bridge.drivers.base import Driver
from bench.bridge.drivers.embedded import EmbeddedDriver
from bench.bridge.drivers.native.calibrate import to_toml
from bench.bridge.drivers.native.capture import write_png
from bench.bridge.level.files import load_level
from bench.bridge.task import BridgeTask
from bench.clients.scripted import ScriptedClient
from bench.episode import EpisodeResult, run_episode
from bench.protocol import Settings
from bench.records import EpisodeFolder
from bench.records.files import json_bytes
from bench.task import Outcome
from tests_unit.support.bench_runs import bench, script, timeless
from tests_unit.support.factories import warren
from tests_unit.support.native_game.desk import ROOT, Desk, x_server
from tests_unit.support.native_game.look import profile_data

pytestmark = pytest.mark.native

LEVELS = (
    "T1B_Basic_9m",
    "T1C_RoadWood_8m",
    "T1D_DeckOnly_9m",
    "T1E_OneSideL_8m",
    "T1F_DeepAnchor_14m_D4m",
    "T2A_Upslope_8m_H1m",
    "T2B_Downslope_8m_H1m",
    "T2G_PlatformUp_9m_H1p5m",
    "T4B_HeavyW3_10m",
    "G2_RoadWood_HeavyW2_8m",
)
AGAIN = 4
SCALE = 10.0


def reference(name: str) -> Design:
    text = (ROOT / "golden" / "bridge" / "references" / f"{name}.json").read_text()
    design = parse_answer(json.dumps(json.loads(text)["design"])).design
    assert design is not None
    return design


def weakened(design: Design, index: int) -> Design:
    """The road alone, or the last third of the members missing."""
    if index % 2:
        return replace(design, members=design.members[: 2 * len(design.members) // 3])
    return replace(design, members=tuple(m for m in design.members if m.type == ROAD.type))


def test_24_runs_in_a_row_give_the_outcomes_of_the_embedded_driver(desk: Desk) -> None:
    desk.add_layout(*LEVELS)
    desk.start("--speed", str(SCALE))
    embedded, native = EmbeddedDriver(), desk.driver(desk.profile(scale=SCALE))
    cases = [(name, reference(name)) for name in LEVELS]
    cases += [(name, weakened(design, i)) for i, (name, design) in enumerate(cases)]
    cases += cases[::6][:AGAIN]
    native.open()
    found = []
    try:
        for name, design in cases:
            level = load_level(name).level
            wanted = embedded.execute(level, design)
            rollout = native.execute(level, design)
            assert rollout.outcome is wanted.outcome, name
            assert "recovered" not in rollout.facts
            if wanted.decided_s is not None:
                # A picture every 33 ms at ten times the speed, and the grid of frames.
                assert rollout.decided_s == pytest.approx(wanted.decided_s, abs=1.0)
            found.append(rollout.outcome)
    finally:
        native.close()
    assert found[:10] == [Outcome.SUCCESS] * 10
    assert found[10:20] == [Outcome.FAILURE_OR_TIMEOUT] * 10
    assert len(found) == 24
    # The oracle: one run of the game for each, of the design that was meant.
    runs = desk.events("run")
    assert [run["members"] for run in runs] == [len(d.members) for _, d in cases]
    wins = [run["outcome"] == "success" for run in runs]
    assert wins == [outcome is Outcome.SUCCESS for outcome in found]


def busy() -> float:
    """The share of all cores in use over a moment."""

    def read() -> tuple[int, int]:
        fields = Path("/proc/stat").read_text().splitlines()[0].split()[1:9]
        ticks = [int(field) for field in fields]
        return sum(ticks), ticks[3] + ticks[4]

    total, idle = read()
    time.sleep(0.5)
    total2, idle2 = read()
    return 1 - (idle2 - idle) / max(1, total2 - total)


def test_a_full_run_at_1920x1080_records_how_late_and_dear_its_grabs_are(
    desk: Desk, record_property: pytest.RecordProperty
) -> None:
    """12 s as they are. 0.2 ms late and 22% of a core when it runs alone: docs/bridge/native.md."""
    name = "T1B_Basic_9m"
    desk.add_layout(name)
    before = busy()
    desk.start("--size", "1920x1080", "--position", "0,0", "--texture")
    cpu: list[float] = []

    def encode(shot: Any, path: Path) -> None:
        cpu.append(time.process_time())
        write_png(shot, path)
        cpu.append(time.process_time())

    driver = desk.driver(desk.profile(size=(1920, 1080)), encode=encode)
    driver.open()
    try:
        level = load_level(name).level
        rollout = driver.execute(level, reference(name))
    finally:
        driver.close()
    alone = max(before, busy()) < 0.2
    wanted = EmbeddedDriver().execute(level, reference(name))
    assert rollout.outcome is wanted.outcome is Outcome.SUCCESS
    assert rollout.decided_s == pytest.approx(wanted.decided_s, abs=0.3)
    # As large as a screenshot of the game at this size; a plain picture would cost nothing.
    assert len(rollout.files["frames/frame_20.png"]) > 700_000
    rows = [json.loads(line) for line in rollout.files["frames/log.jsonl"].splitlines()]
    assert [row["index"] for row in rows] == list(range(49))
    assert [row["due_s"] for row in rows] == [k / 4 for k in range(49)]
    assert all(row["focused"] and row["cover"] is None for row in rows)
    late_ms = sorted(1000 * (row["begun_s"] - row["due_s"]) for row in rows)
    assert late_ms[0] >= 0
    core = (cpu[-1] - cpu[2]) / 12.0
    numbers = {
        "late_median_ms": round(late_ms[24], 2),
        "late_max_ms": round(late_ms[-1], 2),
        "core": round(core, 3),
        "alone": alone,
    }
    print(numbers)
    for key, value in numbers.items():
        record_property(key, value)


def episode(driver: Driver, name: str, answers: str, folder: Path) -> EpisodeResult:
    driver.open()
    try:
        task = BridgeTask(load_level(name), driver, Settings(budget="loose"))
        return run_episode(task, ScriptedClient(answers), EpisodeFolder(folder))
    finally:
        driver.close()


def but_for_timing(path: Path, clean: list[bool | None]) -> bytes:
    """The record's bytes without its `timing` objects.

    The one flag that no screen shows is taken out into `clean`, and put in as None.
    """
    data = path.read_bytes()
    record = json.loads(data)
    assert json_bytes(record) == data, "written again, a record is the same to the byte"
    for call in record["calls"]:
        if call["execution"] is not None:
            clean.append(call["execution"]["clean"])
            call["execution"]["clean"] = None
    return json_bytes(timeless(record))


def test_a_scripted_episode_leaves_the_records_of_the_embedded_driver(
    desk: Desk, tmp_path: Path
) -> None:
    name = "T1B_Basic_10m"
    desk.add_layout(name)
    desk.start("--speed", str(SCALE))
    answers = script(tmp_path / "answers.json", **{name: "VFS"}).removeprefix("scripted:")
    assert warren(load_level(name).level).members
    native = desk.driver(desk.profile(scale=SCALE))
    seen = episode(native, name, answers, tmp_path / "native")
    wanted = episode(EmbeddedDriver(), name, answers, tmp_path / "embedded")
    known: list[bool | None] = []
    shown: list[bool | None] = []
    mine = but_for_timing(tmp_path / "native" / "trajectory.json", shown)
    assert mine == but_for_timing(tmp_path / "embedded" / "trajectory.json", known)
    assert (shown, known) == ([None, None], [False, True])
    assert seen.outcome is wanted.outcome is Outcome.SUCCESS
    assert [call.status for call in seen.trajectory.calls] == [
        "invalid",
        "failure_or_timeout",
        "success",
    ]
    results = [result.model_copy(update={"timing": {}}) for result in (seen.result, wanted.result)]
    assert results[0] == results[1]
    # What only one driver knows is in the call's own records.
    for number in (2, 3):
        own, other = (
            json.loads((tmp_path / which / f"call-{number}" / "execution.json").read_text())
            for which in ("native", "embedded")
        )
        assert own["outcome"] == other["outcome"]
        assert own["facts"]["decided_s"] == pytest.approx(other["facts"]["decided_s"], abs=1.0)
        assert "digest" in other["facts"]
        assert "label_disagreements" in own["facts"]
    for number in (2, 3):
        frames = tmp_path / "native" / f"call-{number}" / "frames"
        names = {path.name for path in frames.iterdir()}
        assert names >= {f"frame_{k:02d}.png" for k in range(48)}
        assert names >= {"editor.png", "final.png", "log.jsonl"}
        assert len((frames / "log.jsonl").read_text().splitlines()) == 49
    sheet = tmp_path / "native" / "call-2" / "contact_sheet.png"
    assert sheet.exists()


def test_two_drivers_on_one_display_are_refused(desk: Desk) -> None:
    from bench.bridge.drivers.native.errors import DisplayBusy

    desk.start("--script", "timeout")
    first, second = desk.driver(), desk.driver()
    first.open()
    try:
        with pytest.raises(DisplayBusy, match=os.environ["DISPLAY"]):
            second.open()
    finally:
        first.close()
    second.open()
    second.close()


def test_a_killed_worker_is_replaced_on_its_display_beside_one_that_lives(
    display: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XAUTHORITY", os.environ["XAUTHORITY"])
    names = ("T1B_Basic_8m", "T1B_Basic_9m", "T1B_Basic_10m", "T1C_RoadWood_8m")
    profile = tmp_path / "p.toml"
    slot = tmp_path / "{display}" / "game" / "slot.json"
    profile.write_text(to_toml(profile_data(slot, scale=SCALE)))
    model = script(tmp_path / "script.json", **dict.fromkeys(names, "S"))
    (tmp_path / "x").mkdir()
    with x_server(tmp_path / "x") as (other, _):
        desks = [Desk(name, tmp_path / name[1:]) for name in (display, other)]
        mine = desks[0].slot.read_bytes()
        desks[0].add_layout(*names)
        for desk in desks:
            desk.start("--speed", str(SCALE), "--script", "success@9")
        run = bench(
            *(f"bench/test_levels.py::test_level[{name}]" for name in names[1:]),
            *("-n", "2", "--driver", "native", "--native-displays", f"{display},{other}"),
            *("--native-profile", str(profile), "--native-layouts", str(desks[0].layouts)),
            *("--model", model, "--budget", "loose", "--session", "s"),
            *("-q", "-p", "tests_unit.support.native_game.killer"),
            runs_dir=tmp_path / "runs",
            target=f"bench/test_levels.py::test_level[{names[0]}]",
            fake=False,
            NATIVE_KILL_LOG=str(desks[1].log),
        )
        runs = [len(desk.events("run")) for desk in desks]
        for desk in desks:
            desk.close()
    assert run.code == 1, run.out
    results = [
        json.loads(path.read_text()) for path in (tmp_path / "runs" / "s").glob("*/result.json")
    ]
    outcomes = sorted(result["outcome"] for result in results)
    assert outcomes == ["infra_error", "success", "success", "success"], run.out
    (crash,) = [result["infra"] for result in results if result["infra"]]
    assert crash["error"] == "WorkerCrash"
    # One level died with its worker; the next was run on the same display. A busy machine may
    # disturb a run, which is then made again.
    assert min(runs) >= 2
    assert [desk.slot.read_bytes() for desk in desks] == [mine, mine]


def test_two_levels_that_look_the_same_are_told_apart_by_a_probe(desk: Desk) -> None:
    names = ("T1B_Basic_10m", "T1C_RoadWood_10m")
    desk.add_layout(*names)
    desk.start("--script", "timeout")
    driver = desk.driver()
    driver.open()
    try:
        for name in names:
            driver.editor_picture(load_level(name).level, None, limit_usd=1.0)
    finally:
        driver.close()
    loads = [event["members"] for event in desk.events("load")]
    # The second level shows nothing new: the probe's one member comes and goes.
    assert loads == [0, 0, 1, 0]
