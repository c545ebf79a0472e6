"""Packing a session for the public: checksummed, the same bytes each time, with nothing private."""

from __future__ import annotations

import argparse
import getpass
import json
import os
import platform
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import VERSION
from bench.errors import InputError
from bench.records import Session, read_session
from bench.records.files import json_bytes, sha256
from bench.task import Outcome
from reports.arguments import parser_of
from reports.sources import check_domain

SCHEMA = "pbb-release-1"
LEFT_OUT = {"report.json", "limits", "faults", "RELEASE.json", "SHA256SUMS"}
"""Files and folders at the top of a session that are no records."""

SECRET_NAMES = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$")
SECRET_FORMS = re.compile(
    r"\b(?:sk|pk|rk|key)-[A-Za-z0-9_-]{16,}"
    r"|\bAIza[A-Za-z0-9_-]{30,}|\bgh[pousr]_[A-Za-z0-9]{30,}|\bxox[abp]-[A-Za-z0-9-]{10,}"
    r"|\bBearer\s+[A-Za-z0-9._~+/=-]{8,}|(?<=://)[^\s/@:\"']+:[^\s/@\"']+(?=@)"
)
PATH_FORMS = re.compile(
    r"(?<![\w:/.~<])(?:/(?:home|Users|root|tmp|var|opt|mnt|work|srv|etc|usr|data)"
    r"(?:/[\w.@+\-]+)+|[A-Za-z]:\\{1,2}Users(?:\\{1,2}[\w.@+ \-]+)+)"
)
PLAIN_USERS = {"root", "user", "admin", "ubuntu", "runner", "nobody", "test", "model", "bench"}
"""Names that say nobody's name, and that are words of the records besides."""

DATE = (1980, 1, 1, 0, 0, 0)
SHORTEST_NAME = 3
SHORTEST_SECRET = 8


@dataclass(frozen=True)
class Private:
    """What must not be in a release: pairs of a pattern and what stands in its place."""

    patterns: tuple[tuple[re.Pattern[str], str], ...]

    def clean(self, text: str) -> str:
        """The text with nothing private in it."""
        for pattern, instead in self.patterns:
            text = pattern.sub(instead, text)
        return text


def private(session: Path, environment: Mapping[str, str]) -> Private:
    """What is private here and now: this user's secrets, names and folders."""
    secrets = {
        value
        for name, value in environment.items()
        if SECRET_NAMES.search(name.upper()) and len(value) >= SHORTEST_SECRET
    }
    users = {environment.get("USER", ""), environment.get("LOGNAME", ""), _user()}
    users |= {Path.home().name}
    hosts = {platform.node(), platform.node().split(".")[0]}
    folders = {str(Path.home()), str(session.resolve().parent), str(Path.cwd())} - {"/"}
    groups = (
        (_any(secrets, whole=False), "<secret>"),
        (SECRET_FORMS, "<secret>"),
        (_any(folders, whole=False, after=r"(?:/[\w.@+\-]+)*"), "<path>"),
        (PATH_FORMS, "<path>"),
        (_any({u for u in users if len(u) >= SHORTEST_NAME} - PLAIN_USERS), "<user>"),
        (_any({h for h in hosts if len(h) > SHORTEST_NAME} - {"localhost"}), "<host>"),
    )
    return Private(tuple((pattern, text) for pattern, text in groups if pattern is not None))


