"""A result as one web page: the verdict, linked figures, sortable tables, and the provenance.

The page needs no other file and no network. Its content security policy allows only its own two scripts and
its own style, so that a name that looks like HTML is shown as text. The numbers are stored once, as JSON; the
script makes the tables and the figures from them. Without scripts, the verdict, the first table and the notes
are shown.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from concordant.errors import ArgumentError, ArgumentTypeError, missing_library, public, visible
from concordant.figures.choices import choices_of, several_measures
from concordant.figures.citing import citations
from concordant.figures.draw import chart_of, datasets_of, figure_names
from concordant.reading.files import write_whole
from concordant.results.markup import json_text
from concordant.results.result import Result
from concordant.results.table import Table

_LABELS = {"estimate": "Judge or estimate", "measure": "Measure", "coefficient": "Coefficient"}
# The columns of tables that name systems, and those that name what can be chosen.
_SYSTEMS = ("system", "better", "worse", "better_by_reference", "better_by_estimate", "run", "other_run")
_CHOSEN = {
    "estimate": ("estimate", "best", "other"),
    "measure": ("measure",),
    "coefficient": ("coefficient",),
}
_DRAWN_BY = (
    " The figures are drawn by Vega, Vega-Lite and Vega-Embed, which are part of this file (© University of "
    "Washington Interactive Data Lab and contributors, BSD 3-Clause License)."
)
_STATIC_ROWS = 100  # rows of the first table, for readers without scripts


@public
def report(result: Result[Any], path: str | os.PathLike[str], *, title: str | None = None) -> None:
    """Write a result as a web page: one file that needs no other file.

    It contains the verdict, linked figures, sortable tables, the notes, how to cite, and all data as JSON. It
    needs Altair and vl-convert: ``pip install 'concordant[plot]'``.

    Parameters
    ----------
    result : Result
        The result of a function such as `judge`, `correlate` or one of ``cd.experiments``.
    path : str or path
        The file, such as ``"report.html"``. An existing file is replaced.
    title : str, optional
        The heading; by default that of the first table.

    Examples
    --------
    >>> import tempfile
    >>> import concordant as cd
    >>> human = {"q1": {"a": 0.2, "b": 0.5, "c": 0.3}, "q2": {"a": 0.4, "b": 0.3, "c": 0.2}}
    >>> llm = {"q1": {"a": 0.3, "b": 0.6, "c": 0.4}, "q2": {"a": 0.5, "b": 0.2, "c": 0.1}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cd.report(cd.judge(human, {"llm": llm}, n_resamples=99), folder + "/report.html")
    """
    if not isinstance(result, Result):
        raise ArgumentTypeError(f"takes a result, got {type(result).__name__}")
    write_whole(path, page_of(result, title))


def page_of(result: Result[Any], title: str | None = None) -> str:
    """Return a result as a page with all its figures and tables."""
    charts = {}
    for name in figure_names(type(result)):
        try:
            charts[name] = chart_of(result, name)
        except ArgumentError:  # the result lacks the data of the figure
            continue
    return _page(result, charts, result.tables, title)


def page_of_figure(result: Any, chart: Any) -> str:
    """Return a page with one figure and the tables that it shows."""
    shown = datasets_of(result, chart)
    tables = tuple(table for table in result.tables if table.name in shown)
    heading = _figure("figure", chart, [])["heading"]
    return _page(result, {"figure": chart}, tables or result.tables[:1], heading)


def _page(result: Result[Any], charts: Mapping[str, Any], tables: Sequence[Table], title: str | None) -> str:
    figures = []
    for name, chart in charts.items():
        shown = datasets_of(result, chart)
        figures.append(_figure(name, chart, [table.name for table in tables if table.name in shown]))
    about = result.to_dict()
    del about["tables"]
    described = [_described(table) for table in tables]
    data = {
        "tables": described,
        "figures": figures,
        "choices": _choices(result, described, figures),
        "several_measures": several_measures(result),
        "function": result.function,
    }
    style, script = _template("page.css"), _template("page.js")
    library = _library() if figures else ""
    scripts = [library, script] if library else [script]
    heading = title or (tables[0].title if tables else f"concordant {result.function}")
    return Template(_template("page.html")).substitute(
        policy=_policy(scripts, style),
        title=escape(visible(heading)),
        made_by=escape(f"concordant {result.function}".strip()),
        version=escape(result.version()),
        style=style,
        verdict=_paragraphs(result.verdict),
        first_table=_static(tables[0]) if tables else "",
        figures="".join(map(_figure_html, figures)),
        figures_hidden="" if figures else " hidden",
        tables="".join(_table_html(table, k == 0) for k, table in enumerate(tables)),
        notes=_list(map(str, result.notes)) or "<p>There are none.</p>",
        citations=_list(citations(result)),
        origin=_origin(about),
        drawn_by=_DRAWN_BY if figures else "",
        about=_json(about),
        data=_finite(_json(data)),
        scripts="\n".join(f"<script>{each}</script>" for each in scripts),
    )


def _figure(name: str, chart: Any, tables: list[str]) -> dict[str, Any]:
    """Return a figure for the page: its heading is HTML, and its data are the tables of the page."""
    spec = chart.to_dict(validate=False)
    title = spec.get("title")
    parts = title if isinstance(title, dict) and "expr" not in title else {"text": title}
    lines = _lines(parts.get("text"))
    if lines:
        spec.pop("title", None)  # it is the heading in the page
    heading = " ".join(lines) or name.replace("_", " ").capitalize()
    spec["datasets"] = {key: rows for key, rows in spec.get("datasets", {}).items() if key not in tables}
    caption = _unwrapped(_lines(parts.get("subtitle"))) if lines else []
    below = f"The numbers are in the table {' and the table '.join(tables)}." if tables else ""
    description = " ".join([spec.pop("description", f"{heading}."), *caption, below]).strip()
    return {
        "name": name,
        "heading": heading,
        "caption": caption,
        "description": description,
        "tables": tables,
        "spec": spec,
    }


def _lines(text: Any) -> list[str]:
    """Return the lines of a title; only the first of an expression, because the page shows the choice."""
    if isinstance(text, dict):
        found = re.match(r'\[?("(?:[^"\\]|\\.)*")', text.get("expr", ""))
        return [json.loads(found[1])] if found else []
    return [str(line) for line in text] if isinstance(text, list) else [text] if text else []


def _unwrapped(lines: Sequence[str]) -> list[str]:
    """Join lines that were broken to fit into a figure.

    A line that begins with a key, as in "dashed: the same rank" or "× swapped", stays a line.
    """
    width = max(map(len, lines), default=0)
    found: list[str] = []
    fits = True
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        found = [*found, line] if fits else [*found[:-1], f"{found[-1]} {line}"]
        word = after.partition(" ")[0]
        fits = word.endswith(":") or word == "×" or len(f"{line} {word}") <= width
    return found


def _described(table: Table) -> dict[str, Any]:
    """Return a table for the page: names of columns once, and what the columns are."""
    rows = [list(row.values()) for row in table.to_dicts()]
    columns = list(table.columns)
    systems = [name for name in columns if name in _SYSTEMS]
    if "run" in systems and "other" in columns:
        systems.append("other")
    chosen = {
        choice: [name for name in names if name in columns]
        for choice, names in _CHOSEN.items()
        if choice != "estimate" or not ("reference" in columns or "run" in columns)
    }
    return {
        "name": table.name,
        "title": table.title,
        "columns": columns,
        "decimals": [_decimals(row[c] for row in rows) for c in range(len(columns))],
        "n": len(rows),
        "systems": systems,
        "chosen": {choice: names for choice, names in chosen.items() if names},
        "cells": [_column([row[c] for row in rows]) for c in range(len(columns))],
    }


def _column(cells: list[Any]) -> Any:
    """Return the cells of a column; a repeated text is stored once, and referred to by number."""
    texts = {cell: None for cell in cells if isinstance(cell, str)}
    if 2 * len(texts) > sum(isinstance(cell, str) for cell in cells) or len(texts) == 0:
        return cells
    place = {text: k for k, text in enumerate(texts)}
    return {"texts": list(texts), "at": [place[c] if isinstance(c, str) else c for c in cells]}


def _decimals(cells: Iterable[Any]) -> int:
    """Return the number of decimals that are shown: none for whole numbers, such as ranks."""
    numbers = [cell for cell in cells if isinstance(cell, float)]
    whole = all(cell.is_integer() for cell in numbers) and any(abs(cell) > 1 for cell in numbers)
    return 4 if numbers and not whole else 0


def _choices(
    result: Result[Any], tables: Iterable[Mapping[str, Any]], figures: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return what can be chosen, and the first choice; nothing if there is only one value."""
    first = {
        param["name"]: param.get("value") for each in figures for param in each["spec"].get("params", [])
    }
    chosen = {choice for table in tables for choice in table["chosen"]}
    return [
        {"name": choice, "label": _LABELS[choice], "values": values, "first": first.get(choice, values[0])}
        for choice, values in choices_of(result).items()
        if choice in chosen and len(values) > 1
    ]


def _policy(scripts: Iterable[str], style: str) -> str:
    """Return the content security policy: nothing is loaded, and only these scripts and this style run."""

    def sha(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    return (
        f"default-src 'none'; script-src {' '.join(map(sha, scripts))}; style-src {sha(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _json(content: Any) -> str:
    """Return JSON that is safe within HTML."""
    text = json_text(content, indent=None).rstrip("\n")
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _finite(text: str) -> str:
    """Replace infinite numbers by 1e999, which a browser reads as infinite; JSON has no word for it."""
    return re.sub(
        r'"(?:[^"\\]|\\.)*"|Infinity', lambda found: "1e999" if found[0] == "Infinity" else found[0], text
    )


@cache
def _template(name: str) -> str:
    return files("concordant.figures").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _library() -> str:
    """Return the JavaScript that draws the figures, of the version in which they are specified."""
    try:
        import altair as alt
        import vl_convert as vlc
    except ImportError:
        raise missing_library("a page", "altair and vl-convert-python", "plot") from None
    wanted = ".".join(alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])
    known = vlc.get_vegalite_versions()
    version = wanted if wanted in known else known[-1]
    text: str = vlc.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=version)
    # In HTML these would end the script or begin a comment. In a string their escapes mean the same. A tab is
    # escaped because the output must not contain control characters.
    escapes = {"\r\n": "\n", "</script": "<\\/script", "<!--": "<\\!--", '"\t"': r'"\t"'}
    for mark, escape_of in escapes.items():
        text = text.replace(mark, escape_of)
    return text


def _paragraphs(sentences: Iterable[str]) -> str:
    return "".join(f'<p dir="auto">{escape(visible(each))}</p>' for each in sentences)


def _list(items: Iterable[str]) -> str:
    entries = "".join(f'<li dir="auto">{escape(visible(each))}</li>' for each in items)
    return f"<ul>{entries}</ul>" if entries else ""


def _static(table: Table) -> str:
    """Return a table for readers without scripts; the others see one that can be sorted."""
    header, rows, numbers = table.for_people()
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in header)
    marks = [' class="number"' if c in numbers else "" for c in range(len(header))]
    body = "".join(
        "<tr>"
        + "".join(f"<td{mark}><bdi>{escape(cell)}</bdi></td>" for mark, cell in zip(marks, row, strict=True))
        + "</tr>"
        for row in rows[:_STATIC_ROWS]
    )
    left = len(rows) - _STATIC_ROWS
    more = f"<p>{left} more rows are in the data of this page.</p>" if left > 0 else ""
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{more}"


