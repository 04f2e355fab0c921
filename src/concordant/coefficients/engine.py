"""Compute coefficients of pairs of rankings.

The core returns counts and sums; formulas turn them into coefficients.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import operator
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from concordant.checks import NAN_POLICIES, check_nan_policy, n_workers
from concordant.errors import ArgumentError, ArgumentTypeError, TiesError, UndefinedWarning, calling
from concordant.rankings.compiled import core
from concordant.rankings.convert import plain_pair
from concordant.rankings.pairs import Pairs, Rows, read_pairs, screen
from concordant.rankings.ties import Overlapping, Relative, Tie, TieRelation, read_ties, slack
from concordant.typing import Booleans, Floats, Integers, NanPolicy, Value

# Short names, because they are looked up in every call.
ndarray, float64, sqrt = np.ndarray, np.float64, math.sqrt

SAME = 1e-12  # values of a coefficient that differ by less are the same value
# Reasons why a value is undefined: templates, which `said` fills with the words of the reader.
FEW_ITEMS = "fewer than two {items}"
SAME_GRADE = "all {items} have the same grade"
ALL_TIED = "all {items} are tied in {x} or in {y}"
NEVER = ""  # with two or more items there is always a value
RANKINGS = {"x": "x", "y": "y", "items": "items"}
SYSTEMS = {"x": "the reference", "y": "the estimate", "items": "systems"}

# The fields that the core can compute for a pair of rankings, in the order of their numbers. The parameters
# of a formula are names from here; they are numbers for one pair of rankings, arrays for many.
_FIELDS = tuple(core.FIELDS)
_COUNTS = tuple(name for name, field in core.FIELDS.items() if field.is_count)
_REALS = _FIELDS[len(_COUNTS) :]  # counts come first


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


def clamped(value: Any) -> Any:
    """Limit values to [-1, 1], which rounding may exceed; nan stays nan."""
    return np.clip(value, -1.0, 1.0) if type(value) is ndarray else min(max(value, -1.0), 1.0)


class Untied(NamedTuple):
    """What a family shares whose members coincide without ties and differ only in how they treat ties.

    Without ties the value is a weighted mean over the pairs of items: +1 if both rankings order the pair the
    same way, else -1. The weight of a pair is 1 / divisor(i), where i items are above its lower item.
    """

    low: Statistic  # the smallest value over all ways of breaking ties
    high: Statistic  # the largest
    divisor: Callable[[Integers], Integers]

    def both(self) -> Untied:
        """Return the same for the mean of both directions: the same ways of breaking ties are extreme."""
        return self._replace(low=replace(self.low, both=True), high=replace(self.high, both=True))


@dataclass(frozen=True)
class Statistic:
    """One coefficient as a formula, whose parameters are the names of the core's fields that it needs."""

    name: str
    formula: Callable[..., Any]
    undefined: str  # why two rankings of two or more items have no value; a template for `said`
    untied_alternatives: str = ""  # set for coefficients that refuse ties: what to use instead
    both: bool = False  # the mean of both directions
    untied: Untied | None = None  # shared with the coefficients that differ only in what a tie means
    # Changes x and y before the core sees them; `spot` names an item of x in a message.
    prepare: Callable[[Floats, Floats, Callable[[int], str]], tuple[Floats, Floats]] | None = None

    @functools.cached_property
    def fields(self) -> tuple[str, ...]:
        """The parameters of the formula."""
        return tuple(inspect.signature(self.formula).parameters)

    @functools.cached_property
    def needs(self) -> int:
        """What the core must compute, as bits."""
        ties = ("untied_x", "untied_y") if self.untied_alternatives else ()
        return functools.reduce(operator.or_, (core.FIELDS[field].need for field in (*self.fields, *ties)), 0)

    @functools.cached_property
    def plan(self) -> core.Plan:
        """The fields, prepared for single calls of the core."""
        return plan([self], self.fields)

    def is_plain(self, w_x: Tie, w_y: Tie) -> bool:
        """Return whether the core alone can compute it, with these ties."""
        return type(w_x) is float and type(w_y) is float and self.prepare is None

    def of(self, found: Mapping[str, Any]) -> Any:
        """Apply the formula to what the core found."""
        return self.formula(*(found[field] for field in self.fields))


def plan(statistics: Sequence[Statistic], fields: Sequence[str]) -> core.Plan:
    """Prepare the fields of some statistics for single calls."""
    needs = functools.reduce(operator.or_, (statistic.needs for statistic in statistics), 0)
    untied = any(statistic.untied_alternatives for statistic in statistics)
    return core.Plan(needs, untied, [_FIELDS.index(field) for field in fields])


