"""Simulating recorded attempts of bridges again: exactly, and over a band of vehicle weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.records import read_session
from reports.cli import main
from reports.domains.bridge import FACE
from reports.domains.bridge.band import band
from tests_unit.support.report_forgery import FELL, WON, edit, sign


def test_a_clean_session_is_simulated_to_the_same_states(
    session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(session), "--replay-physics"]) == 0
    assert capsys.readouterr().out == "s: clean, 3 replayed episodes, pbb-1.0\n"


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


def test_a_band_counts_the_episodes_that_hold_at_every_weight(session: Path) -> None:
    found = band(read_session(session))
    # Wooden trusses of six and seven metres carry one light vehicle with a wide margin.
    assert (found.episodes, found.flips) == (3, ())
    assert found.successes == {121.0: 2, 130.0: 2, 136.0: 2}
    assert str(found).startswith("Success 66.7 to 66.7% of 3 episodes (66.7% at 121, 66.7% at 130")


def test_a_bridge_at_its_limit_is_listed_as_flipped(
    session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reports.domains.bridge.band.BAND_PN_PER_PG", (121.0, 130.0, 5000.0))
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


def test_the_declared_drivers_are_what_they_describe() -> None:
    from tests_unit.support.bridge_fakes import embedded

    declared = FACE.drivers["embedded"]
    described = embedded().describe()
    assert {key: described[key] for key in declared} == declared
