"""Tables of records: the same rows as text, Markdown, LaTeX, CSV, HTML, dictionaries and frames."""

from __future__ import annotations

import csv
import io
import math
import re
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import pytest

import concordant as cd
from concordant.results.markup import latex_escape
from concordant.results.table import (
    Grid,
    Table,
    Valued,
    absent,
    column_texts,
    intervals_in_text,
    parts,
    plain,
    to_frame,
)


class Interval(NamedTuple):
    low: float
    high: float

    def __str__(self):
        return f"[{self.low:.2f}, {self.high:.2f}]"


class Symbol:
    def __str__(self):
        return "tau_b(0.1)"

    def latex(self):
        return r"\tau_{b}^{0.1}"


@dataclass(frozen=True)
class Row:
    name: str
    top_k: int | None
    value: float | None
    interval: Interval | None = field(default=None, metadata=parts("low", "high"))
    sure: bool = True


ROWS = (
    Row("a_1 & <b>|", None, 0.5, Interval(0.25, 0.75)),
    Row("50% $x$ #1", None, -0.123456789, None, False),
    Row("plain", None, math.nan, Interval(-1.0, 1.0)),
)
TABLE = Table("rows", "Some rows", Row, ROWS)


def test_text_is_aligned_and_leaves_out_empty_columns():
    """Numbers are flush right, what is undefined is a dash, and an interval is one column."""
    assert TABLE.to_text().splitlines() == [
        "name        value  interval       sure",
        "----------  -----  -------------  ----",
        "a_1 & <b>|   0.50  [0.25, 0.75]   yes",
        "50% $x$ #1  -0.12  -              no",
        "plain           -  [-1.00, 1.00]  yes",
    ]


def test_markdown_escapes_the_bar():
    """And aligns numbers to the right."""
    assert TABLE.to_markdown().splitlines() == [
        "| name | value | interval | sure |",
        "| --- | ---: | --- | --- |",
        r"| a_1 &amp; &lt;b&gt;\| | 0.50 | [0.25, 0.75] | yes |",
        "| 50% $x$ #1 | -0.12 | - | no |",
        "| plain | - | [-1.00, 1.00] | yes |",
    ]


