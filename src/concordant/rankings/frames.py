"""Data frames of any library, read and written with narwhals."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import ArgumentError, ArgumentTypeError, missing_library
from concordant.rankings.labels import IndexLabels, listed_few
from concordant.typing import Floats, Integers

if TYPE_CHECKING:
    from concordant.rankings.groups import Groups

_LIBRARIES = {"pandas", "polars", "pyarrow", "duckdb", "_duckdb", "modin", "narwhals"}
_REFUSED = {"cudf", "daft", "dask", "ibis", "pyspark", "sqlframe"}  # they are not tested
_CLASSES = {"DataFrame", "LazyFrame", "Table", "DuckDBPyRelation"}


def _library_of(value: object) -> str | None:
    """Return the library of a data frame, without importing it; None for anything else."""
    for kind in type(value).__mro__:
        library = kind.__module__.partition(".")[0]
        if kind.__name__ in _CLASSES and (library in _LIBRARIES or library in _REFUSED):
            return library
    return None


def is_frame(value: object) -> bool:
    """Return whether this is a data frame."""
    return _library_of(value) is not None


class AnyFrame:
    """A data frame of pandas, polars, pyarrow, DuckDB, modin or narwhals.

    A lazy frame or DuckDB relation is read once, when a column is first needed.
    """

    def __init__(self, native: Any) -> None:
        library = _library_of(native)
        if library in _REFUSED:
            advice = "make it one of pandas, polars, pyarrow or DuckDB"
            raise ArgumentTypeError(f"a data frame of {library} is not read; {advice}")
        try:
            import narwhals
        except ImportError:
            raise missing_library("a data frame", "narwhals", "frame") from None
        self._library: Any = narwhals
        self.native = native
        names = None
        if hasattr(native, "set_axis"):  # pandas: names may be repeated, and need not be text
            names = native.columns.tolist()
            if not native.columns.is_unique or not all(type(name) is str for name in names):
                native = native.set_axis([str(place) for place in range(len(names))], axis=1)
        self._frame = narwhals.from_native(native)
        self._keys: list[Any] = list(self._frame.collect_schema().names())
        self.names: list[Any] = self._keys if names is None else names

    # --- the way in ---

    @property
    def _is_lazy(self) -> bool:
        return isinstance(self._frame, self._library.LazyFrame)

    @cached_property
    def _eager(self) -> Any:
        if not self._is_lazy:
            return self._frame
        try:
            return self._frame.collect()
        except ImportError:
            raise missing_library("a DuckDB relation", "pyarrow", "parquet") from None

    def __len__(self) -> int:
        return len(self._eager)

    def place_of(self, parameter: str, name: Hashable) -> int:
        """Return the position of the column that a parameter names."""
        places = [place for place, known in enumerate(self.names) if known == name]
        if len(places) == 1:
            return places[0]
        if places:
            raise ArgumentError(f"{parameter}: {len(places)} columns have the name {name!r}; rename them")
        there = listed_few(self.names, most=10)
        raise ArgumentError(f"{parameter}: there is no column {name!r}; there are {there}")

    def only(self, places: Sequence[int]) -> AnyFrame:
        """Return the frame with some of its columns; no other column of a lazy frame is read."""
        part = object.__new__(AnyFrame)
        part._library, part.native = self._library, self.native
        part.names = [self.names[place] for place in places]
        part._keys = [self._keys[place] for place in places]
        part._frame = self._frame.select(*part._keys)
        return part

    def numbers(self, place: int) -> Any:
        """Return a column in a form that `as_floats` takes; missing whole numbers are masked."""
        series = self._eager.get_column(self._keys[place])
        kind = series.dtype
        if kind.is_float():
            return series.to_numpy()
        if kind.is_integer() or kind == self._library.Boolean:
            if not series.null_count():
                return series.to_numpy()
            filled = series.fill_null(0 if kind.is_integer() else False)
            return np.ma.MaskedArray(filled.to_numpy(), series.is_null().to_numpy())
        objects = np.empty(len(series), dtype=object)
        objects[:] = series.to_list()
        return objects

    def native_column(self, place: int) -> Any:
        """Return a column as the library of the frame has it."""
        return self._eager.get_column(self._keys[place]).to_native()

    def objects(self, place: int) -> list[Any]:
        """Return a column as Python objects; a missing value is None, NaN or pandas.NA."""
        return list(self._eager.get_column(self._keys[place]).to_list())

    @property
    def labels(self) -> IndexLabels | None:
        """The labels of the rows, if the frame has an index."""
        index = self._library.maybe_get_index(self._eager)
        return None if index is None else IndexLabels(index)

    def groups(self, places: Sequence[int]) -> Groups:
        """Give numbers to the groups of rows that have the same values in some columns."""
        from concordant.rankings.groups import number_groups, number_together  # not needed for a first result

        parts = []
        for place in places:
            series = self._eager.get_column(self._keys[place])
            parts.append(number_groups(f"column {self.names[place]!r}", series.to_native()))
        return number_together(parts)

    # --- the way out ---

    def square(self, values: Floats) -> Any:
        """Return a frame of this kind with the same columns, and a row for each column."""
        if hasattr(self.native, "set_axis"):  # pandas and modin have names for the rows
            return type(self.native)(values, index=self.native.columns, columns=self.native.columns)
        columns = {name: np.ascontiguousarray(values[:, k]) for k, name in enumerate(self.names)}
        return self._back(self._library.from_dict(columns, backend=self._eager.implementation))

    def rows(self, rows: Integers, places: Sequence[int], more: Mapping[str, Any]) -> Any:
        """Return a frame of this kind: some columns of some rows, and more columns beside them."""
        same = next((self.names[place] for place in places if self.names[place] in more), None)
        if same is not None:
            taken = f"by: the result has a column {same!r} of its own"
            raise ArgumentError(f"{taken}; rename the column of the groups")
        keys = [self._keys[place] for place in places]
        part = self._library.maybe_reset_index(self._eager.select(*keys)[rows.tolist()])
        backend = self._eager.implementation
        new = [self._library.new_series(name, values, backend=backend) for name, values in more.items()]
        found = self._back(part.with_columns(*new))
        if self._keys != self.names:
            found.columns = [*(self.names[place] for place in places), *more]
        return found

    def _back(self, frame: Any) -> Any:
        """Return a narwhals frame as the kind that the caller passed."""
        if type(self.native).__module__.partition(".")[0] == "narwhals":
            return frame.lazy() if self._is_lazy else frame
        if not self._is_lazy:
            return frame.to_native()
        if not hasattr(self.native, "query"):  # polars
            return frame.lazy().to_native()
        # DuckDB finds this variable by its name, and keeps the relation in the caller's connection.
        concordant_rows = frame.to_native()  # noqa: F841
        try:
            return self.native.query("concordant_input", "SELECT * FROM concordant_rows")
        except Exception as error:
            if type(error).__name__ != "CatalogException":
                raise
            raise ArgumentError(
                "DuckDB may not read variables of Python, which the result needs; SET "
                "python_enable_replacements = true, or pass a table of pyarrow"
            ) from error
