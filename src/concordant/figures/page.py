"""A result as one web page: the verdict, linked figures, sortable tables, and the provenance.

The page needs no other file and no network. Its content security policy allows only its own scripts and its
own style, so that a name that looks like HTML is shown as text. The numbers are stored once, as JSON; the
script makes the tables and the figures from them. Without scripts, the verdict, the first table and the notes
are shown.
"""

from __future__ import annotations

import base64
import hashlib
import heapq
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from html import escape
from importlib.resources import files
from itertools import product
from string import Template
from typing import Any

from concordant.coefficients.declaration import Coefficient
from concordant.errors import ArgumentTypeError, public, visible
from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.draw import bare_spec, converter, figure_of, figures_of, named_data, picture
from concordant.figures.judge_values import finding as finding_of
from concordant.figures.kit import CONFIG, Figure, distinct
from concordant.reading.files import write_whole
from concordant.results.note import Note, told_once
from concordant.results.result import Result, without_tables
from concordant.results.table import Table

_LABELS = {"estimate": "Judge or estimate", "measure": "Measure", "coefficient": "Coefficient"}
# The columns of tables that name systems, and those that name what can be chosen.
_SYSTEMS = ("system", "better", "worse", "run", "other_run")
_CHOSEN = {name: (name, "other") if name == "estimate" else (name,) for name in _LABELS}
_DRAWN_BY = (
    " The figures are drawn by Vega, Vega-Lite and Vega-Embed, which are part of this file (© University of "
    "Washington Interactive Data Lab and contributors, BSD 3-Clause License)."
)
_COSTS = ("reference_difference", "estimate_difference", "cost")
_MOST_ANSWERS = 200  # to what can be chosen
_LONGEST = 110  # characters of a heading
_MOST_ROWS = 1800  # of a table from which no figure is drawn


@public
def report(result: Result[Any], path: str | os.PathLike[str], *, title: str | None = None) -> None:
    """Write a result as a web page: one file that needs no other file.

    It contains the verdict, linked figures, sortable tables, the notes, how to cite, and the data as JSON; a
    long table that no figure shows is shortened. It needs vl-convert: ``pip install 'concordant[plot]'``.

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
    ...     cd.report(cd.judge(human, {"llm": llm}, resampling=None), folder + "/report.html")
    """
    if not isinstance(result, Result):
        raise ArgumentTypeError(f"takes a result, got {type(result).__name__}")
    write_whole(path, page_of(result, title))


def page_of(result: Result[Any], title: str | None = None, *, with_figures: bool = True) -> str:
    """Return a result as a page with all its tables, and with the figures for which it has the data."""
    tables = Tables(result)
    return _page(tables, dict(figures_of(tables)) if with_figures else {}, list(tables), title, with_figures)


def _answers(tables: Tables, figures: Mapping[str, Figure], whole: bool) -> Iterator[tuple[Any, Any, str]]:
    """Yield the answer to each choice, the whole one first: what is chosen, the result, and its finding."""
    result, rows = tables.result, tables.rows("agreement")
    if not rows or not figures:
        titles = [each.words[0] for each in figures.values()]
        titles += [sentence.rstrip(".") for sentence in result.verdict[:1] if len(sentence) <= _LONGEST]
        yield {}, result, next(filter(None, titles), "") if whole else ""
        return
    values: dict[str, list[Any]] = {name: tables.choices[name] for name in ("measure", "estimate")}
    values["coefficient"] = distinct(rows, "coefficient")
    while math.prod(len(each) + 1 for each in values.values()) > _MOST_ANSWERS and len(values) > 1:
        values.pop(list(values)[1])
    values = {name: [None, *own[name == "coefficient" :]] for name, own in values.items() if len(own) > 1}
    for choice in product(*values.values()):
        chosen = {name: value for name, value in zip(values, choice, strict=True) if value is not None}
        told = tables.narrowed(**chosen)
        if told.agreement:
            yield chosen, told, finding_of(told)


def page_of_figure(result: Any, name: str | None = None, **choices: str | None) -> str:
    """Return a page with one figure and the tables that it shows."""
    tables = Tables(result, choices.pop("highlight", None))
    figure = figure_of(tables, name, **choices)
    shown = named_data(figure.spec) | set(figure.linked)
    own = [table for table in tables if table.name in shown]
    return _page(tables, {"figure": figure}, own or list(tables)[:1], None, True)


