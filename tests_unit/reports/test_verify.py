"""Verify on a clean session, and on one with each of its possible faults."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench.records import read_session
from bench.records.files import sha256
from fixtures.options import RunOptions
from reports.cli import main
from reports.verify import NAMES, verify_session
from reports.verify.protocol import DRIVER, PAPER
from reports.verify.replay import band
from tests_unit.support.bench_runs import bench, script
from tests_unit.support.paths import ROOT

FELL, WON, LOST = "T1B_Basic_6m", "T1B_Basic_7m", "T1B_Basic_8m"
SELECT = ("-k", f"{FELL} or {WON} or {LOST}", "--budget", "loose", "--session", "s")


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session on the simulator: won at call 2, won at once, and never valid."""
    runs = tmp_path_factory.mktemp("verify")
    model = script(runs / "script.json", **{FELL: "FS", WON: "S", LOST: "VPV"})
    run = bench("--model", model, *SELECT, runs_dir=runs, fake=False)
    assert run.code == 1, run.out
    return runs / "s"


@pytest.fixture
def session(clean: Path, tmp_path: Path) -> Path:
    """A copy in another folder, under another name."""
    return Path(shutil.copytree(clean, tmp_path / "moved"))


def edit(path: Path, change: Callable[[Any], None]) -> None:
    """Change a JSON record in place."""
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


def sign(session: Path) -> None:
    """Put the present hashes into the manifest, as a forger would."""

    def change(manifest: Any) -> None:
        for name in manifest["records"]:
            manifest["records"][name] = sha256((session / name).read_bytes())

    edit(session / "manifest.json", change)


def names(session: Path) -> set[str]:
    return {finding.name for finding in verify_session(session)}


