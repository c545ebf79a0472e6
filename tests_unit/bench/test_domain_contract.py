"""What every domain keeps, the registered ones and a made-up one: through the seam, end to end."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bench.clients.registry import make_client
from bench.domain import DOMAINS, Domain, DriverOptions, get_domain
from bench.errors import InputError, LevelError, ModelError
from bench.protocol import PAPER, Settings
from bench.records import read_session
from bench.records.fingerprint import hashes
from bench.task import Outcome, Task
from bench.turn import play_episode, take_turn
from tests_unit.support.bench_runs import Run, bench, session_contents
from tests_unit.support.toy import NAME, register

NAMES = [*DOMAINS, NAME]
FACTS = {"level", "family", "group", "suite", "tags", "strict_limit", "limit", "unit", "condition"}
GARBAGE = ["", "no JSON", "[]", "{", '{"order": "x", "nodes": 5}', "\ud800", "{}" * 3, "{" * 5000]


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[None]:
    register()
    yield
    del DOMAINS[NAME]


@pytest.fixture(params=NAMES)
def domain(request: pytest.FixtureRequest) -> Domain:
    return get_domain(request.param)


def task_of(domain: Domain, level: str, settings: Settings = PAPER) -> Task[Any]:
    driver = domain.driver(DriverOptions(domain.drivers[0], settings.window_s))
    return domain.task(level, settings, driver)


def first_level(domain: Domain) -> str:
    return domain.levels()[0].name


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value, allow_nan=False))


def test_names_and_units_are_plain(domain: Domain) -> None:
    assert domain.name in DOMAINS
    assert domain.title
    assert domain.unit.amount(1.0)
    assert domain.default_baseline in domain.baselines
    assert set(domain.ladder) <= set(domain.baselines)


def test_levels_have_unique_names_and_all_that_selection_needs(domain: Domain) -> None:
    entries = domain.levels()
    assert len({entry.name for entry in entries}) == len(entries) > 0
    assert all(entry.name.isidentifier() and entry.family for entry in entries)


def test_an_unknown_level_is_named_with_a_close_one(domain: Domain) -> None:
    name = first_level(domain)
    with pytest.raises(LevelError, match=name):
        domain.load(f"{name}x")


def test_an_unknown_baseline_is_named_with_a_close_one(domain: Domain) -> None:
    name = domain.default_baseline
    with pytest.raises(ModelError, match=f"did you mean baseline:{name}"):
        domain.baseline(f"{name}x")


def test_facts_are_json_and_hold_what_records_need(domain: Domain) -> None:
    facts = task_of(domain, first_level(domain)).facts
    assert facts.keys() >= FACTS
    assert plain(dict(facts)) == dict(facts)
    assert facts["unit"] == domain.unit.name


def test_scenes_and_hashes_are_json(domain: Domain) -> None:
    scene = domain.scene(first_level(domain))
    assert plain(scene) == scene
    assert set(scene) == {"parameters", "scene"}
    found = hashes(domain)
    assert set(found) >= {"benchmark", "levels", "budgets", "prompt", "validator", "simulator"}


def test_the_first_observation_is_text_then_readable_pictures(domain: Domain) -> None:
    observation = task_of(domain, first_level(domain)).observe([])
    assert plain(dict(observation.data)) == dict(observation.data)
    assert [message.role for message in observation.messages] == ["system", "user"]
    assert observation.pictures
    for picture in observation.pictures:
        with Image.open(io.BytesIO(picture.png)) as image:
            image.verify()
    blind = task_of(domain, first_level(domain), Settings(images=False)).observe([])
    assert blind.pictures == ()


def test_hidden_names_stay_hidden(domain: Domain) -> None:
    name = first_level(domain)
    observation = task_of(domain, name, Settings(anonymous=True, images=False)).observe([])
    told = json.dumps(observation.data) + repr(observation.messages)
    assert name not in told


@pytest.mark.parametrize("text", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_a_violation_and_never_an_error(domain: Domain, text: str) -> None:
    turn = take_turn(task_of(domain, first_level(domain)), 1, text)
    assert turn.status == "invalid"
    assert set(turn.codes) <= {"PARSE_ERROR", "SCHEMA_ERROR"}
    assert turn.step.violations[0].message


def test_a_whole_episode_is_json_at_every_border(domain: Domain) -> None:
    task = task_of(domain, first_level(domain), Settings(budget="loose"))
    client = make_client(f"baseline:{domain.default_baseline}", baseline=domain)
    turns = play_episode(task, client)
    assert turns[-1].success
    execution = turns[-1].execution
    assert execution is not None
    design = turns[-1].step.candidate.design
    for value in (task.measure(design), task.flags(execution), execution.facts):
        assert plain(dict(value)) == dict(value)
    assert task.measure(design)["cost"] <= task.facts["limit"]
    assert "design.json" in task.files(design)
    assert execution.outcome is Outcome.SUCCESS


def test_a_quiet_driver_tells_the_same_without_files_and_pictures(domain: Domain) -> None:
    settings = Settings(budget="loose", images=False)
    driver = domain.driver(DriverOptions(domain.drivers[0], settings.window_s, quiet=True))
    level = first_level(domain)
    task = domain.task(level, settings, driver)
    client = make_client(f"baseline:{domain.default_baseline}", baseline=domain)
    quiet = play_episode(task, client, settings)
    loud = play_episode(task_of(domain, level, settings), client, settings)
    assert [turn.codes for turn in quiet] == [turn.codes for turn in loud]
    assert [turn.success for turn in quiet] == [turn.success for turn in loud]
    execution = quiet[-1].execution
    assert execution is not None
    assert (execution.files, execution.pictures) == ({}, ())
    assert 0.0 < domain.reward(task, quiet[-1])["total"] <= 1.0


def test_an_environment_plays_it(domain: Domain) -> None:
    from bench.env import BenchEnv

    env = BenchEnv(domain=domain.name, budget="loose")
    _, info = env.reset(options={"level": first_level(domain)})
    answer = domain.baseline(domain.default_baseline)(info["data"])
    over = False
    while not over:
        _, value, over, _, info = env.step(answer)
    assert info["unit"] == domain.unit.name
    assert 0.0 <= value <= 1.0


def test_the_ladder_measures_it(domain: Domain, capsys: pytest.CaptureFixture[str]) -> None:
    from bench.cli import main

    rung = domain.ladder[0]
    chosen = ["--baselines", rung, "--budgets", "strict", "--every", "60", "--processes", "1"]
    assert main(["ladder", "--domain", domain.name, *chosen]) == 0
    assert f"| `baseline:{rung}` | strict |" in capsys.readouterr().out


# --- whole runs -------------------------------------------------------------------------------


def run(name: str, runs: Path, *options: str) -> Run:
    chosen = ("--domain", name, "--model", "baseline", "--budget", "loose", "--limit", "3")
    plugin = ("-p", "tests_unit.support.toy")
    return bench(*plugin, *chosen, "--session", "s", *options, runs_dir=runs, fake=False)


@pytest.fixture(scope="module", params=NAMES)
def recorded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path]:
    """A domain's name, and the folder of a run of three levels."""
    runs = tmp_path_factory.mktemp(request.param)
    done = run(request.param, runs)
    assert done.code == 0, done.out
    return request.param, runs