def _page(
    tables: Tables, figures: Mapping[str, Figure], shown: Sequence[Table], title: str | None, whole: bool
) -> str:
    result = tables.result
    names = [table.name for table in shown]
    drawn = [_drawn(name, figure, names) for name, figure in figures.items()]
    used = {name for each in drawn for name in each["data"]}
    short = [table for table in shown if len(table.records) > _MOST_ROWS and table.name not in used]
    held = {table.name: _shortened(tables.columns(table.name)) for table in short}
    described = [_described(table, held.get(table.name) or tables.columns(table.name)) for table in shown]
    notes = [*result.notes, *map(_rows_left_out, short)]
    about = without_tables(replace(result, notes=tuple(notes)))
    choices = _choices(tables, described, figures.values())
    data: dict[str, Any] = {"tables": described, "figures": drawn, "config": CONFIG, "choices": choices}
    data |= {"several_measures": tables.several_measures, "function": result.function}
    answers = list(_answers(tables, figures, whole))
    heading = title or answers[0][2] or (shown[0].title if shown else f"concordant {result.function}")
    data["answers"] = [{"choice": choice, "title": title or said or heading} for choice, _, said in answers]
    lost = [f"! {line}" for line in told_once(note for note in result.notes if note.lost)]
    # The first figure is there before the scripts have run, which draw it again to point at and to choose.
    still = picture(result, tables) if whole and figures and len(figures) > 1 else ""
    still = f'<div class="still" aria-hidden="true">{_STYLE.sub("", still)}</div>' if still else ""
    style, scripts = _template("page.css"), [*([_library()] if drawn else []), _template("page.js")]
    return Template(_template("page.html")).substitute(
        policy=_policy(scripts, style),
        title=escape(visible(heading)),
        made_by=escape(f"concordant {result.function}".strip()),
        version=escape(result.version()),
        style=style,
        question=escape(visible(result.question if whole else "")),
        verdict=_each((_paragraphs(told.verdict) for _, told, _ in answers), "said"),
        answer=_each((_answer(tables, *each[:2], whole) for each in answers), "answer"),
        first_figure=still,
        lost=_paragraphs(lost),
        figures_hidden="" if drawn else " hidden",
        notes=_list(map(str, notes)) or "<p>There are none.</p>",
        citations=_list(citations(result)),
        origin=_origin(about),
        drawn_by=_DRAWN_BY if drawn else "",
        about=_json(about),
        data=_finite(_json(data)),
        scripts="\n".join(f"<script>{each}</script>" for each in scripts),
    )


def _drawn(name: str, figure: Figure, tables: Sequence[str]) -> dict[str, Any]:
    """Return a figure for the page: its heading is HTML, and its data are the tables of the page."""
    data = [table for table in tables if table in named_data(figure.spec)]
    linked = [table for table in tables if table in data or table in figure.linked]
    heading = figure.words[0] or name.replace("_", " ").capitalize()
    caption = [line for line in figure.caption if line]
    below = f"The numbers are in the table {' and the table '.join(linked)}." if linked else ""
    description = " ".join([f"{heading}.", *caption, below]).strip()
    words = {"name": name, "heading": heading, "caption": caption, "description": description}
    return {**words, "tables": linked, "data": data, "spec": bare_spec(figure), "said": list(figure.said)}


