"""The number of topics that a reliable ranking needs, and that tells two judges apart."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from concordant.checks import proportion, several, whole_number
from concordant.coefficients.declaration import Coefficient, CoefficientsLike, chosen, other_names_told
from concordant.errors import ArgumentError, option, public
from concordant.questions.verdict import first_told
from concordant.reading.from_memory import ScoresLike
from concordant.reading.read_scores import read_scores
from concordant.results.note import Note, unique
from concordant.results.result import Result, records
from concordant.results.table import DETAIL, absent, parts
from concordant.results.words import count, noun, number, pvalue, sentences, some, with_interval
from concordant.scores.scores import ALL, Scores, derived
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.decisions import topics_for_width
from concordant.statistics.distributions import normal
from concordant.statistics.reliability import (
    LEAST_SYSTEMS,
    Reliability,
    Spread,
    expected_kind,
    growing_subset,
    means_of,
)
from concordant.statistics.resampling import Resampler, Resampling, TopicSample, started
from concordant.statistics.topic_luck import YARDSTICKS, Target, TopicLuck
from concordant.study.pairing import Measured
from concordant.study.study import Study

_MOST_TOPICS = 1 << 26
_AGREEMENT = "tau_b"  # of a set of topics with the rest
_FEW_TOPICS = 10  # from which the width of an interval with more topics cannot be foretold
Goal = Literal["ranking", "judge", "judge pair", "system pair"]
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
    other_topics : float or None
        The expected correlation of the present ranking with one by so many other topics.
    other_interval : ConfidenceInterval or None
        Its confidence interval.
    """

    measure: str
    coefficient: Coefficient
    topics: int
    expected: float
    interval: ConfidenceInterval | None = field(metadata=parts("low", "high", of="expected"))
    other_topics: float | None = field(default=None, metadata=DETAIL)
    other_interval: ConfidenceInterval | None = field(
        default=None, metadata={**parts("other_low", "other_high", of="other_topics"), **DETAIL}
    )


@dataclass(frozen=True)
class Needed:
    """The number of topics that a goal needs.

    Attributes
    ----------
    measure : str
        The measure of the reference.
    goal : {"ranking", "judge", "judge pair", "system pair"}
        What is wanted: a ranking that correlates with the true one; to know the agreement of a judge; to tell
        two judges, or the first two systems, apart.
    topics : int or None
        The number of topics, if the present estimates are true. None if no number is enough; if the topics do
        not show an order of the systems; or beyond 16 times as many for a judge, which cannot be foretold.
    at_least : int or None
        The smallest number that agrees with the present topics: that of an end of the interval, or a third of
        the number for a judge. None if there is no interval.
    at_most : int or None
        The largest one. None if there is none; for a judge also if the systems are close, or if there are ten
        topics or fewer.
    available : int
        The number of topics of the scores.
    coefficient : Coefficient or None
        The coefficient; None for systems.
    target : float or None
        The expected correlation, or half the width, that is wanted.
    estimate : str or None
        The judge or system, or one of them; None for a ranking.
    other : str or None
        The other one of two.
    now : float or None
        With the present topics: half the width of the interval of a judge; the difference of two judges or
        systems.
    standard_error : float or None
        The standard error of the difference.
    """

    measure: str
    goal: Goal
    topics: int | None
    at_least: int | None
    at_most: int | None = field(metadata=absent("no end"))
    available: int
    coefficient: Coefficient | None = None
    target: float | None = None
    estimate: str | None = None
    other: str | None = None
    now: float | None = None
    standard_error: float | None = field(default=None, metadata=DETAIL)


