"""Tables of text as Markdown, LaTeX, HTML and comma-separated values."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from concordant.errors import harmless, visible

Rows = Sequence[Sequence[str]]

# What a spreadsheet may read as a formula, also in the wide forms of East Asian scripts; and what looks like
# a name that `csv_text` changed.
FORMULA = re.compile(r"'*[=+\-@＝＋－＠\t\r]|'+\\")


def markdown(header: Sequence[str], rows: Rows, right: Collection[int] = ()) -> str:
    """Return a Markdown table; cells are Markdown already."""
    rule = ["---:" if c in right else "---" for c in range(len(header))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, rule, *rows))


def markdown_escape(plain: str) -> str:
    """Escape what Markdown would take for HTML, a link, code, emphasis or the end of a cell."""
    # "]" only where it makes a link, "_" only at the ends of words
    escaped = re.sub(r"[\\|`*]|\](?=[(\[:])|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", plain)
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def latex(header: Sequence[str], lines: Sequence[str], right: Collection[int] = ()) -> str:
    """Return a LaTeX table for the booktabs package; heads and lines are LaTeX already."""
    columns = "".join("r" if c in right else "l" for c in range(len(header)))
    head = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", rf"{' & '.join(header)} \\", r"\midrule"]
    return "\n".join([*head, *lines, r"\bottomrule", r"\end{tabular}"])


def html(
    header: Sequence[str],
    rows: Rows,
    right: Collection[int] = (),
    sections: Mapping[int, str] | None = None,
    drawn: Mapping[tuple[int, int], str] | None = None,
    foot: int | None = None,
) -> str:
    """Return an HTML table, with headings above rows, pictures in cells, and a foot from a row on."""
    from html import escape

    def cell(tag: str, c: int, content: str, picture: str = "") -> str:
        align = "right" if c in right else "left"
        return f'<{tag} style="text-align: {align}">{escape(content)}{picture}</{tag}>'

    def line(tag: str, cells: Sequence[str], r: int = -1) -> str:
        found = (cell(tag, c, content, (drawn or {}).get((r, c), "")) for c, content in enumerate(cells))
        above = ""
        if sections and r in sections:
            above = f'<tr><th colspan="{len(header)}">{escape(sections[r])}</th></tr>'
        return f"{above}<tr>{''.join(found)}</tr>"

    foot = len(rows) if foot is None else foot
    body = "".join(line("td", row, r) for r, row in enumerate(rows[:foot]))
    below = "".join(line("td", row, r) for r, row in enumerate(rows[foot:], foot))
    below = f"<tfoot>{below}</tfoot>" if below else ""
    return f"<table><thead>{line('th', header)}</thead><tbody>{body}</tbody>{below}</table>"


def csv_text(rows: Iterable[Sequence[object]], mark: str = ",") -> str:
    """Return rows as comma-separated values; numbers with all digits, None as an empty cell.

    A text that begins with =, +, - or @, after any number of quotes, gets one quote (') before it, so that no
    spreadsheet reads it as a formula. A text with control characters, or that begins with a backslash, begins
    with a quote and a backslash, and has escapes, so that each row is a line. Reading undoes both.
    """
    import csv
    import io

    def name(text: str) -> str:
        if text.isprintable() and text[:1].isalnum():  # most names
            return text
        if text.startswith("\\") or harmless(text) != text:
            return "'\\" + harmless(text.replace("\\", r"\\"))
        return f"'{text}" if FORMULA.match(text) else text

    content = io.StringIO()
    writer = csv.writer(content, delimiter=mark, lineterminator="\n")
    writer.writerows([name(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return content.getvalue()


def json_text(content: object, indent: int | None = None) -> str:
    """Return JSON in UTF-8; control characters are escaped."""
    import json

    text = json.dumps(content, indent=indent, ensure_ascii=False)
    return "\n".join(visible(line, json.dumps) for line in text.split("\n")) + "\n"


def latex_escape(plain: str) -> str:
    """Escape what LaTeX would take for a command, or show as another sign."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {"<": "$<$", ">": "$>$"}
    return "".join(special.get(c, f"\\{c}" if c in "&%$#_{}" else c) for c in plain)
