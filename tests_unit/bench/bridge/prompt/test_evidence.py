import pytest
from PIL import Image

from bench.bridge.drivers.base import Rollout
from bench.bridge.prompt.evidence import eligible_frames, execution_summary, selected_frames
from bench.task import Outcome


@pytest.mark.parametrize(
    ("decided_s", "count"),
    [
        (None, 48),  # the window ran out: everything stays
        (0.0, 1),
        (0.2, 2),  # frames at 0 s and, with the marker, at 0.25 s
        (0.25, 2),  # the frame at the very time shows it already
        (0.2501, 3),
        (3.0, 13),
        (11.75, 48),
        (11.9, 48),  # the marker would be on frame 48, which does not exist
    ],
)
def test_frames_after_the_first_marked_one_are_dropped(decided_s: float | None, count: int) -> None:
    assert eligible_frames(decided_s) == count


@pytest.mark.parametrize(
    ("count", "indices"),
    [
        (48, [0, 16, 31, 47]),  # 47/3 = 15.67 -> 16, 31.33 -> 31
        (13, [0, 4, 8, 12]),
        (12, [0, 4, 7, 11]),  # 3.67, 7.33
        (5, [0, 1, 3, 4]),  # 1.33, 2.67
        (3, [0, 1, 1, 2]),  # 0.67, 1.33: the duplicate stays
        (2, [0, 0, 1, 1]),  # 0.33, 0.67
        (1, [0, 0, 0, 0]),
    ],
)
def test_four_frames_are_evenly_spaced_with_both_ends(count: int, indices: list[int]) -> None:
    assert selected_frames(count) == indices


def test_halves_are_rounded_up() -> None:
    assert selected_frames(4, 3) == [0, 2, 3]  # 1.5 -> 2


def rollout(decided_s: float | None) -> Rollout:
    return Rollout(
        Outcome.FAILURE_OR_TIMEOUT,
        decided_s,
        "embedded",
        lambda k: Image.new("RGB", (1, 1)),
        {"peak_utilisation": 1.7, "first_break_s": 1.1, "clean": False, "ending": "fell"},
    )


def test_the_summary_of_a_failure_names_no_cause() -> None:
    assert execution_summary(rollout(2.9), [0, 4, 8, 12]) == {
        "outcome": "failure_or_timeout",
        "duration_s": 2.9,
        "detector": "embedded",
        "selected_frames": [
            {"index": 0, "time_s": 0.0},
            {"index": 4, "time_s": 1.0},
            {"index": 8, "time_s": 2.0},
            {"index": 12, "time_s": 3.0},
        ],
        "cutoff": {"marker_found": True, "last_eligible_frame": 12, "frames_dropped": 35},
    }


def test_the_summary_of_a_timeout_covers_the_whole_window() -> None:
    summary = execution_summary(rollout(None), [0, 16, 31, 47])
    assert summary["duration_s"] == 12.0
    assert summary["cutoff"] == {
        "marker_found": False,
        "last_eligible_frame": 47,
        "frames_dropped": 0,
    }
