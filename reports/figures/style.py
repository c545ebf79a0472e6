"""What all drawings share: colours, marks, names, axes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from reports.rows import EpisodeRow, SessionRows
from reports.tables.base import labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7f7f7f", "#b8a900")
"""Colours that people who see no red or no green tell apart (Okabe and Ito's)."""
MARKERS = "osD^vPX*"
MANY = 5


def names(runs: Sequence[SessionRows]) -> list[str]:
    """What a legend calls each session."""
    return [f"{plain(m)} {b}" for b, m in labels(runs)]


def plain(name: str) -> str:
    """A name as matplotlib shows it: $...$ is no formula, and _ in front hides no label."""
    text = name[:28].replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def colour(index: int) -> str:
    """The colour of the session of that number."""
    return COLOURS[index % len(COLOURS)]


def legend(axes: Axes, count: int) -> None:
    """A legend of so many entries below the figure."""
    figure = axes.get_figure()
    if figure is not None:
        size = 7 if count <= MANY else 6
        figure.legend(loc="outside lower center", fontsize=size, ncols=3, frameon=False)


def percent(axes: Axes) -> None:
    """An upright axis from none to all of the episodes."""
    axes.set_ylim(-3, 103)
    axes.set_ylabel("episodes, %")


def levels_by(axes: Axes, rows: Sequence[EpisodeRow], kind: Callable[[EpisodeRow], str]) -> None:
    """Levels counted by kind, in the colour of their group; `rows` are one a level."""
    counts = Counter(kind(row) for row in rows)
    group_of = {kind(row): row.group for row in rows}
    for i, group in enumerate(dict.fromkeys(group_of.values())):
        mine = [name for name in counts if group_of[name] == group]
        title = f"{group or 'unknown'} ({sum(counts[name] for name in mine)})"
        axes.barh(mine, [counts[name] for name in mine], color=colour(i), label=title)
    axes.invert_yaxis()
    axes.tick_params(axis="y", labelsize=6)
    axes.set_xlabel("levels")
    axes.legend(fontsize=6, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.13))
