"""The command line: one subcommand a module, imported only when it is called.

Generic subcommands are here; a domain brings its own, which `--domain` chooses.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence

from bench.console import Parser, ended, take_domain
from bench.domain import get_domain
from bench.errors import InputError
from bench.near import unknown

COMMANDS: Mapping[str, tuple[str, str]] = {
    "ladder": ("bench.cli.ladder", "measure the baselines on all levels, as a Markdown table"),
}
"""Generic subcommand -> (module, one line of help).

The module has add_arguments(parser) and run(args), which gives the exit code; `args.domain` is the
name of the domain.
"""


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


def _overview(domain: str, commands: Mapping[str, tuple[str, str]]) -> str:
    lines = [f"  {name:<10} {text}" for name, (_, text) in commands.items()]
    usage = "usage: python -m bench COMMAND ... [--domain NAME]"
    return "\n".join([usage, "", f"{domain}:", *lines, "", "python -m bench COMMAND --help"])