Directions = dict[bool, Statistic]


def directions(statistic: Statistic, undefined_in_either: str) -> Directions:
    """Return the statistic as it is, under False, and as the mean of both directions, under True."""
    untied = None if statistic.untied is None else statistic.untied.both()
    back = replace(statistic, both=True, undefined=undefined_in_either, untied=untied)
    return {False: statistic, True: back}


def pick(statistics: Directions, symmetric: bool) -> Statistic:
    """Choose between one direction and the mean of both."""
    if not isinstance(symmetric, bool | np.bool_):
        with calling(statistics[False].name):
            raise ArgumentTypeError(f"symmetric must be True or False, got {symmetric!r}")
    return statistics[bool(symmetric)]


# --- one coefficient -------------------------------------------------------------------------------------


def apply(
    statistic: Statistic, x: Any, y: Any, threshold: Any, axis: int, nan_policy: NanPolicy, workers: int
) -> Value:
    """Compute one coefficient for whatever the user passed.

    Two plain one-dimensional arrays, lists, dicts or Series take a short way, because there the checks of
    the general way would cost more than the computation. Everything else goes the general way: other input,
    errors, and values that are undefined, which are computed again there to learn the reason.
    """
    if type(threshold) is float and threshold >= 0.0:
        w_x = w_y = threshold
    else:
        with calling(statistic.name):
            w_x, w_y = read_ties(threshold)  # type: ignore[assignment]
    if (
        statistic.is_plain(w_x, w_y)
        and type(axis) is int
        and (axis == -1 or axis == 0)  # noqa: PLR1714 - faster
        and type(workers) is int
        and workers == 1
        and type(nan_policy) is str
        and nan_policy in NAN_POLICIES
    ):
        # The core takes float64 arrays as they are, and returns None for other arrays.
        two = x, y
        found = core.pair(x, y, w_x, w_y, statistic.plan) if type(x) is type(y) is ndarray else None
        if found is None and (plain_two := plain_pair(x, y)) is not None:
            two = plain_two
            found = core.pair(*two, w_x, w_y, statistic.plan)
        if found is not None:
            value = statistic.formula(*found)
            if statistic.both:
                back = core.pair(two[1], two[0], w_y, w_x, statistic.plan)
                value = math.nan if back is None else (value + statistic.formula(*back)) / 2
            if value == value:  # noqa: PLR0124 - not nan
                return float64(value)
    with calling(statistic.name):
        check_nan_policy(nan_policy)
        threads = n_workers(workers)
        pairs = read_pairs(x, y, axis, threads, borrow=True)
        outcome = screen_and_run(pairs, nan_policy, [(statistic, (w_x, w_y))], threads)[0]
    outcome.report(statistic.name)
    return shaped(outcome.values, pairs.shape)


def shaped(values: Floats, shape: tuple[int, ...]) -> Value:
    """Give one value per pair the shape that the user expects: a number for one pair."""
    return values.reshape(shape) if shape else np.float64(values[0])


# --- many pairs, several coefficients --------------------------------------------------------------------

Task = tuple[Statistic, tuple[Tie, Tie]]
Found = dict[str, Any]  # by field, one value per pair of rankings


def said(reasons: Iterable[str], words: Mapping[str, str] = RANKINGS) -> str:
    """Return reasons as text, in the words for the two sides and for the items.

    Examples
    --------
    >>> said([FEW_ITEMS, ALL_TIED], SYSTEMS)
    'fewer than two systems, or all systems are tied in the reference or in the estimate'
    """
    return ", or ".join(reason.format_map(words) for reason in reasons)


class Outcome(NamedTuple):
    """One value per pair, and why some have none."""

    values: Floats
    undefined: int  # how many are nan though the input had no NaN
    reasons: tuple[str, ...]  # templates, see `said`
    refusal: str = ""  # why ties were refused; then there are no values

    @classmethod
    def joined(cls, parts: Sequence[Outcome]) -> Outcome:
        """Return the outcome of all pairs from those of parts of them."""
        return cls(
            np.concatenate([part.values for part in parts]),
            sum(part.undefined for part in parts),
            tuple(dict.fromkeys(reason for part in parts for reason in part.reasons)),
            next((part.refusal for part in parts if part.refusal), ""),
        )

    @property
    def reason(self) -> str:
        """Why values are undefined, in terms of items, x and y."""
        return said(self.reasons)

    @property
    def reason_of_systems(self) -> str:
        """Why values are undefined, in terms of systems, the reference and the estimate."""
        return said(self.reasons, SYSTEMS)

    def refuse(self) -> None:
        """Raise an error if ties were refused."""
        if self.refusal:
            raise TiesError(self.refusal)

    def report(self, name: str) -> None:
        """Raise an error if ties were refused; warn if values are undefined.

        There is one warning per call, and it points at the user's line.
        """
        if self.refusal:
            with calling(name):
                self.refuse()
        if self.undefined:
            several = len(self.values) > 1
            which = f" for {self.undefined} of {len(self.values)} pairs of rankings" if several else ""
            package = os.path.dirname(os.path.dirname(__file__)) + os.sep  # noqa: PTH120 - pathlib is slow to import
            level, frame = 1, sys._getframe()
            while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
                level, frame = level + 1, frame.f_back
            warnings.warn(f"{name} is undefined{which}: {self.reason}", UndefinedWarning, stacklevel=level)


