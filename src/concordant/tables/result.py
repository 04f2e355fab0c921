"""What every question returns: records in fields, remarks, and the options that repeat it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from concordant.errors import ArgumentError, public, visible
from concordant.tables.notes import Note
from concordant.tables.provenance import Provenance
from concordant.tables.render import html_page, json_text, markdown_escape
from concordant.tables.table import Table, plain

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FORMAT", "FORMAT_VERSION", "Result", "records"]

# docs/json.md describes what `to_dict` returns. The number grows when a key changes its meaning or goes.
FORMAT, FORMAT_VERSION = "concordant-result", 1

Record = TypeVar("Record")


def records(kind: type, title: str, *, spread: tuple[str, str] | None = None) -> Any:
    """Declare a field of a `Result` that holds a tuple of records; None if it was not asked for.

    The title may name other fields of the result: ``"Axioms of {coefficient}"``.
    """
    return field(default=None, metadata={"kind": kind, "title": title, "spread": spread})


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Result(Generic[Record]):
    """The answer to a question; prints as text.

    Fields that are declared with `records` hold tuples of frozen dataclasses. Iterating gives the records of
    the first.
    """

    function: ClassVar[str] = ""
    """The name of the function that returns it."""

    notes: tuple[Note, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    provenance: Provenance | None = None  # from the command line

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: sentences that the records carry."""
        return ()

    @property
    def tables(self) -> tuple[Table, ...]:
        """The records that there are, as tables."""
        found = []
        for each in fields(self):
            if "kind" in each.metadata and getattr(self, each.name) is not None:
                meta = each.metadata
                rows = tuple(getattr(self, each.name))
                title = visible(meta["title"].format(**vars(self)))
                found.append(Table(each.name, title, meta["kind"], rows, meta["spread"]))
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
        raise ArgumentError(f"there is no table {name!r}; there are {', '.join(t.name for t in tables)}")

    def only(self, name: str) -> Self:
        """Return the same result with the records of one field alone."""
        chosen = self.table(name).name
        without: dict[str, Any] = {other: None for other in self.table_names() if other != chosen}
        return replace(self, **without)

    def without(self, name: str) -> Self:
        """Return the same result without the records of one field."""
        left: dict[str, Any] = {name: None}
        return replace(self, **left)

    def __iter__(self) -> Iterator[Record]:
        return iter(self.tables[0].records)

    def __repr__(self) -> str:
        return self.to_text().rstrip("\n")

    def _repr_html_(self) -> str:
        from html import escape

        return "".join(f"<h4>{escape(table.title)}</h4>{table.to_html()}" for table in self.tables)

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
        """Return everything as dictionaries and lists of plain values, as docs/json.md describes it."""
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

    def to_text(self) -> str:
        """Return everything as plain text."""
        parts = [f"{table.title}\n\n{table.to_text()}" for table in self.tables]
        parts += ["Notes\n" + "\n".join(f"- {note}" for note in self.notes)] if self.notes else []
        return "\n\n".join(parts) + "\n"

    def to_markdown(self) -> str:
        """Return everything as Markdown."""
        parts = [f"## {markdown_escape(table.title)}\n\n{table.to_markdown()}" for table in self.tables]
        parts += ["\n".join(f"- {markdown_escape(str(note))}" for note in self.notes)] if self.notes else []
        return "\n\n".join(parts) + "\n"

    def to_latex(self) -> str:
        """Return LaTeX tables; titles and notes are comments."""
        parts = [f"% {table.title}\n{table.to_latex()}" for table in self.tables]
        parts += (
            ["\n".join(f"% {line}" for note in self.notes for line in str(note).splitlines())]
            if self.notes
            else []
        )
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
