"""Data as local scripts, because a page opened from disk may fetch nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}
"""What could end a script element or open a comment in it; the rest is ASCII by `json`."""


def script(key: str, value: Any) -> str:
    """A script that hands `value` to the page under `key`. Raises ValueError for NaN."""
    text = json.dumps([key, value], separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    for character, escape in ESCAPES.items():
        text = text.replace(character, escape)
    return f"PBB.receive({text});\n"


def write_script(path: Path, key: str, value: Any) -> Path:
    """Write a data script; file names are ours (numbers), never a level's or a model's."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script(key, value), encoding="ascii", newline="\n")
    return path
