"""CONTRIBUTING's recipes: every command in it exists, and the files it names are there."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests_unit.support.paths import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPES = TEXT.partition("### A level family")[2].partition("## A real language model")[0]
COMMANDS = re.findall(r"^    (\S.*)$", RECIPES, re.MULTILINE)


def test_there_are_recipes_for_every_kind_of_addition() -> None:
    rows = [line.split("|")[1].strip() for line in TEXT.splitlines() if line.startswith("| ")]
    assert [*rows][1:] == [
        "level family",
        "validator rule",
        "model",
        "client",
        "baseline",
        "driver",
        "table",
        "subcommand",
        "domain",
    ]


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("pytest")])
def test_every_pytest_command_selects_tests(command: str) -> None:
    arguments = [part.strip('"') for part in re.findall(r'"[^"]+"|\S+', command)][1:]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments, "--collect-only", "-q"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("python")])
def test_every_other_command_succeeds(command: str) -> None:
    done = subprocess.run(
        [sys.executable, *command.split()[1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def test_the_files_that_the_table_names_are_there() -> None:
    table = TEXT.partition("## Where to add")[2].partition("### A level family")[0]
    named = re.findall(r"`((?:bench|levels|reports|tests_unit)/[\w./<>]+)`", table)
    places = {name.replace("<domain>", "bridge") for name in named}
    fixed = [p for p in places if not re.search(r"/(x|theme)\.py$", p)]
    assert fixed
    assert [p for p in fixed if not (ROOT / p).exists()] == []
    folders = {p.rpartition("/")[0] for p in places}
    assert [p for p in folders if not (ROOT / p).is_dir()] == []
