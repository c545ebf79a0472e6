"""The checks of a whole session, in an order that tells the plainest fault first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bench.domain import get_domain
from bench.errors import InputError, RecordError
from bench.records import Episode, Session, read_session
from bench.records.files import inside, read_bytes, sha256
from bench.records.fingerprint import hashes
from bench.records.reader import summarize
from bench.task import Outcome
from reports.verify.episode import Checker
from reports.verify.findings import NAMES, Finding
from reports.verify.protocol import check_protocol, settings_of

RECHECKED = ("levels", "budgets", "prompt", "validator", "controller")
"""What the re-validation stands on; the simulator joins them under --replay-physics."""


def verify_session(
    path: Path, *, levels_dir: Path | None = None, physics: bool = False
) -> list[Finding]:
    """All that is wrong with a session, grouped by kind; empty for a clean one.

    `physics` only adds the simulator to the versions that must agree: executing attempts again is
    up to the domain's face. Raises RecordError when there is no readable manifest.
    """
    session = read_session(path)
    found = list(_findings(session, levels_dir, physics))
    order = list(NAMES)
    return sorted(found, key=lambda finding: order.index(finding.name))


def _findings(session: Session, levels_dir: Path | None, physics: bool) -> Iterator[Finding]:
    manifest = session.manifest
    yield from check_protocol(manifest)
    now = hashes(get_domain(session.domain), levels_dir)
    differing = {part for part in now if manifest.hashes.get(part) != now[part]}
    for part in (*RECHECKED, *(["simulator"] if physics else [])):
        if part in differing:
            commit = str(manifest.source.get("commit"))[:12]
            told = f"hash of {part} is {manifest.hashes.get(part, '')[:12]}, here {now[part][:12]}"
            yield Finding("other-version", "manifest.json", f"{told}; it was run at {commit}")
    yield from _check_keys(session)
    yield from _check_files(session)
    yield from _check_completeness(session)
    yield from _check_summary(session)
    try:
        settings = settings_of(manifest)
    except InputError:
        return  # told with the protocol; no task can be made of such settings
    checker = Checker(session, settings, levels_dir, prompts="prompt" not in differing)
    for episode in session.episodes():
        try:
            yield from checker.check(episode)
        except RecordError as error:
            yield Finding("unreadable", _label(session, episode), _relative(session, error))


def _check_keys(session: Session) -> Iterator[Finding]:
    keys = Counter((key.level, key.sample) for key in session.manifest.expected)
    for (level, sample), times in keys.items():
        if times > 1:
            told = f"sample {sample} is expected {times} times"
            yield Finding("duplicate-key", level, told)
    for name in session.strays():
        yield Finding("unexpected-episode", name, "is not in the manifest's list")


def _check_files(session: Session) -> Iterator[Finding]:
    """Results and trajectories against the hashes in the manifest."""
    records = session.manifest.records
    for name, digest in records.items():
        try:
            path = inside(session.path, name)
        except RecordError as error:
            yield Finding("unreadable", "manifest.json", str(error))
            continue
        if not path.exists():
            kind = "trajectory" if name.endswith("trajectory.json") else "file"
            yield Finding(f"missing-{kind}", name, "is in the manifest and not on disk")
        elif sha256(read_bytes(path)) != digest:
            yield Finding("changed-file", name, "its hash is not the manifest's")
    for episode in session.episodes():
        for name in ("result.json", "trajectory.json"):
            path = episode.folder.path / name
            label = path.relative_to(session.path).as_posix()
            if path.exists() and label not in records and _ended(session):
                yield Finding("unlisted-file", label, "the manifest holds no hash of it")
        if (episode.folder.path / "result.json").exists():
            path = episode.folder.path / "trajectory.json"
            label = path.relative_to(session.path).as_posix()
            if not path.exists() and label not in records:
                yield Finding("missing-trajectory", label, "there is a result and no trajectory")


def _check_completeness(session: Session) -> Iterator[Finding]:
    open_, faults = [], []
    for episode in session.episodes():
        try:
            result = episode.result
        except RecordError:
            continue  # told with the episode
        if result is None:
            open_.append(_label(session, episode))
        elif result.outcome is Outcome.INFRA_ERROR:
            faults.append(_label(session, episode))
    total = len(session.manifest.expected)
    left = open_ + faults
    if left:
        names = ", ".join(left[:5]) + (f" and {len(left) - 5} more" if len(left) > 5 else "")
        told = (
            f"{len(left)} of {total} episodes are no result ({len(open_)} not run, "
            f"{len(faults)} infra_error): {names}; run it again with --resume"
        )
        yield Finding("incomplete", "session", told)
    if not total:
        yield Finding("incomplete", "session", "expects no episode")
    if not _ended(session):
        told = "the last run did not come to its end; run it again with --resume"
        yield Finding("incomplete", "manifest.json", told)


def _check_summary(session: Session) -> Iterator[Finding]:
    where = "summary.json"
    try:
        recorded = session.summary
        made = summarize(session)
    except RecordError as error:
        if where in str(error):
            yield Finding("unreadable", where, _relative(session, error))
        return
    if recorded is None:
        if _ended(session):
            yield Finding("missing-file", where, "a run that ended writes it")
        return
    rows = Counter((row.level, row.sample) for row in recorded.results)
    for (level, sample), times in rows.items():
        if times > 1:
            yield Finding("duplicate-key", where, f"{level} sample {sample} is there {times} times")
    if not _ended(session):
        return
    for name in ("configuration", "hashes", "expected", "finished", "outcomes", "results"):
        if getattr(recorded, name) != getattr(made, name):
            yield Finding("summary-mismatch", where, f"{name} is not what the results give")


def _ended(session: Session) -> bool:
    runs = session.manifest.runs
    return bool(runs) and runs[-1].get("ended") is not None


def _label(session: Session, episode: Episode) -> str:
    return episode.folder.path.relative_to(session.path).as_posix()


def _relative(session: Session, error: Exception) -> str:
    return str(error).replace(f"{session.path}/", "")
