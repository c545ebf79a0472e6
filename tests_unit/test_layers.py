"""Which way imports go (CONTRIBUTING.md has the drawing). An arrow against it fails here."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from bench.domain import DOMAINS
from tests_unit.support.paths import ROOT

PACKAGES = ("bench", "fixtures", "levels", "reports")

BASE = tuple(
    f"bench.{n}" for n in ("errors", "near", "outside", "protocol", "task", "domain", "answer_json")
)
TURN = (*BASE, "bench.turn", "bench.clients.base", "bench.records")
"""What every domain stands on, and nothing else of the generic half."""


def rooms(domain: str) -> dict[str, tuple[str, ...]]:
    """What each room of a domain's house may import: the rooms below it, and what all stand on."""
    b = f"bench.{domain}."
    ground = tuple(b + n for n in ("level", "design", "unit"))
    first = (*ground, *(b + n for n in ("answer", "rules", "prompt", "physics", "statics", "save")))
    second = (*first, *(b + n for n in ("drivers", "analysis", "baselines")))
    task = (*second, b + "task")
    may = {b + n: (*TURN, *ground) for n in ("design", "save", "unit")}
    may |= {b + "level": (*TURN, *ground, b + "physics.constants")}
    may |= {b + n: (*TURN, *first) for n in ("answer", "rules", "prompt", "physics", "statics")}
    may |= {b + n: (*TURN, *second) for n in ("drivers", "analysis", "baselines")}
    may |= {b + "task": (*TURN, *second), b + "training": (*TURN, *task)}
    # The face and the domain's object import on use, and stand on all the rest.
    return may | {f"bench.{domain}": (*TURN, *task, b + "training"), b + "cli": ("bench",)}


# The longest prefix of a module's name says what it may import of the project.
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "bench": (),
    "bench.errors": (),
    "bench.near": (),
    "bench.outside": (),
    "bench.answer_json": (),
    "bench.protocol": ("bench.errors", "bench.near"),
    "bench.task": ("bench.errors", "bench.protocol"),
    "bench.domain": ("bench.errors", "bench.near", "bench.protocol", "bench.task"),
    "bench.clients": (*BASE, "bench.clients", "bench.records.files"),
    "bench.turn": (*BASE, "bench.clients.base"),
    "bench.records": (*TURN, "bench.clients.hashing"),
    "bench.episode": (*TURN, "bench.clients"),
    "bench.env": TURN,
    "bench.run": (*TURN, "bench.clients", "bench.episode"),
    "bench.console": ("bench.domain", "bench.errors"),
    "bench.cli": ("bench.console", *TURN, "bench.clients", "bench.run"),
    "bench.__main__": ("bench.cli",),
    "bench.test_levels": ("bench.run",),
    "levels": ("bench.console", "bench.errors", "bench.near", "bench.domain", "levels"),
    "fixtures": ("bench.run", *TURN, "bench.clients", "fixtures"),
    "reports": ("bench.console", "bench.records", *BASE, "reports"),
    "reports.domains": ("bench", "reports"),
    "reports.verify": ("bench", "reports"),
    "reports.release": ("bench", "reports"),
}
for name in DOMAINS:
    MAY_IMPORT |= rooms(name)
    MAY_IMPORT[f"levels.{name}"] = (f"bench.{name}", "bench.console", *TURN, "levels")

MAY_IMPORT_PYTEST = ("fixtures", "reports.plugin", "bench.test_levels")


def modules() -> list[tuple[str, Path]]:
    files = [p for name in PACKAGES for p in sorted((ROOT / name).rglob("*.py"))]
    return [
        (".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"), p)
        for p in files
    ]


def imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def within(name: str, prefixes: tuple[str, ...]) -> bool:
    return any(name == p or name.startswith(p + ".") for p in prefixes)


def allowed(module: str) -> tuple[str, ...]:
    best = max((p for p in MAY_IMPORT if within(module, (p,))), key=len)
    return (*MAY_IMPORT[best], module if best == "bench" else best)


@pytest.mark.parametrize(
    ("module", "path"), modules(), ids=lambda v: str(v) if isinstance(v, str) else ""
)
def test_imports_go_one_way(module: str, path: Path) -> None:
    for name in imports(path):
        if within(name, ("bench.VERSION",)):
            continue
        if within(name, PACKAGES):
            assert within(name, allowed(module)), f"{module} may not import {name}"
        if within(name, ("pytest", "_pytest")):
            assert within(module, MAY_IMPORT_PYTEST), f"{module} imports pytest"
        assert not within(name, ("conftest", "tests_unit")), f"{module} imports {name}"


def test_an_arrow_against_the_layers_would_be_seen(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("from bench.bridge.task import BridgeTask\n")
    (name,) = imports(bad)
    for module in ("bench.episode", "bench.env", "bench.run.local", "fixtures.episode", "reports"):
        assert not within(name, allowed(module)), module
    assert not within(name, allowed("bench.bridge.physics.kernel"))
    assert within(name, allowed("bench.bridge.training.reward"))
