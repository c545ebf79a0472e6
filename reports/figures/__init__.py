"""Figures of a report, as SVG and PNG that come out the same on every run."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.rows import SessionRows

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    Drawing = Callable[[Figure, Sequence[SessionRows]], bool]

CAPTIONS = {
    "calls": "Success (solid) and validity (dashed) over calls.",
    "gap": "Designs that were valid, and those that worked: the gap is what the checks do not see.",
    "errors": "Error composition: each code's share of a session's error events.",
    "plane": "Efficiency: success against cost, arrows from the strict to the loose budget.",
    "span": "Success@3 against the span.",
    "load": "Success@3 against the load and the other tags of levels, which overlap.",
    "composition": "The benchmark: levels by family, subtype and span.",
}
"""Figure -> caption, in the order in which a page shows them."""
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


def write_figures(runs: Sequence[SessionRows], out: Path) -> list[Path]:
    """Write every figure that these sessions can fill; gives the files.

    Protocol variants are in none: a figure never mixes protocols. With variants only, the
    first protocol's sessions are drawn.
    """
    from reports.protocols import by_protocol

    protocols = by_protocol(runs)
    if not protocols:
        return []
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from reports.figures.draw import DRAWINGS

    out.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    # A name in a script that the font lacks gives a warning and boxes; it must not end a run.
    with mpl.rc_context(STYLE), warnings.catch_warnings(action="ignore"):
        for name in CAPTIONS:
            figure = Figure(figsize=(6.4, 4.0), layout="constrained")
            FigureCanvasAgg(figure)
            if not DRAWINGS[name](figure, protocols[0].sessions):
                continue
            for suffix, metadata in ((".svg", {"Date": None}), (".png", {"Software": None})):
                path = out / f"{name}{suffix}"
                figure.savefig(path, dpi=150, metadata=metadata)
                paths.append(path)
    return paths
