"""What every question returns: records in fields, remarks, and the options that repeat it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from concordant.errors import ArgumentError, public, visible
from concordant.tables.columns import Columns
from concordant.tables.layout import wrapped
from concordant.tables.notes import Note
from concordant.tables.provenance import Provenance
from concordant.tables.render import html_page, json_text, markdown_escape
from concordant.tables.table import Table, plain

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FORMAT", "FORMAT_VERSION", "Result", "records"]

# docs/reference/json.md describes what `to_dict` returns. The number grows when a key changes its meaning or
# goes.
FORMAT, FORMAT_VERSION = "concordant-result", 1

Record = TypeVar("Record")

_MORE = "More: print(result.to_text(details=True)), or result.table(NAME): {tables}"
_ROWS = 60  # of the table in short: more are not seen at a glance


def records(
    kind: type, title: str, *, spread: tuple[str, str] | None = None, few: int | None = None, needs: str = ""
) -> Any:
    """Declare a field of a `Result` that holds a tuple of records; None if it was not asked for.

    The title may name other fields of the result: ``"Axioms of {coefficient}"``. For `spread` and `few` see
    `Table`. `needs` says what there must be for the records.
    """
    return field(
        default=None, metadata={"kind": kind, "title": title, "spread": spread, "few": few, "needs": needs}
    )


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Result(Generic[Record]):
    """The answer to a question; prints as text.

    Fields that are declared with `records` hold tuples of frozen dataclasses. Iterating gives the records of
    the first.
    """

    function: ClassVar[str] = ""
    """The name of the function that returns it."""

    main: ClassVar[str] = ""
    """The table that is shown in short, if it has records; else it is the first."""

    notes: tuple[Note, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    provenance: Provenance | None = None  # from the command line

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: sentences that the records carry."""
        return ()

    @property
    def emphasis(self) -> str:
        """What it means that a value is bold in Markdown and LaTeX."""
        return ""

    def emphasised(self, table: str) -> set[int]:  # noqa: ARG002
        """Return the numbers of the records of a table whose value is bold in Markdown and LaTeX."""
        return set()

    @property
    def tables(self) -> tuple[Table, ...]:
        """The records that there are, as tables."""
        found = []
        for each in fields(self):
            if "kind" in each.metadata and getattr(self, each.name) is not None:
                meta = each.metadata
                rows = getattr(self, each.name)
                rows = rows if isinstance(rows, Columns) else tuple(rows)
                title = visible(meta["title"].format(**vars(self)))
                found.append(Table(each.name, title, meta["kind"], rows, meta["spread"], meta["few"]))
        return tuple(found)

    @classmethod
    def table_names(cls) -> tuple[str, ...]:
        """Return the names that `table` knows."""
        return tuple(each.name for each in fields(cls) if "kind" in each.metadata)

    @public
    def table(self, name: str | None = None) -> Table:
        """Return the records of a field as a table; the first by default."""
        tables = self.tables
        if name is None:
            return tables[0]
        for table in tables:
            if table.name == name:
                return table
        raise ArgumentError(f"{self.missing(name)}; there are {', '.join(t.name for t in tables)}")

    def missing(self, name: str) -> str:
        """Say that there is no such table, and what it needs."""
        for each in fields(self):
            if "kind" in each.metadata and each.name == name:
                needs = f", which needs {each.metadata['needs']}" if each.metadata["needs"] else ""
                return f"this answer has no table {name!r}{needs}"
        return f"there is no table {name!r}"

    def only(self, name: str) -> Self:
        """Return the same result with the records of one field alone."""
        chosen = self.table(name).name
        without: dict[str, Any] = {other: None for other in self.table_names() if other != chosen}
        return replace(self, **without)

    def __iter__(self) -> Iterator[Record]:
        return iter(self.tables[0].records)

    def __repr__(self) -> str:
        return self.to_text().rstrip("\n")

    def _repr_html_(self) -> str:
        from html import escape

        parts = [f"<p>{escape(visible(sentence))}</p>" for sentence in self.verdict]
        parts += [f"<h4>{escape(table.title)}</h4>{table.to_html()}" for table in self.tables[:1]]
        notes = "".join(f"<li>{escape(str(note))}</li>" for note in self.notes)
        parts += [f"<ul>{notes}</ul>"] if notes else []
        others = ", ".join(table.name for table in self.tables[1:])
        parts += [f"<p>more, by <code>result.table(name)</code>: {others}</p>"] if others else []
        return "".join(parts)

    def to_frame(self, table: str | None = None) -> pd.DataFrame:
        """Return the records of a field as a pandas DataFrame, of the first by default."""
        return self.table(table).to_frame()

    @classmethod
    def value_names(cls) -> tuple[str, ...]:
        """Return the names of the fields that hold neither records nor what every result has."""
        common = {each.name for each in fields(Result)} | {"seed"}
        return tuple(e.name for e in fields(cls) if "kind" not in e.metadata and e.name not in common)

    @property
    def seed(self) -> int | None:
        """The seed of what was drawn at random; None if nothing was, or the seed is not known."""
        return self.options.get("seed")

    def version(self) -> str:
        """Return the version of concordant that made the result."""
        from concordant import __version__

        return __version__

    def to_dict(self) -> dict[str, Any]:
        """Return everything as dictionaries and lists of plain values; see docs/reference/json.md."""
        return {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "version": self.version(),
            "function": self.function,
            **(self.provenance or Provenance()).to_dict(),
            "options": {name: plain(value) for name, value in self.options.items() if name != "seed"},
            "seed": self.seed,
            "verdict": list(self.verdict),
            "values": {name: plain(getattr(self, name)) for name in self.value_names()},
            "tables": {table.name: table.to_dicts() for table in self.tables},
            "notes": [plain(note.to_dict()) for note in self.notes],
        }

    def to_json(self) -> str:
        """Return everything as JSON."""
        return json_text(self.to_dict(), indent=2)

    def to_csv(self, table: str | None = None) -> str:
        """Return the records of a field as comma-separated values, of the first by default."""
        return self.table(table).to_csv()

    @public
    def to_text(
        self,
        details: bool = False,
        width: int | None = 80,
        *,
        table: str | None = None,
        more: str = _MORE,
    ) -> str:
        """Return the answer as plain text: the verdict, the first table in short, and the notes.

        Parameters
        ----------
        details : bool, default False
            All tables with all digits, instead of the first one in short.
        width : int or None, default 80
            Paragraphs and tables that are wider are wrapped, tables by whole columns. None: nothing is.
        table : str, optional
            Only this table and the notes, with all digits.
        more : str
            The last line if there are further tables; ``{tables}`` stands for their names.
        """
        verdict, tables = self._shown(details, table)
        blocks = [wrapped(" ".join(verdict), width)] if verdict else []
        short = not details and table is None
        for each in tables:
            text = each.to_text(width, not short, _ROWS if short else None)
            blocks.append([*wrapped(each.title, width), "", text])
        remarks = (self if table is None else self.only(table)).notes
        if remarks:
            notes = (line for note in remarks for line in wrapped(f"- {note}", width, "  "))
            blocks.append(["Notes", *notes])
        others = self.left_out() if short else ()
        if more and others:
            blocks.append(wrapped(more.replace("{tables}", ", ".join(others)), width))
        return "\n\n".join("\n".join(block) for block in blocks) + "\n"

    def _shown(self, details: bool, table: str | None) -> tuple[list[str], tuple[Table, ...]]:
        """Return the verdict and the tables that are asked for."""
        if table is not None:
            return [], (self.table(table),)
        return list(map(visible, self.verdict)), self.tables if details else (self._main(),)

    def _main(self) -> Table:
        """Return the table that is shown in short: the first, or another that the class names."""
        named = [table for table in self.tables if table.name == self.main and table.records]
        return named[0] if named else self.tables[0]

    def left_out(self) -> tuple[str, ...]:
        """Return the names of the tables that the answer in short does not show, or not with all rows."""
        main = self._main()
        shown = len(main.in_short(_ROWS).rows) == len(main.grid().rows)
        return tuple(table.name for table in self.tables if table.name != main.name or not shown)

    @public
    def to_markdown(self, details: bool = False, *, table: str | None = None) -> str:
        """Return the answer as Markdown; `details` and `table` as in `to_text`."""
        verdict, tables = self._shown(details, table)
        parts = [markdown_escape(" ".join(verdict))] if verdict else []
        for each in tables:
            bold = self.emphasised(each.name)
            body = each.to_markdown(details or table is not None, bold)
            parts.append(f"## {markdown_escape(each.title)}\n\n{body}")
            parts += [f"Bold: {markdown_escape(self.emphasis)}."] if bold else []
        parts += ["\n".join(f"- {markdown_escape(str(note))}" for note in self.notes)] if self.notes else []
        return "\n\n".join(parts) + "\n"

    @public
    def to_latex(self, details: bool = False, *, table: str | None = None) -> str:
        """Return LaTeX for the package booktabs, all else in comments; options as in `to_text`."""
        verdict, tables = self._shown(details, table)
        parts = ["\n".join(f"% {sentence}" for sentence in verdict)] if verdict else []
        for each in tables:
            bold = self.emphasised(each.name)
            meaning = f"% bold: {self.emphasis}\n" if bold else ""
            body = each.to_latex(details or table is not None, bold)
            parts.append(f"% {each.title}\n{meaning}{body}")
        parts += ["\n".join(f"% {note}" for note in self.notes)] if self.notes else []
        return "\n\n".join(parts) + "\n"

    def to_html(self) -> str:
        """Return everything as a web page that needs no other file and runs no script."""
        title = f"concordant {self.function}".strip()
        return html_page(
            title, [(table.title, table.to_html()) for table in self.tables], list(map(str, self.notes))
        )

    @public
    def to_xlsx(self) -> bytes:
        """Return everything as a workbook: a sheet for each table, then the notes and where they come from.

        It needs XlsxWriter: ``pip install 'concordant[sheets]'``. The columns are those of `to_csv`.
        """
        from concordant.tables.workbook import workbook

        return workbook(self.tables, list(map(str, self.notes)), self._about())

    def _about(self) -> list[tuple[str, Any]]:
        """Return where the result comes from, as names and values."""
        about = self.to_dict()
        rows = [(name, about[name]) for name in ("function", "version", "command", "seed")]
        rows += [(f"option {name}", value) for name, value in about["options"].items()]
        rows += [("verdict", sentence) for sentence in about["verdict"]]
        for each in about["inputs"]:
            rows += [("input", each["file"]), ("bytes", each["bytes"]), ("sha256", each["sha256"])]
        return rows
