"""The margin is the nearest rule's: money or distance to a rock."""

from dataclasses import replace

import pytest

from bench.bridge.analysis.margin import validity_margin
from bench.bridge.design.design import Design, Member, Node
from bench.bridge.level.level import Rock
from tests_unit.support.factories import flat_level

LEVEL = flat_level(2.0)
ROAD = Design((Node(1, 0.0, 0.0, True), Node(2, 2.0, 0.0, True)), (Member(3, 1, 1, 2),))


def test_without_rocks_it_is_the_unspent_share():
    assert validity_margin(LEVEL, ROAD, 500.0) == pytest.approx(0.2)
    assert validity_margin(LEVEL, ROAD, 200.0) == pytest.approx(-1.0)
    assert validity_margin(LEVEL, Design((), ()), 200.0) == 1.0


def test_a_rock_that_is_nearer_than_the_limit_counts_in_metres():
    rock = Rock(((1.0, -0.1), (0.5, -3.0), (1.5, -3.0)))
    near = replace(LEVEL, rocks=(rock,))
    assert validity_margin(near, ROAD, 500.0) == pytest.approx(0.1)
    assert validity_margin(near, ROAD, 410.0) == pytest.approx(1 - 400 / 410, abs=1e-6)
    touching = replace(LEVEL, rocks=(Rock(((1.0, 0.0), (0.5, -3.0), (1.5, -3.0))),))
    assert validity_margin(touching, ROAD, 500.0) == 0.0
