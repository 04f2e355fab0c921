"""Long tables of many rows: read column by column, by a library that is installed, or row by row."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from concordant.errors import fail
from concordant.io.files import Source, limit, name_of, stem_of
from concordant.io.tables.cells import unquoted
from concordant.scores import PLAIN, Column, Grid
from concordant.typing import Floats, Integers

__all__ = ["grid_of_long_text"]

_WORTH_A_LIBRARY = 4_000_000  # characters: loading a library takes as long as reading this many


def grid_of_long_text(
    source: Source, text: str, header: Sequence[str], mark: str, labels: Sequence[int], value: int
) -> Grid | None:
    """Read a table whose columns are known from its header; None if a cell is not plain.

    `labels` are the places of the columns of names, `value` that of the scores; the others are left out.
    """
    found = _by_library(text, len(header), mark, labels, value) if len(text) > _WORTH_A_LIBRARY else None
    found = found or _row_by_row(text, len(header), mark, labels, value)
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


class _Index(dict[str, int]):
    """The number of each label, in the order in which labels are first seen."""

    def __missing__(self, label: str) -> int:
        number = self[label] = len(self)
        return number


def _row_by_row(text: str, width: int, mark: str, labels: Sequence[int], value: int) -> _Found | None:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    indices = [_Index() for _ in labels]
    codes: list[list[Integers]] = [[] for _ in labels]
    numbers: list[Floats] = []
    usual = csv.field_size_limit(limit("CONCORDANT_MAX_CELL"))  # this setting is global
    try:
        next(reader)
        while part := list(itertools.islice(reader, 500)):  # few rows at once stay in the cache
            rows = [row for row in part if row]
            columns = list(zip(*rows, strict=True))
            if rows and len(columns) != width:
                return None
            if not rows or not PLAIN.fullmatch("\n".join(columns[value])):
                return None
            for place, index, own in zip(labels, indices, codes, strict=True):
                own.append(np.array(list(map(index.__getitem__, columns[place])), dtype=np.int64))
            numbers.append(np.array(columns[value], dtype=np.float64))
    except (csv.Error, ValueError):  # the reader of single cells raises the error, with the line
        return None
    finally:
        csv.field_size_limit(usual)
    if not numbers:
        return None
    found = {
        place: (np.concatenate(own), list(index))
        for place, index, own in zip(labels, indices, codes, strict=True)
    }
    return _clean(found, np.concatenate(numbers))


def _clean(found: dict[int, tuple[Any, list[str]]], numbers: Any) -> _Found | None:
    """Return names without surrounding spaces; None if names or numbers are not plain."""
    if not np.isfinite(numbers).all():
        return None
    clean = {}
    for place, (own, labels) in found.items():
        codes, names = own, [unquoted(label).strip() for label in labels]
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
            return _clean(*read(text, width, mark, labels, value))
        except ImportError:
            continue
        except Exception:  # noqa: BLE001 - our own reader raises the error, with the line
            return None
    return None


def _names(width: int) -> list[str]:
    return [str(place) for place in range(width)]


def _by_pyarrow(text: str, width: int, mark: str, labels: Sequence[int], value: int) -> _Found:
    import pyarrow as pa
    from pyarrow import csv

    kinds = {str(place): pa.string() for place in labels} | {str(value): pa.float64()}
    table = csv.read_csv(
        pa.BufferReader(text.encode()),
        read_options=csv.ReadOptions(column_names=_names(width), skip_rows=1),
        parse_options=csv.ParseOptions(delimiter=mark, newlines_in_values='"' in text),
        convert_options=csv.ConvertOptions(
            column_types=kinds, include_columns=list(kinds), null_values=[], strings_can_be_null=False
        ),
    )
    found = {}
    for place in labels:  # encoding whole columns is faster than reading them as dictionaries
        column = table.column(str(place)).combine_chunks().dictionary_encode()
        table = table.drop_columns([str(place)])  # the texts are not needed any more
        column = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column
        found[place] = (column.indices.to_numpy().astype(np.int64), column.dictionary.to_pylist())
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

    kinds: Any = dict.fromkeys([*labels, value], "str")
    frame = pd.read_csv(
        io.StringIO(text),
        sep=mark,
        header=None,
        skiprows=1,
        names=list(range(width)),
        usecols=list(kinds),
        dtype=kinds,
        keep_default_na=False,
        index_col=False,
    )
    found = {}
    for place in labels:
        codes, names = pd.factorize(frame[place])
        found[place] = (codes.astype(np.int64), [str(name) for name in names])
    return found, np.array(frame[value].tolist(), dtype=np.float64)
