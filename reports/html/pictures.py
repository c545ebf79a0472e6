"""Pictures of the page: each one once, under its hash."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from pathlib import Path

SHA256 = re.compile(r"[0-9a-f]{64}")


class Pictures:
    """Places recorded pictures in the page's folder."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self._placed: set[str] = set()

    def place(self, source: Path, sha256: str | None = None) -> str | None:
        """The picture's address in the page, None when the record has no such file."""
        if not source.is_file():
            return None
        if sha256 is None or not SHA256.fullmatch(sha256):
            sha256 = hashlib.sha256(source.read_bytes()).hexdigest()
        name = f"pictures/{sha256[:2]}/{sha256[:20]}.png"
        if name not in self._placed:
            self._put(source, self.out / name)
            self._placed.add(name)
        return name

    def _put(self, source: Path, target: Path) -> None:
        if target.exists():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            # Records are only ever replaced whole, so a second name for one file is safe; a
            # session's pictures are a gigabyte that would else be copied.
            os.link(source, target)
        except OSError:
            shutil.copyfile(source, target)
