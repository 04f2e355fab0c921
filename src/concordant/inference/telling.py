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
    """How many topics are needed to tell two judges apart."""

    n_topics: int | None  # None: the judges agree equally well with the reference
    confidence_interval: ConfidenceInterval  # of the number of topics
    statistic: float  # the agreement of a less that of b, on the topics that there are
    standard_error: float
    coefficient: Coefficient
    power: float
    alpha: float
    confidence_level: float
    n: int  # topics
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
        Scores of the same systems, of a pilot study.
    coefficient : str, Coefficient or callable
        As `get` reads it.
    power : float, default 0.8
        The probability with which the difference is to be found.
    alpha : float, default 0.05
        Level of the two-sided test.
    measure : str or (str, str), optional
        The measure of all sides, or of reference and judges; the only one by default.
    on_missing : {"error", "drop", "zero"}, optional
        What to do about systems and topics on one side only, see `Study`.
    confidence_level : float, default 0.95
        Confidence level of the interval of the number of topics.
    n_resamples : int, default 999
        How often the topics are drawn.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None
        Seed or source of random numbers.
    workers : int, default 1
        Threads; -1 for all cores.

    Returns
    -------
    TopicsToTellResult
        ``n_topics``, its ``confidence_interval``, and the difference and standard error that they come from.

    Notes
    -----
    With d the difference on T topics and s its standard error over resamples of these topics, the number is
    T ((z_{1 - alpha/2} + z_power) s / d)^2. This assumes that the difference is normal, that it stays as it
    is, and that its standard error falls with the root of the number of topics. A judge that is only noisier
    than another comes closer to it with more topics, so that a number far above T is too small. The
    difference itself is uncertain, and with it the number: the interval comes from the ends of d plus and
    minus its error. It has no upper end if the topics that there are do not tell the judges apart.

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