def run(
    pairs: Pairs, missing: Booleans, tasks: Sequence[Task], threads: int, refuse: bool = True
) -> list[Outcome]:
    """Compute several coefficients of the same pairs, sorting and counting once for all of them.

    `missing` says which pairs have NaN and get nan. If a coefficient is not defined for ties, the outcome is
    a refusal; with ``refuse=False`` it is nan for the pairs with ties.
    """
    sums = count_all(pairs, missing, tasks, threads)
    both: list[Task] = [(statistic, (w_y, w_x)) for statistic, (w_x, w_y) in tasks if statistic.both]
    sums_back = count_all(pairs.exchanged(), missing, both, threads) if both else {}
    few = pairs.few()
    outcomes = []
    for statistic, pair_of_thresholds in tasks:
        found = sums[statistic, pair_of_thresholds]
        tied = np.zeros(len(pairs), dtype=np.bool_)
        refusal = ""
        if statistic.untied_alternatives and refuse:
            refusal = refusal_of_ties(statistic, pairs, found, missing)
        elif statistic.untied_alternatives:
            tied = np.minimum(found["untied_x"], found["untied_y"]) < n_pairs(found["n"])
        computed = statistic.of(found)
        if statistic.both:
            computed = (computed + statistic.of(sums_back[statistic, pair_of_thresholds[::-1]])) / 2
        values = np.where(missing | few | tied | (refusal != ""), math.nan, computed)
        undefined = np.isnan(values) & ~missing
        whys = ((FEW_ITEMS, few), ("there are ties", tied & ~few), (statistic.undefined, ~(few | tied)))
        reasons = tuple(reason for reason, which in whys if (undefined & which).any())
        outcomes.append(Outcome(values, int(undefined.sum()), reasons, refusal))
    return outcomes


_EXTREME = 2  # what the core returns for scores that it cannot compare


def screen_and_run(
    pairs: Pairs, nan_policy: NanPolicy, tasks: Sequence[Task], threads: int, refuse: bool = True
) -> list[Outcome]:
    """Run on pairs that may have NaN. The core copies and checks shared values, row by row."""
    if pairs.shared and all(statistic.is_plain(*ties) for statistic, ties in tasks):
        with contextlib.suppress(FloatingPointError):
            return run(pairs, np.zeros(len(pairs), dtype=np.bool_), tasks, threads, refuse)
    return run(*screen(pairs.owned(), nan_policy, threads), tasks, threads, refuse)


def count_all(pairs: Pairs, missing: Booleans, tasks: Sequence[Task], threads: int) -> dict[Task, Found]:
    """Return the sums of all pairs for each task: by the core, or in NumPy for ties that it does not know."""
    found: dict[Task, Found] = {}
    if any(isinstance(tie, Overlapping) for _, ties in tasks for tie in ties):
        raise ArgumentError("'overlap' needs tables of scores with their errors; compare them with correlate")
    plain = [task for task in tasks if task[0].is_plain(*task[1])]
    if plain:
        counted = count(pairs, plain, threads)
        found = {task: counted[task[1]] for task in plain}
    others: dict[Any, list[Statistic]] = {}
    for statistic, ties in tasks:
        if not statistic.is_plain(*ties):
            slowly = any(isinstance(tie, TieRelation) for tie in ties) or "gap" in statistic.fields
            others.setdefault((statistic.prepare, ties, slowly), []).append(statistic)
    for (prepare, ties, slowly), own in others.items():
        if prepare is not None and ties != (0.0, 0.0):
            raise ArgumentError("this form takes no threshold")
        part = pairs if prepare is None else pairs.mapped(prepare)
        if slowly:
            from concordant.coefficients.relation_fields import count_by_relation  # rarely needed

            fields = dict.fromkeys(field for statistic in own for field in statistic.fields)
            sums = count_by_relation(part, ties, list(fields), missing)
        else:
            part, widths = as_thresholds(part, ties)
            sums = count(part, [(statistic, widths) for statistic in own], threads)[widths]
        found.update({(statistic, ties): sums for statistic in own})
    return found


