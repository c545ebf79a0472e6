"""The bridge in reports: deck and capacity tables, figures of span and load, page and replay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from reports.domains.bridge import capacity, deck, figures, published
from reports.face import BestOf, Face, Figure, Published, Replay, Scale, TableEntry

if TYPE_CHECKING:
    from bench.records import Session
    from reports.domains.bridge.band import Band
    from reports.verify.findings import Finding

HERE = Path(__file__).parent
METRES = "metres "


def _metres(measure: str) -> str | None:
    """`Road, succ. (m)` for `metres Road`."""
    material = measure.removeprefix(METRES)
    return None if material == measure else f"{material}, succ. (m)"


def _check(session: Session) -> None:
    from reports.domains.bridge.replay import params_of

    params_of(session)


def _findings(session: Session, levels_dir: Path | None) -> Iterator[Finding]:
    from reports.domains.bridge.replay import replay_physics

    return replay_physics(session, levels_dir)


def _band(session: Session, levels_dir: Path | None) -> Band:
    from reports.domains.bridge.band import band

    return band(session, levels_dir)


FACE = Face(
    question="Can it design a bridge that works?",
    tables=(
        TableEntry("deck", deck.build, after="cost_curve"),
        TableEntry("capacity", capacity.build, after="confidence"),
        TableEntry("published", published.build, headline=True, after="matrix"),
    ),
    figures=(
        Figure("span", "Success@3 against the span.", figures.span, after="plane"),
        Figure(
            "load",
            "Success@3 against the load and the other tags of levels, which overlap.",
            figures.load,
            after="span",
        ),
        Figure(
            "composition",
            "The benchmark: levels by family, subtype and span.",
            figures.composition,
            after="load",
        ),
    ),
    size="Members",
    cost=Scale(1000.0, "thousand $"),
    resources=_metres,
    resources_word="metres",
    best_of=(BestOf(re.compile(r"baseline:(wood|steel)-truss-(deck|through)"), "fixed truss"),),
    published=Published(
        published.told, "Published: the paper's figures on the native game, where it states them."
    ),
    context=("task_context", "semantic_environment"),
    assets=tuple(HERE / name for name in ("bridge.js", "replay.js", "bridge.css")),
    drivers={
        "embedded": {"pn_per_pg": 130.0, "step_s": 0.00025, "window_s": 12.0, "cruise_mps": 3.5}
    },
    replay=Replay(_check, _findings, _band),
)
"""Imported on use by `reports.face`; the physics only when an attempt is simulated again."""
