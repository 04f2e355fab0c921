"""From pairs of rankings to numbers: what the core counts, and how a coefficient is made of it."""

from __future__ import annotations

import functools
import math
import operator
import os
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

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
)
from concordant._relation import Tie, TieRelation, count_by_relation, read_ties

# Looked up in every call.
ndarray, float64, sqrt = np.ndarray, np.float64, math.sqrt


SAME = 1e-12  # values of a coefficient that differ by less are the same value


class UndefinedWarning(RuntimeWarning):
    """A coefficient is nan because its definition gives no value, not because the input had NaN."""


# What the core can say about a pair of rankings, and what it must compute for it (src/cpp/fields.hpp). The parameters of a
# coefficient's formula are names from here; they are numbers for one pair of rankings, arrays for many.
FIELDS = _core.FIELDS
_NUMBERS = {field: number for number, field in enumerate(FIELDS)}
_REAL_FIELDS = tuple(FIELDS)[_core.N_COUNTS :]


def n_pairs(n: Any) -> Any:
    """Return the number of pairs of n items."""
    return n * (n - 1) // 2


def ratio(numerator: Any, denominator: Any) -> Any:
    """Divide, with nan for a zero denominator, for numbers and arrays alike."""
    if type(denominator) is ndarray:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(denominator != 0, numerator / denominator, math.nan)
    return numerator / denominator if denominator else math.nan


def root_of_product(a: Any, b: Any) -> Any:
    """Return sqrt(a b); the product is rounded once, also where the product of two counts exceeds 64 bits.

    One root of the product, not a product of roots: for a = b it gives a exactly.
    """
    if type(a) is ndarray:
        return np.sqrt(a.astype(np.float64) * b.astype(np.float64))
    return sqrt(a * b)


@dataclass(frozen=True)
class Statistic:
    """One coefficient as a formula, whose parameters are the names of what it needs from the core (see FIELDS)."""

    name: str
    formula: Callable[..., Any]
    undefined: str  # when a pair of two or more items has no value
    untied_alternatives: str = ""  # set for coefficients that refuse ties: what to use instead
    both: bool = False  # the mean of both directions

    @functools.cached_property
    def fields(self) -> tuple[str, ...]:
        """The parameters of the formula."""
        code = self.formula.__code__
        return code.co_varnames[: code.co_argcount]

    @functools.cached_property
    def needs(self) -> int:
        """What the core must compute."""
        return functools.reduce(operator.or_, (FIELDS[field] for field in self.fields), 0)

    @functools.cached_property
    def plan(self) -> _core.Plan:
        """The same, prepared for single calls."""
        return _core.Plan(
            self.needs, bool(self.untied_alternatives), [_NUMBERS[field] for field in self.fields]
        )

    def of(self, found: Mapping[str, Any]) -> Any:
        """Apply the formula to what the core found."""
        return self.formula(*(found[field] for field in self.fields))


FEW_ITEMS = "fewer than two items"
NEVER = "never"  # undefined, with two or more items

Directions = dict[bool, Statistic]


def directions(statistic: Statistic) -> Directions:
    """Return the statistic as it is, under False, and as the mean of both directions, under True."""
    either = statistic.undefined.replace("in x", "in x or in y").replace("x has", "x or y has")
    return {False: statistic, True: replace(statistic, both=True, undefined=either)}


def pick(statistics: Directions, symmetric: bool) -> Statistic:
    """Choose between one direction and the mean of both."""
    if not isinstance(symmetric, bool | np.bool_):
        raise TypeError(f"{statistics[False].name}: symmetric must be True or False, got {symmetric!r}")
    return statistics[bool(symmetric)]


def clamped(value: Any) -> Any:
    """Take off what rounding may have added beyond -1 and 1; nan stays."""
    return np.clip(value, -1.0, 1.0) if type(value) is ndarray else min(max(value, -1.0), 1.0)


_FLOAT64 = np.dtype(np.float64)


