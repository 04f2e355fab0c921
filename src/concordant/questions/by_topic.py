"""Coefficients topic by topic, beside those of the means."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from concordant.coefficients.declaration import Coefficient, CoefficientsLike, chosen
from concordant.errors import public
from concordant.questions.correlate import Agreements, agreements, one_estimate
from concordant.questions.verdict import by_measure, first_told
from concordant.reading.from_memory import ScoresLike
from concordant.results.note import BY_STUDENTS_T, Note, unique
from concordant.results.result import Result, records
from concordant.results.table import DETAIL, parts
from concordant.results.words import count, number, sentences, with_interval
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.ranks import intervals_of_means, mean_and_ends
from concordant.statistics.resampling import Resampling, started
from concordant.study.pairing import Measures
from concordant.study.study import Study
from concordant.typing import Floats, Progress


@dataclass(frozen=True)
class TopicSummary:
    """A coefficient of the mean scores, and its values over the topics.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    coefficient : Coefficient
        The coefficient.
    of_means : float
        Its value for the mean scores.
    interval : ConfidenceInterval or None
        The confidence interval of that value over topics; None if there is none.
    mean : float or None
        The mean of its values on single topics; None if it is undefined on all.
    interval_of_mean : ConfidenceInterval or None
        The confidence interval of that mean, by Student's t; None if it was not asked for.
    minimum : float or None
        The smallest value of a topic.
    topic_of_minimum : str or None
        The topic with the smallest value.
    maximum : float or None
        The largest value of a topic.
    topic_of_maximum : str or None
        The topic with the largest value.
    topics : int
        The number of topics.
    undefined : int
        The number of topics for which it is undefined.
    reason : str or None
        Why it is undefined for the first of these.
    """

    estimate: str
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
    """A coefficient of the scores of one topic.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    topic : str
        The topic.
    coefficient : Coefficient
        The coefficient.
    value : float
        Its value; nan if it is undefined.
    influence : float or None
        The coefficient of the means minus that without this topic: positive if the topic raises it.
    failing : bool or None
        Whether the estimate fails on the topic: tau_b is not above 0, or all its scores are equal.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    topic: str
    coefficient: Coefficient
    value: float
    influence: float | None = field(default=None, metadata=DETAIL)
    failing: bool | None = field(default=None, metadata=DETAIL)


def over_topics(found: Agreements) -> tuple[tuple[TopicSummary, ...], tuple[OfTopic, ...]]:
    """Return the coefficients of each pairing over its common topics, and of each topic."""
    summary: list[TopicSummary] = []
    each: list[OfTopic] = []
    influences = _influences(found)
    for i, pairing in enumerate(found.pairings):
        if not pairing.common_topics():  # means
            continue
        common = pairing.on_common_topics
        topics, outcomes = common.reference.topics, common.of_topics(found.coefficients)
        first = i * len(found.coefficients)
        records = found.records[first : first + len(found.coefficients)]
        head = (pairing.name, pairing.measures)
        for c, outcome, means in zip(found.coefficients, outcomes, records, strict=True):
            interval = None
            if found.level is not None and means.interval is not None:
                (interval,) = intervals_of_means(outcome.values[:, None], found.level, c.bounds)
            sizes = len(topics), int(np.isnan(outcome.values).sum()), outcome.reason_of_systems or None
            own: tuple[Any, ...] = (*mean_and_ends(topics, outcome.values, interval), *sizes)
            summary.append(TopicSummary(*head, c, means.value, means.interval, *own))
        own_influence, failing = influences.get(i), found.failing[i]
        for (t, topic), (j, c) in itertools.product(enumerate(topics), enumerate(found.coefficients)):
            changed = None if own_influence is None else float(own_influence[j, t])
            if changed is not None and math.isnan(changed):
                changed = None
            fails = None if failing is None else bool(failing.fails[t])
            each.append(OfTopic(*head, topic, c, float(outcomes[j].values[t]), changed, fails))
    return tuple(summary), tuple(each)


def _influences(found: Agreements) -> dict[int, Floats]:
    """Return for each pairing whose sides have the same topics how much each raises the coefficients."""
    influences: dict[int, Floats] = {}
    for group, sample, drawn in found.joint.groups:
        known = [k for k in group if len(found.pairings[k].common_topics()) == sample.n]
        if known and sample.n > 2:
            without = sample.without_each()
            for k in known:
                first = sample.row(group.index(k))
                rows = slice(first, first + len(found.coefficients))
                influences[k] = drawn.observed[rows, None] - without[rows]
    return influences


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
        """The answer in words, about the first coefficient."""
        rows = [row for row in self.summary or () if row.coefficient == self.summary[0].coefficient]
        return sentences(first_told(rows, _of_topics, "measure"))


@public
def by_topic(
    reference: ScoresLike | Study,
    estimate: ScoresLike | None = None,
    coefficients: CoefficientsLike = ("tau_ap_b", "tau_b"),
    *,
    resampling: Resampling | None = Resampling(),
    progress: Progress | None = None,
) -> ByTopicResult:
    """Correlate the systems topic by topic, beside the correlation of their means.

    Parameters
    ----------
    reference, estimate : what `Study` takes; or a `Study` of one estimate
        The scores of both sides. Topics that are on one side only are left out.
    coefficients : list of str or Coefficient, optional
        The coefficients, as `coefficient` reads them. A verdict is about the first.
    resampling : Resampling or None
        How the interval of the coefficient of means is computed. The interval of the mean over topics is by
        Student's t, with the same confidence level. None means no intervals.
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
    how = None if resampling is None else started(resampling)
    study = one_estimate(reference, estimate).in_common()
    found = agreements(study.pairings, asked, how, progress)
    notes = [*study.notes, *found.notes]
    summary, topics = over_topics(found)
    for row in summary:
        if row.interval_of_mean is not None:
            notes.append(BY_STUDENTS_T)
        elif row.interval is not None and row.topics - row.undefined > 1:
            text = f"{row.coefficient} is the same on all topics, so that its mean has no interval"
            notes.append(Note("same_on_all_topics", text=text, subject=f"{row.estimate} by {row.measure}"))
    return ByTopicResult(
        summary=summary,
        topics=topics,
        notes=unique(notes),
        options={"coefficients": [str(c) for c in asked]} | ({} if how is None else how.options),
    )


def _of_topics(row: TopicSummary) -> Iterator[str]:
    c, where = row.coefficient, by_measure(row.measure)
    if math.isnan(row.of_means):
        why = f": {row.reason}" if row.topics == 1 else ""
        yield f"{c} of the mean scores is undefined{where}{why}"
    else:
        yield f"{c} of the mean scores{where} is {with_interval(row.of_means, row.interval)}"
    if row.topics == 1:  # the scores are means, or there is no topic to average
        return
    if row.mean is not None:
        n, low, high = row.topics - row.undefined, number(row.minimum), number(row.maximum)
        mean = f"its mean over {count(n, 'topic')} is {with_interval(row.mean, row.interval_of_mean)}"
        ends = f"from {low} (topic {row.topic_of_minimum}) to {high} (topic {row.topic_of_maximum})"
        yield f"Per topic, {mean}, ranging {ends}"
    if row.undefined:
        yield f"It is undefined for {row.undefined} of {count(row.topics, 'topic')}: {row.reason}"