def test_latex_escapes_commands_and_writes_minus_signs():
    """What has a symbol is a formula; a dash is an en dash."""
    assert TABLE.to_latex().splitlines() == [
        r"\begin{tabular}{lrll}",
        r"\toprule",
        r"name & value & interval & sure \\",
        r"\midrule",
        r"a\_1 \& $<$b$>$| & $0.50$ & $[0.25, 0.75]$ & yes \\",
        r"50\% \$x\$ \#1 & $-0.12$ & -- & no \\",
        r"plain & -- & $[-1.00, 1.00]$ & yes \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    assert latex_escape("\\~^{}") == r"\textbackslash{}\textasciitilde{}\textasciicircum{}\{\}"

    @dataclass(frozen=True)
    class OfSymbol:
        coefficient: Symbol
        value: float

    found = Table("t", "T", OfSymbol, (OfSymbol(Symbol(), 1.0),))
    assert r"$\tau_{b}^{0.1}$ & $1.00$ \\" in found.to_latex()
    assert found.to_dicts() == [{"coefficient": "tau_b(0.1)", "value": 1.0}]


def test_html_escapes_marks():
    """No name can become a tag."""
    found = TABLE.to_html()
    assert "<b>" not in found
    assert '<td style="text-align: left">a_1 &amp; &lt;b&gt;|</td>' in found
    assert '<td style="text-align: right">-0.1235</td>' in found
    assert found.count("<tr>") == 4
    assert found.count("<th ") == 4


def test_csv_has_all_columns_and_all_digits():
    """An interval is two columns; what is undefined or missing is an empty cell."""
    read = list(csv.reader(io.StringIO(TABLE.to_csv())))
    assert read == [
        ["name", "top_k", "value", "low", "high", "sure"],
        ["a_1 & <b>|", "", "0.5", "0.25", "0.75", "True"],
        ["50% $x$ #1", "", "-0.123456789", "", "", "False"],
        ["plain", "", "", "-1.0", "1.0", "True"],
    ]
    tricky = Table("t", "T", Row, (Row('a,"b"\nc', 1, 2.0),))
    assert next(iter(csv.DictReader(io.StringIO(tricky.to_csv()))))["name"] == r"""'\a,"b"\nc"""


def test_dictionaries_have_plain_values_under_all_columns():
    """Programs find every column, also one of only None."""
    assert TABLE.columns == ("name", "top_k", "value", "low", "high", "sure")
    first, second, third = TABLE.to_dicts()
    assert first == {
        "name": "a_1 & <b>|",
        "top_k": None,
        "value": 0.5,
        "low": 0.25,
        "high": 0.75,
        "sure": True,
    }
    assert (second["low"], second["high"], second["value"]) == (None, None, -0.123456789)
    assert third["value"] is None
    frame = TABLE.to_frame()
    assert list(frame.columns) == list(TABLE.columns)
    assert frame["low"].tolist()[::2] == [0.25, -1.0]
    assert frame["top_k"].isna().all()


def test_columns_come_back_for_people_once_one_record_has_a_value():
    """With a blank in place of the line below its name."""
    found = Table("rows", "Some rows", Row, (*ROWS, Row("last", 10, 1.0)))
    grid = found.grid(details=True)
    assert grid.header == ["name", "top k", "value", "interval", "sure"]
    assert column_texts(grid.columns[1]) == ["-", "-", "-", "10"]
    assert grid.numeric == {1, 2}


def test_a_table_without_records_has_its_header_everywhere():
    """Nothing says which columns are empty, so all are shown."""
    empty = Table("rows", "Some rows", Row, ())
    assert empty.to_text().splitlines()[0].split("  ") == ["name", "top k", "value", "interval", "sure"]
    assert empty.to_csv() == "name,top_k,value,low,high,sure\n"
    assert empty.to_dicts() == []
    assert list(empty.to_frame().columns) == list(empty.columns)
    assert empty.to_markdown().count("\n") == 1
    assert empty.to_html().count("<tr>") == 1
    assert r"\midrule" in empty.to_latex()


@dataclass(frozen=True)
class Long:
    topic: str
    coefficient: str
    value: float


LONG = tuple(
    Long(topic, name, value)
    for topic, values in (("401", (0.1, 0.2)), ("402", (0.3,)), ("403", (0.5, math.nan)))
    for name, value in zip(("tau_b", "tau_h"), values, strict=False)
)


def test_spread_makes_columns_of_values_for_people_only():
    """Cells that no record has are dashes; programs get the records."""
    found = Table("topics", "Each topic", Long, LONG, spread=("coefficient", "value"))
    assert found.to_text().splitlines() == [
        "topic  tau_b  tau_h",
        "-----  -----  -----",
        "401     0.10   0.20",
        "402     0.30      -",
        "403     0.50      -",
    ]
    assert found.to_markdown().splitlines()[0] == "| topic | tau_b | tau_h |"
    assert r"topic & tau\_b & tau\_h \\" in found.to_latex()
    assert found.columns == ("topic", "coefficient", "value")
    assert len(found.to_dicts()) == len(LONG)
    assert found.to_csv().splitlines()[1] == "401,tau_b,0.1"
    empty = Table("topics", "Each topic", Long, (), spread=("coefficient", "value"))
    assert empty.to_text().splitlines()[0] == "topic  coefficient  value"


def test_spread_heads_may_have_a_symbol():
    """In LaTeX the head of a column is a formula."""

    @dataclass(frozen=True)
    class OfSymbol:
        topic: str
        coefficient: Symbol
        value: float

    symbol = Symbol()
    found = Table("t", "T", OfSymbol, (OfSymbol("401", symbol, 0.5),), spread=("coefficient", "value"))
    assert r"topic & $\tau_{b}^{0.1}$ \\" in found.to_latex()
    assert found.to_text().splitlines()[0] == "topic  tau_b(0.1)"


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (None, None),
        (math.nan, None),
        (np.float64(0.5), 0.5),
        (np.float64("nan"), None),
        (True, True),
        (3, 3),
        ("text", "text"),
        ((1.0, math.nan), [1.0, None]),
        ({1: np.float64(2.0)}, {"1": 2.0}),
        (cd.coefficient("tau_b(0.1)"), "tau_b(0.1)"),
        (Interval(0.0, math.nan), [0.0, None]),
    ],
)
def test_cells_for_programs_are_plain(cell, expected):
    """Text, numbers of Python, True and False, or None; within lists and dictionaries as well."""
    found = plain(cell)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "0.0000"), (1e-5, "1e-05"), (0.0001, "0.0001"), (-2e9, "-2e+09"), (12345.678, "12345.6780")],
)
def test_very_small_and_very_large_numbers_are_short(value, shown):
    """Four digits after the point where these say something."""
    assert column_texts(Table("t", "T", Long, (Long("1", "c", value),)).grid(True).columns[2]) == [shown]


