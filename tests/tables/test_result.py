"""Results: tables in fields, remarks and options, told to people and to programs."""

from __future__ import annotations

import dataclasses
import io
import json
import math
from dataclasses import dataclass, field
from html import escape
from typing import ClassVar, NamedTuple
from unittest import mock

import pytest

import concordant as cd
from concordant.tables import Input, Note, Provenance, Result, parts, records


class Interval(NamedTuple):
    low: float
    high: float


@dataclass(frozen=True)
class Value:
    estimate: str
    value: float
    interval: Interval | None = field(default=None, metadata=parts("low", "high"))


@dataclass(frozen=True)
class Other:
    pair: str
    cost: float


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Answer(Result):
    function: ClassVar[str] = "ask"

    values: tuple[Value, ...] = records(Value, "Values <of> all")
    others: tuple[Other, ...] | None = records(Other, "Others", spread=("pair", "cost"))
    unasked: tuple[Other, ...] | None = records(Other, "Not asked for")
    answer: int = 42
    undefined: float = math.nan


KEYS = [
    "format",
    "format_version",
    "version",
    "function",
    "command",
    "inputs",
    "options",
    "seed",
    "verdict",
    "values",
    "tables",
    "notes",
]
NOTES = (
    Note("few_topics", "llm", {"topics": 8, "method": "BCa"}),
    Note("systems_dropped", values={"systems": ("é",)}),
)
ANSWER = Answer(
    values=(Value("llm", 0.5, Interval(0.25, math.nan)), Value("rm3", math.nan)),
    others=(Other("a", 1.0), Other("b", 2.0)),
    notes=NOTES,
    options={"seed": 0, "confidence_level": 0.95, "coefficients": (cd.get("tau_b"),)},
)


def test_a_result_becomes_json_and_comes_back_as_the_same_dictionary():
    """Function, options, tables by name and notes: all plain, nan as null, letters as they are."""
    told = ANSWER.to_dict()
    text = ANSWER.to_json()
    assert json.loads(text) == told
    assert "é" in text
    assert text.endswith("}\n")
    assert list(told) == KEYS
    assert (told["format"], told["format_version"], told["version"]) == (
        "concordant-result",
        1,
        cd.__version__,
    )
    assert told["function"] == "ask"
    assert (told["command"], told["inputs"]) == (None, [])
    assert told["options"] == {"confidence_level": 0.95, "coefficients": ["tau_b"]}
    assert told["seed"] == ANSWER.seed == 0
    assert told["verdict"] == []
    assert told["values"] == {"answer": 42, "undefined": None}
    assert told["tables"] == {
        "values": [
            {"estimate": "llm", "value": 0.5, "low": 0.25, "high": None},
            {"estimate": "rm3", "value": None, "low": None, "high": None},
        ],
        "others": [{"pair": "a", "cost": 1.0}, {"pair": "b", "cost": 2.0}],
    }
    assert list(told["notes"][0]) == ["kind", "subject", "values", "text"]
    assert told["notes"][0]["values"] == {"topics": 8, "method": "BCa"}
    assert told["notes"][1]["text"] == str(NOTES[1])


def test_json_says_the_command_and_the_files_if_they_are_known():
    """And a workbook does so in its last sheet."""
    import openpyxl

    inputs = (Input("a b.csv", 12, "ab" * 32), Input("-"))
    known = dataclasses.replace(ANSWER, provenance=Provenance("concordant ask 'a b.csv' -", inputs))
    told = known.to_dict()
    assert told["command"] == "concordant ask 'a b.csv' -"
    assert told["inputs"] == [
        {"file": "a b.csv", "bytes": 12, "sha256": "ab" * 32},
        {"file": "-", "bytes": None, "sha256": None},
    ]
    assert Provenance.from_dict(told) == known.provenance
    assert Provenance.from_dict(ANSWER.to_dict()) is None
    assert known.only("others").provenance == known.provenance
    rows = openpyxl.load_workbook(io.BytesIO(known.to_xlsx()))["about"].iter_rows(values_only=True)
    assert list(rows) == [
        ("about", "value"),
        ("function", "ask"),
        ("version", cd.__version__),
        ("command", "concordant ask 'a b.csv' -"),
        ("seed", 0),
        ("option confidence_level", 0.95),
        ("option coefficients", "tau_b"),
        ("input", "a b.csv"),
        ("bytes", 12),
        ("sha256", "ab" * 32),
        ("input", "-"),
        ("bytes", None),
        ("sha256", None),
    ]


def test_results_of_the_package_become_strict_json():
    """Without NaN, which is no JSON."""

    def refuse(name):
        raise AssertionError(name)

    reference, llm = [[0.1, 0.2, 0.3], [0.3, 0.1, 0.2]], [[0.5, 0.5, 0.5], [0.5, 0.5, 0.5]]
    found = cd.correlate(reference, {"llm": llm}, ["tau_b"], n_resamples=9)
    told = json.loads(found.to_json(), parse_constant=refuse)
    assert told == found.to_dict()
    assert told["tables"]["agreement"][0]["value"] is None


def test_tables_are_found_by_name_and_the_first_by_default():
    """A wrong name is one sentence with those that there are; what was not asked for is not there."""
    assert ANSWER.table().name == "values"
    assert ANSWER.table("others").records == ANSWER.others
    assert ANSWER.table("others").title == "Others"
    assert [table.name for table in ANSWER.tables] == ["values", "others"]
    assert Answer.table_names() == ("values", "others", "unasked")
    for name in ("nothing", "unasked"):
        with pytest.raises(cd.ArgumentError) as error:
            ANSWER.table(name)
        assert error.value.text == f"there is no table {name!r}; there are values, others"
    with pytest.raises(cd.ArgumentError, match="there is no table 'x'"):
        ANSWER.only("x")


