"""One estimate against the reference, by one measure on each side."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from concordant.coefficients.declaration import Coefficient
from concordant.coefficients.engine import Outcome
from concordant.coefficients.evaluation import evaluate
from concordant.rankings.pairs import read_pairs
from concordant.reading.files import limit
from concordant.scores.means import Means
from concordant.scores.scores import Scores
from concordant.study.align import common_topics
from concordant.typing import Floats


class Measures(NamedTuple):
    """The measure of the reference and that of the estimate; prints as one name if they are the same.

    Attributes
    ----------
    measure : str
        The measure of the reference.
    estimate_measure : str
        The measure of the estimate.

    Examples
    --------
    >>> import concordant as cd
    >>> print(cd.results.Measures("ap", "ap"), cd.results.Measures("ap", "ndcg"), sep=", ")
    ap, ap / ndcg
    """

    measure: str
    estimate_measure: str

    def __str__(self) -> str:
        """Return one name, or both."""
        return " / ".join(dict.fromkeys(self))


@dataclass(frozen=True, eq=False)
class Measured:
    """The scores of one side by one measure.

    Attributes
    ----------
    scores : Scores
        The scores.
    measure : str
        The measure.
    """

    scores: Scores
    measure: str

    @functools.cached_property
    def mean(self) -> Means:
        """The mean of each system over the topics."""
        return self.scores.mean(self.measure)

    @functools.cached_property
    def means(self) -> Floats:
        """The same means, as an array that must not be changed."""
        return np.array(list(self.mean.values()))

    @property
    def values(self) -> Floats:
        """The scores, topics x systems."""
        return self.scores.one_measure(self.measure)[1]

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics of this side."""
        return self.scores.topics

    @property
    def is_lower(self) -> bool:
        """Whether the smallest score is the best; the sign of the values was changed."""
        return self.measure in self.scores.lower_is_better

    def on(self, topics: Sequence[str]) -> Measured:
        """Return the scores on some topics; the object itself if it has no others."""
        if tuple(topics) == self.topics:
            return self
        return Measured(self.scores.select(measures=[self.measure], topics=topics), self.measure)