def test_a_clean_session_has_no_finding_also_in_another_folder(
    session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify_session(session) == []
    assert main(["verify", str(session), "--replay-physics"]) == 0
    assert capsys.readouterr().out == "s: clean, 3 replayed episodes, pbb-1.0\n"


def duplicate_key(session: Path) -> None:
    edit(session / "manifest.json", lambda m: m["expected"].append(m["expected"][0]))
    edit(session / "summary.json", lambda s: s["results"].append(s["results"][0]))


def missing_result(session: Path) -> None:
    (session / WON / "result.json").unlink()


def missing_trajectory(session: Path) -> None:
    (session / WON / "trajectory.json").unlink()


def unexpected_episode(session: Path) -> None:
    shutil.copytree(session / WON, session / "T1B_Basic_9m")


def changed_result(session: Path) -> None:
    edit(session / WON / "result.json", lambda r: r.update(cost_usd=1.0))


def changed_rollout(session: Path) -> None:
    path = session / WON / "call-1" / "rollout.json.gz"
    path.write_bytes(path.read_bytes()[:-1])


def missing_picture(session: Path) -> None:
    (session / FELL / "call-1" / "editor.png").unlink()


def unlisted_file(session: Path) -> None:
    edit(session / "manifest.json", lambda m: m["records"].pop(f"{WON}/result.json"))


def unreadable(session: Path) -> None:
    path = session / WON / "call-1" / "response.json"
    path.write_text(path.read_text()[:-20])


def wrong_key(session: Path) -> None:
    for name in ("result.json", "trajectory.json"):
        edit(session / WON / name, lambda r: r.update(level=FELL))
    sign(session)


def budget(session: Path) -> None:
    edit(session / WON / "trajectory.json", lambda t: t["facts"].update(limit_usd=90000.0))
    sign(session)


def another_calls_setting(session: Path) -> None:
    for name in ("manifest.json", "summary.json"):
        edit(session / name, lambda m: m["configuration"]["settings"].update(calls=5))


def another_window(session: Path) -> None:
    for name in ("manifest.json", "summary.json"):
        edit(session / name, lambda m: m["configuration"]["driver"].update(window_s=20.0))


def another_feedback(session: Path) -> None:
    for name in ("manifest.json", "summary.json"):
        edit(session / name, lambda m: m["configuration"]["settings"].update(feedback="none"))


def a_skill(session: Path) -> None:
    for name in ("manifest.json", "summary.json"):
        edit(session / name, lambda m: m["configuration"]["settings"].update(skill_sha256="0" * 64))


def hidden_violation(session: Path) -> None:
    """A candidate that broke a rule is passed off as legal."""

    def change(trajectory: Any) -> None:
        trajectory["calls"][0].update(codes=[], violations=[])

    edit(session / LOST / "trajectory.json", change)
    edit(session / LOST / "result.json", lambda r: r["codes"].__setitem__(0, []))
    sign(session)


def another_answer(session: Path) -> None:
    """The reply was replaced by the one of another level."""
    other = json.loads((session / FELL / "call-2" / "response.json").read_text())["text"]
    edit(session / WON / "call-1" / "response.json", lambda r: r.update(text=other))
    digest = sha256(other.encode())

    def change(trajectory: Any) -> None:
        trajectory["calls"][0]["response_sha256"] = digest

    edit(session / WON / "trajectory.json", change)
    sign(session)


def another_design(session: Path) -> None:
    edit(session / WON / "call-1" / "design.json", lambda d: d["edges"].pop())


def more_in_the_prompt(session: Path) -> None:
    def change(request: Any) -> None:
        request["messages"][0]["parts"][0]["text"] += " Use a Warren truss."

    edit(session / WON / "call-1" / "request.json", change)
    sign(session)


def another_request_hash(session: Path) -> None:
    edit(session / WON / "call-1" / "request.json", lambda r: r.update(request_sha256="0" * 64))


def another_digest(session: Path) -> None:
    edit(session / WON / "call-1" / "execution.json", lambda e: e["facts"].update(digest="0" * 64))


def unlisted_execution(session: Path) -> None:
    edit(session / "manifest.json", lambda m: m["records"].pop(f"{WON}/call-1/execution.json"))


def a_loss_as_clean(session: Path) -> None:
    def change(trajectory: Any) -> None:
        trajectory["calls"][0]["execution"]["clean"] = True

    edit(session / FELL / "trajectory.json", change)
    sign(session)


def more_than_flags(session: Path) -> None:
    """What a driver measured belongs into the execution's own record."""

    def change(trajectory: Any) -> None:
        trajectory["calls"][0]["execution"]["end_s"] = 4.0

    edit(session / FELL / "trajectory.json", change)
    sign(session)


def a_record_of_old(session: Path) -> None:
    def change(trajectory: Any) -> None:
        trajectory["schema"] = "pbb-trajectory-1"
        for call in trajectory["calls"]:
            call["request_sha256"] = "0" * 64

    edit(session / WON / "trajectory.json", change)
    sign(session)


def a_loss_as_a_win(session: Path) -> None:
    edit(session / LOST / "result.json", lambda r: r.update(outcome="success"))
    sign(session)


def a_better_summary(session: Path) -> None:
    edit(session / "summary.json", lambda s: s["outcomes"].update(success=3))


def another_version(session: Path) -> None:
    for name in ("manifest.json", "summary.json"):
        edit(session / name, lambda m: m["hashes"].update(validator="0" * 64))


@pytest.mark.parametrize(
    ("corrupt", "name"),
    [
        (duplicate_key, "duplicate-key"),
        (missing_result, "incomplete"),
        (missing_trajectory, "missing-trajectory"),
        (unexpected_episode, "unexpected-episode"),
        (changed_result, "changed-file"),
        (changed_rollout, "changed-file"),
        (missing_picture, "missing-file"),
        (another_request_hash, "changed-file"),
        (another_digest, "changed-file"),
        (unlisted_file, "unlisted-file"),
        (unlisted_execution, "unlisted-file"),
        (unreadable, "unreadable"),
        (wrong_key, "wrong-key"),
        (budget, "budget-mismatch"),
        (another_calls_setting, "protocol-mismatch"),
        (another_window, "protocol-mismatch"),
        (another_feedback, "protocol-mismatch"),
        (a_skill, "protocol-mismatch"),
        (hidden_violation, "candidate-mismatch"),
        (another_answer, "design-mismatch"),
        (another_design, "design-mismatch"),
        (more_in_the_prompt, "prompt-mismatch"),
        (a_loss_as_a_win, "outcome-mismatch"),
        (a_loss_as_clean, "outcome-mismatch"),
        (more_than_flags, "outcome-mismatch"),
        (a_better_summary, "summary-mismatch"),
        (another_version, "other-version"),
        (a_record_of_old, "other-version"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_seeded_fault_is_found_by_name(
    corrupt: Callable[[Path], None],
    name: str,
    session: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    corrupt(session)
    assert main(["verify", str(session)]) == 1
    told = capsys.readouterr().out
    assert f"{name}: " in told
    assert str(session) not in told
    # A record that is only found by its hash must not be reported as half a dozen other faults.
    assert len(told.splitlines()) <= 5, told


def test_a_made_up_success_is_found_by_simulating_it_again(
    session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Everything agrees in the records, but the bridge does not hold."""
    call = session / FELL / "call-1"
    edit(call / "execution.json", lambda e: e["facts"].update(digest="0" * 64))
    sign(session)
    assert main(["verify", str(session)]) == 0
    capsys.readouterr()
    assert main(["verify", str(session), "--replay-physics"]) == 1
    assert capsys.readouterr().out == (
        f"physics-mismatch: {FELL}/call-1: the outcome agrees, the digest of the states does not\n"
    )


def test_on_another_platform_only_outcomes_are_compared(
    session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(session / "manifest.json", lambda m: m["environment"].update(machine="vax"))
    for name in ("execution.json",):
        edit(session / FELL / "call-1" / name, lambda e: e["facts"].update(digest="0" * 64))
    sign(session)
    assert main(["verify", str(session), "--replay-physics"]) == 0


def test_an_episode_without_a_result_makes_the_session_incomplete(
    session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(session / WON)
    edit(session / "manifest.json", lambda m: m["runs"][-1].update(ended=None))
    assert main(["verify", str(session)]) == 1
    told = capsys.readouterr().out
    assert told.startswith(
        "incomplete: session: 1 of 3 episodes are no result (1 not run, 0 infra_error): "
        f"{WON}; run it again with --resume\n"
    )
    assert "the last run did not come to its end" in told


def test_what_is_no_session_is_told_in_one_line_with_4(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(tmp_path)]) == 4
    assert "no session folder" in capsys.readouterr().err
    assert main(["verify"]) == 4


def test_a_band_counts_the_episodes_that_hold_at_every_weight(session: Path) -> None:
    found = band(read_session(session))
    # Wooden trusses of six and seven metres carry one light vehicle with a wide margin.
    assert (found.episodes, found.flips) == (3, ())
    assert found.successes == {121.0: 2, 130.0: 2, 136.0: 2}
    assert str(found).startswith("Success 66.7 to 66.7% of 3 episodes (66.7% at 121, 66.7% at 130")


def test_a_bridge_at_its_limit_is_listed_as_flipped(
    session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reports.verify.replay.BAND_PN_PER_PG", (121.0, 130.0, 5000.0))
    found = band(read_session(session))
    assert found.successes == {121.0: 2, 130.0: 2, 5000.0: 0}
    assert [flip.episode for flip in found.flips] == [FELL, WON]
    assert "T1B_Basic_6m: 121: won, 130: won, 5000: lost" in str(found)


def test_a_session_of_another_driver_is_not_simulated_again(
    session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(session / "manifest.json", lambda m: m["configuration"]["driver"].update(name="native"))
    assert main(["verify", str(session), "--band"]) == 4
    assert "only sessions of the embedded simulator" in capsys.readouterr().err


def test_the_declared_protocol_is_what_the_options_default_to() -> None:
    fields = {name: field.default for name, field in RunOptions.__dataclass_fields__.items()}
    options = RunOptions(
        **{
            **dict.fromkeys(fields, None),
            **dict(calls=3, attempts=3, feedback="both", frames=4, skill="", anonymous=False),
            **dict(images=True, ask_confidence=False, window_s=12.0, image="real"),
            **dict(world_facts=False, plain_frames=False),
        }
    )
    assert options.protocol_settings() == PAPER
    from tests_unit.support.bridge_fakes import embedded

    described = embedded().describe()
    assert {key: described[key] for key in DRIVER} == DRIVER


def test_every_finding_is_documented() -> None:
    text = (ROOT / "docs" / "verifying.md").read_text()
    assert [name for name in NAMES if f"`{name}`" not in text] == []