@dataclass(frozen=True)
class SmallerSet:
    """A set of topics that grows by one, and how far it ranks the systems as the rest of the topics do.

    Attributes
    ----------
    measure : str
        The measure.
    topics : int
        The number of topics in the set.
    topic : str
        The topic that was added last.
    held_out : float
        Kendall's tau_b with the rest of the topics, of systems not used to choose the set: cross-validated.
    in_sample : float
        The same of the systems by which the set was chosen, which is too high.
    random : float
        The same as ``held_out`` for random sets of as many topics.
    """

    measure: str
    topics: int
    topic: str
    held_out: float
    in_sample: float
    random: float


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class PlanResult(Result[Planned]):
    """The result of `plan`; prints as text.

    Attributes
    ----------
    curve : tuple of Planned
        The expected correlation with the true ranking, for each number of topics.
    needed : tuple of Needed
        The number of topics that reaches the target, for each measure and coefficient. With estimates, also
        those with which the agreement of each judge is known within `within`, and those that tell each two
        judges apart.
    subset : tuple of SmallerSet or None
        The smallest set of topics that ranks the systems as the rest does. It needs `subset`.

    Examples
    --------
    >>> import concordant as cd
    >>> scores = [[0.3, 0.5, 0.1], [0.4, 0.6, 0.2], [0.2, 0.1, 0.3], [0.3, 0.4, 0.1]]
    >>> result = cd.plan(scores, ["tau_b"], n_topics=[10, 50])
    >>> [point.topics for point in result.curve], result.needed[0].available
    ([10, 50], 4)
    """

    function: ClassVar[str] = "plan"

    curve: tuple[Planned, ...] = records(
        Planned, "Expected correlation with the true ranking, by topics", pivot=("coefficient", "expected")
    )
    needed: tuple[Needed, ...] = records(Needed, "Topics needed")
    subset: tuple[SmallerSet, ...] | None = records(SmallerSet, "Smaller sets of topics", needs="subset")

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words, about the first coefficient."""
        told: list[str | None] = []
        for goal in dict.fromkeys(row.goal for row in self.needed or ()):
            rows = [row for row in self.needed if row.goal == goal]
            rows = [row for row in rows if row.coefficient == rows[0].coefficient]
            told += first_told(rows, self._told, goal)
        last = {row.measure: row for row in self.subset or ()}
        told += first_told(list(last.values()), self._smaller, "measure")
        return sentences(told)

    def _told(self, row: Needed) -> Iterator[str]:
        c, start = row.coefficient, "A" if row.measure == "score" else f"By {row.measure}, a"
        own = [p for p in self.curve or () if (p.measure, p.coefficient) == (row.measure, c)]
        for point in ([p for p in own if p.topics == row.available] or own[:1]) * (row.goal == "ranking"):
            there = ", as many as there are," if point.topics == row.available else ""
            yield (
                f"{start} ranking over {count(point.topics, 'topic')} like these{there} is expected to "
                f"correlate {with_interval(point.expected, point.interval)} ({c}) with the true one"
            )
        yield needed_in_words(row)

    def _smaller(self, row: SmallerSet) -> Iterator[str]:
        target, found = (
            self.options["target"],
            f"{number(row.held_out)} on {noun('systems')} not used to choose",
        )
        reached = row.held_out >= target
        are = "are" if row.topics > 1 else "is"
        what = f"{count(row.topics, 'topic')} {are} enough for {_AGREEMENT} {target:g}"
        no = f"No set of up to {count(row.topics, 'topic')}, half of them, reaches {_AGREEMENT} {target:g}"
        beside = f"{number(row.in_sample)} on those used; random sets: {number(row.random)}"
        yield f"{what if reached else no} with the rest: {found} ({beside})"


def needed_in_words(row: Needed, what: str = "topic") -> str:
    """Return how many topics a goal needs; `what` is what is counted."""
    c, now = row.coefficient, number(row.now)
    if row.goal == "ranking":
        goal = f"An expected {c} of {row.target:.10g} with the true ranking"
    elif row.goal == "judge":
        goal = f"Knowing {c} of {row.estimate} within {row.target:g} (now {now})"
    else:
        by = "" if c is None else f" by {c} (difference {now})"
        goal = f"Telling {row.estimate} from {row.other}{by}"
    if row.topics is None and row.at_least is None:
        return f"{goal} needs a number of {noun(what + 's')} that cannot be given"
    if row.topics is None:
        return f"{goal} needs at least {count(row.at_least or 0, what)}"
    most = "or more" if row.at_most is None else f"to {row.at_most}"
    between = "" if row.at_least is None else f" ({row.at_least} {most})"
    return f"{goal} needs about {count(row.topics, what)}{between}"


@public
def plan(
    scores: ScoresLike | Study,
    coefficients: CoefficientsLike = ("tau_ap", "tau"),
    *,
    n_topics: int | Iterable[int] | None = None,
    target: float = 0.9,
    measure: str | None = None,
    method: Spread | Literal["posterior"] = "posterior",
    estimates: Mapping[str, ScoresLike] | None = None,
    agreement: CoefficientsLike = ("tau_ap_b", "tau_b"),
    power: float = 0.8,
    alpha: float = 0.05,
    within: float = 0.05,
    subset: bool = False,
    resampling: Resampling | None = Resampling(),
) -> PlanResult:
    """Plan the number of topics: how reliable a ranking by more or fewer topics is expected to be.

    The true ranking is that by unlimited topics of the same kind. The expected correlation with it is the
    reliability of a ranking, not an upper limit for a judge: a judge on the same topics may agree better,
    because both rankings depend on the same sample of topics. How closely another sample of topics would
    agree with this one is ``other_topics``.

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
    method : {"posterior", "msqd", "ml", "resampling"}
        How the probability of a wrong order is estimated. "posterior": with the share of the variance of the
        means that is not luck of the topics; see the notes. The others are as published [1]_, for
        reproduction, without intervals; they are too high for close systems. "msqd": the spread of the
        differences of two systems from their quantiles. "ml": from their standard deviation. "resampling":
        topics are resampled instead.
    estimates : mapping of name to Scores, or to what `read_scores` takes, optional
        The scores of two judges or more in a pilot study, to plan how many topics show which of two agrees
        better with the reference. A `Study` already has its estimates.
    agreement : list of str or Coefficient, optional
        The coefficients of the agreement of judges with the reference, as in `judge`.
    power : float, default 0.8
        The wanted probability of finding the difference between two judges.
    alpha : float, default 0.05
        The level of the two-sided test of two judges.
    within : float, default 0.05
        Half the width of the interval that is wanted for the agreement of a judge.
    subset : bool, default False
        Whether to look for the smallest set of topics that ranks the systems as the rest of the topics does,
        with `target`. Topics are added one by one by some systems, and the agreement is that of others.
    resampling : Resampling or None
        The confidence level of the intervals; None means no intervals. The number of resamples and the seed
        are for the method "resampling" and for judges. Its method is not used.

    Returns
    -------
    PlanResult
        ``curve``, a record for each number of topics; ``needed``, the topics that each goal needs; and
        ``subset``, the topics that are enough.

    Notes
    -----
    Let P be the probability that the true order of a pair of systems is the opposite one. The expected
    coefficient is 1 - 2 sum(w P) / sum(w) over the pairs with different means; w is 1 for tau, and 1 /
    (systems above the lower one) for AP correlation.

    "posterior": let n be the number of topics, t the paired t-statistic of the two systems, and B the share
    of the variance of the system means that is not luck of the topics: 1 - E[K], where K has a gamma
    distribution with shape (k - 1) / 2 + 1 and rate (k - 1) F / 2, cut to (0, 1), for k systems, and F is the
    mean square of systems divided by that of residuals. For a ranking by m topics, P = T(-sqrt(B m / n) t),
    with other topics P = T(-B t / sqrt(B + n / m)); T is the distribution function of Student's t with n - 1
    degrees of freedom. The interval for n topics is a jackknife over topics on Fisher's scale, widened by the
    uncertainty of B; for other numbers of topics its ends are the same formulas with the values of B that
    give the ends for n topics. If the systems do not differ significantly (F test with the correction of
    Greenhouse and Geisser), no number of topics is given.

    The published methods: P = F(-m sqrt(T) / s), where F is the distribution function of Student's t, T the
    number of topics, and m and s the mean and the spread of the differences; systems with the same mean have
    P = 1/2.

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
    [(25, 0.8691), (50, 0.913), (100, 0.9452)]
    >>> planned.needed[0].topics, planned.needed[0].at_least, planned.needed[0].at_most
    (40, 16, 122)
    >>> judges = {name: scores + rng.normal(0, s, scores.shape) for name, s in (("a", 0.1), ("b", 0.6))}
    >>> told = cd.plan(scores, estimates=judges, agreement="tau_b").needed
    >>> [each.topics for each in told if each.goal == "judge pair"]
    [32]
    """
    asked = [expected_kind(c) for c in chosen(coefficients)]
    for name, value in (("target", target), ("power", power), ("alpha", alpha), ("within", within)):
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
    notes = [*study.notes, *other_names_told(asked)]
    reference = tasks_of(study.reference)
    asked_for = (measure,) if measure is not None else reference.measures
    sides = [Measured(reference, reference.one_measure(own)[0]) for own in asked_for]
    for side in sides:
        numbers = given or sorted({*_TOPICS, len(side.topics)})
        own_notes: list[Note] = []
        if method == "posterior":
            means_of(side)  # raises what `Reliability` raises
            luck = TopicLuck(side.values)
            curve += _curve(luck, side.measure, asked, numbers, level)
            needed += topics_needed(luck, side.measure, asked, target, level, own_notes)
        else:
            found = Reliability(side, method, how.n_resamples, how.seed, how.executor)
            found.expect(numbers)
            for c, size in itertools.product(asked, numbers):
                curve.append(Planned(side.measure, c, size, found.expected(c, size), None))
            needed += _published(found, side.measure, asked, target, own_notes)
        notes += [note.about(side.measure) for note in own_notes]
    smaller = None
    if subset:
        smaller = tuple(itertools.chain(*(_subset(side, target, how) for side in sides)))
    compared = chosen(agreement)
    if study.estimates:
        needed += _to_know(study, measure, compared, how, within)
    if len(study.estimates) > 1:
        needed += _to_tell(study, measure, compared, how, level, power, alpha, notes)
    drawn = method == "resampling" or bool(study.estimates)
    options: dict[str, Any] = {
        "coefficients": [str(c) for c in asked],
        "n_topics": given,
        "target": target,
        "confidence_level": level,
        "method": method,
        **({"agreement": [str(c) for c in compared], "within": within} if study.estimates else {}),
        **({"power": power, "alpha": alpha} if len(study.estimates) > 1 else {}),
        **({"subset": True} if subset else {}),
        **({"n_resamples": how.n_resamples} if drawn else {}),
        **({"seed": how.seed} if drawn or subset else {}),
    }
    return PlanResult(
        curve=tuple(curve), needed=tuple(needed), subset=smaller, notes=unique(notes), options=options
    )


def tasks_of(scores: Scores, mixed: bool = False) -> Scores:
    """Return scores whose topics are the measures of a table without topics; other scores as they are.

    Measures of different directions or scales are refused, unless they may be mixed.
    """
    if scores.topics != (ALL,) or len(scores.measures) < 2:
        return scores
    if not mixed:
        use = f"compare them by {option('aggregate', 'win_rate')} of board"
        lower = [each for each in scores.measures if each in scores.lower_is_better]
        if 0 < len(lower) < len(scores.measures):
            raise ArgumentError(f"the smallest {some(lower)} is the best, and would be averaged; {use}")
        sizes = np.nanmax(np.abs(scores.values), axis=(1, 2))
        large, small = int(sizes.argmax()), int(sizes.argmin())
        if sizes[large] > 20 * sizes[small] or (sizes[large] > 1.5 and sizes[small] <= 1):
            ends = (f"{scores.measures[k]} has scores up to {sizes[k]:g}" for k in (small, large))
            raise ArgumentError(f"{' and '.join(ends)}: their mean would mix two scales; {use}")
    about = {"measures": ("score",), "topics": scores.measures, "lower_is_better": frozenset[str]()}
    return derived(scores, values=scores.values.transpose(1, 0, 2), **about)


def _subset(side: Measured, target: float, how: Resampler) -> Iterator[SmallerSet]:
    """Yield growing sets of topics, up to the first that reaches the target with systems not used."""
    if len(side.systems) < LEAST_SYSTEMS or len(side.topics) < 4:
        few = f"{count(len(side.systems), 'system')} and {count(len(side.topics), 'topic')}"
        need = f"{LEAST_SYSTEMS} {noun('systems')} and 4 {noun('topics')} or more"
        raise ArgumentError(f"{option('subset')} needs {need}, got {few}")
    rng = np.random.default_rng(how.seed)
    for size, step in enumerate(growing_subset(side.values, chosen(_AGREEMENT)[0], rng), 1):
        yield SmallerSet(
            side.measure, size, side.topics[step.topic], step.held_out, step.in_sample, step.random
        )
        if step.held_out >= target:
            return


def _curve(
    luck: TopicLuck, measure: str, asked: Sequence[Coefficient], numbers: list[int], level: float | None
) -> Iterator[Planned]:
    """Yield the expected correlation for each number of topics, with intervals."""
    for c in asked:
        place = YARDSTICKS[c.name]
        shares = {target: _shares(luck, place, target, level) for target in get_args(Target)}
        for n_topics in numbers:
            found: list[Any] = []
            for target in get_args(Target):
                value, low, high = (
                    math.nan
                    if share is None
                    else float(luck.values(target, n_topics / luck.n, 1 - share)[place])
                    for share in shares[target]
                )
                found += [None if math.isnan(value) else value]
                found += [None if math.isnan(low) else ConfidenceInterval(low, high)]
            yield Planned(measure, c, n_topics, *found)


def _shares(luck: TopicLuck, place: int, target: Target, level: float | None) -> list[float | None]:
    """Return the shares of variance that are not luck: of the value, and of the ends of its interval."""
    if math.isnan(luck.f):
        return [None] * 3
    ends = luck.expected(target, level=level or 0.95)[place].interval
    if level is None or math.isnan(ends.low):
        return [luck.reliability, None, None]
    return [luck.reliability, *(luck.share_for(place, target, end) for end in ends)]


def topics_needed(
    luck: TopicLuck,
    measure: str,
    asked: Sequence[Coefficient],
    target: float,
    level: float | None,
    notes: list[Note],
) -> Iterator[Needed]:
    """Yield the smallest number of topics that reaches the target by each coefficient, with a range."""
    for c in asked:
        found: dict[str, int | None] = {}
        if not luck.shows_an_order:
            text = "these topics do not show an order of these systems"
            if not math.isnan(luck.f):
                text += f" (F {number(luck.f)}, {pvalue(luck.pvalue)})"
            notes.append(Note("no_order", text=text, values={"f": luck.f, "pvalue": luck.pvalue}, lost=True))
        else:
            place = YARDSTICKS[c.name]
            shares = zip(("value", "low", "high"), _shares(luck, place, "true", level), strict=True)
            for end, share in shares:
                if share is not None:
                    found[end] = _smallest(functools.partial(_reaches, luck, place, target, share))
            if found["value"] is None:
                text = f"more than {_MOST_TOPICS:,} topics would be needed"
                notes.append(Note("target_far", text=text, values={"topics": _MOST_TOPICS}, lost=True))
        sizes = found.get("value"), found.get("high"), found.get("low")
        yield Needed(measure, "ranking", *sizes, luck.n, c, target)


def _reaches(luck: TopicLuck, place: int, target: float, share: float, n_topics: int) -> bool:
    """Return whether the expected correlation with a share of variance that is not luck reaches a target."""
    return bool(luck.values("true", n_topics / luck.n, 1 - share)[place] >= target)


def _to_know(
    study: Study, measure: str | None, asked: Sequence[Coefficient], how: Resampler, within: float
) -> Iterator[Needed]:
    """Yield how many topics make the interval of each judge as narrow as is wanted."""
    for pairing in study.pairings:
        if (measure is not None and pairing.measures.measure != measure) or not pairing.has_topics:
            continue
        common = pairing.on_common_topics
        sample = TopicSample([common], asked, how)
        drawn = sample.draw()
        close = sample.n <= _FEW_TOPICS or not TopicLuck(common.reference.values).shows_an_order
        for j, c in enumerate(asked):
            low, high = drawn.interval(j, how.method, how.confidence_level)
            half, (own, _) = (high - low) / 2, pairing.measures
            topics, least, most = topics_for_width(sample.n, half, within) or (None, None, None)
            sizes = topics, least, None if close else most
            yield Needed(own, "judge", *sizes, sample.n, c, within, pairing.name, None, half)


def _published(
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
        notes.append(Note("same_means", text=text, values={"pairs": tuple(pairs)}, lost=True))
    for c in asked:
        limit, enough = found.limit(c), None
        if limit < target:
            text = (
                f"{c} is expected to be {limit:.4f} at most, because systems have the same mean: {named}; "
                "keep one of each"
            )
            values: dict[str, Any] = {"coefficient": str(c), "limit": limit, "pairs": tuple(pairs)}
            notes.append(Note("target_out_of_reach", text=text, values=values, lost=True))
        else:
            enough = _smallest(lambda topics, c=c: found.expected(c, topics) >= target)  # type: ignore[misc]
            if enough is None:
                text = f"more than {_MOST_TOPICS:,} topics would be needed"
                notes.append(Note("target_far", text=text, values={"topics": _MOST_TOPICS}, lost=True))
        yield Needed(measure, "ranking", enough, None, None, found.n_topics, c, target)


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
) -> Iterator[Needed]:
    """Yield how many topics show which of two judges agrees better, for each pair of judges."""
    common = study.in_common()
    wanted = normal().inv_cdf(1 - alpha / 2) + normal().inv_cdf(power)
    reach = 0.0 if level is None else normal().inv_cdf((1 + level) / 2)
    pairings = [p for p in common.pairings if measure is None or p.measures.measure == measure]
    for own in dict.fromkeys(pairing.measures.measure for pairing in pairings):
        rivals = [pairing for pairing in pairings if pairing.measures.measure == own]
        sample = TopicSample(rivals, asked, how)
        drawn = sample.draw().distribution
        for (a, b), (j, c) in itertools.product(
            itertools.combinations(range(len(rivals)), 2), enumerate(asked)
        ):
            x, y = sample.row(a, j), sample.row(b, j)
            difference = float(sample.observed[x].values[0] - sample.observed[y].values[0])
            error = float(np.nanstd(drawn[x] - drawn[y], ddof=1))
            sizes = (abs(difference) + step * error for step in (0.0, reach, -reach))
            topics, low, high = (topics_to_find(sample.n, wanted * error, size) for size in sizes)
            if level is None:
                low = high = None
            one, other = (
                p.name if len(set(p.measures)) == 1 else f"{p.name} ({p.measures.estimate_measure})"
                for p in (rivals[a], rivals[b])
            )
            about = (c, None, one, other, difference, error)
            yield Needed(own, "judge pair", topics, low, high, sample.n, *about)
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


def topics_to_find(n: int, error: float, size: float) -> int | None:
    """Return the number of topics with which a difference of this size is found; None if none is enough."""
    return max(2, math.ceil(n * (error / size) ** 2)) if size > 0 and not math.isnan(error) else None
