"""Which sessions may share a table: those of one domain and one protocol.

Variants of a protocol get tables of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bench.errors import InputError
from bench.protocol import CONDITIONS
from reports.rows import SessionRows

RESULT_HASHES = ("levels", "budgets", "validator", "simulator", "controller", "prompt")
"""Fingerprints that decide results; two sessions that differ in one ran different benchmarks."""


@dataclass(frozen=True)
class Protocol:
    """Sessions of one protocol, strict before loose; `variants` is empty for the paper's."""

    variants: tuple[str, ...]
    sessions: tuple[SessionRows, ...]

    @property
    def title(self) -> str:
        """A heading for its tables."""
        if not self.variants:
            return "Paper protocol"
        return f"Protocol variant: {', '.join(self.variants)}"


def domain_of(sessions: Sequence[SessionRows]) -> str:
    """The domain of some sessions. Raises InputError that names both when there are two."""
    first = sessions[0].info
    for session in sessions:
        if session.info.domain != first.domain:
            raise InputError(
                f"session {first.name} is of the domain {first.domain}, session "
                f"{session.info.name} of {session.info.domain}; two domains share no table"
            )
    return first.domain


def by_protocol(sessions: Sequence[SessionRows]) -> list[Protocol]:
    """The paper's protocol first, then each set of variant options. Budget factors are one each."""
    groups: dict[tuple[str, ...], list[SessionRows]] = {}
    for session in sessions:
        groups.setdefault(session.info.variants, []).append(session)
    order = sorted(groups, key=lambda variants: (bool(variants), variants))
    return [Protocol(v, tuple(sorted(groups[v], key=_budget_order))) for v in order]


def _budget_order(session: SessionRows) -> int:
    known = session.info.budget in CONDITIONS
    return CONDITIONS.index(session.info.budget) if known else len(CONDITIONS)


def differing_hashes(sessions: Sequence[SessionRows]) -> list[str]:
    """The parts of the benchmark that were not the same in all sessions that tell."""
    found = []
    for part in RESULT_HASHES:
        values = {s.info.hashes[part] for s in sessions if part in s.info.hashes}
        if len(values) > 1:
            found.append(part)
    if len({s.info.driver for s in sessions if s.info.driver}) > 1:
        found.append("driver")
    return found
