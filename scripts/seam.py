"""Which files outside a domain's own folders name it: `python scripts/seam.py`.

Three may: the registry, the package data, the docs' index. Prints each with its lines; exit code 1
when there are others. Tests, examples and prose that show commands are no part of the seam.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.domain import DOMAINS  # noqa: E402

GENERIC = ("bench", "fixtures", "levels", "reports", "conftest.py", "pyproject.toml")
SUFFIXES = (".py", ".toml", ".js", ".j2", ".css")
ALLOWED = ("bench/domain.py", "pyproject.toml", "docs/README.md")
MATTER = r"\b(?:limit_usd|bridges?|vehicles?|members?|girders?|bricks?|timbers?)\b"
"""Words of one domain's matter: a generic file that needs one is no generic file."""


def own_folders(domain: str) -> tuple[str, ...]:
    """Where a domain may say its name as often as it likes."""
    return (f"bench/{domain}/", f"levels/{domain}/", f"reports/domains/{domain}/")


def generic_files() -> Iterator[tuple[str, str]]:
    """Name and text of every file of code outside all domains' folders."""
    own = tuple(folder for domain in DOMAINS for folder in own_folders(domain))
    for top in GENERIC:
        paths = [ROOT / top] if (ROOT / top).is_file() else sorted((ROOT / top).rglob("*"))
        for path in paths:
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in SUFFIXES and "__pycache__" not in name and not name.startswith(own):
                yield name, path.read_text(encoding="utf-8")


def naming(words: str) -> dict[str, list[str]]:
    """File -> its lines that match, with numbers."""
    pattern = re.compile(words, re.IGNORECASE)
    found: dict[str, list[str]] = {}
    for name, text in generic_files():
        for number, line in enumerate(text.splitlines(), start=1):
            if pattern.search(line):
                found.setdefault(name, []).append(f"{number}: {line.strip()}")
    return found


def main() -> int:
    """Print who names a domain, and who speaks of its matter."""
    bad = 0
    for title, words in (
        ("a domain's name", "|".join(rf"\b{domain}\b" for domain in DOMAINS)),
        ("a domain's matter", MATTER),
    ):
        found = naming(words)
        print(f"{title}: {len(found)} files outside the domains' folders")
        for name, lines in found.items():
            known = name in ALLOWED
            bad += not known
            print(f"  {name}{'' if known else '  <- not one of the three places'}")
            for line in lines[:8]:
                print(f"    {line[:110]}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
