"""A played session for verify, and what a forger does to its records."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.records.files import sha256
from tests_unit.support.bench_runs import bench, script

FELL, WON, LOST = "T1B_Basic_6m", "T1B_Basic_7m", "T1B_Basic_8m"
SELECT = ("-k", f"{FELL} or {WON} or {LOST}", "--budget", "loose", "--session", "s")


def play(runs: Path) -> Path:
    """A session on the simulator: won at call 2, won at once, and never valid."""
    model = script(runs / "script.json", **{FELL: "FS", WON: "S", LOST: "VPV"})
    run = bench("--model", model, *SELECT, runs_dir=runs, fake=False)
    assert run.code == 1, run.out
    return runs / "s"


def edit(path: Path, change: Callable[[Any], None]) -> None:
    """Change a JSON record in place."""
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


def sign(session: Path) -> None:
    """Put the present hashes into the manifest, as a forger would."""

    def change(manifest: Any) -> None:
        for name in manifest["records"]:
            manifest["records"][name] = sha256((session / name).read_bytes())

    edit(session / "manifest.json", change)
