"""A permutation test of two rankings."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.checks import generator, n_workers, one_of, whole_number
from concordant.coefficients.declaration import Coefficient, CoefficientLike, coefficient as read_coefficient
from concordant.coefficients.engine import Untied
from concordant.coefficients.evaluation import evaluate, evaluate_lists
from concordant.errors import ArgumentError, option, public
from concordant.rankings.lists import ListPairs, read_lists
from concordant.rankings.pairs import read_pairs
from concordant.results.result import Result
from concordant.results.words import count, number, pvalue, sentences
from concordant.scores.scores import Scores
from concordant.statistics.difference import pvalue_of
from concordant.statistics.distributions import normal
from concordant.statistics.jackknife import observed
from concordant.statistics.resampling import MOST_AT_ONCE
from concordant.typing import (
    Alternative,
    Executor,
    Floats,
    Integers,
    ListLike,
    Progress,
    RankingLike,
    RngLike,
)
from concordant.work import Draws, in_pieces, piece_size, rows_of

Null: TypeAlias = Literal["permutation", "exact", "normal", "auto"]


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class PermutationTestResult(Result[Any]):
    """A coefficient with the p-value of the null hypothesis that the rankings are unrelated; prints as text.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient that was computed.
    statistic : float
        Its value.
    pvalue : float
        The p-value.
    n : int
        The number of items.
    n_undefined : int
        The number of orders in which the coefficient is undefined.
    exact : bool
        Whether all orders were tried, or the exact null distribution was used.
    null_distribution : Floats
        The coefficient in each order; empty if no orders were tried.

    Examples
    --------
    >>> import concordant as cd
    >>> result = cd.permutation_test([4, 3, 2, 1], [4, 3, 1, 2], "tau_b")
    >>> result.exact, result.options["n_resamples"], round(result.pvalue, 4)
    (True, 24, 0.3333)
    """

    function: ClassVar[str] = "permutation_test"

    coefficient: Coefficient
    statistic: float
    pvalue: float
    n: int
    n_undefined: int
    exact: bool
    null_distribution: Floats

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words."""
        n_orders, method = self.options["n_resamples"], self.options["method"]
        how = f"all {n_orders} orders" if self.exact else f"{n_orders} random orders"
        if method != "permutation":
            how = f"{method} null distribution"
        value = f"{self.coefficient} of {count(self.n, 'item')} is {number(self.statistic)}"
        return sentences([f"{value}, {pvalue(self.pvalue)} ({self.options['alternative']}, {how})"])