@dataclass(frozen=True)
class Judged:
    judge: str
    measure: str
    top: int | None = field(metadata=absent("all"))
    coefficient: Symbol | str
    value: float
    interval: Interval | None = field(metadata=parts("low", "high", of="value"))
    reason: str | None = None


JUDGED = (
    Judged("noisy", "AP", None, "tau_b", 0.94202, Interval(0.88372, 0.9996)),
    Judged("noisy", "AP", 10, "tau_b", -0.82, Interval(-0.98, math.nan)),
    Judged("partial", "AP", None, "tau_b", 0.998, None),
)


def test_in_short_a_value_and_its_interval_are_one_cell():
    """What is the same in all rows is a line above; with details there are all columns and digits."""
    found = Table("judged", "Judged", Judged, JUDGED)
    assert (
        found.to_text().splitlines()
        == [
            "measure AP, coefficient tau_b",
            "",
            "judge    top  value",
            "-------  ---  --------------------",
            "noisy    all   0.94 [0.88, 0.9996]",
            "noisy     10  -0.82 [-0.98, -]",
            "partial  all  0.998",
        ]
        or found.to_text().splitlines()[4:] == []
    )
    details = found.to_text(details=True).splitlines()
    assert details[0].split() == ["judge", "measure", "top", "coefficient", "value", "interval"]
    assert details[2].split()[:5] == ["noisy", "AP", "-", "tau_b", "0.9420"]
    assert found.to_csv().splitlines()[1] == "noisy,AP,,tau_b,0.94202,0.88372,0.9996,"


def test_a_single_row_keeps_its_columns():
    """There is nothing to compare it with; values stay in the table even if they are the same."""
    one = Table("judged", "Judged", Judged, JUDGED[:1])
    assert one.to_text().splitlines()[0].split() == ["judge", "measure", "coefficient", "value"]
    equal = tuple(Judged(name, "AP", None, "tau_b", 1.0, None) for name in "ab")
    assert Table("judged", "Judged", Judged, equal).to_text().splitlines() == [
        "measure AP, coefficient tau_b",
        "",
        "judge  value",
        "-----  -----",
        "a       1.00",
        "b       1.00",
    ]


def test_values_close_to_an_end_are_not_rounded_to_it():
    """Neither in short nor with details; only 1 itself is shown as 1."""
    rows = tuple(Long(str(i), "c", value) for i, value in enumerate((1.0, 0.99999, 1e-7, 0.0)))
    for details in (False, True):
        text = Table("t", "T", Long, rows).to_text(None, details)
        shown = [line.split()[-1] for line in text.splitlines()[-4:]]
        whole = ("1.0000", "0.0000") if details else ("1.00", "0.00")
        assert shown == [whole[0], ">0.9999", "1e-07", whole[1]]


def test_bold_and_dagger_are_of_the_value():
    """Not of its interval."""
    grid = Table("judged", "Judged", Judged, JUDGED).grid()
    marked = replace(grid, best=frozenset({(0, 2)}), worse=frozenset({(1, 2)}))
    lines = marked.to_latex().splitlines()
    assert lines[0] == "% measure AP, coefficient tau_b"
    assert r"noisy & all & $\mathbf{0.94}$ {\scriptsize $[0.88, 0.9996]$} \\" in lines
    assert r"noisy & $10$ & $-0.82$ {\scriptsize $[-0.98, -]$}$^\dagger$ \\" in lines
    assert r"partial & all & $0.998$ \\" in lines
    rows = marked.to_markdown().splitlines()
    assert "| noisy | all | **0.94** [0.88, 0.9996] |" in rows
    assert "| noisy | 10 | -0.82 [-0.98, -]† |" in rows
    tiny = Table("t", "T", Long, (Long("1", "c", 2.5e-7), Long("2", "d", math.inf)))
    assert r"1 & c & $2.5 \times 10^{-7}$ \\" in tiny.to_latex()
    assert r"2 & d & $\infty$ \\" in tiny.to_latex()