def test_a_run_records_every_level(recorded: tuple[str, Path]) -> None:
    name, runs = recorded
    session = read_session(runs / "s")
    assert session.domain == name
    assert [e.trajectory.outcome for e in session.episodes() if e.trajectory] == ["success"] * 3
    assert session.scene is not None
    assert session.scene.domain == name
    assert set(session.scene.levels) == {key.level for key in session.manifest.expected}


def test_workers_write_the_same_records(recorded: tuple[str, Path], tmp_path: Path) -> None:
    name, runs = recorded
    done = run(name, tmp_path, "-n", "2")
    assert done.code == 0, done.out
    assert session_contents(tmp_path / "s") == session_contents(runs / "s")


def test_a_resume_runs_nothing_again(recorded: tuple[str, Path]) -> None:
    name, runs = recorded
    before = session_contents(runs / "s")
    done = run(name, runs, "--resume")
    assert done.code == 0, done.out
    assert session_contents(runs / "s") == before


def test_another_domain_may_not_resume_it(recorded: tuple[str, Path]) -> None:
    name, runs = recorded
    other = next(n for n in NAMES if n != name)
    done = run(other, runs, "--resume")
    assert done.code == 4
    assert f"domain: was '{name}', is now '{other}'" in done.out


def test_a_session_is_replayed_without_its_model(
    recorded: tuple[str, Path], tmp_path: Path
) -> None:
    name, runs = recorded
    levels = [key.level for key in read_session(runs / "s").manifest.expected]
    answers = {
        level: [
            (runs / "s" / level / f"call-{n}" / "response.json")
            for n in range(1, 4)
            if (runs / "s" / level / f"call-{n}").exists()
        ]
        for level in levels
    }
    script = tmp_path / "script.json"
    script.write_text(
        json.dumps({k: [json.loads(p.read_text())["text"] for p in v] for k, v in answers.items()})
    )
    done = run(name, tmp_path, "--model", f"scripted:{script}")
    assert done.code == 0, done.out
    mine, theirs = (read_session(folder / "s") for folder in (tmp_path, runs))
    assert [t.calls[-1].design for t in mine.trajectories()] == [
        t.calls[-1].design for t in theirs.trajectories()
    ]


