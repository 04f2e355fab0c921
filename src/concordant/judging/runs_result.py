"""The result of `compare_runs`: how much the lists of runs agree."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from concordant.inference import ConfidenceInterval
from concordant.judging.verdicts import verdict_of_runs
from concordant.tables import Result, parts, records

__all__ = ["RunAgreement", "RunCell", "RunTopic", "RunsResult"]


@dataclass(frozen=True)
class RunAgreement:
    """How much two runs agree, over the topics that both have.

    Attributes
    ----------
    run : str
        The name of a run.
    other : str
        The name of the other run.
    measure : str
        The coefficient of the two lists.
    mean : float or None
        The mean over the topics where the coefficient is defined; None if there is none.
    interval : ConfidenceInterval or None
        The confidence interval; None if there is none.
    least : float or None
        The smallest value of any topic.
    topic_of_least : str or None
        The topic with the smallest value.
    largest : float or None
        The largest value of any topic.
    topic_of_largest : str or None
        The topic with the largest value.
    topics : int
        The number of topics that both runs have.
    """

    run: str
    other: str
    measure: str
    mean: float | None
    interval: ConfidenceInterval | None = field(metadata=parts("low", "high", of="mean"))
    least: float | None
    topic_of_least: str | None
    largest: float | None
    topic_of_largest: str | None
    topics: int


@dataclass(frozen=True)
class RunTopic:
    """How much two runs agree on one topic.

    Attributes
    ----------
    run : str
        The name of a run.
    other : str
        The name of the other run.
    topic : str
        The name of the topic.
    measure : str
        The coefficient of the two lists.
    value : float
        The agreement of the two lists; nan if it is undefined.
    """

    run: str
    other: str
    topic: str
    measure: str
    value: float


@dataclass(frozen=True)
class RunCell:
    """The mean agreement of two runs.

    Attributes
    ----------
    run : str
        The name of a run.
    other : str
        The name of the other run.
    value : float
        The mean agreement over topics.
    """

    run: str
    other: str
    value: float


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class RunsResult(Result[RunAgreement]):
    """The result of `compare_runs`; prints as text.

    Attributes
    ----------
    measure : str
        The coefficient of the matrix, and of the topics that differ most.
    pairs : tuple of RunAgreement
        Agreement of runs, over topics.
    worst : tuple of RunTopic
        Topics that differ most, by the first measure.
    matrix : tuple of RunCell or None
        The first measure of all pairs, mean over topics. It needs three runs or more.
    topics : tuple of RunTopic or None
        Each topic. It needs not more than ten pairs of runs.

    Examples
    --------
    >>> import concordant as cd
    >>> runs = {"bm25": {"q1": {"d1": 3, "d2": 2}}, "dense": {"q1": {"d2": 0.9, "d3": 0.5}}}
    >>> result = cd.compare_runs(runs)
    >>> result.measure, result.pairs[0].run, result.pairs[0].other, result.pairs[0].topics
    ('rbo', 'bm25', 'dense', 1)
    """

    function: ClassVar[str] = "compare_runs"

    measure: str
    pairs: tuple[RunAgreement, ...] = records(RunAgreement, "Agreement of runs, over topics")
    worst: tuple[RunTopic, ...] = records(RunTopic, "Topics that differ most, by {measure}")
    matrix: tuple[RunCell, ...] | None = records(
        RunCell,
        "{measure} of all pairs, mean over topics",
        spread=("other", "value"),
        needs="three runs or more",
    )
    topics: tuple[RunTopic, ...] | None = records(
        RunTopic, "Each topic", spread=("measure", "value"), needs="not more than ten pairs of runs"
    )

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: two runs by each measure; of several runs, those that agree most and least."""
        return verdict_of_runs(self)

    def only(self, name: str) -> Self:
        """Return the same result with the records of one field, and without the notes on intervals of others.

        Parameters
        ----------
        name : str
            The name of the field.

        Returns
        -------
        RunsResult
            The result.
        """
        found = super().only(name)
        if found.pairs is not None:
            return found
        notes = tuple(note for note in self.notes if note.kind != "intervals_of_means_of_topics")
        return replace(found, notes=notes)
