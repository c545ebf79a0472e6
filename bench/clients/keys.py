"""API keys: where they come from, and how they stay out of everything that is written."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from bench.errors import ModelError

HIDDEN = "[key]"
_BEARER = re.compile(r"(?i)\bbearer\s+[^\s\"',;]+")
_LOOKS_LIKE_KEY = re.compile(r"\b(?:sk|AIza|hf|gsk|xai)[-_A-Za-z0-9*]{12,}")


class Secret:
    """A key that neither `repr`, `str`, pickling nor a traceback's locals can show."""

    __slots__ = ("_reveal",)

    def __init__(self, value: str) -> None:
        def reveal() -> str:
            return value

        self._reveal: Callable[[], str] = reveal

    def reveal(self) -> str:
        """The key itself, for the one place that sends it."""
        return self._reveal()

    def __repr__(self) -> str:
        return "Secret()"

    def __reduce__(self) -> str:
        raise TypeError("a Secret is not written anywhere")


def redact(text: str, secret: Secret | None) -> str:
    """`text` without the key, without bearer tokens and without what looks like a key."""
    if secret is not None and len(secret.reveal()) >= 4:
        text = text.replace(secret.reveal(), HIDDEN)
    return _LOOKS_LIKE_KEY.sub(HIDDEN, _BEARER.sub(f"Bearer {HIDDEN}", text))


def read_key(
    name: str, *, environ: Mapping[str, str] | None = None, env_file: Path | None = None
) -> Secret | None:
    """The key in the environment variable `name`, else in `env_file`; None when in neither.

    The file is read without changing the environment, so that no child process inherits the
    key. Raises ModelError for a key that no HTTP header can carry, without showing it.
    """
    value = (os.environ if environ is None else environ).get(name, "")
    if not value.strip() and env_file is not None and env_file.is_file():
        from dotenv import dotenv_values

        value = dotenv_values(env_file, interpolate=False).get(name) or ""
    value = value.strip()
    if not value:
        return None
    if not (value.isascii() and value.isprintable() and " " not in value):
        raise ModelError(f"{name} holds spaces or characters that a key cannot have; set it again")
    return Secret(value)
