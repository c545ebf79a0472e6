"""The contract of tables, over every table of every domain."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache

import pytest

from bench.domain import DOMAINS
from reports.sources import load
from reports.tables import render
from reports.tables.base import Table
from reports.tables.registry import build_all, tables_of
from tests_unit.support.report_domains import EVERY_DOMAIN, RECORDED, TOY
from tests_unit.support.report_sessions import (
    EDGE_CASES,
    edge_cases,
    example,
    json_report,
    write_session,
)

RENDERERS = {"text": render.text, "csv": render.csv_text, "latex": render.latex}
SILENT = ("samples", "selection", "confidence", "capacity", "published")
"""Tables that most sessions have nothing to say in, or that are of no session."""


def names(domain: str) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        for name, place in TOY.items():
            patch.setitem(DOMAINS, name, place)
        return [entry.name for entry in tables_of(domain)]


EVERY_TABLE = [(domain, name) for domain in EVERY_DOMAIN for name in names(domain)]
OF_THE_FACE = ("main", "recovery", "efficiency", "leaning")
"""Of the toy, the tables that a face can change: the others are those of every domain."""


@cache
def built(domain: str) -> Mapping[str, Table]:
    return {table.name: table for table in build_all(example(domain))}


def test_every_domain_is_in_this_suite() -> None:
    assert set(RECORDED) == set(EVERY_DOMAIN), "add what its records hold to report_domains"


@pytest.mark.parametrize("domain", EVERY_DOMAIN)
def test_every_table_has_something_to_say_here_under_a_name_of_its_own(domain: str) -> None:
    found = names(domain)
    assert list(built(domain)) == found
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("domain", "name"), [t for t in EVERY_TABLE if t[0] not in TOY or t[1] in OF_THE_FACE]
)
@pytest.mark.parametrize("form", RENDERERS)
def test_golden(domain: str, name: str, form: str, snapshot: object) -> None:
    assert RENDERERS[form](built(domain)[name]) == snapshot


@pytest.mark.parametrize(("domain", "name"), EVERY_TABLE)
def test_every_table_is_json_and_markdown(domain: str, name: str) -> None:
    table = built(domain)[name]
    found = json.loads(json.dumps(render.as_json(table), allow_nan=False))
    assert len(found["rows"]) == len(table.rows)
    rows = [line for line in render.markdown(table).splitlines() if line.startswith("|")]
    assert len(rows) == 2 + len(table.rows)
    widths = {len(re.findall(r"(?<!\\)\|", row)) for row in rows}
    assert widths == {len(table.columns) + 1}


@pytest.mark.parametrize(("domain", "name"), [t for t in EVERY_TABLE if t[1] not in SILENT])
def test_a_table_of_an_unfinished_session_says_so(domain: str, name: str) -> None:
    table = {t.name: t for t in build_all([edge_cases(domain=domain)])}[name]
    assert "8 of 10 episodes have a result" in render.text(table)


@pytest.mark.parametrize("domain", EVERY_DOMAIN)
def test_headline_tables_are_the_same_from_records_and_from_the_json_report(
    domain: str, tmp_path
) -> None:
    run = [episode for episode in EDGE_CASES if episode.letters is not None]
    folder = write_session(tmp_path / "edge", run, domain=domain)
    report = tmp_path / "report.json"
    report.write_text(json.dumps(json_report(run, folder, domain=domain)))
    tables = [build_all([s], headline_only=True) for s in (load(folder), load(report))]
    assert [render.csv_text(t) for t in tables[0]] == [render.csv_text(t) for t in tables[1]]
    headline = [entry.name for entry in tables_of(domain) if entry.headline]
    assert [table.name for table in tables[0]] == [n for n in headline if n != "samples"]
