"""Faces: found by a domain's name, their entries placed among the generic ones."""

from __future__ import annotations

import sys

import pytest

from bench.domain import DOMAINS
from bench.errors import InputError
from reports.face import Face, Scale, TableEntry, cost_scale, face_of, placed


def entry(name, after=""):
    return TableEntry(name, lambda sessions: None, after=after)


def names(entries):
    return [found.name for found in entries]


GENERIC = (entry("main"), entry("matrix"))


def test_own_entries_come_after_the_one_they_name_and_may_follow_each_other():
    own = [entry("deck", "main"), entry("gap", "deck"), entry("first")]
    assert names(placed(GENERIC, own)) == ["first", "main", "deck", "gap", "matrix"]


@pytest.mark.parametrize(
    ("own", "message"),
    [
        (entry("main"), "'main' is there already"),
        (entry("deck", "nothing"), "'deck' comes after 'nothing', which is not there"),
    ],
)
def test_a_taken_name_and_an_unknown_place_are_refused(own, message):
    with pytest.raises(ValueError, match=message):
        list(placed(GENERIC, [own]))


def test_a_face_is_found_by_name_or_beside_the_domains_own_module():
    assert face_of("bridge").question == "Can it design a bridge that works?"
    assert face_of("toy").question == "Does the tower stand?"


def test_an_unknown_domain_has_no_face():
    with pytest.raises(InputError, match="did you mean bridge"):
        face_of("bridges")


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A package of somebody else's, with a domain and as yet no face."""
    package = tmp_path / "elsewhere"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "domain.py").write_text("DOMAIN = None")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(DOMAINS, "foreign", "elsewhere.domain:DOMAIN")
    yield package
    for name in [name for name in sys.modules if name.partition(".")[0] == "elsewhere"]:
        del sys.modules[name]
    face_of.cache_clear()


def test_a_domain_without_a_face_gets_the_generic_one(elsewhere):
    assert face_of("foreign") == Face()


def test_a_face_that_cannot_be_imported_is_no_missing_one(elsewhere):
    """A mistake in a face must not silently give a report without its tables."""
    (elsewhere / "reports.py").write_text("import nothing_of_that_name")
    with pytest.raises(ModuleNotFoundError, match="nothing_of_that_name"):
        face_of("foreign")


def test_costs_are_in_the_domains_unit_unless_its_face_says_otherwise():
    assert cost_scale("toy") == Scale(1.0, "pegs")
    assert cost_scale("bridge") == Scale(1000.0, "thousand $")
