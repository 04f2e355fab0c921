"""Whether one estimate agrees better with the reference than another."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

import numpy as np

from concordant.checks import one_of
from concordant.coefficients.declaration import Coefficient, CoefficientLike, of_scores
from concordant.coefficients.engine import SAME
from concordant.errors import public
from concordant.reading.from_memory import ScoresLike
from concordant.results.note import Note
from concordant.results.result import Result
from concordant.results.words import number, pvalue, sentences
from concordant.scores.means import exact_means
from concordant.statistics.confidence import (
    ConfidenceInterval,
    End,
    exchange as exchange_end,
    interval_of,
    pvalue_of_value,
)
from concordant.statistics.resampling import (
    Resampled,
    Resampling,
    TopicSample,
    of_rows,
    shown_interval,
    started,
    study_and_names,
)
from concordant.statistics.simultaneous import steps_of
from concordant.study.study import Study
from concordant.typing import Alternative, Floats, Integers, Progress
from concordant.work import Draws, in_pieces, piece_size, rows_of


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class DifferenceResult(Result[Any]):
    """How much better one estimate agrees with the reference than another; prints as text.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient that was computed.
    statistic : float
        The coefficient of estimate a minus that of estimate b.
    confidence_interval : ConfidenceInterval
        The confidence interval of the difference.
    pvalue : float
        The p-value of the null hypothesis that there is no difference.
    standard_error : float
        The standard error of the difference.
    statistic_a : float
        The coefficient of estimate a.
    statistic_b : float
        The coefficient of estimate b.
    n : int
        The number of topics.
    n_undefined : int
        The number of resamples in which the difference is undefined.
    exact : bool
        Whether all exchanges were tried.
    bootstrap_distribution : Floats
        The difference in each resample of the topics.
    null_distribution : Floats or None
        The difference in each exchange; None if the method is not "exchange".

    Examples
    --------
    >>> import concordant as cd
    >>> human = [[0.3, 0.5, 0.1], [0.4, 0.6, 0.2], [0.2, 0.1, 0.3]]
    >>> gpt = [[0.2, 0.6, 0.1], [0.5, 0.4, 0.3], [0.3, 0.2, 0.1]]
    >>> llama = [[0.2, 0.1, 0.6], [0.5, 0.4, 0.3], [0.3, 0.2, 0.1]]
    >>> result = cd.difference(human, gpt, llama, "tau_b", resampling=cd.Resampling(n_resamples=99, rng=1))
    >>> result.statistic == result.statistic_a - result.statistic_b, result.exact
    (True, False)
    >>> result.verdict[0].startswith("tau_b is 1.00 for a and -0.82 for b, a difference of 1.82")
    True
    """

    function: ClassVar[str] = "difference"

    coefficient: Coefficient
    statistic: float
    confidence_interval: ConfidenceInterval
    pvalue: float
    standard_error: float
    statistic_a: float
    statistic_b: float
    n: int
    n_undefined: int
    exact: bool
    bootstrap_distribution: Floats
    null_distribution: Floats | None

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words."""
        text = (
            f"{self.coefficient} is {number(self.statistic_a)} for a and {number(self.statistic_b)} for b, "
            f"a difference of {number(self.statistic)}, {shown_interval(self)}, {pvalue(self.pvalue)} "
            f"({self.options['alternative']}, {self.options['method']})"
        )
        return sentences([text])


