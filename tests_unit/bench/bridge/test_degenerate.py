"""Designs that are hardly any, through every command of the bridge: an answer, no traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.design.graph import graph_of
from bench.bridge.level.files import load_level
from bench.bridge.physics.params import SimParams
from bench.bridge.rules import validate
from bench.cli import main

LEVEL = "T1B_Basic_4m"  # anchors 1 (0, 0), 2 (4, 0), 3 (0, -2), 4 (4, -2)


def anchors() -> tuple[Node, ...]:
    return tuple(Node(a.id, a.x, a.y, True) for a in load_level(LEVEL).level.anchors)


def crowd() -> Design:
    """1,000 nodes and 2,000 members: a lattice of 0.25 m over and under a deck of 16 roads."""
    at = {(round(4 * n.x), round(4 * n.y)): n for n in anchors()}
    for row in range(0, -62, -1):
        for column in range(1, 16):
            if len(at) < 1000 and (column, row) not in at:
                at[(column, row)] = Node(100 + len(at), column / 4, row / 4 + 0.0)
    pairs = [
        (a, at[(x + dx, y + dy)], y == 0 and dy == 0)
        for (x, y), a in at.items()
        for dx, dy in ((1, 0), (0, -1), (1, -1))
        if (x + dx, y + dy) in at
    ][:2000]
    members = [
        Member(3000 + i, 1 if road else 2, a.id, b.id) for i, (a, b, road) in enumerate(pairs)
    ]
    return Design(tuple(at.values()), tuple(members))


def designs() -> dict[str, Design]:
    own = anchors()
    free = Node(50, 2.0, -1.0)
    return {
        "one member": Design((*own, Node(50, 1.0, -1.0)), (Member(60, 2, 1, 50),)),
        "members between anchors only": Design(own, (Member(60, 3, 1, 3), Member(61, 3, 2, 4))),
        "a road between the deck anchors": Design(own, (Member(60, 1, 1, 2),)),
        "no deck": Design((*own, free), (Member(60, 3, 1, 50), Member(61, 3, 50, 2))),
        "all roads break": Design(
            (*own, Node(50, 2.0, 0.0)), (Member(60, 1, 1, 50), Member(61, 1, 50, 2))
        ),
        "anchors alone": Design(own, ()),
        "nothing": Design((), ()),
        "1,000 nodes and 2,000 members": crowd(),
    }


@pytest.fixture
def written(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[Design, Path]:
    design = designs()[request.param]
    path = tmp_path / "design.json"
    answer = {"action": "modify", "thought_process": "", **graph_of(design)}
    path.write_text(json.dumps(answer))
    return design, path


@pytest.mark.slow
@pytest.mark.parametrize("written", designs(), indirect=True)
def test_every_command_answers(
    written: tuple[Design, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    design, path = written
    violations = validate(load_level(LEVEL).level, design, 1500.0)
    assert main(["validate", LEVEL, str(path)]) == int(bool(violations))
    told = capsys.readouterr().out
    assert [v.code for v in violations if v.code not in told] == []
    # An illegal road of 4 m from anchor to anchor would do; nothing else here does.
    won = design == designs()["a road between the deck anchors"]
    assert main(["simulate", LEVEL, str(path)]) == int(not won)
    assert ("success" if won else "fell") in capsys.readouterr().out
    picture = tmp_path / "editor.png"
    assert main(["draw", LEVEL, str(path), str(picture)]) == 0
    assert picture.read_bytes()[:4] == b"\x89PNG"
    capsys.readouterr()
    assert main(["capacity", LEVEL, str(path), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["capacity"] >= 1.0, facts["cost_usd"]) == (won, design.cost_usd)
    # The red team's own clock is left out: one batch, from this design.
    from bench.bridge.analysis.redteam import search

    made, _, _ = next(
        search(load_level(LEVEL).level, 1500.0, [design] if design.members else [], 0)
    )
    assert made == 64


def test_a_design_on_anchors_alone_has_no_static_bound() -> None:
    from bench.bridge.statics.capacity import static_bound

    level = load_level(LEVEL).level
    for name in ("members between anchors only", "a road between the deck anchors", "nothing"):
        assert static_bound(level, designs()[name], SimParams().pn_per_pg) is None
