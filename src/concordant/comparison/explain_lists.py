"""Explain the overlap of two lists: what each depth and each item takes off."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from concordant.coefficients import Coefficient, evaluate_lists
from concordant.comparison.explain_result import Explanation, ItemCost
from concordant.errors import ArgumentError
from concordant.rankings import ListPairs, read_lists
from concordant.tables import Note, number, records
from concordant.typing import Floats

__all__ = ["DepthCost", "ListExplanation", "RankedItemCost", "explain_lists"]

_MOST_DEPTHS = 1000


@dataclass(frozen=True)
class DepthCost:
    """A depth of two lists and what it takes off the value.

    Attributes
    ----------
    depth : int
        The depth. The last depth stands for itself and all deeper ones.
    agreement : float
        The agreement of the two lists down to this depth.
    weight : float
        The weight of the depth.
    cost : float
        What the depth takes off the value, weight (1 - agreement).
    share : float or None
        The cost divided by 1 - value; None if nothing is lost.
    """

    depth: int
    agreement: float
    weight: float
    cost: float
    share: float | None


@dataclass(frozen=True)
class RankedItemCost(ItemCost):
    """An item, its ranks in both lists, and what it costs.

    Attributes
    ----------
    x_rank : float or None
        The rank in x, the middle rank if the item is tied; None if x lacks the item.
    y_rank : float or None
        The rank in y, the middle rank if the item is tied; None if y lacks the item.
    """

    x_rank: float | None
    y_rank: float | None

    def __str__(self) -> str:
        """Return a sentence."""
        ranks = ["not there" if r is None else f"rank {r:g}" for r in (self.x_rank, self.y_rank)]
        return f"{self.item}: {ranks[0]} in x, {ranks[1]} in y, cost {self.cost:.3g}"


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class ListExplanation(Explanation):
    """What depths and items take off the overlap of two lists; prints as sentences.

    Attributes
    ----------
    beyond : float
        What extrapolation beyond the end of the shorter list adds; the shares of the items and this sum to 1
        - value.
    depths : tuple of DepthCost
        The cost of each depth.
    ranked_items : tuple of RankedItemCost
        The items that cost most.

    Examples
    --------
    >>> import concordant as cd
    >>> why = cd.explain(["a", "b", "c"], ["b", "a", "c"], "rbo")
    >>> why.n_depths, why.depths[0].agreement
    (3, 0.0)
    """

    beyond: float
    depths: tuple[DepthCost, ...] = records(DepthCost, "Cost of each depth")
    ranked_items: tuple[RankedItemCost, ...] = records(RankedItemCost, "Items that cost most")

    def _why(self) -> Iterator[str]:
        """Say which depth and which item cost most."""
        worst = max(self.depths or (), key=lambda each: each.cost, default=None)
        if worst is None or worst.cost <= 0:
            yield "No depth costs anything"
            return
        from_on = " and beyond" if worst.depth == self.n_depths else ""
        yield f"Depth {worst.depth}{from_on} costs most, {number(worst.cost)}"
        if self.ranked_items and self.ranked_items[0].cost > 0:
            first = self.ranked_items[0]
            ranks = ["not there" if r is None else f"rank {r:g}" for r in (first.x_rank, first.y_rank)]
            places = f"{ranks[0]} in x, {ranks[1]} in y"
            yield f"Of the items, {first.item} costs most, {number(first.cost)} ({places})"

    def reasons(self, most: int = 3) -> list[Any]:
        """Return the items that cost most.

        Parameters
        ----------
        most : int, default 3
            The number of items.

        Returns
        -------
        list of RankedItemCost
            The items, the most costly first.

        Examples
        --------
        >>> import concordant as cd
        >>> why = cd.explain(["a", "b", "c"], ["b", "a", "c"], "rbo")
        >>> why.reasons(1)[0].item
        'a'
        """
        return list(self.ranked_items[:most])

    def __repr__(self) -> str:
        if math.isnan(self.value):
            return "\n".join([f"{self.coefficient} = nan", *(f"({note})" for note in self.notes)])
        lines = [f"{self.coefficient} = {self.value:.4f}, {1 - self.value:.4f} below 1"]
        worst = sorted(self.depths, key=lambda each: -each.cost)[: len(self.ranked_items)]
        for each in sorted(worst, key=lambda each: each.depth):
            from_on = " and beyond" if each.depth == self.n_depths else ""
            share = "" if each.share is None else f" ({100 * each.share:.0f} %)"
            lines.append(
                f"- depth {each.depth}{from_on}: agreement {each.agreement:.4f}, cost {each.cost:.3g}{share}"
            )
        return "\n".join(lines + [f"- {each}" for each in self.ranked_items])

    @property
    def n_depths(self) -> int:
        """The last depth."""
        return self.depths[-1].depth if self.depths else 0


def explain_lists(x: Any, y: Any, c: Coefficient, most: int, threads: int) -> ListExplanation:
    """Explain the value of a coefficient of two lists."""
    if c.depth_costs is None:
        raise ArgumentError(
            f"{c.name} is not a sum over depths and cannot be explained; use another coefficient"
        )
    pairs = read_lists(x, y, c.threshold)
    if pairs.shape:
        raise ArgumentError(f"takes two lists, got batches of shape {pairs.shape}")
    outcome = evaluate_lists([c], pairs, threads)[0]
    outcome.report(str(c))
    value = float(outcome.values[0])
    common: dict[str, Any] = {"coefficient": c, "value": value, "n_pairs": 0, "pairs": None, "removals": None}
    if math.isnan(value):
        note = Note("undefined_value", values={"reason": outcome.reason})
        empty: dict[str, Any] = {
            "items": (),
            "shares": np.empty(0),
            "beyond": math.nan,
            "depths": (),
            "ranked_items": (),
        }
        return ListExplanation(**common, **empty, notes=(note,))
    found = c.depth_costs(pairs, **c.options_without_threshold())
    names = pairs.names_of(found.items)
    lost = 1 - value
    order = np.lexsort((np.arange(len(names)), -found.item_costs.round(15)))[:most].tolist()
    ranks = [_middle(pairs, side, found.items) for side in (0, 1)]
    costs = found.costs.tolist()
    return ListExplanation(
        **common,
        items=names,
        shares=found.item_costs,
        beyond=lost - math.fsum(found.item_costs.tolist()),
        depths=tuple(
            DepthCost(d + 1, float(found.agreement[d]), float(found.weight[d]), cost, _share(cost, lost))
            for d, cost in enumerate(costs[:_MOST_DEPTHS])
        ),
        ranked_items=tuple(
            RankedItemCost(
                names[k],
                float(found.item_costs[k]),
                _share(float(found.item_costs[k]), lost),
                *(None if math.isnan(side[k]) else float(side[k]) for side in ranks),
            )
            for k in order
        ),
    )


def _share(cost: float, lost: float) -> float | None:
    return cost / lost if lost > 0 else None


def _middle(pairs: ListPairs, side: int, items: Any) -> Floats:
    """Return the middle rank of each item; nan for an item that the list lacks."""
    start, stop = pairs.offsets[side : side + 2].tolist()
    ends = pairs.ends[start:stop] if len(pairs.ends) else np.arange(1, stop - start + 1)
    found = np.full(len(items), math.nan)
    place = np.searchsorted(items, pairs.codes[start:stop])
    found[place] = (np.searchsorted(ends, ends, side="left") + 1 + ends) / 2
    return found
