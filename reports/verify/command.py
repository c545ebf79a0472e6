"""`python -m reports verify SESSION [--replay-physics] [--band]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

EXIT_FOUND = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("session", type=Path, metavar="SESSION")
    parser.add_argument(
        "--replay-physics", action="store_true", help="simulate every attempt again and compare"
    )
    parser.add_argument(
        "--band",
        action="store_true",
        help="simulate every attempt at 121, 130 and 136 PN a PG: Success as a band",
    )
    parser.add_argument("--levels-dir", type=Path, metavar="DIR", help="as in the run")


def run(args: argparse.Namespace) -> int:
    """Print what is wrong, one line each; 0 for a clean session, 1 otherwise.

    Raises RecordError when there is no readable manifest.
    """
    from bench.records import read_session
    from reports.verify.replay import band, params_of, replay_physics
    from reports.verify.session import verify_session

    session = read_session(args.session)
    if args.replay_physics or args.band:
        params_of(session)  # refuse before the long part
    found = verify_session(args.session, levels_dir=args.levels_dir, physics=args.replay_physics)
    broken = any(finding.name == "unreadable" for finding in found)
    if args.replay_physics and not broken:
        found += replay_physics(session, args.levels_dir)
    for finding in found:
        print(finding)
    if args.band and not broken:
        print(band(session, args.levels_dir))
    total = len(session.manifest.expected)
    if found:
        told = f"{session.name}: {len(found)} findings in {total} episodes"
        print(told + (", physics not replayed" if broken else ""), file=sys.stderr)
        return EXIT_FOUND
    replayed = "replayed " if args.replay_physics else ""
    print(f"{session.name}: clean, {total} {replayed}episodes, {session.manifest.protocol}")
    return 0


def main(argv: Sequence[str]) -> int:
    """The command; raises InputError for a mistake in its arguments."""
    from reports.cli import parser_of

    parser = parser_of("python -m reports verify", "Check a session.")
    add_arguments(parser)
    return run(parser.parse_args(argv))
