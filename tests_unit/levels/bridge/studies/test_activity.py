"""Every constraint changes what a good design is, judged against the best known twin."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.design.materials import LOOSE_LIMIT_USD
from levels.bridge.build import banks, to_level
from levels.bridge.families import REGISTRY
from levels.bridge.registry import Registry
from levels.bridge.search.store import TWINS_ROOT, scene_digest
from levels.bridge.studies import activity, twin_references
from levels.bridge.studies.activity import (
    END,
    LEAST_SHARE,
    PAGE,
    START,
    Activity,
    activities,
    main,
    page,
    references,
    summary,
)
from levels.bridge.studies.twin_references import best_known, transferred
from levels.bridge.studies.twins import twins_of

BELOW_80_PERCENT = {"T1C", "T2C", "G2"}
"""Families whose material restriction cannot be made to bite; docs/bridge/activity.md says why."""


@pytest.fixture(scope="module")
def rows() -> list[Activity]:
    return list(activities(references()))


def test_no_twin_counts_as_dearer_than_a_level_whose_design_it_allows(rows: list[Activity]) -> None:
    """Without a rock or a restriction every design of the level is still there."""
    for row in rows:
        if row.kind in ("rock", "materials"):
            assert row.gap >= 1.0, row


def test_a_twin_takes_over_the_own_design_of_its_level_when_that_is_cheaper() -> None:
    """Lower one level's reference cost below its twin's: the gap is 1 and the rock idle."""
    found = references()
    name = "T2J_RockOffsetL_12m"
    own = next(row for row in activities(found) if row.level == name)
    assert own.gap > 1.0
    cheap = replace(found[name], cost_usd=1.0)
    row = next(row for row in activities({**found, name: cheap}) if row.level == name)
    assert (row.twin, row.gap) == (name, 1.0)


def test_every_family_but_those_listed_is_active_to_80_percent(rows: list[Activity]) -> None:
    total, active = Counter(r.family for r in rows), Counter(r.family for r in rows if r.active)
    assert {f for f in total if active[f] < LEAST_SHARE * total[f]} == BELOW_80_PERCENT


def test_the_page_states_these_rows(rows: list[Activity]) -> None:
    """All but the number of the greedy cover, which takes too long here."""
    text = PAGE.read_text(encoding="utf-8").partition(START)[2].partition(END)[0]
    stated = re.sub(r"\d+ references are needed", "0 references are needed", text)
    assert stated == page(rows, 0), "run `python -m levels activity`"


def test_the_summary_counts_active_rows_by_verdict_and_small_gaps_by_kind() -> None:
    """Five rows by hand; "no" is not active, a small gap counts for rocks and materials only."""
    facts = [
        ("rock", 1.02, "illegal: CLEARANCE"),
        ("rock", 1.20, "costs 1.20"),
        ("load", 1.30, "costs 1.30"),
        ("anchors", 1.02, "illegal: anchors"),
        ("materials", 1.00, "no"),
    ]
    rows = [Activity("T", "T", kind, "twin", gap, verdict) for kind, gap, verdict in facts]
    lines = list(summary(rows))
    assert lines[2:5] == [
        "| costs at least 5% more | 2 |",
        "| illegal: CLEARANCE | 1 |",
        "| illegal: anchors | 1 |",
    ]
    assert lines[6].startswith(
        "2 of 3 rock and material rows have a gap under 1.05, 1 of them active."
    )


def test_a_dry_run_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On one family, with a twin that is due and a file that is astray."""
    twins, docs = tmp_path / "twins", tmp_path / "activity.md"
    shutil.copytree(TWINS_ROOT, twins)
    (twins / "T2H_OffPlatform_5m_I3m_9m__without_platform.json").unlink()
    shutil.copy(PAGE, docs)
    for module in (activity, twin_references):
        monkeypatch.setattr(module, "REGISTRY", Registry([REGISTRY["T2H"]]))
    monkeypatch.setattr(twin_references, "TWINS_ROOT", twins)
    monkeypatch.setattr(activity, "PAGE", docs)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    main(["--dry", "--workers", "1", "--iterations", "100"])
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before
    assert "| T2H_OffPlatform_7m_I4m_12m | platform |" in capsys.readouterr().out


def test_a_twin_that_no_longer_wins_counts_as_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it is searched again, as after `--remeasure`."""
    monkeypatch.setattr(twin_references, "TWINS_ROOT", tmp_path)
    name = "T2H_OffPlatform_5m_I3m_9m__without_platform.json"
    text = (TWINS_ROOT / name).read_text(encoding="utf-8")
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert len(best_known({})) == 1
    lost = re.sub(r'"clean": true', '"clean": false', text, count=1)
    (tmp_path / name).write_text(lost, encoding="utf-8")
    assert best_known({}) == {}


def test_golden_twins_hold_the_twins_that_are_no_levels_and_nothing_else() -> None:
    found = references()
    known = best_known(found)
    scenes = {
        scene_digest(to_level(twin.scene, LOOSE_LIMIT_USD))
        for family, scene, _ in REGISTRY.scenes()
        for twin in twins_of(family.code, scene)
    }
    assert scenes <= set(known)
    own = {reference.scene for reference in found.values()}
    files = {path.stem for path in TWINS_ROOT.glob("*.json")}
    assert files == {known[scene].level for scene in scenes - own}


def hung(*anchors: tuple[float, float]) -> Design:
    """One free node, tied by wood to each of these anchors."""
    nodes = [Node(i, x, y, True) for i, (x, y) in enumerate(anchors, start=1)]
    members = [Member(100 + n.id, 2, n.id, 50) for n in nodes]
    return Design((*nodes, Node(50, 1.0, -0.5)), tuple(members))


def test_a_design_moves_to_a_level_with_the_anchors_that_it_uses() -> None:
    level = to_level(banks("four", 8.0), LOOSE_LIMIT_USD)
    moved = transferred(hung((8.0, -2.0), (0.0, 0.0)), level)
    assert moved is not None
    ends = {
        (moved.node_by_id[end].x, moved.node_by_id[end].y)
        for member in moved.members
        for end in (member.a, member.b)
    }
    assert ends == {(8.0, -2.0), (0.0, 0.0), (1.0, -0.5)}
    assert [n.id for n in moved.nodes if n.is_anchor] == [a.id for a in level.anchors]


def test_a_design_that_hangs_on_an_anchor_not_there_does_not_move() -> None:
    level = to_level(banks("four", 8.0), LOOSE_LIMIT_USD)
    assert transferred(hung((0.0, 0.0), (0.0, -3.0)), level) is None
