"""The drawings. Each fills a matplotlib figure, or says that there is nothing to draw."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from reports import metrics
from reports.rows import LIMIT_CALLS, EpisodeRow, SessionRows
from reports.tables.base import labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7f7f7f", "#b8a900")
"""Colours that people who see no red or no green tell apart (Okabe and Ito's)."""
MARKERS = "osD^vPX*"
SPAN_BIN_M = 4
MANY = 5


def _names(runs: Sequence[SessionRows]) -> list[str]:
    return [f"{_plain(m)} {b}" for b, m in labels(runs)]


def _plain(name: str) -> str:
    """A name as matplotlib shows it: $...$ is no formula, and _ in front hides no label."""
    text = name[:28].replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def _colour(index: int) -> str:
    return COLOURS[index % len(COLOURS)]


def _legend(axes: Axes, count: int) -> None:
    figure = axes.get_figure()
    if figure is not None:
        size = 7 if count <= MANY else 6
        figure.legend(loc="outside lower center", fontsize=size, ncols=3, frameon=False)


def _percent(axes: Axes) -> None:
    axes.set_ylim(-3, 103)
    axes.set_ylabel("episodes, %")


def calls(figure: Figure, runs: Sequence[SessionRows]) -> bool:
    """Success@k and Valid@k over k."""
    axes = figure.add_subplot()
    steps = list(range(1, LIMIT_CALLS + 1))
    for i, (run, name) in enumerate(zip(runs, _names(runs), strict=True)):
        if not run.scored:
            continue
        won = [100 * (metrics.success_rate(run.rows, k).share or 0) for k in steps]
        valid = [100 * (metrics.valid_rate(run.rows, k).share or 0) for k in steps]
        mark = MARKERS[i % len(MARKERS)]
        axes.plot(steps, won, color=_colour(i), marker=mark, label=name)
        axes.plot(steps, valid, color=_colour(i), linestyle="--", alpha=0.7)
    axes.set_xticks(steps)
    axes.set_xlabel("calls")
    _percent(axes)
    if any(run.scored for run in runs):
        _legend(axes, len(runs))
    return any(run.scored for run in runs)


def gap(figure: Figure, runs: Sequence[SessionRows]) -> bool:
    """Valid@3 and Success@3 as the ends of a line for every session."""
    axes = figure.add_subplot()
    names = _names(runs)
    for i, run in enumerate(runs):
        won, valid = metrics.success_rate(run.rows, 3), metrics.valid_rate(run.rows, 3)
        if won.share is None or valid.share is None:
            continue
        axes.plot([100 * won.share, 100 * valid.share], [i, i], color="#b5bcc3", linewidth=4)
        axes.plot(
            100 * won.share,
            i,
            "o",
            ms=11,
            mfc="none",
            mew=2,
            color="#00705a",
            label="Success@3" if not i else None,
        )
        axes.plot(100 * valid.share, i, "D", color="#0b62a8", label="Valid@3" if not i else None)
    axes.set_yticks(range(len(runs)), names)
    axes.set_ylim(len(runs) - 0.4, -0.6)
    axes.set_xlim(-3, 103)
    axes.set_xlabel("episodes, %")
    if runs and runs[0].scored:
        _legend(axes, 2)
    return any(run.scored for run in runs)


def errors(figure: Figure, runs: Sequence[SessionRows]) -> bool:
    """Each code's share of the error events, stacked."""
    counts = [metrics.error_counts(run.rows) for run in runs]
    codes = [code for code, _ in sum(counts, Counter()).most_common()]
    if not codes:
        return False
    from matplotlib import colormaps

    palette = colormaps["tab20"]
    axes = figure.add_subplot()
    left = [0.0] * len(runs)
    for i, code in enumerate(codes):
        widths = [100 * c[code] / sum(c.values()) if c else 0.0 for c in counts]
        axes.barh(range(len(runs)), widths, left=left, label=code, color=palette(i % 20))
        left = [a + b for a, b in zip(left, widths, strict=True)]
    rows = zip(_names(runs), counts, strict=True)
    axes.set_yticks(range(len(runs)), [f"{name}\n{sum(c.values())} events" for name, c in rows])
    axes.invert_yaxis()
    axes.set_xlabel("share of error events, %")
    axes.legend(fontsize=6, frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.4, -0.14))
    return True


