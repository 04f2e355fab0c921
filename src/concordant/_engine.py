"""From pairs of rankings to numbers: what the core counts, and how a coefficient is made of it."""

from __future__ import annotations

import contextlib
import math
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from concordant import _core
from concordant._inputs import (
    NAN_POLICIES,
    Floats,
    NanPolicy,
    Pairs,
    n_workers,
    one_of,
    read_pairs,
    thresholds,
)


class UndefinedWarning(RuntimeWarning):
    """A coefficient is nan because its definition gives no value, not because the input had NaN."""


class Sums(Protocol):
    """What the coefficients are made of; numbers for one pair, arrays for many.

    The first seven are counts, in integers. `above` is the number of items above an item in the ranking walked.
    """

    n: Any
    concordant: Any
    discordant: Any
    untied_x: Any  # pairs
    untied_y: Any
    pivots_x: Any  # items with at least one item above them
    pivots_y: Any
    precision_x: Any  # sum of concordant / above, walking down x
    precision_y: Any
    net_x: Any  # sum of (concordant - discordant) / above
    net_y: Any
    stepped: Any  # the sum of tau_ap_a
    equal: Any  # the sum of tau_ap_e
    gap: Any  # of tau_gap: the sum of its terms, and of their weights
    gap_weight: Any
    rank: Any  # of pearson_rank
    rank_weight: Any
    by_x_net: Any  # of tau_h: net and untied pairs of each item over its rank, ranks by x then y
    by_x_untied_x: Any
    by_x_untied_y: Any
    by_y_net: Any  # ranks by y then x
    by_y_untied_x: Any
    by_y_untied_y: Any
    moment_xx: Any  # centred second moments, of the scores up to a factor for each ranking
    moment_yy: Any
    moment_xy: Any
    midrank_xx: Any  # and of the mid-ranks
    midrank_yy: Any
    midrank_xy: Any


def n_pairs(n: Any) -> Any:
    """Return the number of pairs of n items."""
    return n * (n - 1) // 2


def ratio(numerator: Any, denominator: Any) -> Any:
    """Divide, with nan for a zero denominator, for numbers and arrays alike."""
    if isinstance(denominator, np.ndarray):
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(denominator != 0, numerator / denominator, math.nan)
    return numerator / denominator if denominator else math.nan


def root_of_product(a: Any, b: Any) -> Any:
    """Return sqrt(a b) for counts, as floats because a product of counts may exceed 64 bits.

    One root of the product, not a product of roots: for a = b it gives a exactly.
    """
    if isinstance(a, np.ndarray):
        return np.sqrt(a.astype(np.float64) * b.astype(np.float64))
    return math.sqrt(float(a) * float(b))


@dataclass(frozen=True)
class Statistic:
    """One coefficient as a formula of the sums it needs."""

    name: str
    needs: int  # what the core must compute
    reals: tuple[str, ...]  # the sums of this that the formula uses, besides the counts
    formula: Callable[[Sums], Any]
    undefined: str  # when a pair of two or more items has no value
    untied_alternatives: str = ""  # set for coefficients that refuse ties: what to use instead
    both: bool = False  # the mean of both directions


FEW_ITEMS = "fewer than two items"
Directions = dict[bool, Statistic]


def directions(statistic: Statistic) -> Directions:
    """Return the statistic as it is, under False, and as the mean of both directions, under True."""
    return {False: statistic, True: replace(statistic, both=True)}


def pick(statistics: Directions, symmetric: bool) -> Statistic:
    """Choose between one direction and the mean of both."""
    if symmetric not in (False, True):
        raise ValueError(f"{statistics[False].name}: symmetric must be True or False, got {symmetric!r}")
    return statistics[symmetric]


def clamped(value: Any) -> Any:
    """Take off what rounding may have added beyond -1 and 1."""
    return (
        np.clip(value, -1.0, 1.0) if isinstance(value, np.ndarray) else min(max(value, -1.0), 1.0)
    )  # nan stays


_FLOAT64 = np.dtype(np.float64)


