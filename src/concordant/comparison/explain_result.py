"""What pairs and items take off a coefficient, as a result."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar

from concordant.coefficients import SAME, Coefficient
from concordant.tables import Result, count, records
from concordant.typing import Floats

__all__ = ["Explanation", "ItemCost", "PairCost", "Removal"]


@dataclass(frozen=True)
class PairCost:
    """A pair of items and what it takes off the coefficient."""

    better: Hashable  # by the reference
    worse: Hashable
    reference_difference: float
    estimate_difference: float
    cost: float

    def __str__(self) -> str:
        """Return a sentence."""
        reference, estimate = _signed(self.reference_difference), _signed(self.estimate_difference)
        return (
            f"{self.better} and {self.worse}: "
            f"reference {reference}, estimate {estimate}, cost {_short(self.cost)}"
        )


@dataclass(frozen=True)
class ItemCost:
    """An item and its share of 1 - c: half the cost of all pairs that it is in."""

    item: Hashable
    cost: float
    share: float | None


@dataclass(frozen=True)
class Removal:
    """An item and the coefficient without it."""

    item: Hashable
    value: float
    gain: float

    def __str__(self) -> str:
        """Return a sentence."""
        return f"without {self.item}: {self.value:.4f} ({self.gain:+.4f})"


def _short(value: float) -> str:
    return f"{value:.3f}" if 0.001 <= abs(value) < 1000 or value == 0 else f"{value:.2g}"


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else '-' if value < 0 else ''}{_short(abs(value))}"


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Explanation(Result[PairCost]):
    """What items and pairs take off a coefficient; prints as sentences."""

    function: ClassVar[str] = "explain"

    coefficient: Coefficient
    value: float
    items: tuple[Hashable, ...]
    shares: Floats | None  # of 1 - value, by item; they sum to it. None if it is not a sum over pairs
    n_pairs: int  # that cost anything, of the pairs that were searched
    pairs: tuple[PairCost, ...] = records(PairCost, "Pairs that cost most")
    removals: tuple[Removal, ...] = records(Removal, "Items without which the coefficient is higher")
    item_costs: tuple[ItemCost, ...] | None = records(
        ItemCost, "Cost of each item: half of all pairs that it is in"
    )

    @property
    def n(self) -> int:
        """How many items there are."""
        return len(self.items)

    @classmethod
    def value_names(cls) -> tuple[str, ...]:
        """Return the names of single numbers; what each item costs is a table."""
        return tuple(name for name in super().value_names() if name not in ("items", "shares"))

    def __repr__(self) -> str:
        lines = [f"{self.coefficient} = {self.value:.4f}{self._lost()}"]
        lines += [f"- {each}" for each in (*(self.pairs or ()), *(self.removals or ()))]
        lines += [f"({note})" for note in self.notes]
        return "\n".join(lines)

    def _lost(self) -> str:
        if math.isnan(self.value):
            return ""
        if self.shares is not None and self.value > 1 - SAME:
            return ": no pair of items costs anything"
        if self.shares is None or not self.pairs:
            return f", {1 - self.value:.4f} below 1"
        return f", {1 - self.value:.4f} below 1; the most costly of {count(self.n_pairs, 'pair')}:"

    def reasons(self, most: int = 3) -> list[PairCost | Removal]:
        """Return what costs most: pairs, or, of what is not a sum over pairs, the items to remove."""
        return list((self.removals if self.shares is None else self.pairs)[:most])