@public
def difference(
    reference: ScoresLike | Study,
    a: ScoresLike | None = None,
    b: ScoresLike | None = None,
    coefficient: CoefficientLike = "tau_ap_b",
    *,
    alternative: Alternative = "two-sided",
    exchange: bool = False,
    measure: str | tuple[str, str] | None = None,
    resampling: Resampling = Resampling(),
    progress: Progress | None = None,
) -> DifferenceResult:
    """Test whether estimate a agrees better with the reference than estimate b does, on the same topics.

    The interval and the p-value come from one procedure: p < 1 - `confidence_level` exactly when the interval
    does not contain 0.

    Parameters
    ----------
    reference : Scores, or what `read_scores` takes, or Study
        The scores of the reference. A `Study` already has its estimates. Topics that not all three have are
        left out.
    a, b : Scores, or what `read_scores` takes, optional
        The scores of the same systems by the two estimates. If a `Study` has more, the names of two.
    coefficient : str, Coefficient or callable, default "tau_ap_b"
        The coefficient, as `coefficient` reads it.
    alternative : {"two-sided", "greater", "less"}
        The alternative hypothesis; "greater" means that a agrees better. The interval then has only a lower
        end; the upper end is the bound.
    exchange : bool, default False
        Whether to test by exchanging a and b on random topics instead. This holds for estimates that are
        exchangeable: the same scale, the same systematic errors; see the notes.
    measure : str or (str, str), optional
        The measure of all three, or that of the reference and that of both estimates. It need not be given if
        there is only one.
    resampling : Resampling
        The confidence level, the number of resamples, the seed, and the method. The same topics are drawn for
        all three. If there are no more ways to exchange than the number of resamples, all are used. The
        methods "percentile", "basic" and "BCa" are those of `bootstrap`.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    DifferenceResult
        ``statistic``, ``pvalue``, ``confidence_interval``, ``standard_error``, and how they were computed.

    See Also
    --------
    adjust_pvalues : adjusts the p-values of many comparisons.

    Notes
    -----
    The test is about these systems and estimates with this number of topics. If an estimate is only noisier
    than another, their difference becomes smaller with more topics. Nothing depends on the units of a, b or
    the reference.

    "standard": with the difference d, its resamples d*, their mean m and standard deviation s, the lower end
    for the tail probability p is ``d - max(q s, m - quantile_P(d*))``, where q is sqrt(n / (n - 1)) times the
    quantile 1 - p of Student's t with n - 1 degrees of freedom, and P the normal probability of -q; the upper
    end likewise. The p-value is twice the largest p whose interval contains 0. A difference that is the same
    in all resamples is not tested. In 73 cases of judges that are equally good, with the same and with
    different biases, the level 0.05 was kept with 0.033 on average (0.000 to 0.082).

    "exchange": if neither is better, exchanging a and b on random topics changes the difference d only by
    chance, and p is the share of exchanges with a difference at least as large. That holds for estimates with
    the same scale and the same systematic errors. For equally good judges with different biases it is wrong:
    exchanging averages the biases, and a level of 0.05 became 0.16 on average, and 0.70 at worst. The spread
    of d at 0 is that of the exchanges, at d the standard error of the resamples, and in between it is assumed
    to be linear. The interval contains each value t for which (d - t) / spread(t) is not extreme among the
    exchanges.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> reference = rng.normal(np.linspace(0.6, 0.3, 12), 0.1, (50, 12))
    >>> good, bad = reference + rng.normal(0, 0.1, (50, 12)), reference + rng.normal(0, 0.4, (50, 12))
    >>> cd.difference(reference, good, bad, "tau_b", resampling=cd.Resampling(rng=42)).pvalue < 0.05
    True
    """
    one_of("alternative", alternative, get_args(Alternative))
    how = started(resampling)
    c = of_scores(coefficient)
    given, names = study_and_names(reference, {"a": a, "b": b})
    study = given.in_common()
    sample = TopicSample([study.pairing(name, measure) for name in names], [c], how)
    sample.report()
    steps = steps_of(progress, (1 + exchange) * how.n_resamples)
    drawn = sample.draw(steps(how.n_resamples))
    found, null, exact, end = drawn.difference(0, 1), None, False, None
    if exchange:
        null, exact = _swapped(sample, steps(how.n_resamples))
        how, known = how._replace(method="exchange"), np.sort(null[~np.isnan(null)])
        if not math.isnan(found.observed[0]) and len(found.defined(0)) > 1 and len(known):
            half = found.half(0)
            end = exchange_end(float(found.observed[0]), known, exact, found.standard_error(0), half)
    interval, p, notes = interval_and_pvalue(found, how.method, how.confidence_level, alternative, end)
    return DifferenceResult(
        coefficient=c,
        statistic=float(found.observed[0]),
        pvalue=p,
        confidence_interval=interval,
        standard_error=found.standard_error(0),
        statistic_a=float(drawn.observed[0]),
        statistic_b=float(drawn.observed[1]),
        bootstrap_distribution=found.distribution[0],
        null_distribution=null,
        n=sample.n,
        n_undefined=found.n_undefined(0),
        exact=exact,
        options={**how.options, "alternative": alternative},
        notes=(*study.notes, *how.notes(sample.n, shared=True), *notes),
    )


