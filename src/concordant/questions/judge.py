"""How well estimates, such as the judgements of a language model, rank the systems."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from concordant.checks import whole_number
from concordant.coefficients.declaration import Coefficient, CoefficientsLike, chosen
from concordant.coefficients.evaluation import without_groups
from concordant.errors import ArgumentError, option, public
from concordant.questions.by_topic import OfTopic, TopicSummary, over_topics
from concordant.questions.correlate import (
    Agreements,
    CorrelateResult,
    agreements,
    checked_floor,
    defined,
)
from concordant.questions.raters import (
    BOTH_SIDES,
    CONFUSION,
    RATERS,
    THRESHOLDS,
    TOPIC_LABELS,
    Confusion,
    LabelThreshold,
    RaterAgreement,
    TopicLabels,
    rater_tables,
)
from concordant.reading.from_memory import ScoresLike
from concordant.reading.qrels import Qrels, QrelsLike, qrels_of
from concordant.reading.ratings import ratings_of_qrels
from concordant.results.note import Note, unique
from concordant.results.result import records
from concordant.results.table import parts
from concordant.results.words import count, nouns, some
from concordant.scores.scores import ALL
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.difference import interval_and_pvalue
from concordant.statistics.faults import favoured
from concordant.statistics.resampling import Resampled, Resampler, Resampling, TopicSample, started
from concordant.statistics.simultaneous import stepped_down
from concordant.statistics.topic_luck import LEAST_TOPICS, TopicLuck
from concordant.study.names import GroupBy, group_option, groups_by_name
from concordant.study.pairing import Measured, Measures, Pairing, too_many_pairs
from concordant.study.study import Study, study_of
from concordant.typing import Progress

_MOST_RIVALS = 40  # estimates whose pairs are compared, by one measure of the reference
_REFERENCE = "the reference"
RELIABILITY = ("tau_b", "tau_ap_b")  # the coefficients whose expectation is known


@dataclass(frozen=True)
class Difference:
    """How much better one estimate agrees with the reference than another.

    Attributes
    ----------
    measure : str
        The measure of the reference.
    coefficient : Coefficient
        The coefficient.
    estimate : str
        The name of the estimate with the higher value on the common topics.
    estimate_measure : str or None
        Its measure, if it is not that of the reference; otherwise None.
    other : str
        The name of the other estimate.
    other_measure : str or None
        The measure of the other estimate, if it is not that of the reference; otherwise None.
    difference : float
        The value of the first minus that of the other.
    interval : ConfidenceInterval or None
        The confidence interval; None if there is none.
    pvalue : float or None
        The p-value; None if there was no test.
    pvalue_adjusted : float or None
        The p-value, adjusted for all ordered pairs of estimates of this measure; None if there was no test.
    topics : int
        The number of topics that both estimates and the reference have.
    """

    measure: str
    coefficient: Coefficient
    estimate: str
    estimate_measure: str | None
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
    """How an estimate treats a group of systems, and the first coefficient without it.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    group : str
        The name of the group.
    systems : int
        The number of systems of the group.
    effect : float or None
        How much higher it scores the group than other systems of the same reference score; None if that was
        not tested.
    interval : ConfidenceInterval or None
        The confidence interval of the effect.
    ranks : float or None
        How many ranks a system of the group gains by it, on average.
    pvalue : float or None
        The p-value of no effect, adjusted for the number of groups.
    not_tested : str or None
        Why the group was not tested.
    value : float
        The first coefficient without the group; nan if it is undefined.
    change : float
        That value minus the coefficient of all systems.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    group: str
    systems: int
    effect: float | None
    interval: ConfidenceInterval | None = field(metadata=parts("low", "high", of="effect"))
    ranks: float | None
    pvalue: float | None
    not_tested: str | None
    value: float
    change: float


