"""The compiled kernel is the one that the sources say."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bench.bridge.physics import compiled, kernel
from tests_unit.support.paths import ROOT

DIGEST = """
import sys
sys.path.insert(0, ".")
from bench.bridge.physics.engine import simulate
from bench.bridge.level.level import Anchor, Level
from bench.bridge.design.design import Design, Member, Node
nodes = (Node(1, 0.0, 0.0, True), Node(2, 4.0, 0.0, True), Node(3, 2.0, -0.5))
anchors = tuple(Anchor(n.id, n.x, n.y) for n in nodes[:2])
level = Level("x", 4.0, 0.0, "full", anchors, (), (), (1.0,), 0.0, 4.0, (), 50_000)
print(simulate(level, Design(nodes, (Member(4, 1, 1, 3), Member(5, 1, 3, 2)))).digest)
"""


def test_the_cache_key_holds_all_sources_of_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = kernel.run._cache
    codegen = kernel.run.targetctx.codegen()
    before = cache._index_key(("signature",), codegen)
    monkeypatch.setattr(compiled, "sources_hash", lambda: "other")
    assert cache._index_key(("signature",), codegen) != before
    assert set(compiled.SOURCES) == {"constants.py", "contacts.py", "kernel.py"}


@pytest.mark.slow
def test_a_constant_that_changes_is_in_the_next_process(tmp_path: Path) -> None:
    """numba alone would load the loop that it compiled with the old one."""
    shutil.copytree(ROOT / "bench", tmp_path / "bench", ignore=shutil.ignore_patterns("*.nb*"))
    constants = tmp_path / "bench" / "bridge" / "physics" / "constants.py"
    digests = []
    for friction in ("0.9", "0.2", "0.9"):
        text = (ROOT / constants.relative_to(tmp_path)).read_text()
        constants.write_text(text.replace("\nFRICTION = 0.9\n", f"\nFRICTION = {friction}\n"))
        done = subprocess.run(
            [sys.executable, "-c", DIGEST],
            capture_output=True,
            text=True,
            check=True,
            cwd=tmp_path,
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
        )
        digests.append(done.stdout)
    assert digests[0] == digests[2] != digests[1]
