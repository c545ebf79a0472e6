"""Which way imports go (CONTRIBUTING.md has the drawing). An arrow against it fails here."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests_unit.support.paths import ROOT

PACKAGES = ("bench", "fixtures", "levels", "reports")

BASE = ("bench.errors", "bench.protocol", "bench.task", "bench.answer_json", "bench.outside")
B = "bench.bridge."
TYPES = (*BASE, B + "design", B + "level")
RULES = (*TYPES, *(B + n for n in ("answer", "rules", "prompt", "physics", "statics", "save")))
TOOLS = (
    *RULES,
    *(B + n for n in ("drivers", "analysis", "baselines")),
    "bench.clients.base",
    "bench.records",
)
TASK = (*TOOLS, B + "task")

# The longest prefix of a module's name says what it may import of the project. None of the
# first five names a bridge, a member or a vehicle.
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "bench": (),
    "bench.errors": (),
    "bench.protocol": ("bench.errors",),
    "bench.task": ("bench.errors", "bench.protocol"),
    "bench.domain": (*BASE,),
    "bench.outside": (),
    "bench.clients": (*BASE, "bench.domain", "bench.clients", "bench.records.files"),
    "bench.records": (*BASE, "bench.clients.base", "bench.records"),
    "bench.episode": (*BASE, "bench.clients", "bench.records", "bench.episode"),
    "bench.bridge": (*TASK, B + "training"),
    B + "design": TYPES,
    B + "level": (*TYPES, B + "physics.constants"),
    B + "save": TYPES,
    B + "answer": RULES,
    B + "rules": RULES,
    B + "physics": RULES,
    B + "statics": RULES,
    B + "prompt": (*RULES, B + "drivers.base"),
    B + "drivers": TOOLS,
    B + "baselines": TOOLS,
    B + "analysis": TOOLS,
    B + "task": TASK,
    B + "training": (*TASK, B + "training"),
    B + "cli": ("bench",),
    "bench.test_levels": ("bench.episode",),
    "bench.env": ("bench",),
    "bench.__main__": ("bench",),
    "bench.cli": ("bench",),
    "levels": ("bench.bridge", "bench.errors", "bench.task", "levels"),
    "fixtures": ("bench", "levels", "fixtures"),
    "reports": ("bench.records", "bench.task", "bench.errors", "reports"),
    "reports.verify": ("bench", "reports"),
    "reports.release": ("bench", "reports"),
}
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
    return (*MAY_IMPORT[best], module if best in ("bench", "bench.bridge") else best)


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
    assert not within(name, allowed("bench.episode"))
    assert not within(name, allowed("bench.bridge.physics.kernel"))
    assert within(name, allowed("bench.env"))
