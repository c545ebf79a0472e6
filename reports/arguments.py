"""What the subcommands share: a parser whose mistakes end in one line, `--domain`, `--format`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bench.console import Parser
from reports.tables import render
from reports.tables.base import Table

if TYPE_CHECKING:
    from reports.rows import SessionRows

TABLE_FORMATS: Mapping[str, Callable[[Table], str]] = {
    "text": render.text,
    "md": render.markdown,
    "csv": render.csv_text,
    "latex": render.latex,
}
"""How a table is printed, by the name under `--format`."""


def parser_of(prog: str, text: str) -> argparse.ArgumentParser:
    """A parser with `--domain`, whose mistakes end like any other, in one line."""
    parser = Parser(prog, text)
    parser.add_argument(
        "--domain", metavar="NAME", help="refuse a session of another domain (default: any)"
    )
    return parser


def add_table_format(parser: argparse.ArgumentParser) -> None:
    """Declare how tables are printed."""
    parser.add_argument("--format", default="text", choices=tuple(TABLE_FORMATS))


def print_tables(tables: Sequence[Table], form: str) -> None:
    """Print tables in one of TABLE_FORMATS."""
    print("\n".join(map(TABLE_FORMATS[form], tables)))


def load_all(paths: Sequence[Path], domain: str | None) -> list[SessionRows]:
    """The sessions, all of the domain that was asked for. Raises InputError."""
    from reports.sources import load

    return [load(path, domain) for path in paths]
