"""The axle loads of a slow convoy, against shares worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.level.level import Level, Platform
from bench.bridge.statics.axle_loads import axle_loads
from tests_unit.bench.bridge.physics.cases import scene


def loads_on(design: Design, level: Level) -> np.ndarray:
    """Vertical loads (P, free nodes) in vehicle weights of 1 PN."""
    free = [n.id for n in design.nodes if not n.is_anchor]
    rows = {key: 2 * i for i, key in enumerate(free)}
    loads = axle_loads(level, design, rows, 2 * len(free), 1.0)
    assert (loads[:, 0::2] == 0.0).all(), "weights act downwards"
    return -loads[:, 1::2]


def roads(*points: tuple[float, float]) -> Design:
    """Roads through these points, the first and the last being anchors."""
    last = len(points) - 1
    nodes = tuple(Node(i + 1, x, y, i in (0, last)) for i, (x, y) in enumerate(points))
    return Design(nodes, tuple(Member(100 + i, 1, i + 1, i + 2) for i in range(last)))


def test_on_the_level_each_axle_has_half_and_the_lever_rule_shares_it() -> None:
    """Either axle on the middle joint, the other 1.6 m from it on a road of 4 m; both alike."""
    design = roads((0, 0), (4, 0), (8, 0))
    loads = loads_on(design, scene(design, 8.0, (1.0,)))
    assert loads.max() == pytest.approx(0.5 + 0.5 * 2.4 / 4.0)
    assert np.isclose(loads, loads.max()).sum() == 2


def test_two_vehicles_keep_their_distance() -> None:
    """The second's front axle on the joint: the first's axles are 1.9 m and 3.5 m beyond it."""
    design = roads((0, 0), (4, 0), (8, 0))
    loads = loads_on(design, scene(design, 8.0, (1.0, 2.0)))
    second = 2.0 * (0.5 + 0.5 * 2.4 / 4.0)
    first = 0.5 * (4.0 - 1.9) / 4.0 + 0.5 * (4.0 - 3.5) / 4.0
    assert loads.max() == pytest.approx(second + first)


def test_on_a_climb_the_rear_axle_has_more() -> None:
    """A rise of 3 in 4; centre of gravity 0.42 m above a way, axles 1.6 m apart.

    The shares differ by 0.42 / 1.6 x 0.75 from a half. The road is 10 m long; when the front
    axle, with the lesser share, stands on its upper end, the rear one is 1.6 m below on it.
    """
    design = roads((0, 0), (8, 6), (16, 6))
    level = replace(scene(design, 16.0, (1.0,)), rise_m=6.0)
    shift = 0.42 / 1.6 * 0.75
    front_there = (0.5 - shift) + (0.5 + shift) * (1.0 - 1.6 / 10.0)
    assert np.isclose(loads_on(design, level), front_there).any()


def test_what_stands_on_the_ground_loads_no_joint() -> None:
    """A road laid on an island: the island carries, up to its edge. 20 cm lower, the road does."""
    design = roads((0, 0), (3, 0), (5, 0), (8, 0))
    island = Platform(2.5, 5.5, 0.0, -5.0, ())
    level = scene(design, 8.0, (1.0,))
    bare, carried = loads_on(design, level), loads_on(design, replace(level, platforms=(island,)))
    assert bare.max() == pytest.approx(0.5 + 0.5 * 1.4 / 3.0)
    at_the_edge = 0.5 * 2.5 / 3.0 + 0.5 * (2.5 - 1.6) / 3.0
    assert carried.max() == pytest.approx(at_the_edge)
    low = replace(island, surface_y=-0.2)
    assert loads_on(design, replace(level, platforms=(low,))).max() == pytest.approx(bare.max())


def test_of_two_roads_the_higher_one_is_driven_on() -> None:
    upper = roads((0, 0), (4, 1), (8, 0))
    lower = (Node(9, 4.0, -1.0), Node(10, 2.0, -1.0))
    both = Design((*upper.nodes, *lower), (*upper.members, Member(200, 1, 10, 9)))
    loads = loads_on(both, scene(both, 8.0, (1.0,)))
    assert loads[:, 0].max() > 0.5
    assert (loads[:, 1:] == 0.0).all()


def test_without_a_road_there_is_no_load() -> None:
    design = Design((Node(1, 0.0, 0.0, True), Node(2, 1.0, 1.0)), (Member(3, 2, 1, 2),))
    assert loads_on(design, scene(design, 8.0, (1.0,))).shape == (0, 1)