@dataclass(frozen=True, eq=False)
class Pairing:
    """One estimate against the reference, by one measure on each side.

    Attributes
    ----------
    name : str
        The name of the estimate.
    reference : Measured
        The scores of the reference.
    estimate : Measured
        The scores of the estimate.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"bm25": 0.2, "dense": 0.5}, "q2": {"bm25": 0.4, "dense": 0.3}}
    >>> llm = {"q2": {"bm25": 0.5, "dense": 0.7}, "q1": {"bm25": 0.4, "dense": 0.6}}
    >>> pairing = cd.Study(human, {"llm": llm}).pairing("llm")
    >>> pairing.subject, pairing.measures
    ('llm by score', Measures(measure='score', estimate_measure='score'))
    >>> pairing.has_topics, pairing.topics, pairing.on_common_topics.topics
    (True, ('q1', 'q2'), ('q1', 'q2'))
    """

    name: str
    reference: Measured
    estimate: Measured

    @property
    def measures(self) -> Measures:
        """The measures of both sides."""
        return Measures(self.reference.measure, self.estimate.measure)

    @property
    def subject(self) -> str:
        """The names of the estimate and of the measures, for a note."""
        return f"{self.name} by {self.measures}"

    @property
    def has_topics(self) -> bool:
        """Whether there is more than one topic on each side."""
        return min(len(self.reference.topics), len(self.estimate.topics)) > 1

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics of both sides together, those of the reference first."""
        return tuple(dict.fromkeys((*self.reference.topics, *self.estimate.topics)))

    def common_topics(self, *others: Measured) -> list[str]:
        """Return the topics that both sides, and other scores, have.

        Parameters
        ----------
        *others : Measured
            Other scores that must have the topics too.

        Returns
        -------
        list of str
            The topics, in the order of the reference.

        Examples
        --------
        >>> import concordant as cd
        >>> human = {"q1": {"bm25": 0.2, "dense": 0.5}, "q2": {"bm25": 0.4, "dense": 0.3}}
        >>> llm = {"q2": {"bm25": 0.5, "dense": 0.7}, "q1": {"bm25": 0.4, "dense": 0.6}}
        >>> pairing = cd.Study(human, {"llm": llm}).pairing("llm")
        >>> pairing.common_topics()
        ['q1', 'q2']
        """
        return common_topics([side.scores for side in (self.reference, self.estimate, *others)])

    @functools.cached_property
    def on_common_topics(self) -> Pairing:
        """The same pairing on the topics that both sides have."""
        return self.on(self.common_topics())

    def on(self, topics: Sequence[str]) -> Pairing:
        """Return the same pairing on some topics.

        Parameters
        ----------
        topics : sequence of str
            The topics.

        Returns
        -------
        Pairing
            The pairing on these topics.

        Examples
        --------
        >>> import concordant as cd
        >>> human = {"q1": {"bm25": 0.2, "dense": 0.5}, "q2": {"bm25": 0.4, "dense": 0.3}}
        >>> llm = {"q2": {"bm25": 0.5, "dense": 0.7}, "q1": {"bm25": 0.4, "dense": 0.6}}
        >>> pairing = cd.Study(human, {"llm": llm}).pairing("llm")
        >>> pairing.on(["q2"]).topics
        ('q2',)
        """
        return replace(self, reference=self.reference.on(topics), estimate=self.estimate.on(topics))

    def of_means(self, coefficients: Sequence[Coefficient]) -> list[Outcome]:
        """Compute coefficients of the two rankings by mean scores.

        Parameters
        ----------
        coefficients : sequence of Coefficient
            The coefficients. Ties are an error for one that refuses them.

        Returns
        -------
        list of Outcome
            The values, one outcome per coefficient.

        Examples
        --------
        >>> import concordant as cd
        >>> human = {"q1": {"bm25": 0.2, "dense": 0.5}, "q2": {"bm25": 0.4, "dense": 0.3}}
        >>> llm = {"q2": {"bm25": 0.5, "dense": 0.7}, "q1": {"bm25": 0.4, "dense": 0.6}}
        >>> pairing = cd.Study(human, {"llm": llm}).pairing("llm")
        >>> pairing.of_means([cd.coefficient("tau_b")])[0].values.tolist()
        [1.0]
        """
        outcomes = evaluate(coefficients, read_pairs(self.reference.mean, self.estimate.mean), "raise", 1)
        for outcome in outcomes:
            outcome.refuse()
        return outcomes

    def of_topics(self, coefficients: Sequence[Coefficient]) -> list[Outcome]:
        """Compute coefficients topic by topic.

        Parameters
        ----------
        coefficients : sequence of Coefficient
            The coefficients. For one that refuses ties, a topic with ties is undefined.

        Returns
        -------
        list of Outcome
            One value per topic, for each coefficient.

        Examples
        --------
        >>> import concordant as cd
        >>> human = {"q1": {"bm25": 0.2, "dense": 0.5}, "q2": {"bm25": 0.4, "dense": 0.3}}
        >>> llm = {"q2": {"bm25": 0.5, "dense": 0.7}, "q1": {"bm25": 0.4, "dense": 0.6}}
        >>> pairing = cd.Study(human, {"llm": llm}).pairing("llm")
        >>> pairing.of_topics([cd.coefficient("tau_b")])[0].values.tolist()
        [1.0, -1.0]
        """
        pairs = read_pairs(self.reference.values, self.estimate.values)
        return evaluate(coefficients, pairs, "raise", 1, refuse=False)


def too_many_pairs(*n_systems: int) -> str:
    """Return a sentence if several sets of systems have more pairs than are listed and tested, else ""."""
    pairs, most = sum(math.comb(n, 2) for n in n_systems), limit("CONCORDANT_MAX_PAIRS")
    if pairs <= most:
        return ""
    many = f"there are {pairs:,} pairs of systems, more than {most:,}"
    return f"{many}; set CONCORDANT_MAX_PAIRS to a larger number"
