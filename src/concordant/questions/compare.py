"""Several coefficients of the same two rankings, side by side."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from concordant.checks import NAN_POLICIES, check_nan_policy, n_workers
from concordant.coefficients.declaration import (
    REGISTRY,
    Coefficient,
    CoefficientsLike,
    each_coefficient,
    read_coefficient,
)
from concordant.coefficients.engine import Outcome, shaped
from concordant.coefficients.evaluation import Bundle, evaluate, evaluate_lists
from concordant.errors import ArgumentError, ArgumentTypeError, ConcordantError, calling
from concordant.rankings.lists import ListPairs, read_lists
from concordant.rankings.pairs import read_pairs, screen
from concordant.results.note import Note
from concordant.results.result import Result, records
from concordant.results.table import DETAIL, Columns
from concordant.typing import NanPolicy, RankingLike, Value


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
