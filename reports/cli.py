"""The command line of reports.

    python -m reports SESSION... --out DIR [--format html,md,csv,latex,json]
    python -m reports compare A B [C...] [--fail-on-regression]
    python -m reports leaderboard FOLDER
    python -m reports verify SESSION [--replay-physics] [--band]
    python -m reports release SESSION OUT.zip [--pictures PICTURES.zip]

A session is its folder, or the JSON report that a run of pytest wrote (headline tables only). One
whose folder is named like a command is given as ./compare. --domain refuses other sessions.
Exit codes: 0 done, 1 a regression or a finding of verify, 4 what cannot be done, in one line.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.console import ended
from bench.errors import InputError
from reports.arguments import add_table_format, load_all, parser_of, print_tables

EXIT_REGRESSION = 1
EXIT_USAGE = 4
DEFAULT_FORMATS = "html,md,csv,latex,json"


def main(argv: Sequence[str]) -> int:
    """Run one command."""
    return ended(lambda: _command(argv))


def _command(argv: Sequence[str]) -> int:
    name = argv[0] if argv else ""
    if name not in COMMANDS:
        return report(argv)
    module, _, function = COMMANDS[name].partition(":")
    command: Callable[[Sequence[str]], int] = getattr(importlib.import_module(module), function)
    return command(argv[1:])


COMMANDS = {
    "compare": "reports.cli:compare",
    "leaderboard": "reports.cli:leaderboard",
    "verify": "reports.verify.command:main",
    "release": "reports.release:main",
}
"""Subcommand -> module:function(arguments) -> exit code; anything else is a session.

A command wins over a folder of its name, so that what a line does depends on no folder.
"""


def report(argv: Sequence[str]) -> int:
    """Write the tables of sessions."""
    from reports.build import write
    from reports.headline import headline
    from reports.report import report_of

    parser = parser_of("python -m reports", __doc__ or "")
    parser.add_argument("sessions", nargs="+", type=Path, metavar="SESSION")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--format", default=DEFAULT_FORMATS, metavar="F[,F]")
    parser.add_argument("-q", "--quiet", action="store_true", help="print the paths only")
    args = parser.parse_args(argv)
    sessions = load_all(args.sessions, args.domain)
    partial = any(path.is_file() for path in args.sessions)
    formats = [name.strip() for name in args.format.split(",") if name.strip()]
    paths = write(report_of(sessions, headline_only=partial), args.out, formats)
    if not args.quiet:
        print("\n\n".join(headline(session) for session in sessions) + "\n")
    for path in paths:
        print(path)
    return 0


def compare(argv: Sequence[str]) -> int:
    """Compare sessions with the first."""
    from reports.compare import compare as compared
    from reports.compare import tables
    from reports.metrics import LONG_SUCCESS

    parser = parser_of("python -m reports compare", "Compare sessions with the first, by pairs.")
    parser.add_argument("sessions", nargs="+", type=Path, metavar="SESSION")
    add_table_format(parser)
    parser.add_argument(
        "--fail-on-regression",
        action="store_true",
        help=f"exit 1 when {LONG_SUCCESS} is lower than the first session's with p <= --alpha",
    )
    parser.add_argument("--alpha", type=float, default=0.05, help="1: any net loss fails")
    args = parser.parse_args(argv)
    if len(args.sessions) < 2:
        raise InputError("compare needs two sessions or more, the base first")
    if not 0 < args.alpha <= 1:
        raise InputError(f"--alpha {args.alpha:g} must be above 0 and at most 1")
    base, *others = load_all(args.sessions, args.domain)
    regressed = False
    for other in others:
        found = compared(base, other)
        print_tables(tables(found), args.format)
        regressed |= found.regressed(args.alpha)
    if args.fail_on_regression and regressed:
        print(f"regression: {LONG_SUCCESS} is below that of {base.info.name}", file=sys.stderr)
        return EXIT_REGRESSION
    return 0


def leaderboard(argv: Sequence[str]) -> int:
    """Rank the sessions of a folder."""
    from reports.leaderboard import leaderboard as ranked
    from reports.sources import session_paths

    parser = parser_of("python -m reports leaderboard", "Rank the sessions of a folder.")
    parser.add_argument("folder", type=Path)
    add_table_format(parser)
    args = parser.parse_args(argv)
    sessions = load_all(session_paths(args.folder), args.domain)
    print_tables(ranked(sessions), args.format)
    return 0
