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
from concordant.errors import ArgumentError
from concordant.rankings.pairs import read_pairs
from concordant.rankings.ties import Overlapping, TieRelation
from concordant.reading.files import limit
from concordant.scores.means import Means
from concordant.scores.scores import Scores
from concordant.study.align import common_topics
from concordant.typing import Floats, Topics

_HALF_WIDTH = 1.959963984540054  # of a 0.95 confidence interval, in standard errors


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
    def systems(self) -> tuple[str, ...]:
        """The systems of this side."""
        return self.scores.systems

    @property
    def is_lower(self) -> bool:
        """Whether the smallest score is the best; the sign of the values was changed."""
        return self.measure in self.scores.lower_is_better

    @functools.cached_property
    def errors(self) -> Floats | None:
        """The standard errors below and above the mean of each system, 2 x systems, if all are known."""
        known = [self.scores.errors.get((self.measure, system)) for system in self.systems]
        return None if None in known or len(self.topics) > 1 else np.array(known, dtype=np.float64).T

    def overlapping(self) -> TieRelation:
        """Return which systems are tied because their 0.95 confidence intervals overlap."""
        if self.errors is None:
            raise ArgumentError(
                f"'overlap' needs the standard errors or intervals of {self.measure}, of every system; "
                f"{self.scores.source.name or 'the table'} has none"
            )
        low, high = self.means + np.array([[-1.0], [1.0]]) * _HALF_WIDTH * self.errors
        above = low[:, None] > high[None, :]
        return TieRelation(~(above | above.T), self.systems)

    def on(self, topics: Sequence[str], systems: Sequence[str] | None = None) -> Measured:
        """Return the scores of some systems on some topics; the object itself if it has no others."""
        if tuple(topics) == self.topics and (systems is None or tuple(systems) == self.systems):
            return self
        chosen = self.scores.select(measures=[self.measure], topics=topics, systems=systems)
        return Measured(chosen, self.measure)


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
    >>> pairing.has_topics, pairing.has_errors, pairing.topics, pairing.on_common_topics.topics
    (True, False, ('q1', 'q2'), ('q1', 'q2'))
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
    def has_errors(self) -> bool:
        """Whether the standard errors of the scores of one side are known."""
        return self.reference.errors is not None or self.estimate.errors is not None

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics of both sides together, those of the reference first."""
        return tuple(dict.fromkeys((*self.reference.topics, *self.estimate.topics)))

    def common_systems(self, *others: Measured) -> list[str]:
        """Return the systems that both sides, and other scores, have.

        Parameters
        ----------
        *others : Measured
            Other scores that must have the systems too.

        Returns
        -------
        list of str
            The systems, in the order of the reference.

        Examples
        --------
        >>> import concordant as cd
        >>> human = {"q1": {"bm25": 0.2, "dense": 0.5}, "q2": {"bm25": 0.4, "dense": 0.3}}
        >>> cd.Study(human, {"llm": human}).pairing("llm").common_systems()
        ['bm25', 'dense']
        """
        shared = set(self.estimate.systems).intersection(*(other.systems for other in others))
        return [system for system in self.reference.systems if system in shared]

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

    def on(self, topics: Sequence[str], systems: Sequence[str] | None = None) -> Pairing:
        """Return the same pairing on some topics.

        Parameters
        ----------
        topics : sequence of str
            The topics.
        systems : sequence of str, optional
            The systems; by default all.

        Returns
        -------
        Pairing
            The pairing on these topics, and of these systems.

        Examples
        --------
        >>> import concordant as cd
        >>> human = {"q1": {"bm25": 0.2, "dense": 0.5}, "q2": {"bm25": 0.4, "dense": 0.3}}
        >>> llm = {"q2": {"bm25": 0.5, "dense": 0.7}, "q1": {"bm25": 0.4, "dense": 0.6}}
        >>> pairing = cd.Study(human, {"llm": llm}).pairing("llm")
        >>> pairing.on(["q2"]).topics
        ('q2',)
        """
        sides = (side.on(topics, systems) for side in (self.reference, self.estimate))
        return Pairing(self.name, *sides)

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
        known = [self._with_ties(c) for c in coefficients]
        outcomes = evaluate(known, read_pairs(self.reference.mean, self.estimate.mean), "raise", 1)
        for outcome in outcomes:
            outcome.refuse()
        return outcomes

    def _with_ties(self, c: Coefficient) -> Coefficient:
        """Return a coefficient whose ties by overlapping intervals are known."""
        if not c.overlapping:
            return c
        sides = zip(c.threshold, (self.reference, self.estimate), strict=True)
        ties = tuple(side.overlapping() if isinstance(tie, Overlapping) else tie for tie, side in sides)
        return replace(c, options=tuple((dict(c.options) | {"threshold": ties}).items()))

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


def known_scores(scores: Scores, measure: str) -> Measured:
    """Return the scores of the systems that have some by a measure."""
    absent = np.asarray(np.isnan(scores.one_measure(measure)[1]).all(axis=0))
    if not absent.any():
        return Measured(scores, measure)
    known = [system for system, lacks in zip(scores.systems, absent.tolist(), strict=True) if not lacks]
    if not known:
        raise ArgumentError(f"no system that is compared has a score by {measure}; choose other measures")
    return Measured(scores.select(measures=[measure], systems=known), measure)


def paired(name: str, reference: Measured, estimate: Measured, topics: Topics) -> Pairing:
    """Return two sides on the systems that both have, and on their common topics if these are wanted."""
    pairing = Pairing(name, reference, estimate)
    systems = pairing.common_systems()
    common = pairing.common_topics() if topics == "common" else []
    if common:
        return pairing.on(common, systems)
    return Pairing(name, *(side.on(side.topics, systems) for side in (reference, estimate)))


def too_many_pairs(*n_systems: int) -> str:
    """Return a sentence if several sets of systems have more pairs than are listed and tested, else ""."""
    pairs, most = sum(math.comb(n, 2) for n in n_systems), limit("CONCORDANT_MAX_PAIRS")
    if pairs <= most:
        return ""
    many = f"there are {pairs:,} pairs of systems, more than {most:,}"
    return f"{many}; set CONCORDANT_MAX_PAIRS to a larger number"