def interval_and_pvalue(
    found: Resampled,
    method: str,
    level: float,
    alternative: Alternative = "two-sided",
    end: End | None = None,
) -> tuple[ConfidenceInterval, float, list[Note]]:
    """Return the interval and the p-value of a difference, nan if there are none, and notes."""
    nothing = ConfidenceInterval(math.nan, math.nan), math.nan
    by_exchange = end is not None
    end = found.end(0, method) if end is None else end
    if end is None:
        return *nothing, found.why_none(0, nothing[0])
    if found.standard_error(0) == 0 and found.observed[0] != 0 and not by_exchange:
        text = "the difference is the same in all resamples, so that it is not tested"
        return *nothing, [Note("difference_never_changes", text=text)]
    interval = interval_of(end, level, found.bounds[0], alternative)
    return interval, pvalue_of_value(end, 0.0, alternative), []


def _swapped(sample: TopicSample, progress: Progress | None) -> tuple[Floats, bool]:
    """Return the differences with the two estimates exchanged on random topics; all exchanges if not many."""
    n, how, (c,), (first, second) = sample.n, sample.how, sample.coefficients, sample.pairings
    both = np.concatenate([first.estimate.values, second.estimate.values])
    rng = np.random.default_rng(how.seed).spawn(2)[1]  # a stream of its own
    exact = n < 60 and 2**n <= how.n_resamples
    total = 2**n if exact else how.n_resamples
    size = piece_size(total, sample.rows_at_once, how.executor)
    rows = [range(start, min(start + size, total)) for start in range(0, total, size)]

    def exchanged(own: range) -> Draws | Integers:
        """Return rows of zeros and ones; a one means that the two estimates are exchanged on a topic."""
        return np.array(own)[:, None] >> np.arange(n) & 1 if exact else Draws(rng, _coins, len(own), n)

    work: dict[str, Any] = {"executor": how.executor, "threads": how.threads, "progress": progress}
    shared = c, first.reference.means, both
    parts = in_pieces(_of_exchanges, shared, map(exchanged, rows), sizes=[*map(len, rows)], **work)
    return np.concatenate([part["null"] for part in parts]), exact


def _of_exchanges(
    shared: tuple[Coefficient, Floats, Floats], piece: Draws | Integers, threads: int
) -> dict[str, Any]:
    c, means, both = shared
    swap = rows_of(piece)
    values = []
    for counts in (np.hstack([1 - swap, swap]), np.hstack([swap, 1 - swap])):
        estimates = exact_means(counts, both)
        values.append(of_rows([c], means, estimates, threads)[0])
    return {"null": values[0] - values[1]}


def _coins(rng: np.random.Generator, rows: int, n: int) -> Integers:
    return rng.integers(0, 2, (rows, n))


def pvalue_of(observed: float, null: Floats, alternative: str, exact: bool) -> float:
    """Return the share of a null distribution that is as extreme as the observed value.

    If the null distribution is drawn at random, the observed value counts as one more draw.
    """
    defined = null[~np.isnan(null)]
    if math.isnan(observed) or len(defined) == 0:
        return math.nan
    more = 0 if exact else 1
    same = SAME * max(abs(observed), float(np.abs(defined).max()))
    greater = (int((defined >= observed - same).sum()) + more) / (len(defined) + more)
    less = (int((defined <= observed + same).sum()) + more) / (len(defined) + more)
    return {"greater": greater, "less": less, "two-sided": min(1.0, 2 * min(greater, less))}[alternative]
