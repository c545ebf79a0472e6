"""`python -m levels COMMAND [--domain NAME]`: make and study the levels of a domain.

Every domain's folder says which commands it has; each has `--help`.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence

from bench.console import ended, take_domain
from bench.domain import get_domain
from bench.errors import InputError
from bench.near import unknown

Commands = Mapping[str, tuple[str, str]]


def main(argv: Sequence[str]) -> int:
    """Run one command; 4 for what cannot be done, in one line on stderr."""
    return ended(lambda: _run(list(argv)))


def _run(argv: list[str]) -> int:
    domain = take_domain(argv)
    commands: Commands = importlib.import_module(f"levels.{get_domain(domain).name}").COMMANDS
    if not argv or argv[0] in ("-h", "--help"):
        print(_overview(domain, commands))
        return 0
    if argv[0] not in commands:
        raise InputError(unknown("command", argv[0], commands))
    code: int = importlib.import_module(commands[argv[0]][0]).main(argv[1:])
    return code


def _overview(domain: str, commands: Commands) -> str:
    lines = [f"  {name:<11} {text}" for name, (_, text) in commands.items()]
    usage = "usage: python -m levels COMMAND ... [--domain NAME]"
    return "\n".join([usage, "", f"{domain}:", *lines, "", "python -m levels COMMAND --help"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
