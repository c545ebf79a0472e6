"""From frames to an outcome: the paper's rules, and when they are refused."""

from __future__ import annotations

import pytest

from bench.bridge.drivers.native.backends.base import Shot
from bench.bridge.drivers.native.capture import FINAL, Seen
from bench.bridge.drivers.native.errors import MarkerConflict, UnexpectedScreen
from bench.bridge.drivers.native.profile import Point, Screen, Thresholds
from bench.bridge.drivers.native.screens import Labels, labels_of
from bench.bridge.drivers.native.verdict import Verdict, judge
from bench.task import Outcome

SIM = (Screen.SIM, Labels(False, False, False, False))
WON = (Screen.DONE_OK, Labels(True, False, True, False))
LOST = (Screen.DONE_FAIL, Labels(False, True, False, True))
FLASH = (Screen.UNKNOWN, Labels(True, True, False, False))
PALE = (Screen.SIM, Labels(False, True, False, False))

Look = tuple[Screen, Labels]


def seen(index: int, look: Look) -> Seen:
    due = index / 4
    return Seen(index, due, due, due, look[0], look[1], True, None, False)


def verdict(*runs: tuple[int, Look]) -> Verdict:
    """49 looks, given as (how many, what they show)."""
    looks = [look for count, look in runs for _ in range(count)]
    assert len(looks) == FINAL + 1
    rows = [seen(i, look) for i, look in enumerate(looks)]
    return judge(rows[:FINAL], rows[FINAL])


def test_a_success_is_decided_at_its_first_frame() -> None:
    found = verdict((20, SIM), (29, WON))
    assert (found.outcome, found.decided_s) == (Outcome.SUCCESS, 5.0)
    assert found.facts["label_disagreements"] == []


def test_a_success_in_the_last_look_counts() -> None:
    found = verdict((48, SIM), (1, WON))
    assert (found.outcome, found.decided_s) == (Outcome.SUCCESS, 12.0)


def test_a_failure_in_the_last_frame_is_cut_off_at_1175() -> None:
    found = verdict((47, SIM), (2, LOST))
    assert (found.outcome, found.decided_s) == (Outcome.FAILURE_OR_TIMEOUT, 11.75)


def test_no_marker_is_a_time_out() -> None:
    found = verdict((49, SIM))
    assert (found.outcome, found.decided_s) == (Outcome.FAILURE_OR_TIMEOUT, None)


def test_a_white_flash_is_no_label() -> None:
    found = verdict((10, SIM), (1, FLASH), (9, SIM), (29, LOST))
    assert (found.outcome, found.decided_s) == (Outcome.FAILURE_OR_TIMEOUT, 5.0)
    assert found.facts["unreadable_frames"] == [10]
    assert found.facts["label_disagreements"] == [10]


def test_a_pale_picture_is_cut_off_by_the_papers_rule_and_flagged() -> None:
    found = verdict((10, SIM), (2, PALE), (37, SIM))
    assert found.decided_s == 2.5
    assert found.facts["label_disagreements"] == [10, 11]
    assert found.facts["paper_failure_frame"] == 10
    assert found.facts["dominance_failure_frame"] is None


@pytest.mark.parametrize(
    ("runs", "error", "message"),
    [
        (((49, PALE),), MarkerConflict, "frame 0"),
        (((48, SIM), (1, (Screen.SIM, Labels(True, False, False, False)))), MarkerConflict, "SIM"),
        (((48, SIM), (1, (Screen.DONE_OK, SIM[1]))), MarkerConflict, "no success by the pixel"),
        (((20, SIM), (10, LOST), (19, SIM)), MarkerConflict, "SIM in frame 30"),
        (((20, SIM), (10, LOST), (19, WON)), MarkerConflict, "DONE_OK in frame 30"),
        (((48, SIM), (1, FLASH)), UnexpectedScreen, "no known one"),
        (
            ((48, SIM), (1, (Screen.UNKNOWN, Labels(True, True, True, True)))),
            MarkerConflict,
            "together",
        ),
    ],
)
def test_a_contradiction_is_no_result(
    runs: tuple[tuple[int, Look], ...], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        verdict(*runs)


@pytest.mark.parametrize(
    ("rgb", "labels"),
    [
        # the editor's grey, the same 12 brighter, the sky, white, and the markers
        ((143, 143, 143), Labels(False, False, False, False)),
        ((155, 155, 155), Labels(True, True, False, False)),
        ((177, 214, 220), Labels(True, True, False, False)),
        ((255, 255, 255), Labels(True, True, False, False)),
        ((200, 50, 40), Labels(False, True, False, True)),
        ((151, 111, 20), Labels(False, True, False, False)),
        ((40, 190, 70), Labels(True, False, True, False)),
    ],
)
def test_labels_of_colours(rgb: tuple[int, int, int], labels: Labels) -> None:
    thresholds = Thresholds(
        success_pixel=Point(x=0, y=0), success_green=150, failure_pixel=Point(x=1, y=0)
    )
    red, green, blue = rgb
    shot = Shot(bytes((blue, green, red, 0)) * 2, 2, 1, 0.0, 0.0)
    assert labels_of(thresholds, shot) == labels
