"""The options of intervals over topics, checked."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias, cast, get_args

import numpy as np

from concordant.checks import generator, n_workers, one_of, proportion, whole_number
from concordant.coefficients.declaration import Coefficient
from concordant.coefficients.engine import Outcome
from concordant.coefficients.evaluation import evaluate
from concordant.errors import ArgumentError
from concordant.rankings.pairs import read_pairs
from concordant.results.note import Note
from concordant.scores.means import exact_sums, snap
from concordant.statistics.confidence import (
    Basic,
    BCa,
    ConfidenceDistribution,
    ConfidenceInterval,
    Percentile,
    Simex,
    Spread,
    Standard,
    interval_of,
)
from concordant.study.pairing import Pairing
from concordant.typing import Alternative, Floats, Integers, Progress, RngLike
from concordant.work.pieces import Draws, in_pieces, piece_size

Method: TypeAlias = Literal["standard", "percentile", "basic", "BCa", "simex"]
DifferenceMethod: TypeAlias = Literal["exchange", "standard", "percentile", "basic", "BCa"]
Correction: TypeAlias = Literal["holm", "bh"]

METHODS: tuple[str, ...] = get_args(Method)
METHODS_OF_DIFFERENCES: tuple[str, ...] = get_args(DifferenceMethod)
ALTERNATIVES: tuple[str, ...] = get_args(Alternative)


def check_alternative(alternative: object) -> None:
    """Raise an error unless the alternative is known."""
    one_of("alternative", alternative, ALTERNATIVES)


@dataclass(frozen=True)
class Resampling:
    """How intervals are computed.

    The same seed gives the same draws in every function, so that results can be compared.
    """

    n_resamples: int
    confidence_level: float
    method: Method | DifferenceMethod
    seed: int | None
    threads: int
    rng: np.random.Generator
    executor: Executor | None = None

    @classmethod
    def checked(
        cls,
        n_resamples: int,
        confidence_level: float,
        method: str,
        rng: RngLike,
        workers: int,
        methods: tuple[str, ...] = METHODS,
        executor: Executor | None = None,
    ) -> Resampling:
        """Check the options."""
        known = {name.lower(): name for name in methods}
        if isinstance(method, str):
            method = known.get(method.lower(), method)
        one_of("method", method, methods)
        number = whole_number("n_resamples", n_resamples, 2)
        level = proportion("confidence_level", confidence_level)
        source, seed = generator(rng)
        return cls(number, level, cast("Method", method), seed, n_workers(workers), source, executor)

    @property
    def for_differences(self) -> Resampling:
        """The options for `difference`, which has its own default method."""
        textbook = self.method in ("percentile", "basic", "BCa")
        return self if textbook else replace(self, method="exchange")

    @property
    def options(self) -> dict[str, Any]:
        """The options by name, for a result."""
        return {
            "confidence_level": self.confidence_level,
            "method": self.method,
            "n_resamples": self.n_resamples,
            "seed": self.seed,
        }

    def notes(self, fewest_topics: int, shared: bool) -> list[Note]:
        """Return warnings about unreliable intervals."""
        found = []
        if fewest_topics < 20 and self.method not in ("standard", "exchange"):
            found.append(Note("few_topics", values={"topics": fewest_topics, "method": self.method}))
        if not shared:
            found.append(Note("topics_not_shared"))
        if self.n_resamples < 500:
            found.append(Note("few_resamples", values={"resamples": self.n_resamples}))
        return found


MOST_AT_ONCE = 1 << 20  # scores in a batch


class _Data(NamedTuple):
    """The data from which the values of resamples are computed; it is sent to workers."""

    coefficients: tuple[Coefficient, ...]
    sides: tuple[tuple[Integers, Floats], ...]  # which topics a side has, and topics x systems
    pairs: tuple[tuple[int, int], ...]  # of sides


def against(
    coefficients: Sequence[Coefficient], reference: Floats, estimate: Floats, threads: int
) -> list[Outcome]:
    """Return the coefficients of rows of means."""
    return evaluate(coefficients, read_pairs(reference, estimate), "propagate", threads, refuse=False)


def _values(data: _Data, counts: Integers, threads: int) -> Floats:
    means: list[Floats] = []
    for own, values in data.sides:
        part = counts[:, own]
        with np.errstate(invalid="ignore"):  # none of the topics of a side
            means.append(snap(exact_sums(part, values) / part.sum(axis=1, keepdims=True)))
    return np.array(
        [
            outcome.values
            for x, y in data.pairs
            for outcome in against(data.coefficients, means[x], means[y], threads)
        ]
    )


class TopicSample:
    """Pairings over one list of topics, of which each side may have only some."""

    def __init__(
        self,
        coefficients: Sequence[Coefficient],
        pairings: Sequence[Pairing],
        threads: int,
        observed: Sequence[Outcome] | None = None,
        n_sides: int = 2,
    ) -> None:
        self.n_sides = n_sides
        self.coefficients, self.pairings, self.threads = coefficients, pairings, threads
        sides = dict.fromkeys(side for pairing in pairings for side in (pairing.reference, pairing.estimate))
        topics = list(dict.fromkeys(topic for side in sides for topic in side.topics))
        place = {topic: t for t, topic in enumerate(topics)}
        self.n = len(topics)
        self.fewest = min(len(side.topics) for side in sides)
        if self.fewest < 2:
            raise ArgumentError(
                f"each side needs at least two topics, got {self.fewest}; for an interval over items see "
                "jackknife_interval"
            )
        self.sides = {side: np.array([place[topic] for topic in side.topics]) for side in sides}
        self._observed = None if observed is None else list(observed)

    @property
    def rows_at_once(self) -> int:
        """How many resamples fit in a batch."""
        # By the sides of one pairing, so that the draws do not depend on how many pairings share the
        # sample.
        systems = len(self.pairings[0].reference.scores.systems)
        return max(1, MOST_AT_ONCE // (max(self.n, systems) * self.n_sides))

    def notes(self, how: Resampling) -> list[Note]:
        """Return warnings about unreliable intervals."""
        shared = set.intersection(*(set(own.tolist()) for own in self.sides.values()))
        return how.notes(self.fewest, bool(shared))

    @functools.cached_property
    def data(self) -> _Data:
        """What the values are computed from."""
        number = {side: i for i, side in enumerate(self.sides)}
        return _Data(
            tuple(self.coefficients),
            tuple((own, side.values) for side, own in self.sides.items()),
            tuple((number[pairing.reference], number[pairing.estimate]) for pairing in self.pairings),
        )

    def values(self, counts: Integers) -> Floats:
        """Return all coefficients of the first pairing, of the second, and so on.

        Each row of `counts` says how often each topic counts.
        """
        return _values(self.data, counts, self.threads)

    @property
    def observed(self) -> list[Outcome]:
        """The values on the topics themselves; ties are an error for a coefficient that refuses them."""
        if self._observed is None:
            self._observed = [each for p in self.pairings for each in p.of_means(self.coefficients)]
        return self._observed

    def report(self) -> None:
        """Warn if a coefficient is undefined on the topics themselves."""
        for k, outcome in enumerate(self.observed):
            outcome.report(str(self.coefficients[k % len(self.coefficients)]))

    def changes(self) -> Floats:
        """Return the largest change of each value if two neighbours are exchanged on one side."""
        found: list[float] = []
        values = np.array([outcome.values[0] for outcome in self.observed])
        for pairing, own in zip(self.pairings, values.reshape(len(self.pairings), -1), strict=True):
            x, y = (np.array(list(side.mean.values())) for side in (pairing.reference, pairing.estimate))
            for moved in neighbour_changes(self.coefficients, x, y, own, self.threads):
                found.append(float(np.max(moved, initial=0.0, where=~np.isnan(moved))))
        return np.array(found)

    def without_each(self) -> Floats:
        """Return the values without each topic in turn."""
        parts = []
        for start in range(0, self.n, self.rows_at_once):
            gone = np.arange(start, min(start + self.rows_at_once, self.n))
            parts.append(self.values((np.arange(self.n) != gone[:, None]).astype(np.int64)))
        return np.hstack(parts)


Transform: TypeAlias = Callable[[Floats], Floats]  # of the values of a sample, row by row


class Resampled(NamedTuple):
    """Statistics, one per row: observed, in resamples, and what else confidence distributions need."""

    n: int  # topics
    observed: Floats
    distribution: Floats  # statistics x resamples
    change: Floats  # the largest change of each if two neighbours are exchanged
    step: Floats | None = None  # by simex: how much the mean falls from resamples to resamples of resamples
    without: Floats | None = None  # by BCa, statistics x topics: without each of them

    def confidence(self, k: int, method: str) -> ConfidenceDistribution | None:
        """Return the confidence distribution of statistic k; None if there is none."""
        observed, values = float(self.observed[k]), np.sort(self.defined(k))
        if math.isnan(observed) or len(values) < 2:
            return None
        if method == "percentile":
            return Percentile(values)
        if method == "basic":
            return Basic(observed, values)
        if method == "BCa":
            return None if self.without is None else BCa.of(observed, values, self.without[k])
        if method == "simex":
            return None if self.step is None else Simex(observed, values, float(self.step[k]), self.n)
        return Standard(observed, values, self.spread(k))

    def spread(self, k: int) -> Spread:
        """Return how far statistic k may be from its expected value."""
        return Spread(self.n, self.standard_error(k), float(self.change[k]))

    def interval(self, k: int, how: Resampling, bounds: tuple[float, float]) -> ConfidenceInterval:
        """Return the interval of statistic k."""
        found = self.confidence(k, how.method)
        if found is None:
            return ConfidenceInterval(math.nan, math.nan)
        return interval_of(found, how.confidence_level, bounds)

    def why_none(self, k: int, interval: ConfidenceInterval, coefficient: str = "") -> list[Note]:
        """Say why statistic k has a value but no interval; None if it has both, or neither."""
        if math.isnan(self.observed[k]) or not math.isnan(interval.low):
            return []
        kind = "no_interval" if len(self.defined(k)) < 2 else "no_bca_interval"
        return [Note(kind, values={"coefficient": coefficient} if coefficient else {})]

    def standard_error(self, k: int) -> float:
        """Return the standard deviation of statistic k over the resamples."""
        defined = self.defined(k)
        return float(defined.std(ddof=1)) if len(defined) > 1 else math.nan

    def defined(self, k: int) -> Floats:
        """Return the resamples in which statistic k has a value."""
        row: Floats = self.distribution[k]
        return row[~np.isnan(row)]

    def n_undefined(self, k: int) -> int:
        """Return in how many resamples statistic k has none."""
        return int(np.isnan(self.distribution[k]).sum())


def _same(values: Floats) -> Floats:
    return values


def resample(
    sample: TopicSample,
    how: Resampling,
    rng: np.random.Generator,
    progress: Progress | None = None,
    transform: Transform = _same,
) -> Resampled:
    """Draw topics with replacement, and compute a transform of all values of the sample."""
    observed = transform(np.array([outcome.values for outcome in sample.observed]))[:, 0]
    n, total, batch = sample.n, how.n_resamples, sample.rows_at_once
    # The step is a difference of means, for which fewer resamples are enough.
    n_again = -(-total // 4) if how.method == "simex" else 0
    cuts = _cuts(total, batch, piece_size(total, batch, how.executor))
    parts = in_pieces(
        _of_resamples,
        sample.data,
        _pieces(cuts, n, n_again, rng),
        executor=how.executor,
        threads=how.threads,
        sizes=[stop - start for own in cuts for start, stop in own],
        progress=progress,
    )
    distribution = transform(np.hstack([part["values"] for part in parts]))
    step = None
    if how.method == "simex":
        again = transform(np.hstack([part["again"] for part in parts if "again" in part]))
        fall, known = np.zeros(len(observed)), np.zeros(len(observed))
        for start in range(0, n_again, batch):
            stop = min(start + batch, n_again)
            lost = distribution[:, start:stop] - again[:, start:stop]
            fall += np.nansum(lost, axis=1)
            known += (~np.isnan(lost)).sum(axis=1)
        step = fall / np.maximum(known, 1)
    without = transform(sample.without_each()) if how.method == "BCa" else None
    change = np.max(sample.changes().reshape(-1, len(observed)), axis=0)
    return Resampled(n, observed, distribution, change, step, without)


def _cuts(total: int, batch: int, size: int) -> list[list[tuple[int, int]]]:
    """Return where the pieces of each batch begin and end."""
    ends = [(start, min(start + batch, total)) for start in range(0, total, batch)]
    return [[(a, min(a + size, stop)) for a in range(start, stop, size)] for start, stop in ends]


def _drawn(rng: np.random.Generator, rows: int, n: int) -> Integers:
    return rng.integers(0, n, (rows, n))


def _pieces(
    cuts: Sequence[Sequence[tuple[int, int]]], n: int, n_again: int, rng: np.random.Generator
) -> Iterator[tuple[Draws, Draws | None]]:
    """Yield the draws of each piece, and those of the resamples that are resampled again.

    A batch draws all its resamples first, so that the size of the pieces does not matter.
    """
    for own in cuts:
        first = [Draws(rng, _drawn, stop - start, n) for start, stop in own]
        rows = [max(0, min(stop, n_again) - start) for start, stop in own]
        second = [Draws(rng, _drawn, size, n) if size else None for size in rows]
        yield from zip(first, second, strict=True)


def _of_resamples(data: _Data, draws: tuple[Draws, Draws | None], threads: int) -> dict[str, Any]:
    first, second = draws
    drawn = first.get()
    n = drawn.shape[1]
    found = {"values": _values(data, topic_counts(drawn, n), threads)}
    if second is not None:
        places = second.get()
        again = np.take_along_axis(drawn[: len(places)], places, axis=1)
        found["again"] = _values(data, topic_counts(again, n), threads)
    return found


def topic_counts(drawn: Integers, n: int) -> Integers:
    """Return how often each of n topics is in each row."""
    flat = drawn + n * np.arange(len(drawn))[:, None]
    return np.bincount(flat.ravel(), minlength=n * len(drawn)).reshape(len(drawn), n)


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
    outcomes = evaluate(coefficients, read_pairs(x_rows, y_rows), "propagate", threads, refuse=False)
    changes: Floats = np.abs(np.array([outcome.values for outcome in outcomes]) - values[:, None])
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
