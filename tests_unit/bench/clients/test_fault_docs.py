"""docs/models.md holds what `python -m bench.clients.faults` prints."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bench.clients.faults import RULES, fault_table, filter_table, outcome_of
from bench.clients.filters import FILTERS
from bench.clients.frozen import FREE
from tests_unit.support.paths import ROOT

PAGE = (ROOT / "docs" / "models.md").read_text()


@pytest.mark.parametrize("table", [fault_table(), filter_table()], ids=["faults", "filters"])
def test_the_page_has_the_tables_of_the_code(table: str) -> None:
    assert f"\n\n{table}\n" in PAGE


def test_the_command_prints_the_tables() -> None:
    command = [sys.executable, "-m", "bench.clients.faults"]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stdout == f"{fault_table()}\n{filter_table()}"
    assert run.stderr == ""
    assert "python -m bench.clients.faults" in PAGE


def test_the_tables_have_every_rule_and_every_filter() -> None:
    assert fault_table().count("\n") == 2 + len(RULES)
    assert filter_table().count("\n") == 2 + len(FILTERS)


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [
        ("reset", "tried again"),
        ("quota", "stops the run"),
        ("body_too_large", "infra_error"),
        ("interrupted", "not run"),
        ("bad_request", "stops the run; the second time for one call: infra_error"),
    ],
)
def test_outcomes_are_in_words(kind: str, outcome: str) -> None:
    assert outcome_of(kind) == outcome


def test_the_page_names_what_a_resume_may_change() -> None:
    words = {
        "timeout": "time-outs",
        "deadline": "deadline",
        "attempts": "attempts",
        "backoff": "back-off",
        "price": "prices",
        "api_key_env": "the key's variable",
        "sdk": "the SDK's version",
    }
    (line,) = [line for line in PAGE.splitlines() if line.startswith("On resume, ")]
    for name in FREE:
        found = [word for part, word in words.items() if part in name]
        if name.endswith(("assumed_output_tokens", "output_limit_field", "max_output_tokens")):
            continue  # bounds money only, or is sent and then part of the parameters
        assert len(found) == 1, name
        assert found[0] in line
