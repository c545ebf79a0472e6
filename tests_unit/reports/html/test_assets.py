"""The page's scripts and styles: readable, and all that the page asks for is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reports.html.build import HERE, write_html
from reports.report import report_of
from tests_unit.support.paths import ROOT
from tests_unit.support.report_sessions import many

LONGEST = 120
FILES = sorted(
    path
    for folder in (HERE / "assets", ROOT / "reports" / "domains")
    for path in folder.rglob("*")
    if path.suffix in (".js", ".css")
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_line_is_too_long_to_read(path: Path) -> None:
    assert [line for line in path.read_text().splitlines() if len(line) > LONGEST] == []


@pytest.mark.parametrize("domain", ["bridge", "toy"])
def test_the_page_loads_every_asset_and_no_other(domain: str, tmp_path: Path) -> None:
    index = write_html(report_of([many(domain=domain)]), tmp_path)
    named = re.findall(r"(?:src|href)=\"assets/([^\"]+)\"", index.read_text())
    assert sorted(named) == sorted(path.name for path in (tmp_path / "assets").iterdir())


def test_no_domain_is_named_outside_its_own_folder() -> None:
    """Generic code of reports knows no bridge: a second domain must need no change of it."""
    words = re.compile(
        r"(?<!poly)bridge|\bmembers?\b|vehicle|span_m|\bdeck\b|metres", re.IGNORECASE
    )
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted((ROOT / "reports").rglob("*"))
        if path.suffix in (".py", ".js", ".css", ".j2") and "domains" not in path.parts
        for line in path.read_text().splitlines()
        if words.search(line)
    ]
    assert found == []