def _figure_html(figure: Mapping[str, Any]) -> str:
    name, heading = escape(figure["name"]), escape(visible(figure["heading"]))
    lines = "".join(f"<span>{escape(visible(line))}</span> " for line in figure["caption"])
    caption = f'<p class="lines" dir="auto">{lines}</p>' if lines else ""
    links = ", ".join(
        f'<a class="to-table" href="#table-{escape(each)}">{escape(each.replace("_", " "))}</a>'
        for each in figure["tables"]
    )
    below = f'<p class="below">Data: {links}</p>' if links else ""
    return (
        f'<figure id="figure-{name}" data-figure="{name}"><figcaption><h3 dir="auto">{heading}</h3>'
        f'<p class="shows" hidden></p>{caption}</figcaption>'
        f'<div class="chart" role="group" aria-label="{heading}"></div>{below}</figure>\n'
    )


def _table_html(table: Table, first: bool) -> str:
    name, rows = escape(table.name), len(table.records)
    count = f'<span class="count">{rows} row{"" if rows == 1 else "s"}</span>'
    return (
        f'<details id="table-{name}" data-table="{name}"{" open" if first else ""}>'
        f"<summary><h3>{escape(table.title)}</h3> {count}</summary></details>\n"
    )


def _origin(about: Mapping[str, Any]) -> str:
    """Return how the result was made: command, version, options, files."""
    parts = []
    if about.get("command"):
        parts.append(
            f'<h3>Command</h3><pre tabindex="0"><code>{escape(visible(about["command"]))}</code></pre>'
        )
    options = dict(about.get("options") or {})
    if about.get("seed") is not None:
        options["seed"] = about["seed"]
    lines = [f"<dt>concordant</dt><dd>{escape(str(about.get('version', '')))}</dd>"]
    lines += [f"<dt>{escape(visible(str(k)))}</dt><dd>{escape(_value(v))}</dd>" for k, v in options.items()]
    parts.append(f"<h3>Version and options</h3><dl>{''.join(lines)}</dl>")
    inputs = about.get("inputs") or []
    if inputs:
        rows = "".join(
            f"<tr><td><bdi>{escape(visible(str(each['file'])))}</bdi></td>"
            f'<td class="number">{"" if each["bytes"] is None else each["bytes"]}</td>'
            f"<td><code>{escape(each['sha256'] or '')}</code></td></tr>"
            for each in inputs
        )
        parts.append(
            f"<details><summary><h3>Files that were read</h3> "
            f'<span class="count">{len(inputs)}</span></summary>'
            '<div class="scroll" role="group" tabindex="0" aria-label="Files that were read"><table>'
            '<thead><tr><th scope="col">file</th><th scope="col">bytes</th><th scope="col">SHA-256</th></tr>'
            f"</thead><tbody>{rows}</tbody></table></div></details>"
        )
    return "".join(parts)


def _value(value: Any) -> str:
    """Return the value of an option for people."""
    if isinstance(value, list):
        return ", ".join(map(_value, value))
    return visible("none" if value is None else str(value))
