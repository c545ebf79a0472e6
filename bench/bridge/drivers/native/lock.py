"""One display and one layout file, one driver: file locks in the machine's temporary folder."""

from __future__ import annotations

import hashlib
import re
import tempfile
from pathlib import Path

from filelock import FileLock, Timeout

from bench.bridge.drivers.native.errors import DisplayBusy


class DisplayLock:
    """Held from `open` to `close` of a driver; the system drops it when the process dies."""

    def __init__(self, display: str) -> None:
        self.display = display
        # `:1` and `:1.0` are one display.
        key = hashlib.sha256(re.sub(r"\.0$", "", display).encode()).hexdigest()[:12]
        self._lock = FileLock(Path(tempfile.gettempdir()) / f"polybridgebench-{key}.lock")

    def acquire(self) -> None:
        """Take it. Raises DisplayBusy."""
        try:
            self._lock.acquire(timeout=0)
        except (Timeout, PermissionError):  # the lock of another user's run cannot be opened
            raise DisplayBusy(
                f"{self.display} for this driver alone",
                "another driver that holds it",
                "wait for the other run, or give each its own display (--native-displays) and "
                "layout file ({display} in layout_file)",
            ) from None

    def release(self) -> None:
        """Give it back. Safe to call twice."""
        self._lock.release()
