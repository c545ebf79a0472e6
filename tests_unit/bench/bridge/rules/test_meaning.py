"""What the rules mean, against independent methods and over arbitrary designs."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from shapely import LineString, Point, Polygon

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.design.materials import STEEL
from bench.bridge.level.level import Rock
from bench.bridge.rules import Case, validate
from bench.bridge.rules.geometry import nodes_too_close, roads_overlap
from tests_unit.support.factories import anchor_nodes, flat_level, platform_level, warren

# Loaded machines are slow, and a failure in CI must come back on the next run.
STEADY = settings(deadline=None, derandomize=True, max_examples=200)

SCENE = replace(
    platform_level(16.0, width=4.0, surface_y=-1.0),
    left_toe_x=2.0,
    right_toe_x=15.0,
    rocks=(
        Rock(((4.0, -1.0), (3.0, -4.0), (5.0, -4.0))),
        Rock(((12.0, 3.0), (11.0, 5.0), (13.0, 5.0))),
    ),
)

ids = st.integers(1, 14)
grid = st.integers(-4, 40).map(lambda quarter: quarter / 2)
heights = st.integers(-24, 24).map(lambda quarter: quarter / 4)
nodes = st.builds(Node, ids, grid, heights, st.booleans())
members = st.builds(Member, ids.map(lambda i: i + 20), st.integers(0, 4), ids, ids)


def distinct(items):
    return tuple({item.id: item for item in items}.values())


designs = st.builds(
    lambda anchors, more, edges: Design(
        distinct((*more, *(anchor_nodes(SCENE) if anchors else ()))), distinct(edges)
    ),
    st.booleans(),
    st.lists(nodes, max_size=12),
    st.lists(members, max_size=20),
)


def codes(design, limit=5000.0):
    return {v.code for v in validate(SCENE, design, limit)}


@STEADY
@given(designs, st.randoms(use_true_random=False))
def test_the_order_of_nodes_and_edges_and_the_ends_of_edges_do_not_change_the_codes(design, rng):
    shuffled = Design(
        tuple(rng.sample(design.nodes, len(design.nodes))),
        tuple(
            replace(m, a=m.b, b=m.a) if rng.random() < 0.5 else m
            for m in rng.sample(design.members, len(design.members))
        ),
    )
    assert codes(shuffled) == codes(design)


@STEADY
@given(designs, st.permutations(range(1, 15)))
def test_the_names_of_dynamic_nodes_do_not_change_the_codes(design, order):
    native = {a.id for a in SCENE.anchors}
    free = [i for i in range(1, 15) if i not in native]
    new = dict(zip(free, [i for i in order if i not in native], strict=True))
    renamed = Design(
        tuple(replace(n, id=new.get(n.id, n.id)) for n in design.nodes),
        tuple(replace(m, a=new.get(m.a, m.a), b=new.get(m.b, m.b)) for m in design.members),
    )
    assert codes(renamed) == codes(design)


@STEADY
@given(
    panels=st.integers(2, 8),
    depth=st.sampled_from([1.5, 1.0, -1.5, 0.75]),
    seed=st.integers(0, 2**32),
)
def test_a_legal_truss_stays_legal_however_it_is_written_down(panels, depth, seed):
    level = flat_level(2.0 * panels)
    truss = warren(level, depth=depth)
    rng = random.Random(seed)
    native = {a.id for a in level.anchors}
    others = [n.id for n in truss.nodes if n.id not in native] + [m.id for m in truss.members]
    names = {a: a for a in native} | dict(
        zip(others, rng.sample(range(10, 2**31 - 1), len(others)), strict=True)
    )
    written = Design(
        tuple(replace(n, id=names[n.id]) for n in rng.sample(truss.nodes, len(truss.nodes))),
        tuple(
            Member(names[m.id], m.type, names[m.b], names[m.a])
            for m in rng.sample(truss.members, len(truss.members))
        ),
    )
    assert validate(level, written, 100_000) == ()


@STEADY
@given(designs)
def test_disconnected_nodes_are_those_that_a_component_search_leaves_without_an_anchor(design):
    place = {node.id: i for i, node in enumerate(design.nodes)}
    edges = [(place[m.a], place[m.b]) for m in design.members if m.a in place and m.b in place]
    if not design.nodes or not design.members:
        return
    rows, columns = zip(*edges, strict=True) if edges else ((), ())
    size = len(place)
    graph = coo_array(([1] * len(edges), (rows, columns)), shape=(size, size))
    _, label = connected_components(graph, directed=False)
    held = {label[place[a.id]] for a in SCENE.anchors if a.id in place}
    loose = {n.id for n in design.nodes if label[place[n.id]] not in held}
    found = [v for v in validate(SCENE, design, 5000) if v.code == "DISCONNECTED"]
    assert sorted(i for v in found for i in v.ids) == sorted(loose)
    assert len(found) == len({label[place[i]] for i in loose})


SOLIDS = (
    Polygon([(-60, 0), (0, 0), (2, -5), (-60, -5)]),
    Polygon([(76, 0), (16, 0), (15, -5), (76, -5)]),
    Polygon([(6, -5), (10, -5), (10, -1), (6, -1)]),
)


@STEADY
@given(st.integers(-200, 1800), st.integers(-700, 200))
def test_a_node_is_in_terrain_when_a_polygon_of_solid_ground_holds_it(x_cm, y_cm):
    x, y = x_cm / 100, y_cm / 100
    design = Design((*anchor_nodes(SCENE), Node(9, x, y)), (Member(10, 1, 1, 9),))
    inside = any(
        solid.contains(Point(x, y)) and solid.exterior.distance(Point(x, y)) > 1e-3
        for solid in SOLIDS
    )
    near = any(solid.exterior.distance(Point(x, y)) <= 1e-3 for solid in SOLIDS)
    found = any(v.code == "IN_TERRAIN" for v in validate(SCENE, design, 5000))
    assert found == inside or near


@pytest.mark.parametrize(
    ("x", "y"),
    [(0.0, -3.0), (-3.0, 0.0), (0.4, -1.0), (2.0, -5.0), (6.0, -2.0), (8.0, -1.0), (16.0, 0.0)],
)
def test_a_node_on_the_surface_of_solid_ground_is_fine(x, y):
    level = SCENE if x else flat_level()
    design = Design((*anchor_nodes(level), Node(9, x, y)), (Member(10, 1, 1, 9),))
    assert not any(v.code == "IN_TERRAIN" for v in validate(level, design, 5000))


@pytest.mark.parametrize(
    ("x", "y", "inside"),
    [
        (1.0, -4.0, True),  # the left face is at x = 1.6 there
        (1.7, -4.0, False),
        (15.5, -4.5, True),  # the right face is at x = 15.1 there
        (15.5, -1.0, False),  # and at x = 15.8 here
        (8.0, -1.5, True),
        (8.0, -5.5, False),  # banks and platforms end at y = -5
        (-3.0, -5.5, False),
        (-3.0, 0.5, False),
    ],
)
def test_solid_ground_ends_at_its_sloping_faces_and_its_bottom(x, y, inside):
    design = Design((*anchor_nodes(SCENE), Node(9, x, y)), (Member(10, 1, 1, 9),))
    assert any(v.code == "IN_TERRAIN" for v in validate(SCENE, design, 5000)) == inside


def touches(p, q, triangle):
    """Whether a segment touches a triangle, in exact arithmetic: clip it against its sides."""
    (px, py), (qx, qy) = ((Fraction(a), Fraction(b)) for a, b in (p, q))
    corners = [(Fraction(a), Fraction(b)) for a, b in triangle]

    def side(a, b, x, y):
        return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])

    turn = side(corners[0], corners[1], *corners[2])
    low, high = Fraction(0), Fraction(1)
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        start, end = side(a, b, px, py) * turn, side(a, b, qx, qy) * turn
        if start < 0 and end < 0:
            return False
        if start < 0:
            low = max(low, start / (start - end))
        elif end < 0:
            high = min(high, start / (start - end))
    return low <= high


@STEADY
@given(grid, heights, grid, heights)
def test_clearance_agrees_with_exact_clipping(x1, y1, x2, y2):
    design = Design(
        (*anchor_nodes(SCENE), Node(9, x1, y1), Node(10, x2, y2)), (Member(11, 3, 9, 10),)
    )
    found = {v.ids[0] for v in validate(SCENE, design, 5000) if v.code == "CLEARANCE"}
    ends = {9: ((x1, y1), (x1, y1)), 10: ((x2, y2), (x2, y2)), 11: ((x1, y1), (x2, y2))}
    expected = {
        id_ for id_, (p, q) in ends.items() if any(touches(p, q, r.vertices) for r in SCENE.rocks)
    }
    if (x1, y1) == (x2, y2):
        expected -= {11}  # an edge without length is told by its nodes
    assert found == expected


def test_a_native_anchor_is_connected_ground_even_when_it_was_moved_or_released():
    level = flat_level(4.0)
    design = Design(
        (Node(1, 0, 0.5, False), *anchor_nodes(level)[1:], Node(5, 1.0, 0.5)),
        (Member(6, 1, 1, 5),),
    )
    assert [v.code for v in validate(level, design, 5000)] == ["ANCHOR_MOVED", "ANCHOR_RELEASED"]


def test_the_limit_is_compared_in_cents():
    level = flat_level(4.0)
    design = Design((*anchor_nodes(level), Node(5, 1.0, 0.0)), (Member(6, 1, 1, 5),))
    assert validate(level, design, 200.0) == ()
    assert validate(level, design, 199.996) == ()
    assert [v.code for v in validate(level, design, 199.99)] == ["OVER_BUDGET"]


def test_the_largest_answer_is_validated():
    level = replace(flat_level(700.0), rocks=SCENE.rocks)
    truss = warren(level, material=STEEL)
    assert len(truss.nodes) > 700
    assert len(truss.members) > 1300
    assert {v.code for v in validate(level, truss, 5000)} >= {"OVER_BUDGET"}


@STEADY
@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), max_size=30))
def test_close_pairs_are_those_that_all_pairs_find(places):
    """Against every pair, in exact fractions: places on a grid of 0.05 m, limit 0.249 m."""
    near = [Node(100 + i, x / 20, y / 20) for i, (x, y) in enumerate(places)]
    expected = {
        (100 + i, 100 + k)
        for k in range(len(places))
        for i in range(k)
        if Fraction(places[i][0] - places[k][0], 20) ** 2
        + Fraction(places[i][1] - places[k][1], 20) ** 2
        < Fraction(249, 1000) ** 2
    }
    case = Case(SCENE, Design(tuple(near), ()), 1000.0)
    assert {v.ids for v in nodes_too_close(case)} == expected


def test_a_thousand_nodes_on_one_spot_are_counted_and_a_lattice_of_a_thousand_is_legal():
    level = flat_level(16.0)
    crowd = tuple(Node(100 + i, 8.0, 1.0) for i in range(1000 - 4))
    told = [
        v
        for v in validate(
            level, Design((*anchor_nodes(level), *crowd), (Member(2000, 1, 1, 100),)), 1e6
        )
        if v.code == "NODES_TOO_CLOSE"
    ]
    assert len(told) == 21
    assert told[-1].values == {"more": 996 * 995 // 2 - 20}
    lattice = tuple(Node(100 + i, 2.0 + 0.25 * (i % 40), 0.25 * (i // 40)) for i in range(1000 - 4))
    assert not list(nodes_too_close(Case(level, Design((*anchor_nodes(level), *lattice), ()), 1e6)))


@STEADY
@given(designs)
def test_roads_that_overlap_are_those_that_shapely_finds_near_each_other(design):
    """A road's interior, shortened by nothing, against the other roads' ends, one by one."""
    at = design.node_by_id
    roads = [m for m in design.members if m.type == 1 and m.a != m.b and {m.a, m.b} <= set(at)]
    roads = [m for m in roads if (at[m.a].x, at[m.a].y) != (at[m.b].x, at[m.b].y)]
    ends = {e for m in roads for e in (m.a, m.b)}
    expected = set()
    for m in roads:
        line = LineString([(at[m.a].x, at[m.a].y), (at[m.b].x, at[m.b].y)])
        for e in ends - {m.a, m.b}:
            point = Point(at[e].x, at[e].y)
            beside = 1e-6 < line.project(point) < line.length - 1e-6
            if beside and line.distance(point) < 0.249:
                expected.add(m.id)
    case = Case(SCENE, design, 1000.0)
    assert {v.ids[0] for v in roads_overlap(case)} == expected


def test_two_thousand_roads_over_each_other_are_told_as_twenty_and_a_count():
    level = flat_level(16.0)
    crowd = tuple(Node(100 + i, 0.5 + 0.015 * i, 1.0) for i in range(1000 - 4))
    roads = tuple(
        Member(2000 + i, 1, 100 + i % 990, 100 + i % 990 + 1 + i // 990) for i in range(1980)
    )
    told = [
        v
        for v in validate(level, Design((*anchor_nodes(level), *crowd), roads), 1e6)
        if v.code == "ROADS_OVERLAP"
    ]
    # Of the roads to the next node none passes another; of those to the next but one each does.
    assert [v.ids for v in told[:2]] == [(2990, 101), (2991, 102)]
    assert told[-1].values == {"more": 990 - 20}
