"""The same data as a frame of every kind that the tests know."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

KINDS = [
    "pandas",
    "pandas with nullable types",
    "pandas of objects",
    "pandas with categories",
    "polars",
    "polars with categories",
    "polars lazy",
    "pyarrow",
    "pyarrow with dictionaries",
    "DuckDB",
    "narwhals",
    "modin",
]


def frame_of(kind: str, data: dict[str, Any]) -> Any:
    """Return columns as a frame; skip the test if the library is not installed."""
    library, _, variant = kind.partition(" ")
    text = [name for name, values in data.items() if isinstance(next(iter(values), None), str)]
    if library == "pandas":
        frame = pd.DataFrame(data)
        if variant == "with nullable types":
            with np.errstate(invalid="ignore"):  # older versions try to make an integer of infinity
                return frame.convert_dtypes()
        to = {"of objects": object, "with categories": "category"}
        return frame.astype(dict.fromkeys(text, to[variant])) if variant else frame
    if library == "polars":
        frame = pl.DataFrame(data)
        if variant == "with categories":
            return frame.with_columns(pl.col(name).cast(pl.Categorical) for name in text)
        return frame.lazy() if variant == "lazy" else frame
    if library == "modin":
        modin = pytest.importorskip("modin.pandas")
        return modin.DataFrame(pd.DataFrame(data))
    if library == "narwhals":
        return pytest.importorskip("narwhals").from_native(pl.DataFrame(data))
    table = pytest.importorskip("pyarrow").table(data)
    if variant == "with dictionaries":
        for name in text:
            place = table.column_names.index(name)
            table = table.set_column(place, name, table[name].dictionary_encode())
    if library == "DuckDB":
        return pytest.importorskip("duckdb").from_arrow(table)
    return table


def columns_of(frame: Any) -> dict[str, list[Any]]:
    """Return any frame as columns of Python objects."""
    import narwhals

    eager = narwhals.from_native(frame, pass_through=False)
    eager = eager.collect() if isinstance(eager, narwhals.LazyFrame) else eager
    return {name: eager[name].to_list() for name in eager.columns}
