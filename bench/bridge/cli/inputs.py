"""What several subcommands read: a level, a design, a budget."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from bench.bridge.design.design import Design
from bench.bridge.design.materials import MATERIALS
from bench.bridge.level.budget import limit_usd as budget_limit
from bench.bridge.level.files import LevelFile, load_level, load_level_file
from bench.errors import InputError
from bench.task import Candidate


def add_level(parser: argparse.ArgumentParser) -> None:
    """Add the LEVEL argument."""
    parser.add_argument("level", metavar="LEVEL", help="a level's name, or its layout file")


def add_design(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """Add the DESIGN argument."""
    parser.add_argument(
        "design",
        metavar="DESIGN.json",
        nargs="?" if optional else None,
        help="an answer as a model gives it, or - for standard input",
    )


def add_budget(parser: argparse.ArgumentParser) -> None:
    """Add the --budget option."""
    parser.add_argument("--budget", default="strict", help="strict (default), loose, or 1.5x")


def read_level(text: str) -> LevelFile:
    """A level by its name, or by the path of its layout file."""
    if text.endswith(".json"):
        return load_level_file(Path(text))
    return load_level(text)


def limit_usd(file: LevelFile, budget: str) -> float:
    """The budget limit of a condition on a level, in dollars."""
    return budget_limit(file.level.strict_limit_usd, budget)[1]


def read_candidate(path: str) -> Candidate[Design]:
    """Read an answer, or a reference file that holds one, from a file or standard input.

    Raises InputError when the file cannot be read.
    """
    from bench.bridge.answer.parse import parse_answer

    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"cannot read the design {path}: {error}; give a JSON file, or - for standard input"
        ) from error
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return parse_answer(text)
    if isinstance(data, dict) and isinstance(data.get("design"), dict):
        return parse_answer(json.dumps(data["design"]))
    return parse_answer(text)


def read_design(path: str) -> Design:
    """Read an answer that has to be a design; InputError lists what keeps it from being one."""
    candidate = read_candidate(path)
    if candidate.design is None:
        faults = "; ".join(f"{v.code}: {v.message}" for v in candidate.violations[:3])
        raise InputError(f"{path} is no design: {faults}")
    return candidate.design


def check_graph(design: Design) -> None:
    """Refuse what the simulator cannot build."""
    for member in design.members:
        if design.length_m(member) is None or member.type not in MATERIALS:
            raise InputError(
                f"member {member.id} names a missing node or an unknown material; "
                "see `python -m bench validate`"
            )
