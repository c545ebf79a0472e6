"""The hashes of what decides a number: levels, budgets, prompt, validator, simulator and so on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from bench.bridge.level.files import DEFAULT_ROOT

ROOT = Path(__file__).resolve().parents[2]

SOURCES: dict[str, tuple[str, ...]] = {
    "prompt": ("bench/bridge/prompt/**/*",),
    "validator": (
        "bench/bridge/rules/**/*",
        "bench/bridge/answer/parse.py",
        "bench/answer_json.py",
        "bench/bridge/design/design.py",
        "bench/bridge/design/materials.py",
    ),
    "simulator": ("bench/bridge/physics/*.py", "bench/bridge/design/materials.py"),
    "pictures": ("bench/bridge/physics/draw/**/*", "bench/bridge/prompt/evidence.py"),
    "controller": ("bench/episode.py", "bench/task.py", "bench/bridge/task.py"),
}
"""Which files decide which part of a number."""

BENCHMARK_PARTS = ("levels", "budgets", "prompt", "validator", "simulator")
"""The parts whose hashes make the benchmark's own."""


def hash_files(root: Path, paths: Iterable[Path]) -> str:
    """SHA-256 over names and contents, in name order; line ends and caches do not count."""
    digest = hashlib.sha256()
    for path in sorted(set(paths)):
        if not path.is_file() or "__pycache__" in path.parts or path.suffix == ".pyc":
            continue
        content = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{path.relative_to(root).as_posix()}\n{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def hashes(levels_dir: Path | None = None) -> dict[str, str]:
    """The hash of every part of the benchmark, and of the benchmark as a whole."""
    levels = (levels_dir or DEFAULT_ROOT).resolve()
    found = {"levels": hash_files(levels, [*levels.glob("data/*/*.json"), levels / "index.json"])}
    found["budgets"] = hash_files(levels, [levels / "budgets.json"])
    for part, patterns in SOURCES.items():
        found[part] = hash_files(ROOT, [p for pattern in patterns for p in ROOT.glob(pattern)])
    text = "".join(f"{part}={found[part]}\n" for part in BENCHMARK_PARTS)
    return {"benchmark": hashlib.sha256(text.encode()).hexdigest(), **found}
