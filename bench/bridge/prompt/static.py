"""The static instructions, and the hash under which a manifest records them."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources

from bench.bridge.prompt.options import DEFAULT_OPTIONS, PromptOptions

CONFIDENCE_TEXT = """
# Confidence

Add a field `confidence`: a number from 0 to 1, how likely you think it is that this very design
succeeds. It is recorded and never scored.
"""


@cache
def static_text() -> str:
    """The instructions of the frozen protocol, exactly as in the packaged file."""
    return resources.files(__package__).joinpath("instructions.md").read_text(encoding="utf-8")


def static_sha256() -> str:
    """SHA-256 of the packaged instructions (UTF-8)."""
    return hashlib.sha256(static_text().encode()).hexdigest()


def instructions(options: PromptOptions = DEFAULT_OPTIONS) -> str:
    """The instructions as they are sent: the static text, then what a variant adds."""
    text = static_text()
    if options.ask_confidence:
        text += CONFIDENCE_TEXT
    if options.skill:
        text += f"\n# Skill\n\n{options.skill.strip()}\n"
    return text
