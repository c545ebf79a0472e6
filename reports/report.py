"""What a report is: sections of tables, and the sessions behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bench.errors import InputError
from reports.leaderboard import leaderboard
from reports.protocols import Protocol, by_protocol, differing_hashes, domain_of
from reports.rows import SessionRows
from reports.tables.base import Table
from reports.tables.registry import build_all


@dataclass(frozen=True)
class Section:
    """The tables of one protocol. `folder` is where its files go, empty for the first."""

    title: str
    folder: str
    tables: tuple[Table, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Report:
    """What is written: sections of tables, and the sessions behind them, all of one domain."""

    sessions: tuple[SessionRows, ...]
    sections: tuple[Section, ...]
    domain: str


def report_of(sessions: Sequence[SessionRows], *, headline_only: bool = False) -> Report:
    """The report of some sessions.

    Raises InputError for none, for one given twice, and for sessions of two domains.
    """
    if not sessions:
        raise InputError("a report needs at least one session")
    names = [session.info.name for session in sessions]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"session {twice!r} was given twice; tables would count it twice")
    domain = domain_of(sessions)
    protocols = by_protocol(sessions)
    sections = [_section(p, number, headline_only) for number, p in enumerate(protocols)]
    return Report(tuple(sessions), tuple(sections), domain)


def _section(protocol: Protocol, number: int, headline_only: bool) -> Section:
    tables = build_all(protocol.sessions, headline_only=headline_only)
    if len(protocol.sessions) > 1:
        tables += leaderboard(protocol.sessions) if not protocol.variants else []
    notes = []
    different = differing_hashes(protocol.sessions)
    if different:
        notes.append(
            f"These sessions did not run the same benchmark: {', '.join(different)} differ."
        )
    folder = f"variant-{number}" if protocol.variants else ""
    return Section(protocol.title, folder, tuple(tables), tuple(notes))
