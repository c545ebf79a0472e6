"""What all command lines share: one line for a mistake, exit code 4, `--domain`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import NoReturn

from bench.domain import DEFAULT_DOMAIN
from bench.errors import BenchError, InputError

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
