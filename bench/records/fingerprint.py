"""The hashes of what decides a number: levels, budgets, prompt, validator, simulator and so on.

A domain says which files decide which part; this module knows how they are hashed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from bench.domain import Domain

CHECKOUT = Path(__file__).resolve().parents[2]

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


def hash_tree(root: Path, patterns: Iterable[str]) -> str:
    """The hash of all files below a folder that match one of the patterns."""
    return hash_files(root, [path for pattern in patterns for path in root.glob(pattern)])


def hashes(domain: Domain, levels: Path | None = None, checkout: Path = CHECKOUT) -> dict[str, str]:
    """The hash of every part of a domain, and of the benchmark as a whole (`benchmark`).

    `levels` is the folder of the levels (default: the domain's own), `checkout` where its files
    are.
    """
    root = (levels or domain.levels_root).resolve()
    found = {part: hash_tree(root, patterns) for part, patterns in domain.level_parts.items()}
    found |= {name: hash_tree(checkout, part.files) for name, part in domain.parts.items()}
    text = "".join(f"{part}={found[part]}\n" for part in BENCHMARK_PARTS)
    return {"benchmark": hashlib.sha256(text.encode()).hexdigest(), **found}
