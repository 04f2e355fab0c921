"""The number of topics that a reliable ranking needs, and that tells two judges apart."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from concordant.checks import proportion, several, whole_number
from concordant.coefficients.declaration import Coefficient, CoefficientsLike, chosen
from concordant.errors import ArgumentError, option, public
from concordant.questions.verdict import first_told
from concordant.reading.from_memory import ScoresLike
from concordant.reading.read_scores import read_scores
from concordant.results.note import Note, unique
from concordant.results.result import Result, records
from concordant.results.table import absent, parts
from concordant.results.words import count, number, sentences, some, with_interval
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.distributions import normal
from concordant.statistics.reliability import Reliability, Spread, expected_kind
from concordant.statistics.resampling import Resampler, Resampling, TopicSample, started
from concordant.study.pairing import Measured
from concordant.study.study import Study

_MOST_TOPICS = 1 << 26
_TOPICS = (10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 1000)


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


@dataclass(frozen=True)
class ToTell:
    """The number of topics that shows which of two judges agrees better with the reference.

    Attributes
    ----------
    measure : str
        The measure of the reference.
    coefficient : Coefficient
        The coefficient.
    estimate : str
        The name of one judge.
    other : str
        The name of the other judge.
    difference : float
        The coefficient of the first judge minus that of the other, on the present topics.
    standard_error : float
        The standard error of this difference.
    topics : int or None
        The number of topics; None if no number is enough, because both agree equally well.
    low : int or None
        The lower end of the confidence interval of the number of topics; None if there is none.
    high : int or None
        The upper end; None if it is unlimited, because the present topics do not show a difference.
    available : int
        The number of topics that both judges and the reference have.
    """

    measure: str
    coefficient: Coefficient
    estimate: str
    other: str
    difference: float
    standard_error: float
    topics: int | None
    low: int | None
    high: int | None = field(metadata=absent("unlimited"))
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
    to_tell : tuple of ToTell or None
        The number of topics that tells two judges apart. It needs two estimates or more.

    Examples
    --------
    >>> import concordant as cd
    >>> scores = [[0.3, 0.5, 0.1], [0.4, 0.6, 0.2], [0.2, 0.1, 0.3], [0.3, 0.4, 0.1]]
    >>> result = cd.plan(scores, ["tau_b"], n_topics=[10, 50])
    >>> [point.topics for point in result.curve], result.needed[0].available
    ([10, 50], 4)
    """

    function: ClassVar[str] = "plan"

    curve: tuple[Planned, ...] = records(Planned, "Expected correlation with the true ranking, by topics")
    needed: tuple[Needed, ...] = records(Needed, "Topics needed")
    to_tell: tuple[ToTell, ...] | None = records(
        ToTell, "Topics needed to tell two judges apart", needs="two estimates or more"
    )

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words, about the first coefficient."""
        needed = [row for row in self.needed or () if row.coefficient == self.needed[0].coefficient]
        told = first_told(needed, self._planned, "measure")
        for first in (self.to_tell or ())[:1]:
            rows = [row for row in self.to_tell or () if row.coefficient == first.coefficient]
            told += first_told(rows, self._told, "pair of judges")
        return sentences(told)

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
            near = [p for p in own if p.interval is not None and 0.5 <= p.topics / row.topics <= 2]
            sure = ""
            for point in sorted(near, key=lambda p: abs(p.topics - (row.topics or 0)))[:1]:
                if point.topics != row.available:  # otherwise it was told before
                    value = with_interval(point.expected, point.interval)
                    sure = f"; the expectation for {point.topics} is {value}"
            yield f"For {target}, {count(row.topics, 'topic')} {are} expected to be enough{beyond}{sure}"

    def _told(self, row: ToTell) -> Iterator[str]:
        difference = f"the difference of {number(row.difference)} ({row.coefficient}) between {row.estimate} "
        difference += f"and {row.other}"
        if row.topics is None:
            yield f"No number of topics is enough to find {difference}"
            return
        chance = f"with probability {self.options['power']:.10g} at level {self.options['alpha']:.10g}"
        interval = ""
        if row.low is not None:
            level, end = self.options["confidence_level"], row.high or "unlimited"
            interval = f" ({level:.10g} confidence interval from {row.low} to {end})"
        yield f"{count(row.topics, 'topic')} are enough to find {difference} {chance}{interval}"


@public
def plan(
    scores: ScoresLike | Study,
    coefficients: CoefficientsLike = ("tau_ap", "tau"),
    *,
    n_topics: int | Iterable[int] | None = None,
    target: float = 0.9,
    measure: str | None = None,
    method: Spread = "msqd",
    estimates: Mapping[str, ScoresLike] | None = None,
    agreement: CoefficientsLike = ("tau_ap_b", "tau_b"),
    power: float = 0.8,
    alpha: float = 0.05,
    resampling: Resampling | None = Resampling(),
) -> PlanResult:
    """Plan the number of topics: how reliable a ranking by more or fewer topics is expected to be.

    The true ranking is that by unlimited topics of the same kind. The expected correlation with it is the
    reliability of a ranking, not an upper limit for a judge. An estimate from other topics is not expected to
    agree better with this ranking than this ranking does with the true one. A judge on the same topics may
    agree better, because both rankings depend on the same sample of topics.

    Parameters
    ----------
    scores : Scores, or what `read_scores` takes, or Study
        The scores of systems on topics, by one measure or several. A missing score counts as 0; see
        `Scores.fill` and `Scores.complete`. Of a `Study`, those of the reference.
    coefficients : list of str or Coefficient, optional
        Kendall's tau, AP correlation, or both, which is the default. The name of a form with ties means the
        same. A verdict is about the first.
    n_topics : int or iterable of int, optional
        The numbers of topics; by default some from 10 to 1000, and that of the scores.
    target : float, default 0.9
        The expected correlation that is wanted.
    measure : str, optional
        The measure; by default all.
    method : {"msqd", "ml", "resampling"}
        How the spread of the differences of two systems is estimated. "msqd": from their quantiles, which has
        the least bias in [1]_. "ml": as their standard deviation. "resampling": not at all; topics are
        resampled instead.
    estimates : mapping of name to Scores, or to what `read_scores` takes, optional
        The scores of two judges or more in a pilot study, to plan how many topics show which of two agrees
        better with the reference. A `Study` already has its estimates.
    agreement : list of str or Coefficient, optional
        The coefficients of the agreement of judges with the reference, as in `judge`.
    power : float, default 0.8
        The wanted probability of finding the difference between two judges.
    alpha : float, default 0.05
        The level of the two-sided test of two judges.
    resampling : Resampling or None
        The confidence level of the intervals; None means no intervals. The number of resamples and the seed
        are for the method "resampling" and for judges. Its method is not used.

    Returns
    -------
    PlanResult
        ``curve``, a record for each number of topics; ``needed``, the topics that reach the target; and
        ``to_tell``, the topics that tell two judges apart, for each pair of estimates.

    Notes
    -----
    Let P be the probability that the true order of a pair of systems is the opposite one. The expected
    coefficient is 1 - 2 sum(w P) / sum(w) over the pairs; w is 1 for tau, and 1 / (systems above the lower
    one) for AP correlation. P = F(-m sqrt(T) / s), where F is the distribution function of Student's t, T the
    number of topics, and m and s the mean and the spread of the differences of the two systems on the topics.
    For "resampling", P is the share of resamples in which the pair is in the opposite order. Two systems with
    the same mean have P = 1/2. The interval is a jackknife over topics, symmetric on Fisher's scale; for
    "resampling" its width is that of "ml". The documentation shows its coverage in simulations. The spread is
    assumed to be the same on other topics: far from the number of topics of the scores, this is an
    extrapolation.

    For two judges, let d be the difference of their coefficients on T topics, and s its standard error over
    resamples of these topics. The number is T ((z_{1 - alpha/2} + z_power) s / d)^2. This assumes that the
    difference is normal, that it does not change with the number of topics, and that its standard error falls
    with the square root of that number. If a judge is only noisier than another, the difference becomes
    smaller with more topics, so that a number far above T is too small. The difference is uncertain, and so
    is the number: its interval comes from that of d.

    References
    ----------
    .. [1] Urbano and Marrero, "Toward estimating the rank correlation between the test collection results and
       the true system performance", SIGIR 2016.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> scores = rng.normal(np.linspace(0.6, 0.3, 12), 0.15, (50, 12))
    >>> planned = cd.plan(scores, "tau", n_topics=[25, 50, 100])
    >>> [(point.topics, round(point.expected, 4)) for point in planned]
    [(25, 0.8649), (50, 0.9098), (100, 0.9429)]
    >>> planned.needed[0].topics
    43
    >>> judges = {name: scores + rng.normal(0, s, scores.shape) for name, s in (("a", 0.1), ("b", 0.6))}
    >>> cd.plan(scores, estimates=judges, agreement="tau_b").to_tell[0].topics
    32
    """
    asked = [expected_kind(c) for c in chosen(coefficients)]
    for name, value in (("target", target), ("power", power), ("alpha", alpha)):
        proportion(name, value)
    given = None
    if n_topics is not None:
        given = sorted({whole_number("n_topics", n) for n in several("n_topics", n_topics)})
    if given == []:
        raise ArgumentError(f"{option('n_topics')}: none was given; give at least one number")
    how = started(Resampling() if resampling is None else resampling)
    level = None if resampling is None else how.confidence_level
    if isinstance(scores, Study) and estimates is not None:
        raise ArgumentError("a Study has its estimates already; give it alone")
    if isinstance(scores, Study):
        study = scores
    else:
        study = Study(scores, estimates) if estimates else Study.of_sides({"scores": read_scores(scores)})
    curve: list[Planned] = []
    needed: list[Needed] = []
    notes: list[Note] = [*study.notes]
    for own in (measure,) if measure is not None else study.reference.measures:
        side = Measured(study.reference, study.reference.one_measure(own)[0])
        found = Reliability(side, method, how.n_resamples, how.seed, how.executor)
        numbers = given or sorted({*_TOPICS, found.n_topics})
        own_notes: list[Note] = []
        curve += _curve(found, side.measure, asked, numbers, level, own_notes)
        needed += _needed(found, side.measure, asked, target, own_notes)
        notes += [note.about(side.measure) for note in own_notes]
    to_tell, compared = None, chosen(agreement)
    if len(study.estimates) > 1:
        to_tell = tuple(_to_tell(study, measure, compared, how, level, power, alpha, notes))
    by = [str(c) for c in compared]
    drawn = method == "resampling" or to_tell is not None
    options: dict[str, Any] = {
        "coefficients": [str(c) for c in asked],
        "n_topics": given,
        "target": target,
        "confidence_level": level,
        "method": method,
        **({} if to_tell is None else {"agreement": by, "power": power, "alpha": alpha}),
        **({"n_resamples": how.n_resamples, "seed": how.seed} if drawn else {}),
    }
    return PlanResult(
        curve=tuple(curve), needed=tuple(needed), to_tell=to_tell, notes=unique(notes), options=options
    )


def _curve(
    found: Reliability,
    measure: str,
    asked: Sequence[Coefficient],
    numbers: list[int],
    level: float | None,
    notes: list[Note],
) -> Iterator[Planned]:
    """Yield the expected correlation for each number of topics, with intervals; note why there are none."""
    found.expect(numbers)
    errors = None if level is None else found.standard_errors(asked, numbers)
    for (k, c), (m, n_topics) in itertools.product(enumerate(asked), enumerate(numbers)):
        value, interval = found.expected(c, n_topics), None
        if level is not None and errors is not None:
            interval = found.interval(value, float(errors[k, m]), level, n_topics)
            doubt = found.doubt(interval)
            notes += [] if doubt is None else [doubt]
        yield Planned(measure, c, n_topics, value, interval)


def _needed(
    found: Reliability, measure: str, asked: Sequence[Coefficient], target: float, notes: list[Note]
) -> Iterator[Needed]:
    """Yield the smallest number of topics that reaches the target by each coefficient; note why none does."""
    pairs = found.alike()
    named = some([f"{one} and {other}" for one, other in pairs])
    if pairs:
        text = (
            f"{count(len(pairs), 'pair')} of systems with the same mean may be in either order, with any "
            f"number of topics: {named}"
        )
        notes.append(Note("same_means", text=text, values={"pairs": tuple(pairs)}))
    for c in asked:
        limit, enough = found.limit(c), None
        if limit < target:
            text = (
                f"{c} is expected to be {limit:.4f} at most, because systems have the same mean: {named}; "
                "keep one of each"
            )
            values: dict[str, Any] = {"coefficient": str(c), "limit": limit, "pairs": tuple(pairs)}
            notes.append(Note("target_out_of_reach", text=text, values=values))
        else:
            enough = _smallest(lambda topics, c=c: found.expected(c, topics) >= target)  # type: ignore[misc]
            if enough is None:
                text = f"more than {_MOST_TOPICS:,} topics would be needed"
                notes.append(Note("target_far", text=text, values={"topics": _MOST_TOPICS}))
        yield Needed(measure, c, target, enough, found.n_topics)


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


def _to_tell(
    study: Study,
    measure: str | None,
    asked: Sequence[Coefficient],
    how: Resampler,
    level: float | None,
    power: float,
    alpha: float,
    notes: list[Note],
) -> Iterator[ToTell]:
    """Yield how many topics show which of two judges agrees better, for each pair of judges."""
    common = study.on_common_topics()
    wanted = normal().inv_cdf(1 - alpha / 2) + normal().inv_cdf(power)
    reach = 0.0 if level is None else normal().inv_cdf((1 + level) / 2)
    pairings = [p for p in common.pairings if measure is None or p.measures.measure == measure]
    for own in dict.fromkeys(pairing.measures.measure for pairing in pairings):
        rivals = [pairing for pairing in pairings if pairing.measures.measure == own]
        sample = TopicSample(rivals, asked, how)
        drawn = _resampled(sample)
        for (a, b), (j, c) in itertools.product(
            itertools.combinations(range(len(rivals)), 2), enumerate(asked)
        ):
            x, y = sample.row(a, j), sample.row(b, j)
            difference = float(sample.observed[x].values[0] - sample.observed[y].values[0])
            error = float(np.nanstd(drawn[x] - drawn[y], ddof=1))
            sizes = (abs(difference) + step * error for step in (0.0, reach, -reach))
            topics, low, high = (_topics(sample.n, wanted * error, size) for size in sizes)
            if level is None:
                low = high = None
            one, other = (
                p.name if len(set(p.measures)) == 1 else f"{p.name} ({p.measures.estimate_measure})"
                for p in (rivals[a], rivals[b])
            )
            yield ToTell(own, c, one, other, difference, error, topics, low, high, sample.n)
            kind, values = "no_difference", dict[str, Any](coefficient=str(c))
            text = f"no number of topics is enough, because {c} does not differ between the two judges"
            if topics is not None:
                kind, values = "beyond_the_pilot", {"topics": sample.n, "needed": topics}
                text = (
                    f"{topics} topics are an extrapolation from {sample.n}: if the judges differ only by "
                    "noise, their difference shrinks as topics are added, so the number is too low"
                )
            if topics is None or topics > sample.n:
                notes.append(Note(kind, text=text, values=values, subject=f"{one} and {other}"))


def _resampled(sample: TopicSample) -> np.ndarray[Any, Any]:
    rng, parts = np.random.default_rng(sample.how.seed), []
    for start in range(0, sample.how.n_resamples, sample.rows_at_once):
        size = min(sample.rows_at_once, sample.how.n_resamples - start)
        parts.append(sample.values(rng.multinomial(sample.n, np.full(sample.n, 1 / sample.n), size)))
    return np.hstack(parts)


def _topics(n: int, error: float, size: float) -> int | None:
    """Return the number of topics with which a difference of this size is found; None if none is enough."""
    return max(2, math.ceil(n * (error / size) ** 2)) if size > 0 and not math.isnan(error) else None
