"""What a run means: the settings that decide a number, and what the paper's protocol sets them to.

Options, manifest, task, verification and metrics take every setting from here. `PAPER` is the
frozen protocol; anything else is a variant, which shares no table with it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from bench.errors import InputError
from bench.near import unknown

FeedbackMode = Literal["both", "text", "frames", "none"]
"""What a repair call is told: messages and summary, the contact sheet, both, or neither."""

ImageMode = Literal["real", "blank", "other-level"]
"""What stands in a picture's place, to find out whether a model looks: every picture blank, or the
scene of another level."""

CONDITIONS = ("strict", "loose")
"""The budget conditions of the paper, in the order of every table."""

LONGEST_WINDOW_S = 60.0
FRAME_INTERVAL_S = 0.25
WINDOW_S = 12.0
FRAME_COUNT = round(WINDOW_S / FRAME_INTERVAL_S)
"""How long an execution is watched, how often a frame of it is taken, and how many there are."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run; the defaults are the paper's.

    `budget` is the condition, `calls` and `attempts` are the most an episode may take, `frames`
    is how many frames of an execution are shown, `window_s` how long an execution may last.
    `feedback` is what a repair call is told. `images` off leaves every picture out, `image` puts
    something else in the pictures' place. `anonymous` hides the levels' names. `skill` is text
    that is appended to the instructions. `ask_confidence` asks for a `confidence` field.
    `world_facts` adds the physics constants to the instructions. `plain_frames` shows frames
    without the forces in the members.

    Raises InputError for a value that no run can have.
    """

    budget: str = "strict"
    calls: int = 3
    attempts: int = 3
    feedback: FeedbackMode = "both"
    frames: int = 4
    window_s: float = WINDOW_S
    images: bool = True
    image: ImageMode = "real"
    anonymous: bool = False
    skill: str = ""
    ask_confidence: bool = False
    world_facts: bool = False
    plain_frames: bool = False

    def __post_init__(self) -> None:
        """Refuse what no run can have: values may come from a command line or a manifest."""
        parse_budget(self.budget)
        for name in ("calls", "attempts", "frames"):
            if getattr(self, name) < 1:
                raise InputError(f"--{name} {getattr(self, name)} must be at least 1")
        for name, modes in (("feedback", get_args(FeedbackMode)), ("image", get_args(ImageMode))):
            if getattr(self, name) not in modes:
                raise InputError(unknown(f"--{name}", getattr(self, name), modes))
        if not 1.0 <= self.window_s <= LONGEST_WINDOW_S or self.window_s % FRAME_INTERVAL_S:
            raise InputError(
                f"--window {self.window_s:g} must be 1 to {LONGEST_WINDOW_S:g} s and a multiple of "
                f"{FRAME_INTERVAL_S} s, the time between two frames"
            )

    @property
    def shows_text(self) -> bool:
        """Whether a repair call gets the validator's messages and the execution summary."""
        return self.feedback in ("both", "text")

    @property
    def shows_frames(self) -> bool:
        """Whether a repair call gets the contact sheet."""
        return self.images and self.feedback in ("both", "frames")

    def variants(self) -> list[str]:
        """The settings that leave the paper's protocol, as they are typed on a command line."""
        return list(self._variants())

    def _variants(self) -> Iterator[str]:
        if self.budget not in CONDITIONS:
            yield f"--budget {self.budget}"
        for option, name in VALUED.items():
            value = getattr(self, name)
            if value != getattr(PAPER, name):
                yield f"{option} {value:g}" if isinstance(value, float) else f"{option} {value}"
        if self.skill:
            yield "--skill"
        if self.anonymous:
            yield "--anonymous-levels"
        if not self.images:
            yield "--no-images"
        if self.ask_confidence:
            yield "--ask-confidence"
        if self.world_facts:
            yield "--world-facts"
        if self.plain_frames:
            yield "--plain-frames"

    def record(self) -> dict[str, Any]:
        """The settings as a manifest carries them; of a skill text only the hash, no budget."""
        digest = hashlib.sha256(self.skill.encode()).hexdigest() if self.skill else None
        return {
            "calls": self.calls,
            "attempts": self.attempts,
            "feedback": self.feedback,
            "frames": self.frames,
            "window_s": self.window_s,
            "skill_sha256": digest,
            "anonymous_levels": self.anonymous,
            "images": self.images,
            "image": self.image,
            "ask_confidence": self.ask_confidence,
            "world_facts": self.world_facts,
            "plain_frames": self.plain_frames,
        }

    @classmethod
    def from_configuration(cls, configuration: Mapping[str, Any]) -> Settings:
        """The settings of a manifest's configuration; what it lacks is the paper's.

        A skill's text is not recorded: it comes back empty, see `skill_sha256` there. Raises
        InputError for values that no run can have.
        """
        recorded = dict(configuration.get("settings") or {})
        recorded["anonymous"] = recorded.pop("anonymous_levels", PAPER.anonymous)
        recorded["budget"] = configuration.get("budget", PAPER.budget)
        known = {field.name for field in fields(cls)} - {"skill"}
        return cls(**{name: value for name, value in recorded.items() if name in known})


VALUED = {
    "--calls": "calls",
    "--attempts": "attempts",
    "--feedback": "feedback",
    "--frames": "frames",
    "--window": "window_s",
    "--image": "image",
}
"""Options with a value that leave the paper's protocol -> the setting's name."""


def can_recover(status: str, call: int, attempt: int | None, settings: Settings) -> bool:
    """Whether a call makes its episode eligible for Recovery: it failed with more to come."""
    failed = status == "failure_or_timeout"
    return failed and call < settings.calls and (attempt or 0) < settings.attempts


def parse_budget(text: str) -> tuple[str, float | None]:
    """Read a `--budget` value: ("strict", 1.0), ("loose", None) or ("1.5x", 1.5).

    The second value is the factor on the level's strict limit, None for the flat loose limit.
    Raises InputError for anything else.
    """
    if text == "strict":
        return text, 1.0
    if text == "loose":
        return text, None
    number = text.removesuffix("x")
    try:
        factor = float(number)
    except ValueError:
        factor = 0.0
    if number == text or not 0.1 <= factor <= 100.0:
        raise InputError(
            f"--budget {text!r} is unknown; use strict, loose, or a factor from 0.1x to 100x "
            "of the strict limit, such as 1.5x"
        )
    return f"{factor:g}x", factor


PAPER = Settings()
"""The paper's protocol under its strict budget."""