def _shortened(columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return as many rows as a page holds; of pairs of systems, those in opposite order that cost most."""
    rows: Iterable[int] = range(_MOST_ROWS)
    if set(_COSTS) <= set(columns):
        numbers = (columns[name] for name in _COSTS)
        order = [(x * y >= 0, -(cost or 0)) for x, y, cost in zip(*numbers, strict=True)]
        rows = heapq.nsmallest(_MOST_ROWS, range(len(order)), key=order.__getitem__)
    return {name: [cells[row] for row in rows] for name, cells in columns.items()}


def _rows_left_out(table: Table) -> Note:
    total = len(table.records)
    text = f"the page holds {_MOST_ROWS:,} of {total:,} rows of the table {table.name}; the JSON file has all"
    return Note(
        "rows_left_out", text=text, values={"table": table.name, "rows": total, "held": _MOST_ROWS}, lost=True
    )


def _described(table: Table, columns: dict[str, list[Any]]) -> dict[str, Any]:
    """Return a table for the page: names of columns once, and what the columns are."""
    systems = [name for name in columns if name in _SYSTEMS]
    systems += ["other"] if "run" in systems and "other" in columns else []
    chosen = {
        choice: [name for name in names if name in columns]
        for choice, names in _CHOSEN.items()
        if choice != "estimate" or not ("reference" in columns or "run" in columns)
    }
    return {
        "name": table.name,
        "title": table.title,
        "columns": list(columns),
        "decimals": [_decimals(cells) for cells in columns.values()],
        "n": len(next(iter(columns.values()), [])),
        "total": len(table.records),
        "systems": systems,
        "chosen": {choice: names for choice, names in chosen.items() if names},
        "cells": [_column(cells) for cells in columns.values()],
    }


def _column(cells: list[Any]) -> Any:
    """Return the cells of a column; a repeated text is stored once, and referred to by number."""
    given = [cell for cell in cells if isinstance(cell, str)]
    place = {text: k for k, text in enumerate(dict.fromkeys(given))}
    if 2 * len(place) > len(given) or not place:
        return cells
    return {"texts": list(place), "at": [place[cell] if isinstance(cell, str) else cell for cell in cells]}


def _decimals(cells: Iterable[Any]) -> int:
    """Return the number of decimals that are shown: none for whole numbers, such as ranks."""
    numbers = [cell for cell in cells if isinstance(cell, float)]
    whole = all(cell.is_integer() for cell in numbers) and any(abs(cell) > 1 for cell in numbers)
    return 4 if numbers and not whole else 0


def _choices(
    tables: Tables, described: Iterable[Mapping[str, Any]], figures: Iterable[Figure]
) -> list[dict[str, Any]]:
    """Return what can be chosen, and the first choice; nothing if there is only one value."""
    first = {name: value for figure in figures for name, value in figure.params.items()}
    chosen = {choice for table in described for choice in table["chosen"]}
    return [
        {"name": choice, "label": _LABELS[choice], "values": values, "first": first.get(choice, values[0])}
        for choice, values in tables.choices.items()
        if choice in chosen and len(values) > 1
    ]


def _policy(scripts: Iterable[str], style: str) -> str:
    """Return the content security policy: nothing is loaded, and only these scripts and this style run."""

    def sha(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    allowed = f"script-src {' '.join(map(sha, scripts))}; style-src {sha(style)}; img-src data:"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _json(content: Any) -> str:
    """Return JSON that is safe within HTML."""
    return json.dumps(content, separators=(",", ":")).replace("<", "\\u003c")


def _finite(text: str) -> str:
    """Replace infinite numbers by 1e999, which a browser reads as infinite; JSON has no word for it."""
    if "Infinity" not in text:
        return text
    parts = re.compile(r'"(?:[^"\\]|\\.)*"|Infinity')
    return parts.sub(lambda found: "1e999" if found[0] == "Infinity" else found[0], text)


@cache
def _template(name: str) -> str:
    return files("concordant.figures").joinpath("templates", name).read_text(encoding="utf-8")


# What the policy of the page forbids, what is said elsewhere, and digits that nobody sees.
_SAID = "style|role|class|pointer-events|font-family|stroke-miterlimit|aria-[a-z]+"
_STYLE = re.compile(rf' (?:{_SAID})="[^"]*"| transform="translate\(0,0\)"| opacity="1"|(?<=\.\d\d)\d+')
_SNIPPET = "window.vegaEmbed = vegaEmbed;"
_CODE = f"""
import sys, vl_convert as vlc
bundle = vlc.javascript_bundle({_SNIPPET!r}, vl_version=vlc.get_vegalite_versions()[-1])
sys.stdout.buffer.write(bundle.encode())
"""
_ahead: list[subprocess.Popen[bytes]] = []  # the process that bundles the JavaScript, if one does


@contextmanager
def bundling_ahead() -> Iterator[None]:
    """Bundle the JavaScript in a process of its own while the result of a page is computed.

    This takes longer than all else about a page, and vl-convert lets no other thread run meanwhile.
    """
    with suppress(OSError):  # the page then bundles it itself
        if sys.executable and not _library.cache_info().currsize:
            call, none = [sys.executable, "-P", "-c", _CODE], subprocess.DEVNULL
            _ahead.append(subprocess.Popen(call, stdin=none, stdout=subprocess.PIPE, stderr=none))
    try:
        yield
    finally:
        while _ahead:
            with _ahead.pop() as process:
                process.kill()


@cache
def _library() -> str:
    """Return the JavaScript that draws the figures."""
    vlc, version = converter("a page")
    text: str = _ahead[0].communicate()[0].decode() if _ahead else ""
    if not text or _ahead[0].returncode:
        text = vlc.javascript_bundle(_SNIPPET, vl_version=version)
    # In HTML these would end the script or begin a comment. In a string their escapes mean the same. A tab is
    # escaped because the output must not contain control characters.
    escapes = {"\r\n": "\n", "</script": "<\\/script", "<!--": "<\\!--", '"\t"': r'"\t"'}
    for mark, escape_of in escapes.items():
        text = text.replace(mark, escape_of)
    return text


def _list(items: Iterable[str]) -> str:
    entries = "".join(f'<li dir="auto">{escape(visible(each))}</li>' for each in items)
    return f"<ul>{entries}</ul>" if entries else ""


def _paragraphs(lines: Iterable[str]) -> str:
    return "".join(f'<p dir="auto">{escape(visible(line))}</p>' for line in lines)


def _each(parts: Iterable[str], kind: str) -> str:
    """Return a part for each answer; only the first is seen, until something is chosen."""
    hidden = ("", " hidden")
    return "".join(f'<div class="{kind}"{hidden[k > 0]}>{part}</div>' for k, part in enumerate(parts))


def _answer(tables: Tables, choice: dict[str, str], told: Result[Any], whole: bool) -> str:
    """Return the table of an answer and the lines below it."""
    several = whole and len({row.measure for row in getattr(told, "agreement", None) or ()}) > 1
    grid = told.answer_in_print() if several else told.answer() if whole else Result.answer(told)
    # The policy of the page allows no style in a tag.
    table = grid.to_html().replace(' style="text-align: right"', ' class="number"')
    table = table.replace(' style="text-align: left"', "")
    # The lines are about the first coefficient.
    first = {name: value for name, value in choice.items() if name != "coefficient"}
    beside = (tables.narrowed(**first) if choice else told).beside if whole else ()
    if several:  # the columns are measures
        narrowed: Any = tables.narrowed(**choice)
        coefficient = narrowed.agreement[0].coefficient
        level = kit.level_text(told.options, "confidence intervals")
        beside = (", ".join(filter(None, (str(coefficient), level))), *beside)
    return f'<div class="scroll{" pivot" * several}">{table}</div>{_paragraphs(beside)}'


def _origin(about: Mapping[str, Any]) -> str:
    """Return how the result was made: command, version, options, files."""
    command = escape(visible(about.get("command") or ""))
    parts = [f'<h3>Command</h3><pre tabindex="0"><code>{command}</code></pre>'] if command else []
    seed = {} if about.get("seed") is None else {"seed": about["seed"]}
    options = {**(about.get("options") or {}), **seed}
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


# --- how to cite a result: concordant, and the papers of its coefficients ---


def citations(result: Result[Any]) -> list[str]:
    """Return the references for a result as plain text; concordant comes first."""
    own = f"The concordant authors. concordant: how well two rankings agree. Version {result.version()}."
    known = papers()
    return [own, *(known[key] for key in _cited(result) if key in known)]


def _cited(result: Result[Any]) -> list[str]:
    """Return the papers of the coefficients in the tables, without repetitions."""
    found: dict[str, None] = {}
    for table in result.tables:
        first = vars(table.records[0]) if table.records else {}
        names = [name for name, value in first.items() if isinstance(value, Coefficient)]
        for record in table.records if names else ():
            values = (getattr(record, name) for name in names)
            found |= {value.cite: None for value in values if isinstance(value, Coefficient) and value.cite}
    return list(found)


@cache
def papers() -> dict[str, str]:
    """Return the references by key: in references.bib, the line above an entry says it as plain text."""
    text = files("concordant").joinpath("references.bib").read_text(encoding="utf-8")
    return {key: plain for plain, key in re.findall(r"^(\S.*)\n@\w+\{(\w+),", text, re.MULTILINE)}
