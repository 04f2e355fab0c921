"""Long tables of many rows: read column by column, by a library that is installed, or row by row."""

from __future__ import annotations

import io
from array import array
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from concordant.errors import fail
from concordant.io.files import NUMBER, Source, name_of, stem_of
from concordant.io.tables.cells import rows_of_text, unquoted
from concordant.scores import Column, Grid

__all__ = ["grid_of_long_text"]

_WORTH_A_LIBRARY = 4_000_000  # characters: loading one takes as long as reading so many


def grid_of_long_text(
    source: Source, text: str, header: Sequence[str], mark: str, labels: Sequence[int], value: int
) -> Grid | None:
    """Read a table whose columns are known from its header; None if a cell needs a closer look.

    `labels` are the places of the columns of names, `value` that of the scores; the others are left out.
    """
    found = _by_library(text, len(header), mark, labels, value) if len(text) > _WORTH_A_LIBRARY else None
    found = found or _row_by_row(name_of(source), text, len(header), mark, labels, value)
    if found is None:
        return None
    codes, numbers = found
    name = name_of(source)
    columns = []
    for place, head in enumerate(header):
        if place == value:
            columns.append(Column(head, list, numbers))
        elif place in codes:
            columns.append(Column(head, partial(_texts, *codes[place]), codes=codes[place]))
        else:
            columns.append(Column(head, list))
    # Lines are not known here; a row with an error is found again by the reader of single cells.
    return Grid(name, stem_of(source), tuple(columns), len(numbers), lambda _row: None, partial(fail, name))


_Found = tuple[dict[int, tuple[Any, list[str]]], Any]


def _texts(codes: Any, labels: Sequence[str]) -> list[str]:
    return [labels[code] for code in codes.tolist()]


def _row_by_row(
    name: str, text: str, width: int, mark: str, labels: Sequence[int], value: int
) -> _Found | None:
    indices: list[dict[str, int]] = [{} for _ in labels]
    codes = [array("q") for _ in labels]
    cells: list[str] = []
    rows = rows_of_text(name, text, mark)
    next(rows)
    wanted = list(zip(labels, indices, codes, strict=True))
    for _, row in rows:
        if len(row) != width:
            return None
        for place, index, own in wanted:
            own.append(index.setdefault(row[place], len(index)))
        cells.append(row[value])
    if not cells or not all(map(NUMBER.fullmatch, cells)):
        return None
    numbers = np.array(cells, dtype=np.float64)
    found = {place: (np.array(own, dtype=np.int64), list(index)) for place, index, own in wanted}
    return _clean(found, numbers)


def _clean(found: dict[int, tuple[Any, list[str]]], numbers: Any) -> _Found | None:
    """Return names without spaces around them; None if names or numbers need a closer look."""
    if not np.isfinite(numbers).all():
        return None
    clean = {}
    for place, (own, labels) in found.items():
        codes, names = own, [label.strip() for label in labels]
        if "" in names:
            return None
        if names != labels and len(set(names)) < len(names):
            index: dict[str, int] = {}
            again = np.array([index.setdefault(name, len(index)) for name in names], dtype=np.int64)
            codes, names = again[codes], list(index)
        clean[place] = (codes, names)
    return clean, numbers


def _by_library(text: str, width: int, mark: str, labels: Sequence[int], value: int) -> _Found | None:
    """Read with pyarrow, polars or pandas; None if none is installed, or if it finds a fault."""
    for read in (_by_pyarrow, _by_polars, _by_pandas):
        try:
            found, numbers = read(text, width, mark, labels, value)
            plain = {place: (codes, list(map(unquoted, names))) for place, (codes, names) in found.items()}
            return _clean(plain, numbers)
        except ImportError:
            continue
        except Exception:  # noqa: BLE001 - our own reader says what is wrong, and where
            return None
    return None


def _names(width: int) -> list[str]:
    return [str(place) for place in range(width)]


def _by_pyarrow(text: str, width: int, mark: str, labels: Sequence[int], value: int) -> _Found:
    import pyarrow as pa
    from pyarrow import csv

    kinds = {str(place): pa.dictionary(pa.int32(), pa.string()) for place in labels} | {
        str(value): pa.float64()
    }
    table = csv.read_csv(
        io.BytesIO(text.encode()),
        read_options=csv.ReadOptions(column_names=_names(width), skip_rows=1, use_threads=False),
        parse_options=csv.ParseOptions(delimiter=mark, newlines_in_values=True),
        convert_options=csv.ConvertOptions(
            column_types=kinds, include_columns=list(kinds), null_values=[], strings_can_be_null=False
        ),
    )
    found = {}
    for place in labels:
        column = table.column(str(place)).unify_dictionaries()
        codes = np.concatenate([chunk.indices.to_numpy() for chunk in column.chunks]).astype(np.int64)
        found[place] = (codes, column.chunk(0).dictionary.to_pylist())
    return found, table.column(str(value)).to_numpy()


def _by_polars(text: str, width: int, mark: str, labels: Sequence[int], value: int) -> _Found:
    import polars as pl

    schema = {str(place): pl.String for place in range(width)} | {str(value): pl.Float64}
    frame = pl.read_csv(
        io.BytesIO(text.encode()), has_header=False, skip_rows=1, separator=mark, schema=schema
    )
    if frame.null_count().sum_horizontal().item() > 0:
        raise ValueError("cells are empty")
    found = {}
    for place in labels:
        names = frame[str(place)].unique(maintain_order=True)
        codes = frame[str(place)].replace_strict(names, np.arange(len(names)))
        found[place] = (codes.to_numpy().astype(np.int64), names.to_list())
    return found, frame[str(value)].to_numpy()


def _by_pandas(text: str, width: int, mark: str, labels: Sequence[int], value: int) -> _Found:
    import pandas as pd

    kinds: Any = dict.fromkeys(labels, "str") | {value: "float64"}
    frame = pd.read_csv(
        io.StringIO(text),
        sep=mark,
        header=None,
        skiprows=1,
        names=list(range(width)),
        usecols=list(kinds),
        dtype=kinds,
        keep_default_na=False,
        float_precision="round_trip",
        index_col=False,
    )
    found = {}
    for place in labels:
        codes, names = pd.factorize(frame[place])
        found[place] = (codes.astype(np.int64), [str(name) for name in names])
    return found, frame[value].to_numpy()
