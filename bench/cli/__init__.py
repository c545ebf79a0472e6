"""The command line: one subcommand a module, imported only when it is called.

Generic subcommands are here; a domain brings its own, which `--domain` chooses.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

from bench.domain import DEFAULT_DOMAIN, get_domain
from bench.errors import BenchError, InputError
from bench.near import unknown

COMMANDS: Mapping[str, tuple[str, str]] = {
    "ladder": ("bench.cli.ladder", "measure the baselines on all levels, as a Markdown table"),
}
"""Generic subcommand -> (module, one line of help).

The module has add_arguments(parser) and run(args), which gives the exit code; `args.domain` is the
name of the domain.
"""

EXIT_USAGE = 4


class Parser(argparse.ArgumentParser):
    """A parser whose mistakes end like any other of ours, in one line."""

    def __init__(self, prog: str, text: str | None) -> None:
        formatter = argparse.RawDescriptionHelpFormatter
        super().__init__(prog=prog, description=text, formatter_class=formatter)

    def error(self, message: str) -> NoReturn:
        """Raise InputError in place of an exit."""
        raise InputError(message)


def ended(run: Callable[[], int]) -> int:
    """The exit code of a command: its own, or 4 with one line on stderr for an error of ours."""
    try:
        return run()
    except BenchError as error:
        print(f"error: {' '.join(str(error).split())}", file=sys.stderr)
        return EXIT_USAGE
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def main(argv: Sequence[str]) -> int:
    """Run one subcommand; 0 yes or done, 1 no, 4 for what cannot be done (one line on stderr)."""
    return ended(lambda: _run(list(argv)))


def _run(argv: list[str]) -> int:
    domain = take_domain(argv)
    commands = commands_of(domain)
    if not argv or argv[0] in ("-h", "--help"):
        print(_overview(domain, commands))
        return 0
    if argv[0] not in commands:
        raise InputError(unknown("command", argv[0], commands))
    module = importlib.import_module(commands[argv[0]][0])
    parser = Parser(f"python -m bench {argv[0]}", module.__doc__)
    module.add_arguments(parser)
    args = parser.parse_args(argv[1:])
    args.domain = domain
    code: int = module.run(args)
    return code


def commands_of(domain: str) -> dict[str, tuple[str, str]]:
    """Every subcommand under a domain: its own, then the generic ones. Raises InputError."""
    return {**get_domain(domain).commands, **COMMANDS}


def take_domain(argv: list[str]) -> str:
    """Take `--domain NAME` or `--domain=NAME` out of the arguments, wherever it stands.

    Raises InputError when the name is missing.
    """
    for at, word in enumerate(argv):
        if word.startswith("--domain="):
            del argv[at]
            return word.partition("=")[2]
        if word == "--domain":
            if len(argv) == at + 1:
                raise InputError("--domain needs a name")
            name = argv[at + 1]
            del argv[at : at + 2]
            return name
    return DEFAULT_DOMAIN


def _overview(domain: str, commands: Mapping[str, tuple[str, str]]) -> str:
    lines = [f"  {name:<10} {text}" for name, (_, text) in commands.items()]
    usage = "usage: python -m bench COMMAND ... [--domain NAME]"
    return "\n".join([usage, "", f"{domain}:", *lines, "", "python -m bench COMMAND --help"])
