"""Resamples of topics: their options, and the one sampler from which intervals and tests are computed."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from concordant.checks import generator, n_workers, one_of, proportion, whole_number
from concordant.coefficients.declaration import Coefficient, CoefficientLike, of_scores
from concordant.coefficients.engine import Outcome
from concordant.coefficients.evaluation import evaluate
from concordant.errors import ArgumentError, ArgumentTypeError, option, public
from concordant.rankings.pairs import Pairs
from concordant.reading.from_memory import ScoresLike
from concordant.results.note import Note
from concordant.results.result import Result
from concordant.results.table import parts
from concordant.results.words import count, number, sentences
from concordant.scores.means import exact_means
from concordant.statistics import confidence
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.decisions import losses, membership, without_luck
from concordant.study.pairing import Pairing
from concordant.study.study import Study
from concordant.typing import Executor, Floats, Integers, Progress, RngLike
from concordant.work import Draws, in_pieces, piece_size

Method: TypeAlias = Literal["standard", "percentile", "basic", "BCa"]
Correction: TypeAlias = Literal["holm", "bh", "by"]

METHODS: tuple[str, ...] = get_args(Method)


@dataclass(frozen=True)
class Resampling:
    """How topics are resampled for confidence intervals and tests.

    The same options give the same draws in every function, so that results can be compared.

    Attributes
    ----------
    confidence_level : float, default 0.95
        The confidence level of the intervals.
    n_resamples : int, default 4999
        The number of resamples of the topics.
    method : {"standard", "percentile", "basic", "BCa"}
        The method of the intervals; see `bootstrap` and `difference`.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None, default 0
        The seed. None means a new seed; a generator draws one. The result stores the seed.
    workers : int, default 1
        The number of threads; -1 means all cores. The result does not depend on it.
    executor : concurrent.futures.Executor, optional
        The executor that does the work: any executor of PEP 3148, such as a pool of processes, or
        ``client.get_executor()`` of Dask. The result does not depend on it.

    Examples
    --------
    >>> import concordant as cd
    >>> how = cd.Resampling(n_resamples=999, method="bca", rng=42)
    >>> how.method, how.confidence_level
    ('BCa', 0.95)
    """

    confidence_level: float = 0.95
    n_resamples: int = 4999
    method: Method = "standard"
    rng: RngLike = 0
    workers: int = 1
    executor: Executor | None = None

    @public("Resampling")
    def __post_init__(self) -> None:
        known = {name.lower(): name for name in METHODS}
        method = known.get(self.method.lower(), self.method) if isinstance(self.method, str) else self.method
        one_of("method", method, METHODS)
        object.__setattr__(self, "method", method)
        object.__setattr__(self, "n_resamples", whole_number("n_resamples", self.n_resamples, 2))
        object.__setattr__(self, "confidence_level", proportion("confidence_level", self.confidence_level))
        n_workers(self.workers)
        if self.rng is not None and not (type(self.rng) is int and self.rng >= 0):
            generator(self.rng)


class Resampler(NamedTuple):
    """The options of one call, with its seed: all that is drawn in the call starts from it."""

    confidence_level: float
    n_resamples: int
    method: str
    seed: int
    threads: int
    executor: Executor | None

    @property
    def options(self) -> dict[str, Any]:
        """The options by name, for a result."""
        names = ("confidence_level", "method", "n_resamples", "seed")
        return {name: getattr(self, name) for name in names}

    def notes(self, fewest_topics: int, shared: bool) -> list[Note]:
        """Return warnings about unreliable intervals."""
        found = []
        if fewest_topics < 20 and self.method not in ("standard", "exchange"):
            few = f"with only {count(fewest_topics, 'topic')} intervals by {self.method} are too narrow"
            values = {"topics": fewest_topics, "method": self.method}
            found.append(Note("few_topics", text=f"{few}; use the method standard", values=values, lost=True))
        if not shared:
            text = "the sides share no topic, so their topics were resampled independently"
            found.append(Note("topics_not_shared", text=text, lost=True))
        if self.n_resamples < 500:
            few = f"with only {self.n_resamples} resamples the ends of the intervals are uncertain"
            values = {"resamples": self.n_resamples}
            found.append(Note("few_resamples", text=f"{few}; use 500 or more", values=values, lost=True))
        return found


def started(resampling: Resampling) -> Resampler:
    """Return the options of one call; a seed is drawn if none is given."""
    if not isinstance(resampling, Resampling):
        raise ArgumentTypeError(
            f"{option('resampling')} must be a Resampling, such as Resampling(n_resamples=999), got "
            f"{type(resampling).__name__}"
        )
    asked = resampling
    source, seed = generator(asked.rng)
    seed = int(source.integers(2**32)) if seed is None else seed
    threads = n_workers(asked.workers)
    return Resampler(asked.confidence_level, asked.n_resamples, asked.method, seed, threads, asked.executor)


def shown_interval(result: Any) -> str:
    """Return the confidence interval of a result in words."""
    low, high = result.confidence_interval
    if math.isnan(low):
        return "no confidence interval"
    return f"{result.options['confidence_level']:.10g} confidence interval [{number(low)}, {number(high)}]"


def study_and_names(
    reference: ScoresLike | Study, given: Mapping[str, ScoresLike | None]
) -> tuple[Study, list[str]]:
    """Return the study, or make one of the scores given; and the names of its estimates that are asked for.

    Of a study, all estimates are asked for unless they are named.
    """
    if isinstance(reference, Study):
        names = [name for name in given.values() if name is not None] or list(reference.estimates)
        unknown = [name for name in names if not isinstance(name, str) or name not in reference.estimates]
        if unknown or len(names) != len(given):
            raise ArgumentTypeError(
                f"a Study has its estimates already; name {len(given)} of them: "
                f"{', '.join(reference.estimates)}"
            )
        return reference, [str(name) for name in names]
    scores = {name: each for name, each in given.items() if each is not None}
    if len(scores) < len(given):
        lacking = next(name for name in given if name not in scores)
        raise ArgumentTypeError(f"{lacking} is missing; give its scores, or a Study")
    return Study(reference, scores), list(scores)


_ROUNDING = 1e-12
MOST_AT_ONCE = 1 << 20  # scores in a batch


# What the values of resamples are computed from: coefficients; which topics a side has, and topics x systems;
# and pairs of sides.
_Data: TypeAlias = tuple[
    tuple[Coefficient, ...], tuple[tuple[Integers, Floats], ...], tuple[tuple[int, int], ...]
]


def of_rows(coefficients: Sequence[Coefficient], x: Floats, y: Floats, threads: int) -> Floats:
    """Return the coefficients of rows of means, coefficients x rows."""
    outcomes = evaluate(coefficients, Pairs.broadcast(x, y), "propagate", threads, refuse=False)
    return np.array([outcome.values for outcome in outcomes])


def _of_counts(data: _Data, counts: Integers, threads: int) -> tuple[Floats, list[Floats]]:
    """Return the statistics, row by row, and the means of each side, resamples x systems.

    A row of `counts` says how often each topic counts.
    """
    coefficients, sides, pairs = data
    means: list[Floats] = []
    for own, values in sides:
        means.append(exact_means(counts[:, own], values))  # nan if none of the topics of a side is drawn
    found = np.empty((len(pairs), len(coefficients), len(counts)))
    for x in dict.fromkeys(x for x, _ in pairs):
        # What is compared with one side goes together, so that its rankings are sorted once.
        every = [k for k, pair in enumerate(pairs) if pair[0] == x]
        for some in (every[start : start + 8] for start in range(0, len(every), 8)):
            estimates = [means[pairs[k][1]] for k in some]
            others = np.stack(estimates, axis=1) if len(some) > 1 else estimates[0][:, None]
            found_here = of_rows(coefficients, means[x][:, None], others, threads)
            found[some] = found_here.reshape(len(coefficients), len(counts), len(some)).transpose(2, 0, 1)
    return found.reshape(-1, len(counts)), means


class TopicSample:
    """Pairings over one list of topics, of which each side may have only some.

    `draw` draws the topics once for all pairings and coefficients, from the seed alone: the draws are the
    same for each pairing, whichever others there are. The statistic of pairing k by coefficient j is in
    ``row(k, j)`` of what it returns.
    """

    def __init__(
        self,
        pairings: Sequence[Pairing],
        coefficients: Sequence[Coefficient],
        how: Resampler,
        observed: Sequence[Outcome] | None = None,
    ) -> None:
        self.pairings, self.coefficients, self.how = pairings, coefficients, how
        sides = dict.fromkeys(side for pairing in pairings for side in (pairing.reference, pairing.estimate))
        topics = dict.fromkeys(topic for side in sides for topic in side.topics)
        place = {topic: t for t, topic in enumerate(topics)}
        self.n, self.sides = len(topics), list(sides)
        self.fewest = min(len(side.topics) for side in sides)
        if self.fewest < 2:
            raise ArgumentError(
                f"each side needs at least two topics, got {self.fewest}; for an interval over items see "
                "jackknife_interval"
            )
        self.data: _Data = (
            tuple(coefficients),
            tuple((np.array([place[topic] for topic in side.topics]), side.values) for side in sides),
            tuple((self.sides.index(each.reference), self.sides.index(each.estimate)) for each in pairings),
        )
        # The values on the topics themselves; ties are an error for a coefficient that refuses them.
        if observed is None:
            observed = [each for pairing in pairings for each in pairing.of_means(coefficients)]
        self.observed = [*observed]

    def row(self, pairing: int, coefficient: int = 0) -> int:
        """Return the row of the statistic of a pairing by a coefficient."""
        return pairing * len(self.coefficients) + coefficient

    @property
    def rows_at_once(self) -> int:
        """How many resamples fit in a batch."""
        # By the sides of one pairing, so that the draws do not depend on how many pairings share the
        # sample.
        systems = len(self.pairings[0].reference.scores.systems)
        return max(1, MOST_AT_ONCE // (max(self.n, systems) * 2))

    def notes(self) -> list[Note]:
        """Return warnings about unreliable intervals."""
        shared = set.intersection(*(set(side.topics) for side in self.sides))
        return self.how.notes(self.fewest, bool(shared))

    def values(self, counts: Integers) -> Floats:
        """Return the statistics, row by row, if each row of `counts` says how often each topic counts."""
        return _of_counts(self.data, counts, self.how.threads)[0]

    def report(self) -> None:
        """Warn if a coefficient is undefined on the topics themselves."""
        for k, outcome in enumerate(self.observed):
            outcome.report(str(self.coefficients[k % len(self.coefficients)]))

    def draw(self, progress: Progress | None = None, *, top: int | None = None) -> Resampled:
        """Draw topics with replacement, and compute all statistics; and the loss at the top, if wanted."""
        how, n, total, batch = self.how, self.n, self.how.n_resamples, self.rows_at_once
        observed = np.array([outcome.values[0] for outcome in self.observed])
        size = piece_size(total, batch, how.executor)
        ends = [(start, min(start + batch, total)) for start in range(0, total, batch)]
        cuts = [(a, min(a + size, stop)) for start, stop in ends for a in range(start, stop, size)]
        distribution = np.empty((len(observed), total))
        tops = None if top is None else np.empty((len(self.pairings), 2, total))

        def take(number: int, part: dict[str, Any]) -> None:
            start, stop = cuts[number]
            distribution[:, start:stop] = part["values"]
            if tops is not None:
                tops[:, :, start:stop] = part["tops"]

        rng, sizes = np.random.default_rng(how.seed), [stop - start for start, stop in cuts]
        draws = (Draws(rng, _drawn, size, n) for size in sizes)
        work: dict[str, Any] = {"executor": how.executor, "threads": how.threads, "progress": progress}
        in_pieces(_of_resamples, (self.data, top), draws, sizes=sizes, take=take, **work)
        return Resampled(
            n,
            observed,
            distribution,
            self._changes(observed),
            tuple(c.bounds for _ in self.pairings for c in self.coefficients),
            self.without_each() if how.method == "BCa" else None,
            tops,
        )

    def mean_of_resamples(self, n_topics: int) -> Floats:
        """Return the means of the statistics over resamples of another number of topics."""
        # A mean needs fewer resamples than the ends of an interval.
        total, rng = -(-self.how.n_resamples // 5), np.random.default_rng([self.how.seed, n_topics])
        parts = []
        for start in range(0, total, self.rows_at_once):
            rows = min(self.rows_at_once, total - start)
            parts.append(self.values(rng.multinomial(n_topics, np.full(self.n, 1 / self.n), rows)))
        with warnings.catch_warnings(action="ignore", category=RuntimeWarning):  # no resample has a value
            return np.asarray(np.nanmean(np.hstack(parts), axis=1))

    def without_luck(self, drawn: Resampled) -> list[tuple[float, ConfidenceInterval]]:
        """Return each statistic for endless topics of this kind, with its interval; see `decisions`."""
        of_four, of_half = (self.mean_of_resamples(size) for size in (4 * self.n, self.n // 2))
        means = zip(of_four.tolist(), of_half.tolist(), strict=True)
        level = self.how.confidence_level
        return [
            without_luck(self.n, *both, drawn.standard_error(k), level, drawn.bounds[k])
            for k, both in enumerate(means)
        ]

    def _changes(self, observed: Floats) -> Floats:
        """Return the largest change of each value if two neighbours are exchanged on one side."""
        found: list[float] = []
        for pairing, own in zip(self.pairings, observed.reshape(len(self.pairings), -1), strict=True):
            sides = pairing.reference.means, pairing.estimate.means
            for moved in neighbour_changes(self.coefficients, *sides, own, self.how.threads):
                found.append(float(np.max(moved, initial=0.0, where=~np.isnan(moved))))
        return np.array(found)

    def without_each(self) -> Floats:
        """Return the values without each topic in turn."""
        parts = []
        for start in range(0, self.n, self.rows_at_once):
            gone = np.arange(start, min(start + self.rows_at_once, self.n))
            parts.append(self.values((np.arange(self.n) != gone[:, None]).astype(np.int64)))
        return np.hstack(parts)


class Resampled(NamedTuple):
    """Statistics, one per row: observed, in resamples, and what else confidence distributions need."""

    n: int  # topics
    observed: Floats
    distribution: Floats  # statistics x resamples
    change: Floats  # the largest change of each if two neighbours are exchanged
    bounds: tuple[tuple[float, float], ...]  # of each statistic
    without: Floats | None = None  # by BCa, statistics x topics: without each of them
    tops: Floats | None = None  # pairings x (regret, overlap) x resamples

    def difference(self, a: int, b: int, n: int | None = None) -> Resampled:
        """Return statistic a minus statistic b, from the same resamples; both are over `n` of the topics."""
        (low_a, high_a), (low_b, high_b) = self.bounds[a], self.bounds[b]
        return Resampled(
            self.n if n is None else n,
            self.observed[[a]] - self.observed[[b]],
            self.distribution[[a]] - self.distribution[[b]],
            np.zeros(1),
            ((low_a - high_b, high_a - low_b),),
            without=None if self.without is None else self.without[[a]] - self.without[[b]],
        )

    def end(self, k: int, method: str) -> confidence.End | None:
        """Return the confidence distribution of statistic k; None if there is none."""
        observed, values = float(self.observed[k]), np.sort(self.defined(k))
        if math.isnan(observed) or len(values) < 2:
            return None
        if method == "percentile":
            return functools.partial(confidence.percentile, values)
        if method == "basic":
            return functools.partial(confidence.basic, observed, values)
        if method == "BCa":
            assert self.without is not None
            return confidence.bca(observed, values, self.without[k])
        return functools.partial(
            confidence.standard, observed, values, float(values.mean()), self.n, self.half(k)
        )

    def half(self, k: int) -> Callable[[float], float]:
        """Return how far statistic k may be from its expected value, by the tail probability."""
        return functools.partial(confidence.half_width, self.n, self.standard_error(k), float(self.change[k]))

    def interval(self, k: int, method: str, level: float) -> ConfidenceInterval:
        """Return the interval of statistic k; its ends are nan if there is none."""
        end = self.end(k, method)
        if end is None:
            return ConfidenceInterval(math.nan, math.nan)
        return confidence.interval_of(end, level, self.bounds[k])

    def why_none(self, k: int, interval: ConfidenceInterval, coefficient: str = "") -> list[Note]:
        """Return a note if statistic k has a value but no interval."""
        if math.isnan(self.observed[k]) or not math.isnan(interval.low):
            return []
        kind, why = "no_interval", "no interval, because fewer than two resamples have a value"
        if len(self.defined(k)) >= 2:
            kind, why = "no_bca_interval", "no interval by BCa, because all resamples are on one side of the "
            why += "statistic; use another method"
        text = f"{coefficient} has {why}" if coefficient else f"there is {why}"
        about = {"coefficient": coefficient} if coefficient else {}
        return [Note(kind, text=text, values=about, lost=True)]

    def standard_error(self, k: int) -> float:
        """Return the standard deviation of statistic k over the resamples."""
        return deviation(self.distribution[k])

    def defined(self, k: int) -> Floats:
        """Return the resamples in which statistic k has a value."""
        row: Floats = self.distribution[k]
        return row[~np.isnan(row)]

    def n_undefined(self, k: int) -> int:
        """Return in how many resamples statistic k has none."""
        return int(np.isnan(self.distribution[k]).sum())


def deviation(values: Floats) -> float:
    """Return the standard deviation of values that are not nan; 0 if they differ by rounding only."""
    defined = values[~np.isnan(values)]
    if len(defined) < 2:
        return math.nan
    found = float(defined.std(ddof=1))
    return found if found > _ROUNDING else 0.0


def _drawn(rng: np.random.Generator, rows: int, n: int) -> Integers:
    return rng.integers(0, n, (rows, n))


def _of_resamples(shared: tuple[_Data, int | None], draws: Draws, threads: int) -> dict[str, Any]:
    data, top = shared
    values, means = _of_counts(data, topic_counts(draws.get()), threads)
    found = {"values": values}
    if top is not None:
        among = [membership(side, top) if top < side.shape[1] else None for side in means]
        found["tops"] = np.array([losses(means[x], means[y], top, among[x], among[y]) for x, y in data[2]])
    return found


def topic_counts(drawn: Integers) -> Integers:
    """Return how often each topic is in each row, which has as many draws as there are topics."""
    flat = drawn + drawn.shape[1] * np.arange(len(drawn))[:, None]
    return np.bincount(flat.ravel(), minlength=drawn.size).reshape(drawn.shape)


_MOST = 200  # exchanges on a side; with more items, one exchange hardly matters


def neighbour_changes(
    coefficients: Sequence[Coefficient], x: Floats, y: Floats, values: Floats, threads: int
) -> Floats:
    """Return |change|, coefficients x exchanges, for neighbours by x and by y; nan where it is undefined.

    `values` are the coefficients of x and y. The scores of two neighbours are exchanged on one side. If there
    are many items, the neighbours at the top are used, and some evenly spaced ones from the rest.
    """
    sides = [_exchanged(own) for own in (x, y)]
    x_rows = np.concatenate([sides[0], np.tile(x, (len(sides[1]), 1))])
    y_rows = np.concatenate([np.tile(y, (len(sides[0]), 1)), sides[1]])
    if not len(x_rows):
        return np.zeros((len(coefficients), 0))
    changes: Floats = np.abs(of_rows(coefficients, x_rows, y_rows, threads) - values[:, None])
    return changes


def _exchanged(scores: Floats) -> Floats:
    """Return rows of the scores, in each of which those of two neighbours are exchanged, if they differ."""
    order = np.argsort(-scores, kind="stable")
    places = np.flatnonzero(np.diff(scores[order]))
    if len(places) > _MOST:
        others = np.linspace(0, len(places) - 1, _MOST // 2, dtype=np.int64)
        places = np.unique(np.concatenate([places[: _MOST // 2], places[others]]))
    rows = np.tile(scores, (len(places), 1))
    row, better, worse = np.arange(len(places)), order[places], order[places + 1]
    rows[row, better], rows[row, worse] = scores[worse], scores[better]
    return rows


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
    without_luck : float
        The coefficient of endless topics of this kind, extrapolated; nan for fewer than five topics.
    interval_without_luck : ConfidenceInterval
        Its confidence interval.
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
    without_luck: float
    interval_without_luck: ConfidenceInterval = field(
        metadata=parts("without_luck_low", "without_luck_high", of="without_luck")
    )
    bootstrap_distribution: Floats

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words."""
        value = f"{self.coefficient} is {number(self.statistic)}"
        return sentences([f"{value}, {shown_interval(self)} for the same number of topics"])


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
        "BCa": Efron's correction for bias and acceleration.
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
    times the largest change of c if two neighbours are exchanged, a floor, so that an interval is never
    a point; it does not cover a judge that fails on a few topics which this sample does not have. The
    upper end is computed in the same way.

    ``without_luck`` is an estimate of the coefficient of endless topics of this kind, where the luck of the
    topics does not lower it. Means over resamples of m of the n topics have 1 + n / m times the variance of
    the means themselves, and the coefficient is nearly linear in its root; it is extrapolated from resamples
    of 4 n and of n / 2 topics. Its interval is 1.5 times as wide as a t-interval, a calibrated factor. For a
    noisy judge of few topics some luck stays.

    If a side lacks a topic, its means are over the drawn topics that it has.

    References
    ----------
    .. [1] Hesterberg, "What teachers should know about the bootstrap", The American Statistician 69, 2015.
    .. [2] Efron and Tibshirani, "An introduction to the bootstrap", 1993, chapters 13 and 14.

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
    ((endless, its_interval),) = sample.without_luck(found)
    return BootstrapResult(
        coefficient=c,
        statistic=float(found.observed[0]),
        confidence_interval=interval,
        standard_error=found.standard_error(0),
        without_luck=endless,
        interval_without_luck=its_interval,
        bootstrap_distribution=found.distribution[0],
        n=sample.n,
        n_undefined=found.n_undefined(0),
        notes=(*study.notes, *sample.notes(), *found.why_none(0, interval)),
        options=how.options,
    )
