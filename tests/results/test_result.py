"""Results: tables in fields, remarks and options, told to people and to programs."""

from __future__ import annotations

import dataclasses
import io
import json
import math
import pickle
from dataclasses import dataclass, field
from html import escape
from typing import ClassVar, NamedTuple
from unittest import mock

import pytest

import concordant as cd
from concordant.results.note import Note
from concordant.results.result import Result, records
from concordant.results.table import parts
from concordant.statistics.confidence import ConfidenceInterval


class Interval(NamedTuple):
    low: float
    high: float


@dataclass(frozen=True)
class Value:
    estimate: str
    value: float
    interval: Interval | None = field(default=None, metadata=parts("low", "high", of="value"))


@dataclass(frozen=True)
class Other:
    pair: str
    cost: float


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Answer(Result):
    function: ClassVar[str] = "ask"

    values: tuple[Value, ...] = records(Value, "Values <of> all")
    others: tuple[Other, ...] | None = records(Other, "Others", spread=("pair", "cost"))
    unasked: tuple[Other, ...] | None = records(Other, "Not asked for", needs="a question")
    total: int = 42
    undefined: float = math.nan


EVIL = '</td><script>alert("1")</script>'
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
    Note(
        "few_topics",
        text="with only 8 topics intervals by BCa are too narrow; use the method standard",
        values={"topics": 8, "method": "BCa"},
        subject="llm",
        lost=True,
    ),
    Note("systems_dropped", text="dropped 1 system: é", values={"systems": ("é",)}),
)
ANSWER = Answer(
    values=(Value("llm", 0.5, Interval(0.25, math.nan)), Value("rm3", math.nan)),
    others=(Other("a", 1.0), Other("b", 2.0)),
    notes=NOTES,
    options={"seed": 0, "confidence_level": 0.95, "coefficients": (cd.coefficient("tau_b"),)},
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
    assert told["values"] == {"total": 42, "undefined": None}
    assert told["tables"] == {
        "values": [
            {"estimate": "llm", "value": 0.5, "low": 0.25, "high": None},
            {"estimate": "rm3", "value": None, "low": None, "high": None},
        ],
        "others": [{"pair": "a", "cost": 1.0}, {"pair": "b", "cost": 2.0}],
    }
    assert list(told["notes"][0]) == ["kind", "subject", "values", "text", "lost", "table"]
    assert told["notes"][0]["values"] == {"topics": 8, "method": "BCa"}
    assert told["notes"][1]["text"] == NOTES[1].text


def test_json_says_the_command_and_the_files_if_they_are_known():
    """And a workbook does so in its last sheet."""
    import openpyxl

    inputs = [
        {"file": "a b.csv", "bytes": 12, "sha256": "ab" * 32},
        {"file": "-", "bytes": None, "sha256": None},
    ]
    provenance = {"command": "concordant ask 'a b.csv' -", "inputs": inputs}
    known = dataclasses.replace(ANSWER, provenance=provenance)
    told = known.to_dict()
    assert told["command"] == "concordant ask 'a b.csv' -"
    assert told["inputs"] == inputs
    assert (ANSWER.to_dict()["command"], ANSWER.to_dict()["inputs"]) == (None, [])
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
    found = cd.correlate(reference, {"llm": llm}, ["tau_b"], resampling=cd.Resampling(n_resamples=9))
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
    for name, message in (
        ("nothing", "there is no table 'nothing'"),
        ("unasked", "this answer has no table 'unasked', which needs a question"),
    ):
        with pytest.raises(cd.ArgumentError) as error:
            ANSWER.table(name)
        assert error.value.text == f"{message}; there are values, others"
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
    """Under their titles, with details; notes of LaTeX are comments, line by line."""
    text = ANSWER.to_text(details=True, width=None)
    assert text.startswith("Values <of> all\n\nestimate")
    assert "\n\nOthers\n\n" in text
    assert text.endswith(f"Notes\n! {NOTES[0]}\n- {NOTES[1]}\n")
    markdown = ANSWER.to_markdown(details=True)
    assert markdown.startswith("## Values &lt;of&gt; all\n\n| estimate | value |")
    assert "\n\n## Others\n\n| a | b |\n" in markdown
    assert markdown.endswith("".join(f"- {note}\n" for note in NOTES))
    latex = ANSWER.to_latex(details=True)
    assert latex.startswith("% Values <of> all\n\\begin{tabular}")
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 2
    assert latex.endswith("".join(f"% {note}\n" for note in NOTES))
    bare = dataclasses.replace(ANSWER, notes=())
    assert "Notes" not in bare.to_text()
    assert bare.to_markdown().endswith("|\n")


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Told(Answer):
    """An answer with a verdict, a best value, and what stands beside it."""

    main: ClassVar[tuple[str, ...]] = ("unasked",)

    @property
    def verdict(self):
        return ("The llm is <best>.", "It is 50% better than rm3, which is a sentence of many words.")

    def answer_in_print(self):
        return dataclasses.replace(self.answer(), best=frozenset({(0, 1)}), worse=frozenset({(1, 1)}))

    @property
    def beside(self):
        return ("Moved most: é 1 → 50%",)

    @property
    def caption(self):
        return "bold: the best 50%."


TOLD = Told(**{name: getattr(ANSWER, name) for name in ("values", "others", "notes", "options")})


def test_the_answer_in_short_is_verdict_first_table_notes_and_what_else_there_is():
    """Within 80 columns, as it prints."""
    text = TOLD.to_text()
    assert repr(TOLD) == text.rstrip("\n")
    assert all(len(line) <= 80 for line in text.splitlines())
    verdict, title, _, below, _ = text.split("\n\n")
    assert verdict.replace("\n", " ") == " ".join(TOLD.verdict)
    assert title == "Values <of> all"
    assert "Others" not in text
    note = "! llm: with only 8 topics intervals by BCa are too narrow; use the method\n  standard"
    assert below == f"Moved most: é 1 → 50%\n{note}"
    assert NOTES[1].text not in text
    assert text.endswith("\n\nMore: print(result.to_text(details=True)), or result.table(NAME): others\n")
    assert TOLD.to_text(more="see {tables}").endswith("\n\nsee others\n")
    assert TOLD.to_text(more="").endswith(f"{note}\n")
    assert "More" not in TOLD.to_text(details=True)


def test_one_table_is_shown_without_the_verdict():
    """With the notes about it and about everything; a wrong name is refused."""
    notes = tuple(Note("x", text=f"about {name or 'all'}", table=name) for name in ("", "others", "values"))
    text = dataclasses.replace(TOLD, notes=notes).to_text(table="others")
    assert text.startswith("Others\n\n")
    assert text.endswith("\n\nNotes\n- about all\n- about others\n")
    assert "More" not in text
    assert "best" not in TOLD.to_markdown(table="others") + TOLD.to_latex(table="others")
    for render in (TOLD.to_text, TOLD.to_markdown, TOLD.to_latex):
        with pytest.raises(cd.ArgumentError, match="there is no table 'x'"):
            render(table="x")


def test_the_verdict_comes_first_and_the_caption_explains_bold():
    """In LaTeX the verdict, the lines below and what was lost are comments."""
    latex = TOLD.to_latex().splitlines()
    assert latex[:2] == [f"% {sentence}" for sentence in TOLD.verdict]
    assert r"\caption{bold: the best 50\%.}" in latex
    assert r"llm & $\mathbf{0.50}$ {\scriptsize $[0.25, -]$} \\" in latex
    assert r"rm3 & --$^\dagger$ \\" in latex
    assert latex[-2:] == ["% Moved most: é 1 → 50%", f"% {NOTES[0]}"]
    assert TOLD.to_latex().count(r"\begin{tabular}") == 1
    markdown = TOLD.to_markdown()
    assert markdown.startswith("The llm is &lt;best&gt;. It is 50% better")
    assert "| llm | **0.50** [0.25, -] |" in markdown
    assert "| rm3 | -† |" in markdown
    assert markdown.endswith(f"\n\nbold: the best 50%.\n\n- Moved most: é 1 → 50%\n- {NOTES[0]}\n")


def test_a_question_stands_in_place_of_the_title():
    """In every form."""

    class Asked(Told):
        @property
        def question(self):
            return "Who is <best>?"

    asked = Asked(**{name: getattr(ANSWER, name) for name in ("values", "others", "notes", "options")})
    assert asked.to_text().startswith("Who is <best>?\n\nThe llm is <best>.")
    assert "<h4>Who is &lt;best&gt;?</h4>" in asked._repr_html_()
    for text in (asked.to_text(), asked._repr_html_(), asked.to_markdown(), asked.to_latex()):
        assert "Values" not in text


def test_a_class_may_name_the_table_that_is_shown_in_short():
    """If it has records; the first table is still the first for programs."""
    found = dataclasses.replace(TOLD, unasked=(Other("x", 0.5),))
    assert "Not asked for" in found.to_text().splitlines()
    assert found.left_out() == ("values", "others")
    assert list(found) == list(TOLD.values)
    assert TOLD.left_out() == ("others",)


def test_many_rows_are_not_shown_in_short():
    """A line says how many there are, and the table is among those to ask for."""
    found = Answer(values=tuple(Value(str(i), i / 100) for i in range(70)))
    assert "(60 of 70 rows)" in found.to_text()
    assert found.left_out() == ("values",)
    assert "rows)" not in found.to_text(details=True)


def test_notebooks_show_the_verdict_the_first_table_and_the_notes():
    """And the other tables, folded; all names are escaped."""

    class Hostile(Answer):
        @property
        def verdict(self):
            return (f"{EVIL} is the best",)

    evil = Hostile(
        values=(Value(EVIL, 0.5),),
        others=(Other(EVIL, 1.0),),
        notes=(Note("systems_dropped", text=f"dropped {EVIL}", values={"systems": (EVIL,)}, subject=EVIL),),
    )
    found = evil._repr_html_()
    assert "<script" not in found
    assert found.startswith(f"<p>{escape(EVIL)} is the best</p><h4>Values &lt;of&gt; all</h4><table>")
    assert found.count("<table>") == 2  # the second is folded
    assert found.count(escape(EVIL)) == 5
    assert "<code>result.table('others')</code>" in found
    bare = ANSWER.only("values")._repr_html_()
    lost, folded = bare.split("<details><summary>Notes</summary>")
    assert (lost.count(NOTES[0].text), folded.count(NOTES[0].text)) == (1, 0)
    assert folded.count("<li>") == 1
    assert "result.table" not in bare


def test_results_cannot_be_changed():
    """They are answers."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        ANSWER.values = ()


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
        mock.patch("concordant.results.xlsx._ROWS", 1),
        pytest.raises(
            cd.ArgumentError, match=r"^to_xlsx: table cells has 2 rows, and a sheet at most 1; write CSV"
        ),
    ):
        Kinds(cells=(Cells("x", True, (), 0.0),)).to_xlsx()


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Single(Result):
    """A result without tables."""

    function: ClassVar[str] = "single"

    statistic: float
    confidence_interval: ConfidenceInterval
    exact: bool = True
    bootstrap_distribution: tuple[float, ...] = ()


SINGLE = Single(
    statistic=0.6, confidence_interval=ConfidenceInterval(0.53, math.nan), bootstrap_distribution=(0.5, 0.7)
)


def test_a_result_without_tables_shows_its_values_as_a_table_of_one_row():
    """The ends of the interval are two columns; distributions are not shown."""
    row = {"statistic": 0.6, "low": 0.53, "high": None, "exact": True}
    assert SINGLE.table_names() == ("values",)
    assert SINGLE.to_dict()["values"] == row
    assert SINGLE.to_dict()["tables"] == {}
    assert SINGLE.table("values").to_dicts() == [row]
    assert SINGLE.to_csv() == "statistic,low,high,exact\n0.6,0.53,,True\n"
    assert list(SINGLE.to_frame().columns) == list(row)
    assert SINGLE.only("values").to_text() == SINGLE.to_text()
    for text in (repr(SINGLE), SINGLE.to_markdown(), SINGLE.to_latex()):
        assert "0.53" in text
        assert "0.7" not in text
    assert len(SINGLE.to_xlsx()) > 0


def test_tables_are_made_once_and_not_pickled():
    assert ANSWER.tables is ANSWER.tables
    again = pickle.loads(pickle.dumps(SINGLE))
    assert again.tables[0].to_dicts() == SINGLE.tables[0].to_dicts()
