"""The result of every function: records in fields, remarks, and the options that were used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, make_dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from concordant._version import __version__
from concordant.errors import ArgumentError, public, visible
from concordant.results.markup import json_text, latex_escape, markdown_escape
from concordant.results.note import Note, told_once
from concordant.results.table import Columns, Grid, Records, Table, parts, plain
from concordant.results.text_columns import PLAIN, wrapped

if TYPE_CHECKING:
    import pandas as pd


# docs/reference/json.md describes what `to_dict` returns. The version number grows when a key is removed or
# changes its meaning.
FORMAT, FORMAT_VERSION = "concordant-result", 1

Record = TypeVar("Record")

_MORE = "More: print(result.to_text(details=True)), or result.table(NAME): {tables}"


def records(
    kind: type,
    title: str,
    *,
    spread: tuple[str, str] | None = None,
    pivot: tuple[str, str] | None = None,
    few: int | None = None,
    needs: str = "",
) -> Any:
    """Declare a field of a `Result` that holds a tuple of records; it is None if the user did not ask for it.

    The title may name other fields of the result: ``"Axioms of {coefficient}"``. For `spread`, `pivot` and
    `few` see `Table`. `needs` says what is needed to get the records.
    """
    shown = {"spread": spread, "pivot": pivot, "few": few}
    return field(default=None, metadata={"kind": kind, "title": title, "needs": needs, **shown})


HIDDEN: Mapping[str, Any] = {"hidden": True}  # metadata of a field that is not shown


@cache
def values_kind(kind: type[Any]) -> type[Any]:
    """Return a record with the single values of a result; a ConfidenceInterval has the parts low and high."""
    columns: list[Any] = []
    for each in fields(kind):
        if each.name in kind.value_names():
            usual = _INTERVAL if "ConfidenceInterval" in str(each.type) else {}
            columns.append((each.name, each.type, field(metadata=each.metadata or usual)))
    return make_dataclass("Values", columns, frozen=True)


_INTERVAL = parts("low", "high", of="statistic")


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Result(Generic[Record]):
    """The result of a function; prints as text.

    Fields that are declared with `records` hold tuples of frozen dataclasses, the tables. Other fields hold
    single values; a result without tables shows them as a table ``values`` with one row, or with a row for
    each element of arrays. Arrays whose names end with ``_distribution`` are not shown. Iteration yields the
    records of the first table.

    Attributes
    ----------
    notes : tuple of Note
        Remarks about the result.
    options : Mapping[str, Any]
        The options that were used, by name.
    provenance : Mapping[str, Any]
        If the result was made on the command line: ``command``, quoted for a shell, and ``inputs``, the files
        that were read, each with ``file`` ("-" is standard input), ``bytes`` and ``sha256`` (None for a pipe,
        which can be read only once). If it was loaded: also ``version``, that of concordant that made it.
        Otherwise empty.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"bm25": 2, "dense": 5, "rm3": 3}, "q2": {"bm25": 4, "dense": 3, "rm3": 2}}
    >>> gpt = {"q1": {"bm25": 4, "dense": 6, "rm3": 1}, "q2": {"bm25": 5, "dense": 4, "rm3": 3}}
    >>> result = cd.by_topic(human, gpt, ["tau_b"])
    >>> result.table_names(), result.table("topics").name, result.tables[0].name
    (('summary', 'topics'), 'topics', 'summary')
    >>> result.to_frame("topics").shape, result.to_csv("topics").splitlines()[0]
    ((2, 8), 'estimate,measure,estimate_measure,topic,coefficient,value,influence,failing')
    >>> result.to_dict()["function"], result.version() == cd.__version__, result.seed
    ('by_topic', True, 0)
    >>> result.only("topics").left_out(), result.missing("best")
    ((), "there is no table 'best'")
    >>> "tau_b" in result.to_text(), "tau_b" in result.to_json()
    (True, True)
    >>> "q1" in result.to_markdown(table="topics"), "q1" in result.to_latex(details=True)
    (True, True)
    >>> result.answer().shows, result.answer_in_print().shows
    ('summary', 'summary')
    >>> result.question, result.beside, result.caption  # of `judge` and `correlate`
    ('', (), '')
    >>> result.value_names(), len(result.to_xlsx()) > 0
    ((), True)
    >>> print(result.verdict[0])
    tau_b of the mean scores is 1.00 [-1.00, 1.00].
    """

    function: ClassVar[str] = ""
    """The name of the function that returns the result."""

    main: ClassVar[tuple[str, ...]] = ()
    """The first of these tables that has records is shown in short; if none has, the first table is shown."""

    notes: tuple[Note, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: sentences that follow from the records."""
        return ()

    @property
    def question(self) -> str:
        """The question and what it is about, in one line; empty if the title of the table says it."""
        return ""

    def answer(self) -> Grid:
        """Return what is shown below the verdict: the first table in short, or one made of several.

        Returns
        -------
        Grid
            Header and rows.
        """
        return main_table(self).in_short(ROWS)

    def answer_in_print(self) -> Grid:
        """Return the same for LaTeX and Markdown.

        Returns
        -------
        Grid
            Header and rows.
        """
        return self.answer()

    @property
    def beside(self) -> tuple[str, ...]:
        """Lines below the table: what explains the answer."""
        return ()

    @property
    def caption(self) -> str:
        """The caption of the table in LaTeX and Markdown: what was compared, and how."""
        return ""

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The records as tables; fields that are None are left out."""
        if not self._record_fields():
            return (self._values(),)
        found = []
        for each in self._record_fields():
            rows, meta = getattr(self, each.name), each.metadata
            if rows is not None:
                rows = rows if isinstance(rows, Columns) else tuple(rows)
                title = visible(meta["title"].format(**vars(self)))
                found.append(
                    Table(each.name, title, meta["kind"], rows, meta["spread"], meta["few"], meta["pivot"])
                )
        return tuple(found)

    def __post_init__(self) -> None:
        for each in self._record_fields():
            rows = getattr(self, each.name)
            if type(rows) is tuple:
                object.__setattr__(self, each.name, Records(rows))

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made of the fields."""
        return {name: value for name, value in vars(self).items() if name not in ("tables", "verdict")}

    def _values(self, rows: bool = True) -> Table:
        """Return the single values as a table of one row; arrays give a row for each element."""
        of_class: Any = type(self)
        kind = values_kind(of_class)
        cells = [getattr(self, name) for name in self.value_names()]
        arrays = [cell.size for cell in cells if getattr(cell, "ndim", 0)] if rows else []
        columns = (
            cell.ravel().tolist() if getattr(cell, "ndim", 0) else [cell] * max(arrays) for cell in cells
        )
        found = tuple(map(kind, *columns)) if arrays else (kind(*cells),)
        return Table("values", "Values", kind, found)

    @classmethod
    def _record_fields(cls) -> tuple[Any, ...]:
        return tuple(each for each in fields(cls) if "kind" in each.metadata)

    @classmethod
    def table_names(cls) -> tuple[str, ...]:
        """Return the names of the tables that this kind of result can have.

        Returns
        -------
        tuple of str
            The names that `table` takes.
        """
        return tuple(each.name for each in cls._record_fields()) or ("values",)

    @public
    def table(self, name: str | None = None) -> Table:
        """Return the records of one field as a table.

        Parameters
        ----------
        name : str, optional
            The name of the field; by default the first.

        Returns
        -------
        Table
            The table.
        """
        tables = {table.name: table for table in self.tables}
        if name is not None and name not in tables:
            raise ArgumentError(f"{self.missing(name)}; there are {', '.join(tables)}")
        return self.tables[0] if name is None else tables[name]

    def missing(self, name: str) -> str:
        """Return the message that there is no such table, and what it needs.

        Parameters
        ----------
        name : str
            The name of the table.

        Returns
        -------
        str
            The message, without a full stop.
        """
        for each in self._record_fields():
            if each.name == name:
                needs = f", which needs {each.metadata['needs']}" if each.metadata["needs"] else ""
                return f"this answer has no table {name!r}{needs}"
        return f"there is no table {name!r}"

    def only(self, name: str) -> Self:
        """Return the same result with the records of one field only.

        Parameters
        ----------
        name : str
            The name of the field.

        Returns
        -------
        Result
            A result of the same kind.
        """
        chosen = self.table(name).name
        without: dict[str, Any] = {each.name: None for each in self._record_fields() if each.name != chosen}
        return replace(self, **without)

    def __iter__(self) -> Iterator[Record]:
        return iter(self.tables[0].records)

    def __repr__(self) -> str:
        return self.to_text().rstrip("\n")

    def _repr_html_(self) -> str:
        from html import escape

        # The figures are above this layer: the name of the module is all that is known of them here.
        picture = import_module("concordant.figures.draw").picture(self)
        parts = [f"<p>{escape(sentence)}</p>" for sentence in _sentences(self)]
        parts += [f"<div>{picture}</div>"] if picture else []
        grid = self.answer()
        parts += [f"<h4>{escape(visible(self.question or self._title(grid)))}</h4>{grid.to_html()}"]
        lost = [*map(visible, self.beside), *told_once(note for note in self.notes if note.lost)]
        parts += [f"<p>{escape(line)}</p>" for line in lost]
        notes = "".join(f"<li>{escape(line)}</li>" for line in told_once(n for n in self.notes if not n.lost))
        parts += [f"<details><summary>Notes</summary><ul>{notes}</ul></details>"] if notes else []
        for table in map(self.table, self.left_out()):
            n, first = len(table.records), replace(table, records=table.records[:_FOLDED])
            rows = f"{n} rows" if n <= _FOLDED else f"{_FOLDED} of {n} rows"
            name = f"<code>result.table({table.name!r})</code>"
            inside = f"<summary>{escape(table.title)} ({rows}, {name})</summary>{first.to_html()}"
            parts.append(f"<details>{inside}</details>")
        return "".join(parts)

    def to_frame(self, table: str | None = None) -> pd.DataFrame:
        """Return the records of one field as a pandas DataFrame.

        Parameters
        ----------
        table : str, optional
            The name of the field; by default the first.

        Returns
        -------
        pandas.DataFrame
            A row for each record.
        """
        return self.table(table).to_frame()

    @classmethod
    def value_names(cls) -> tuple[str, ...]:
        """Return the names of the fields that hold single values.

        Returns
        -------
        tuple of str
            The names; fields of records, those not shown, and those that every result has are left out.
        """
        other = {each.name for each in (*fields(Result), *cls._record_fields())} | {"seed"}
        shown = (each.name for each in fields(cls) if not each.metadata.get("hidden"))
        return tuple(name for name in shown if name not in other and not name.endswith("_distribution"))

    @property
    def seed(self) -> int | None:
        """The seed of the random numbers; None if there are none, or if the seed is not known."""
        return self.options.get("seed")

    def version(self) -> str:
        """Return the version of concordant that made the result.

        Returns
        -------
        str
            The version.
        """
        return str(self.provenance.get("version", __version__))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as dictionaries and lists of plain values.

        Returns
        -------
        dict
            The keys are described in docs/reference/json.md.
        """
        found = without_tables(self)
        notes = found.pop("notes")
        tables = {table.name: table.to_dicts() for table in self.tables if self._record_fields()}
        return {**found, "tables": tables, "notes": notes}

    def to_json(self) -> str:
        """Return everything as JSON; see `to_dict`.

        Returns
        -------
        str
            The text.
        """
        found = without_tables(self)
        notes = found.pop("notes")
        parts = [f'  "{name}": {_json(value)}' for name, value in found.items()]
        tables = [
            _json_list(f'    "{t.name}": ', t.each_dict()) for t in self.tables if self._record_fields()
        ]
        inside = ",\n".join(tables)
        parts.append(f'  "tables": {{\n{inside}\n  }}' if tables else '  "tables": {}')
        parts.append(_json_list('  "notes": ', notes))
        return "{\n" + ",\n".join(parts) + "\n}\n"

    def to_csv(self, table: str | None = None) -> str:
        """Return the records of one field as comma-separated values.

        Parameters
        ----------
        table : str, optional
            The name of the field; by default the first.

        Returns
        -------
        str
            A header and a line for each record.
        """
        return self.table(table).to_csv()

    @public
    def to_text(
        self,
        details: bool = False,
        width: int | None = 80,
        *,
        table: str | None = None,
        more: str = _MORE,
        colour: bool = False,
    ) -> str:
        """Return the answer as text: the verdict, a table, and notes on what is unusual or was lost.

        Parameters
        ----------
        details : bool, default False
            Whether to show all tables with all digits and all notes.
        width : int or None, default 80
            The width of a line; tables are wrapped by whole columns. If None, nothing is wrapped.
        table : str, optional
            The name of a table, to show only this table with all digits, and the notes.
        more : str, optional
            The last line if there are further tables; ``{tables}`` stands for their names.
        colour : bool, default False
            Whether to use the colours of a terminal.

        Returns
        -------
        str
            The text.
        """
        bold, dim, warn = ("\033[1m", "\033[2m", "\033[33m") if colour else ("", "", "")

        def painted(lines: Iterable[str], with_colour: str) -> list[str]:
            return [f"{with_colour}{line}{PLAIN}" if with_colour else line for line in lines]

        def noted(mark: str, sentences: Iterable[str]) -> list[str]:
            return [line for each in sentences for line in wrapped(f"{mark} {each}", width, "  ")]

        sentences, tables, notes = self._chosen(details, table, self.answer)
        whole, question = details or table is not None, visible(self.question)
        blocks = [painted(wrapped(question, width), bold)] if question and not whole else []
        blocks += [wrapped(" ".join(sentences), width)] if sentences else []
        for title, grid in tables:
            head = [*painted(wrapped(title, width), bold), ""] if title else []
            blocks.append([*head, grid.to_text(width, colour)])
        told = noted("!", told_once(n for n in notes if n.lost))
        if whole:
            told += noted("-", told_once(n for n in notes if not n.lost))
            blocks += [[*painted(["Notes"], bold), *told]] if told else []
        else:
            below = [line for each in self.beside for line in wrapped(visible(each), width, "  ")]
            below += painted(told, warn)
            blocks += [below] if below else []
            if more and (others := self.left_out()):
                blocks.append(painted(wrapped(more.replace("{tables}", ", ".join(others)), width), dim))
        return "\n\n".join("\n".join(block) for block in blocks) + "\n"

    def _chosen(
        self, details: bool, table: str | None, answer: Callable[[], Grid]
    ) -> tuple[list[str], list[tuple[str, Grid]], list[Note]]:
        """Return the sentences, the tables with their titles, and the notes: in short, all, or of a table."""
        if table is not None or details:
            tables = self.tables if table is None else (self.table(table),)
            notes = [note for note in self.notes if table is None or note.table in ("", table)]
            grids = [(each.title, each.grid(details=True)) for each in tables]
            return _sentences(self) if table is None else [], grids, notes
        grid = answer()
        title = "" if self.question else self._title(grid)
        return _sentences(self), [(title, grid)], [note for note in self.notes if note.lost]

    def _in_print(
        self, details: bool, table: str | None
    ) -> tuple[list[str], list[tuple[str, Grid]], str, list[str]]:
        """Return the sentences, the tables with their titles, the caption and the notes in print."""
        sentences, tables, notes = self._chosen(details, table, self.answer_in_print)
        if table is not None or details:
            return sentences, tables, "", told_once(notes)
        return sentences, tables, self.caption, [*map(visible, self.beside), *told_once(notes)]

    def _title(self, grid: Grid) -> str:
        """Return the title of what is shown in short."""
        return (self.table(grid.shows) if grid.shows else main_table(self)).title

    def left_out(self) -> tuple[str, ...]:
        """Return the names of the tables that the text in short does not show completely.

        Returns
        -------
        tuple of str
            The names.
        """
        complete = self.answer().shows
        return tuple(table.name for table in self.tables if table.name != complete)

    @public
    def to_markdown(self, details: bool = False, *, table: str | None = None) -> str:
        """Return the result as Markdown.

        Parameters
        ----------
        details : bool, default False
            Whether to show all tables with all digits, instead of the first table in short.
        table : str, optional
            The name of a table, to show only this table with all digits.

        Returns
        -------
        str
            The verdict, the tables and the notes.
        """
        sentences, tables, caption, notes = self._in_print(details, table)
        parts = [markdown_escape(" ".join(sentences))] if sentences else []
        for title, grid in tables:
            parts.append((f"## {markdown_escape(title)}\n\n" if title else "") + grid.to_markdown())
        parts += [markdown_escape(caption)] if caption else []
        parts += ["\n".join(f"- {markdown_escape(note)}" for note in notes)] if notes else []
        return "\n\n".join(parts) + "\n"

    @public
    def to_latex(self, details: bool = False, *, table: str | None = None) -> str:
        """Return the result as LaTeX for the booktabs package.

        Parameters
        ----------
        details : bool, default False
            Whether to show all tables with all digits, instead of the first table in short.
        table : str, optional
            The name of a table, to show only this table with all digits.

        Returns
        -------
        str
            The tables; the verdict and the notes are comments.
        """
        sentences, tables, caption, notes = self._in_print(details, table)
        parts = ["\n".join(f"% {each}" for each in sentences)] if sentences else []
        for title, grid in tables:
            body = grid.to_latex()
            if caption:
                lines = (r"\begin{table}", rf"\caption{{{latex_escape(caption)}}}", body, r"\end{table}")
                body = "\n".join(lines)
            parts.append(f"% {title}\n{body}" if title else body)
        parts += ["\n".join(f"% {note}" for note in notes)] if notes else []
        return "\n\n".join(parts) + "\n"

    @public
    def to_xlsx(self) -> bytes:
        """Return everything as a workbook: a sheet for each table, then the notes and the provenance.

        It needs XlsxWriter: ``pip install 'concordant[sheets]'``.

        Returns
        -------
        bytes
            The content of an xlsx file; the columns are those of `to_csv`.
        """
        from concordant.results.xlsx import about, workbook

        return workbook(self.tables, list(map(str, self.notes)), about(self.to_dict()))


ROWS = 60  # rows of a table in short
_FOLDED = 20  # rows of a table that is folded in a notebook


def _json(value: Any) -> str:
    """Return a value as JSON in one line."""
    return json_text(value).rstrip("\n")


def _json_list(name: str, rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a list of JSON, with a line for each row; only one of them is a dictionary at a time."""
    indent = " " * (len(name) - len(name.lstrip()))
    lines = ",\n".join(f"{indent}  {_json(row)}" for row in rows)
    return f"{name}[\n{lines}\n{indent}]" if lines else f"{name}[]"


def without_tables(result: Result[Any]) -> dict[str, Any]:
    """Return everything but the tables as dictionaries and lists of plain values; see `Result.to_dict`."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "version": result.version(),
        "function": result.function,
        "command": result.provenance.get("command"),
        "inputs": list(result.provenance.get("inputs", ())),
        "options": {name: plain(value) for name, value in result.options.items() if name != "seed"},
        "seed": result.seed,
        "verdict": list(result.verdict),
        "values": result._values(rows=False).to_dicts()[0],
        "notes": [plain(note.to_dict()) for note in result.notes],
    }


def main_table(result: Result[Any]) -> Table:
    """Return the table that is shown in short: the first, or another that the class names."""
    tables = {table.name: table for table in result.tables}
    named = (tables[name] for name in result.main if name in tables and tables[name].records)
    return next(named, result.tables[0])


def _sentences(result: Result[Any]) -> list[str]:
    return list(map(visible, result.verdict))
