"""The static instructions, and what a variant adds to them."""

from __future__ import annotations

from functools import cache
from importlib import resources

from bench.protocol import PAPER, Settings

CONFIDENCE_TEXT = """
# Confidence

Add a field `confidence`: a number from 0 to 1, how likely you think it is that this very design
succeeds. It is recorded and never scored.
"""


@cache
def static_text() -> str:
    """The instructions of the frozen protocol, exactly as in the packaged file."""
    return resources.files(__package__).joinpath("instructions.md").read_text(encoding="utf-8")


@cache
def world_facts_text() -> str:
    """The physics constants that the variant `--world-facts` adds; `{window_s}` is left open."""
    return resources.files(__package__).joinpath("world_facts.md").read_text(encoding="utf-8")


def instructions(settings: Settings = PAPER) -> str:
    """The instructions as they are sent: the static text, then what a variant adds."""
    text = static_text()
    if settings.world_facts:
        text += world_facts_text().format(window_s=settings.window_s)
    if settings.ask_confidence:
        text += CONFIDENCE_TEXT
    if settings.skill:
        text += f"\n# Skill\n\n{settings.skill.strip()}\n"
    return text