def apply(
    statistic: Statistic, x: Any, y: Any, threshold: Any, axis: int, nan_policy: NanPolicy, workers: int
) -> Any:
    """Compute one coefficient for whatever the user passed.

    Two plain one-dimensional arrays with nothing unusual about them take a short way, because there the checks of the
    general way would cost more than the computation. Anything else, errors included, goes the general way.
    """
    if type(x) is list and type(y) is list:
        with contextlib.suppress(ValueError):  # the general way says what is wrong
            x, y = np.array(x), np.array(y)
    if (
        type(x) is np.ndarray
        and type(y) is np.ndarray
        and x.dtype is _FLOAT64
        and y.dtype is _FLOAT64
        and x.ndim == 1
        and x.shape == y.shape
        and type(threshold) is float
        and threshold >= 0.0
        and nan_policy in NAN_POLICIES
        and axis in (-1, 0)
        and workers == 1
        and x.flags.c_contiguous
        and y.flags.c_contiguous
    ):
        sums = _core.pair(x, y, threshold, threshold, statistic.needs)
        if sums is not None:
            n = sums.n
            if n >= 2 and (not statistic.untied_alternatives or sums.untied_x + sums.untied_y == n * (n - 1)):
                value = statistic.formula(sums)
                if statistic.both:
                    back = _core.pair(y, x, threshold, threshold, statistic.needs)
                    value = (value + statistic.formula(back)) / 2
                if value == value:  # noqa: PLR0124 - not nan
                    return np.float64(value)
    who = statistic.name
    check_options(who, nan_policy, workers)
    task = (statistic, thresholds(who, threshold))
    pairs = read_pairs(who, x, y, axis)
    outcome = run(*screen(who, pairs, nan_policy), [task], workers)[0]
    outcome.warn(who)
    return shaped(outcome.values, pairs.shape)


def check_options(who: str, nan_policy: object, workers: object) -> None:
    """Refuse wrong options before any work is done."""
    one_of(who, "nan_policy", nan_policy, NAN_POLICIES)
    n_workers(who, workers)


def shaped(values: Floats, shape: tuple[int, ...]) -> Any:
    """Give one value per pair the shape the user expects: a number for one pair."""
    return values.reshape(shape) if shape else np.float64(values[0])


Task = tuple[Statistic, tuple[float, float]]


class Outcome(NamedTuple):
    """One value per pair, and why some have none."""

    values: Floats
    undefined: int  # how many are nan though the input had no NaN
    reason: str

    def warn(self, name: str) -> None:
        """Tell why values are nan, once per call, pointing at the user's line."""
        if self.undefined:
            which = (
                ""
                if len(self.values) == 1
                else f" for {self.undefined} of {len(self.values)} pairs of rankings"
            )
            package = str(Path(__file__).parent)
            level, frame = 1, sys._getframe()
            while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
                level, frame = level + 1, frame.f_back
            warnings.warn(f"{name} is undefined{which}: {self.reason}", UndefinedWarning, stacklevel=level)


class TiesError(ValueError):
    """Tied items were given to a coefficient that is not defined for ties."""


def run(pairs: Pairs, missing: NDArray[np.bool_], tasks: Sequence[Task], workers: int) -> list[Outcome]:
    """Compute several coefficients of the same pairs, sorting and counting once for all of them.

    `missing` says which pairs have NaN and get nan.
    """
    sums = count(pairs, tasks, workers)
    both = [(statistic, (w_y, w_x)) for statistic, (w_x, w_y) in tasks if statistic.both]
    sums_back = count(pairs.exchanged(), both, workers) if both else {}
    few = pairs.sizes() < 2
    outcomes = []
    for statistic, pair_of_thresholds in tasks:
        found = sums[pair_of_thresholds]
        if statistic.untied_alternatives:
            _refuse_ties(statistic, pairs, found, missing)
        computed = statistic.formula(found)
        if statistic.both:
            computed = (computed + statistic.formula(sums_back[pair_of_thresholds[::-1]])) / 2
        values = np.where(missing | few, math.nan, computed)
        undefined = np.isnan(values) & ~missing
        reason = FEW_ITEMS if few[undefined].all() else statistic.undefined
        outcomes.append(Outcome(values, int(undefined.sum()), reason))
    return outcomes


