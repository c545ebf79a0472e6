"""One command and one file make a family, and every contract test covers it at once."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests_unit.support.paths import ROOT

COPIED = ("bench", "fixtures", "golden", "levels", "reports", "tests_unit", "docs", "scripts")
CODE = "T9Z"
LEVELS = [f"{CODE}_Example_5m", f"{CODE}_Example_7m"]


def run(copy: Path, *words: str) -> str:
    """The output of `python -m WORDS` in the copy."""
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with one family more."""
    root = tmp_path_factory.mktemp("copy")
    for name in COPIED:
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "conftest.py", "README.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, root)
    told = run(root, "levels", "add", CODE, "--title", "a short gap", "--group", "load")
    assert f"python -m levels calibrate {CODE}" in told
    short = ("--iterations", "2000", "--workers", "1")
    run(root, "levels", "calibrate", CODE, *short)
    run(root, "levels", "generate")
    run(root, "levels", "catalogue")
    return root


@pytest.mark.slow
def test_its_levels_are_generated_and_stand_at_their_place(copy):
    assert "all as generated" in run(copy, "levels", "generate", "--check")
    index = json.loads((copy / "levels/bridge/index.json").read_text())["levels"]
    families = list(dict.fromkeys(row["family"] for row in index))
    assert families[families.index("T4D") + 1] == CODE
    assert CODE in json.loads((copy / "levels/bridge/split.json").read_text())["train"]


@pytest.mark.slow
def test_k_selects_exactly_its_levels(copy):
    out = run(copy, "pytest", "bench", "-k", CODE, "--collect-only", "-q")
    assert [name for name in LEVELS if f"test_level[{name}]" in out] == LEVELS
    assert out.count("test_level[") == len(LEVELS)


@pytest.mark.slow
def test_the_contract_suite_covers_it_with_its_reference(copy):
    here = "tests_unit/levels/bridge"
    suites = (f"{here}/test_registry.py", f"{here}/test_references.py", f"{here}/test_catalogue.py")
    out = run(copy, "pytest", *suites, "-q", "-k", f"{CODE} or docs_page or budget or golden")
    assert "passed" in out
