"""The settings of a run: what the paper's are, what leaves them, and what no run can have."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.errors import InputError
from bench.protocol import PAPER, Settings, can_recover


def test_the_defaults_are_the_papers_protocol() -> None:
    assert asdict(PAPER) == {
        "budget": "strict",
        "calls": 3,
        "attempts": 3,
        "feedback": "both",
        "frames": 4,
        "window_s": 12.0,
        "images": True,
        "image": "real",
        "anonymous": False,
        "skill": "",
        "ask_confidence": False,
        "world_facts": False,
        "plain_frames": False,
    }
    assert PAPER.variants() == []
    assert replace(PAPER, budget="loose").variants() == []


@pytest.mark.parametrize(
    ("changes", "typed"),
    [
        ({"budget": "1.5x"}, ["--budget 1.5x"]),
        ({"calls": 2, "attempts": 1}, ["--calls 2", "--attempts 1"]),
        ({"feedback": "text", "frames": 6}, ["--feedback text", "--frames 6"]),
        ({"window_s": 6.5, "image": "blank"}, ["--window 6.5", "--image blank"]),
        ({"skill": "x", "anonymous": True}, ["--skill", "--anonymous-levels"]),
        ({"images": False, "ask_confidence": True}, ["--no-images", "--ask-confidence"]),
        ({"world_facts": True, "plain_frames": True}, ["--world-facts", "--plain-frames"]),
    ],
)
def test_what_leaves_the_protocol_is_named_as_typed(
    changes: dict[str, Any], typed: list[str]
) -> None:
    assert replace(PAPER, **changes).variants() == typed


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"feedback": "all"}, "use one of both, text, frames, none"),
        ({"image": "none"}, "use one of real, blank, other-level"),
        ({"calls": 0}, "--calls 0 must be at least 1"),
        ({"frames": -1}, "--frames -1 must be at least 1"),
        ({"window_s": 0.5}, "--window 0.5 must be 1 to 60 s"),
        ({"window_s": 7.1}, "a multiple of 0.25 s"),
        ({"budget": "cheap"}, "--budget 'cheap' is unknown"),
    ],
)
def test_what_no_run_can_have_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        replace(PAPER, **changes)


@given(
    st.builds(
        Settings,
        budget=st.sampled_from(["strict", "loose", "2x"]),
        calls=st.integers(1, 9),
        attempts=st.integers(1, 9),
        feedback=st.sampled_from(["both", "text", "frames", "none"]),
        frames=st.integers(1, 48),
        images=st.booleans(),
        anonymous=st.booleans(),
    )
)
def test_a_manifest_gives_the_settings_back(settings: Settings) -> None:
    frozen = {"budget": settings.budget, "settings": settings.record()}
    assert Settings.from_configuration(frozen) == settings


def test_a_manifest_without_settings_is_the_papers() -> None:
    assert Settings.from_configuration({"budget": "strict"}) == PAPER


@pytest.mark.parametrize(
    ("status", "call", "attempt", "eligible"),
    [
        ("failure_or_timeout", 1, 1, True),
        ("failure_or_timeout", 2, 1, False),  # the last of two calls
        ("failure_or_timeout", 1, 2, False),  # the last of two attempts
        ("invalid", 1, None, False),
        ("success", 1, 1, False),
    ],
)
def test_recovery_counts_failures_with_a_call_and_an_attempt_left(
    status: str, call: int, attempt: int | None, eligible: bool
) -> None:
    assert can_recover(status, call, attempt, Settings(calls=2, attempts=2)) is eligible
