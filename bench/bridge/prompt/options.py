"""What a protocol variant may change about the prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from bench.errors import InputError

FeedbackMode = Literal["both", "text", "frames", "none"]
"""What a repair call is told: messages and summary, the contact sheet, both, or neither."""


@dataclass(frozen=True, slots=True)
class PromptOptions:
    """The defaults are the frozen protocol; anything else marks a session as a variant.

    `feedback` is what a repair call is told. `ask_confidence` asks for a `confidence` field.
    `images` off leaves every picture out, for models without sight. `skill` is text that is
    appended to the instructions.
    """

    feedback: FeedbackMode = "both"
    ask_confidence: bool = False
    images: bool = True
    skill: str = ""

    def __post_init__(self) -> None:
        """Refuse an unknown feedback mode, which may come from a command line."""
        if self.feedback not in get_args(FeedbackMode):
            known = ", ".join(get_args(FeedbackMode))
            raise InputError(f"feedback mode {self.feedback!r} is unknown; use one of {known}")

    @property
    def shows_text(self) -> bool:
        """Whether a repair call gets the validator's messages and the execution summary."""
        return self.feedback in ("both", "text")

    @property
    def shows_frames(self) -> bool:
        """Whether a repair call gets the contact sheet."""
        return self.images and self.feedback in ("both", "frames")


DEFAULT_OPTIONS = PromptOptions()
