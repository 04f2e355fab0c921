"""How many topics are needed to tell two judges apart."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from concordant.coefficients import Coefficient, CoefficientLike, of_scores
from concordant.errors import public
from concordant.inference.confidence import ConfidenceInterval
from concordant.inference.resample import TopicSample
from concordant.inference.results import Scalars
from concordant.inference.student import normal
from concordant.rankings import generator, n_workers, proportion, whole_number
from concordant.scores import ScoresLike, Study
from concordant.tables import Note
from concordant.typing import OnMissing, RngLike

__all__ = ["TopicsToTellResult", "topics_to_tell"]


@dataclass(frozen=True, eq=False, repr=False)
class TopicsToTellResult(Scalars):
    """The number of topics that is needed to find a difference between two judges.

    Attributes
    ----------
    n_topics : int or None
        The number of topics; None if the judges agree equally well with the reference.
    confidence_interval : ConfidenceInterval
        The confidence interval of the number of topics.
    statistic : float
        The coefficient of judge a minus that of judge b, on the present topics.
    standard_error : float
        The standard error of this difference.
    coefficient : Coefficient
        The coefficient.
    power : float
        The probability of finding the difference.
    alpha : float
        The level of the test.
    confidence_level : float
        The confidence level of the interval.
    n : int
        The number of topics of the sample.
    n_resamples : int
        The number of resamples.
    seed : int or None
        The seed of the random numbers; None if it is not known.
    notes : tuple of Note
        Remarks, for instance on extrapolation.

    Examples
    --------
    >>> import concordant as cd
    >>> human = [[0.3, 0.5, 0.1], [0.4, 0.6, 0.2], [0.2, 0.1, 0.3]]
    >>> gpt = [[0.2, 0.6, 0.1], [0.5, 0.4, 0.3], [0.3, 0.2, 0.1]]
    >>> llama = [[0.2, 0.1, 0.6], [0.5, 0.4, 0.3], [0.3, 0.2, 0.1]]
    >>> result = cd.topics_to_tell(human, gpt, llama, "tau_b", rng=1)
    >>> result.n, result.power, result.n_topics > 0
    (3, 0.8, True)
    """

    n_topics: int | None
    confidence_interval: ConfidenceInterval
    statistic: float
    standard_error: float
    coefficient: Coefficient
    power: float
    alpha: float
    confidence_level: float
    n: int
    n_resamples: int
    seed: int | None
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        low, high = self.confidence_interval
        many = f"{self.n_topics} topics are" if self.n_topics is not None else "no number of topics is"
        end = "unlimited" if math.isinf(high) else f"{high:.0f}"
        interval = f"; {self.confidence_level:.10g} confidence interval from {low:.0f} to {end}"
        return (
            f"{many} enough to find the difference {self.statistic:+.4f} ({self.coefficient}) with power "
            f"{self.power:.10g} at level {self.alpha:.10g}{interval if self.n_topics is not None else ''} "
            f"({self.n_resamples} resamples of {self.n} topics, seed {self.seed})"
            + "".join(f"; {note}" for note in self.notes)
        )


@public
def topics_to_tell(
    reference: ScoresLike,
    a: ScoresLike,
    b: ScoresLike,
    coefficient: CoefficientLike,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    measure: str | tuple[str, str] | None = None,
    on_missing: OnMissing | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 999,
    rng: RngLike = None,
    workers: int = 1,
) -> TopicsToTellResult:
    """Return how many topics are needed to find that one judge agrees better with the reference than another.

    Parameters
    ----------
    reference, a, b : Scores, or what `Scores.from_data` takes
        The scores of the same systems in a pilot study: the reference and two judges.
    coefficient : str, Coefficient or callable
        The coefficient, as `get` reads it.
    power : float, default 0.8
        The wanted probability of finding the difference.
    alpha : float, default 0.05
        The level of the two-sided test.
    measure : str or (str, str), optional
        The measure of all sides, or that of the reference and that of the judges. It need not be given if
        there is only one.
    on_missing : {"error", "drop", "zero"}, optional
        What to do about systems and topics that are on one side only; see `Study`.
    confidence_level : float, default 0.95
        The confidence level of the interval of the number of topics.
    n_resamples : int, default 999
        The number of resamples of the topics.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None
        The seed or the generator of random numbers.
    workers : int, default 1
        The number of threads; -1 means all cores.

    Returns
    -------
    TopicsToTellResult
        ``n_topics``, its ``confidence_interval``, and the difference and standard error that they come from.

    Notes
    -----
    Let d be the difference on T topics, and s its standard error over resamples of these topics. The number
    is T ((z_{1 - alpha/2} + z_power) s / d)^2. This assumes that the difference is normal, that it does not
    change with the number of topics, and that its standard error falls with the square root of that number.
    If a judge is only noisier than another, the difference becomes smaller with more topics, so that a number
    far above T is too small. The difference is uncertain, and so is the number: its interval comes from the
    interval of d. It has no upper end if the present topics do not show a difference.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> reference = rng.normal(np.linspace(0.6, 0.3, 20), 0.15, (40, 20))
    >>> a, b = (reference + rng.normal(0, noise, reference.shape) for noise in (0.1, 0.6))
    >>> found = cd.topics_to_tell(reference, a, b, "tau_b", rng=1)
    >>> found.n_topics, found.confidence_interval
    (147, ConfidenceInterval(low=27, high=inf))
    """
    proportion("power", power)
    proportion("alpha", alpha)
    proportion("confidence_level", confidence_level)
    number = whole_number("n_resamples", n_resamples, 2)
    c = of_scores(coefficient)
    threads = n_workers(workers)
    source, seed = generator(rng)
    study = Study(reference, {"a": a, "b": b}, on_missing=on_missing).on_common_topics()
    sample = TopicSample([c], [study.pairing(name, measure) for name in ("a", "b")], threads, n_sides=3)
    own = [float(outcome.values[0]) for outcome in sample.observed]
    sample.report()
    difference = own[0] - own[1]
    rows = []
    for start in range(0, number, sample.rows_at_once):
        size = min(sample.rows_at_once, number - start)
        counts = source.multinomial(sample.n, np.full(sample.n, 1 / sample.n), size)
        rows.append(sample.values(counts))
    drawn = np.hstack(rows)
    error = float(np.nanstd(drawn[0] - drawn[1], ddof=1))
    wanted = normal().inv_cdf(1 - alpha / 2) + normal().inv_cdf(power)
    reach = normal().inv_cdf((1 + confidence_level) / 2) * error

    def topics(size: float) -> float:
        if math.isnan(size) or math.isnan(error):
            return math.nan
        return max(2.0, math.ceil(sample.n * (wanted * error / size) ** 2)) if size > 0 else math.inf

    needed = topics(abs(difference))
    ends = topics(abs(difference) + reach), topics(abs(difference) - reach)
    notes = list(study.notes)
    if sample.n < needed < math.inf:
        values = {"topics": sample.n, "needed": int(needed)}
        notes.append(Note("beyond_the_pilot", values=values))
    if not math.isfinite(needed):
        notes.append(Note("no_difference", values={"coefficient": str(c)}))
    return TopicsToTellResult(
        n_topics=int(needed) if math.isfinite(needed) else None,
        confidence_interval=ConfidenceInterval(*ends),
        statistic=difference,
        standard_error=error,
        coefficient=c,
        power=power,
        alpha=alpha,
        confidence_level=confidence_level,
        n=sample.n,
        n_resamples=number,
        seed=seed,
        notes=tuple(notes),
    )
