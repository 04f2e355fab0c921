"""The number of topics that a reliable ranking needs, and the expected correlation for numbers of topics."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from concordant.checks import generator, n_workers, proportion, several, whole_number
from concordant.coefficients.declaration import Coefficient, CoefficientLike, CoefficientsLike
from concordant.coefficients.text_form import chosen, of_scores
from concordant.errors import ArgumentError, option, public
from concordant.reading.from_memory import ScoresLike, scores_of
from concordant.results.note import Note, unique
from concordant.results.result import Result, records
from concordant.results.table import parts
from concordant.results.words import count, sentences, with_interval
from concordant.statistics.confidence import ConfidenceInterval, normal
from concordant.statistics.reliability import Reliability, Spread, expected_kind, reliability_of
from concordant.statistics.resampling import Resampler, TopicSample
from concordant.statistics.scalars import Scalars
from concordant.study.study import Study
from concordant.typing import OnMissing, RngLike

_MOST_TOPICS = 1 << 26
_TOPICS = (10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 1000)


@dataclass(frozen=True, eq=False, repr=False)
class TopicsNeededResult(Scalars):
    """The number of topics that a ranking needs to be as reliable as wanted.

    Attributes
    ----------
    n_topics : int or None
        The number of topics; None if no number of topics is enough.
    target : float
        The expected correlation that is wanted.
    coefficient : Coefficient
        The coefficient.
    expected : float
        The expected correlation with the present number of topics.
    method : str
        How the spread of the differences of two systems was estimated.
    measure : str
        The measure.
    n : int
        The number of topics of the sample.
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
    >>> result = cd.topics_needed(scores, "tau_b", target=0.9)
    >>> result.n, result.target, result.n_topics > result.n
    (4, 0.9, True)
    """

    n_topics: int | None
    target: float
    coefficient: Coefficient
    expected: float
    method: str
    measure: str
    n: int
    n_systems: int
    seed: int | None
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        many = f"{self.n_topics} such topics are" if self.n_topics is not None else "no number of topics is"
        return (
            f"{many} enough for an expected correlation of {self.target:.10g} ({self.coefficient}) with the "
            f"true ranking; {self.n} topics give {self.expected:.4f} ({self.method}, {self.n_systems} "
            "systems)" + "".join(f"; {note}" for note in self.notes)
        )


@public
def topics_needed(
    scores: ScoresLike,
    coefficient: CoefficientLike,
    *,
    target: float = 0.9,
    measure: str | None = None,
    n_resamples: int = 9999,
    method: Spread = "msqd",
    rng: RngLike = None,
) -> TopicsNeededResult:
    """Return how many topics a ranking of systems needs for a wanted correlation with the true ranking.

    This is the smallest number of topics for which `expected` reaches the target.

    Parameters
    ----------
    scores : Scores, or what `Scores.from_data` takes
        The scores of systems on topics. A missing score is an error; see `Scores.fill`.
    coefficient : str, Coefficient or callable
        Kendall's tau or AP correlation, as for `expected`.
    target : float, default 0.9
        The expected correlation that is wanted, between 0 and 1.
    measure : str, optional
        The measure. It need not be given if there is only one.
    n_resamples, method, rng : int, str, and int or Generator
        How the correlation is estimated; see `expected`.

    Returns
    -------
    TopicsNeededResult
        ``n_topics``. It is None, with a note, if every ranking is below the target because systems have the
        same mean.

    Notes
    -----
    The spread of the differences between systems is assumed to be the same on other topics. Far from the
    number of topics of the scores, this is an extrapolation; `plan` shows the curve with intervals.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> scores = np.random.default_rng(0).normal(np.linspace(0.6, 0.3, 12), 0.15, (50, 12))
    >>> cd.topics_needed(scores, "tau", target=0.95).n_topics
    121
    """
    c = expected_kind(coefficient)
    proportion("target", target)
    found = reliability_of(scores, measure, method, n_resamples, rng)
    needed, notes = _needed(found, c, target)
    return TopicsNeededResult(
        n_topics=needed,
        target=target,
        coefficient=c,
        expected=found.sample.expected(found.untied(c), found.sample.n_topics),
        method=method,
        measure=found.measure,
        n=found.sample.n_topics,
        n_systems=found.sample.n,
        seed=found.seed,
        notes=tuple(notes or found.notes),
    )


def _needed(found: Reliability, c: Coefficient, target: float) -> tuple[int | None, list[Note]]:
    """Return the smallest number of topics that reaches the target, or why none does."""
    untied = found.untied(c)
    limit = found.sample.limit(untied)
    if limit < target:
        values = {"coefficient": str(c), "limit": limit, "pairs": tuple(found.alike())}
        return None, [Note("target_out_of_reach", values=values)]
    needed = _smallest(lambda topics: found.sample.expected(untied, topics) >= target)
    far = [Note("target_far", values={"topics": _MOST_TOPICS})] if needed is None else []
    return needed, far


def _smallest(reached: Callable[[int], bool]) -> int | None:
    """Return the smallest number that reaches the target; the value never falls with more topics."""
    high = 1
    while not reached(high):
        if high == _MOST_TOPICS:
            return None
        high *= 2
    low = high // 2  # not enough
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


# --- the curve over topics -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Planned:
    """The expected correlation with the true ranking, for one number of topics.

    Attributes
    ----------
    measure : str
        The measure.
    coefficient : Coefficient
        The coefficient.
    topics : int
        The number of topics.
    expected : float
        The expected correlation.
    interval : ConfidenceInterval or None
        The confidence interval; None if there is none.
    """

    measure: str
    coefficient: Coefficient
    topics: int
    expected: float
    interval: ConfidenceInterval | None = field(metadata=parts("low", "high", of="expected"))


@dataclass(frozen=True)
class Needed:
    """The number of topics that reaches the target.

    Attributes
    ----------
    measure : str
        The measure.
    coefficient : Coefficient
        The coefficient.
    target : float
        The expected correlation that is wanted.
    topics : int or None
        The number of topics; None if no number of topics reaches the target.
    available : int
        The number of topics of the scores.
    """

    measure: str
    coefficient: Coefficient
    target: float
    topics: int | None
    available: int


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class PlanResult(Result[Planned]):
    """The result of `plan`; prints as text.

    Attributes
    ----------
    curve : tuple of Planned
        The expected correlation with the true ranking, for each number of topics.
    needed : tuple of Needed
        The number of topics that reaches the target, for each measure and coefficient.

    Examples
    --------
    >>> import concordant as cd
    >>> scores = [[0.3, 0.5, 0.1], [0.4, 0.6, 0.2], [0.2, 0.1, 0.3], [0.3, 0.4, 0.1]]
    >>> result = cd.plan(scores, ["tau_b"], topics=[10, 50])
    >>> [point.topics for point in result.curve], result.needed[0].available
    ([10, 50], 4)
    """

    function: ClassVar[str] = "plan"

    curve: tuple[Planned, ...] = records(Planned, "Expected correlation with the true ranking, by topics")
    needed: tuple[Needed, ...] = records(Needed, "Topics needed")

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words, about the main coefficient.

        This is the first coefficient that was named; by default it is the one that is top-weighted.
        """
        if not self.needed:
            return ()
        c = next(row.coefficient for row in self.needed)
        rows = [row for row in self.needed if row.coefficient == c]
        more = f"The tables have {count(len(rows) - 3, 'more measure')}" if len(rows) > 3 else None
        return sentences([*(part for row in rows[:3] for part in self._planned(row)), more])

    def _planned(self, row: Needed) -> Iterator[str]:
        c = row.coefficient
        start = "A" if row.measure == "score" else f"By {row.measure}, a"
        own = [p for p in self.curve or () if (p.measure, p.coefficient) == (row.measure, c)]
        for point in [p for p in own if p.topics == row.available] or own[:1]:
            there = ", as many as there are," if point.topics == row.available else ""
            yield (
                f"{start} ranking over {count(point.topics, 'such topic')}{there} is expected to correlate "
                f"{with_interval(point.expected, point.interval)} ({c}) with the true one"
            )
        target = f"{row.target:.10g}"
        if row.topics is None:
            yield f"No number of topics was found that is enough for {target}; the notes say why"
        else:
            are = "is" if row.topics == 1 else "are"
            beyond = f", which extrapolates from {row.available}" if row.topics > row.available else ""
            yield (
                f"For {target}, {count(row.topics, 'topic')} {are} expected to be enough{beyond}"
                f"{_how_sure(row, own)}"
            )


