"""A confidence interval of a coefficient over items."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from concordant.checks import n_workers, proportion
from concordant.coefficients.declaration import Coefficient, CoefficientLike, coefficient as read_coefficient
from concordant.coefficients.evaluation import evaluate, without_groups
from concordant.errors import public
from concordant.rankings.pairs import Pairs, read_one_pair
from concordant.reading.from_memory import ranking_of
from concordant.results.result import Result
from concordant.results.words import count, number, sentences
from concordant.scores.scores import Scores
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.distributions import t_quantile
from concordant.statistics.resampling import neighbour_changes, shown_interval
from concordant.typing import Progress, RankingLike

_MOST_LEFT_OUT = 4_000_000  # items in all the rankings that lack one group
_FEWEST_GROUPS = 50


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class JackknifeResult(Result[Any]):
    """A coefficient with its confidence interval over items; prints as text.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient that was computed.
    statistic : float
        Its value.
    confidence_interval : ConfidenceInterval
        The confidence interval.
    standard_error : float
        The standard error.
    n : int
        The number of items.
    n_groups : int
        The number of groups of items that were left out in turn; every item is a group unless there are very
        many.
    n_undefined : int
        The number of groups without which the coefficient is undefined.

    Examples
    --------
    >>> import concordant as cd
    >>> result = cd.jackknife_interval([5, 4, 3, 2, 1], [5, 3, 4, 1, 2], "tau_b")
    >>> result.n, result.n_groups, round(result.statistic, 4)
    (5, 5, 0.6)
    """

    function: ClassVar[str] = "jackknife_interval"

    coefficient: Coefficient
    statistic: float
    confidence_interval: ConfidenceInterval
    standard_error: float
    n: int
    n_groups: int
    n_undefined: int

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words."""
        value = f"{self.coefficient} of {count(self.n, 'item')} is {number(self.statistic)}"
        return sentences([f"{value}, {shown_interval(self)}"])


@public
def jackknife_interval(
    x: RankingLike | Scores,
    y: RankingLike | Scores,
    coefficient: CoefficientLike,
    *,
    confidence_level: float = 0.95,
    workers: int = 1,
    progress: Progress | None = None,
) -> JackknifeResult:
    """Return a coefficient with its confidence interval over items.

    Each item is left out in turn, which gives the standard error. The interval is symmetric on Fisher's
    scale, atanh c.

    Parameters
    ----------
    x, y : array_like, mapping, Series or Scores
        The reference scores and the estimated scores; larger is better. For `Scores`, the means are used.
    coefficient : str, Coefficient or callable
        The coefficient, as `coefficient` reads it.
    confidence_level : float, default 0.95
        The confidence level of the interval.
    workers : int, default 1
        The number of threads; -1 means all cores. The result does not depend on it.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    JackknifeResult
        ``statistic``, ``confidence_interval``, ``standard_error``, and how they were computed.

    See Also
    --------
    bootstrap : an interval over topics, if there are topics.

    Notes
    -----
    Items are not drawn with replacement, because an item that is drawn twice is tied with itself: a resample
    of n items has about n / 2 such pairs, which are tied in both rankings. They would change every
    coefficient that depends on ties.

    A coefficient with other bounds than -1 and 1 is scaled to these for Fisher's scale; without bounds, the
    interval is symmetric around the coefficient. With more than 2000 items, groups of items are left out.

    At 1 the standard error is 0, and near 1 it is too small, because a few items may by chance show no
    exchange. If the number of exchanges has a Poisson distribution with mean -ln(a / 2), no exchange is seen
    with the probability a / 2. So the distance of the ends from the value is at least -ln(a / 2) times the
    mean change by one exchange of neighbours.

    References
    ----------
    .. [1] Efron and Tibshirani, "An introduction to the bootstrap", 1993, chapter 11.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> x, noise = np.random.default_rng(0).normal(size=(2, 60))
    >>> print(cd.jackknife_interval(x, x + noise, "tau_b").verdict[0])
    tau_b of 60 items is 0.43, 0.95 confidence interval [0.29, 0.56].
    """
    level = proportion("confidence_level", confidence_level)
    c = read_coefficient(coefficient)
    threads = n_workers(workers)
    pairs, statistic = observed(c, x, y, threads)
    n = pairs.n_items
    n_groups = n if n * n <= _MOST_LEFT_OUT else max(_FEWEST_GROUPS, _MOST_LEFT_OUT // n)
    group = np.arange(n)
    if n_groups < n:
        # Random groups, which do not depend on the order of the items.
        by_value = np.lexsort((pairs.y[0], pairs.x[0]))
        group[by_value] = np.random.default_rng(0).permutation(n) % n_groups
    values = without_groups(c, pairs.x[0], pairs.y[0], group, n_groups, threads, progress)
    defined = values[~np.isnan(values)]
    error, half = math.nan, 0.0
    if len(defined) > 1:
        error = math.sqrt((len(defined) - 1) * float(((defined - defined.mean()) ** 2).mean()))
        half = t_quantile((1 + level) / 2, len(defined) - 1) * error
    low, high = _on_fishers_scale(statistic, half, c.bounds)
    if not math.isnan(low):
        # If the number of exchanges of neighbours in a sample has a Poisson distribution with the mean
        # -ln(a / 2), no exchange is seen with the probability a / 2.
        moved = neighbour_changes([c], pairs.x[0], pairs.y[0], np.array([statistic]), threads)[0]
        known = moved[~np.isnan(moved)]
        unseen = -math.log((1 - level) / 2) * float(known.mean()) if len(known) else 0.0
        low = max(min(low, statistic - unseen), c.bounds[0])
        high = min(max(high, statistic + unseen), c.bounds[1])
    return JackknifeResult(
        coefficient=c,
        statistic=statistic,
        confidence_interval=ConfidenceInterval(low, high),
        standard_error=error,
        n=n,
        n_groups=n_groups,
        n_undefined=n_groups - len(defined),
        options={"confidence_level": level},
    )


def _on_fishers_scale(value: float, half: float, bounds: tuple[float, float]) -> tuple[float, float]:
    """Return value +- half, symmetric on the scale of atanh (half is transformed by the derivative)."""
    low, high = bounds
    if math.isinf(low) or math.isinf(high):
        return max(value - half, low), min(value + half, high)
    middle, radius = (low + high) / 2, (high - low) / 2
    inner = (value - middle) / radius
    if math.isnan(half) or math.isnan(inner):
        return math.nan, math.nan
    if abs(inner) >= 1:
        return value, value
    wide = half / radius / (1 - inner * inner)
    low, high = (middle + radius * math.tanh(math.atanh(inner) + sign * wide) for sign in (-1, 1))
    return low, high


def observed(
    c: Coefficient, x: RankingLike | Scores, y: RankingLike | Scores, threads: int
) -> tuple[Pairs, float]:
    """Read two rankings and compute the coefficient, with a warning if it is undefined."""
    pairs = read_one_pair(ranking_of(x), ranking_of(y))
    c.refuse_labels(pairs)
    outcome = evaluate([c], pairs, "raise", threads)[0]
    outcome.report(str(c))
    return pairs, float(outcome.values[0])
