"""`python -m levels COMMAND [--domain NAME]`: make and study the levels of a domain.

Every domain's folder says which commands it has; each has `--help`.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

DEFAULT_DOMAIN = "bridge"
EXIT_USAGE = 4


def domains() -> list[str]:
    """The domains that have levels: the folders beside this file that name commands."""
    return sorted(path.parent.name for path in Path(__file__).parent.glob("*/__init__.py"))


def main(argv: Sequence[str]) -> int:
    """Run one command; 4 for what cannot be done, in one line on stderr."""
    arguments = list(argv)
    domain = DEFAULT_DOMAIN
    if "--domain" in arguments:
        at = arguments.index("--domain")
        domain = next(iter(arguments[at + 1 : at + 2]), "")
        del arguments[at : at + 2]
    if domain not in domains():
        return _mistake(f"--domain {domain!r} is unknown; use one of {', '.join(domains())}")
    commands: dict[str, tuple[str, str]] = importlib.import_module(f"levels.{domain}").COMMANDS
    if not arguments or arguments[0] in ("-h", "--help"):
        lines = [f"  {name:<11} {text}" for name, (_, text) in commands.items()]
        usage = "usage: python -m levels COMMAND [--domain NAME] ..."
        print("\n".join([usage, "", f"{domain}:", *lines, "", "python -m levels COMMAND --help"]))
        return 0
    if arguments[0] not in commands:
        return _mistake(f"command {arguments[0]!r} is unknown; use one of {', '.join(commands)}")
    code: int = importlib.import_module(commands[arguments[0]][0]).main(arguments[1:])
    return code


def _mistake(text: str) -> int:
    print(f"error: {text}", file=sys.stderr)
    return EXIT_USAGE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
