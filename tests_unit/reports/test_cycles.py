"""Imports of reports form no circle, not even by imports inside of functions."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

from tests_unit.support.paths import ROOT


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def imported(tree: ast.AST, known: set[str]) -> set[str]:
    """The modules that are imported when the code runs: those for types alone are not."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            submodules = {f"{node.module}.{alias.name}" for alias in node.names} & known
            found |= submodules or {node.module}
    return found & known


def test_no_module_of_reports_imports_itself_by_way_of_others() -> None:
    paths = {module_name(path): path for path in (ROOT / "reports").rglob("*.py")}
    graph = {
        name: imported(ast.parse(path.read_text()), set(paths)) - {name}
        for name, path in paths.items()
    }
    order = list(TopologicalSorter(graph).static_order())  # raises CycleError, which names them
    assert order.index("reports.report") < order.index("reports.build")
