"""How well estimates, such as the judgements of a language model, rank the systems."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from concordant.checks import proportion, several
from concordant.coefficients.declaration import Coefficient, CoefficientsLike, chosen
from concordant.coefficients.evaluation import without_groups
from concordant.errors import ArgumentError, option, public
from concordant.questions.by_topic import OfTopic, TopicSummary, over_topics
from concordant.questions.correlate import Agreements, CorrelateResult, agreements
from concordant.questions.label_agreement import Confusion, LabelAgreement, label_agreement
from concordant.questions.systems import not_all_pairs
from concordant.questions.verdict import verdict_of_estimates
from concordant.reading.from_memory import ScoresLike
from concordant.reading.qrels import QrelsLike
from concordant.results.note import Note, unique
from concordant.results.result import records
from concordant.results.table import parts
from concordant.results.words import count, some
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.difference import DifferenceResult, differences_of, method_of_difference
from concordant.statistics.reliability import expected_of_side
from concordant.statistics.resampling import Resampler, Resampling, TopicSample, started
from concordant.statistics.significance import adjust_pvalues
from concordant.study.names import groups_by_name
from concordant.study.pairing import Measures, Pairing
from concordant.study.study import Study, study_of
from concordant.typing import Progress

RELIABILITY = ("tau_ap", "tau")  # coefficients of untied rankings, for the reliability of the reference


@dataclass(frozen=True)
class Difference:
    """How much better the best estimate agrees with the reference than another.

    Attributes
    ----------
    measure : str
        The measure of the reference.
    coefficient : Coefficient
        The coefficient.
    best : str
        The name of the best estimate.
    best_measure : str or None
        The measure of the best estimate, if it is not that of the reference; otherwise None.
    other : str
        The name of the other estimate.
    other_measure : str or None
        The measure of the other estimate, if it is not that of the reference; otherwise None.
    difference : float
        The value of the best estimate minus that of the other.
    interval : ConfidenceInterval or None
        The confidence interval; None if there is none.
    pvalue : float or None
        The p-value; None if there was no test.
    pvalue_adjusted : float or None
        The p-value, adjusted for the number of other estimates; None if there was no test.
    topics : int
        The number of topics that both estimates and the reference have.
    """

    measure: str
    coefficient: Coefficient
    best: str
    best_measure: str | None
    other: str
    other_measure: str | None
    difference: float
    interval: ConfidenceInterval | None = field(metadata=parts("low", "high", of="difference"))
    pvalue: float | None
    pvalue_adjusted: float | None
    topics: int


@dataclass(frozen=True)
class Contender:
    """An estimate by one measure and coefficient, among all that were tried.

    The confidence intervals of all contenders hold jointly, so that they are valid for the one that is chosen
    because it is the best.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient.
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    value : float
        The value of the coefficient; nan if it is undefined.
    interval : ConfidenceInterval or None
        The confidence interval, which holds jointly with those of all other contenders.
    below_best : float
        The difference between the best value by this coefficient and this value.
    pvalue : float
        The p-value of the hypothesis that this contender is the best.
    may_be_best : bool
        Whether it may be the best: no other is significantly better.
    """

    coefficient: Coefficient
    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    value: float
    interval: ConfidenceInterval | None = field(metadata=parts("low", "high", of="value"))
    below_best: float
    pvalue: float
    may_be_best: bool


@dataclass(frozen=True)
class WithoutGroup:
    """A coefficient without the systems of one group.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    coefficient : Coefficient
        The coefficient.
    group : str
        The name of the group that is left out.
    systems : int
        The number of systems of the group.
    value : float
        The coefficient without the group; nan if it is undefined.
    change : float
        The coefficient without the group minus that of all systems.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    coefficient: Coefficient
    group: str
    systems: int
    value: float
    change: float


