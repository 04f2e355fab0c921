"""Coefficients topic by topic, beside those of the means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from concordant.coefficients.declaration import Coefficient, CoefficientsLike
from concordant.coefficients.engine import Outcome
from concordant.coefficients.text_form import chosen
from concordant.errors import public
from concordant.questions.agreement import agreements, resampling
from concordant.questions.other_verdicts import verdict_by_topic
from concordant.reading.from_memory import ScoresLike
from concordant.results.note import Note, unique
from concordant.results.result import Result, records
from concordant.results.table import parts
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.mean_intervals import intervals_of_means
from concordant.statistics.resampling import Method
from concordant.study.pairing import Measures, Pairing
from concordant.study.study import Study
from concordant.typing import OnMissing, Progress, RngLike


@dataclass(frozen=True)
class OverTopics:
    """The values of a coefficient, summarised over the topics.

    Attributes
    ----------
    mean : float or None
        The mean over the topics where the coefficient is defined; None if there is none.
    minimum : float or None
        The smallest value of any topic; None if there is none.
    topic_of_minimum : str or None
        The topic with the smallest value.
    maximum : float or None
        The largest value of any topic; None if there is none.
    topic_of_maximum : str or None
        The topic with the largest value.
    topics : int
        The number of topics.
    undefined : int
        The number of undefined values, which are left out.
    reason : str or None
        Why some are undefined; None if none is.
    """

    mean: float | None
    minimum: float | None
    topic_of_minimum: str | None
    maximum: float | None
    topic_of_maximum: str | None
    topics: int
    undefined: int
    reason: str | None


def over_topics(outcome: Outcome, topics: Sequence[str]) -> OverTopics:
    """Summarise the values of topics."""
    values = outcome.values
    defined = np.flatnonzero(~np.isnan(values))
    n, reason = len(values), outcome.reason_of_systems if outcome.undefined else None
    if len(defined) == 0:
        return OverTopics(None, None, None, None, None, n, n, reason)
    low, high = defined[np.argmin(values[defined])], defined[np.argmax(values[defined])]
    mean = math.fsum(values[defined]) / len(defined)
    ends = (float(values[low]), topics[low], float(values[high]), topics[high])
    return OverTopics(mean, *ends, n, n - len(defined), reason)


@dataclass(frozen=True)
class TopicSummary:
    """A coefficient of the mean scores, and its values summarised over the topics.

    Attributes
    ----------
    measure : Measures
        The measures of the reference and of the estimate.
    coefficient : Coefficient
        The coefficient.
    of_means : float
        The coefficient of the means over topics.
    interval : ConfidenceInterval or None
        The confidence interval; None if there is none.
    mean : float or None
        The mean over the topics where the coefficient is defined; None if there is none.
    interval_of_mean : ConfidenceInterval or None
        The confidence interval of the mean over topics; None if there is none.
    minimum : float or None
        The smallest value of any topic; None if there is none.
    topic_of_minimum : str or None
        The topic with the smallest value.
    maximum : float or None
        The largest value of any topic; None if there is none.
    topic_of_maximum : str or None
        The topic with the largest value.
    topics : int
        The number of topics.
    undefined : int
        The number of undefined values, which are left out.
    reason : str or None
        Why some are undefined; None if none is.
    """

    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    coefficient: Coefficient
    of_means: float
    interval: ConfidenceInterval | None = field(metadata=parts("low", "high", of="of_means"))
    mean: float | None
    interval_of_mean: ConfidenceInterval | None = field(metadata=parts("mean_low", "mean_high", of="mean"))
    minimum: float | None
    topic_of_minimum: str | None
    maximum: float | None
    topic_of_maximum: str | None
    topics: int
    undefined: int
    reason: str | None


@dataclass(frozen=True)
class OfTopic:
    """A coefficient for one topic.

    Attributes
    ----------
    measure : Measures
        The measures of the reference and of the estimate.
    topic : str
        The name of the topic.
    coefficient : Coefficient
        The coefficient.
    value : float
        The value of the coefficient; nan if it is undefined.
    """

    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    topic: str
    coefficient: Coefficient
    value: float


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class ByTopicResult(Result[TopicSummary]):
    """The result of `by_topic`; prints as text.

    Attributes
    ----------
    summary : tuple of TopicSummary
        Coefficients of means and over topics.
    topics : tuple of OfTopic
        Each topic.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"bm25": 2, "dense": 5, "rm3": 3}, "q2": {"bm25": 4, "dense": 3, "rm3": 2}}
    >>> gpt = {"q1": {"bm25": 4, "dense": 6, "rm3": 1}, "q2": {"bm25": 5, "dense": 4, "rm3": 3}}
    >>> result = cd.by_topic(human, gpt, ["tau_b"])
    >>> result.summary[0].topics, [each.topic for each in result.topics]
    (2, ['q1', 'q2'])
    """

    function: ClassVar[str] = "by_topic"

    summary: tuple[TopicSummary, ...] = records(TopicSummary, "Coefficients of means and over topics")
    topics: tuple[OfTopic, ...] = records(OfTopic, "Each topic", spread=("coefficient", "value"))

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words, about the main coefficient.

        This is the first coefficient that was named; by default it is the one that is top-weighted.
        """
        return verdict_by_topic(self)


