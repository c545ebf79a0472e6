"""The domain's object."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.domain import Capabilities, DriverOptions, Entry, Measures, Part
from bench.errors import ModelError
from bench.near import unknown
from bench.protocol import Settings
from tests_unit.support.toy import NAME
from tests_unit.support.toy.level import ROOT, Level, levels, load
from tests_unit.support.toy.task import UNIT, ToyTask

HERE = "tests_unit/support/toy/"
GENERIC = ("bench/*.py", "bench/records/*", "bench/clients/*")


class Abacus:
    """Executes an order by comparing it with the goal."""

    name = "abacus"
    capabilities = Capabilities(parallel=True, deterministic=True, states=False)
    broken = None

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet

    def describe(self) -> Mapping[str, Any]:
        return {"driver": self.name}

    def open(self) -> None:
        pass

    def refuses(self, level: Level) -> str | None:
        return None

    def execute(self, level: Level, order: tuple[int, ...]) -> bool:
        return order == level.goal

    def close(self) -> None:
        pass


def sort(data: Mapping[str, Any]) -> str:
    """The right answer."""
    return json.dumps({"order": sorted(data["numbers"], reverse=data["way"] == "down")})


def leave(data: Mapping[str, Any]) -> str:
    """The numbers as they lie: legal, and wrong."""
    return json.dumps({"order": data["numbers"]})


class ToyDomain:
    """Implements `bench.domain.Domain`."""

    name = NAME
    title = "Numbers in order"
    unit = UNIT
    drivers = ("abacus",)
    default_baseline = "sort"
    baselines = ("leave", "sort")
    ladder = baselines
    commands: Mapping[str, tuple[str, str]] = {}
    task_options = ()
    unsupported: Mapping[str, str] = {"--capacity": "numbers carry nothing"}
    levels_root = ROOT
    level_parts: Mapping[str, tuple[str, ...]] = {
        "levels": ("index.json",),
        "budgets": ("index.json", "*"),
    }
    parts: Mapping[str, Part] = {
        "prompt": Part(("tests_unit.support.toy.task",), (HERE + "*.py", *GENERIC)),
        "validator": Part(("tests_unit.support.toy.level",), (HERE + "[lt]*.py", "bench/*.py")),
        "simulator": Part(("tests_unit.support.toy.domain",), (HERE + "[dlt_]*.py", "bench/*.py")),
    }

    def refuses(self, driver: str, settings: Settings) -> str | None:
        return None

    def levels(self, root: Path | None = None) -> Sequence[Entry]:
        return [level.entry for level in levels(root)]

    def load(self, name: str, root: Path | None = None) -> Level:
        return load(name, root)

    def task(
        self, level: str, settings: Settings, driver: Any, root: Path | None = None, **own: Any
    ) -> ToyTask:
        return ToyTask(load(level, root), settings, driver)

    def driver(self, options: DriverOptions) -> Abacus:
        return Abacus(options.quiet)

    def baseline(self, name: str) -> Callable[[Mapping[str, Any]], str]:
        found = {"sort": sort, "leave": leave}
        if name not in found:
            raise ModelError(unknown("baseline", name, found, prefix="baseline:"))
        return found[name]

    def scene(self, level: str, root: Path | None = None) -> dict[str, Any]:
        return {"parameters": {}, "scene": {"numbers": list(load(level, root).numbers)}}

    def measures(self, call: Mapping[str, Any]) -> Measures:
        design, execution = call.get("design") or {}, call.get("execution") or {}
        rising = execution.get("rising")
        way = None if rising is None else "up" if rising else "down"
        return Measures(design.get("length"), {}, {"way": way})

    def reward(self, task: Any, turn: Any) -> Mapping[str, Any]:
        return {"total": 1.0 if turn.success else 0.5 if turn.execution else 0.0}


DOMAIN = ToyDomain()