def plane(figure: Figure, runs: Sequence[SessionRows]) -> bool:
    """Success@3 against the mean cost of successes; an arrow joins a model's budgets."""
    axes = figure.add_subplot()
    points: dict[str, dict[str, tuple[float, float]]] = defaultdict(dict)
    for run in runs:
        share = metrics.success_rate(run.rows, 3).share
        cost, _ = metrics.cost_of_successes(run.rows)
        if share is not None and cost is not None:
            points[run.info.model][run.info.budget] = (cost / 1000, 100 * share)
    for i, (model, found) in enumerate(points.items()):
        name = _plain(model)
        for j, (budget, point) in enumerate(found.items()):
            mark = "o" if budget == "strict" else "s"
            axes.plot(*point, mark, color=_colour(i), label=name if not j else None)
            axes.annotate(budget, point, xytext=(5, 5), textcoords="offset points", fontsize=7)
        if "strict" in found and "loose" in found:
            arrow = {"arrowstyle": "->", "color": _colour(i)}
            axes.annotate("", found["loose"], found["strict"], arrowprops=arrow)
    axes.set_xlabel("mean cost of successful designs, thousand $")
    axes.margins(0.15)
    _percent(axes)
    if points:
        _legend(axes, len(points))
    return bool(points)


def _shares(rows: Sequence[EpisodeRow], key: Callable[[EpisodeRow], object]) -> dict[object, float]:
    groups: dict[object, list[EpisodeRow]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return {
        name: 100 * share
        for name, found in groups.items()
        if (share := metrics.success_rate(found, 3).share) is not None
    }


def span(figure: Figure, runs: Sequence[SessionRows]) -> bool:
    """Success@3 in bins of the span."""
    axes = figure.add_subplot()
    drawn = False
    for i, (run, name) in enumerate(zip(runs, _names(runs), strict=True)):
        known = [row for row in run.rows if row.span_m is not None]
        found = _shares(known, lambda row: int((row.span_m or 0) // SPAN_BIN_M))
        bins = sorted(found, key=str if not found else lambda b: int(str(b)))
        if bins:
            drawn = True
            centres = [(int(str(b)) + 0.5) * SPAN_BIN_M for b in bins]
            mark = MARKERS[i % len(MARKERS)]
            axes.plot(centres, [found[b] for b in bins], color=_colour(i), marker=mark, label=name)
    axes.set_xlabel(f"span, m (bins of {SPAN_BIN_M} m)")
    _percent(axes)
    if drawn:
        _legend(axes, len(runs))
    return drawn


def load(figure: Figure, runs: Sequence[SessionRows]) -> bool:
    """Success@3 by tag; the loads are tags such as heavy_vehicle and multi_vehicle."""
    tags = list(dict.fromkeys(tag for run in runs for row in run.rows for tag in row.tags))
    if not tags:
        return False
    axes = figure.add_subplot()
    width = 0.8 / len(runs)
    for i, (run, name) in enumerate(zip(runs, _names(runs), strict=True)):
        values = []
        for tag in tags:
            tagged = [row for row in run.rows if tag in row.tags]
            values.append(100 * (metrics.success_rate(tagged, 3).share or 0) if tagged else 0.0)
        at = [k + (i - (len(runs) - 1) / 2) * width for k in range(len(tags))]
        axes.bar(at, values, width, color=_colour(i), label=name)
    axes.set_xticks(range(len(tags)), [t.replace("_", "\n") for t in tags], fontsize=7)
    _percent(axes)
    _legend(axes, len(runs))
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
    families = Counter(_subtype(row) for row in ordered)
    group_of = {_subtype(row): row.group for row in ordered}
    groups = list(dict.fromkeys(group_of.values()))
    left, right = figure.subplots(1, 2, width_ratios=(2, 1))
    for i, group in enumerate(groups):
        mine = [family for family in families if group_of[family] == group]
        name = f"{group or 'unknown'} ({sum(families[f] for f in mine)})"
        left.barh(mine, [families[f] for f in mine], color=_colour(i), label=name)
    left.invert_yaxis()
    left.tick_params(axis="y", labelsize=6)
    left.set_xlabel("levels")
    left.legend(fontsize=6, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.13))
    spans = [row.span_m for row in ordered if row.span_m is not None]
    if spans:
        edges = list(range(0, int(max(spans)) + 2 * SPAN_BIN_M, SPAN_BIN_M))
        right.hist(spans, bins=edges, color="#7f8c99", edgecolor="white")
    right.set_xlabel("span, m")
    return True


DRAWINGS: dict[str, Callable[[Figure, Sequence[SessionRows]], bool]] = {
    "calls": calls,
    "gap": gap,
    "errors": errors,
    "plane": plane,
    "span": span,
    "load": load,
    "composition": composition,
}
"""Figure -> what draws it; False where the sessions have nothing for it."""
