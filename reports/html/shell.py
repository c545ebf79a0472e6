"""index.html: the headline and the tables as plain HTML, escaped throughout."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reports import metrics
from reports.face import face_of
from reports.figures import figures_of
from reports.report import Report
from reports.rows import SessionRows
from reports.tables.base import Cell, cell_lines

TEMPLATES = Path(__file__).parent / "templates"
OPEN_TABLES = ("main", "groups")
BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\x00-\x08\x0b-\x1f\x7f]")
OUTCOMES = (
    ("success", "Success", "✓"),
    ("failure_or_timeout", "Failed in physics", "✕"),
    ("invalid", "Never valid", "!"),
    ("infra_error", "Infrastructure error", "?"),
    ("none", "Not run", "·"),
)


def visible(text: object) -> str:
    """A text whose direction controls are shown, not obeyed."""
    return BIDI.sub(lambda match: f"[U+{ord(match[0]):04X}]", str(text))


def render_shell(report: Report, levels: int, figures: Sequence[Path]) -> str:
    """The page's HTML; `levels` is how many the map shows, `figures` the files that were drawn."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(visible=visible, lines=_lines, bar=_bar)
    face = face_of(report.domain)
    captions = {figure.name: figure.caption for figure in figures_of(report.domain)}
    return environment.get_template("index.html.j2").render(
        cards=[_summary(session) for session in report.sessions],
        sections=report.sections,
        outcomes=OUTCOMES,
        open_tables=OPEN_TABLES,
        figures=[(path.name, captions[path.stem]) for path in figures if path.suffix == ".svg"],
        levels=levels,
        question=face.question,
        styles=[path.name for path in face.assets if path.suffix == ".css"],
        scripts=[path.name for path in face.assets if path.suffix == ".js"],
    )


def _summary(session: SessionRows) -> dict[str, Any]:
    """A session's card: its rates, and its outcomes as a bar."""
    counts = {name: 0 for name, _, _ in OUTCOMES}
    for row in session.rows:
        counts[row.outcome or "none"] += 1
    left, parts = 0.0, []
    for name, label, sign in OUTCOMES:
        if counts[name]:
            width = 100 * counts[name] / len(session.rows)
            parts.append((name, label, sign, counts[name], round(left, 3), round(width, 3)))
            left += width
    return {
        "info": session.info,
        "total": len(session.rows),
        "missing": session.missing,
        "parts": parts,
        "rates": (
            ("Success@1", metrics.success_rate(session.rows, 1)),
            (metrics.LONG_SUCCESS, metrics.success_rate(session.rows)),
            (metrics.LONG_VALID, metrics.valid_rate(session.rows)),
            (metrics.LONG_RECOVERY, metrics.recovery_rate(session.rows, session.info)),
        ),
    }


def _lines(cell: Cell) -> list[str]:
    return [visible(line) for line in cell_lines(cell)]


def _bar(cell: Cell) -> float | None:
    """The width of a rate's bar in percent, None where a cell has none."""
    if not isinstance(cell, metrics.Rate) or cell.share is None:
        return None
    return round(100 * cell.share, 2)