def apply(
    statistic: Statistic, x: Any, y: Any, threshold: Any, axis: int, nan_policy: NanPolicy, workers: int
) -> Any:
    """Compute one coefficient for whatever the user passed.

    Two plain one-dimensional arrays or lists with nothing unusual about them take a short way, because there the checks
    of the general way would cost more than the computation. Anything else, errors included, goes the general way.
    """
    plain = type(threshold) is float and threshold >= 0.0
    if plain:
        w_x = w_y = threshold
    else:
        w_x, w_y = read_ties(statistic.name, threshold)
        plain = type(w_x) is float and type(w_y) is float
    if (
        plain
        and type(axis) is int
        and (axis == -1 or axis == 0)  # noqa: PLR1714 - faster
        and type(workers) is int
        and workers == 1
        and type(nan_policy) is str
        and nan_policy in NAN_POLICIES
    ):
        plain_x = x if type(x) is ndarray else _plain(x)
        plain_y = y if type(y) is ndarray else _plain(y)
        found = None
        if plain_x is not None and plain_y is not None:
            found = _core.pair(plain_x, plain_y, w_x, w_y, statistic.plan)
            if found is None:  # perhaps arrays of another type of numbers
                plain_x, plain_y = _plain(plain_x), _plain(plain_y)
                if plain_x is not None and plain_y is not None and (plain_x is not x or plain_y is not y):
                    found = _core.pair(plain_x, plain_y, w_x, w_y, statistic.plan)
        if found is not None:
            value = statistic.formula(*found)
            if statistic.both:
                back = _core.pair(plain_y, plain_x, w_y, w_x, statistic.plan)
                value = math.nan if back is None else (value + statistic.formula(*back)) / 2
            if value == value:  # noqa: PLR0124 - not nan
                return float64(value)
    who = statistic.name
    threads = check_options(who, nan_policy, workers)
    pairs = read_pairs(who, x, y, axis)
    outcome = run(*screen(who, pairs, nan_policy), [(statistic, (w_x, w_y))], threads)[0]
    outcome.report(who)
    return shaped(outcome.values, pairs.shape)


class Bundle:
    """Several coefficients of one pair of rankings: for each pair of thresholds one call of the core serves them all."""

    def __init__(self, tasks: Sequence[tuple[Statistic | None, tuple[float, float]]]) -> None:
        self.complete = all(statistic is not None and not statistic.both for statistic, _ in tasks)
        self.tasks = [(statistic, each) for statistic, each in tasks if statistic is not None]
        self.calls = []
        self.order: list[int] = []  # of the values as computed
        for each in dict.fromkeys(each for _, each in self.tasks):
            part = [(i, statistic) for i, (statistic, w) in enumerate(self.tasks) if w == each]
            fields = list(dict.fromkeys(field for _, statistic in part for field in statistic.fields))
            needs = functools.reduce(operator.or_, (statistic.needs for _, statistic in part), 0)
            untied = any(statistic.untied_alternatives for _, statistic in part)
            plan = _core.Plan(needs, untied, [_NUMBERS[field] for field in fields])
            self.calls.append((*each, plan, _together([s for _, s in part], fields)))
            self.order += [i for i, _ in part]

    def values(self, x: Any, y: Any) -> list[float] | None:
        """Return a value for each coefficient, or None if anything is out of the ordinary."""
        if type(x) is not ndarray or x.dtype is not _FLOAT64:
            x = _plain(x)
        if type(y) is not ndarray or y.dtype is not _FLOAT64:
            y = _plain(y)
        if x is None or y is None:
            return None
        values: list[float] = []
        for w_x, w_y, plan, formulas in self.calls:
            found = _core.pair(x, y, w_x, w_y, plan)
            if found is None:
                return None
            values += formulas(*found)
        if math.isnan(sum(values)):
            return None
        if len(self.calls) == 1:
            return values
        return [value for _, value in sorted(zip(self.order, values, strict=True))]


