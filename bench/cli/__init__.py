"""The command line: one subcommand a module, imported only when it is called."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from bench.bridge.cli import COMMANDS as DOMAIN_COMMANDS
from bench.errors import BenchError

GENERIC = {"ladder": "measure the baselines on all levels, as a Markdown table"}
COMMANDS = {**DOMAIN_COMMANDS, **GENERIC}
"""Subcommand -> one line of help. Its module has add_arguments(parser) and run(args)."""

EXIT_USAGE = 4


def main(argv: Sequence[str]) -> int:
    """Run one subcommand; 0 yes or done, 1 no, 4 for what cannot be done (one line on stderr)."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Tools around PolyBridgeBench.", add_help=False
    )
    parser.add_argument("command", choices=COMMANDS, nargs="?")
    parser.add_argument("-h", "--help", action="store_true")
    if not argv or argv[0] not in COMMANDS:
        return _overview(argv)
    module = importlib.import_module(module_of(argv[0]))
    command = argparse.ArgumentParser(
        prog=f"python -m bench {argv[0]}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(command)
    args = command.parse_args(argv[1:])
    try:
        code: int = module.run(args)
    except BenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_USAGE
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    return code


def module_of(name: str) -> str:
    """The module of a subcommand."""
    return f"bench.cli.{name}" if name in GENERIC else f"bench.bridge.cli.{name}"


def _overview(argv: Sequence[str]) -> int:
    """Print the subcommands; an unknown one is an error."""
    lines = [f"  {name:<10} {text}" for name, text in COMMANDS.items()]
    text = "\n".join(
        ["usage: python -m bench COMMAND ...", "", *lines, "", "python -m bench COMMAND --help"]
    )
    if not argv or argv[0] in ("-h", "--help"):
        print(text)
        return 0
    print(
        f"error: command {argv[0]!r} is unknown; use one of {', '.join(COMMANDS)}", file=sys.stderr
    )
    return EXIT_USAGE
