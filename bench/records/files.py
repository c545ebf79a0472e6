"""Writing and reading single record files: whole or not at all, and never with a secret path."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from bench.errors import RecordError
from bench.task import Json

TEMPORARY_SUFFIX = ".tmp"

_MACHINE_PATH = re.compile(
    r"(?<![\w:/.~])(?:~?/(?:[\w.@+\-]+/)+[\w.@+\-]*|[A-Za-z]:[\\/](?:[^\s\\/:\"']+[\\/])*[^\s\"']*)"
)


def sha256(data: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()


def normal(value: Json) -> Json:
    """The value as it comes back from a record: exact JSON builtins, NaN refused.

    What is used at once and what a resumed run reads must be the same, tuples included.
    """
    return json.loads(json.dumps(value, allow_nan=False))


def json_bytes(value: Json) -> bytes:
    """Readable JSON; ASCII, so that any text a model writes can be stored exactly."""
    return (json.dumps(value, indent=1, allow_nan=False) + "\n").encode("ascii")


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: temporary file, fsync, rename."""
    temporary = path.with_name(path.name + TEMPORARY_SUFFIX)
    path.parent.mkdir(parents=True, exist_ok=True)
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def write_json(path: Path, value: Json) -> None:
    """Write a JSON record. Raises RecordError for a value that JSON cannot hold."""
    try:
        data = json_bytes(value)
    except (TypeError, ValueError) as error:
        raise RecordError(f"{path.name}: cannot be recorded as JSON ({error})") from None
    write_bytes(path, data)


def append_line(path: Path, value: Mapping[str, Json]) -> None:
    """Append one JSON line and bring it to the disk; a line that was torn before is closed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        file.seek(0, os.SEEK_END)
        if file.tell():
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write(json.dumps(value, allow_nan=False).encode("ascii") + b"\n")
        file.flush()
        os.fsync(file.fileno())


def read_lines(path: Path) -> list[dict[str, Json]]:
    """The complete lines of a log; one that a crash tore apart is left out."""
    rows = []
    for line in read_optional(path).splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            rows.append(row)
    return rows


def read_bytes(path: Path) -> bytes:
    """A file's content. Raises RecordError that names the file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror})") from None


def read_optional(path: Path) -> bytes:
    """A file's content, empty when there is no such file."""
    return read_bytes(path) if path.exists() else b""


def remove_temporaries(folder: Path) -> None:
    """Delete what a killed writer left half written."""
    for path in folder.rglob("*" + TEMPORARY_SUFFIX):
        path.unlink(missing_ok=True)


def inside(folder: Path, name: str) -> Path:
    """The path of a recorded file. Raises RecordError for a name that leads out of the folder."""
    parts = PurePosixPath(name)
    if parts.is_absolute() or ".." in parts.parts or not parts.parts:
        raise RecordError(f"{name!r} is no file name within a call folder")
    return folder / parts


def scrub(text: str) -> str:
    """The text without the machine's paths, cut to a length that suits a record."""
    return _MACHINE_PATH.sub("<path>", text)[:2000]