def _together(statistics: Sequence[Statistic], fields: Sequence[str]) -> Callable[..., list[float]]:
    """Return one function of all fields that calls every formula with its own: half the time of picking them one by one."""
    calls = ", ".join(f"f{i}({', '.join(s.fields)})" for i, s in enumerate(statistics))
    names: dict[str, Any] = {f"f{i}": s.formula for i, s in enumerate(statistics)}
    return eval(f"lambda {', '.join(fields)}: [{calls}]", names)  # type: ignore[no-any-return]


def _plain(values: Any) -> Floats | None:
    """Return a contiguous one-dimensional float64 array if that is all there is to it."""
    if type(values) is not ndarray:
        if type(values) is not list and type(values) is not tuple:
            return None
        types = set(map(type, values))
        if types == {float}:
            return np.array(values)
        if types != {int}:
            return None
        try:
            values = np.array(values, dtype=np.int64)
        except OverflowError:
            return None
    if values.ndim != 1:
        return None
    if values.dtype is _FLOAT64:
        return values if values.flags.c_contiguous else None
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind not in "iubf" or size > 8 or len(values) == 0:
        return None
    floats: Floats = values.astype(np.float64)
    if size == 8 and (floats.max() >= 2**53 or floats.min() <= -(2**53)):
        return None
    return floats


def check_options(who: str, nan_policy: object, workers: object) -> int:
    """Refuse wrong options before any work is done; return the number of threads."""
    one_of(who, "nan_policy", nan_policy, NAN_POLICIES)
    return n_workers(who, workers)


def shaped(values: Floats, shape: tuple[int, ...]) -> Any:
    """Give one value per pair the shape the user expects: a number for one pair."""
    return values.reshape(shape) if shape else np.float64(values[0])


Task = tuple[Statistic, tuple[Tie, Tie]]
Found = dict[str, Any]  # by field, one value per pair of rankings


class Outcome(NamedTuple):
    """One value per pair, and why some have none."""

    values: Floats
    undefined: int  # how many are nan though the input had no NaN
    reason: str
    refusal: str = ""  # the sentence in which ties were refused; then there are no values

    def report(self, name: str) -> None:
        """Raise if ties were refused; warn if values are undefined, once per call, pointing at the user's line."""
        if self.refusal:
            raise TiesError(self.refusal)
        if self.undefined:
            which = (
                ""
                if len(self.values) == 1
                else f" for {self.undefined} of {len(self.values)} pairs of rankings"
            )
            package = os.path.dirname(__file__) + os.sep  # noqa: PTH120 - pathlib is slow to import
            level, frame = 1, sys._getframe()
            while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
                level, frame = level + 1, frame.f_back
            warnings.warn(f"{name} is undefined{which}: {self.reason}", UndefinedWarning, stacklevel=level)


class TiesError(ValueError):
    """Tied items were given to a coefficient that is not defined for ties."""


def run(
    pairs: Pairs, missing: NDArray[np.bool_], tasks: Sequence[Task], threads: int, refuse: bool = True
) -> list[Outcome]:
    """Compute several coefficients of the same pairs, sorting and counting once for all of them.

    `missing` says which pairs have NaN and get nan. Where a coefficient has no place for ties, all is refused, or pairs with
    ties get nan.
    """
    who = tasks[0][0].name
    sums = count_all(who, pairs, missing, tasks, threads)
    both: list[Task] = [(statistic, (w_y, w_x)) for statistic, (w_x, w_y) in tasks if statistic.both]
    sums_back = count_all(who, pairs.exchanged(), missing, both, threads) if both else {}
    few = pairs.sizes() < 2
    outcomes = []
    for statistic, pair_of_thresholds in tasks:
        found = sums[pair_of_thresholds]
        tied = np.zeros(len(pairs), dtype=np.bool_)
        refusal = ""
        if statistic.untied_alternatives and refuse:
            refusal = refusal_of_ties(statistic, pairs, found, missing)
        elif statistic.untied_alternatives:
            tied = np.minimum(found["untied_x"], found["untied_y"]) < n_pairs(found["n"])
        computed = statistic.of(found)
        if statistic.both:
            computed = (computed + statistic.of(sums_back[pair_of_thresholds[::-1]])) / 2
        values = np.where(missing | few | tied | (refusal != ""), math.nan, computed)
        undefined = np.isnan(values) & ~missing
        reasons = [
            reason
            for reason, which in (
                (FEW_ITEMS, few),
                ("there are ties", tied & ~few),
                (statistic.undefined, ~(few | tied)),
            )
            if (undefined & which).any()
        ]
        outcomes.append(Outcome(values, int(undefined.sum()), ", or ".join(reasons), refusal))
    return outcomes