def test_only_keeps_one_table_with_notes_and_options():
    """The others are as if they had not been asked for."""
    found = ANSWER.only("others")
    assert type(found) is Answer
    assert found.values is None
    assert found.others == ANSWER.others
    assert [table.name for table in found.tables] == ["others"]
    assert list(found) == list(ANSWER.others)
    assert (found.notes, found.options) == (ANSWER.notes, ANSWER.options)
    assert list(found.to_dict()["tables"]) == ["others"]


def test_a_result_gives_the_records_of_its_first_table():
    """In a loop, as a frame and as comma-separated values."""
    assert list(ANSWER) == list(ANSWER.values)
    frame = ANSWER.to_frame()
    assert list(frame.columns) == ["estimate", "value", "low", "high"]
    assert frame["estimate"].tolist() == ["llm", "rm3"]
    assert ANSWER.to_frame("others")["cost"].tolist() == [1.0, 2.0]
    assert ANSWER.to_csv().splitlines() == ["estimate,value,low,high", "llm,0.5,0.25,", "rm3,,,"]
    assert ANSWER.to_csv("others") == "pair,cost\na,1.0\nb,2.0\n"


def test_text_markdown_and_latex_hold_all_tables_and_notes():
    """Under their titles; notes of LaTeX are comments, line by line."""
    text = ANSWER.to_text()
    assert text.startswith("Values <of> all\n\nestimate")
    assert text.endswith("Notes\n" + "".join(f"- {note}\n" for note in NOTES))
    assert repr(ANSWER) == text.rstrip("\n")
    markdown = ANSWER.to_markdown()
    assert markdown.startswith("## Values &lt;of&gt; all\n\n| estimate | value |")
    assert "\n\n## Others\n\n| a | b |\n" in markdown
    assert markdown.endswith("".join(f"- {note}\n" for note in NOTES))
    latex = ANSWER.to_latex()
    assert latex.startswith("% Values <of> all\n\\begin{tabular}")
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 2
    assert latex.endswith("".join(f"% {note}\n" for note in NOTES))
    bare = dataclasses.replace(ANSWER, notes=())
    assert "Notes" not in bare.to_text()
    assert bare.to_markdown().endswith("|\n")


def test_notebooks_show_all_tables():
    """A heading and a table each."""
    found = ANSWER._repr_html_()
    assert found.count("<table>") == found.count("<h4>") == 2


def test_results_cannot_be_changed():
    """They are answers."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        ANSWER.values = ()


def test_a_page_holds_all_tables_and_notes():
    """Escaped, with no script and no other file."""
    page = ANSWER.to_html()
    assert page.startswith("<!DOCTYPE html>\n")
    assert page.count("<table>") == 2
    assert "<h2>Values &lt;of&gt; all</h2>" in page
    assert all(f"<li>{escape(str(note))}</li>" in page for note in NOTES)
    assert not any(word in page for word in ("<script", "src=", "href=", "http"))
    assert "Notes" not in dataclasses.replace(ANSWER, notes=()).to_html()


def test_a_workbook_has_a_sheet_for_each_table_and_one_for_the_notes():
    """Numbers are numbers, and what is undefined is an empty cell."""
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(ANSWER.to_xlsx()))
    assert book.sheetnames == [*(table.name for table in ANSWER.tables), "notes", "about"]
    rows = [[cell.value for cell in row] for row in book.worksheets[0]]
    assert rows == [["estimate", "value", "low", "high"], ["llm", 0.5, 0.25, None], ["rm3", None, None, None]]
    assert [row[0].value for row in book["notes"]] == ["note", *map(str, NOTES)]
    assert ANSWER.to_xlsx() == ANSWER.to_xlsx()


@dataclass(frozen=True)
class Cells:
    """One cell of each kind."""

    text: str
    flag: bool
    several: tuple[str, ...]
    number: float


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Kinds(Result):
    """A table of all kinds of cells."""

    cells: tuple[Cells, ...] = records(Cells, "Cells")


def test_a_workbook_holds_every_kind_of_cell():
    import openpyxl

    rows = (Cells("=1+1", True, ("a", "b"), math.inf), Cells("12", False, (), 1e300))
    book = openpyxl.load_workbook(io.BytesIO(Kinds(cells=rows).to_xlsx()))
    found = [[(cell.value, cell.data_type) for cell in row] for row in book["cells"]][1:]
    assert found[0] == [("=1+1", "s"), (True, "b"), ("a, b", "s"), ("inf", "s")]
    assert found[1][0] == ("12", "s")
    assert found[1][3] == (1e300, "n")


def test_what_a_sheet_cannot_hold_is_refused():
    with pytest.raises(
        cd.ArgumentError, match=r"table cells has a text of 40000 characters, and a cell at most 32767"
    ):
        Kinds(cells=(Cells("x" * 40_000, True, (), 0.0),)).to_xlsx()
    with (
        mock.patch("concordant.tables.workbook._ROWS", 1),
        pytest.raises(
            cd.ArgumentError, match=r"^to_xlsx: table cells has 2 rows, and a sheet at most 1; write CSV"
        ),
    ):
        Kinds(cells=(Cells("x", True, (), 0.0),)).to_xlsx()
