"""Types of arguments that several functions share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    import concurrent.futures

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Booleans: TypeAlias = NDArray[np.bool_]

Value: TypeAlias = np.float64 | Floats
"""A number for two rankings, an array for batches of them."""

Counted: TypeAlias = float | Floats | Integers
"""A count or a sum of the core: a number for one pair of rankings, an array for many."""

NanPolicy: TypeAlias = Literal["propagate", "raise", "omit"]
Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
OnMissing: TypeAlias = Literal["error", "drop", "zero"]
Topics: TypeAlias = Literal["common", "own"]
Match: TypeAlias = Literal["exact", "loose"]

Progress: TypeAlias = Callable[[int, int], None]
"""Called as ``progress(done, total)`` after each piece of work."""

# Strings, so that importing the package does not load numpy.random and concurrent.futures.
Executor: TypeAlias = "concurrent.futures.Executor"
"""What does the work elsewhere (PEP 3148)."""

RngLike: TypeAlias = (
    "int | np.integer[Any] | np.random.Generator | np.random.BitGenerator | np.random.SeedSequence | "
    "np.random.RandomState | None"
)
"""What `numpy.random.default_rng` takes."""


class SeriesLike(Protocol):
    """A Series of pandas or polars, an array of pyarrow, or a DataArray of xarray."""

    def to_numpy(self) -> Any:
        """Return the values."""


class ArrowStream(Protocol):
    """Batches of Arrow, in the form that libraries share."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return a capsule with the stream."""


class FrameLike(Protocol):
    """A data frame of pandas, polars, pyarrow, DuckDB or modin."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""


ListLike: TypeAlias = str | Sequence[Any] | SeriesLike | Mapping[Any, Any] | NDArray[Any]
"""A list of items, best first: names, with tied names in an inner list; a text ``"red (blue green)"``; a
mapping or Series of name to score; or an array of integers."""

OneRanking: TypeAlias = Sequence[float] | SeriesLike | Mapping[Any, Any]
"""The scores of items of one ranking, not of a batch of them."""

RankingLike: TypeAlias = ArrayLike | SeriesLike | Mapping[Any, Any]
"""The scores of items: an array, a list, a Series, or a mapping of label to score."""