def _how_sure(row: Needed, curve: list[Planned]) -> str:
    """Say how uncertain the expectation is near this number of topics, unless it was said before."""
    near = [p for p in curve if p.interval is not None and row.topics and 0.5 <= p.topics / row.topics <= 2]
    point = min(near, key=lambda p: abs(p.topics - (row.topics or 0)), default=None)
    if point is None or point.topics == row.available:
        return ""
    return f"; the expectation for {point.topics} is {with_interval(point.expected, point.interval)}"


@public
def plan(
    scores: ScoresLike,
    coefficients: CoefficientsLike = ("tau_ap", "tau"),
    *,
    target: float = 0.9,
    topics: int | Iterable[int] | None = None,
    on_missing: OnMissing | None = None,
    confidence_level: float | None = 0.95,
    n_resamples: int = 9999,
    method: Spread = "msqd",
    rng: RngLike = 0,
    executor: Executor | None = None,
) -> PlanResult:
    """Plan the number of topics: the expected correlation with the true ranking for more or fewer topics.

    Parameters
    ----------
    scores : Scores, or what `Scores.from_data` takes
        The scores of systems on topics, by one measure or several.
    coefficients : list of str or Coefficient, optional
        Kendall's tau, AP correlation, or both, which is the default.
    target : float, default 0.9
        The expected correlation that is wanted.
    topics : int or iterable of int, optional
        The numbers of topics; by default some from 10 to 1000, and that of the scores.
    on_missing : {"error", "drop", "zero"}, optional
        What to do about topics that not all systems have; see `Study`. By default they count as 0.
    confidence_level, n_resamples, method : float or None, int and str
        How the correlation and its interval are estimated; see `expected`.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None, default 0
        Seed or source of random numbers, for "resampling".
    executor : concurrent.futures.Executor, optional
        Who does the work: any executor of PEP 3148, such as a pool of processes, or ``client.get_executor()``
        of Dask. The result does not depend on it.

    Returns
    -------
    PlanResult
        ``curve``, a record for each number of topics, and ``needed``, the topics that reach the target.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> scores = np.random.default_rng(0).normal(np.linspace(0.6, 0.3, 12), 0.15, (50, 12))
    >>> planned = cd.plan(scores, "tau", topics=[25, 50, 100])
    >>> [(point.topics, round(point.expected, 4)) for point in planned]
    [(25, 0.8649), (50, 0.9098), (100, 0.9429)]
    >>> planned.needed[0].topics
    43
    """
    asked = [expected_kind(c) for c in chosen(coefficients)]
    proportion("target", target)
    if confidence_level is not None:
        proportion("confidence_level", confidence_level)
    given = None if topics is None else sorted({whole_number("topics", n) for n in several("topics", topics)})
    if given == []:
        raise ArgumentError(f"{option('topics')}: none was given; give at least one number")
    aligned = Study.of_sides({"scores": scores_of(scores)}, on_missing)
    curve: list[Planned] = []
    needed: list[Needed] = []
    notes: list[Note] = [note for note in aligned.notes if note.kind != "ties_in_means"]
    seed = None
    for measure in aligned.reference.measures:
        found = reliability_of(aligned.reference, measure, method, n_resamples, rng, executor)
        seed = found.seed
        numbers = given or sorted({*_TOPICS, found.sample.n_topics})
        found.sample.expect(numbers)  # all at once, so that several workers have work
        notes += [note.about(measure) for note in found.notes if note not in aligned.reference.notes]
        errors = None if confidence_level is None else found.standard_errors(asked, numbers)
        for k, c in enumerate(asked):
            for m, n_topics in enumerate(numbers):
                value = found.sample.expected(found.untied(c), n_topics)
                interval = None
                if errors is not None and confidence_level is not None:
                    known = found.interval(value, float(errors[k, m]), confidence_level, n_topics)
                    notes += [note.about(measure) for note in found.why_none(known)]
                    interval = None if math.isnan(known.low) else known
                curve.append(Planned(measure, c, n_topics, value, interval))
            enough, why = _needed(found, c, target)
            needed.append(Needed(measure, c, target, enough, found.sample.n_topics))
            notes += [note.about(measure) for note in why]
    options: dict[str, Any] = {
        "coefficients": [str(c) for c in asked],
        "target": target,
        "topics": given,
        "confidence_level": confidence_level,
        "method": method,
        **({"n_resamples": n_resamples, "seed": seed} if method == "resampling" else {}),
    }
    return PlanResult(curve=tuple(curve), needed=tuple(needed), notes=unique(notes), options=options)


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
        The coefficient, as `coefficient` reads it.
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
    how = Resampler(confidence_level, number, "standard", 0, threads, None)
    sample = TopicSample([study.pairing(name, measure) for name in ("a", "b")], [c], how)
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
