"""API keys: where they come from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from bench.errors import ModelError
from bench.outside import Secret


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
