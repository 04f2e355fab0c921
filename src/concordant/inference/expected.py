"""How well a ranking by a sample of topics can be expected to correlate with the true ranking."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from concordant.coefficients import REGISTRY, Coefficient, CoefficientLike, Untied, get
from concordant.errors import ArgumentError, option, public
from concordant.inference.confidence import ConfidenceInterval
from concordant.inference.null import untied_of
from concordant.inference.results import Scalars
from concordant.inference.reversals import RankedSample, Spread
from concordant.inference.student import t_quantile
from concordant.rankings import generator, one_of, proportion, whole_number
from concordant.scores import Measured, ScoresLike, scores_of
from concordant.tables import Note, count
from concordant.typing import Floats, RngLike

__all__ = ["ExpectedResult", "Reliability", "expected", "expected_kind", "reliability_note", "reliability_of"]


@dataclass(frozen=True, eq=False, repr=False)
class ExpectedResult(Scalars):
    """The expected correlation of a ranking of systems with the true ranking.

    Attributes
    ----------
    statistic : float
        The expected correlation.
    confidence_interval : ConfidenceInterval or None
        The confidence interval; None if there is none.
    standard_error : float
        The standard error.
    coefficient : Coefficient
        The coefficient.
    confidence_level : float or None
        The confidence level of the interval; None if there is none.
    method : str
        How the spread of the differences of two systems was estimated.
    measure : str
        The measure.
    n : int
        The number of topics of the sample.
    n_topics : int
        The number of topics of the ranking.
    n_systems : int
        The number of systems.
    seed : int or None
        The seed of the resampling; None if there was none.
    notes : tuple of Note
        Remarks, for instance on systems with the same mean.

    Examples
    --------
    >>> import concordant as cd
    >>> scores = [[0.3, 0.5, 0.1], [0.4, 0.6, 0.2], [0.2, 0.1, 0.3], [0.3, 0.4, 0.1]]
    >>> result = cd.expected(scores, "tau_b", n_topics=50)
    >>> result.n, result.n_topics, 0 < result.statistic < 1
    (4, 50, True)
    """

    statistic: float
    confidence_interval: ConfidenceInterval | None
    standard_error: float
    coefficient: Coefficient
    confidence_level: float | None
    method: str
    measure: str
    n: int
    n_topics: int
    n_systems: int
    seed: int | None
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        interval = (
            f", {self.confidence_level:.10g} confidence interval {self.confidence_interval}"
            if self.confidence_interval is not None
            else ""
        )
        seed = "" if self.seed is None else f", seed {self.seed}"
        source = "" if self.n == self.n_topics else f", from {count(self.n, 'topic')}"
        return (
            f"a ranking by {self.n_topics} such topics is expected to correlate {self.statistic:.4f} "
            f"({self.coefficient}) with the true one{interval} ({self.method}, {self.n_systems} systems"
            f"{source}{seed})" + "".join(f"; {note}" for note in self.notes)
        )


@public
def expected(
    scores: ScoresLike,
    coefficient: CoefficientLike,
    *,
    n_topics: int | None = None,
    measure: str | None = None,
    confidence_level: float | None = 0.95,
    n_resamples: int = 9999,
    method: Spread = "msqd",
    rng: RngLike = None,
) -> ExpectedResult:
    """Return the expected correlation of the ranking of systems by these topics with the true ranking.

    The true ranking is that by unlimited topics of the same kind. The result is the reliability of the
    ranking, not an upper limit for a judge. An estimate from other topics is not expected to agree better
    with this ranking than this ranking does with the true one. A judge on the same topics may agree better,
    because both rankings depend on the same sample of topics.

    Parameters
    ----------
    scores : Scores, or what `Scores.from_data` takes
        The scores of systems on topics. A missing score is an error; see `Scores.fill`.
    coefficient : str, Coefficient or callable
        Kendall's tau or AP correlation. The name of a form with ties means the same.
    n_topics : int, optional
        The number of topics of the ranking; by default that of the scores.
    measure : str, optional
        The measure. It need not be given if there is only one.
    confidence_level : float or None, default 0.95
        The confidence level of the interval; None means no interval.
    n_resamples : int, default 9999
        The number of resamples of the topics, for "resampling".
    method : {"msqd", "ml", "resampling"}
        How the spread of the differences of two systems is estimated. "msqd": from their quantiles, which has
        the least bias in [1]_. "ml": as their standard deviation. "resampling": not at all; topics are
        resampled instead.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None
        The seed or the generator of random numbers, for "resampling".

    Returns
    -------
    ExpectedResult
        ``statistic``, ``confidence_interval``, ``standard_error``, and how they were computed.

    Notes
    -----
    Let P be the probability that the true order of a pair of systems is the opposite one. The expected
    coefficient is 1 - 2 sum(w P) / sum(w) over the pairs; w is 1 for tau, and 1 / (systems above the lower
    one) for AP correlation. P = F(-m sqrt(T) / s), where F is the distribution function of Student's t, T the
    number of topics, and m and s the mean and the spread of the differences of the two systems on the topics.
    For "resampling", P is the share of resamples in which the pair is in the opposite order. Two systems with
    the same mean have P = 1/2.

    The interval is a jackknife over topics, symmetric on Fisher's scale; for "resampling" its width is that
    of "ml". The documentation shows its coverage in simulations.

    References
    ----------
    .. [1] Urbano and Marrero, "Toward estimating the rank correlation between the test collection results and
       the true system performance", SIGIR 2016.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> scores = np.random.default_rng(0).normal(np.linspace(0.6, 0.3, 12), 0.15, (50, 12))
    >>> cd.expected(scores, "tau", confidence_level=None)
    a ranking by 50 such topics is expected to correlate 0.9098 (tau) with the true one (msqd, 12 systems)
    >>> round(cd.expected(scores, "tau", n_topics=200).statistic, 4)
    0.9661
    """
    c = expected_kind(coefficient)
    if confidence_level is not None:
        proportion("confidence_level", confidence_level)
    if n_topics is not None:
        whole_number("n_topics", n_topics, 1)
    found = reliability_of(scores, measure, method, n_resamples, rng)
    asked = found.sample.n_topics if n_topics is None else int(n_topics)
    statistic = found.sample.expected(found.untied(c), asked)
    interval, error, notes = None, math.nan, found.notes
    if confidence_level is not None:
        error = float(found.standard_errors([c], [asked])[0, 0])
        interval = found.interval(statistic, error, confidence_level, asked)
        notes = (*notes, *found.why_none(interval))
    return ExpectedResult(
        statistic=statistic,
        confidence_interval=interval,
        standard_error=error,
        coefficient=c,
        confidence_level=confidence_level,
        method=method,
        measure=found.measure,
        n=found.sample.n_topics,
        n_topics=asked,
        n_systems=found.sample.n,
        seed=found.seed,
        notes=notes,
    )


def reliability_note(side: Measured, coefficients: Sequence[Coefficient]) -> Note | None:
    """Say how well the ranking by the topics of one side is expected to correlate with the true one."""
    if len(side.topics) < 2 or len(side.mean) < 2:
        return None
    found = _reliability(side, "msqd", 2, np.random.default_rng(0), None)
    n = found.sample.n_topics
    values = {str(c): float(found.sample.expected(found.untied(c), n)) for c in coefficients}
    return Note("reliability", f"reference by {side.measure}", {"topics": n, "expected": values})


def expected_kind(coefficient: CoefficientLike) -> Coefficient:
    """Read a coefficient whose expected value is known."""
    c = get(coefficient)
    if untied_of(c) is None:
        known = ", ".join(repr(name) for name, each in REGISTRY.items() if untied_of(each) is not None)
        raise ArgumentError(f"{option('coefficient')} must be one of {known}, got {str(c)!r}")
    return c


@dataclass(frozen=True, eq=False)
class Reliability:
    """The scores of one measure, prepared to compute the reliability of their ranking."""

    sample: RankedSample
    measure: str
    systems: tuple[str, ...]  # best first
    seed: int | None
    notes: tuple[Note, ...]

    @staticmethod
    def untied(c: Coefficient) -> Untied:
        """Return what the coefficient is without ties."""
        found = untied_of(c)
        assert found is not None, c
        return found

    def standard_errors(self, coefficients: list[Coefficient], n_topics: list[int]) -> Floats:
        """Return the standard errors by the jackknife: coefficients x numbers of topics."""
        total = self.sample.n_topics
        if total < 3:
            return np.full((len(coefficients), len(n_topics)), math.nan)
        without = self.sample.without_each([self.untied(c) for c in coefficients], n_topics)
        off = without - without.mean(axis=2, keepdims=True)
        found: Floats = np.sqrt((off * off).sum(axis=2) * ((total - 1) / total))
        return found

    def interval(
        self, value: float, error: float, confidence_level: float, n_topics: int
    ) -> ConfidenceInterval:
        """Return the interval: symmetric on Fisher's scale, and from 0 up, because P is at most 1/2.

        For more topics than there are, the value is so close to 1 that the lower end on Fisher's scale would
        be far too low; there it is value - t error. The interval is nan if no topic makes a difference, and
        for two or three systems, where it would be too narrow.
        """
        if not error > 0 or not -1 < value < 1 or self.sample.n < 4:
            return ConfidenceInterval(math.nan, math.nan)
        t = t_quantile((1 + confidence_level) / 2, self.sample.n_topics - 1)
        reach, middle = t * error / (1 - value * value), math.atanh(value)
        low = value - t * error if n_topics > self.sample.n_topics else math.tanh(middle - reach)
        return ConfidenceInterval(max(low, 0.0), math.tanh(middle + reach))

    def why_none(self, interval: ConfidenceInterval) -> list[Note]:
        """Say why there is no interval, or that it may be too narrow."""
        topics = self.sample.n_topics
        if math.isnan(interval.low):
            return [Note("no_jackknife_interval", values={"topics": topics, "systems": self.sample.n})]
        return [Note("few_topics_expected", values={"topics": topics})] if topics < 10 else []

    def alike(self) -> list[tuple[str, str]]:
        """Return the pairs of systems with the same mean."""
        where = np.flatnonzero(self.sample.mean == 0)
        first, second = self.sample.first[where].tolist(), self.sample.second[where].tolist()
        return [(self.systems[i], self.systems[j]) for i, j in zip(first, second, strict=True)]


def reliability_of(
    scores: ScoresLike,
    measure: str | None,
    method: Any,
    n_resamples: int,
    rng: RngLike,
    executor: Executor | None = None,
) -> Reliability:
    """Check and rank the scores of a measure."""
    one_of("method", method, get_args(Spread))
    number = whole_number("n_resamples", n_resamples, 2)
    source, seed = generator(rng)
    own = scores_of(scores)
    side = Measured(own, own.one_measure(measure)[0])
    return _reliability(side, method, number, source, seed, executor)


def _reliability(
    side: Measured,
    method: Any,
    number: int,
    source: np.random.Generator,
    seed: int | None,
    executor: Executor | None = None,
) -> Reliability:
    own = side.scores
    means = np.array(list(side.mean.values()))  # missing scores are an error
    if len(side.topics) < 2:
        raise ArgumentError(
            f"the reliability of a ranking needs the scores of two topics or more, got {len(side.topics)}"
        )
    if len(means) < 2:
        raise ArgumentError(f"a ranking needs two systems or more, got {len(means)}")
    sample = RankedSample(side.values, means, method, number, source, executor)
    systems = tuple(own.systems[k] for k in sample.order.tolist())
    notes = list(own.notes)
    found = Reliability(sample, side.measure, systems, seed if method == "resampling" else None, tuple(notes))
    alike = found.alike()
    if alike:
        notes.append(Note("same_means", values={"pairs": tuple(alike)}))
    return Reliability(sample, side.measure, systems, found.seed, tuple(notes))
