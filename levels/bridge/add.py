"""`python -m levels add CODE --title TEXT --group NAME`: start a new level family.

Writes one file with a small working example, and says what to do next. Nothing else has to be
edited: families are found in their folder. Exit codes: 0 written, 4 refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from bench.console import Parser
from bench.errors import InputError
from levels.bridge.families import REGISTRY

FOLDER = Path(__file__).parent / "families"
GROUP_NAMES = {
    "anchors": "ANCHORS",
    "terrain": "TERRAIN",
    "load": "LOAD",
    "compositional": "COMPOSITIONAL",
}
"""What `--group` takes -> the group's name in `levels.bridge.registry`."""

CODE = re.compile(r"[A-Z][A-Z0-9]{1,5}")
LONGEST_TITLE = 80

TEMPLATE = '''"""{code}: {title}.

Tests (say in a sentence or two what a model has to get right here that no other family asks).
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import {group}, Family, grid

GRID = grid(span_m=(5, 7))


def build(span_m: float) -> Scene:
    """A gap of `span_m` with two anchors a bank."""
    return banks(f"{code}_Example_{{metres(span_m)}}", span_m).tagged("{tag}")


CONSTRAINTS = ()

FAMILY = Family("{code}", {group}, __doc__, GRID, build, CONSTRAINTS{part})
'''

NEXT = """{path} is written. Next:
  edit it: the docstring, GRID, build, CONSTRAINTS (kinds of levels/bridge/studies/twins.py)
  python -m levels calibrate {code}   search its references, write the strict budgets
  python -m levels generate        write its level files, the index and the split
  python -m levels catalogue       write the tables of docs/bridge/levels.md"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code. Raises InputError."""
    parser = Parser("python -m levels add", __doc__)
    parser.add_argument("code", help="capitals and digits, as T1B; its levels start with it")
    parser.add_argument("--title", required=True, help="the scene in a few words")
    parser.add_argument("--group", required=True, choices=list(GROUP_NAMES))
    parser.add_argument("--part", default="train", choices=("train", "test"), help="of the split")
    args = parser.parse_args(argv)
    title = args.title.strip().removesuffix(".")
    check(args.code, title)
    path = FOLDER / f"{args.code.lower()}.py"
    part = ', part="test"' if args.part == "test" else ""
    group = GROUP_NAMES[args.group]
    text = TEMPLATE.format(code=args.code, title=title, group=group, part=part, tag=args.group)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise InputError(f"{path.name} cannot be written: {error.strerror}") from error
    print(NEXT.format(path=path.relative_to(FOLDER.parents[2]), code=args.code))
    return 0


def check(code: str, title: str) -> None:
    """Raise InputError for a code or a title that cannot be a family's."""
    if not CODE.fullmatch(code):
        raise InputError(f"code {code!r} must be 2 to 6 capitals and digits, a capital first")
    for _, scene, _ in REGISTRY.scenes():
        if code.casefold() in scene.name.casefold():
            raise InputError(f"code {code!r} is in the name {scene.name}: -k would select both")
    plain = title.isprintable() and not set(title) & set('"\\')
    if not (plain and 1 <= len(title) <= LONGEST_TITLE):
        raise InputError(f"--title must be one line of 1 to {LONGEST_TITLE} characters, unquoted")
