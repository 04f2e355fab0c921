"""A confidence interval of a coefficient over topics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from concordant.coefficients.declaration import Coefficient, CoefficientLike
from concordant.coefficients.text_form import of_scores
from concordant.errors import public
from concordant.reading.from_memory import ScoresLike
from concordant.results.result import Result
from concordant.results.words import number, sentences
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.resampling import (
    Resampling,
    TopicSample,
    shown_interval,
    started,
    study_and_names,
    target,
)
from concordant.study.study import Study
from concordant.typing import Floats, Progress


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class BootstrapResult(Result[Any]):
    """A coefficient with its confidence interval over topics; prints as text.

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
        The number of topics.
    n_undefined : int
        The number of resamples in which the coefficient is undefined.
    bootstrap_distribution : Floats
        The coefficient in each resample.

    Examples
    --------
    >>> import concordant as cd
    >>> human = [[0.3, 0.5, 0.1], [0.4, 0.6, 0.2], [0.2, 0.1, 0.3]]
    >>> llm = [[0.2, 0.6, 0.1], [0.5, 0.4, 0.3], [0.3, 0.2, 0.1]]
    >>> result = cd.bootstrap(human, llm, "tau_b", resampling=cd.Resampling(n_resamples=99, rng=1))
    >>> result.n, result.options["method"], result.seed, len(result.bootstrap_distribution)
    (3, 'standard', 1, 99)
    >>> print(result.verdict[0])
    tau_b is 1.00, 0.95 confidence interval [-1.00, 1.00] for the same number of topics.
    """

    function: ClassVar[str] = "bootstrap"

    coefficient: Coefficient
    statistic: float
    confidence_interval: ConfidenceInterval
    standard_error: float
    n: int
    n_undefined: int
    bootstrap_distribution: Floats

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words."""
        value = f"{self.coefficient} is {number(self.statistic)}"
        return sentences([f"{value}, {shown_interval(self)} for {target(self.options['method'])}"])


@public
def bootstrap(
    reference: ScoresLike | Study,
    estimate: ScoresLike | None = None,
    coefficient: CoefficientLike = "tau_ap_b",
    *,
    measure: str | tuple[str, str] | None = None,
    resampling: Resampling = Resampling(),
    progress: Progress | None = None,
) -> BootstrapResult:
    """Return a coefficient of mean scores with its confidence interval over topics.

    Topics are drawn with replacement, the same on both sides. For each draw, the means of the systems and the
    coefficient of the two rankings are computed.

    Parameters
    ----------
    reference : Scores, or what `read_scores` takes, or Study
        The scores of the reference. A `Study` already has its estimate.
    estimate : Scores, or what `read_scores` takes, optional
        The scores of the same systems by the estimate. If a `Study` has several estimates, the name of one.
    coefficient : str, Coefficient or callable, default "tau_ap_b"
        The coefficient, as `coefficient` reads it.
    measure : str or (str, str), optional
        The measure of both sides, or that of the reference and that of the estimate. It need not be given if
        there is only one.
    resampling : Resampling
        The confidence level, the number of resamples, the seed, and the method:
        "standard": the coefficient +- t times its standard error over the resamples; see the notes.
        "percentile": quantiles of the resamples. "basic": the same quantiles, mirrored at the statistic.
        "BCa": Efron's correction for bias and acceleration. "simex" (exploratory): for unlimited topics; see
        the notes.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    BootstrapResult
        ``statistic``, ``confidence_interval``, ``standard_error``, ``bootstrap_distribution``, and how they
        were computed.

    Notes
    -----
    The interval is for the coefficient that is expected with the same number of topics of this kind. The
    observed coefficient is an unbiased estimate of it. A resample is not: it adds the noise of its draw to
    the noise of the topics, so that the mean m of the resamples is biased. "percentile", "basic" and "BCa"
    do not correct this bias.

    "standard" uses the spread of the resamples, but not their location. With n topics, the standard error s
    and quantiles q, the lower end, for the statistic c and the probability a on this side, is
    ``c - max(t s sqrt(n / (n - 1)), m - q, u)``. t is the quantile of Student's t with
    n - 1 degrees of freedom, and q has Hesterberg's correction for few topics [1]_. u is min(1, -ln(a) / n)
    times the largest change of c if two neighbours are exchanged: an event that did not occur on n topics may
    have the probability -ln(a) / n (the rule of three). The upper end is computed in the same way.

    "simex" [2]_ is for the coefficient of unlimited topics. It resamples the resamples to measure how much
    the mean changes when the noise is added once more, and extrapolates the bias back to zero noise, with the
    exponents 1 and 0.7 of the variance. The lower end uses the smaller correction, the upper end the larger.
    One sample of topics contains little information about this value: near 1 these intervals mostly miss it.
    The documentation shows the coverage of all methods in simulations.

    If a side lacks a topic, its means are over the drawn topics that it has.

    References
    ----------
    .. [1] Hesterberg, "What teachers should know about the bootstrap", The American Statistician 69, 2015.
    .. [2] Cook and Stefanski, "Simulation-extrapolation estimation in parametric measurement error models",
       JASA 89, 1994.
    .. [3] Efron and Tibshirani, "An introduction to the bootstrap", 1993, chapters 13 and 14.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> reference = np.random.default_rng(0).normal(np.linspace(0.6, 0.3, 12), 0.1, (50, 12))
    >>> llm = reference + np.random.default_rng(1).normal(0, 0.2, (50, 12))
    >>> found = cd.bootstrap(reference, llm, "tau_b", resampling=cd.Resampling(n_resamples=999, rng=42))
    >>> print(round(found.statistic, 4), found.confidence_interval)
    0.7879 [0.6212, 0.9308]
    """
    how = started(resampling)
    c = of_scores(coefficient)
    study, (name,) = study_and_names(reference, {"estimate": estimate})
    sample = TopicSample([study.pairing(name, measure)], [c], how)
    sample.report()
    found = sample.draw(progress)
    interval = found.interval(0, how.method, how.confidence_level)
    return BootstrapResult(
        coefficient=c,
        statistic=float(found.observed[0]),
        confidence_interval=interval,
        standard_error=found.standard_error(0),
        bootstrap_distribution=found.distribution[0],
        n=sample.n,
        n_undefined=found.n_undefined(0),
        notes=(*study.notes, *sample.notes(), *found.why_none(0, interval)),
        options=how.options,
    )
