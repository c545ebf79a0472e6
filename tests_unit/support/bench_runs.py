"""Runs of `pytest bench` in processes of their own, on the fake driver unless told otherwise."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.bridge.level.files import load_level
from tests_unit.support.factories import answer, deck, warren
from tests_unit.support.paths import ROOT


@dataclass(frozen=True)
class Run:
    code: int
    out: str


def command(*arguments: str, runs_dir: Path, target: str = "bench", fake: bool = True) -> list[str]:
    plugins = ["xdist", "pytest_jsonreport", *(["tests_unit.support.fake_driver"] if fake else [])]
    chosen = [part for name in plugins for part in ("-p", name)]
    chosen += ["--driver", "fake"] if fake else []
    start = [sys.executable, "-m", "pytest", target, "-q", *chosen]
    return [*start, "--runs-dir", str(runs_dir), *arguments]


def environment(**extra: str) -> dict[str, str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "FAKE_DRIVER"))}
    # Half of a start is the loading of plugins that these runs do not use.
    return clean | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | extra


def bench(
    *arguments: str, runs_dir: Path, target: str = "bench", fake: bool = True, **extra: str
) -> Run:
    done = subprocess.run(
        command(*arguments, runs_dir=runs_dir, target=target, fake=fake),
        cwd=ROOT,
        env=environment(**extra),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return Run(done.returncode, done.stdout + done.stderr)


def fault(**script: Any) -> str:
    """How the fake driver misbehaves: `fault(exit=LEVEL)` as the variable FAKE_DRIVER."""
    return json.dumps(script)


def replies(level: str, letters: str) -> list[Any]:
    """Answers to a level: S holds (it has wood), F falls (road only), V is invalid, P no JSON."""
    scene = load_level(level).level
    made = {
        "S": answer(warren(scene)),
        "F": answer(deck(scene)),
        "V": answer(deck(scene)) | {"edges": []},
        "P": "I would rather not.",
    }
    return [made[letter] for letter in letters]


def script(path: Path, **levels: str) -> str:
    """A scripted model that answers each level with its letters; others do not parse."""
    content: dict[str, Any] = {name: replies(name, letters) for name, letters in levels.items()}
    path.write_text(json.dumps(content | {"*": ["no"]}))
    return f"scripted:{path}"


def timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: timeless(v) for k, v in value.items() if k != "timing"}
    if isinstance(value, list):
        return [timeless(v) for v in value]
    return value


def session_contents(session: Path) -> dict[str, Any]:
    """All that the protocol compares byte for byte between two runs of one session."""
    found: dict[str, Any] = {}
    for path in sorted(session.rglob("*")):
        name = path.relative_to(session).as_posix()
        skip = {"attempts.jsonl", "manifest.json", "report.json"}
        if path.is_file() and path.name not in skip and not path.name.startswith(".lock"):
            data = path.read_bytes()
            found[name] = timeless(json.loads(data)) if path.suffix == ".json" else data
    return found
