"""The domains: kinds of construction task that one benchmark runs, and the seam they meet.

A domain is one object, named in `DOMAINS` and imported on use. Nothing outside its own folders
knows more of it than this Protocol. Its tables, figures, page scripts and physics replay are in
`reports/domains/<name>`, its levels' generators in `levels/<name>`: readers find them by the name.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, cast

from bench.errors import InputError
from bench.near import unknown
from bench.protocol import Settings
from bench.task import Json, Task

DOMAINS: dict[str, str] = {
    "bridge": "bench.bridge.domain:DOMAIN",
}
"""Domain -> `module:object`. The first one is the default."""

DEFAULT_DOMAIN = next(iter(DOMAINS))


@dataclass(frozen=True, slots=True)
class Unit:
    """What a limit and a cost are counted in: `$6,000`, `120 studs`.

    `name` is what records carry (`usd`). `prefix` stands before a number, `suffix` after it.
    """

    name: str
    singular: str
    plural: str
    prefix: str = ""
    suffix: str = ""
    digits: int = 0
    exact_digits: int = 0

    def amount(self, value: float) -> str:
        """A number of units at a glance: `$1,160`."""
        return self._text(value, self.digits)

    def exactly(self, value: float) -> str:
        """A number of units to its last digit: `$1,160.16`."""
        return self._text(value, self.exact_digits)

    def _text(self, value: float, digits: int) -> str:
        sign = "-" if value < 0 else ""
        return f"{sign}{self.prefix}{abs(value):,.{digits}f}{self.suffix}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One level as an index lists it: enough to select by, without reading its files."""

    name: str
    family: str
    group: str = ""
    suite: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Measures:
    """What a domain reads off one recorded call for the rows of reports.

    `size` is how large the candidate is, in pieces; `numbers` are means' material,
    `marks` are words or flags, None where a driver cannot know them.
    """

    size: int | None = None
    numbers: Mapping[str, float] = field(default_factory=dict)
    marks: Mapping[str, str | bool | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of what decides a number: the modules it starts from, and its files.

    `files` are patterns below the checkout's root. They must hold the import closure of
    `entries`, so that no module decides a number unseen.
    """

    entries: tuple[str, ...]
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DriverOptions:
    """What a driver may be told: its name, the window, and the domain's own options by name.

    A `quiet` one makes neither pictures nor files of an execution: for training and ladders.
    """

    name: str
    window_s: float
    session: Path | None = None
    worker: int = 0
    quiet: bool = False
    own: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a driver can do: `parallel` instances at once, exact repetition, recorded states."""

    parallel: bool
    deterministic: bool
    states: bool


class Driver(Protocol):
    """What executes designs, as a run sees it. Raises DriverError for its own faults only."""

    @property
    def name(self) -> str:
        """The name under `--driver`."""

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""

    @property
    def broken(self) -> str | None:
        """Why it cannot go on for the rest of the session; None while it can."""

    def describe(self) -> Mapping[str, Json]:
        """Its properties, frozen into the session's manifest."""

    def open(self) -> None:
        """Get ready; called once a session and worker."""

    def refuses(self, level: Any) -> str | None:
        """Why it cannot show this level (a domain's own level); None when it can."""

    def close(self) -> None:
        """Release everything; safe to call twice."""


class Domain(Protocol):
    """One kind of construction task. Attributes are plain data; nothing heavy is imported."""

    @property
    def name(self) -> str:
        """The name under `--domain`."""

    @property
    def title(self) -> str:
        """What a table or page calls it."""

    @property
    def unit(self) -> Unit:
        """What limits and costs are counted in."""

    @property
    def drivers(self) -> tuple[str, ...]:
        """The names under `--driver`, the default one first."""

    @property
    def default_baseline(self) -> str:
        """What `--model baseline` means."""

    @property
    def baselines(self) -> Sequence[str]:
        """The names under `--model baseline:NAME`, from the weakest on."""

    @property
    def ladder(self) -> Sequence[str]:
        """The baselines that `python -m bench ladder` measures, the bottom rung first."""

    @property
    def commands(self) -> Mapping[str, tuple[str, str]]:
        """Its subcommands of `python -m bench`: name -> (module, one line of help)."""

    @property
    def task_options(self) -> tuple[str, ...]:
        """The options of its own that `task` takes, by name with underscores."""

    @property
    def unsupported(self) -> Mapping[str, str]:
        """Options of a run that mean nothing here -> a line that says why."""

    @property
    def parts(self) -> Mapping[str, Part]:
        """Which files decide which part of a number: prompt, validator, simulator and more."""

    @property
    def levels_root(self) -> Path:
        """The folder of the repository's own levels."""

    @property
    def level_parts(self) -> Mapping[str, tuple[str, ...]]:
        """The files below a folder of levels that decide the parts `levels` and `budgets`."""

    def refuses(self, driver: str, settings: Settings) -> str | None:
        """Why a driver cannot run under these settings; None when it can."""

    def levels(self, root: Path | None = None) -> Sequence[Entry]:
        """All levels in catalogue order. Raises LevelError."""

    def load(self, name: str, root: Path | None = None) -> Any:
        """One level. Raises LevelError, with the closest names for an unknown one."""

    def task(
        self, level: str, settings: Settings, driver: Any, root: Path | None = None, **own: Json
    ) -> Task[Any]:
        """The task of a level under the settings; `own` are the domain's own options."""

    def driver(self, options: DriverOptions) -> Driver:
        """A driver, not yet opened. Raises InputError."""

    def baseline(self, name: str) -> Callable[[Mapping[str, Json]], str]:
        """A baseline: an observation's data -> an answer's text. Raises ModelError."""

    def reward(self, task: Any, turn: Any) -> Mapping[str, Json]:
        """The parts of a training reward of one turn, `total` among them, each in [0, 1]."""

    def scene(self, level: str, root: Path | None = None) -> dict[str, Json]:
        """What a reader of records needs of a level besides its facts: parameters, geometry."""

    def measures(self, call: Mapping[str, Json]) -> Measures:
        """What reports read off one call of a trajectory."""


def get_domain(name: str = DEFAULT_DOMAIN) -> Domain:
    """The domain of that name. Raises InputError, with the closest name, for an unknown one."""
    if name not in DOMAINS:
        raise InputError(unknown("--domain", name, DOMAINS))
    module, _, attribute = DOMAINS[name].partition(":")
    return cast("Domain", getattr(importlib.import_module(module), attribute))


def domains() -> Iterator[Domain]:
    """Every registered domain, in order."""
    return map(get_domain, DOMAINS)
