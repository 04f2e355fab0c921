"""How well estimates, such as the judgements of a language model, rank the systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from concordant.coefficients import Coefficient, CoefficientsLike, chosen, usual
from concordant.errors import ArgumentError, option, public
from concordant.inference import (
    Method,
    Steps,
    groups_of,
    parts_of_work,
    reliability_note,
    significant_pairs_of,
)
from concordant.io import QrelsLike, qrels_of
from concordant.judging.agreement import Agreement, Reason, agreements, highest, reasons, resampling
from concordant.judging.best_estimate import Contender, Difference, contenders, differences
from concordant.judging.by_topic import over_topics
from concordant.judging.labels import Confusion, LabelAgreement, label_agreement_of
from concordant.judging.moves import Moved, Reversed, moved, reversed_pairs
from concordant.judging.systems import PairMap, PairOrder, RankedSystem, Relations, ranked_systems
from concordant.judging.teams import WithoutGroup, without_each_group
from concordant.judging.verdict_of_estimates import verdict_of_estimates
from concordant.rankings import n_workers, proportion, several, whole_number
from concordant.scores import Measures, ScoresLike, Study, study_of
from concordant.tables import Note, Result, parts, records, unique
from concordant.typing import OnMissing, Progress, RngLike, Topics

__all__ = ["JudgeResult", "JudgedByTopic", "JudgedTopic", "Significance", "judge"]


@dataclass(frozen=True)
class JudgedByTopic:
    """A coefficient over the topics."""

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
    reason: str | None  # why some are undefined


@dataclass(frozen=True)
class JudgedTopic:
    """A coefficient for one topic."""

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    topic: str
    coefficient: Coefficient
    value: float


@dataclass(frozen=True)
class Significance:
    """Pairs of systems by whether reference and estimate find a significant difference between them."""

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    agree: int  # significant on both sides, in the same order
    opposed: int  # significant on both sides, in the opposite order
    reference_only: int
    estimate_only: int
    neither: int
    topics: int


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class JudgeResult(Result[Agreement]):
    """What `judge` returns."""

    function: ClassVar[str] = "judge"

    agreement: tuple[Agreement, ...] = records(Agreement, "Rankings of systems, estimate against reference")
    best: tuple[Contender, ...] | None = records(
        Contender,
        "Which may be the best: p-value that it is, and intervals that hold all at once",
        needs="intervals, and several estimates or measures on the same topics",
    )
    comparison: tuple[Difference, ...] | None = records(
        Difference,
        "The best estimate against each other one, two at a time",
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

        This is the first one asked for, or by default the one that counts the top more.
        The words say no more than the numbers: an estimate "agrees" if its interval is above 0, and "is
        better" if the adjusted p-value and the interval of the difference show it; see
        docs/reference/verdicts.md.
        """
        return verdict_of_estimates(self)

    @property
    def emphasis(self) -> str:
        """What it means that a value is bold."""
        if self.best is None:
            return "the highest value by its measure, top and coefficient"
        return (
            "among all systems, an estimate that may be the best by its coefficient (see the table best); "
            "among the top systems, the highest value"
        )

    def emphasised(self, table: str) -> set[int]:
        """Return the records of those that may be the best; the highest where that is not known."""
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


