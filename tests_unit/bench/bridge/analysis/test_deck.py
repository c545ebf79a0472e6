import itertools
from dataclasses import replace

from bench.bridge.analysis.deck import continuous_deck
from bench.bridge.design.design import Design, Member, Node
from bench.bridge.design.materials import WOOD
from bench.bridge.level.level import Platform
from tests_unit.support.factories import anchor_nodes, deck, flat_level, platform_level


def road(level, *chains, start_id=100):
    """Roads along chains of points; points at anchors are the anchors."""
    nodes = list(anchor_nodes(level))
    at = {(n.x, n.y): n.id for n in nodes}
    members = []
    for chain in chains:
        for point in chain:
            if point not in at:
                at[point] = start_id + len(nodes)
                nodes.append(Node(at[point], *point))
        ids = [at[point] for point in chain]
        members += [
            Member(500 + len(members) + i, 1, a, b)
            for i, (a, b) in enumerate(itertools.pairwise(ids))
        ]
    return Design(tuple(nodes), tuple(members))


def test_a_straight_road_from_edge_to_edge_is_continuous():
    level = flat_level(6.0, rise=1.0)
    assert continuous_deck(level, deck(level))


def test_one_missing_piece_is_a_gap():
    level = flat_level(6.0)
    design = deck(level)
    assert not continuous_deck(level, replace(design, members=design.members[:-1]))


def test_wood_is_no_road():
    level = flat_level(6.0)
    assert not continuous_deck(level, deck(level, material=WOOD))


def test_a_road_that_stops_short_of_the_bank_is_a_gap_beyond_one_centimetre():
    level = flat_level(4.0)
    assert continuous_deck(level, road(level, [(0.0, 0.0), (2.0, 0.0), (3.995, 0.0)]))
    assert not continuous_deck(level, road(level, [(0.0, 0.0), (2.0, 0.0), (3.9, 0.0)]))
    assert not continuous_deck(level, road(level, [(0.0, 0.0), (2.0, 0.0), (4.0, 0.1)]))


def test_a_road_may_lie_on_the_bank_beyond_its_edge():
    level = flat_level(4.0)
    assert continuous_deck(level, road(level, [(-0.5, 0.0), (1.0, 0.3), (3.0, 0.3), (4.5, 0.0)]))


def test_a_platform_carries_on_between_two_roads():
    level = platform_level(8.0, 4.0)  # open from 0 to 2 and from 6 to 8
    both = [(0.0, 0.0), (2.0, 0.0)], [(6.0, 0.0), (8.0, 0.0)]
    assert continuous_deck(level, road(level, *both))
    assert not continuous_deck(level, road(level, both[0]))


def test_a_platform_at_another_height_needs_a_road_down_to_it():
    level = platform_level(8.0, 4.0, surface_y=-1.0)
    over = [(0.0, 0.0), (2.0, 0.0)], [(6.0, 0.0), (8.0, 0.0)]
    down = [(0.0, 0.0), (2.0, -1.0)], [(6.0, -1.0), (8.0, 0.0)]
    assert not continuous_deck(level, road(level, *over))
    assert continuous_deck(level, road(level, *down))


def test_platforms_that_touch_are_one_ground():
    level = flat_level(6.0)
    whole = (Platform(0.0, 3.0, 0.0, -5.0, ()), Platform(3.0, 6.0, 0.0, -5.0, ()))
    assert continuous_deck(replace(level, platforms=whole), Design(anchor_nodes(level), ()))


def test_members_without_ends_are_passed_over():
    level = flat_level(2.0)
    design = Design(anchor_nodes(level), (Member(9, 1, 1, 77), Member(10, 1, 1, 2)))
    assert continuous_deck(level, design)
