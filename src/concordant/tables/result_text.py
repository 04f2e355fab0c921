"""A result as text, Markdown, LaTeX, and as the cell of a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from concordant.errors import visible
from concordant.tables.layout import wrapped
from concordant.tables.render import markdown_escape

if TYPE_CHECKING:
    from concordant.tables.result import Result
    from concordant.tables.table import Table

__all__ = ["ROWS", "as_cell", "as_latex", "as_markdown", "as_text", "main_table"]

ROWS = 60  # rows of a table in short


def main_table(result: Result[Any]) -> Table:
    """Return the table that is shown in short: the first, or another that the class names."""
    named = [table for table in result.tables if table.name == result.main and table.records]
    return named[0] if named else result.tables[0]


def _shown(result: Result[Any], details: bool, table: str | None) -> tuple[list[str], tuple[Table, ...]]:
    """Return the verdict and the tables to show."""
    if table is not None:
        return [], (result.table(table),)
    return list(map(visible, result.verdict)), result.tables if details else (main_table(result),)


def as_text(result: Result[Any], details: bool, width: int | None, table: str | None, more: str) -> str:
    """Return a result as plain text; see `Result.to_text`."""
    verdict, tables = _shown(result, details, table)
    blocks = [wrapped(" ".join(verdict), width)] if verdict else []
    short = not details and table is None
    for each in tables:
        text = each.to_text(width, not short, ROWS if short else None)
        blocks.append([*wrapped(each.title, width), "", text])
    remarks = (result if table is None else result.only(table)).notes
    if remarks:
        notes = (line for note in remarks for line in wrapped(f"- {note}", width, "  "))
        blocks.append(["Notes", *notes])
    others = result.left_out() if short else ()
    if more and others:
        blocks.append(wrapped(more.replace("{tables}", ", ".join(others)), width))
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def as_markdown(result: Result[Any], details: bool, table: str | None) -> str:
    """Return a result as Markdown; see `Result.to_markdown`."""
    verdict, tables = _shown(result, details, table)
    parts = [markdown_escape(" ".join(verdict))] if verdict else []
    for each in tables:
        bold = result.emphasised(each.name)
        body = each.to_markdown(details or table is not None, bold)
        parts.append(f"## {markdown_escape(each.title)}\n\n{body}")
        parts += [f"Bold: {markdown_escape(result.emphasis)}."] if bold else []
    parts += ["\n".join(f"- {markdown_escape(str(note))}" for note in result.notes)] if result.notes else []
    return "\n\n".join(parts) + "\n"


def as_latex(result: Result[Any], details: bool, table: str | None) -> str:
    """Return a result as LaTeX; see `Result.to_latex`."""
    verdict, tables = _shown(result, details, table)
    parts = ["\n".join(f"% {sentence}" for sentence in verdict)] if verdict else []
    for each in tables:
        bold = result.emphasised(each.name)
        meaning = f"% bold: {result.emphasis}\n" if bold else ""
        body = each.to_latex(details or table is not None, bold)
        parts.append(f"% {each.title}\n{meaning}{body}")
    parts += ["\n".join(f"% {note}" for note in result.notes)] if result.notes else []
    return "\n\n".join(parts) + "\n"


def as_cell(result: Result[Any]) -> str:
    """Return the HTML that a notebook shows: the verdict, the first table and the notes."""
    from html import escape

    parts = [f"<p>{escape(visible(sentence))}</p>" for sentence in result.verdict]
    parts += [f"<h4>{escape(table.title)}</h4>{table.to_html()}" for table in result.tables[:1]]
    notes = "".join(f"<li>{escape(str(note))}</li>" for note in result.notes)
    parts += [f"<ul>{notes}</ul>"] if notes else []
    others = ", ".join(table.name for table in result.tables[1:])
    parts += [f"<p>more, by <code>result.table(name)</code>: {others}</p>"] if others else []
    return "".join(parts)
