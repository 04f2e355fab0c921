"""The result of `judge`: how well estimates rank the systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from concordant.checks import n_workers, proportion, several, whole_number
from concordant.coefficients.declaration import Coefficient, CoefficientsLike
from concordant.coefficients.text_form import chosen
from concordant.errors import ArgumentError, option, public
from concordant.questions.agreement import Agreement, Reason, agreements, highest, reasons, resampling
from concordant.questions.best_estimate import Contender, Difference, contenders, differences
from concordant.questions.by_topic import over_topics
from concordant.questions.groups_of_systems import WithoutGroup, without_each_group
from concordant.questions.label_agreement import Confusion, LabelAgreement, label_agreement_of
from concordant.questions.systems import (
    Moved,
    PairMap,
    PairOrder,
    RankedSystem,
    Relations,
    Reversed,
    moved,
    ranked_systems,
    reversed_pairs,
)
from concordant.questions.verdict import verdict_of_estimates
from concordant.reading.from_memory import ScoresLike
from concordant.reading.qrels import QrelsLike, qrels_of
from concordant.results.note import Note, unique
from concordant.results.result import Result, records
from concordant.results.table import parts
from concordant.statistics.difference import method_of_difference, parts_of_work
from concordant.statistics.reliability import reliability_note
from concordant.statistics.resampling import Method
from concordant.statistics.significance import significant_pairs_of
from concordant.statistics.simultaneous import Steps, groups_of
from concordant.study.pairing import Measures
from concordant.study.study import Study, study_of
from concordant.typing import OnMissing, Progress, RngLike, Topics


@dataclass(frozen=True)
class JudgedByTopic:
    """A coefficient, summarised over the topics.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    coefficient : Coefficient
        The coefficient.
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

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    coefficient: Coefficient
    mean: float | None
    minimum: float | None
    topic_of_minimum: str | None
    maximum: float | None
    topic_of_maximum: str | None
    topics: int
    undefined: int
    reason: str | None


