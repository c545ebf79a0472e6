"""The command line: what it prints, its exit codes, and one clear line for bad input."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.bridge.design.graph import graph_of
from bench.bridge.level.files import load_level
from bench.cli import commands_of, main
from tests_unit.bench.bridge.physics.cases import chain
from tests_unit.bench.bridge.training.test_reward import plank, wood_truss

LEVEL = "T1B_Basic_8m"
COMMANDS = commands_of("bridge")
HEAVY = {"numba", "matplotlib", "pandas", "openai", "shapely", "scipy", "pyautogui", "mss", "PIL"}


@pytest.fixture
def truss(tmp_path: Path) -> str:
    path = tmp_path / "truss.json"
    path.write_text(wood_truss())
    return str(path)


@pytest.fixture
def flat(tmp_path: Path) -> str:
    path = tmp_path / "plank.json"
    path.write_text(plank())
    return str(path)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main([name, "--help"])
    assert stop.value.code == 0
    assert f"python -m bench {name}" in capsys.readouterr().out
    assert "example:" in (importlib.import_module(COMMANDS[name][0]).__doc__ or "")


def test_the_overview_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in COMMANDS)


def test_help_and_validate_import_nothing_heavy(truss: str) -> None:
    code = (
        "import sys; from bench.cli import main; "
        f"main([]); main(['validate', '{LEVEL}', {truss!r}]); print(sorted(sys.modules))"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    loaded = {name.split(".")[0] for name in json.loads(out.splitlines()[-1].replace("'", '"'))}
    assert not loaded & HEAVY


def test_validate_prints_cost_and_limit(truss: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", LEVEL, truss, "--budget", "loose"]) == 0
    out = capsys.readouterr().out
    assert "of $50,000 (loose)" in out
    assert out.endswith("legal\n")


def test_validate_lists_every_violation_and_exits_1(
    truss: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["validate", LEVEL, truss, "--budget", "0.1x"]) == 1
    assert "OVER_BUDGET" in capsys.readouterr().out


def test_simulate_says_what_happened(
    truss: str, flat: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", LEVEL, truss]) == 0
    assert "outcome      success (success at 4.67 s)" in capsys.readouterr().out
    assert main(["simulate", LEVEL, flat, "--json"]) == 1
    facts = json.loads(capsys.readouterr().out)
    assert facts["outcome"] == "failure_or_timeout"
    assert facts["continuous_deck"] is True
    assert facts["diagnostics"]["mechanisms"] == 3


def test_a_design_comes_from_standard_input_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO(wood_truss()))
    assert main(["capacity", LEVEL, "-", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert 1.9 < facts["capacity"] <= 1.02 * facts["static_bound"]


@pytest.mark.parametrize("place", [LEVEL, f"data/T1B/{LEVEL}.json"], ids=["name", "file"])
def test_capacity_shows_the_multiplier_its_price_and_the_bound(
    place: str, truss: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from bench.bridge.level.files import DEFAULT_ROOT

    level = str(DEFAULT_ROOT / place) if place.endswith(".json") else place
    assert main(["capacity", level, truss]) == 0
    shown = dict(line.split("  ", 1) for line in capsys.readouterr().out.splitlines())
    assert main(["capacity", level, truss, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["level"] == LEVEL
    assert shown["capacity"].split()[0] == f"{facts['capacity']:.2f}"
    assert "at 3.5 m/s" in shown["capacity"]
    assert facts["per_1000_usd"] == pytest.approx(1000 * facts["capacity"] / facts["cost_usd"],
                                                  abs=1e-4)  # fmt: skip
    assert float(shown["per $1,000"]) == pytest.approx(facts["per_1000_usd"], abs=5e-4)
    assert float(shown["static bound"]) == pytest.approx(facts["static_bound"], abs=5e-3)
    assert int(shown["rollouts"]) == facts["rollouts"] <= 10


def test_the_capacity_of_a_design_that_fails_is_below_one_in_ten_rollouts(
    flat: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["capacity", LEVEL, flat, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["capacity"] < 1.0
    assert facts["rollouts"] <= 10
    assert facts["static_bound"] is None
    assert main(["capacity", LEVEL, flat]) == 0
    assert "self-weight alone is not balanced" in capsys.readouterr().out


def test_capacity_at_walking_pace_is_below_the_bound(
    truss: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["capacity", LEVEL, truss, "--slow", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["cruise_mps"] == 0.5
    assert 1.5 < facts["capacity"] <= 1.02 * facts["static_bound"]


def test_a_reference_file_is_a_design(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "reference.json"
    path.write_text(json.dumps({"cost_usd": 1, "design": json.loads(wood_truss())}))
    assert main(["validate", LEVEL, str(path), "--budget", "loose"]) == 0


def test_a_level_may_be_given_by_its_file(truss: str, capsys: pytest.CaptureFixture[str]) -> None:
    from bench.bridge.level.files import DEFAULT_ROOT

    path = DEFAULT_ROOT / "data" / "T1B" / f"{LEVEL}.json"
    assert main(["validate", str(path), truss, "--budget", "loose"]) == 0


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["fly"], "command 'fly' is unknown; use one of"),
        (["validate", "T1B_Basic_8", "x.json"], "did you mean T1B_Basic_8m"),
        (["validate", LEVEL, "missing.json"], "cannot read the design missing.json"),
        (["validate", LEVEL, "{truss}", "--budget", "cheap"], "--budget 'cheap' is unknown"),
        (["simulate", LEVEL, "{broken}"], "is no design: PARSE_ERROR"),
        (["simulate", LEVEL, "{dangling}"], "names a missing node"),
        (["draw", LEVEL, "{truss}", "out.bmp"], "must end in .png"),
        (["redteam", LEVEL, "--minutes", "0"], "--minutes 0 must be above 0"),
        (["speed", "--repeat", "0"], "--repeat needs 1 or more"),
    ],
)
def test_bad_input_is_one_line_and_exit_4(
    argv: list[str], message: str, truss: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"nodes": [')
    dangling = tmp_path / "dangling.json"
    graph = graph_of(chain(8.0, 0.0, 2.0, (1,)))
    graph["edges"][0]["anchorAID"] = 999
    dangling.write_text(json.dumps({"action": "modify", "thought_process": "", **graph}))
    places = {"{truss}": truss, "{broken}": str(broken), "{dangling}": str(dangling)}
    assert main([places.get(a, a) for a in argv]) == 4
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_redteam_is_repeatable_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    main(["redteam", LEVEL, "--minutes", "0.01"])
    assert load_level(LEVEL).name in capsys.readouterr().out