def count_all(
    who: str, pairs: Pairs, missing: NDArray[np.bool_], tasks: Sequence[Task], threads: int
) -> dict[tuple[Tie, Tie], Found]:  # fmt: skip
    """Return the sums of all pairs for whatever makes the ties in the tasks."""
    by_threshold = [
        (s, (w_x, w_y)) for s, (w_x, w_y) in tasks if not isinstance(w_x, TieRelation) and not isinstance(w_y, TieRelation)
    ]  # fmt: skip
    found: dict[tuple[Tie, Tie], Found] = {}
    if by_threshold:
        found.update(count(pairs, by_threshold, threads).items())
    for ties in dict.fromkeys(ties for _, ties in tasks if ties not in found):
        fields = dict.fromkeys(
            field for statistic, each in tasks if each == ties for field in statistic.fields
        )
        found[ties] = count_by_relation(who, pairs, ties, list(fields), missing)
    return found


def count(
    pairs: Pairs, tasks: Sequence[tuple[Statistic, tuple[float, float]]], threads: int
) -> dict[tuple[float, float], Found]:  # fmt: skip
    """Return the sums of all pairs for each pair of thresholds in the tasks, by the core."""
    needs: dict[tuple[float, float], int] = {}
    for statistic, each in tasks:
        needs[each] = needs.get(each, 0) | statistic.needs
    wanted = {field for statistic, _ in tasks for field in statistic.fields}
    fields = [number for number, field in enumerate(_REAL_FIELDS) if field in wanted]
    counts = np.empty((len(needs), _core.N_COUNTS, len(pairs)), dtype=np.int64)
    reals = np.empty((len(needs), len(fields), len(pairs)))
    _core.pairs(
        pairs.x, pairs.offsets_x, pairs.y, pairs.offsets_y, pairs.pair_x, pairs.pair_y,
        [w_x for w_x, _ in needs], [w_y for _, w_y in needs], list(needs.values()), fields,
        threads, counts, reals,
    )  # fmt: skip
    names = (*tuple(FIELDS)[: _core.N_COUNTS], *(_REAL_FIELDS[field] for field in fields))
    return {each: dict(zip(names, (*counts[t], *reals[t]), strict=True)) for t, each in enumerate(needs)}


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
        pairs = pairs.without(lambda x, y: np.isnan(x) | np.isnan(y))
        missing[:] = False
    return pairs, missing


def tied_items(pairs: Pairs, p: int, name: str) -> tuple[list[int], float]:
    """Return the items, and the value, of the best tie of equal values in one side of a pair."""
    row = pairs.row_x(p) if name == "x" else pairs.row_y(p)
    values, sizes = np.unique(row, return_counts=True)
    value = values[sizes > 1][-1]
    return np.flatnonzero(row == value).tolist(), float(value)


def refusal_of_ties(statistic: Statistic, pairs: Pairs, found: Found, missing: NDArray[np.bool_]) -> str:
    """Say in one sentence where there are ties, or return nothing if there are none."""
    for side, untied, name in (
        ("x", found["untied_x"], pairs.name_x),
        ("y", found["untied_y"], pairs.name_y),
    ):
        tied = np.flatnonzero((untied < n_pairs(found["n"])) & ~missing)
        if len(tied):
            p = int(tied[0])
            row = int(pairs.pair_x[p] if side == "x" else pairs.pair_y[p])
            items, value = tied_items(pairs, p, side)
            named = ", ".join(name(row, k) for k in items[:3]) + (", ..." if len(items) > 3 else "")
            return f"{statistic.name}: {side} has tied items ({named} at {value:g}); use {statistic.untied_alternatives}"
    return ""
