"""What a domain shows of itself in reports: its tables, figures, page scripts and physics replay.

A domain's face is the object `FACE` of `reports.domains.<name>`; that of a domain from elsewhere
may lie beside its own module instead, as `<package>.reports`. Nothing else in reports knows a
domain. A domain without a face gets the generic tables, figures and page.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from re import Pattern
from typing import TYPE_CHECKING, Any, TypeVar, cast

from bench.domain import DOMAINS, Unit, get_domain

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

    from bench.records import Session
    from reports.rows import SessionRows
    from reports.tables.base import Table
    from reports.verify.findings import Finding


@dataclass(frozen=True)
class TableEntry:
    """A table's builder; None from it means that the sessions have nothing to say in it.

    A headline table is the same from the JSON report alone. A domain's own table comes after the
    one that `after` names.
    """

    name: str
    build: Callable[[Sequence[SessionRows]], Table | None]
    headline: bool = False
    after: str = ""


@dataclass(frozen=True)
class Figure:
    """A figure: `draw` fills a matplotlib figure; False: there is nothing to draw."""

    name: str
    caption: str
    draw: Callable[[Canvas, Sequence[SessionRows]], bool]
    after: str = ""


@dataclass(frozen=True)
class Scale:
    """How tables print costs: `value / divisor`, called `text`."""

    divisor: float
    text: str


@dataclass(frozen=True)
class BestOf:
    """Models of which the main table shows only the best: `best fixed truss (steel-truss)`."""

    pattern: Pattern[str]
    title: str


@dataclass(frozen=True)
class Published:
    """Published figures that stand beside ours: `of(model, budget)` gives them as text."""

    of: Callable[[str, str], str | None]
    note: str


@dataclass(frozen=True)
class Replay:
    """How verify executes recorded attempts again.

    `check` raises InputError for a session that cannot be; it comes before the long part. `band`
    gives what a session's success would be over a range of what is not known for certain; its
    text is printed.
    """

    check: Callable[[Session], object]
    findings: Callable[[Session, Path | None], Iterable[Finding]]
    band: Callable[[Session, Path | None], object] | None = None


@dataclass(frozen=True)
class Face:
    """What a domain brings. The defaults are those of a domain that brings nothing.

    `size` is what the size of a design is called. `resources` gives the heading of a measure that
    is a resource of a design, `resources_word` stands for all of them in a note. `context` names
    the parts of an observation's data that the page shows, empty for all. `assets` are the page's
    scripts (.js, in the order in which they load) and styles (.css). `drivers` are the declared
    protocol's parameters of a driver, by its name.
    """

    question: str = "What was built, and does it work?"
    tables: tuple[TableEntry, ...] = ()
    figures: tuple[Figure, ...] = ()
    size: str = "Size"
    cost: Scale | None = None
    resources: Callable[[str], str | None] = lambda measure: None
    resources_word: str = ""
    best_of: tuple[BestOf, ...] = ()
    published: Published | None = None
    context: tuple[str, ...] = ()
    assets: tuple[Path, ...] = ()
    drivers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    replay: Replay | None = None


@cache
def face_of(domain: str) -> Face:
    """The face of a domain. Raises InputError for an unknown one."""
    get_domain(domain)
    home = DOMAINS[domain].partition(":")[0].rpartition(".")[0]
    for module in (f"reports.domains.{domain}", f"{home or domain}.reports"):
        try:
            return cast("Face", importlib.import_module(module).FACE)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
    return Face()


def cost_scale(domain: str) -> Scale:
    """How a domain's costs are printed in tables and figures."""
    unit = unit_of(domain)
    return face_of(domain).cost or Scale(1.0, unit.plural)


def unit_of(domain: str) -> Unit:
    """What a domain's limits and costs are counted in."""
    return get_domain(domain).unit


E = TypeVar("E", TableEntry, Figure)


def placed(generic: Sequence[E], own: Iterable[E]) -> Iterator[E]:
    """The generic entries with a domain's own among them, each after the one that it names.

    An own entry that names none is the first. Raises ValueError for a name that is taken or that
    nothing has.
    """
    order = list(generic)
    for entry in own:
        names = [known.name for known in order]
        if entry.name in names:
            raise ValueError(f"{entry.name!r} is there already; give it another name")
        if entry.after and entry.after not in names:
            raise ValueError(f"{entry.name!r} comes after {entry.after!r}, which is not there")
        order.insert(names.index(entry.after) + 1 if entry.after else 0, entry)
    yield from order
