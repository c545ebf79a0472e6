"""Placing labels so that none lies over another."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from bench.bridge.physics.draw.labels import Labels, cells, sides_by_room
from bench.bridge.physics.draw.view import HEIGHT, PLOT, WIDTH, Box


def empty() -> Labels:
    return Labels.on(Image.new("RGB", (WIDTH, HEIGHT)))


def overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def test_a_label_is_moved_or_left_out_rather_than_put_over_another() -> None:
    labels = empty()
    placed = sum(labels.near((400, 400), f"label {i}") for i in range(40))
    assert 4 <= placed < 40
    assert placed == len(labels.texts)
    assert not any(overlap(a.box, b.box) for a, b in combinations(labels.texts, 2))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(-100, WIDTH + 100), st.floats(-100, HEIGHT + 100), st.integers(0, 99)),
        max_size=60,
    )
)
def test_wherever_points_lie_their_labels_stay_in_the_plot_and_apart(
    points: list[tuple[float, float, int]],
) -> None:
    labels = empty()
    for x, y, n in points:
        labels.near((x, y), str(n))
    for text in labels.texts:
        assert PLOT[0] <= text.box[0] <= text.box[2] <= PLOT[2]
        assert PLOT[1] <= text.box[1] <= text.box[3] <= PLOT[3]
    assert not any(overlap(a.box, b.box) for a, b in combinations(labels.texts, 2))


def test_labels_beside_points_keep_off_marks_but_titles_do_not() -> None:
    labels = empty()
    labels.mark((400, 400), 200)
    assert not labels.near((400, 400), "12")
    assert labels.write((400, 400), "12")


def test_a_copy_knows_what_is_taken_and_leaves_the_first_as_it_was() -> None:
    labels = empty()
    labels.write((100, 100), "title")
    other = labels.on_copy(Image.new("RGB", (WIDTH, HEIGHT)))
    assert not other.write((102, 102), "x")
    assert other.write((500, 500), "x")
    assert labels.write((500, 500), "y")


def test_the_side_furthest_from_the_members_comes_first() -> None:
    # A joint of a lower chord: members to the left, to the right and up.
    assert sides_by_room([0.0, math.pi, math.pi / 2])[0] == (0, 1)
    # A joint of a deck carried from below.
    assert sides_by_room([0.0, math.pi, -math.pi / 2])[0] == (0, -1)
    assert sides_by_room([math.radians(200)])[0] in {(1, 0), (1, -1)}


@pytest.mark.parametrize(
    ("box", "count"), [((0, 0, 1, 1), 1), ((0, 0, 2, 1), 2), ((1.9, 1.9, 2.1, 2.1), 4)]
)
def test_cells_cover_a_box(box: Box, count: int) -> None:
    assert len(cells(box)) == count