@public
def permutation_test(
    x: RankingLike | ListLike | Scores,
    y: RankingLike | ListLike | Scores,
    coefficient: CoefficientLike,
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int = 9999,
    method: Null = "permutation",
    rng: RngLike = None,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> PermutationTestResult:
    """Test the null hypothesis that two rankings are unrelated: all orders of y are equally likely.

    Parameters
    ----------
    x, y : array_like, mapping, Series or Scores
        The reference scores and the estimated scores; larger is better. For `Scores`, the means are used.
    coefficient : str, Coefficient or callable
        The coefficient, as `coefficient` reads it.
    alternative : {"two-sided", "greater", "less"}
        The alternative hypothesis. A two-sided p-value is twice the smaller one-sided p-value, as in SciPy,
        because not every coefficient is symmetric about 0.
    n_resamples : int, default 9999
        The number of random orders. If there are no more different orders than this, all are used, and the
        p-value is exact.
    method : {"permutation", "exact", "normal", "auto"}
        "permutation": all orders or random orders are tried. "exact": the exact null distribution, if it is
        known (see the notes); otherwise all orders, if there are no more than a million. "normal": the normal
        approximation, if the variance is known. "auto": the exact distribution if it is known and takes only
        seconds; otherwise "permutation".
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None
        The seed or the generator of random numbers.
    workers : int, default 1
        The number of threads; -1 means all cores. The result does not depend on it.
    executor : concurrent.futures.Executor, optional
        The executor that does the work: any executor of PEP 3148, such as a pool of processes, or
        ``client.get_executor()`` of Dask. The result does not depend on it.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    PermutationTestResult
        ``statistic``, ``pvalue``, ``null_distribution`` (empty if no orders were tried); the options say how
        they were computed.

    Notes
    -----
    Without ties the null distribution of Kendall's tau and of AP correlation is known. In the order
    of y, let U_i be the number of concordant items among the i items above an item. It is uniform on 0 ... i,
    and these numbers are independent. Tau is a sum of U_i, with variance 2 (2n + 5) / (9n (n - 1)), as in
    SciPy; AP correlation is a sum of U_i / i, with variance ((n - 1) + 2 H) / (3 (n - 1)^2), H = 1 + 1/2 +
    ... + 1 / (n - 1), which is derived here. The exact distribution is a convolution of these terms: for tau
    of up to 1000 items, for AP correlation of up to 29 items, each in about a second. One-sided normal
    p-values of AP correlation differ from the exact ones by up to 0.005 for 10 items, 0.002 for 20 and 0.0013
    for 29; where they are below 0.05, by up to 0.0014, 0.0006 and 0.0004.

    The scores of y are permuted among the items, so that ties remain. The observed order counts as one more
    random order, so that no p-value is below 1 / (n_resamples + 1). Orders in which the coefficient is
    undefined are left out; ``n_undefined`` is their number.

    For coefficients of lists of items, the null hypothesis is that y orders its items at random: the items
    that y has, and the sizes of its groups of ties, are fixed. For a distance, a small value means agreement:
    use ``alternative="less"``.

    Examples
    --------
    >>> import concordant as cd
    >>> print(cd.permutation_test([6, 5, 4, 3, 2, 1], [6, 5, 3, 4, 2, 1], "tau_ap_b").verdict[0])
    tau_ap_b of 6 items is 0.87, p = 0.0111 (two-sided, all 720 orders).
    >>> moved = [*range(10, 30), *range(10)]
    >>> print(cd.permutation_test(range(30), moved, "tau_b", method="exact").verdict[0])
    tau_b of 30 items is 0.08, p = 0.55 (two-sided, exact null distribution).
    """
    one_of("alternative", alternative, get_args(Alternative))
    one_of("method", method, get_args(Null))
    whole_number("n_resamples", n_resamples)
    c = read_coefficient(coefficient)
    threads = n_workers(workers)
    source, seed = generator(rng)
    read = _of_two_rankings if c.of_lists is None else _of_two_lists
    statistic, n, moved, drawn, of_orders, shared, terms, unknown = read(c, x, y, threads)
    terms = None if method == "permutation" else terms
    null = np.empty(0)
    exact = method != "normal"
    if terms is not None and (method == "normal" or terms.is_feasible):
        used = "normal" if method == "normal" else "exact"
        p = _tail(terms.normal_tail if method == "normal" else terms.exact_tail, statistic, alternative)
    else:
        if method == "normal":
            raise ArgumentError(f"{unknown}; use {option('method', 'permutation')}")
        most = max(n_resamples, _MOST_ORDERS) if method == "exact" else n_resamples
        n_orders = _log_orders(moved)
        exact = n_orders < math.log(most) + 1e-9
        if method == "exact" and not exact:
            why = unknown if terms is None else f"the convolution of {n} terms takes too long"
            others = [option("method", each) for each in ("permutation", "normal")]
            works = " or ".join(others if terms is not None else others[:1])
            raise ArgumentError(f"{why}, and there are more than {most:,} orders; use {works}")
        total = round(math.exp(n_orders)) if exact else n_resamples
        step = piece_size(total, max(1, MOST_AT_ONCE // max(n, 1)), executor)
        sizes = [min(step, total - start) for start in range(0, total, step)]
        every = _all_orders(moved)

        def orders(rows: int) -> Draws | Floats:
            if not exact:
                return Draws(source, _permuted, drawn, rows)
            return np.array([next(every) for _ in range(rows)]).reshape(rows, n)

        how: dict[str, Any] = {"executor": executor, "threads": threads, "progress": progress}
        parts = in_pieces(of_orders, shared, map(orders, sizes), sizes=sizes, **how)
        null = np.concatenate([part["null"] for part in parts])
        used, p = "permutation", pvalue_of(statistic, null, alternative, exact)
    return PermutationTestResult(
        coefficient=c,
        statistic=statistic,
        pvalue=p,
        n=n,
        n_undefined=int(np.isnan(null).sum()),
        exact=exact,
        null_distribution=null,
        options={"alternative": alternative, "method": used, "n_resamples": len(null)}
        | {"seed": None if exact or used == "normal" else seed},
    )


def _tail(tail: Callable[[float], float], statistic: float, alternative: Alternative) -> float:
    if alternative == "two-sided":
        return min(1.0, 2 * tail(abs(statistic)))
    return tail(statistic if alternative == "greater" else -statistic)


def _of_two_rankings(c: Coefficient, x: Any, y: Any, threads: int) -> tuple[Any, ...]:
    """Return the statistic, the number of items, and what is permuted and how.

    These are the scores of which all different orders are tried, what is permuted at random, the function
    from orders to values, what it needs besides, the terms of the null distribution if it is known, and
    otherwise that it is not.
    """
    pairs, statistic = observed(c, x, y, threads)
    n, sides = pairs.n_items, (pairs.x[0], pairs.y[0])
    untied = untied_of(c)
    tied = untied is not None and any(len(np.unique(side)) < n for side in sides)
    terms = UniformTerms(n, untied) if untied is not None and n > 1 and not tied else None
    # For coefficients of items, permuting x is equivalent to permuting y: the side with fewer orders is used.
    known = c.inputs == "scores" and c.statistic is not None
    reorder_x = known and _log_orders(sides[0]) < _log_orders(sides[1])
    fixed, moved = sides[::-1] if reorder_x else sides
    why = f"the null distribution {'with ties' if tied else f'of {c}'} is not known in closed form"
    return statistic, n, moved, moved, _by_rankings, (c, fixed, reorder_x), terms, why


def _of_two_lists(c: Coefficient, x: Any, y: Any, threads: int) -> tuple[Any, ...]:
    """Let y order its own items at random."""
    pairs = read_lists(x, y, c.threshold)
    if pairs.shape:
        raise ArgumentError(f"takes two lists, got batches of shape {pairs.shape}")
    outcome = evaluate_lists([c], pairs, threads)[0]
    outcome.report(str(c))
    n_x = int(pairs.offsets[1])
    reference, own, ends = pairs.codes[:n_x], pairs.codes[n_x:], pairs.ends
    if not len(ends):
        ends = np.concatenate([np.arange(1, n_x + 1), np.arange(1, len(own) + 1)])
    groups = -ends[n_x:].astype(np.float64)  # as scores: larger is better
    why = f"the null distribution of {c} is not known in closed form"
    shared = (c, reference, own, ends, pairs.n_codes)
    return float(outcome.values[0]), len(own), groups, own, _by_lists, shared, None, why


def _by_rankings(
    shared: tuple[Coefficient, Floats, bool], piece: Draws | Floats, threads: int
) -> dict[str, Any]:
    """Return the coefficient of one side and each order of the other."""
    c, fixed, reorder_x = shared
    orders = rows_of(piece)
    sides = (orders, fixed) if reorder_x else (fixed, orders)
    return {"null": evaluate([c], read_pairs(*sides), "raise", threads, refuse=False)[0].values}


def _by_lists(
    shared: tuple[Coefficient, Integers, Integers, Integers, int], piece: Draws | Floats, threads: int
) -> dict[str, Any]:
    """Return the coefficient of the reference and each order of the other list."""
    c, reference, own, ends, n_codes = shared
    codes = rows_of(piece) if isinstance(piece, Draws) else own[np.argsort(-piece, axis=1, kind="stable")]
    n_x, n_orders = len(reference), len(codes)
    lists = ListPairs(
        codes=np.concatenate([reference, codes.ravel()]),
        ends=np.concatenate([ends[:n_x], np.tile(ends[n_x:], n_orders)]),
        offsets=np.concatenate([[0], n_x + len(own) * np.arange(n_orders + 1)]),
        n_codes=n_codes,
        first=np.zeros(n_orders, dtype=np.int64),
        second=np.arange(1, n_orders + 1),
        shape=(n_orders,),
    )
    return {"null": evaluate_lists([c], lists, threads)[0].values}


_MOST_ORDERS = 1_000_000  # orders that are all tried for an exact p-value: this takes seconds


def _log_orders(values: Floats) -> float:
    """Return the logarithm of the number of different orders of the values.

    This number is n! / (the product of t! over ties).
    """
    _, sizes = np.unique(values, return_counts=True)
    return math.lgamma(len(values) + 1) - sum(math.lgamma(size + 1) for size in sizes[sizes > 1].tolist())


def _all_orders(values: Floats) -> Iterator[list[float]]:
    """Yield all different orders once, in lexicographic order."""
    now = sorted(values.tolist())
    while True:
        yield list(now)
        i = len(now) - 2
        while i >= 0 and now[i] >= now[i + 1]:
            i -= 1
        if i < 0:
            return
        j = len(now) - 1
        while now[j] <= now[i]:
            j -= 1
        now[i], now[j] = now[j], now[i]
        now[i + 1 :] = now[:i:-1]


def _permuted(rng: np.random.Generator, values: NDArray[Any], rows: int) -> NDArray[Any]:
    return rng.permuted(np.broadcast_to(values, (rows, len(values))), axis=1)


# --- the null distribution of coefficients that are sums of independent uniform terms: exact and normal ---

_MOST_WORK = 5e8  # additions (a look-up counts ten): this takes seconds
_MOST_ITEMS = 1000
_EXACT_COUNTS = 18  # 18! < 2^53
_SMALL_PRIMES = 7


def untied_of(c: Coefficient) -> Untied | None:
    """Return the form of a coefficient without ties, if it is then a sum of independent terms."""
    statistic = c.bound_statistic()
    known = statistic is not None and statistic.untied is not None and not statistic.untied.low.both
    return statistic.untied if known and c.threshold == (0.0, 0.0) and c.top is None else None  # type: ignore[union-attr]


class UniformTerms:
    """A coefficient of n items without ties, one of whose rankings is in random order.

    Let U_i be the number of concordant ones among the i items above an item, i = 1 ... n - 1. In a random
    order the U_i are independent and uniform on 0 ... i. With divisors d_i the coefficient is
    2 S / sum(i / d_i) - 1, where S = sum(U_i / d_i).
    """

    def __init__(self, n: int, untied: Untied) -> None:
        self.n = n
        self.above: Integers = np.arange(1, n, dtype=np.int64)
        self.divisor = untied.divisor(self.above)
        self.largest = float((self.above / self.divisor).sum())

    @property
    def variance(self) -> float:
        """The variance; the mean is 0."""
        i, d = self.above, self.divisor
        return float((i * (i + 2) / (12 * d * d)).sum()) * 4 / self.largest**2

    def normal_tail(self, value: float) -> float:
        """Return the probability of a value as large or larger, by the normal approximation."""
        return normal().cdf(-value / math.sqrt(self.variance))

    @property
    def is_feasible(self) -> bool:
        """Whether the exact distribution takes seconds at most."""
        if self.n > _MOST_ITEMS:
            return False
        first, *others = self._parts()
        additions: int = sum(part.size * len(part.above) for part in (first, *others))
        look_ups: int = math.prod(part.size for part in others) if others else 0
        return additions + 10 * look_ups <= _MOST_WORK

    def _parts(self) -> Iterator[_Grid]:
        """Yield the terms in parts whose divisors have a small common multiple.

        The least common multiple of 1 ... n - 1 is too large for one grid. So the first part has the divisors
        without large prime factors, and each large prime has a part of its own.
        """
        prime = np.array([_largest_prime(divisor) for divisor in self.divisor.tolist()], dtype=np.int64)
        prime[prime <= _SMALL_PRIMES] = 1
        for each in np.unique(np.append(prime, 1)).tolist():
            yield _Grid(self.above[prime == each], self.divisor[prime == each])

    def exact_tail(self, value: float) -> float:
        """Return the exact probability of a value as large or larger."""
        s = (1 - value) / 2 * self.largest  # S is symmetric about its mean, so this is that of S <= s
        as_counts = self.n <= _EXACT_COUNTS
        first, *others = self._parts()
        cumulated = np.cumsum(first.probabilities(as_counts))
        orders = float(cumulated[-1])
        # All sums of the other parts except the last, whose values are taken one by one.
        values, weights = np.zeros(1), np.ones(1)
        steps, last_weights = np.zeros(1), np.ones(1)
        for part in others:
            values = np.add.outer(values, steps).ravel()
            weights = np.multiply.outer(weights, last_weights).ravel()
            steps = np.arange(part.size) / part.multiple
            last_weights = part.probabilities(as_counts)
            orders *= float(last_weights.sum())
        total = 0.0
        for step, weight in zip(steps.tolist(), last_weights.tolist(), strict=True):
            # The rest for the first part is a whole number of steps, or differs from one by at least 1e-6 of
            # a step.
            left = np.floor((s - step - values) * first.multiple + 1e-7).astype(np.int64)
            found = np.where(left >= 0, cumulated[np.clip(left, 0, first.size - 1)], 0.0)
            total += weight * float(found @ weights)
        return min(1.0, total / orders)


class _Grid:
    """The sum of some terms, in steps of 1 / the least common multiple of their divisors."""

    def __init__(self, above: Integers, divisor: Integers) -> None:
        self.above = above.tolist()
        self.multiple = math.lcm(*divisor.tolist())
        self.steps = [self.multiple // d for d in divisor.tolist()]
        self.size = 1 + sum(i * step for i, step in zip(self.above, self.steps, strict=True))

    def probabilities(self, as_counts: bool) -> Floats:
        """Return the probability of each step; as counts of orders, which are whole numbers, if these fit."""
        return _probabilities(tuple(self.above), tuple(self.steps), as_counts)


@functools.lru_cache(maxsize=32)  # several judges of the same systems ask for the same ones
def _probabilities(above: tuple[int, ...], steps: tuple[int, ...], as_counts: bool) -> Floats:
    found = np.ones(1)
    for i, step in zip(above, steps, strict=True):
        size, skipped = len(found) + i * step, (i + 1) * step
        half = size // 2
        # The distribution is symmetric: the first half is enough, and is precise where the sums are large.
        # Sums of i + 1 values that are a step apart are differences of cumulated sums.
        rows = -(-(size - half) // step)
        padded = np.zeros(rows * step)
        padded[: len(found)] = found[: rows * step]
        cumulated = np.cumsum(padded.reshape(rows, step), axis=0) if step > 1 else np.cumsum(padded)
        cumulated = cumulated.ravel()[: size - half]
        found = np.empty(size)
        found[: size - half] = cumulated
        found[skipped : size - half] -= cumulated[: max(0, size - half - skipped)]
        found[size - half :] = found[:half][::-1]
        if not as_counts:
            found /= i + 1
    return found


@functools.cache
def _largest_prime(number: int) -> int:
    factor, found = 2, 1
    while number > 1:
        while number % factor == 0:
            number, found = number // factor, factor
        factor += 1
    return found
