"""Many records as columns of arrays: a record is made only when it is used."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, Generic, TypeVar, overload

__all__ = ["Columns"]

Record = TypeVar("Record")


class Columns(Sequence[Record], Generic[Record]):
    """A sequence of records of one kind that needs no more memory than its arrays.

    Parameters
    ----------
    kind : type
        The dataclass of the records.
    **columns : array
        An array for each field. NaN becomes None.
    """

    def __init__(self, kind: type[Record], **columns: Any) -> None:
        names = [each.name for each in fields(kind)]  # type: ignore[arg-type]
        self._kind = kind
        self._columns = [columns[name] for name in names]

    def __len__(self) -> int:
        return len(self._columns[0])

    @overload
    def __getitem__(self, place: int) -> Record: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Record, ...]: ...
    def __getitem__(self, place: int | slice) -> Record | tuple[Record, ...]:
        if isinstance(place, slice):
            return tuple(self[k] for k in range(*place.indices(len(self))))
        return self._kind(*(_cell(column[place]) for column in self._columns))

    def __iter__(self) -> Iterator[Record]:
        for place in range(len(self)):
            yield self[place]

    def __eq__(self, other: object) -> bool:
        """Compare the records."""
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} records of {self._kind.__name__}>"


def _cell(value: Any) -> Any:
    plain = value.item() if hasattr(value, "item") else value
    return None if isinstance(plain, float) and math.isnan(plain) else plain