def test_a_session_verifies_clean(
    recorded: tuple[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    from reports.cli import main

    _, runs = recorded
    code = main(["verify", str(runs / "s")])
    assert code == 0, capsys.readouterr().out


def test_a_report_has_tables_and_a_page_with_every_episode(
    recorded: tuple[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from reports.cli import main

    name, runs = recorded
    code = main([str(runs / "s"), "--domain", name, "--out", str(tmp_path / "out")])
    assert code == 0, capsys.readouterr().err
    assert (tmp_path / "out" / "index.html").is_file()
    assert "baseline" in (tmp_path / "out" / "csv" / "main.csv").read_text()
    assert len(list((tmp_path / "out" / "data" / "e").glob("*.js"))) == 3


def test_two_domains_share_no_table(
    recorded: tuple[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from reports.cli import main

    name, runs = recorded
    other = next(n for n in NAMES if n != name)
    code = main([str(runs / "s"), "--domain", other, "--out", str(tmp_path / "out")])
    assert code == 4
    assert name in capsys.readouterr().err


def test_an_episode_that_was_cut_off_is_finished_without_asking_again(
    recorded: tuple[str, Path], tmp_path: Path
) -> None:
    """As a kill between the execution and its feedback leaves it: all but the last records."""
    name, runs = recorded
    shutil.copytree(runs / "s", tmp_path / "s")
    level = read_session(runs / "s").manifest.expected[-1].level
    call = next(p for p in sorted((tmp_path / "s" / level).glob("call-*")))
    asked = (call / "request.json").read_bytes()
    for gone in (call / "feedback.json", call.parent / "trajectory.json"):
        gone.unlink()
    (call.parent / "result.json").unlink()
    done = run(name, tmp_path, "--resume")
    assert done.code == 0, done.out
    assert (call / "request.json").read_bytes() == asked
    assert session_contents(tmp_path / "s") == session_contents(runs / "s")


def test_a_dry_run_writes_prompts_and_sends_nothing(name_of_run: str, tmp_path: Path) -> None:
    done = run(name_of_run, tmp_path, "--dry-run", "--model", "gpt-5.2")
    assert done.code == 0, done.out
    prompts = sorted((tmp_path / "s-prompts").glob("*.txt"))
    assert len(prompts) == 3
    assert not (tmp_path / "s").exists()


@pytest.fixture(params=NAMES)
def name_of_run(request: pytest.FixtureRequest) -> str:
    return str(request.param)


# --- between domains --------------------------------------------------------------------------


def test_a_family_of_another_domain_says_which_domain_to_add() -> None:
    from bench.run.select import Selection

    with pytest.raises(InputError, match=f"is of the domain {NAME}; add --domain {NAME}"):
        Selection(families=("UP",)).keys(get_domain())


def test_a_tag_selects(domain: Domain) -> None:
    from bench.run.select import Selection

    tags = sorted({tag for entry in domain.levels() for tag in entry.tags})
    assert tags
    chosen = Selection(tags=(tags[0],)).entries(domain)
    assert chosen
    assert all(tags[0] in entry.tags for entry in chosen)


def test_an_option_that_means_nothing_is_refused(tmp_path: Path) -> None:
    done = run(NAME, tmp_path, "--capacity")
    assert done.code == 4
    assert f"--capacity means nothing in the domain {NAME}: numbers carry nothing" in done.out


def test_an_unknown_domain_is_named() -> None:
    with pytest.raises(InputError, match="--domain 'bridges' is unknown; use one of bridge"):
        get_domain("bridges")
