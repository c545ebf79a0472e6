"""The modules that a module imports, directly or not, read off the source."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tests_unit.support.paths import ROOT

PACKAGES = ("bench", "fixtures", "levels", "reports", "tests_unit")


@cache
def modules() -> dict[str, Path]:
    """Every module of the checkout by its dotted name."""
    files = [path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py"))]
    return {name_of(path): path for path in files}


def name_of(path: Path) -> str:
    """The dotted name of a module's file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


@cache
def imported(module: str) -> frozenset[str]:
    """The project's modules that a module names in an import, wherever it stands."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(modules()[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(name for name in found if name in modules())


def closure(entries: Iterable[str]) -> set[str]:
    """The entries and all that they import."""
    seen: set[str] = set()
    left = list(entries)
    while left:
        module = left.pop()
        if module not in seen:
            seen.add(module)
            left += imported(module)
    return seen