@public
def judge(
    reference: ScoresLike | Study,
    estimates: Mapping[str, ScoresLike] | ScoresLike | None = None,
    coefficients: CoefficientsLike | None = None,
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
        The systems' scores under the reference judgements. A `Study` has its estimates already.
    estimates : mapping of name to Scores, or to what `Scores.from_data` takes
        The systems' scores under those of each judge.
    coefficients : list of str or Coefficient, optional
        As `get` reads them; by default those that are declared for `judge`.
    top : int or iterable of int, default (10,)
        Also correlate among the best k systems of the reference, for each k.
    qrels, estimate_qrels : judgements as `evaluate` takes them, and a mapping of name to these, optional
        The judgements themselves, for their own agreement.
    n_worst : int, default 5
        How many systems that moved, and pairs in the opposite order, to list.
    n_reasons : int, default 3
        How many pairs of systems that cost most to name for each coefficient, see `explain`.
    alpha : float or None, default 0.05
        Count the pairs of systems that differ significantly at this level (paired t-tests, Holm's
        correction), see `significant_pairs`. None to leave this out.
    group_by : str, optional
        A regular expression; systems whose names match it with the same text are one group, such as
        ``"^[^-]+"`` for what is before the first hyphen. Each group is left out in turn: systems of one team
        are alike, and may carry the agreement.
    on_missing : {"error", "drop", "zero"}, optional
        What to do about systems and topics on one side only, see `Study`.
    topics : {"common", "own"}, default "common"
        Compare on the topics that both sides have, or take each mean over the topics of its own side.
    confidence_level : float or None, default 0.95
        Confidence level of the intervals over topics, see `bootstrap`; the best of several estimates is then
        compared with each other one, see `difference`, on the topics that both have, and ``best`` says which
        may be the best. None for neither.
    n_resamples, method
        How the intervals are made, see `bootstrap`.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None, default 0
        Seed or source of random numbers; None for a fresh seed, which the result tells.
    workers : int, default 1
        Threads; -1 for all cores. The result does not depend on it.
    executor : concurrent.futures.Executor, optional
        Who does the work: any executor of PEP 3148, such as a pool of processes, or ``client.get_executor()``
        of Dask. The result does not depend on it.
    progress : callable, optional
        Called as ``progress(done, total)``.

    Returns
    -------
    JudgeResult
        ``agreement``, ``best`` and ``comparison`` (of several estimates, with intervals), ``topics``,
        ``significance`` (with `alpha`), ``labels`` and ``confusion`` (with `qrels`), ``groups`` (with
        `group_by`), ``reasons``, ``moved``, ``reversed``; each a tuple of records.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"a": 0.2, "b": 0.5, "c": 0.3}, "q2": {"a": 0.4, "b": 0.3, "c": 0.2}}
    >>> llm = {"q1": {"a": 0.3, "b": 0.6, "c": 0.4}, "q2": {"a": 0.5, "b": 0.2, "c": 0.1}}
    >>> cd.judge(human, {"llm": llm}, ["tau_b"]).agreement[0].value
    0.8164965809277261
    """
    asked = chosen(coefficients, "judge")
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
    # Each other estimate is compared with the best, by every coefficient.
    n_rivals = len(study.pairings) - len({pairing.measures.measure for pairing in study.pairings})
    total = 0
    if how is not None:
        each = parts_of_work(how.for_differences)
        total = (len(groups) + each * n_rivals * len(asked)) * how.n_resamples
    steps = Steps(progress, total)
    found = agreements(study, asked, how, steps, scopes=scopes)
    comparison = best = None
    if how is not None and groups:
        comparison, not_compared = differences(study, found, asked, how, steps)
        found.notes.extend(not_compared)
        best = contenders(study, found, asked, how.confidence_level) or None
        if best and comparison:
            found.notes.append(Note("two_tests", values={"method": how.for_differences.method}))
    found.notes.extend(_reliability(study))
    by_topic, each_topic, of_topics = _by_topic(study, asked)
    relations = Relations(alpha)
    described = ranked_systems(study.pairings, how, relations)
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
    """Say how good the ranking by each measure of the reference is itself."""
    sides = {pairing.reference.measure: pairing.reference for pairing in study.pairings}
    notes = (reliability_note(side, usual("plan")) for side in sides.values())
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
                notes.append(Note("undefined_topics", pairing.name, about))
    return tuple(found), tuple(each), notes


def _significance(study: Study, relations: Relations) -> tuple[Significance, ...] | None:
    """Count the pairs of systems that differ significantly; None if that was not asked or cannot be."""
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
