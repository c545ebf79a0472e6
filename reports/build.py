"""Writes a report folder: all tables of all sessions, in the formats asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.errors import InputError
from reports.report import Report
from reports.tables import render
from reports.tables.base import Table


def write_markdown(report: Report, out: Path) -> Path:
    """index.md: every table under its protocol."""
    lines = ["# PolyBridgeBench report", ""]
    for section in report.sections:
        lines += [f"# {render.markdown_escape(section.title)}", ""]
        lines += [f"**{render.markdown_escape(note)}**\n" for note in section.notes]
        lines += [render.markdown(table) for table in section.tables]
    return _write(out / "index.md", "\n".join(lines))


def write_csv(report: Report, out: Path) -> Path:
    """csv/<table>.csv, variants in a folder each."""
    return _each(report, out / "csv", ".csv", render.csv_text)


def write_latex(report: Report, out: Path) -> Path:
    """latex/<table>.tex, variants in a folder each."""
    return _each(report, out / "latex", ".tex", render.latex)


def _each(report: Report, out: Path, suffix: str, text: Callable[[Table], str]) -> Path:
    for section in report.sections:
        for table in section.tables:
            _write(out / section.folder / f"{table.name}{suffix}", text(table))
    return out


def write_json(report: Report, out: Path) -> Path:
    """tables.json: every cell with all of its numbers, and which sessions they are of."""
    sections = [
        {
            "title": section.title,
            "notes": list(section.notes),
            "tables": [render.as_json(table) for table in section.tables],
        }
        for section in report.sections
    ]
    sessions = [
        {
            "session": s.info.name,
            "model": s.info.model,
            "budget": s.info.budget,
            "variants": list(s.info.variants),
            "episodes": len(s.rows),
            "results": len(s.scored),
        }
        for s in report.sessions
    ]
    content = {"sessions": sessions, "sections": sections}
    return _write(out / "tables.json", json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def write_html(report: Report, out: Path) -> Path:
    """index.html: the offline page with figures, episodes and replays."""
    from reports.html.build import write_html as write_page

    return write_page(report, out)


FORMATS: dict[str, Callable[[Report, Path], Path]] = {
    "html": write_html,
    "md": write_markdown,
    "csv": write_csv,
    "latex": write_latex,
    "json": write_json,
}
"""Format -> what writes it; gives the path to name to a user. A further format registers here
and imports what it needs when it is called."""


def write(report: Report, out: Path, formats: Sequence[str] = tuple(FORMATS)) -> list[Path]:
    """Write the formats into `out`. Raises InputError for an unknown one or a folder in the way."""
    for name in formats:
        if name not in FORMATS:
            raise InputError(f"--format {name!r} is unknown; use some of {', '.join(FORMATS)}")
    try:
        out.mkdir(parents=True, exist_ok=True)
        return [FORMATS[name](report, out) for name in dict.fromkeys(formats)]
    except OSError as error:
        raise InputError(f"--out {out}: cannot be written ({error.strerror})") from None


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path