@public
def by_topic(
    reference: ScoresLike,
    estimate: ScoresLike,
    coefficients: CoefficientsLike = ("tau_ap_b", "tau_b"),
    *,
    on_missing: OnMissing | None = None,
    confidence_level: float | None = 0.95,
    n_resamples: int = 4999,
    method: Method = "standard",
    rng: RngLike = 0,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> ByTopicResult:
    """Correlate the systems topic by topic, beside the correlation of their means.

    Parameters
    ----------
    reference, estimate : Scores, or what `Scores.from_data` takes
        The scores of both sides. Topics that are on one side only are left out.
    coefficients : list of str or Coefficient, optional
        The coefficients, as `coefficient` reads them. A verdict is about the first.
    on_missing : {"error", "drop", "zero"}, optional
        What to do about systems and topics that are on one side only; see `Study`.
    confidence_level : float or None, default 0.95
        The confidence level of the intervals: of the coefficient of means, over topics (see `bootstrap`), and
        of the mean over topics (by Student's t). None means no intervals.
    n_resamples, method : int, and str
        How the intervals are computed; see `bootstrap`.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None, default 0
        The seed or the generator of random numbers. None means a new seed, which is stored in the result.
    workers : int, default 1
        The number of threads; -1 means all cores. The result does not depend on it.
    executor : concurrent.futures.Executor, optional
        The executor that does the work: any executor of PEP 3148, such as a pool of processes, or
        ``client.get_executor()`` of Dask. The result does not depend on it.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    ByTopicResult
        ``summary``, a record for each measure and coefficient; and ``topics``, a record for each topic too.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"a": 0.2, "b": 0.5, "c": 0.3}, "q2": {"a": 0.4, "b": 0.3, "c": 0.2}}
    >>> llm = {"q1": {"a": 0.3, "b": 0.6, "c": 0.1}, "q2": {"a": 0.5, "b": 0.5, "c": 0.5}}
    >>> cd.by_topic(human, llm, ["tau_b"]).summary[0].undefined
    1
    """
    asked = chosen(coefficients)
    how = resampling(confidence_level, n_resamples, method, rng, workers, executor)
    study = Study(reference, {"estimate": estimate}, on_missing=on_missing).on_common_topics()
    found = agreements(study, asked, how, progress=progress)
    notes = [*study.all_notes, *found.notes]
    summary, each = [], []
    values = iter(found.records)
    for pairing in study.pairings:
        outcomes = pairing.of_topics(asked)
        for c, outcome in zip(asked, outcomes, strict=True):
            of_means = next(values)
            own = over_topics(outcome, pairing.reference.topics)
            interval = None
            if how is not None and of_means.interval is not None:
                (interval,) = intervals_of_means(outcome.values[:, None], how.confidence_level, c.bounds)
                if interval is not None:
                    notes.append(Note("intervals_of_means_of_topics"))
                elif (~np.isnan(outcome.values)).sum() > 1:
                    notes.append(
                        Note("same_on_all_topics", subject=pairing.subject, values={"coefficient": str(c)})
                    )
            summary.append(
                TopicSummary(
                    measure=pairing.measures,
                    coefficient=c,
                    of_means=of_means.value,
                    interval=of_means.interval,
                    interval_of_mean=interval,
                    **vars(own),
                )
            )
        each += list(_each(pairing, asked, outcomes))
    return ByTopicResult(
        summary=tuple(summary),
        topics=tuple(each),
        notes=unique(notes),
        options={"coefficients": [str(c) for c in asked]} | ({} if how is None else how.options),
    )


def _each(pairing: Pairing, asked: Sequence[Coefficient], outcomes: Sequence[Outcome]) -> list[OfTopic]:
    return [
        OfTopic(pairing.measures, topic, c, float(outcome.values[t]))
        for t, topic in enumerate(pairing.reference.topics)
        for c, outcome in zip(asked, outcomes, strict=True)
    ]
