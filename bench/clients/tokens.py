"""Tokens of a request before it is sent: a rough estimate, and a bound to reserve money by."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

from bench.task import Observation, TextPart

CHARS_PER_TOKEN = 4
PIXELS_PER_IMAGE_TOKEN = 750
TOKENS_PER_MESSAGE = 16
_UNKNOWN_SIZE = (1280, 800)


@dataclass(frozen=True, slots=True)
class TokenCount:
    """Input tokens of one request. `bound` is never below what a provider counts.

    Text: characters / 4, as English prose. The bound is one token a UTF-8 byte, which no
    byte-level vocabulary passes, however it splits the many digits of coordinates.
    Images: width x height / 750 (1,366 for 1280x800; other providers' rules of tiles of 512
    or patches of 28 to 32 pixels give 1,000 to 1,400); the bound is twice that.
    """

    text: int
    images: int
    bound: int

    @property
    def estimate(self) -> int:
        """The rough number of input tokens."""
        return self.text + self.images


def count_tokens(observation: Observation, *, vision: bool = True) -> TokenCount:
    """Count the input tokens of an observation's messages."""
    texts = [
        part.text
        for message in observation.messages
        for part in message.parts
        if isinstance(part, TextPart)
    ]
    text = math.ceil(sum(map(len, texts)) / CHARS_PER_TOKEN)
    images = sum(image_tokens(p.png) for p in observation.pictures) if vision else 0
    frame = TOKENS_PER_MESSAGE * len(observation.messages)
    size = sum(len(part.encode("utf-8", "replace")) for part in texts)
    return TokenCount(text + frame, images, size + frame + 2 * images)


def image_tokens(png: bytes) -> int:
    """Rough tokens of one picture, from the size in its PNG header."""
    width, height = _UNKNOWN_SIZE
    if png[:8] == b"\x89PNG\r\n\x1a\n" and len(png) >= 24:
        width, height = struct.unpack(">II", png[16:24])
    return math.ceil(width * height / PIXELS_PER_IMAGE_TOKEN)
