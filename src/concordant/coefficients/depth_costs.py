"""The overlap of two lists at each depth: what each depth and each item costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from concordant.rankings.compiled import core
from concordant.rankings.lists import ListPairs
from concordant.typing import Floats, Integers

TieVariant = Literal["a", "b", "w"]
VARIANTS: dict[Any, int] = {name: number for number, name in enumerate(get_args(TieVariant))}
"""The treatments of ties, as the core numbers them."""

NEVER = 1e300  # a rank beyond all depths
_NOTHING = 1e-18  # a weight that changes no double


@dataclass(frozen=True)
class DepthCosts:
    """What each depth and each item of two lists costs.

    The last depth stands for itself and all deeper ones. ``items`` are the codes of the items of both lists.
    ``item_costs`` is what each of them costs down to the end of the shorter list, extrapolated.
    """

    agreement: Floats
    weight: Floats
    items: Integers
    item_costs: Floats

    @property
    def costs(self) -> Floats:
        """By how much each depth lowers the value: weight (1 - agreement)."""
        found: Floats = self.weight * (1 - self.agreement)
        return found


def overlap_at(pairs: ListPairs, depth: int, threads: int) -> Floats:
    """Return the share of common items among the first k, averaged over all ways of breaking the ties."""
    out = np.empty(len(pairs))
    core.overlap_pairs(*pairs.arrays, depth, threads, out)
    return out


def overlap_costs(pairs: ListPairs, *, p: float = 0.9, ties: str = "a") -> DepthCosts:
    """Return what depths and items of two lists cost.

    The agreement at a depth is a sum over items, and so is 1 - agreement: with c the part of an item that
    is seen, (c_x + c_y - 2 c_x c_y) / (sum c_x + sum c_y) for a and w, and
    (c_x / |c_x| - c_y / |c_y|)^2 / 2 for b.
    """
    n_x, n_y = pairs.sizes.tolist()
    agreement = np.empty(max(n_x, n_y))
    core.rbo_agreements(pairs.codes, pairs.ends, pairs.offsets, pairs.n_codes, VARIANTS[ties], agreement)
    weight = _weights(len(agreement), p)
    items = np.unique(pairs.codes)
    return DepthCosts(agreement, weight, items, _item_costs(pairs, items, min(n_x, n_y), p, ties))


def _weights(n: int, p: float) -> Floats:
    """Return the weights (1 - p) p^(d - 1) of depths; the last is the weight of all depths from there on."""
    weight = np.float_power(p, np.arange(n))
    weight[:-1] *= 1 - p
    return weight


def _item_costs(pairs: ListPairs, items: Integers, shortest: int, p: float, ties: str) -> Floats:
    ranks = [ranks_of(pairs, side, items) for side in (0, 1)]
    weight = _weights(shortest, p)
    costs = np.zeros(len(items))
    last = min(shortest, 1 + math.ceil(math.log(_NOTHING) / math.log(p)))
    for d in range(1, last + 1):
        seen = []
        for top, bottom in ranks:
            part = np.clip((d - top + 1) / (bottom - top + 1), 0.0, 1.0)
            seen.append((part > 0).astype(np.float64) if ties == "w" else part)
        x, y = seen
        if ties == "b":
            lost = (x / math.sqrt(float(x @ x)) - y / math.sqrt(float(y @ y))) ** 2 / 2
        else:
            lost = (x + y - 2 * x * y) / float(x.sum() + y.sum())
        # The last depth includes all deeper ones.
        costs += (weight[d - 1] if d < last else weight[d - 1 :].sum()) * lost
    return costs


def ranks_of(pairs: ListPairs, side: int, items: Integers) -> tuple[Floats, Floats]:
    """Return the top and bottom rank of each item; an item that the list lacks is beyond all depths."""
    start, stop = pairs.offsets[side : side + 2].tolist()
    codes, n = pairs.codes[start:stop], stop - start
    ends = pairs.ends[start:stop] if len(pairs.ends) else np.arange(1, n + 1)
    first = np.searchsorted(ends, ends, side="left") + 1  # ends never fall
    top, bottom = np.full(len(items), NEVER), np.full(len(items), NEVER)
    place = np.searchsorted(items, codes)
    top[place], bottom[place] = first, ends
    return top, bottom
