"""A table as text, Markdown, CSV, LaTeX or JSON. The same table gives the same bytes."""

from __future__ import annotations

import csv
import io
from typing import Any

from reports.metrics import Rate
from reports.tables.base import Cell, Number, Table, cell_lines

RATE_FIELDS = ("n", "N", "low", "high", "family low", "family high", "effective n", "missing")


def text(table: Table) -> str:
    """Plain text with aligned columns; a cell may take several lines."""
    head = [[name] for name in table.columns]
    body = [[list(cell_lines(cell)) for cell in row] for row in table.rows]
    widths = [
        max(len(line) for row in [head, *body] for line in row[i])
        for i in range(len(table.columns))
    ]
    rule = "-" * (sum(widths) + 2 * (len(widths) - 1))
    lines = [table.title, rule, *_text_row(head, widths, table.labels), rule]
    for row in body:
        lines += _text_row(row, widths, table.labels)
    return "\n".join([*lines, rule, *table.notes]) + "\n"


def _text_row(cells: list[list[str]], widths: list[int], labels: int) -> list[str]:
    height = max(len(cell) for cell in cells)
    lines = []
    for y in range(height):
        parts = [cell[y] if y < len(cell) else "" for cell in cells]
        padded = [
            f"{part:<{width}}" if i < labels else f"{part:>{width}}"
            for i, (part, width) in enumerate(zip(parts, widths, strict=True))
        ]
        lines.append("  ".join(padded).rstrip())
    return lines


_MARKDOWN = str.maketrans(
    {c: f"\\{c}" for c in "\\`*_[]|~#"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
)


def markdown_escape(value: str) -> str:
    """Text that Markdown shows as it is: model names and levels are no markup."""
    return " ".join(value.split()).translate(_MARKDOWN)


def markdown(table: Table) -> str:
    """A GitHub table under a heading."""
    align = ["---" if i < table.labels else "---:" for i in range(len(table.columns))]
    rows = [[markdown_escape(name) for name in table.columns], align]
    rows += [["<br>".join(map(markdown_escape, cell_lines(c))) for c in r] for r in table.rows]
    lines = [f"## {markdown_escape(table.title)}", ""]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    notes = [f"- {markdown_escape(note)}" for note in table.notes]
    return "\n".join([*lines, "", *notes]).rstrip() + "\n"


def csv_text(table: Table) -> str:
    """Machine-readable: full precision, a rate spread over several columns, nothing for none."""
    rates = [any(isinstance(row[i], Rate) for row in table.rows) for i in range(len(table.columns))]
    counts = [
        any(isinstance(cell, Number) and cell.count is not None for cell in column)
        for column in ([row[i] for row in table.rows] for i in range(len(table.columns)))
    ]
    header: list[str] = []
    for name, is_rate, has_count in zip(table.columns, rates, counts, strict=True):
        header.append(name)
        header += [f"{name} {field}" for field in RATE_FIELDS] if is_rate else []
        header += [f"{name} n"] if has_count else []
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    for row in table.rows:
        values: list[Any] = []
        for cell, is_rate, has_count in zip(row, rates, counts, strict=True):
            values.append(_plain(cell))
            values += _rate_values(cell) if is_rate else []
            values += [cell.count if isinstance(cell, Number) else None] if has_count else []
        writer.writerow(values)
    return buffer.getvalue()


def _plain(cell: Cell) -> Any:
    if isinstance(cell, Rate):
        return _round(cell.share)
    return _round(cell.value) if isinstance(cell, Number) else cell


def _rate_values(cell: Cell) -> list[Any]:
    if not isinstance(cell, Rate):
        return [None] * len(RATE_FIELDS)
    low, high = cell.interval if cell.total else (None, None)
    family = cell.family or (None, None)
    values = (low, high, *family, cell.effective_n)
    return [cell.successes, cell.total, *map(_round, values), cell.missing]


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        **{c: f"\\{c}" for c in "&%$#_{}"},
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "†": r"$\dagger$",
        "→": r"$\to$",
        "≤": r"$\leq$",
        "<": r"$<$",
        ">": r"$>$",
    }
)


def latex_escape(value: str) -> str:
    """Text that LaTeX sets as it is."""
    return " ".join(value.split()).translate(_LATEX)


def latex(table: Table) -> str:
    """A table for the package booktabs."""
    align = "l" * table.labels + "r" * (len(table.columns) - table.labels)
    lines = [
        r"\begin{table}",
        rf"\caption{{{latex_escape(table.title)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{align}}}",
        r"\toprule",
        " & ".join(map(latex_escape, table.columns)) + r" \\",
        r"\midrule",
    ]
    lines += [" & ".join(map(_latex_cell, row)) + r" \\" for row in table.rows]
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [rf"\par\footnotesize {latex_escape(note)}" for note in table.notes]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def _latex_cell(cell: Cell) -> str:
    lines = [latex_escape(line) for line in cell_lines(cell)]
    if len(lines) == 1:
        return lines[0]
    # The braces keep a line that starts with a bracket from being read as an option.
    return r"\shortstack{" + r" \\ {}".join(lines) + "}"


def as_json(table: Table) -> dict[str, Any]:
    """The table with every number of its cells."""
    return {
        "name": table.name,
        "title": table.title,
        "columns": list(table.columns),
        "labels": table.labels,
        "rows": [[_json_cell(cell) for cell in row] for row in table.rows],
        "notes": list(table.notes),
    }


def _json_cell(cell: Cell) -> Any:
    if isinstance(cell, Number):
        return {"value": _round(cell.value), "n": cell.count}
    if not isinstance(cell, Rate):
        return cell
    return {
        "share": _round(cell.share),
        "n": cell.successes,
        "N": cell.total,
        "missing": cell.missing,
        "interval": [_round(v) for v in cell.interval],
        "family_interval": None if cell.family is None else [_round(v) for v in cell.family],
        "effective_n": _round(cell.effective_n),
    }