def as_thresholds(pairs: Pairs, ties: tuple[Tie, Tie]) -> tuple[Pairs, tuple[Any, Any]]:
    """Return pairs of rankings whose ties are those within a threshold, and the thresholds."""
    rows, widths = [], []
    for (name, own, _), tie in zip(pairs.sides(), ties, strict=True):
        values, width = tie.of_logarithms(name, own) if isinstance(tie, Relative) else (own.values, tie)
        rows.append(replace(own, values=values))
        widths.append(width)
    return replace(pairs, x=rows[0], y=rows[1]), (widths[0], widths[1])


def count(
    pairs: Pairs, tasks: Sequence[tuple[Statistic, tuple[Any, Any]]], threads: int
) -> dict[tuple[Any, Any], Found]:
    """Return the sums of all pairs for each pair of thresholds in the tasks, by the core."""
    needs: dict[tuple[Any, Any], int] = {}
    for statistic, each in tasks:
        needs[each] = needs.get(each, 0) | statistic.needs
    wanted = {field for statistic, _ in tasks for field in statistic.fields}
    numbers = [number for number, field in enumerate(_REALS) if field in wanted]
    counts = np.empty((len(needs), len(_COUNTS), len(pairs)), dtype=np.int64)
    reals = np.empty((len(needs), len(numbers), len(pairs)))
    unusual = core.pairs(
        *(pairs.x.values, pairs.x.offsets, pairs.y.values, pairs.y.offsets, pairs.pair_x, pairs.pair_y),
        *([w_x for w_x, _ in needs], [w_y for _, w_y in needs], list(needs.values()), numbers),
        *(threads, pairs.shared, counts, reals),
    )
    if unusual and pairs.shared:
        raise FloatingPointError  # values that must be looked at, in memory that others write to
    if unusual & _EXTREME:
        refuse_extremes(pairs, tasks)
    names = (*_COUNTS, *(_REALS[number] for number in numbers))
    return {each: dict(zip(names, (*counts[t], *reals[t]), strict=True)) for t, each in enumerate(needs)}


def refuse_extremes(pairs: Pairs, tasks: Iterable[Task]) -> None:
    """Raise an error for scores that are too large for a threshold, or span too much for sums of gaps."""
    for statistic, ties in tasks:
        of_gaps = bool({"gap", "rank"} & set(statistic.fields)), "rank" in statistic.fields
        for (name, rows, pair), tie, gaps in zip(pairs.sides(), ties, of_gaps, strict=True):
            for row in np.unique(pair).tolist():
                if np.isfinite(rows[row]).all():
                    refuse_row(name, rows, row, tie, statistic.name if gaps else "")


def refuse_row(name: str, rows: Rows, row: int, tie: Tie, of_gaps: str) -> None:
    """Do so for one ranking; `of_gaps` names the coefficient that adds gaps."""
    values, spot = rows[row], rows.spots(row)
    if isinstance(tie, float):
        slack(tie, name, values, spot)
    sizes = np.where(values == 0, 1.0, np.abs(values))
    if of_gaps and sizes.max(initial=1) > 2.0**860 and sizes.min() < 2.0**-860:  # as in the core
        ends = [f"{values[k]:g} at {spot(k)}" for k in (int(sizes.argmin()), int(sizes.argmax()))]
        raise ArgumentError(
            f"{name} is {' and '.join(ends)}, and {of_gaps} cannot add gaps of such different sizes; replace "
            "the scores or drop the items"
        )


def refusal_of_ties(statistic: Statistic, pairs: Pairs, found: Found, missing: Booleans) -> str:
    """Return a sentence on where there are ties; an empty text if there are none."""
    for name, rows, pair in pairs.sides():
        tied = np.flatnonzero((found[f"untied_{name}"] < n_pairs(found["n"])) & ~missing)
        if len(tied):
            row = int(pair[tied[0]])
            values, sizes = np.unique(rows[row], return_counts=True)
            value = values[sizes > 1][-1]  # the best tie
            items = np.flatnonzero(rows[row] == value).tolist()
            named = ", ".join(rows.name(row, k) for k in items[:3]) + (", ..." if len(items) > 3 else "")
            tie = f"{name} has tied items ({named} at {value:g}){rows.within(row)}"
            return f"{tie}; use {statistic.untied_alternatives} instead of {statistic.name}"
    return ""
