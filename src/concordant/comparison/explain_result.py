"""The result of `explain`: what pairs and items take off a coefficient."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from concordant.coefficients import SAME, Coefficient
from concordant.tables import Result, count, number, records, sentences
from concordant.typing import Floats

__all__ = ["SAME_COST", "Explanation", "ItemCost", "PairCost", "Removal", "as_others_do", "without"]

SAME_COST = 1e-12  # relative; costs that differ by less are the same


@dataclass(frozen=True)
class PairCost:
    """A pair of items and what it takes off the coefficient.

    Attributes
    ----------
    better : Hashable
        The item that is better by the reference.
    worse : Hashable
        The item that is worse by the reference.
    reference_difference : float
        The score of the better item minus that of the worse one, by the reference.
    estimate_difference : float
        The same difference by the estimate.
    cost : float
        What the pair takes off the coefficient.
    """

    better: Hashable
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
    """An item and its cost: half the cost of all pairs that it is in.

    Attributes
    ----------
    item : Hashable
        The item.
    cost : float
        What the item takes off the coefficient; the costs of all items sum to 1 - c.
    share : float or None
        The cost divided by 1 - c; None if nothing is lost.
    """

    item: Hashable
    cost: float
    share: float | None


@dataclass(frozen=True)
class Removal:
    """An item and the value of the coefficient without it.

    Attributes
    ----------
    item : Hashable
        The item.
    value : float
        The coefficient of the other items.
    gain : float
        How much larger this is than the coefficient of all items.
    """

    item: Hashable
    value: float
    gain: float

    def __str__(self) -> str:
        """Return a sentence."""
        return f"without {self.item}: {self.value:.4f} ({self.gain:+.4f})"


def _others_alike(values: Sequence[float]) -> int:
    """Return how many others are as large as the first, which is the largest."""
    return sum(value >= values[0] - abs(values[0]) * SAME_COST - SAME for value in values[1:])


def as_others_do(costs: Sequence[float]) -> str:
    """Say how many other pairs cost as much as the first one; all that do are among these."""
    others = _others_alike(costs)
    return f", as {count(others, 'other pair')} {'does' if others == 1 else 'do'}" if others else ""


def without(items: Sequence[str], gains: Sequence[float], most: int) -> str:
    """Say without which item a coefficient is highest; if at most so many are listed, there may be more."""
    others = _others_alike(gains)
    if others == 0:
        who = items[0]
    elif others + 1 < most:
        who = f"{items[0]} or {items[1]}" if others == 1 else f"{items[0]} (or one of {others} others)"
    else:
        who = f"{items[0]} (or another)"
    return f"Without {who} it is higher by {number(gains[0])}"


def _item(item: Hashable) -> str:
    """Name an item in a sentence."""
    return f"item {item}" if isinstance(item, int) else str(item)


def _short(value: float) -> str:
    return f"{value:.3f}" if 0.001 <= abs(value) < 1000 or value == 0 else f"{value:.2g}"


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else '-' if value < 0 else ''}{_short(abs(value))}"


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Explanation(Result[PairCost]):
    """What items and pairs take off a coefficient; prints as sentences.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient.
    value : float
        Its value.
    items : tuple of Hashable
        The labels of the items, or their positions.
    shares : Floats or None
        The part of 1 - value of each item; the parts sum to 1 - value. None if the coefficient is not a sum
        over pairs.
    n_pairs : int
        The number of pairs that cost something, among the pairs that were searched.
    pairs : tuple of PairCost
        The pairs that cost most.
    removals : tuple of Removal
        The items without which the coefficient is highest.
    item_costs : tuple of ItemCost or None
        The cost of each item.

    Examples
    --------
    >>> import concordant as cd
    >>> why = cd.explain({"a": 3, "b": 2, "c": 1}, {"a": 2, "b": 3, "c": 1}, "tau_b")
    >>> why.n, why.n_pairs, why.pairs[0].better, why.pairs[0].worse
    (3, 1, 'a', 'b')
    >>> why.verdict[1]
    'One pair costs something, a and b: 0.67.'
    """

    function: ClassVar[str] = "explain"

    coefficient: Coefficient
    value: float
    items: tuple[Hashable, ...]
    shares: Floats | None
    n_pairs: int
    pairs: tuple[PairCost, ...] = records(PairCost, "Pairs that cost most")
    removals: tuple[Removal, ...] = records(Removal, "Items without which the coefficient is higher")
    item_costs: tuple[ItemCost, ...] | None = records(
        ItemCost, "Cost of each item: half of all pairs that it is in"
    )

    @property
    def n(self) -> int:
        """The number of items."""
        return len(self.items)

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: the value, the pair that costs most, and the item to remove."""
        c = self.coefficient
        if math.isnan(self.value):
            why = next((n.values["reason"] for n in self.notes if n.kind == "undefined_value"), "")
            return sentences([f"{c} is undefined{f': {why}' if why else ''}"])
        return sentences([f"{c} of {count(self.n, 'item')} is {number(self.value)}", *self._why()])

    def _why(self) -> Iterator[str]:
        if self.shares is not None and self.value > 1 - SAME:
            yield "No pair of items costs anything"
        for note in self.notes:
            if note.kind == "pairs_cost_the_same":
                text = str(note)
                yield text[0].upper() + text[1:]
        if self.pairs:
            worst = self.pairs[0]
            both = f"{_item(worst.better)} and {_item(worst.worse)}"
            many = f"Of the {self.n_pairs} pairs that cost something, {both} cost most"
            also = as_others_do([each.cost for each in self.pairs])
            yield (
                f"{many if self.n_pairs > 1 else f'One pair costs something, {both}'}: "
                f"{number(worst.cost)}{also}"
            )
        if self.removals:
            names, gains = [_item(r.item) for r in self.removals], [r.gain for r in self.removals]
            yield without(names, gains, self.options["most"])

    @classmethod
    def value_names(cls) -> tuple[str, ...]:
        """Return the names of the fields that hold single values.

        The cost of each item is a table.

        Returns
        -------
        tuple of str
            The names.

        Examples
        --------
        >>> import concordant as cd
        >>> why = cd.explain({"a": 3, "b": 2, "c": 1}, {"a": 2, "b": 3, "c": 1}, "tau_b")
        >>> why.value_names()
        ('coefficient', 'value', 'n_pairs')
        """
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
        """Return what costs most: pairs, or, if the coefficient is not a sum over pairs, removals.

        Parameters
        ----------
        most : int, default 3
            The number of pairs or removals.

        Returns
        -------
        list of PairCost or Removal
            Empty if more than `most` pairs cost the same.

        Examples
        --------
        >>> import concordant as cd
        >>> why = cd.explain({"a": 3, "b": 2, "c": 1}, {"a": 2, "b": 3, "c": 1}, "tau_b")
        >>> print(why.reasons()[0])
        a and b: reference +1.000, estimate -1.000, cost 0.667
        """
        if self.shares is None:
            return list(self.removals[:most])
        alike = len(self.pairs) > most > 0 and self.pairs[most].cost >= self.pairs[0].cost * (1 - SAME_COST)
        return [] if alike else list(self.pairs[:most])
