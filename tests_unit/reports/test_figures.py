"""Figures: which are made of what, and that they come out the same twice."""

from __future__ import annotations

import pytest

from reports.figures import figures_of, write_figures
from tests_unit.support.report_sessions import Episode, edge_cases, many, session


def test_a_domain_shows_its_own_figures_among_those_of_all():
    assert [figure.name for figure in figures_of("toy")] == ["calls", "gap", "errors", "plane"]
    assert [figure.name for figure in figures_of("bridge")] == [
        *("calls", "gap", "errors", "plane", "span", "load", "composition")
    ]


def test_costs_are_drawn_in_the_domains_unit(tmp_path):
    (tmp_path / "toy").mkdir()
    paths = write_figures([many("m", domain="toy")], tmp_path / "toy")
    assert {path.stem for path in paths} == {"calls", "gap", "errors", "plane"}


def test_svg_and_png_of_every_figure_the_same_on_every_run(tmp_path):
    runs = [edge_cases(), many("many", model="many"), many("loose", model="many", budget="loose")]
    names = [figure.name for figure in figures_of("bridge")]
    one, two = (write_figures(runs, tmp_path / name) for name in ("one", "two"))
    assert sorted(p.name for p in one) == sorted(
        f"{name}.{suffix}" for name in names for suffix in ("svg", "png")
    )
    assert [p.read_bytes() for p in one] == [p.read_bytes() for p in two]


def test_no_session_and_no_result_give_no_curves(tmp_path):
    assert write_figures([], tmp_path) == []
    nothing = session([Episode("T1B_1", None)], "nothing")
    drawn = {path.stem for path in write_figures([nothing], tmp_path)}
    assert not drawn & {"calls", "gap", "errors", "plane", "span", "load"}


def test_variants_are_not_mixed_in(tmp_path):
    paper = many("paper", model="paper")
    variant = many("other", 2, model="other", variants=("no_images",))
    alone = write_figures([paper], tmp_path / "a")
    both = write_figures([variant, paper], tmp_path / "b")
    assert [p.read_bytes() for p in alone] == [p.read_bytes() for p in both]


@pytest.mark.parametrize("name", ["$x^$", "\u6a4b", "_", "<b>&"])
def test_a_model_may_have_any_name(name, tmp_path):
    assert len(write_figures([many("m", model=name)], tmp_path)) >= 12