def count(pairs: Pairs, tasks: Sequence[Task], workers: int) -> dict[tuple[float, float], Sums]:
    """Return the sums of all pairs for each pair of thresholds in the tasks."""
    needs: dict[tuple[float, float], int] = {}
    for statistic, each in tasks:
        needs[each] = needs.get(each, 0) | statistic.needs
    fields = sorted({_core.REAL_FIELDS.index(name) for statistic, _ in tasks for name in statistic.reals})
    counts = np.empty((len(needs), len(_core.COUNT_FIELDS), len(pairs)), dtype=np.int64)
    reals = np.empty((len(needs), len(fields), len(pairs)))
    _core.pairs(
        pairs.x, pairs.offsets_x, pairs.y, pairs.offsets_y, pairs.pair_x, pairs.pair_y,
        [w_x for w_x, _ in needs], [w_y for _, w_y in needs], list(needs.values()), fields,
        n_workers("workers", workers), counts, reals,
    )  # fmt: skip
    names = (*_core.COUNT_FIELDS, *(_core.REAL_FIELDS[field] for field in fields))
    return {
        each: SimpleNamespace(**dict(zip(names, (*counts[t], *reals[t]), strict=True)))
        for t, each in enumerate(needs)
    }


def screen(who: str, pairs: Pairs, nan_policy: NanPolicy) -> tuple[Pairs, NDArray[np.bool_]]:
    """Deal with values that are not finite; returns the pairs to compute and which of them have NaN."""
    missing = np.zeros(len(pairs), dtype=np.bool_)
    if np.isfinite(pairs.x).all() and np.isfinite(pairs.y).all():
        return pairs, missing
    for name, values, offsets, rows in (
        ("x", pairs.x, pairs.offsets_x, pairs.pair_x),
        ("y", pairs.y, pairs.offsets_y, pairs.pair_y),
    ):
        infinite, nan = np.flatnonzero(np.isinf(values)), np.flatnonzero(np.isnan(values))
        if len(infinite):
            raise ValueError(
                f"{who}: {name} is infinite at {pairs.spot(name, infinite[0])}; replace it or drop the item"
            )
        if len(nan) and nan_policy == "raise":
            raise ValueError(
                f"{who}: {name} is NaN at {pairs.spot(name, nan[0])}; drop the item or use nan_policy='omit'"
            )
        has_nan = np.zeros(len(offsets) - 1, dtype=np.bool_)
        has_nan[np.searchsorted(offsets, nan, side="right") - 1] = True
        missing |= has_nan[rows]
    if nan_policy == "omit":
        pairs = pairs.select(lambda x, y, _pair, _starts: ~(np.isnan(x) | np.isnan(y)))
        missing[:] = False
    return pairs, missing


def tied_items(pairs: Pairs, p: int, name: str) -> tuple[list[int], float]:
    """Return the items, and the value, of the best tie of equal values in one side of a pair."""
    row = pairs.row_x(p) if name == "x" else pairs.row_y(p)
    values, sizes = np.unique(row, return_counts=True)
    value = values[sizes > 1][-1]
    return np.flatnonzero(row == value).tolist(), float(value)


def refuse_ties(statistic: Statistic, pairs: Pairs) -> None:
    """Raise if any ranking has ties."""
    none_missing = np.zeros(len(pairs), dtype=np.bool_)
    _refuse_ties(statistic, pairs, count(pairs, [(statistic, (0.0, 0.0))], 1)[0.0, 0.0], none_missing)


def _refuse_ties(statistic: Statistic, pairs: Pairs, sums: Sums, missing: NDArray[np.bool_]) -> None:
    for name, untied in (("x", sums.untied_x), ("y", sums.untied_y)):
        tied = np.flatnonzero((untied < n_pairs(sums.n)) & ~missing)
        if len(tied):
            p = int(tied[0])
            items, value = tied_items(pairs, p, name)
            named = ", ".join(pairs.item(p, k) for k in items[:3]) + (", ..." if len(items) > 3 else "")
            raise TiesError(
                f"{statistic.name}: {name} has tied items ({named} at {value:g}); use {statistic.untied_alternatives}"
            )
