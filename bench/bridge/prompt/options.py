"""What a protocol variant may change about the prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from bench.errors import InputError

FeedbackMode = Literal["both", "text", "frames", "none"]
"""What a repair call is told: messages and summary, the contact sheet, both, or neither."""


ImageMode = Literal["real", "blank", "other-level"]
"""What stands in a picture's place, to find out whether a model looks: every picture blank, or the
editor of another level."""


@dataclass(frozen=True, slots=True)
class PromptOptions:
    """The defaults are the frozen protocol; anything else marks a session as a variant.

    `feedback` is what a repair call is told. `ask_confidence` asks for a `confidence` field.
    `images` off leaves every picture out, for models without sight. `skill` is text that is
    appended to the instructions. `image` puts something else in the pictures' place.
    """

    feedback: FeedbackMode = "both"
    ask_confidence: bool = False
    images: bool = True
    skill: str = ""
    image: ImageMode = "real"

    def __post_init__(self) -> None:
        """Refuse an unknown mode, which may come from a command line."""
        for what, value, modes in (
            ("feedback", self.feedback, get_args(FeedbackMode)),
            ("image", self.image, get_args(ImageMode)),
        ):
            if value not in modes:
                known = ", ".join(modes)
                raise InputError(f"{what} mode {value!r} is unknown; use one of {known}")

    @property
    def shows_text(self) -> bool:
        """Whether a repair call gets the validator's messages and the execution summary."""
        return self.feedback in ("both", "text")

    @property
    def shows_frames(self) -> bool:
        """Whether a repair call gets the contact sheet."""
        return self.images and self.feedback in ("both", "frames")


DEFAULT_OPTIONS = PromptOptions()
