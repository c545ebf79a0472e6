"""The game's layout file: kept once, replaced whole, read back, and given back at the end."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from bench.bridge.design.save import Save, read_layout, replace_first_save
from bench.bridge.drivers.native.errors import SaveChanged, SaveLocked
from bench.errors import SaveError
from bench.task import Json

BACKUP_SUFFIX = ".pbb-backup"
NO_FILE_SUFFIX = ".pbb-was-absent"
TEMPORARY_SUFFIX = ".pbb-tmp"
REPLACE_TRIES = 20
REPLACE_PAUSE_S = 0.1
"""On Windows a reader (the game, a virus scanner) blocks a replacement for a moment."""

Replace = Callable[[Path, Path], None]


def _replace(source: Path, target: Path) -> None:
    source.replace(target)


class LayoutSlot:
    """The layout file that the game loads from its slot.

    `open` keeps the user's own file beside it before anything is written; `restore` puts it back,
    also when an earlier run crashed.
    """

    def __init__(self, path: Path, replace: Replace = _replace) -> None:
        self.path = path
        self._replace = replace
        self._backup = path.with_name(path.name + BACKUP_SUFFIX)
        self._absent = path.with_name(path.name + NO_FILE_SUFFIX)

    @property
    def kept(self) -> bool:
        """Whether the user's file is kept now (a run is on, or one crashed)."""
        return self._backup.exists() or self._absent.exists()

    def open(self) -> None:
        """Keep the user's file, once: what a crashed run kept is older, and stays."""
        if self.kept:
            return
        try:
            if self.path.exists():
                self._write(self._backup, self.path.read_bytes())
            else:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._write(self._absent, b"")
        except OSError as error:
            raise self._locked(error) from None

    def restore(self) -> None:
        """Give the user's file back. Safe to call again."""
        try:
            if self._backup.exists():
                self._with_patience(self._backup, self.path)
            elif self._absent.exists():
                self.path.unlink(missing_ok=True)
            self._absent.unlink(missing_ok=True)
        except OSError as error:
            raise self._locked(error) from None

    def put(self, layout: bytes, save: Mapping[str, Json]) -> bytes:
        """Write a layout with another first save, and read it back; returns what was written."""
        data = replace_first_save(layout, save, self.path.name)
        try:
            self._write(self.path, data)
            back = self.path.read_bytes()
        except OSError as error:
            raise self._locked(error) from None
        if back != data:
            raise SaveChanged(
                f"the {len(data)} bytes that were written to {self.path.name}",
                f"{len(back)} bytes that differ",
                "does another program (cloud synchronisation?) write this file?",
            )
        return data

    def check(self, save: Mapping[str, Json]) -> None:
        """Raise SaveChanged unless the file's first save is this one; bytes may differ."""
        try:
            found: Save = read_layout(self.path.read_bytes(), self.path.name).first_save()
        except (OSError, SaveError) as error:
            raise SaveChanged("the save that was written", str(error)) from None
        if found != dict(save):
            wrote, has = len(save["Objects"]), len(found["Objects"])
            raise SaveChanged(
                f"the save that was written, of {wrote} objects",
                f"another one in {self.path.name}, of {has} objects",
                "the game has written it again; turn off its automatic saving and the cloud's",
            )

    def _write(self, path: Path, data: bytes) -> None:
        """Temporary file, fsync, atomic replacement."""
        temporary = path.with_name(path.name + TEMPORARY_SUFFIX)
        try:
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            self._with_patience(temporary, path)
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise

    def _with_patience(self, source: Path, target: Path) -> None:
        for left in range(REPLACE_TRIES - 1, -1, -1):
            try:
                self._replace(source, target)
                return
            except PermissionError:
                if not left:
                    raise
                time.sleep(REPLACE_PAUSE_S)

    def _locked(self, error: OSError) -> SaveLocked:
        return SaveLocked(
            f"to replace {self.path.name}",
            f"{type(error).__name__}: {error.strerror}",
            "close what holds the file, and look at its permissions and the disk's space",
        )
