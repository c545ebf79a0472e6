"""Draw a level, with a design in it, as the editor shows it.

example: python -m bench draw T1B_Basic_8m golden/bridge/references/T1B_Basic_8m.json out.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.bridge.cli import inputs
from bench.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    inputs.add_level(parser)
    inputs.add_design(parser, optional=True)
    parser.add_argument("out", metavar="OUT.png", type=Path)
    inputs.add_budget(parser)


def run(args: argparse.Namespace) -> int:
    """Write the picture."""
    from bench.bridge.physics.draw import draw_editor

    file = inputs.read_level(args.level)
    design = inputs.read_design(args.design) if args.design else None
    if args.out.suffix.lower() != ".png":
        raise InputError(f"the picture {args.out} must end in .png")
    picture = draw_editor(file.level, design, limit_usd=inputs.limit_usd(file, args.budget))
    save(picture, args.out)
    print(args.out)
    return 0


def save(picture: object, path: Path) -> None:
    """Save a Pillow picture; InputError where the path cannot be written."""
    try:
        picture.save(path)  # type: ignore[attr-defined]
    except OSError as error:
        raise InputError(f"cannot write {path}: {error}") from error