def test_sections_and_the_foot():
    """Headings above rows in every form; in LaTeX a rule is above the foot."""
    rows = [
        ["a", Valued(0.5, (0.25, 0.75))],
        ["b & c", Valued(0.1, None)],
        ["other", Valued(0.2, (0.0, 1.0))],
    ]
    grid = Grid({}, ["judge", "tau"], rows, 2, sections={1: "worse <"}, foot=1, drawn=1)
    text = grid.to_text().splitlines()
    assert text[3] == "-- worse < --"
    assert [line.split()[0] for line in text[4:]] == ["b", "other"]
    assert text[2].endswith("       ├────●───┤")
    assert not re.search("[├●┤]", text[4] + grid.to_text(30))
    latex = grid.to_latex().splitlines()
    assert latex[5:9] == [
        r"\multicolumn{2}{l}{\emph{worse $<$}} \\",
        r"b \& c & $0.10$ \\",
        r"\midrule",
        r"other & $0.20$ {\scriptsize $[0.00, 1.00]$} \\",
    ]
    assert grid.to_markdown().splitlines()[3] == "| *worse &lt;* |  |"
    html = grid.to_html()
    assert html.count("<svg") == 2
    assert "worse &lt;" in html


@pytest.mark.parametrize(
    ("cells", "drawn"),
    [
        ([(0.5, (0.0, 1.0)), (0.5, (0.5, 0.5))], ["├────●────┤", "     ●"]),
        ([(1.0, (0.0, 1.0)), (0.0, (0.0, 1.0))], ["├─────────●", "●─────────┤"]),
        ([(2.0, (0.0, 1.0)), (0.5, None)], ["├─────────●", ""]),
        ([(math.nan, (0.0, 1.0)), (0.1, (math.nan, 1.0))], ["", ""]),
    ],
)
def test_intervals_are_drawn_on_one_scale(cells, drawn):
    """From the least end to the largest; the value is a dot, and is always within what is drawn."""
    assert intervals_in_text([Valued(*cell) for cell in cells], 11) == drawn


@pytest.mark.parametrize("details", [False, True])
def test_latex_is_balanced_whatever_the_names(details):
    """Braces and dollars come in pairs, and every row has as many cells."""
    names = ["a_b", "50%", "$x", "}{", "\\", "a & b", "x#~^"]
    rows = tuple(Judged(name, name[::-1], None, name, 0.5, Interval(0.1, 0.9)) for name in names)
    table = Table("judged", "Judged", Judged, rows).grid(details)
    table = replace(table, best=frozenset({(0, 1), (3, 1)}), worse=frozenset({(1, 1)})).to_latex()
    bare = re.sub(r"\\[\\{}$%&#_]", "", table)
    assert bare.count("{") == bare.count("}")
    assert bare.count("$") % 2 == 0
    body = bare.split(r"\midrule")[1].split(r"\bottomrule")[0].strip().splitlines()
    assert len({line.count("&") for line in body}) == 1
    assert "%" not in bare.split(r"\midrule")[1]


def test_few_rows_of_each_curve_are_evenly_spaced():
    """With the first and the last, and a line that says how many there are."""
    rows = tuple(Long(name, str(step), step / 20) for name in ("a", "b") for step in range(21))
    found = Table("t", "T", Long, rows, few=5)
    lines = found.in_short(60).to_text().splitlines()
    assert [line.split()[:2] for line in lines[2:-2]] == [
        [name, str(step)] for name in ("a", "b") for step in (0, 5, 10, 15, 20)
    ]
    assert lines[-1] == "(10 of 42 rows)"
    plain_table = Table("t", "T", Long, rows)
    assert plain_table.in_short(4).to_text().splitlines()[-1] == "(4 of 42 rows)"
    assert (
        len(plain_table.in_short(42).to_text().splitlines()) == len(plain_table.to_text().splitlines()) == 44
    )


def test_rows_become_a_frame():
    """With the columns asked for, in their order."""
    frame = to_frame([{"b": 1, "a": 2}], ["a", "b"])
    assert list(frame.columns) == ["a", "b"]
    assert frame.iloc[0].tolist() == [2, 1]
