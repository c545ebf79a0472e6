"""The command line of reports.

    python -m reports SESSION... --out DIR [--format html,md,csv,latex,json]
    python -m reports compare A B [C...] [--fail-on-regression]
    python -m reports leaderboard FOLDER
    python -m reports verify SESSION [--replay-physics] [--band]
    python -m reports release SESSION OUT.zip [--pictures PICTURES.zip]

A session is its folder, or the JSON report that a run of pytest wrote (headline tables only).
Exit codes: 0 done, 1 a regression or a finding of verify, 4 what cannot be done, in one line.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.errors import BenchError, InputError

EXIT_REGRESSION = 1
EXIT_USAGE = 4
DEFAULT_FORMATS = "html,md,csv,latex,json"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        """A mistake on the command line ends like any other."""
        raise InputError(message)


def main(argv: Sequence[str]) -> int:
    """Run one command."""
    try:
        return _command(argv)(argv)
    except BenchError as error:
        print(f"error: {' '.join(str(error).split())}", file=sys.stderr)
        return EXIT_USAGE
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def _command(argv: Sequence[str]) -> Callable[[Sequence[str]], int]:
    name = argv[0] if argv else ""
    if name in COMMANDS and not Path(name).exists():
        module, function = COMMANDS[name].split(":")
        command: Callable[[Sequence[str]], int] = getattr(importlib.import_module(module), function)
        return lambda arguments: command(arguments[1:])
    return report


COMMANDS = {
    "compare": "reports.cli:compare",
    "leaderboard": "reports.cli:leaderboard",
    "verify": "reports.verify.command:main",
    "release": "reports.release:main",
}
"""Subcommand -> module:function(arguments) -> exit code; anything else is a session."""


def report(argv: Sequence[str]) -> int:
    """Write the tables of sessions."""
    from reports.build import report_of, write
    from reports.headline import headline
    from reports.sources import load

    parser = parser_of("python -m reports", __doc__ or "")
    parser.add_argument("sessions", nargs="+", type=Path, metavar="SESSION")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--format", default=DEFAULT_FORMATS, metavar="F[,F]")
    parser.add_argument("-q", "--quiet", action="store_true", help="print the paths only")
    args = parser.parse_args(argv)
    sessions = [load(path) for path in args.sessions]
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
    from reports.sources import load
    from reports.tables import render

    parser = parser_of("python -m reports compare", "Compare sessions with the first, by pairs.")
    parser.add_argument("sessions", nargs="+", type=Path, metavar="SESSION")
    parser.add_argument("--format", default="text", choices=("text", "md", "csv", "latex"))
    parser.add_argument(
        "--fail-on-regression",
        action="store_true",
        help="exit 1 when Success@3 is lower than the first session's with p <= --alpha",
    )
    parser.add_argument("--alpha", type=float, default=0.05, help="1: any net loss fails")
    args = parser.parse_args(argv)
    if len(args.sessions) < 2:
        raise InputError("compare needs two sessions or more, the base first")
    if not 0 < args.alpha <= 1:
        raise InputError(f"--alpha {args.alpha:g} must be above 0 and at most 1")
    formats = {
        "text": render.text,
        "md": render.markdown,
        "csv": render.csv_text,
        "latex": render.latex,
    }
    base, *others = [load(path) for path in args.sessions]
    regressed = False
    for other in others:
        found = compared(base, other)
        print("\n".join(formats[args.format](table) for table in tables(found)))
        regressed |= found.regressed(args.alpha)
    if args.fail_on_regression and regressed:
        print(f"regression: Success@3 is below that of {base.info.name}", file=sys.stderr)
        return EXIT_REGRESSION
    return 0


def leaderboard(argv: Sequence[str]) -> int:
    """Rank the sessions of a folder."""
    from reports.leaderboard import leaderboard as ranked
    from reports.sources import load, session_paths
    from reports.tables import render

    parser = parser_of("python -m reports leaderboard", "Rank the sessions of a folder.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--format", default="text", choices=("text", "md", "csv", "latex"))
    args = parser.parse_args(argv)
    formats = {
        "text": render.text,
        "md": render.markdown,
        "csv": render.csv_text,
        "latex": render.latex,
    }
    sessions = [load(path) for path in session_paths(args.folder)]
    print("\n".join(formats[args.format](table) for table in ranked(sessions)))
    return 0


def parser_of(prog: str, text: str) -> argparse.ArgumentParser:
    """A parser whose mistakes end like any other, in one line."""
    return _Parser(
        prog=prog, description=text, formatter_class=argparse.RawDescriptionHelpFormatter
    )