@dataclass(frozen=True)
class ExpectedCorrelation:
    """How well the topics of the reference order the systems.

    Attributes
    ----------
    measure : str
        The measure of the reference.
    coefficient : Coefficient
        The coefficient.
    topics : int
        The number of topics of the reference.
    f : float
        The mean square of systems divided by that of the residuals.
    pvalue : float
        The p-value of equal systems.
    reliability : float
        The share of the variance of the means that is not luck of the topics.
    expected : float or None
        The expected correlation of a ranking by so many topics with the true ranking.
    interval : ConfidenceInterval or None
        Its confidence interval; None for fewer than five topics.
    other_topics : float or None
        The expected correlation with a ranking by as many other topics.
    other_interval : ConfidenceInterval or None
        Its confidence interval.
    """

    measure: str
    coefficient: Coefficient
    topics: int
    f: float
    pvalue: float
    reliability: float
    expected: float | None
    interval: ConfidenceInterval | None = field(metadata=parts("low", "high", of="expected"))
    other_topics: float | None
    other_interval: ConfidenceInterval | None = field(
        metadata=parts("other_low", "other_high", of="other_topics")
    )


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class JudgeResult(CorrelateResult):
    """The result of `judge`; prints as text.

    Beside those below, it has the tables of `CorrelateResult`: ``agreement``, ``systems``, ``pairs`` and
    ``judges``.

    Attributes
    ----------
    best : tuple of Contender or None
        Which estimates may be the best. It needs intervals, and several estimates on the same topics.
    comparison : tuple of Difference or None
        All pairs of estimates. It needs intervals, and several estimates, up to 40 for a measure of the
        reference; an estimate by two measures counts as two.
    topics : tuple of TopicSummary
        Coefficients of means and over topics.
    each_topic : tuple of OfTopic
        Each topic.
    reliability : tuple of ExpectedCorrelation
        How well the topics of the reference order the systems, and the agreement expected of other topics.
    raters : tuple of RaterAgreement or None
        Agreement of the labels themselves. It needs judgements on both sides.
    confusion : tuple of Confusion or None
        Items by label of the reference (rows) and of the rater (columns). It needs judgements on both sides.
    thresholds : tuple of LabelThreshold or None
        Precision and recall of the rater, if labels from a grade on count as yes. It needs judgements on both
        sides.
    topic_labels : tuple of TopicLabels or None
        Agreement of the labels topic by topic. It needs judgements on both sides.
    groups : tuple of WithoutGroup or None
        Groups of systems that an estimate favours. It needs groups of systems.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"a": 0.2, "b": 0.5, "c": 0.3}, "q2": {"a": 0.4, "b": 0.3, "c": 0.2}}
    >>> result = cd.judge(human, {"same": human}, "tau_b")
    >>> result.agreement[0].value, [each.gain for each in result.systems]
    (1.0, [0, 0, 0])
    """

    function: ClassVar[str] = "judge"
    asks: ClassVar[str] = "Can a judge replace the reference?"

    best: tuple[Contender, ...] | None = records(
        Contender,
        "Which may be the best: p-values, and joint confidence intervals",
        needs="intervals, and several estimates on the same topics",
    )
    comparison: tuple[Difference, ...] | None = records(
        Difference, "All pairs of estimates", needs="intervals, and several estimates, up to 40"
    )
    topics: tuple[TopicSummary, ...] = records(TopicSummary, "Topic by topic")
    each_topic: tuple[OfTopic, ...] = records(OfTopic, "Each topic", spread=("coefficient", "value"))
    reliability: tuple[ExpectedCorrelation, ...] = records(
        ExpectedCorrelation, "How well the topics of the reference order the systems"
    )
    raters: tuple[RaterAgreement, ...] | None = records(RaterAgreement, RATERS, needs=BOTH_SIDES)
    confusion: tuple[Confusion, ...] | None = records(
        Confusion, CONFUSION, spread=("rater_label", "n"), needs=BOTH_SIDES
    )
    thresholds: tuple[LabelThreshold, ...] | None = records(LabelThreshold, THRESHOLDS, needs=BOTH_SIDES)
    topic_labels: tuple[TopicLabels, ...] | None = records(TopicLabels, TOPIC_LABELS, needs=BOTH_SIDES)
    groups: tuple[WithoutGroup, ...] | None = records(
        WithoutGroup, "Groups of systems", needs="groups of systems"
    )

    @property
    def _judged(self) -> JudgeResult:
        return self


