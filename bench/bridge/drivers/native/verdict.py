"""From a recorded run to its outcome. Pure: no desktop, no clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bench.bridge.drivers.base import FRAME_INTERVAL_S
from bench.bridge.drivers.native.capture import Seen
from bench.bridge.drivers.native.errors import MarkerConflict, UnexpectedScreen
from bench.bridge.drivers.native.profile import Screen
from bench.task import Json, Outcome

DETECTOR_SUCCESS = "success pixel"
DETECTOR_FAILURE = "failure marker"
DETECTOR_NONE = "no marker within the window"


@dataclass(frozen=True)
class Verdict:
    """The outcome, when it was decided (None: never), by which detector, and facts for audit."""

    outcome: Outcome
    decided_s: float | None
    detector: str
    facts: dict[str, Json]


def judge(frames: Sequence[Seen], final: Seen) -> Verdict:
    """The outcome by the paper's rules, refused where the screens contradict them.

    Success: green above its threshold at the success pixel in the final look. The cut-off: the
    first frame with the failure marker. Only frames that show a known screen are labelled: a
    flash or a fade is none. Raises MarkerConflict and UnexpectedScreen; where only the colour
    dominance, or the screen of a single frame, disagrees, the facts list the frames.
    """
    _refuse(frames, final)
    looks = [*frames, final]
    readable = [s for s in looks if s.screen is not Screen.UNKNOWN]
    failed = [s.index for s in readable if s.labels.paper_failure]
    facts: dict[str, Json] = {
        "final_screen": final.screen.value,
        "paper_failure_frame": failed[0] if failed else None,
        "dominance_failure_frame": next(
            (s.index for s in readable if s.labels.dominant_failure), None
        ),
        "label_disagreements": [s.index for s in looks if not consistent(s)],
        "unreadable_frames": [s.index for s in looks if s.screen is Screen.UNKNOWN],
    }
    if final.labels.paper_success:
        lit = len(looks) - 1
        while lit and readable_success(looks[lit - 1]):
            lit -= 1
        return Verdict(Outcome.SUCCESS, _time(lit), DETECTOR_SUCCESS, facts)
    if failed:
        return Verdict(Outcome.FAILURE_OR_TIMEOUT, _time(failed[0]), DETECTOR_FAILURE, facts)
    return Verdict(Outcome.FAILURE_OR_TIMEOUT, None, DETECTOR_NONE, facts)


def readable_success(seen: Seen) -> bool:
    """Whether a frame shows the success by the paper's rule on a known screen."""
    return seen.screen is not Screen.UNKNOWN and seen.labels.paper_success


def consistent(seen: Seen) -> bool:
    """Whether the paper's rule, the colour dominance and the screen say the same of a frame."""
    labels = seen.labels
    return (
        labels.agree
        and labels.paper_success == (seen.screen is Screen.DONE_OK)
        and labels.paper_failure == (seen.screen is Screen.DONE_FAIL)
    )


def _refuse(frames: Sequence[Seen], final: Seen) -> None:
    first = frames[0].labels
    if first.paper_failure or first.paper_success:
        raise MarkerConflict(
            "unlit outcome pixels when the run begins",
            f"{'failure' if first.paper_failure else 'success'} by the paper's rule in frame 0",
            "the background fulfils the rule: calibrate the pixels and thresholds",
        )
    labels = final.labels
    if labels.dominant_success and labels.dominant_failure:
        raise MarkerConflict("one outcome", "the success and the failure marker together")
    if final.screen is Screen.UNKNOWN:
        raise UnexpectedScreen("a known screen when the window ends", "no known one")
    if labels.paper_success != (final.screen is Screen.DONE_OK):
        said = "success" if labels.paper_success else "no success"
        raise MarkerConflict(
            "pixel and screen that agree when the window ends",
            f"{said} by the pixel on the screen {final.screen}",
            "calibrate the success pixel and the markers again",
        )
    done: Screen | None = None
    for seen in (*frames, final):
        if done is not None and seen.screen not in (done, Screen.UNKNOWN):
            raise MarkerConflict(
                f"{done} to the end of the window", f"{seen.screen} in frame {seen.index}"
            )
        if seen.screen in (Screen.DONE_OK, Screen.DONE_FAIL):
            done = seen.screen


def _time(index: int) -> float:
    return index * FRAME_INTERVAL_S