def _any(words: set[str], *, whole: bool = True, after: str = "") -> re.Pattern[str] | None:
    """A pattern for any of the words, the longest first, also as JSON spells them."""
    spelled = {form for word in words if word for form in (word, json.dumps(word)[1:-1])}
    if not spelled:
        return None
    joined = "|".join(re.escape(word) for word in sorted(spelled, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{joined})(?!\w){after}" if whole else f"(?:{joined}){after}")


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""  # a container's user without a name


def release(
    path: Path,
    out: Path,
    *,
    pictures: Path | None = None,
    incomplete: bool = False,
    environment: Mapping[str, str] | None = None,
) -> list[str]:
    """Write the release; gives the records in which something private was replaced.

    Raises InputError for an incomplete session, RecordError for what is none.
    """
    session = read_session(path)
    left = _left(session)
    if left and not incomplete:
        raise InputError(
            f"{session.name}: {left} of {len(session.manifest.expected)} episodes are no result; "
            "finish it with --resume, or add --incomplete"
        )
    cleaner = private(path, os.environ if environment is None else environment)
    records, images, replaced = _collect(path, cleaner)
    records["manifest.json"] = _sign(records)
    facts = {
        "schema": SCHEMA,
        "protocol": VERSION,
        "session": cleaner.clean(session.name),
        "episodes": len(session.manifest.expected),
        "incomplete": left,
        "replaced": replaced,
    }
    _pack(out, {**records, "RELEASE.json": json_bytes({**facts, "content": "records"})})
    if pictures is not None:
        _pack(pictures, {**images, "RELEASE.json": json_bytes({**facts, "content": "pictures"})})
    return replaced


def _left(session: Session) -> int:
    """How many expected episodes are no result."""
    return sum(
        episode.result is None or episode.result.outcome is Outcome.INFRA_ERROR
        for episode in session.episodes()
    )


def _collect(
    session: Path, cleaner: Private
) -> tuple[dict[str, bytes], dict[str, bytes], list[str]]:
    """Records and pictures by name, and the names of the records that were changed."""
    records, images, replaced = {}, {}, []
    for path, name in _files(session):
        data = path.read_bytes()
        if path.suffix == ".png":
            images[name] = data
            continue
        if path.suffix != ".gz":  # numbers, written by the simulator
            clean = cleaner.clean(data.decode("utf-8", "surrogateescape"))
            cleaned = clean.encode("utf-8", "surrogateescape")
            if cleaned != data:
                replaced.append(name)
            data = cleaned
        records[name] = data
    return records, images, replaced


def _files(session: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(session.rglob("*")):
        name = path.relative_to(session).as_posix()
        if path.is_symlink() or not path.is_file() or path.suffix == ".tmp":
            continue
        if name.split("/")[0] not in LEFT_OUT and not name.startswith(".lock"):
            yield path, name


def _sign(records: Mapping[str, bytes]) -> bytes:
    """The manifest with the hashes of the records as they are released."""
    manifest = json.loads(records["manifest.json"])
    manifest["records"] = {
        name: sha256(records[name]) if name in records else digest
        for name, digest in manifest["records"].items()
    }
    return json_bytes(manifest)


def _pack(out: Path, files: Mapping[str, bytes]) -> None:
    """Write a zip file whose bytes depend on names and contents alone; whole or not at all."""
    sums = "".join(f"{sha256(files[name])}  {name}\n" for name in sorted(files))
    everything = {**files, "SHA256SUMS": sums.encode()}
    temporary = out.with_name(out.name + ".tmp")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out}: cannot be written ({error.strerror})") from None
    try:
        with zipfile.ZipFile(temporary, "w") as archive:
            for name in sorted(everything):
                entry = zipfile.ZipInfo(name, DATE)
                entry.create_system = 3
                entry.external_attr = 0o644 << 16
                packed = name.endswith((".png", ".gz"))
                entry.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
                archive.writestr(entry, everything[name], compresslevel=9)
        temporary.replace(out)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise InputError(f"{out}: cannot be written ({error.strerror})") from None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("session", type=Path, metavar="SESSION")
    parser.add_argument("out", type=Path, metavar="OUT.zip")
    parser.add_argument("--pictures", type=Path, metavar="PICTURES.zip", help="pack them as well")
    parser.add_argument("--incomplete", action="store_true", help="although episodes are missing")


def run(args: argparse.Namespace) -> int:
    """Write the files and say where something private was replaced."""
    session = read_session(args.session)
    check_domain(session.name, session.domain, args.domain)
    replaced = release(args.session, args.out, pictures=args.pictures, incomplete=args.incomplete)
    for path in filter(None, (args.out, args.pictures)):
        print(f"{sha256(path.read_bytes())}  {path}")
    for name in replaced:
        print(f"replaced something private in {name}")
    return 0


def main(argv: Sequence[str]) -> int:
    """The command; raises InputError for a mistake in its arguments."""
    parser = parser_of("python -m reports release", "Pack a session for the public.")
    add_arguments(parser)
    return run(parser.parse_args(argv))
