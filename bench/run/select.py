"""Which episodes a command line asks for: families, tags, limit, order and samples."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.domain import DOMAINS, Domain, Entry, get_domain
from bench.errors import InputError
from bench.near import unknown
from bench.records.layout import NODE_ID, node_id


@dataclass(frozen=True, slots=True)
class EpisodeKey:
    """One episode: a level and a sample of it, from 1 on."""

    level: str
    sample: int = 1

    @property
    def id(self) -> str:
        """What stands in brackets in the test's node id."""
        return node_id(self.level, self.sample)


@dataclass(frozen=True, slots=True)
class Selection:
    """Which levels of a domain, in which order; None and 0 choose nothing out.

    `limit` counts levels and applies after the shuffle, so that it draws a sample of them.
    """

    families: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    limit: int | None = None
    shuffle: int | None = None
    samples: int = 1
    root: Path | None = None

    def entries(self, domain: Domain) -> list[Entry]:
        """The levels in running order. Raises InputError for an unknown family or tag."""
        entries = list(domain.levels(self.root))
        _check_families(self.families or (), entries, domain)
        known = sorted({tag for entry in entries for tag in entry.tags})
        for tag in self.tags or ():
            if tag not in known:
                raise InputError(unknown("--select", tag, known))
        found = [
            entry
            for entry in entries
            if (self.families is None or entry.family in self.families)
            and (self.tags is None or set(entry.tags) & set(self.tags))
        ]
        if self.shuffle is not None:
            random.Random(self.shuffle).shuffle(found)
        return found[: self.limit]

    def keys(self, domain: Domain) -> list[EpisodeKey]:
        """The episodes in running order, every sample of a level beside the others."""
        samples = range(1, self.samples + 1)
        return [EpisodeKey(entry.name, s) for entry in self.entries(domain) for s in samples]


def _check_families(families: Sequence[str], entries: Sequence[Entry], domain: Domain) -> None:
    known = list(dict.fromkeys(entry.family for entry in entries))
    for family in families:
        if family in known:
            continue
        others = (get_domain(name) for name in DOMAINS if name != domain.name)
        owner = next((d for d in others if family in {e.family for e in d.levels()}), None)
        if owner is not None:
            raise InputError(
                f"--family {family!r} is of the domain {owner.name}; add --domain {owner.name}"
            )
        raise InputError(unknown("--family", family, known))


def check_node_ids(arguments: Sequence[str], domain: Domain, root: Path | None = None) -> None:
    """Raise LevelError, with the closest names, when an argument names a level that is not there.

    pytest itself would say no more than 'not found'.
    """
    named = [match for match in map(NODE_ID.search, arguments) if match]
    known = {entry.name for entry in domain.levels(root)} if named else set()
    for match in named:
        if match[1] not in known:
            domain.load(match[1], root)
