"""Run a design on a level; print what happened, write an animation.

Exit code 0: every vehicle arrived, 1: not. The design is simulated even when the validator
refuses it, as long as it is a graph.

example: python -m bench simulate T1B_Basic_10m docs/examples/success.json --gif out.gif
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from bench.bridge.cli import inputs
from bench.bridge.design.design import Design
from bench.bridge.design.materials import MATERIALS
from bench.bridge.level.files import LevelFile
from bench.errors import InputError
from bench.task import Json

if TYPE_CHECKING:
    from bench.bridge.physics.result import SimResult

HIGHEST = 10
FRAMES = 48


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    inputs.add_level(parser)
    inputs.add_design(parser)
    inputs.add_budget(parser)
    parser.add_argument("--json", action="store_true", help="print all of it as JSON")
    parser.add_argument("--all", action="store_true", help="list every member, not the highest")
    parser.add_argument("--gif", type=Path, metavar="OUT.gif", help="write an animation")
    parser.add_argument("--frames", type=Path, metavar="DIR", help="write the 48 frames as PNG")


def run(args: argparse.Namespace) -> int:
    """Simulate, print, draw."""
    from bench.bridge.physics.engine import simulate

    file = inputs.read_level(args.level)
    design = inputs.read_design(args.design)
    inputs.check_graph(design)
    limit = inputs.limit_usd(file, args.budget)
    result = simulate(file.level, design)
    facts = describe(file, design, result, limit)
    if args.json:
        print(json.dumps(facts, indent=1, allow_nan=False))
    else:
        print(as_text(facts, None if args.all else HIGHEST))
    if args.gif:
        _write_gif(args.gif, file, design, result)
    if args.frames:
        _write_frames(args.frames, file, design, result)
    return 0 if result.success else 1


def describe(file: LevelFile, design: Design, result: SimResult, limit: float) -> dict[str, Json]:
    """All facts of a rollout, as JSON."""
    from bench.bridge.analysis.deck import continuous_deck
    from bench.bridge.analysis.diagnostics import rollout_diagnostics
    from bench.bridge.rules import validate

    violations = validate(file.level, design, limit)
    members = [
        {
            "id": m.id,
            "material": MATERIALS[m.type].name,
            "nodes": [m.a, m.b],
            "peak_utilisation": round(float(result.peak_utilisation[i]), 4),
            "broke_s": None if result.break_s[i] != result.break_s[i] else float(result.break_s[i]),
        }
        for i, m in enumerate(design.members)
    ]
    return {
        "level": file.name,
        "outcome": "success" if result.success else "failure_or_timeout",
        "ending": result.ending.value,
        "decided_s": round(result.end_s, 5),
        "clean": result.clean,
        "first_break_s": result.first_break_s,
        "legal": not violations,
        "codes": list(dict.fromkeys(v.code for v in violations)),
        "cost_usd": design.cost_usd,
        "limit_usd": limit,
        "continuous_deck": continuous_deck(file.level, design),
        "digest": result.digest,
        "diagnostics": rollout_diagnostics(design, result),
        "members": members,
    }


def as_text(facts: dict[str, Json], most: int | None) -> str:
    """The facts for a person."""
    diagnostics, sag = facts["diagnostics"], facts["diagnostics"]["largest_sag"]
    broken = facts["first_break_s"]
    legal = "legal" if facts["legal"] else "not legal: " + ", ".join(facts["codes"])
    rows = [
        ("outcome", f"{facts['outcome']} ({facts['ending']} at {facts['decided_s']:.2f} s)"),
        ("first break", "none" if broken is None else f"{broken:.3f} s"),
        ("cost", f"${facts['cost_usd']:,.2f} of ${facts['limit_usd']:,.0f}, {legal}"),
        ("deck", "continuous" if facts["continuous_deck"] else "not continuous"),
        ("mechanisms", str(diagnostics["mechanisms"] or "none")),
        ("largest sag", "none" if sag is None else f"{sag['m']:.3f} m at node {sag['node']}"),
    ]
    lines = [f"{name:<12} {text}" for name, text in rows]
    ranked = sorted(facts["members"], key=lambda m: -m["peak_utilisation"])[:most]
    lines += ["", "peak utilisation by member" + (f", the {most} highest" if most else "")]
    for m in ranked:
        share = m["peak_utilisation"]
        bar = "#" * min(30, round(share * 30))
        broke = "" if m["broke_s"] is None else f"  broke at {m['broke_s']:.3f} s"
        nodes = f"{m['nodes'][0]}-{m['nodes'][1]}"
        lines.append(f"{m['id']:>8} {m['material']:<5} {nodes:>9} {share:7.1%} {bar:<30}{broke}")
    return "\n".join(lines)


def _write_gif(path: Path, file: LevelFile, design: Design, result: SimResult) -> None:
    """Write an animation at 10 pictures a second, as fast as life."""
    from bench.bridge.physics.draw import write_gif

    if path.suffix.lower() != ".gif":
        raise InputError(f"the animation {path} must end in .gif")
    try:
        write_gif(path, file.level, design, result)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error}") from error
    print(path)


def _write_frames(folder: Path, file: LevelFile, design: Design, result: SimResult) -> None:
    """Write the 48 frames that a contact sheet is chosen from."""
    from bench.bridge.physics.draw import draw_frame

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for k in range(FRAMES):
            picture = draw_frame(file.level, design, result, k)
            picture.save(folder / f"frame_{k:02d}.png")
    except OSError as error:
        raise InputError(f"cannot write into {folder}: {error}") from error
    print(folder)
