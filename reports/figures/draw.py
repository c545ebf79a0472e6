"""The drawings of every domain. Each fills a matplotlib figure, or says that it has nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bench.protocol import CONDITIONS
from reports import metrics
from reports.face import cost_scale
from reports.figures.style import MARKERS, colour, legend, names, percent, plain
from reports.metrics import K_CALLS, LONG_SUCCESS, LONG_VALID
from reports.rows import SessionRows

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def calls(figure: Figure, runs: Sequence[SessionRows]) -> bool:
    """Success@k and Valid@k over k."""
    axes = figure.add_subplot()
    steps = list(K_CALLS)
    for i, (run, name) in enumerate(zip(runs, names(runs), strict=True)):
        if not run.scored:
            continue
        won = [100 * (metrics.success_rate(run.rows, k).share or 0) for k in steps]
        valid = [100 * (metrics.valid_rate(run.rows, k).share or 0) for k in steps]
        mark = MARKERS[i % len(MARKERS)]
        axes.plot(steps, won, color=colour(i), marker=mark, label=name)
        axes.plot(steps, valid, color=colour(i), linestyle="--", alpha=0.7)
    axes.set_xticks(steps)
    axes.set_xlabel("calls")
    percent(axes)
    if any(run.scored for run in runs):
        legend(axes, len(runs))
    return any(run.scored for run in runs)


def gap(figure: Figure, runs: Sequence[SessionRows]) -> bool:
    """Valid@3 and Success@3 as the ends of a line for every session."""
    axes = figure.add_subplot()
    for i, run in enumerate(runs):
        won, valid = metrics.success_rate(run.rows), metrics.valid_rate(run.rows)
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
            label=LONG_SUCCESS if not i else None,
        )
        label = LONG_VALID if not i else None
        axes.plot(100 * valid.share, i, "D", color="#0b62a8", label=label)
    axes.set_yticks(range(len(runs)), names(runs))
    axes.set_ylim(len(runs) - 0.4, -0.6)
    axes.set_xlim(-3, 103)
    axes.set_xlabel("episodes, %")
    if runs and runs[0].scored:
        legend(axes, 2)
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
    rows = zip(names(runs), counts, strict=True)
    axes.set_yticks(range(len(runs)), [f"{name}\n{sum(c.values())} events" for name, c in rows])
    axes.invert_yaxis()
    axes.set_xlabel("share of error events, %")
    axes.legend(fontsize=6, frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.4, -0.14))
    return True


def plane(figure: Figure, runs: Sequence[SessionRows]) -> bool:
    """Success@3 against the mean cost of successes; an arrow joins a model's budgets."""
    axes = figure.add_subplot()
    scale = cost_scale(runs[0].info.domain)
    strict, loose = CONDITIONS
    points: dict[str, dict[str, tuple[float, float]]] = defaultdict(dict)
    for run in runs:
        share = metrics.success_rate(run.rows).share
        cost, _ = metrics.cost_of_successes(run.rows)
        if share is not None and cost is not None:
            points[run.info.model][run.info.budget] = (cost / scale.divisor, 100 * share)
    for i, (model, found) in enumerate(points.items()):
        name = plain(model)
        for j, (budget, point) in enumerate(found.items()):
            mark = "o" if budget == strict else "s"
            axes.plot(*point, mark, color=colour(i), label=name if not j else None)
            axes.annotate(budget, point, xytext=(5, 5), textcoords="offset points", fontsize=7)
        if strict in found and loose in found:
            arrow = {"arrowstyle": "->", "color": colour(i)}
            axes.annotate("", found[loose], found[strict], arrowprops=arrow)
    axes.set_xlabel(f"mean cost of successful designs, {scale.text}")
    axes.margins(0.15)
    percent(axes)
    if points:
        legend(axes, len(points))
    return bool(points)
