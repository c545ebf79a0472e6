"""The bridge's own figures: success by span and by load, and what the levels are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reports import metrics
from reports.figures.style import MARKERS, colour, legend, levels_by, names, percent
from reports.rows import EpisodeRow, SessionRows

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SPAN_BIN_M = 4


def span_m(row: EpisodeRow) -> float | None:
    """The span of a row's level in metres, None where the source does not tell."""
    return row.facts.get("span_m")


def _shares_by_span(rows: Sequence[EpisodeRow]) -> dict[int, float]:
    """Success in percent by the bin of the span, in the order of the bins."""
    bins: dict[int, list[EpisodeRow]] = defaultdict(list)
    for row in rows:
        metres = span_m(row)
        if metres is not None:
            bins[int(metres // SPAN_BIN_M)].append(row)
    shares = {number: metrics.success_rate(found).share for number, found in sorted(bins.items())}
    return {number: 100 * share for number, share in shares.items() if share is not None}


def span(figure: Figure, runs: Sequence[SessionRows]) -> bool:
    """Success@3 in bins of the span."""
    axes = figure.add_subplot()
    drawn = False
    for i, (run, name) in enumerate(zip(runs, names(runs), strict=True)):
        found = _shares_by_span(run.rows)
        if found:
            drawn = True
            centres = [(number + 0.5) * SPAN_BIN_M for number in found]
            mark = MARKERS[i % len(MARKERS)]
            axes.plot(centres, list(found.values()), color=colour(i), marker=mark, label=name)
    axes.set_xlabel(f"span, m (bins of {SPAN_BIN_M} m)")
    percent(axes)
    if drawn:
        legend(axes, len(runs))
    return drawn


def load(figure: Figure, runs: Sequence[SessionRows]) -> bool:
    """Success@3 by tag; the loads are tags such as heavy_vehicle and multi_vehicle."""
    tags = list(dict.fromkeys(tag for run in runs for row in run.rows for tag in row.tags))
    if not tags:
        return False
    axes = figure.add_subplot()
    width = 0.8 / len(runs)
    for i, (run, name) in enumerate(zip(runs, names(runs), strict=True)):
        values = []
        for tag in tags:
            tagged = [row for row in run.rows if tag in row.tags]
            values.append(100 * (metrics.success_rate(tagged).share or 0) if tagged else 0.0)
        at = [k + (i - (len(runs) - 1) / 2) * width for k in range(len(tags))]
        axes.bar(at, values, width, color=colour(i), label=name)
    axes.set_xticks(range(len(tags)), [t.replace("_", "\n") for t in tags], fontsize=7)
    percent(axes)
    legend(axes, len(runs))
    return True


def _subtype(row: EpisodeRow) -> str:
    """Family and subtype, the first two parts of a level's name."""
    return " ".join(row.level.split("_")[:2])[:28].replace("$", r"\$")


def composition(figure: Figure, runs: Sequence[SessionRows]) -> bool:
    """Levels by family in the colour of their group, and by span."""
    rows = {row.level: row for run in reversed(runs) for row in run.rows}
    if not rows:
        return False
    ordered = list({r.level: rows[r.level] for run in runs for r in run.rows}.values())
    left, right = figure.subplots(1, 2, width_ratios=(2, 1))
    levels_by(left, ordered, _subtype)
    spans = [metres for row in ordered if (metres := span_m(row)) is not None]
    if spans:
        edges = list(range(0, int(max(spans)) + 2 * SPAN_BIN_M, SPAN_BIN_M))
        right.hist(spans, bins=edges, color="#7f8c99", edgecolor="white")
    right.set_xlabel("span, m")
    return True
