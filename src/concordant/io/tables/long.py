"""Long tables: one row for each score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from concordant.errors import fail, option
from concordant.io.files import Source, name_of, shown, stem_of
from concordant.io.tables.cells import Line, Row, cells_of, number
from concordant.scores import find_columns

__all__ = ["long_rows", "read_long"]


def read_long(source: Source, text: str, columns: Mapping[str, str]) -> Iterator[Row]:
    """Read a long CSV or TSV."""
    yield from long_rows(source, *cells_of(name_of(source), text), columns)


def long_rows(
    source: Source, header: Sequence[str], rows: Iterable[Line], columns: Mapping[str, str]
) -> Iterator[Row]:
    """Yield the scores of a long table."""
    name, stem = name_of(source), stem_of(source)
    if len(set(header)) < len(header):
        fail(name, 1, "two columns have the same name")
    found = find_columns(header, columns)
    if found is None:
        has = f"needs columns topic, system and value, has {shown(', '.join(header))}"
        fail(name, 1, f"{has}; say which is which with {option('columns')}, such as system=model")
    place = {kind: header.index(column) for kind, column in found.items()}
    value_at = place.pop("value")
    for line, row in rows:
        if len(row) != len(header):
            whole = shown(",".join(map(str, row)))
            fail(name, line, f"expected {len(header)} columns, found {len(row)}: {whole}")
        labels = {kind: str(row[i]).strip() for kind, i in place.items()}
        for kind in ("measure", "topic", "system"):
            if labels.get(kind) == "":
                fail(name, line, f"the {kind} is empty")
        value = number(name, line, row[value_at], f"system {shown(labels['system'])}")
        yield labels.get("measure", stem), labels.get("topic", "1"), labels["system"], value
