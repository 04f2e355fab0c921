"""Small tables of results as text, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence

Rows = Sequence[Sequence[str]]


def text(header: Sequence[str], rows: Rows, right: Sequence[int] = ()) -> str:
    """Return aligned columns for a terminal; columns in `right` are flush right."""
    widths = [max(len(row[c]) for row in (header, *rows)) for c in range(len(header))]
    lines = [header, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(cell.rjust(w) if c in right else cell.ljust(w) for c, (cell, w) in enumerate(zip(line, widths, strict=True)))
        .rstrip()
        for line in lines
    )  # fmt: skip


def markdown(header: Sequence[str], rows: Rows, right: Sequence[int] = ()) -> str:
    """Return a Markdown table."""
    rule = ["---:" if c in right else "---" for c in range(len(header))]
    cells = [[cell.replace("|", r"\|") for cell in row] for row in (header, rule, *rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def latex(header: Sequence[str], rows: Rows, right: Sequence[int] = ()) -> str:
    """Return a LaTeX table for the booktabs package; cells are LaTeX already."""
    columns = "".join("r" if c in right else "l" for c in range(len(header)))
    body = [rf"{' & '.join(row)} \\" for row in rows]
    return "\n".join(
        [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", rf"{' & '.join(header)} \\", r"\midrule", *body,
         r"\bottomrule", r"\end{tabular}"]
    )  # fmt: skip


def latex_escape(plain: str) -> str:
    """Escape what LaTeX would take for a command."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(special.get(c, f"\\{c}" if c in "&%$#_{}" else c) for c in plain)