@dataclass(frozen=True)
class ExpectedCorrelation:
    """How reliable the ranking by the reference is.

    Attributes
    ----------
    measure : str
        The measure of the reference.
    coefficient : Coefficient
        The coefficient.
    topics : int
        The number of topics of the reference.
    expected : float
        The expected correlation of a ranking by so many topics with the true ranking.
    """

    measure: str
    coefficient: Coefficient
    topics: int
    expected: float


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class JudgeResult(CorrelateResult):
    """The result of `judge`; prints as text.

    Beside those below, it has the tables of `CorrelateResult`: ``agreement``, ``systems`` and ``pairs``.

    Attributes
    ----------
    best : tuple of Contender or None
        Which estimates may be the best. It needs intervals, and several estimates or measures on the same
        topics.
    comparison : tuple of Difference or None
        The best estimate against each other estimate. It needs intervals, and several estimates.
    topics : tuple of TopicSummary
        Coefficients of means and over topics.
    each_topic : tuple of OfTopic
        Each topic.
    reliability : tuple of ExpectedCorrelation
        The expected correlation of the reference's ranking with the true ranking.
    labels : tuple of LabelAgreement or None
        Agreement of the judgements themselves. It needs judgements on both sides.
    confusion : tuple of Confusion or None
        Documents by grade of the reference (rows) and of the estimate (columns). It needs judgements on both
        sides.
    groups : tuple of WithoutGroup or None
        Coefficients without the systems of one group. It needs groups of systems.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"a": 0.2, "b": 0.5, "c": 0.3}, "q2": {"a": 0.4, "b": 0.3, "c": 0.2}}
    >>> result = cd.judge(human, {"same": human}, "tau_b")
    >>> result.agreement[0].value, [each.gain for each in result.systems]
    (1.0, [0, 0, 0])
    """

    function: ClassVar[str] = "judge"

    best: tuple[Contender, ...] | None = records(
        Contender,
        "Which may be the best: p-values, and joint confidence intervals",
        needs="intervals, and several estimates or measures on the same topics",
    )
    comparison: tuple[Difference, ...] | None = records(
        Difference,
        "The best estimate against each other estimate, pair by pair",
        needs="intervals, and several estimates",
    )
    topics: tuple[TopicSummary, ...] = records(TopicSummary, "Topic by topic")
    each_topic: tuple[OfTopic, ...] = records(OfTopic, "Each topic", spread=("coefficient", "value"))
    reliability: tuple[ExpectedCorrelation, ...] = records(
        ExpectedCorrelation, "Expected correlation of the ranking by the reference with the true ranking"
    )
    labels: tuple[LabelAgreement, ...] | None = records(
        LabelAgreement, "Agreement of the judgements themselves", needs="judgements on both sides"
    )
    confusion: tuple[Confusion, ...] | None = records(
        Confusion,
        "Documents by grade of the reference (rows) and of the estimate (columns)",
        spread=("estimate_grade", "documents"),
        needs="judgements on both sides",
    )
    groups: tuple[WithoutGroup, ...] | None = records(
        WithoutGroup, "Without the systems of one group", needs="groups of systems"
    )

    @cached_property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words, about the first coefficient; see `CorrelateResult.verdict`."""
        return verdict_of_estimates(self, self)

    @property
    def emphasis(self) -> str:
        """What bold numbers mean."""
        if self.best is None:
            return super().emphasis
        return (
            "among all systems, an estimate that may be the best by its coefficient (see the table best); "
            "among the top systems, the highest value"
        )

    def emphasised(self, table: str) -> set[int]:
        """Return the numbers of the records that are bold in LaTeX and Markdown.

        Parameters
        ----------
        table : str
            The name of the table.

        Returns
        -------
        set of int
            The numbers of the records.
        """
        if table == "best":
            return {i for i, each in enumerate(self.best or ()) if each.may_be_best}
        found = super().emphasised(table)
        if table == "agreement":
            may_be = {(c.coefficient, c.estimate, c.measure): c.may_be_best for c in self.best or ()}
            for i, each in enumerate(self.agreement):
                key = (each.coefficient, each.estimate, each.measure)
                if key in may_be and each.top == each.coefficient.top:
                    found = found | {i} if may_be[key] else found - {i}
        return found


@public
def judge(
    reference: ScoresLike | Study,
    estimates: Mapping[str, ScoresLike] | ScoresLike | None = None,
    coefficients: CoefficientsLike = ("tau_ap_b", "tau_b"),
    *,
    top: int | Iterable[int] = (10,),
    qrels: QrelsLike | None = None,
    estimate_qrels: Mapping[str, QrelsLike] | None = None,
    alpha: float | None = 0.05,
    group_by: str | None = None,
    resampling: Resampling | None = Resampling(),
    progress: Progress | None = None,
) -> JudgeResult:
    """Judge how well estimates rank the systems, compared with the reference.

    Parameters
    ----------
    reference : Study, or what `Study` takes
        The scores of the systems under the reference judgements. A `Study` has its estimates already.
    estimates : mapping of str to scores, or the scores of one estimate
        The scores of the systems under the judgements of each judge.
    coefficients : list of str or Coefficient, optional
        The coefficients, as `coefficient` reads them. A verdict is about the first.
    top : int or iterable of int, default (10,)
        For each k, the coefficients are also computed among the best k systems of the reference.
    qrels, estimate_qrels : judgements, and mapping of name to judgements, as `evaluate` takes them, optional
        The judgements, to compute their own agreement document by document.
    alpha : float or None, default 0.05
        The level at which pairs of systems are tested for significant differences (paired t-tests, Holm's
        correction). None means no tests.
    group_by : str, optional
        A regular expression. Systems are one group if it matches the same text in their names; ``"^[^-]+"``
        matches the part before the first hyphen. Each group is left out in turn, because the systems of one
        team are similar and may dominate the agreement.
    resampling : Resampling or None
        How the intervals are computed. The topics are drawn once, for everything that the result says. With
        intervals, the best of several estimates is also compared with each other estimate on the topics that
        both have (see `difference`), and ``best`` says which may be the best. None means no intervals and no
        comparison.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    JudgeResult
        The fields hold records: ``agreement``, ``systems`` and ``pairs``; ``best`` and ``comparison`` (for
        several estimates with intervals); ``topics`` and ``each_topic``; ``reliability``; ``labels`` and
        ``confusion`` (with `qrels`); ``groups`` (with `group_by`).

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"a": 0.2, "b": 0.5, "c": 0.3}, "q2": {"a": 0.4, "b": 0.3, "c": 0.2}}
    >>> llm = {"q1": {"a": 0.3, "b": 0.6, "c": 0.4}, "q2": {"a": 0.5, "b": 0.2, "c": 0.1}}
    >>> cd.judge(human, {"llm": llm}, ["tau_b"]).agreement[0].value
    0.8164965809277261
    """
    asked = chosen(coefficients)
    sizes = list(_checked_top(top))
    how = None if resampling is None else started(resampling)
    if alpha is not None:
        proportion("alpha", alpha)
    judged: dict[str, Any] = {}
    if qrels is not None and estimate_qrels:
        compared = label_agreement(qrels, estimate_qrels)
        judged = {"labels": compared.labels, "confusion": compared.confusion}
    study = study_of(reference, estimates)
    pairings = study.pairings
    for pairing in pairings:
        if not pairing.common_topics():
            raise ArgumentError(
                f"{pairing.name} and the reference have no topic in common; are the topics named the same?"
            )
    n, notes = len(study.systems), list(study.notes)
    for k in sizes:
        if k >= n:
            text = f"top {k} was left out: there are only {n} systems"
            notes.append(Note("no_such_top", text=text, values={"top": k, "systems": n}))
    # Each other estimate is compared with the best one.
    rivals = len(pairings) - len({pairing.measures.measure for pairing in pairings})
    exchanged = how is not None and method_of_difference(how) == "exchange"
    scopes = [None, *(k for k in sizes if k < n)]
    found = agreements(study, asked, how, progress, scopes, rivals * len(asked) if exchanged else 0)
    tables, notes = found.tables(alpha), [*notes, *found.notes]
    comparison = None if how is None or not found.joint.groups else _differences(found, how, notes)
    best = _contenders(found) or None
    if best and comparison and how is not None:
        text = (
            'table best: p-value of "this judge is the best", from one joint bootstrap; table comparison: '
            f'adjusted p-value of "these two judges do not differ" ({method_of_difference(how)})'
        )
        notes.append(Note("two_tests", text=text))
    topics, each_topic = over_topics(found)
    for row in topics:
        if row.reason:
            text = f"{row.coefficient} is undefined for {count(row.undefined, 'topic')}: {row.reason}"
            notes.append(Note("undefined_topics", text=text, subject=row.estimate))
    groups = None
    if group_by is not None:
        groups = tuple(_without_each_group(study, found, group_by, 1 if how is None else how.threads))
    return JudgeResult(
        **tables,
        **judged,
        best=best,
        comparison=comparison,
        topics=topics,
        each_topic=each_topic,
        reliability=_reliability(pairings),
        groups=groups,
        notes=unique(notes),
        options={"coefficients": [str(c) for c in asked], "top": sizes, "alpha": alpha}
        | ({} if group_by is None else {"group_by": group_by})
        | ({} if how is None else how.options),
    )


def _reliability(pairings: Sequence[Pairing]) -> tuple[ExpectedCorrelation, ...]:
    """Return how reliable the rankings by the reference are, if there are topics and systems to tell it."""
    if not_all_pairs(pairings):
        return ()
    known, sides = chosen(RELIABILITY), {pairing.reference.measure: pairing.reference for pairing in pairings}
    return tuple(
        ExpectedCorrelation(measure, c, len(side.topics), value)
        for measure, side in sides.items()
        if len(side.topics) > 1 and len(side.mean) > 1
        for c, value in zip(known, expected_of_side(side, known), strict=True)
    )


def _checked_top(top: int | Iterable[int]) -> Iterable[int]:
    for size in several("top", top):
        if not isinstance(size, int | np.integer) or isinstance(size, bool) or size < 2:
            raise ArgumentError(f"{option('top')} must be numbers of systems from 2 up, got {size!r}")
        yield int(size)


# --- which estimate is the best --------------------------------------------------------------------------


def _contenders(found: Agreements) -> tuple[Contender, ...]:
    """Return which estimates may be the best, by each coefficient."""
    listed = []
    for own, j, best, interval, pvalue, _ in found.joint.many:
        c, pairing = found.coefficients[j], found.pairings[own]
        value, known = found.value(own, c), None if math.isnan(interval.low) else interval
        head = (c, pairing.name, pairing.measures, value, known, found.value(best, c) - value)
        listed.append(Contender(*head, pvalue, pvalue >= 1 - (found.level or 0.95)))
    return tuple(listed)


def _differences(found: Agreements, how: Resampler, notes: list[Note]) -> tuple[Difference, ...] | None:
    """Compare the best estimate with each other one, by every measure and coefficient.

    The p-values are adjusted for the number of others: from the joint resample, or, if topics differ so that
    there is no joint resample, by Holm's method.
    """
    pairings = found.pairings
    names = [(p.name, None if len(set(p.measures)) == 1 else p.measures.estimate_measure) for p in pairings]
    joint = {(own, found.coefficients[j]): against for own, j, _, _, _, against in found.joint.many}
    contests = list(_contests(found, notes))
    asked: dict[tuple[int, int], list[Coefficient]] = {}
    for c, best, others in contests:
        for other in others:
            asked.setdefault((best, other), []).append(c)
    results = {pair: _compared(found, *pair, own, how, notes) for pair, own in asked.items()}
    listed: list[Difference] = []
    for c, best, others in contests:
        made = [results[best, other][c] for other in others]
        pvalues = [each.pvalue for each in made]
        known = not any(map(math.isnan, pvalues))
        adjusted = adjust_pvalues(pvalues, "holm").tolist() if known else [None] * len(made)
        if known and all((number, c) in joint for number in (best, *others)):
            adjusted = [max(p, joint[other, c]) for p, other in zip(pvalues, others, strict=True)]
        for other, each, p_adjusted in zip(others, made, adjusted, strict=True):
            head = (pairings[best].measures.measure, c, *names[best], *names[other])
            interval = None if math.isnan(each.confidence_interval.low) else each.confidence_interval
            pvalue = None if math.isnan(each.pvalue) else each.pvalue
            listed.append(Difference(*head, each.statistic, interval, pvalue, p_adjusted, each.n))
    return tuple(listed) if contests else None


def _contests(found: Agreements, notes: list[Note]) -> Iterator[tuple[Coefficient, int, list[int]]]:
    """Yield by measure and coefficient the best pairing, and those that can be compared with it."""
    pairings = found.pairings
    for measure in dict.fromkeys(pairing.measures.measure for pairing in pairings):
        rivals = [i for i, pairing in enumerate(pairings) if pairing.measures.measure == measure]
        for c in found.coefficients if len(rivals) > 1 else ():
            values = {i: found.value(i, c) for i in rivals}
            defined = [i for i in rivals if not math.isnan(values[i])]
            if len(defined) < len(rivals):
                without = tuple(pairings[i].name for i in rivals if i not in defined)
                text = f"not compared with the others, because {c} is undefined: {some(without)}"
                notes.append(Note("not_compared_undefined", text=text, values={"estimates": without}))
            if len(defined) < 2:
                continue
            best = max(defined, key=values.__getitem__)
            others = []
            for other in (i for i in defined if i != best):
                if len(pairings[best].common_topics(pairings[other].estimate)) > 1:
                    others.append(other)
                    continue
                both = f"{pairings[best].name} and {pairings[other].name}"
                text = f"{both} are not compared: they share fewer than two topics"
                notes.append(Note("not_compared_topics", text=text))
            yield c, best, others


def _compared(
    found: Agreements,
    best: int,
    other: int,
    coefficients: Sequence[Coefficient],
    how: Resampler,
    notes: list[Note],
) -> dict[Coefficient, DifferenceResult]:
    """Compare the best estimate with another on the topics that both and the reference have."""
    own, rival = found.pairings[best], found.pairings[other]
    topics, both = own.common_topics(rival.estimate), f"{own.name} and {rival.name}"
    every = {topic for side in (own.reference, own.estimate, rival.estimate) for topic in side.topics}
    groups = found.joint.groups if len(topics) == len(every) else ()
    drawn_for = next((each for each in groups if {best, other} <= set(each[0])), None)
    if drawn_for is not None:
        group, sample, drawn = drawn_for
        a, b = group.index(best), group.index(other)
    else:
        first, second = own.on(topics), rival.on(topics)
        pair = [first, Pairing(second.name, first.reference, second.estimate)]
        sample = TopicSample(pair, coefficients, how)
        drawn, a, b = sample.draw(), 0, 1
    which = [list(sample.coefficients).index(c) for c in coefficients]
    part = found.steps(how.n_resamples * len(which))
    results = differences_of(sample, drawn, a, b, which, progress=part)
    if len(topics) < len(every):
        text = f"{both} are compared on the {len(topics)} topics that both and the reference have"
        notes.append(Note("compared_on_fewer_topics", text=text, values={"topics": len(topics)}))
    notes += [note.about(both) for each in results for note in each.notes]
    return dict(zip(coefficients, results, strict=True))


# --- groups of systems -----------------------------------------------------------------------------------


def _without_each_group(
    study: Study, found: Agreements, pattern: str, threads: int
) -> Iterator[WithoutGroup]:
    """Yield the coefficients without the systems of each group in turn."""
    group_of = groups_by_name(study.systems, pattern)
    names, codes = np.unique(group_of, return_inverse=True)
    if len(names) < 2:
        raise ArgumentError(
            f"{option('group_by')} {pattern!r} puts all systems into one group ({group_of[0]!r}); leaving it "
            "out leaves nothing to compare"
        )
    sizes, place = np.bincount(codes).tolist(), dict(zip(study.systems, codes.tolist(), strict=True))
    for i, pairing in enumerate(study.pairings):
        own = np.array([place[system] for system in pairing.reference.mean])
        for c in found.coefficients:
            sides = pairing.reference.means, pairing.estimate.means
            without = without_groups(c, *sides, own, len(names), threads).tolist()
            for name, size, left in zip(names.tolist(), sizes, without, strict=True):
                head = (pairing.name, pairing.measures, c, name, size)
                yield WithoutGroup(*head, left, left - found.value(i, c))
