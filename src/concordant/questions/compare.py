"""Two rankings: several coefficients side by side, counts of pairs, and what ties can change."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, overload

import numpy as np

from concordant.checks import NAN_POLICIES, check_nan_policy, n_workers, one_of
from concordant.coefficients.declaration import (
    REGISTRY,
    Coefficient,
    CoefficientLike,
    CoefficientsLike,
    each_coefficient,
    read_coefficient,
)
from concordant.coefficients.engine import (
    Outcome,
    Statistic,
    count_all,
    n_pairs,
    refuse_extremes,
    run,
    shaped,
)
from concordant.coefficients.evaluation import Bundle, evaluate, evaluate_lists
from concordant.errors import ArgumentError, ArgumentTypeError, ConcordantError, calling, option, public
from concordant.rankings.compiled import core
from concordant.rankings.lists import ListPairs, read_lists
from concordant.rankings.pairs import Pairs, read_pairs, screen
from concordant.rankings.ties import Threshold, read_ties, thresholds
from concordant.results.note import Note
from concordant.results.result import Result, records
from concordant.results.table import DETAIL, Columns
from concordant.typing import Integers, NanPolicy, RankingLike, Value


@dataclass(frozen=True)
class Compared:
    """One coefficient of a comparison.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient.
    value : Value
        The value; an array for batches.
    question : str
        The question that the coefficient answers.
    undefined : str or None
        Why values are missing; None if none is.
    """

    coefficient: Coefficient
    value: Value
    question: str
    undefined: str | None = field(default=None, metadata=DETAIL)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Comparison(Result[Compared], Mapping[str, Value]):
    """The values of several coefficients by their text forms.

    Attributes
    ----------
    n : int
        The number of items that were used.
    compared : sequence of Compared
        The coefficients with their values.

    Examples
    --------
    >>> import concordant as cd
    >>> comparison = cd.compare([3, 2, 1], [3, 1, 2], ["tau_b", "tau_ap_b"])
    >>> comparison["tau_b"].round(4), comparison.n, list(comparison), comparison.coefficients[0]
    (0.3333, 3, ['tau_b', 'tau_ap_b'], <coefficient tau_b>)
    >>> comparison
    Coefficients
    <BLANKLINE>
    coefficient  value  question
    -----------  -----  ----------------------------------------------------------
    tau_b         0.33  how much do two rankings agree, ties ignored?
    tau_ap_b      0.50  how much do two rankings agree, above all at the top, ties
                        ignored?
    """

    function: ClassVar[str] = "compare"

    n: int
    compared: Sequence[Compared] = records(Compared, "Coefficients")

    @property
    def coefficients(self) -> tuple[Coefficient, ...]:
        """The coefficients."""
        return tuple(each.coefficient for each in self.compared)

    def __getitem__(self, name: str) -> Value:
        values = {str(each.coefficient): each.value for each in self.compared}
        try:
            return values[name] if name in values else values[str(read_coefficient(name))]
        except ConcordantError:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]  # a mapping iterates over its keys
        return iter([str(each.coefficient) for each in self.compared])

    def __len__(self) -> int:
        return len(self.compared)


def compare(
    x: RankingLike,
    y: RankingLike,
    coefficients: CoefficientsLike | None = None,
    *,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Comparison:
    """Compare two rankings by several coefficients at once; sorting and counting are shared.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        The reference scores and the estimated scores of the same items; larger is better. Labelled input is
        aligned by label.
    coefficients : iterable of str, Coefficient or callable, optional
        Each as `coefficient` reads it, such as ``["tau_b", "tau_ap_b(0.05)@10"]``. By default every
        registered coefficient of scores. If there are ties, those that do not allow them then have the reason
        instead of a value.
    axis : int, default -1
        The axis of the items; the other axes are broadcast, and the values are arrays.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: return nan, raise an error that says where, or leave the item out.
    workers : int, default 1
        The number of threads for batches; -1 means all cores. The values do not depend on it.

    Returns
    -------
    Comparison
        A mapping of text form to value, which is also a `Result`.

    Examples
    --------
    >>> import concordant as cd
    >>> dict(cd.compare([4, 3, 2, 1], [4, 2, 2, 1], ["tau_b", "tau_ap_b"]))
    {'tau_b': 0.9128709291752769, 'tau_ap_b': 0.8333333333333333}
    """
    # A list of names that was used before takes a short way, as in `apply` for one coefficient.
    if type(coefficients) is list and type(axis) is type(workers) is int and axis == -1 and workers == 1:
        try:
            known = _BUNDLES.get(tuple(coefficients)) if nan_policy in NAN_POLICIES else None
        except TypeError:  # not a coefficient
            known = None
        values = None if known is None else known[1].values(x, y)
        if known is not None and values is not None:
            chosen, _, questions, none = known
            # Set at once: a frozen dataclass sets its fields one by one, which takes as long as counting.
            made = Comparison.__new__(Comparison)
            compared = Columns(Compared, chosen, values, questions, none)
            vars(made).update(n=len(x), compared=compared, notes=(), options={}, provenance={})  # type: ignore[arg-type]
            return made
    with calling("compare"):
        return _compare(x, y, coefficients, axis, nan_policy, workers)


def _compare(
    x: RankingLike,
    y: RankingLike,
    coefficients: CoefficientsLike | None,
    axis: int,
    nan_policy: NanPolicy,
    workers: int,
) -> Comparison:
    check_nan_policy(nan_policy)
    every = coefficients is None
    of_scores = [c.name for c in REGISTRY.values() if c.inputs == "scores"]
    given: Any = of_scores if coefficients is None else coefficients
    if not isinstance(given, Iterable) and not callable(given):
        raise ArgumentTypeError(f"coefficients must be a list of names or functions, got {given!r}")
    asked = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    chosen, threads = tuple(each_coefficient(asked)), n_workers(workers)
    _prepare(asked, chosen)
    if any(c.inputs == "lists" for c in chosen):
        outcomes, lists = of_lists(chosen, functools.partial(read_lists, x, y), threads)
        shape, n = lists.shape, lists.n_codes
    else:
        pairs = read_pairs(x, y, axis, threads)
        outcomes = evaluate(chosen, pairs, nan_policy, threads)
        used, _ = screen(pairs, nan_policy, threads)
        shape, n = pairs.shape, pairs.n_items if pairs.shape else len(used.x.values)
    undefined: list[str | None] = []
    for outcome in outcomes:
        if not every:
            outcome.refuse()
        nan = "NaN in the input" if np.isnan(outcome.values).any() else None
        undefined.append(outcome.refusal or (f"undefined: {outcome.reason}" if outcome.undefined else nan))
    values = [shaped(outcome.values, shape) for outcome in outcomes]
    reasons = [(str(c), reason) for c, reason in zip(chosen, undefined, strict=True) if reason]
    return Comparison(
        n=n,
        compared=tuple(map(Compared, chosen, values, [c.question for c in chosen], undefined)),
        notes=tuple(Note("undefined", text=reason, subject=name, lost=True) for name, reason in reasons),
    )


def of_lists(
    chosen: Sequence[Coefficient], read: Callable[[tuple[float, float]], ListPairs], threads: int
) -> tuple[list[Outcome], ListPairs]:
    """Return the outcomes of coefficients of lists, and the lists, which are read for each threshold."""
    other = next((c for c in chosen if c.inputs != "lists"), None)
    if other is not None:
        raise ArgumentError(f"{other.name} does not compare lists of items; compute it separately")
    by_threshold = {w: read(w) for w in dict.fromkeys(c.threshold for c in chosen)}
    outcomes = [evaluate_lists([c], by_threshold[c.threshold], threads)[0] for c in chosen]
    return outcomes, by_threshold[chosen[-1].threshold]


def _prepare(asked: tuple[Any, ...], chosen: tuple[Coefficient, ...]) -> None:
    """Prepare coefficients of this package that are given by name for plain arrays."""
    tasks = [(c.bound_statistic(), c.threshold) for c in chosen if c.top is None and c.registered]
    plain = [(s, each) for s, each in tasks if s is not None and not s.both and s.is_plain(*each)]
    if len(plain) == len(chosen) and all(type(what) is str for what in asked):
        if len(_BUNDLES) >= _MOST_KEPT:
            _BUNDLES.clear()
        _BUNDLES[asked] = chosen, Bundle(plain), [c.question for c in chosen], [None] * len(chosen)


_MOST_KEPT = 256
_BUNDLES: dict[tuple[Any, ...], tuple[tuple[Coefficient, ...], Bundle, list[str], list[None]]] = {}


# --- counts of pairs ---------------------------------------------------------------------------------------

_POLICIES = ("raise", "omit")
_COUNTS = Statistic(
    "counts",
    lambda n, concordant, discordant, untied_x, untied_y: (n, concordant, discordant, untied_x, untied_y),
    "",
)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Counts(Result[Any]):
    """Numbers of pairs of items by how the two rankings order them: integers, or integer arrays for batches.

    Attributes
    ----------
    concordant : int or numpy.ndarray
        Pairs that both rankings order the same way.
    discordant : int or numpy.ndarray
        Pairs that the rankings order in opposite ways.
    tied_x : int or numpy.ndarray
        Pairs that are tied in x only.
    tied_y : int or numpy.ndarray
        Pairs that are tied in y only.
    tied_both : int or numpy.ndarray
        Pairs that are tied in both rankings.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.counts([3, 2, 2, 1], [3, 2, 1, 1]).to_csv().splitlines()
    ['concordant,discordant,tied_x,tied_y,tied_both', '4,0,1,1,0']
    """

    function: ClassVar[str] = "counts"

    concordant: int | Integers
    discordant: int | Integers
    tied_x: int | Integers
    tied_y: int | Integers
    tied_both: int | Integers


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class ItemCounts(Result[Any]):
    """For each item, the number of items above it, and how the other ranking orders them: integer arrays.

    Attributes
    ----------
    above_x : numpy.ndarray
        Items above it in x.
    above_y : numpy.ndarray
        Items above it in y.
    concordant : numpy.ndarray
        Items above it in both rankings.
    discordant : numpy.ndarray
        Items above it in y and below it in x.
    tied_x : numpy.ndarray
        Items above it in y and tied with it in x.
    tied_y : numpy.ndarray
        Items above it in x and tied with it in y.
    tied_both : numpy.ndarray
        Items tied with it in both rankings; such a pair counts for both of its items.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.counts([3, 2, 2, 1], [3, 2, 1, 1], per_item=True).concordant.tolist()
    [0, 1, 1, 2]
    """

    function: ClassVar[str] = "counts"

    above_x: Integers
    above_y: Integers
    concordant: Integers
    discordant: Integers
    tied_x: Integers
    tied_y: Integers
    tied_both: Integers


@overload
def counts(
    x: RankingLike,
    y: RankingLike,
    *,
    per_item: Literal[False] = ...,
    threshold: Threshold = ...,
    axis: int = ...,
    nan_policy: Literal["raise", "omit"] = ...,
    workers: int = ...,
) -> Counts: ...
@overload
def counts(
    x: RankingLike,
    y: RankingLike,
    *,
    per_item: Literal[True],
    threshold: float | tuple[float, float] = ...,
    axis: int = ...,
    workers: int = ...,
) -> ItemCounts: ...
@public
def counts(
    x: RankingLike,
    y: RankingLike,
    *,
    per_item: bool = False,
    threshold: object = 0.0,
    axis: int = -1,
    nan_policy: Literal["raise", "omit"] = "raise",
    workers: int = 1,
) -> Counts | ItemCounts:
    """Count the pairs of items that two rankings order the same way, in opposite ways, or not at all.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        The reference scores and the estimated scores, as for every coefficient.
    per_item : bool, default False
        Whether to count, for every item, the items above it and how the other ranking orders them.
    threshold : float, TieRelation or a pair of these, default 0
        Items are tied if their scores differ by no more than the threshold; a relation, which cannot be used
        with `per_item`, says which are tied.
    axis : int, default -1
        The axis of the items; the other axes are broadcast.
    nan_policy : {"raise", "omit"}
        What to do with NaN: raise an error that says where it is, or leave the item out. With `per_item` it
        is always an error.
    workers : int, default 1
        The number of threads for batches; -1 means all cores.

    Returns
    -------
    Counts or ItemCounts
        Five integers that sum to n (n - 1) / 2; arrays for batches. With `per_item`, seven integer arrays,
        items in the order of x. The sums of ``concordant``, ``discordant``, ``tied_x`` and ``tied_y`` over
        the items are the numbers of pairs; that of ``tied_both`` is twice the number of pairs. AP
        correlation, for instance, is the mean over the items with ``above_y > 0`` of
        ``2 * concordant / above_y - 1``.

    Examples
    --------
    >>> import concordant as cd
    >>> found = cd.counts([3, 2, 2, 1], [3, 2, 1, 1])
    >>> found.concordant, found.discordant, found.tied_x, found.tied_y, found.tied_both
    (4, 0, 1, 1, 0)
    >>> each = cd.counts([4, 3, 2, 1], [3, 4, 1, 2], per_item=True)
    >>> each.above_y, each.concordant
    (array([1, 0, 3, 2]), array([0, 0, 2, 2]))
    """
    one_of("nan_policy", nan_policy, _POLICIES)
    threads = n_workers(workers)
    if per_item:
        one_of("nan_policy", nan_policy, _POLICIES[:1])
        return _of_items(x, y, thresholds(threshold), axis, threads)
    ties = read_ties(threshold)
    pairs = read_pairs(x, y, axis, threads)
    found = count_all(*screen(pairs, nan_policy, threads), [(_COUNTS, ties)], threads)[_COUNTS, ties]
    n, concordant, discordant, untied_x, untied_y = _COUNTS.of(found)
    ordered = concordant + discordant  # in both
    tied_both = n_pairs(n) - untied_x - untied_y + ordered
    values: Any = (concordant, discordant, untied_y - ordered, untied_x - ordered, tied_both)
    shaped = [each.reshape(pairs.shape) if pairs.shape else int(each[0]) for each in values]
    named: dict[str, Any] = dict(zip(Counts.value_names(), shaped, strict=True))
    return Counts(**named)


def _of_items(x: object, y: object, w: tuple[float, float], axis: int, threads: int) -> ItemCounts:
    pairs = read_pairs(x, y, axis)
    screen(pairs, "raise")
    sizes, names = pairs.sizes(), ItemCounts.value_names()
    starts = np.cumsum(sizes) - sizes
    out = np.zeros((len(names), int(sizes.sum())), dtype=np.int64)
    widened = core.item_counts(
        *(pairs.x.values, pairs.x.offsets, pairs.y.values, pairs.y.offsets, pairs.pair_x, pairs.pair_y),
        *(*w, threads, starts, out),
    )
    if widened:
        refuse_extremes(pairs, [(_COUNTS, w)])
    shape = (*pairs.shape, pairs.n_items)
    arrays = [np.moveaxis(each.reshape(shape), -1, axis) for each in out]
    named: dict[str, Any] = dict(zip(names, arrays, strict=True))
    return ItemCounts(**named)


# --- all ways of breaking ties ------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class TieRange(Result[Any]):
    """The smallest and the largest value over all ways of breaking ties: numbers, or arrays for batches.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient.
    low : float or numpy.ndarray
        The smallest value.
    high : float or numpy.ndarray
        The largest value.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.tie_range([4, 3, 2, 1], [3, 2, 2, 1]).to_frame().columns.tolist()
    ['coefficient', 'low', 'high']
    """

    function: ClassVar[str] = "tie_range"

    coefficient: Coefficient
    low: Value
    high: Value


@public
def tie_range(
    x: RankingLike,
    y: RankingLike,
    coefficient: CoefficientLike = "tau",
    *,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> TieRange:
    """Return the smallest and largest value of a coefficient over all ways of breaking the ties of x and y.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        The reference scores and the estimated scores of the same items; larger is better. Labelled input is
        aligned by label.
    coefficient : str, Coefficient or callable, default "tau"
        Kendall's tau or AP correlation. The name of a form with ties, such as "tau_b", means the same
        coefficient without ties; "tau_ap_b" means the mean of both directions of AP correlation.
    axis : int, default -1
        The axis of the items; the other axes are broadcast.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: return nan, raise an error that says where, or leave the item out.
    workers : int, default 1
        The number of threads for batches; -1 means all cores.

    Returns
    -------
    TieRange
        ``low`` and ``high``. Without ties both are the value of the coefficient.

    Notes
    -----
    If C of N pairs are concordant and D are discordant, tau is at least (2 C - N) / N and at most
    (N - 2 D) / N. AP correlation is largest if the ties of x are broken in the order of y, the ties of y in
    the order of x, and items tied in both rankings in the same order. It is smallest if ties are broken in
    the opposite orders. Both take O(n log n) time. Items with equal scores are tied; a threshold is refused,
    because ties within a threshold are not transitive. For "name@k" the first k items of x, and those tied
    with the k-th, are compared.

    Examples
    --------
    >>> import concordant as cd
    >>> found = cd.tie_range([4, 3, 2, 1], [3, 2, 2, 1])
    >>> round(found.low, 4), round(found.high, 4)
    (0.6667, 1.0)
    >>> round(cd.tau_b([4, 3, 2, 1], [3, 2, 2, 1]), 4)
    0.9129
    """
    c = read_coefficient(coefficient)
    if c.threshold != (0.0, 0.0):
        advice = f"use {c.name} without one"
        raise ArgumentError(f"ties within a threshold are not transitive and cannot be broken; {advice}")
    if _untied(c) is None:
        known = ", ".join(repr(name) for name, each in REGISTRY.items() if _untied(each) is not None)
        must = f"{option('coefficient')} must be one of {known}"
        raise ArgumentError(f"{must}, got {str(c)!r}, whose range is not known")
    check_nan_policy(nan_policy)
    threads = n_workers(workers)
    pairs = read_pairs(x, y, axis, threads)
    low, high = _ranges([c], pairs, nan_policy, threads)[0]
    high.report(str(c))
    shape = pairs.shape
    return TieRange(coefficient=c, low=shaped(low.values, shape), high=shaped(high.values, shape))


def tie_range_notes(
    coefficients: Sequence[Coefficient],
    values: Sequence[float],
    x: RankingLike,
    y: RankingLike,
    subject: str = "",
) -> list[Note]:
    """Return notes with the range of each coefficient over all ways of breaking the ties.

    There is no note for a coefficient whose range is not known, or if there are no ties.
    """
    pairs = read_pairs(x, y)
    if not any((np.diff(np.sort(side)) == 0).any() for side in (pairs.x[0], pairs.y[0])):
        return []
    asked = [(c, value) for c, value in zip(coefficients, values, strict=True) if _untied(c) is not None]
    notes = []
    for (c, value), (low, high) in zip(asked, _ranges([c for c, _ in asked], pairs, "raise", 1), strict=True):
        told = {"value": float(value), "low": float(low.values[0]), "high": float(high.values[0])}
        if not math.isnan(value) and told["low"] < told["high"]:
            ends = f"between {told['low']:.3f} and {told['high']:.3f} depending on how ties are broken"
            text, about = f"{c} is {value:.3f}, {ends}", {"coefficient": str(c), **told}
            notes.append(Note("tie_range", text=text, values=about, subject=subject))
    return notes


def _untied(c: Coefficient) -> Any:
    """Return the ends over all ways of breaking ties; None if they are not known."""
    statistic = c.bound_statistic()
    return None if statistic is None or c.threshold != (0.0, 0.0) else statistic.untied


def _ranges(
    coefficients: Sequence[Coefficient], pairs: Pairs, nan_policy: NanPolicy, threads: int
) -> list[tuple[Outcome, Outcome]]:
    """Return the smallest and the largest values of coefficients that have a range, from one count."""
    pairs, missing = screen(pairs, nan_policy, threads)
    found: dict[Coefficient, tuple[Outcome, Outcome]] = {}
    for top in dict.fromkeys(c.top for c in coefficients):
        own = [c for c in coefficients if c.top == top]
        ends = [(end, (0.0, 0.0)) for untied in map(_untied, own) for end in (untied.low, untied.high)]
        outcomes = run(pairs if top is None else pairs.top(top), missing, ends, threads)
        found |= zip(own, zip(outcomes[::2], outcomes[1::2], strict=True), strict=True)
    return [found[c] for c in coefficients]
