"""Which way imports go (CONTRIBUTING.md has the drawing). An arrow against it fails here."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("bench", "fixtures", "levels", "reports")

BASE = ("bench.errors", "bench.task")
TYPES = (*BASE, "bench.bridge.design", "bench.bridge.level", "bench.bridge.materials")
RULES = (
    *TYPES,
    "bench.bridge.violations",
    "bench.bridge.answer_json",
    "bench.bridge.parse",
    "bench.bridge.validate",
    "bench.bridge.save",
    "bench.bridge.sim",
    "bench.bridge.level_context",
    "bench.bridge.level_files",
    "bench.bridge.level_schema",
    "bench.bridge.graph",
    "bench.bridge.budget",
    "bench.bridge.axle_loads",
    "bench.bridge.convex",
    "bench.bridge.diagnostics",
    "bench.bridge.envelope",
)
TOOLS = (
    *RULES,
    "bench.clients.base",
    "bench.records",
    "bench.bridge.drivers",
    "bench.bridge.prompt",
    "bench.bridge.baselines",
    "bench.bridge.evidence",
    "bench.bridge.capacity",
    "bench.bridge.margin",
)
TASK = (*TOOLS, "bench.bridge.task")

# The longest prefix of a module's name says what it may import of the project. None of the
# first five names a bridge, a member or a vehicle.
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "bench": (),
    "bench.errors": (),
    "bench.task": ("bench.errors",),
    "bench.clients": (*BASE, "bench", "bench.clients", "bench.records"),
    "bench.records": (*BASE, "bench.clients.base", "bench.records"),
    "bench.episode": (*BASE, "bench.clients", "bench.records", "bench.episode"),
    "bench.bridge.design": TYPES,
    "bench.bridge.level": TYPES,
    "bench.bridge.materials": TYPES,
    "bench.bridge": RULES,
    "bench.bridge.drivers": TOOLS,
    "bench.bridge.prompt": TOOLS,
    "bench.bridge.baselines": TOOLS,
    "bench.bridge.evidence": TOOLS,
    "bench.bridge.clients": (*TASK, "bench.clients"),
    "bench.bridge.task": TASK,
    "bench.bridge.quick": (*TASK, "bench.bridge.quick"),
    "bench.bridge.reward": (*TASK, "bench.bridge.reward"),
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
    assert not within(name, allowed("bench.bridge.sim.kernel"))
    assert within(name, allowed("bench.env"))
