"""Figures of a report, as SVG and PNG that come out the same on every run."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reports.face import Figure, face_of, placed
from reports.figures import draw
from reports.protocols import by_protocol
from reports.rows import SessionRows

FIGURES = (
    Figure("calls", "Success (solid) and validity (dashed) over calls.", draw.calls),
    Figure(
        "gap",
        "Designs that were valid, and those that worked: the gap is what the checks do not see.",
        draw.gap,
    ),
    Figure(
        "errors", "Error composition: each code's share of a session's error events.", draw.errors
    ),
    Figure(
        "plane",
        "Efficiency: success against cost, arrows from the strict to the loose budget.",
        draw.plane,
    ),
)
"""The figures of every domain in the order in which a page shows them; a face adds its own."""
STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "svg.hashsalt": "polybridgebench",
    "svg.fonttype": "path",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
}


def figures_of(domain: str) -> tuple[Figure, ...]:
    """The figures of a domain's sessions, its own among the generic ones."""
    return tuple(placed(FIGURES, face_of(domain).figures))


def write_figures(runs: Sequence[SessionRows], out: Path) -> list[Path]:
    """Write every figure that these sessions can fill; gives the files.

    Protocol variants are in none: a figure never mixes protocols. With variants only, the
    first protocol's sessions are drawn.
    """
    protocols = by_protocol(runs)
    if not protocols:
        return []
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    out.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    # A name in a script that the font lacks gives a warning and boxes; it must not end a run.
    with mpl.rc_context(STYLE), warnings.catch_warnings(action="ignore"):
        for figure in figures_of(runs[0].info.domain):
            canvas = Canvas(figsize=(6.4, 4.0), layout="constrained")
            FigureCanvasAgg(canvas)
            if not figure.draw(canvas, protocols[0].sessions):
                continue
            for suffix, metadata in ((".svg", {"Date": None}), (".png", {"Software": None})):
                path = out / f"{figure.name}{suffix}"
                canvas.savefig(path, dpi=150, metadata=metadata)
                paths.append(path)
    return paths
