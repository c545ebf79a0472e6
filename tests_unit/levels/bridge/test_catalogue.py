"""The levels are those of the catalogue, fact by fact."""

from __future__ import annotations

import json

import pytest

from levels.bridge.catalogue import GOLDEN_PATH, MOVED, PAGE_PATH, page_with_tables, rows, rows_text
from levels.bridge.families import REGISTRY
from tests_unit.support.paths import SHARED

ORACLE = SHARED / "levels" / "catalogue.json"


def test_the_golden_catalogue_is_what_the_registry_makes():
    assert GOLDEN_PATH.read_text(encoding="utf-8") == rows_text(rows())


def test_names_loads_and_tags_are_those_of_the_given_catalogue():
    given = given_catalogue()
    kept = ("name", "family", "group", "suite", "span", "rise", "materials", "tags")
    kept += ("vehicle_weights_pg",)
    assert [[r[k] for k in kept] for r in rows()] == [[r[k] for k in kept] for r in given]


def test_geometry_is_that_of_the_given_catalogue_where_nothing_was_moved():
    given = given_catalogue()
    assert {r["name"] for r in given} >= MOVED
    for ours, theirs in zip(rows(), given, strict=True):
        if ours["name"] not in MOVED:
            assert ours == theirs


def given_catalogue():
    if not ORACLE.is_file():
        pytest.skip("../shared/levels/catalogue.json is not here")
    return json.loads(ORACLE.read_text(encoding="utf-8"))


def test_the_docs_page_has_the_tables_that_the_registry_makes():
    page = PAGE_PATH.read_text(encoding="utf-8")
    assert page == page_with_tables(page)


def test_the_docs_page_says_what_every_family_tests():
    page = PAGE_PATH.read_text(encoding="utf-8")
    for family in REGISTRY:
        row = next(line for line in page.splitlines() if line.startswith(f"| {family.code} |"))
        assert family.goal.removeprefix("Tests ") in row
        assert f"| {len(family.grid)} |" in row
