"""What every question about scores needs: the sides brought together, intervals, and columns for both."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from concordant._engine import Outcome, TiesError
from concordant._inputs import Floats, Progress, n_workers, read_pairs, seeded
from concordant._registry import Coefficient, evaluate
from concordant._resampling import Resampling, TopicSample, interval_of_mean, resample
from concordant.alignment import Alignment, align, common_topics
from concordant.inference import difference_of, one_coefficient
from concordant.scores import Means, Scores, some

DEFAULT = ("tau_b", "tau_ap_b")
Some: TypeAlias = str | Coefficient | Callable[..., Any] | Iterable[str | Coefficient | Callable[..., Any]]


def chosen(who: str, coefficients: Some) -> list[Coefficient]:
    """Read the coefficients asked for; those of scores only."""
    asked = [coefficients] if isinstance(coefficients, str) or callable(coefficients) else list(coefficients)
    found = list(dict.fromkeys(one_coefficient(who, one) for one in asked))
    if not found:
        raise ValueError(f"{who}: no coefficients were given; name at least one, such as tau_b")
    return found


def measure_pairs(
    who: str, truth: Scores, estimate: Scores, name: str, notes: list[str]
) -> list[tuple[str, str]]:
    """Say which measures to compare: those in common, or, if one side has one only, that with each of the other."""
    common = [measure for measure in truth.measures if measure in estimate.measures]
    if common:
        others = [m for m in dict.fromkeys((*truth.measures, *estimate.measures)) if m not in common]
        if others:
            notes.append(f"{name}: measures on one side only were left out: {some(others)}")
        return [(measure, measure) for measure in common]
    if len(truth.measures) == 1 or len(estimate.measures) == 1:
        return [(m, n) for m in truth.measures for n in estimate.measures]
    raise ValueError(
        f"{who}: no measure is in common: {some(truth.measures)} against {some(estimate.measures)}; choose one on each side"
    )


def outcomes_of(who: str, coefficients: Sequence[Coefficient], x: Any, y: Any) -> list[Outcome]:
    """Compute coefficients; ties given to one that refuses them are an error."""
    outcomes = evaluate(who, coefficients, read_pairs(who, x, y), "raise", 1)
    for outcome in outcomes:
        if outcome.refusal:
            raise TiesError(outcome.refusal)
    return outcomes


def values_of_means(coefficients: Sequence[Coefficient], question: Question, notes: list[str]) -> list[float]:
    """Compute coefficients of means, and note which are undefined."""
    outcomes = outcomes_of("correlate", coefficients, question.x, question.y)
    for c, outcome in zip(coefficients, outcomes, strict=True):
        if outcome.undefined:
            notes.append(f"{question.name} by {question.measure}: {c} is undefined: {outcome.reason}")
    return [float(outcome.values[0]) for outcome in outcomes]


def align_by_name(who: str, truth: Any, estimates: Mapping[str, Any], on_missing: str | None) -> Alignment:
    """Bring the truth and what is compared with it to the same systems."""
    if not isinstance(estimates, Mapping):
        got = type(estimates).__name__
        raise TypeError(
            f"{who}: give what to compare with the truth by name, such as {{'gpt': scores}}, got {got}"
        )
    if not estimates:
        raise ValueError(f"{who}: there is nothing to compare the truth with; give at least one estimate")
    others = {name: Scores.of(estimate) for name, estimate in estimates.items()}
    return align(Scores.of(truth), *others.values(), on_missing=on_missing, names=["truth", *others])


def measure_name(pair: tuple[str, str]) -> str:
    """Name the measures of both sides."""
    return pair[0] if pair[0] == pair[1] else f"{pair[0]} / {pair[1]}"


@dataclass(frozen=True)
class Question:
    """One estimate against the truth by one measure, or one on each side."""

    name: str
    truth: Scores
    estimate: Scores
    pair: tuple[str, str]

    @property
    def measure(self) -> str:
        """The measure, as people read it."""
        return measure_name(self.pair)

    @functools.cached_property
    def x(self) -> Means:
        """The means of the truth."""
        return self.truth.mean(self.pair[0])

    @functools.cached_property
    def y(self) -> Means:
        """The means of the estimate."""
        return self.estimate.mean(self.pair[1])

    @property
    def has_topics(self) -> bool:
        """Whether there is more than one topic on each side."""
        return min(len(self.truth.topics), len(self.estimate.topics)) > 1

    @functools.cached_property
    def on_common_topics(self) -> Question:
        """The same on the topics that both sides have."""
        topics = common_topics([self.truth, self.estimate])
        return replace(
            self, truth=self.truth.select(topics=topics), estimate=self.estimate.select(topics=topics)
        )


def questions_of(who: str, aligned: Alignment, names: Iterable[str], notes: list[str]) -> list[Question]:
    """Return each estimate by each measure."""
    return [
        Question(name, aligned.truth, estimate, pair)
        for name, estimate in zip(names, aligned.estimates, strict=True)
        for pair in measure_pairs(who, aligned.truth, estimate, name, notes)
    ]


class Steps:
    """Progress over several parts, each of which counts its own."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress, self.total, self.done = progress, 0, 0

    def __call__(self, done: int, _of: int) -> None:
        """Tell what is done of the part at hand."""
        if self.progress is not None:
            self.progress(min(self.done + done, self.total), self.total)


