"""`python -m reports verify SESSION [--replay-physics] [--band]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bench.errors import InputError
from reports.arguments import parser_of

if TYPE_CHECKING:
    from bench.records import Session
    from reports.face import Replay

EXIT_FOUND = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("session", type=Path, metavar="SESSION")
    parser.add_argument(
        "--replay-physics", action="store_true", help="execute every attempt again and compare"
    )
    parser.add_argument(
        "--band",
        action="store_true",
        help="execute every attempt over the range of what the domain's physics is unsure of: "
        "Success as a band",
    )
    parser.add_argument("--levels-dir", type=Path, metavar="DIR", help="as in the run")


def run(args: argparse.Namespace) -> int:
    """Print what is wrong, one line each; 0 for a clean session, 1 otherwise.

    Raises RecordError when there is no readable manifest, InputError for what cannot be done.
    """
    from bench.records import read_session
    from reports.sources import check_domain
    from reports.verify.session import verify_session

    session = read_session(args.session)
    domain = session.domain
    check_domain(session.name, domain, args.domain)
    replay = _replay(session, domain, args)
    found = verify_session(args.session, levels_dir=args.levels_dir, physics=args.replay_physics)
    broken = any(finding.name == "unreadable" for finding in found)
    if replay is not None and args.replay_physics and not broken:
        found += replay.findings(session, args.levels_dir)
    for finding in found:
        print(finding)
    if replay is not None and replay.band is not None and args.band and not broken:
        print(replay.band(session, args.levels_dir))
    total = len(session.manifest.expected)
    if found:
        told = f"{session.name}: {len(found)} findings in {total} episodes"
        print(told + (", physics not replayed" if broken else ""), file=sys.stderr)
        return EXIT_FOUND
    replayed = "replayed " if args.replay_physics else ""
    print(f"{session.name}: clean, {total} {replayed}episodes, {session.manifest.protocol}")
    return 0


def _replay(session: Session, domain: str, args: argparse.Namespace) -> Replay | None:
    """What executes attempts again, None when that was not asked for.

    Raises InputError, before the long part, when it cannot be done.
    """
    from reports.face import face_of

    if not (args.replay_physics or args.band):
        return None
    replay = face_of(domain).replay
    if replay is None:
        raise InputError(f"--replay-physics: attempts of the domain {domain} are not replayed")
    if args.band and replay.band is None:
        raise InputError(f"--band: the domain {domain} has no band")
    replay.check(session)
    return replay


def main(argv: Sequence[str]) -> int:
    """The command; raises InputError for a mistake in its arguments."""
    parser = parser_of("python -m reports verify", "Check a session.")
    add_arguments(parser)
    return run(parser.parse_args(argv))