@public
def judge(
    reference: ScoresLike | Study,
    estimates: Mapping[str, ScoresLike] | ScoresLike | None = None,
    coefficients: CoefficientsLike = ("tau_ap_b", "tau_b"),
    *,
    top: int = 10,
    at_least: float | None = None,
    qrels: QrelsLike | None = None,
    estimate_qrels: Mapping[str, QrelsLike] | None = None,
    group_by: GroupBy | None = None,
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
    top : int, default 10
        How many systems are the top, in the table ``judges``.
    at_least : float, optional
        A floor: the column ``at_least`` says whether each coefficient is shown to be at least so large.
    qrels, estimate_qrels : judgements, and mapping of name to judgements, as `evaluate` takes them, optional
        The judgements, to compute their own agreement document by document.
    group_by : str or mapping, optional
        A regular expression, or ``{system: group}``. Systems are one group if the expression matches the same
        text in their names; ``"^[^-]+"`` matches the part before the first hyphen. A system without a group
        is on its own: groups are compared with it, and it is not left out. The table ``groups`` says which
        group an estimate favours, and how much the first coefficient changes without each. The interval over
        systems is then over groups.
    resampling : Resampling or None
        How the intervals are computed. The topics are drawn once, for everything that the result says. With
        intervals, all pairs of estimates are compared on the topics that both have (see `difference`), and
        ``best`` says which may be the best. Tests have the level 1 - `confidence_level`. None means no
        intervals and no comparison, and the level 0.05.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    JudgeResult
        The fields hold records: ``agreement``, ``judges``, ``systems`` and ``pairs``; ``best`` and
        ``comparison`` (for several estimates with intervals); ``topics`` and ``each_topic``;
        ``reliability``; ``raters``, ``confusion``, ``thresholds`` and ``topic_labels`` (with `qrels`);
        ``groups`` (with `group_by`).

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"a": 0.2, "b": 0.5, "c": 0.3}, "q2": {"a": 0.4, "b": 0.3, "c": 0.2}}
    >>> llm = {"q1": {"a": 0.3, "b": 0.6, "c": 0.4}, "q2": {"a": 0.5, "b": 0.2, "c": 0.1}}
    >>> cd.judge(human, {"llm": llm}, ["tau_b"]).agreement[0].value
    0.8164965809277261
    """
    asked = chosen(coefficients)
    whole_number("top", top, 2)
    how = None if resampling is None else started(resampling)
    floor = checked_floor(at_least, how)
    judged: dict[str, Any] = {}
    study = study_of(reference, estimates)
    if qrels is not None and estimate_qrels:
        gone = set(study.topics_left_out)
        sides = {_REFERENCE: qrels_of(qrels)} | {str(name): qrels_of(e) for name, e in estimate_qrels.items()}
        ratings = ratings_of_qrels(
            {name: _without(each, gone) if gone else each for name, each in sides.items()}
        )
        level = None if how is None else how.confidence_level
        judged = rater_tables(ratings, [(_REFERENCE, name) for name in ratings.raters[1:]], level)
    for pairing in study.pairings:
        if not pairing.common_topics() and ALL not in pairing.topics:  # not means
            raise ArgumentError(
                f"{pairing.name} and the reference have no topic in common; are the topics named the same?"
            )
    groups, of_groups = (None, []) if group_by is None else _grouped(study.systems, group_by)
    luck = _luck(study.pairings)
    with nouns(study.nouns):
        found = agreements(
            study.pairings, asked, how, progress, at_least=floor, top=top, groups=groups, luck=luck
        )
        own, notes = found.fields(study, top, at_least, with_reliability=True)
    notes += of_groups
    own["options"] |= {} if group_by is None else {"group_by": group_option(group_by)}
    comparison = None if how is None or not found.joint.groups else _comparison(found, how, notes)
    topics, each_topic = over_topics(found)
    for row in topics:
        if row.reason:
            text = f"{row.coefficient} is undefined for {count(row.undefined, 'topic')}: {row.reason}"
            notes.append(Note("undefined_topics", text=text, subject=row.estimate, table="topics"))
    of_measures = [(side.measure, its_luck) for side, its_luck in luck.items()]
    return JudgeResult(
        **own,
        **judged,
        best=_contenders(found) or None,
        comparison=comparison,
        topics=topics,
        each_topic=each_topic,
        reliability=tuple(expected_correlations(of_measures, found.level or 0.95)),
        groups=None if groups is None else tuple(_of_groups(found, groups)),
        notes=unique(notes),
    )


def _without(qrels: Qrels, topics: set[str]) -> Qrels:
    return qrels_of({topic: own for topic, own in qrels.items() if topic not in topics})


def _luck(pairings: Sequence[Pairing]) -> dict[Measured, TopicLuck]:
    """Return how well the topics of each reference order the systems, if there are enough of both."""
    sides = dict.fromkeys(pairing.reference for pairing in pairings)
    return {
        side: TopicLuck(side.values)
        for side in sides
        if len(side.topics) > 1 and len(side.mean) > 1 and not too_many_pairs(len(side.mean))
    }


def expected_correlations(
    luck: Iterable[tuple[str, TopicLuck]], level: float
) -> Iterator[ExpectedCorrelation]:
    """Yield what is expected of the ranking by the reference, for each measure and number of topics."""
    for measure, own in luck:
        if math.isnan(own.f):
            continue
        both = zip(own.expected("true", level=level), own.expected("other", level=level), strict=True)
        for place, (c, (true, other)) in enumerate(zip(chosen(RELIABILITY), both, strict=True)):
            known = place == 0 or not own.has_ties
            yield ExpectedCorrelation(
                *(measure, c, own.n, own.f, own.pvalue, own.reliability),
                *((true.value, _known(true.interval)) if known else (None, None)),
                *((other.value, _known(other.interval)) if known else (None, None)),
            )


def _known(interval: ConfidenceInterval) -> ConfidenceInterval | None:
    return None if math.isnan(interval.low) else interval


# --- which estimate is the best --------------------------------------------------------------------------


def _contenders(found: Agreements) -> tuple[Contender, ...]:
    """Return which estimates may be the best, by each coefficient."""
    listed = []
    for own, j, best, interval, pvalue in found.joint.many:
        c, pairing = found.coefficients[j], found.pairings[own]
        value, known = found.value(own, c), None if math.isnan(interval.low) else interval
        head = (c, pairing.name, pairing.measures, value, known, found.value(best, c) - value)
        listed.append(Contender(*head, pvalue, pvalue >= found.alpha))
    return tuple(listed)


def _comparison(found: Agreements, how: Resampler, notes: list[Note]) -> tuple[Difference, ...] | None:
    """Compare all pairs of estimates, by every measure of the reference and coefficient.

    The p-values are adjusted for all ordered pairs of one measure and coefficient.
    """
    pairings, listed, compared = found.pairings, list[Difference](), False
    for measure in dict.fromkeys(pairing.measures.measure for pairing in pairings):
        rivals = [i for i, pairing in enumerate(pairings) if pairing.measures.measure == measure]
        if len(rivals) > _MOST_RIVALS:
            text = f"{len(rivals)} estimates by {measure}, more than {_MOST_RIVALS}: no pairs are compared"
            notes.append(Note("too_many_to_compare", text=text, values={"estimates": len(rivals)}, lost=True))
        if not 2 <= len(rivals) <= _MOST_RIVALS:
            continue
        compared = True
        pairs = list(_pairs_of_rivals(found, rivals, how, notes))
        for j, c in enumerate(found.coefficients):
            undefined = tuple(pairings[i].name for i in rivals if math.isnan(found.value(i, c)))
            if undefined:
                text = f"not compared with the others, because {c} is undefined: {some(undefined)}"
                notes.append(
                    Note(
                        "not_compared_undefined",
                        text=text,
                        values={"estimates": undefined},
                        table="comparison",
                    )
                )
            of_pairs = []
            for *numbers, sample, drawn, places, n in pairs:
                rows = [sample.row(place, j) for place in places]
                better = 0 if drawn.observed[rows[0]] >= drawn.observed[rows[1]] else 1
                each = drawn.difference(rows[better], rows[1 - better], n)
                if not math.isnan(each.observed[0]):
                    of_pairs.append((numbers[better], numbers[1 - better], each))
            listed += _tested(found, measure, c, of_pairs, how, notes)
    return tuple(listed) if compared else None


def _tested(
    found: Agreements,
    measure: str,
    c: Coefficient,
    pairs: Sequence[tuple[int, int, Resampled]],
    how: Resampler,
    notes: list[Note],
) -> Iterator[Difference]:
    """Yield the differences of pairs of estimates."""
    if not pairs:
        return
    differences = np.array([float(each.observed[0]) for *_, each in pairs])
    draws = np.array([each.distribution[0] for *_, each in pairs])
    adjusted, _ = stepped_down(differences, draws, [each.n for *_, each in pairs], 1 - how.confidence_level)
    names = [
        (p.name, None if len(set(p.measures)) == 1 else p.measures.estimate_measure) for p in found.pairings
    ]
    for (a, b, each), together in zip(pairs, adjusted.tolist(), strict=True):
        interval, p, doubts = interval_and_pvalue(each, how.method, how.confidence_level)
        notes += [note.about(f"{names[a][0]} and {names[b][0]}") for note in doubts]
        yield Difference(
            measure=measure,
            coefficient=c,
            estimate=names[a][0],
            estimate_measure=names[a][1],
            other=names[b][0],
            other_measure=names[b][1],
            difference=float(each.observed[0]),
            interval=_known(interval),
            pvalue=defined(p),
            pvalue_adjusted=defined(p if math.isnan(together) else max(p, together)),
            topics=each.n,
        )


def _pairs_of_rivals(
    found: Agreements, rivals: Sequence[int], how: Resampler, notes: list[Note]
) -> Iterator[tuple[int, int, TopicSample, Resampled, tuple[int, int], int]]:
    """Yield pairs of estimates: the sample, what was drawn, their places in it, and how many topics.

    If estimates have different systems or topics, each pair is compared on those that both and the reference
    have; the topics are drawn once, from all that at least two estimates have.
    """
    pairings, groups = found.pairings, found.joint.groups
    for group, sample, drawn in groups:
        if set(rivals) <= set(group) and all(len(pairings[i].common_topics()) == sample.n for i in rivals):
            for a, b in itertools.combinations(rivals, 2):
                yield a, b, sample, drawn, (group.index(a), group.index(b)), sample.n
            return
    pairs, made, few = list[tuple[int, int, int]](), list[Pairing](), list[str]()
    for a, b in itertools.combinations(rivals, 2):
        topics = pairings[a].common_topics(pairings[b].estimate)
        systems = pairings[a].common_systems(pairings[b].estimate)
        both = f"{pairings[a].name} and {pairings[b].name}"
        if len(topics) < LEAST_TOPICS or len(systems) < 2:
            few.append(both)
            continue
        first, second = (pairings[i].on(topics, systems) for i in (a, b))
        made += [first, Pairing(second.name, first.reference, second.estimate)]
        pairs.append((a, b, len(topics)))
    alike = len({pairings[i].reference.systems for i in rivals}) == 1
    if few:
        or_systems = "" if alike else ", or two systems"
        text = f"not compared, because they share fewer than five topics{or_systems}: {some(few)}"
        notes.append(Note("not_compared_topics", text=text, lost=True))
    if not made:
        return
    least = min(n for *_, n in pairs)
    what = "topics" if alike else "systems and topics"
    least_of = f"{least} or more" if alike else f"{least} topics or more"
    text = f"pairs of estimates are compared on the {what} that both and the reference have, {least_of}"
    notes.append(Note("compared_on_fewer_topics", text=text, values={"topics": least}, table="comparison"))
    sample = TopicSample(made, found.coefficients, how)
    drawn = sample.draw()
    for place, (a, b, n) in enumerate(pairs):
        yield a, b, sample, drawn, (2 * place, 2 * place + 1), n


# --- groups of systems -----------------------------------------------------------------------------------


def _grouped(systems: Sequence[str], group_by: GroupBy) -> tuple[dict[str, str], list[Note]]:
    """Return the group of each system that has one, and notes on the others."""
    groups, notes = groups_by_name(systems, group_by)
    if len(groups) == len(systems) and len(set(groups.values())) < 2:
        what = f"{option('group_by')} {group_by!r} puts" if isinstance(group_by, str) else "the groups put"
        one = f"all systems into one group ({groups[systems[0]]!r})"
        raise ArgumentError(f"{what} {one}; leaving it out leaves nothing to compare")
    return groups, notes


def _of_groups(found: Agreements, groups: Mapping[str, str]) -> Iterator[WithoutGroup]:
    """Yield how each estimate treats each group, and the first coefficient without it."""
    c = found.coefficients[0]
    for i, pairing in enumerate(found.pairings):
        names = [groups.get(system, "") for system in pairing.reference.mean]
        different = sorted({*names} - {""})
        # The systems without a group have the last code, and are never left out.
        codes = np.array([different.index(name) if name else len(different) for name in names])
        sides = pairing.reference.means, pairing.estimate.means
        without = dict(
            zip(different, without_groups(c, *sides, codes, len(different), 1).tolist(), strict=True)
        )
        common, level = pairing.on_common_topics, found.level or 0.95
        scores = common.reference.values, common.estimate.values
        x, y = scores if common.topics else (side[None, :] for side in sides)  # or means
        for each in favoured(x, y, names, found.alpha, level):
            own = (each.group, each.systems, each.effect, each.interval, each.ranks, each.pvalue)
            left = without[each.group]
            change = left - found.value(i, c)
            yield WithoutGroup(pairing.name, pairing.measures, *own, each.not_tested, left, change)