@dataclass(frozen=True)
class Intervals:
    """How intervals over topics are made; the same draws for every question, so that answers can be compared."""

    how: Resampling
    seed: int
    threads: int
    steps: Steps

    @classmethod
    def of(
        cls, who: str, level: float | None, method: str, n_resamples: int, rng: Any, workers: int, progress: Progress | None
    ) -> Intervals | None:  # fmt: skip
        """Check the options; None if no intervals are wanted."""
        threads = n_workers(who, workers)
        how = Resampling.of(who, n_resamples, 0.5 if level is None else level, method)
        generator, seed = seeded(rng)
        if level is None:
            return None
        return cls(how, int(generator.integers(2**32)) if seed is None else seed, threads, Steps(progress))

    @property
    def config(self) -> dict[str, Any]:
        """The options, for a report."""
        return {
            "confidence_level": self.how.confidence_level,
            "method": self.how.method,
            "n_resamples": self.how.n_resamples,
            "seed": self.seed,
        }

    def of_means(
        self, coefficients: Sequence[Coefficient], question: Question, notes: list[str]
    ) -> list[tuple[float | None, float | None]]:  # fmt: skip
        """Return the interval of each coefficient of means; none where there is one topic only."""
        if not question.has_topics:
            notes.append(
                f"{question.name}: there is one topic only, so that there are no intervals over topics"
            )
            return [(None, None)] * len(coefficients)
        sides = [(question.truth, question.pair[0]), (question.estimate, question.pair[1])]
        sample = TopicSample("bootstrap", coefficients, sides, self.threads)
        rng = np.random.default_rng(self.seed)
        found = resample(sample, lambda values: values, self.how, rng, self.steps)
        self.steps.done += self.how.n_resamples
        n = self.how.n_resamples
        for k, c in enumerate(coefficients):
            which = f"{question.name} by {question.measure}: {c}"
            if found.n_undefined(k):
                notes.append(f"{which} is undefined in {found.n_undefined(k)} of {n} resamples of topics")
            notes += [f"{which}: {why}" for why in found.why_no_interval(k, self.how)]
        notes.append(
            f"low and high: {self.how.confidence_level:.10g} intervals over topics ({self.how.method}, {n} resamples of "
            f"{sample.n} topics, seed {self.seed})"
        )
        notes += [f"{question.name}: {note}" for note in sample.notes(self.how)]
        ends = [found.interval(k, self.how, c.bounds) for k, c in enumerate(coefficients)]
        return [(or_none(low), or_none(high)) for low, high in ends]

    def of_mean(self, values: Floats, notes: list[str]) -> tuple[float | None, float | None]:
        """Return the interval of the mean over topics, those that are not defined left out."""
        defined = values[~np.isnan(values)]
        if len(defined) < 2:
            return None, None
        notes.append("mean low and mean high: percentiles of resamples of the topics' values")
        return interval_of_mean(defined, self.how, np.random.default_rng(self.seed))

    def of_difference(
        self, c: Coefficient, best: Question, other: Question, notes: list[str]
    ) -> tuple[Any, ...]:  # fmt: skip
        """Return the difference of two judges, both ends of its interval, the p-value, and the number of topics."""
        sides = [(best.truth, best.pair[0]), (best.estimate, best.pair[1]), (other.estimate, other.pair[1])]
        topics = common_topics([scores for scores, _ in sides])
        on_common = [(scores.select(topics=topics), measure) for scores, measure in sides]
        sample = TopicSample("judge", [c], on_common, self.threads)
        rng = np.random.default_rng(self.seed)
        found = difference_of(sample, self.how, "two-sided", rng, self.seed, self.steps)
        self.steps.done += 2 * self.how.n_resamples
        every = {topic for scores, _ in sides for topic in scores.topics}
        if found.n < len(every):
            notes.append(
                f"{best.name} and {other.name} are compared on the {found.n} topics that both and the truth have, not on those "
                "of the agreement above"
            )
        notes += [f"{best.name} and {other.name}: {note}" for note in found.notes]
        ends = map(or_none, found.confidence_interval)
        return found.statistic, *ends, or_none(found.pvalue), found.n


def or_none(value: float) -> float | None:
    return None if math.isnan(value) else value


def with_ends(values: Sequence[Any], ends: Sequence[tuple[Any, Any]] | None) -> tuple[Any, ...]:
    """Put the ends of its interval behind each value."""
    if ends is None:
        return tuple(values)
    return tuple(cell for value, both in zip(values, ends, strict=True) for cell in (value, *both))


def columns_with_ends(names: Sequence[Any], intervals: Intervals | None) -> tuple[Any, ...]:
    """Return the names of columns, with those of both ends behind each."""
    return with_ends(
        names, None if intervals is None else [(f"{name} low", f"{name} high") for name in names]
    )


def planned(
    intervals: Intervals | None, questions: Sequence[Question], n_comparisons: int, notes: list[str]
) -> Intervals | None:  # fmt: skip
    """Say how much there is to do; None, with a note, if there are means only."""
    if intervals is None:
        return None
    with_topics = sum(question.has_topics for question in questions)
    if not with_topics:
        notes.append("there is one topic only, so that there are no intervals over topics")
        return None
    intervals.steps.total = (with_topics + 2 * n_comparisons) * intervals.how.n_resamples
    return intervals
