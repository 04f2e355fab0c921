"""The result of `judge`: how well estimates rank the systems."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from concordant.coefficients import Coefficient
from concordant.judging.agreement import Agreement, Reason, highest
from concordant.judging.best_estimate import Contender, Difference
from concordant.judging.labels import Confusion, LabelAgreement
from concordant.judging.moves import Moved, Reversed
from concordant.judging.systems import PairMap, PairOrder, RankedSystem
from concordant.judging.teams import WithoutGroup
from concordant.judging.verdict_of_estimates import verdict_of_estimates
from concordant.scores import Measures
from concordant.tables import Result, parts, records

__all__ = ["JudgeResult", "JudgedByTopic", "JudgedTopic", "Significance"]


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
