"""`python -m levels generate`: write the level files, or compare them with `--check`.

Exit codes: 0 all files are as they should be, 1 `--check` found differences, 4 wrong usage,
or the budgets cannot be read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.bridge.design.save import decode_payload
from bench.bridge.level.files import DATA_NAME, DEFAULT_ROOT
from bench.console import Parser
from bench.errors import SaveError
from levels.bridge.budgets import BUDGETS_PATH, read_budgets
from levels.bridge.families import REGISTRY
from levels.bridge.files import generated_files


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code. Raises LevelError and InputError."""
    parser = Parser("python -m levels generate", __doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, report differences")
    parser.add_argument("--root", type=Path, default=DEFAULT_ROOT, help="the levels' folder")
    parser.add_argument("--budgets", type=Path, default=BUDGETS_PATH, help="the budgets' file")
    options = parser.parse_args(argv)
    names = [scene.name for _, scene, _ in REGISTRY.scenes()]
    files = generated_files(REGISTRY, read_budgets(names, options.budgets))
    if not options.check:
        written = write(options.root, files)
        print(f"{len(names)} levels, {len(files)} files: {written} written, rest unchanged")
        for path in strays(options.root, files):
            print(f"stray    {path}: no family makes it; delete it")
        return 0
    problems = [*differences(options.root, files), *strays_lines(options.root, files)]
    print("\n".join(problems) or f"{len(names)} levels, {len(files)} files: all as generated")
    if problems:
        print(f"{len(problems)} problems in {len(files)} files; run `python -m levels generate`")
    return 1 if problems else 0


def write(root: Path, files: Mapping[str, str]) -> int:
    """Write the files that are not as they should be; returns how many that were."""
    written = 0
    for name, text in files.items():
        path = root / name
        if _difference(path, text) is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            written += 1
    return written


def differences(root: Path, files: Mapping[str, str]) -> Iterator[str]:
    """A line for every file that is missing or differs, in the order of `files`."""
    for name, text in files.items():
        reason = _difference(root / name, text)
        if reason is not None:
            yield f"{reason[0]:<8} {name}{reason[1]}"


def strays(root: Path, files: Mapping[str, str]) -> list[str]:
    """Files in the levels' data folder that no family makes, sorted."""
    paths = (path for path in (root / DATA_NAME).rglob("*") if path.is_file())
    found = (path.relative_to(root).as_posix() for path in paths)
    return sorted(name for name in found if name not in files)


def strays_lines(root: Path, files: Mapping[str, str]) -> Iterator[str]:
    """A line for every stray file."""
    for name in strays(root, files):
        yield f"stray    {name}: no family makes it; delete it"


def _difference(path: Path, text: str) -> tuple[str, str] | None:
    """(what, where) when the file is not this text, byte for byte; None when it is.

    Compressed saves are compared decoded: another zlib may pack the same save otherwise.
    """
    try:
        found = path.read_bytes()
    except OSError:
        return "missing", ""
    expected = text.encode()
    if found == expected or _same_but_for_compression(found, text):
        return None
    pairs = zip(found.split(b"\n"), expected.split(b"\n"), strict=False)
    line = next((i for i, (a, b) in enumerate(pairs, start=1) if a != b), None)
    return "differs", f": first at line {line}" if line else ": its length differs"


def _same_but_for_compression(found: bytes, text: str) -> bool:
    try:
        ours, theirs = json.loads(text)["saveFiles"], json.loads(found)["saveFiles"]
        if len(ours) != len(theirs) or decode_payload(theirs[0]) != decode_payload(ours[0]):
            return False
    except (KeyError, TypeError, ValueError, SaveError):
        return False
    swapped = found.replace(json.dumps(theirs[0]).encode(), json.dumps(ours[0]).encode(), 1)
    return bool(swapped == text.encode())