@dataclass(frozen=True)
class JudgedTopic:
    """A coefficient for one topic.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    topic : str
        The name of the topic.
    coefficient : Coefficient
        The coefficient.
    value : float
        The value of the coefficient; nan if it is undefined.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    topic: str
    coefficient: Coefficient
    value: float


@dataclass(frozen=True)
class Significance:
    """Numbers of pairs of systems by significance of their differences, on both sides.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    agree : int
        The number of pairs of systems that differ significantly on both sides, in the same order.
    opposed : int
        The number of pairs of systems that differ significantly on both sides, in the opposite order.
    reference_only : int
        The number of pairs of systems that differ significantly by the reference only.
    estimate_only : int
        The number of pairs of systems that differ significantly by the estimate only.
    neither : int
        The number of pairs of systems that do not differ significantly on either side.
    topics : int
        The number of topics.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    agree: int
    opposed: int
    reference_only: int
    estimate_only: int
    neither: int
    topics: int


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class JudgeResult(Result[Agreement]):
    """The result of `judge`; prints as text.

    Attributes
    ----------
    agreement : tuple of Agreement
        Rankings of systems, estimate against reference.
    best : tuple of Contender or None
        Which may be the best: p-values, and joint confidence intervals. It needs
        intervals, and several estimates or measures on the same topics.
    comparison : tuple of Difference or None
        The best estimate against each other estimate, pair by pair. It needs intervals, and several
        estimates.
    topics : tuple of JudgedByTopic
        The coefficients, summarised over the topics.
    each_topic : tuple of JudgedTopic
        The coefficients of each topic.
    order : tuple of PairOrder
        Pairs of systems in the same and in the opposite order.
    significance : tuple of Significance or None
        Pairs of systems by significant differences (paired t-tests, Holm's correction). It needs topics
        and SciPy.
    labels : tuple of LabelAgreement or None
        Agreement of the judgements themselves. It needs judgements on both sides.
    confusion : tuple of Confusion or None
        Documents by grade of the reference (rows) and of the estimate (columns). It needs judgements on
        both sides.
    groups : tuple of WithoutGroup or None
        The coefficients without the systems of one group. It needs groups of systems.
    reasons : tuple of Reason or None
        Pairs of systems that cost most. It needs a number of reasons.
    systems : tuple of RankedSystem
        Systems by mean score, on both sides.
    pair_map : tuple of PairMap
        Each system against those below it.
    moved : tuple of Moved
        Systems that gain and lose most ranks.
    reversed : tuple of Reversed
        Pairs of systems in the opposite order, the clearest by the reference first.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"bm25": 2, "dense": 5, "rm3": 3}, "q2": {"bm25": 4, "dense": 3, "rm3": 2}}
    >>> gpt = {"q1": {"bm25": 4, "dense": 6, "rm3": 1}, "q2": {"bm25": 5, "dense": 4, "rm3": 3}}
    >>> result = cd.judge(human, {"gpt": gpt}, ["tau_b"], top=2, n_resamples=99)
    >>> [(each.estimate, each.top, round(each.value, 4)) for each in result.agreement]
    [('gpt', None, 1.0), ('gpt', 2, 1.0)]
    """

    function: ClassVar[str] = "judge"

    agreement: tuple[Agreement, ...] = records(Agreement, "Rankings of systems, estimate against reference")
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
    topics: tuple[JudgedByTopic, ...] = records(JudgedByTopic, "Topic by topic")
    each_topic: tuple[JudgedTopic, ...] = records(JudgedTopic, "Each topic", spread=("coefficient", "value"))
    order: tuple[PairOrder, ...] = records(
        PairOrder, "Pairs of systems in the same and in the opposite order"
    )
    significance: tuple[Significance, ...] | None = records(
        Significance,
        "Pairs of systems by significant differences (paired t-tests, Holm's correction)",
        needs="topics and SciPy",
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
    reasons: tuple[Reason, ...] | None = records(
        Reason, "Pairs of systems that cost most", needs="a number of reasons"
    )
    systems: tuple[RankedSystem, ...] = records(RankedSystem, "Systems by mean score, on both sides")
    pair_map: tuple[PairMap, ...] = records(PairMap, "Each system against those below it")
    moved: tuple[Moved, ...] = records(Moved, "Systems that gain and lose most ranks")
    reversed: tuple[Reversed, ...] = records(
        Reversed, "Pairs of systems in the opposite order, the clearest by the reference first"
    )

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words, about the main coefficient.

        This is the first coefficient that was named; by default it is the one that is top-weighted.
        An estimate "agrees" if its interval is above 0. It "is better" if the adjusted p-value and the
        interval of the difference show it; see docs/reference/verdicts.md.
        """
        return verdict_of_estimates(self)

    @property
    def emphasis(self) -> str:
        """The meaning of bold values."""
        if self.best is None:
            return "the highest value by its measure, top and coefficient"
        return (
            "among all systems, an estimate that may be the best by its coefficient (see the table best); "
            "among the top systems, the highest value"
        )

    def emphasised(self, table: str) -> set[int]:
        """Return the records whose value is bold: those that may be the best, or the highest ones.

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
        if table != "agreement":
            return set()
        may_be = {(c.coefficient, c.estimate, c.measure): c.may_be_best for c in self.best or ()}
        found = highest(self.agreement)
        for i, each in enumerate(self.agreement):
            key = each.coefficient, each.estimate, each.measure
            if key in may_be and each.top == each.coefficient.top:
                found = found | {i} if may_be[key] else found - {i}
        return found


# The coefficients of untied rankings by which the reliability of the reference is told.
RELIABILITY = ("tau_ap", "tau")


@public
def judge(
    reference: ScoresLike | Study,
    estimates: Mapping[str, ScoresLike] | ScoresLike | None = None,
    coefficients: CoefficientsLike = ("tau_ap_b", "tau_b"),
    *,
    top: int | Iterable[int] = (10,),
    qrels: QrelsLike | None = None,
    estimate_qrels: Mapping[str, QrelsLike] | None = None,
    n_worst: int = 5,
    n_reasons: int = 3,
    alpha: float | None = 0.05,
    group_by: str | None = None,
    on_missing: OnMissing | None = None,
    topics: Topics = "common",
    confidence_level: float | None = 0.95,
    n_resamples: int = 4999,
    method: Method = "standard",
    rng: RngLike = 0,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> JudgeResult:
    """Judge how well estimates rank the systems, compared with the reference.

    Parameters
    ----------
    reference : Scores, or what `Scores.from_data` takes, or Study
        The scores of the systems under the reference judgements. A `Study` already has its estimates.
    estimates : mapping of name to Scores, or to what `Scores.from_data` takes
        The scores of the systems under the judgements of each judge.
    coefficients : list of str or Coefficient, optional
        The coefficients, as `coefficient` reads them. A verdict is about the first.
    top : int or iterable of int, default (10,)
        For each k, the coefficients are also computed among the best k systems of the reference.
    qrels, estimate_qrels : judgements, and mapping of name to judgements, as `evaluate` takes them, optional
        The judgements, to compute their own agreement document by document.
    n_worst : int, default 5
        How many of the systems that moved most, and of the pairs in the opposite order, to list.
    n_reasons : int, default 3
        How many of the most costly pairs of systems to list for each coefficient; see `explain`.
    alpha : float or None, default 0.05
        The level at which pairs of systems are tested for significant differences (paired t-tests, Holm's
        correction); see `significant_pairs`. None means no tests.
    group_by : str, optional
        A regular expression. Systems are one group if it matches the same text in their names; ``"^[^-]+"``
        matches the part before the first hyphen. Each group is left out in turn, because the systems of one
        team are similar and may dominate the agreement.
    on_missing : {"error", "drop", "zero"}, optional
        What to do about systems and topics that are on one side only; see `Study`.
    topics : {"common", "own"}, default "common"
        Whether to compare on the topics that both sides have, or to take each mean over the topics of its own
        side.
    confidence_level : float or None, default 0.95
        The confidence level of the intervals over topics; see `bootstrap`. With intervals, the best of
        several estimates is also compared with each other estimate on the topics that both have (see
        `difference`), and ``best`` says which may be the best. None means no intervals and no comparison.
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
    JudgeResult
        The fields hold tuples of records: ``agreement``; ``best`` and ``comparison`` (for several estimates
        with intervals); ``topics``; ``significance`` (with `alpha`); ``labels`` and ``confusion`` (with
        `qrels`); ``groups`` (with `group_by`); ``reasons``; ``moved``; ``reversed``.

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
    whole_number("n_worst", n_worst, 0)
    whole_number("n_reasons", n_reasons, 0)
    how = resampling(confidence_level, n_resamples, method, rng, workers, executor)
    if alpha is not None:
        proportion("alpha", alpha)
    of_labels: dict[str, Any] = {}
    if qrels is not None and estimate_qrels:
        own = {str(name): qrels_of(each) for name, each in estimate_qrels.items()}
        of_labels = dict(zip(("labels", "confusion"), label_agreement_of(qrels_of(qrels), own), strict=True))
    study = study_of(reference, estimates, on_missing, topics)
    for pairing in study.pairings:
        if not pairing.common_topics():
            raise ArgumentError(
                f"{pairing.name} and the reference have no topic in common; are the topics named the same?"
            )
    notes = list(study.all_notes)
    n = len(study.systems)
    notes += [Note("no_such_top", values={"top": k, "systems": n}) for k in sizes if k >= n]
    scopes = [None, *(k for k in sizes if k < n)]
    groups = groups_of(study.pairings)
    # Each other estimate is compared with the best one, by every coefficient.
    n_rivals = len(study.pairings) - len({pairing.measures.measure for pairing in study.pairings})
    total = 0
    if how is not None:
        each = parts_of_work(how) - 1
        total = (len(groups) + each * n_rivals * len(asked)) * how.n_resamples
    steps = Steps(progress, total)
    found = agreements(study, asked, how, steps, scopes=scopes, ranks=True)
    comparison = best = None
    if how is not None and groups:
        comparison, not_compared = differences(study, found, asked, how, steps)
        found.notes.extend(not_compared)
        best = contenders(study, found, asked, how.confidence_level) or None
        if best and comparison:
            found.notes.append(Note("two_tests", values={"method": method_of_difference(how)}))
    found.notes.extend(_reliability(study))
    by_topic, each_topic, of_topics = _by_topic(study, asked)
    relations = Relations(alpha)
    described = ranked_systems(study.pairings, how, relations, found.joint)
    significance = _significance(study, relations)
    reversed_found, of_pairs = reversed_pairs(study.pairings, n_worst)
    why = tuple(reasons(study, found, asked, n_reasons)) if n_reasons else None  # adds notes
    return JudgeResult(
        agreement=found.records,
        best=best,
        comparison=comparison,
        topics=by_topic,
        each_topic=each_topic,
        order=described.order,
        significance=significance,
        **of_labels,
        groups=None
        if group_by is None
        else without_each_group(study, found, asked, group_by, n_workers(workers)),
        reasons=why,
        systems=described.systems,
        pair_map=described.pair_map,
        moved=moved(study.pairings, n_worst),
        reversed=reversed_found,
        notes=unique([*notes, *found.notes, *of_topics, *described.notes, *of_pairs]),
        options={"coefficients": [str(c) for c in asked], "top": sizes, "alpha": alpha}
        | ({} if group_by is None else {"group_by": group_by})
        | ({} if how is None else how.options),
    )


def _checked_top(top: int | Iterable[int]) -> Iterable[int]:
    for size in several("top", top):
        if not isinstance(size, int | np.integer) or isinstance(size, bool) or size < 2:
            raise ArgumentError(f"{option('top')} must be numbers of systems from 2 up, got {size!r}")
        yield int(size)


def _reliability(study: Study) -> list[Note]:
    """Return notes on the reliability of the ranking by each measure of the reference."""
    sides = {pairing.reference.measure: pairing.reference for pairing in study.pairings}
    notes = (reliability_note(side, chosen(RELIABILITY)) for side in sides.values())
    return [note for note in notes if note is not None]


def _by_topic(
    study: Study, asked: Sequence[Coefficient]
) -> tuple[tuple[JudgedByTopic, ...], tuple[JudgedTopic, ...], list[Note]]:
    found: list[JudgedByTopic] = []
    each: list[JudgedTopic] = []
    notes: list[Note] = []
    for pairing in study.pairings:
        common = pairing.on_common_topics
        outcomes = common.of_topics(asked)
        each += [
            JudgedTopic(pairing.name, pairing.measures, topic, c, float(outcome.values[t]))
            for t, topic in enumerate(common.reference.topics)
            for c, outcome in zip(asked, outcomes, strict=True)
        ]
        for c, outcome in zip(asked, outcomes, strict=True):
            own = over_topics(outcome, common.reference.topics)
            found.append(
                JudgedByTopic(estimate=pairing.name, measure=pairing.measures, coefficient=c, **vars(own))
            )
            if own.reason:
                about = {"coefficient": str(c), "topics": own.undefined, "reason": own.reason}
                notes.append(Note("undefined_topics", subject=pairing.name, values=about))
    return tuple(found), tuple(each), notes


def _significance(study: Study, relations: Relations) -> tuple[Significance, ...] | None:
    """Count the pairs of systems that differ significantly; None if they were not tested."""
    found: list[Significance] = []
    for pairing in study.pairings:
        both = relations.of(pairing)
        if both is not None and relations.alpha is not None:
            common = pairing.on_common_topics
            counts = significant_pairs_of(common, *both, relations.alpha)
            kinds = (
                counts.agree,
                counts.opposed,
                counts.reference_only,
                counts.estimate_only,
                counts.neither,
            )
            found.append(Significance(pairing.name, pairing.measures, *kinds, len(common.reference.topics)))
    return tuple(found) or None
