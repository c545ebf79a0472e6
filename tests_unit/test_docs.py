"""Docs say what is so: tables follow the code, links and commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.bridge.rules import CODES
from bench.cli import commands_of
from tests_unit.support.paths import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_rules_page_names_every_code_in_the_validators_order() -> None:
    text = (ROOT / "docs" / "bridge" / "rules.md").read_text()
    table = text.partition("|---|---|")[2].partition("\n\n")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("|")]
    assert [code.strip() for cell in cells for code in cell.split(",")] == list(CODES)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_local_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        if not re.match(r"https?:", target):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_readme_shows_every_command_once() -> None:
    text = (ROOT / "README.md").read_text()
    for name in commands_of("bridge"):
        assert f"python -m bench {name}" in text, name


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_no_page_names_a_machine(page: Path) -> None:
    text = page.read_text()
    assert not re.search(r"(^|[^A-Za-z0-9_.])/(work|root|home|opt)/", text)
    assert "index-url" not in text


@pytest.mark.parametrize(
    ("name", "level", "budget", "ending"),
    [
        ("success", "T1B_Basic_10m", "strict", "success"),
        ("collapse", "T4C_Multi2_12m", "strict", "fell"),
        ("timeout", "T1B_Basic_6m", "loose", "timeout"),
    ],
)
def test_the_examples_do_what_the_readme_shows(
    name: str, level: str, budget: str, ending: str
) -> None:
    from bench.bridge.cli import inputs
    from bench.bridge.level.files import load_level
    from bench.bridge.physics.engine import simulate
    from bench.bridge.rules import validate

    file = load_level(level)
    design = inputs.read_design(str(ROOT / "docs" / "examples" / f"{name}.json"))
    assert validate(file.level, design, inputs.limit_usd(file, budget)) == ()
    assert simulate(file.level, design).ending == ending
    assert f"{level} docs/examples/{name}.json" in (ROOT / "README.md").read_text()
