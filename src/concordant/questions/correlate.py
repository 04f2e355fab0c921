"""Correlate rankings of systems by mean scores: each estimate with the reference."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import PurePath
from typing import Any, ClassVar, NamedTuple

import numpy as np

from concordant.checks import correlation, whole_number
from concordant.coefficients.declaration import (
    REGISTRY,
    Coefficient,
    CoefficientsLike,
    chosen,
    other_names_told,
)
from concordant.coefficients.engine import Outcome
from concordant.coefficients.evaluation import without_groups
from concordant.errors import ArgumentError, UndefinedWarning, option, public, visible
from concordant.questions.answer import beside_of, caption_of, grid_by_measure, grid_of, question_of
from concordant.questions.benchmarks import (
    MANY,
    AgreementOfSome,
    Standing,
    WithoutSystem,
    are_many,
    standings,
    verdict_of_standing,
    with_enough_systems,
    without_itself,
)
from concordant.questions.compare import counts, tie_range_notes
from concordant.questions.systems import (
    PairOfSystems,
    RankedSystem,
    kept_pairs,
    pairs_in_columns,
    pairs_of_systems,
    ranked_systems,
    systems_compared,
)
from concordant.questions.verdict import of_measures, verdict_of_estimates
from concordant.reading.files import is_file_like
from concordant.reading.from_memory import ScoresLike
from concordant.results.markup import json_text
from concordant.results.note import Note, unique
from concordant.results.result import Result, records
from concordant.results.table import DETAIL, Grid, absent, parts
from concordant.results.words import count, noun, nouns, some
from concordant.scores.scores import ALL
from concordant.statistics.confidence import ConfidenceInterval, interval_of, standard
from concordant.statistics.decisions import (
    LEAST_GROUPS,
    Decision,
    as_close,
    at_least as decided_floor,
    one_sided_ends,
    top as top_of,
    variance_over_systems,
    wide_interval,
)
from concordant.statistics.distributions import normal
from concordant.statistics.faults import Failing, failing_topics
from concordant.statistics.jackknife import jackknife_interval
from concordant.statistics.permutation import permutation_test
from concordant.statistics.resampling import Resampler, Resampling, started
from concordant.statistics.simultaneous import JointIntervals, groups_of, joint_intervals, steps_of
from concordant.statistics.topic_luck import LEAST_TOPICS, YARDSTICKS, TopicLuck
from concordant.study.pairing import Measured, Measures, Pairing, too_many_pairs
from concordant.study.study import Study, study_of
from concordant.typing import Progress

_MOST_GROUPS = 2000  # for the interval over systems
USUAL = ("tau_ap_b", "tau_b")  # without many others
_OF_THE_TOP = "tau_b"  # beside any coefficient that was asked for
_OF_SCORES = "pearson_r"


@dataclass(frozen=True)
class Agreement:
    """One coefficient of the rankings of systems by an estimate and by the reference.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    top : int or None
        The number k of best systems of the reference that were compared; None for all systems.
    n : int
        The number of systems that were compared.
    coefficient : Coefficient
        The coefficient.
    value : float
        The value of the coefficient; nan if it is undefined.
    interval : ConfidenceInterval or None
        The confidence interval over topics, or over systems if there are no topics; None if there is none.
    pvalue : float or None
        The p-value of a test of unrelated rankings: systems in random order; None without resampling.
    undefined : str or None
        Why the coefficient has no value; None if it has one.
    topics : int or None
        The number of topics of the interval; None if there are none, so that the interval is over systems.
    other_systems : ConfidenceInterval or None
        The confidence interval over topics and systems: for other systems like these; None if there are fewer
        than five systems, or groups of them.
    floor : float or None
        The largest floor that is passed: the lower end of a one-sided interval. None for fewer than five
        topics.
    at_least : {"shown", "shown not to be", "not decided"} or None
        Whether the coefficient is at least the floor that was given; None if none was.
    other_topics : float or None
        The agreement that is expected of a ranking by as many other topics, judged by the reference; only
        `judge` has this and what follows.
    as_close : {"shown", "shown not to be", "not decided"} or None
        Whether the estimate is as close to the reference as other topics would be.
    without_luck : float or None
        The coefficient of endless topics of this kind, extrapolated.
    interval_without_luck : ConfidenceInterval or None
        Its confidence interval.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    top: int | None = field(metadata=absent("all"))
    n: int
    coefficient: Coefficient
    value: float
    interval: ConfidenceInterval | None = field(metadata=parts("low", "high", of="value"))
    pvalue: float | None = None
    undefined: str | None = field(default=None, metadata=DETAIL)
    topics: int | None = field(default=None, metadata=DETAIL)
    other_systems: ConfidenceInterval | None = field(
        default=None, metadata={**parts("other_systems_low", "other_systems_high"), **DETAIL}
    )
    floor: float | None = field(default=None, metadata=DETAIL)
    at_least: Decision | None = field(default=None, metadata=DETAIL)
    other_topics: float | None = field(default=None, metadata=DETAIL)
    as_close: Decision | None = field(default=None, metadata=DETAIL)
    without_luck: float | None = field(default=None, metadata=DETAIL)
    interval_without_luck: ConfidenceInterval | None = field(
        default=None, metadata={**parts("without_luck_low", "without_luck_high"), **DETAIL}
    )


@dataclass(frozen=True)
class Judged:
    """What an estimate makes of the systems, by one measure.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    topics : int
        The number of topics that it shares with the reference; 0 if there are only means.
    systems : int
        The number of systems.
    winner : str
        The system that it ranks first; several if they are tied.
    winner_rank : float
        The rank of the winner by the reference, 1 + the number of systems above it.
    regret : float
        How much worse the winner is by the reference than the best system, on these topics.
    regret_interval : ConfidenceInterval or None
        The middle part of the regrets in resamples of the topics.
    top : int
        The number k of systems that are called the top.
    common : float or None
        How many systems both have among their best k; a tie at the cut counts in part.
    common_interval : ConfidenceInterval or None
        The middle part of these numbers in resamples.
    tau_union : float or None
        The tau_b of the systems that are among the best k of the reference or of the estimate.
    pearson : float or None
        Pearson's correlation of the mean scores.
    swapped : int
        The pairs of systems that the estimate has in the opposite order.
    significant : int or None
        The pairs of systems that differ significantly by the reference; None if there was no test.
    kept : int or None
        Those of them that the estimate finds in the same order.
    reversed : int or None
        Those that it has in the opposite order.
    failing : int or None
        The topics on which it fails: tau_b is not above 0, or all its scores are equal.
    failing_share : float or None
        The largest share of failing topics that these topics do not exclude.
    if_failing : float or None
        The first coefficient, on average, if it reversed the order on so many topics; None if more than a
        twentieth of the topics fails, which is noise rather than failures.
    reliability : float or None
        The share of the variance of its means that is not luck of the topics.
    unjudged : float or None
        The share of the top documents of the runs that it did not judge, on its topics, up to the cutoff of
        the measure (10 if it has none); None if there are no runs.
    others : float or None
        The mean of the first coefficient of the other estimates with it, on the systems that the reference
        also has; only of three or more rankings without topics, as what follows.
    aggregate : float or None
        Its first coefficient with the aggregate of the other estimates, their mean win rate.
    aggregate_n : int or None
        The number of systems that it shares with them.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    topics: int
    systems: int
    winner: str
    winner_rank: float
    regret: float
    regret_interval: ConfidenceInterval | None = field(
        metadata=parts("regret_low", "regret_high", of="regret")
    )
    top: int
    common: float | None
    common_interval: ConfidenceInterval | None = field(
        metadata=parts("common_low", "common_high", of="common")
    )
    tau_union: float | None
    pearson: float | None = field(metadata=DETAIL)
    swapped: int
    significant: int | None
    kept: int | None
    reversed: int | None
    failing: int | None
    failing_share: float | None = field(metadata=DETAIL)
    if_failing: float | None = field(metadata=DETAIL)
    reliability: float | None = field(metadata=DETAIL)
    unjudged: float | None
    others: float | None = None
    aggregate: float | None = None
    aggregate_n: int | None = field(default=None, metadata=DETAIL)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class CorrelateResult(Result[Agreement]):
    """The result of `correlate`; prints as text.

    Attributes
    ----------
    agreement : tuple of Agreement
        Rankings of systems, estimate against reference.
    systems : tuple of RankedSystem
        Systems by mean score, on both sides.
    pairs : sequence of PairOfSystems or None
        Every pair of systems: its differences on both sides, their p-values, and how much it lowers the first
        coefficient. None if there are more than 500,000 pairs, or than CONCORDANT_MAX_PAIRS says.
    judges : tuple of Judged
        A row for each estimate and measure: its winner, the top, and the pairs that it keeps.
    standing : tuple of Standing or None
        How the reference stands among three or more rankings without topics, such as benchmarks.
    sizes : tuple of AgreementOfSome or None
        The agreement with them of fewer systems: drawn at random, the best, or neighbours.
    causes : tuple of WithoutSystem or None
        The systems of the reference: the agreement with them without each system, the largest first.
    reference : str
        The file of the reference; empty if it was not read from a file.
    systems_left_out, topics_left_out : int
        The systems and topics that were left out, because not all sides have them.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"bm25": 2, "dense": 5, "rm3": 3}, "q2": {"bm25": 4, "dense": 3, "rm3": 2}}
    >>> gpt = {"q1": {"bm25": 4, "dense": 6, "rm3": 1}, "q2": {"bm25": 5, "dense": 4, "rm3": 3}}
    >>> result = cd.correlate(human, {"gpt": gpt}, ["tau_b"])
    >>> result.agreement[0].estimate, round(result.agreement[0].value, 4), len(result.pairs)
    ('gpt', 1.0, 3)
    >>> result.is_among_many
    False
    >>> result.to_jsonl()[:85]
    '{"Judge": "gpt", "TruthMeasure": "score", "EvalMeasure": "score", "kendall": 1.0, "ke'
    >>> result.to_prototext().splitlines()[:3]
    ['measure {', '  key: "Judge"', '  value: "gpt"']
    """

    function: ClassVar[str] = "correlate"
    asks: ClassVar[str] = "Is it the same ranking?"

    agreement: tuple[Agreement, ...] = records(Agreement, "Rankings of systems, estimate against reference")
    systems: tuple[RankedSystem, ...] = records(RankedSystem, "Systems by mean score, on both sides")
    pairs: Sequence[PairOfSystems] | None = records(
        PairOfSystems,
        "Pairs of systems: differences, p-values (paired t-tests, Holm's correction) and cost",
        needs="fewer pairs of systems, or a larger CONCORDANT_MAX_PAIRS",
    )

    judges: tuple[Judged, ...] = records(Judged, "The winner, the top, and the pairs that are kept")
    standing: tuple[Standing, ...] | None = records(
        Standing, "The reference among the others", needs="three or more rankings without topics"
    )
    sizes: tuple[AgreementOfSome, ...] | None = records(
        AgreementOfSome,
        "Agreement of fewer systems, mean over the others",
        needs="three or more rankings without topics",
    )
    causes: tuple[WithoutSystem, ...] | None = records(
        WithoutSystem,
        "Agreement without each system, mean over the others",
        needs="three or more rankings without topics",
    )
    reference: str = ""
    systems_left_out: int = 0
    topics_left_out: int = 0

    @property
    def _judged(self) -> Any:
        """The same result, if it compares the estimates with each other and with other topics."""
        return None

    @cached_property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words, about the first coefficient. See docs/reference/verdicts.md for the rules."""
        with self._nouns():
            standing = verdict_of_standing(self) if self.is_among_many else None
            return verdict_of_estimates(self, self._judged, standing)

    @property
    def is_among_many(self) -> bool:
        """Whether the reference is shown among many others."""
        return bool(self.standing) and len({row.estimate for row in self.agreement}) >= MANY

    @property
    def question(self) -> str:
        """The question and what it is about."""
        with self._nouns():
            return question_of(self, self.asks)

    def answer(self) -> Grid:
        """Return a row for each estimate and measure; the coefficients are columns.

        Returns
        -------
        Grid
            Header and rows.
        """
        with self._nouns():
            return grid_of(self, self._judged) if self.agreement and self.judges else super().answer()

    def answer_in_print(self) -> Grid:
        """Return the same for LaTeX and Markdown; several measures are columns.

        Returns
        -------
        Grid
            Header and rows.
        """
        several = self.judges and len(of_measures(self)) > 1
        with self._nouns():
            return grid_by_measure(self, self._judged) if several else self.answer()

    @property
    def beside(self) -> tuple[str, ...]:
        """Favoured groups, the systems that moved most, and failing topics."""
        with self._nouns():
            return tuple(beside_of(self, self._judged)) if self.agreement and self.judges else ()

    @property
    def caption(self) -> str:
        """What the table shows, and how it was computed."""
        with self._nouns():
            return caption_of(self)

    def _nouns(self) -> AbstractContextManager[None]:
        """Call systems and topics as the data does."""
        return nouns(self.options.get("nouns"))

    def _lines(self) -> list[dict[str, Any]]:
        """Return a line for each estimate and its measures, with a key for each coefficient."""
        lines: dict[object, dict[str, Any]] = {}
        data = {"Dataset": self.options["dataset"]} if "dataset" in self.options else {}
        for each in self.agreement or ():
            names = {"Judge": each.estimate, "TruthMeasure": each.measure[0], "EvalMeasure": each.measure[1]}
            line = lines.setdefault((each.estimate, each.measure), {**data, **names})
            name, plain = str(each.coefficient), str(replace(each.coefficient, top=None))
            key = _KEYS[plain] + name.removeprefix(plain) if plain in _KEYS else name
            low, high = each.interval or (None, None)
            line |= {
                key: None if math.isnan(each.value) else each.value,
                f"{key}_low": low,
                f"{key}_high": high,
            }
        return list(lines.values())

    def to_jsonl(self) -> str:
        """Return a JSON object for each estimate and its measures, one a line.

        The keys are those of autojudge-evaluate: ``Judge``, ``TruthMeasure``, ``EvalMeasure``, and a key for
        each coefficient, by its name there if it has one: kendall is tau_b, tauap_b is tau_ap_b. The ends of
        the confidence interval have the keys ``kendall_low`` and ``kendall_high``.

        Returns
        -------
        str
            The lines.
        """
        return "".join(json_text(line) for line in self._lines())

    def to_prototext(self) -> str:
        """Return the values as TIRA reads them from evaluation.prototext, a block for each.

        A key is the name of the coefficient as in `to_jsonl`, the measure of the reference and that of the
        estimate; and the name of the estimate if there are several.

        Returns
        -------
        str
            The blocks. Quotes, colons and backslashes in names become underscores, because TIRA splits lines
            at colons and quotes.
        """
        lines, blocks = self._lines(), list[tuple[str, object]]()
        several = len({line["Judge"] for line in lines}) > 1
        for line in lines:
            judge, truth, own = (line.pop(name) for name in ("Judge", "TruthMeasure", "EvalMeasure"))
            blocks += [] if several else [("Judge", judge)]
            data = line.pop("Dataset", None)
            about = " ".join(filter(None, (data, judge if several else None, truth, own)))
            blocks += [(f"{key} {about}", "nan" if value is None else value) for key, value in line.items()]
        texts = (
            [re.sub(r'[":\\]', "_", visible(str(text))) for text in block] for block in dict.fromkeys(blocks)
        )
        return "".join(f'measure {{\n  key: "{key}"\n  value: "{value}"\n}}\n' for key, value in texts)


# What autojudge-evaluate calls coefficients.
_KEYS = {"tau_b": "kendall", "tau_ap_b": "tauap_b", "spearman_rho": "spearman", "pearson_r": "pearson"}


@public
def correlate(
    reference: ScoresLike | Study,
    estimates: Mapping[str, ScoresLike] | ScoresLike | None = None,
    coefficients: CoefficientsLike | None = None,
    *,
    top: int = 10,
    at_least: float | None = None,
    resampling: Resampling | None = Resampling(),
    progress: Progress | None = None,
) -> CorrelateResult:
    """Correlate rankings of systems by mean score: each estimate with the reference.

    Of three or more estimates without topics, such as benchmarks, the result also says how the reference
    stands among them: whether it agrees with them less than they do with each other.

    Parameters
    ----------
    reference : Study, or what `Study` takes
        The scores that the estimates are compared with. A `Study` has its estimates already.
    estimates : mapping of str to scores, or the scores of one estimate
        The estimates by name. Measures of the same name are paired; if a side has only one measure, it is
        compared with each of the other side.
    coefficients : list of str or Coefficient, optional
        The coefficients, as `coefficient` reads them, such as ``["tau_ap_b", "tau_b(0.05)@10"]``. A verdict
        is about the first. By default they are tau_ap_b and tau_b; of three or more estimates without topics
        tau_b and tau_ap_b.
    top : int, default 10
        How many systems are the top, in the table ``judges``.
    at_least : float, optional
        A floor: the column ``at_least`` says whether each coefficient is shown to be at least so large.
    resampling : Resampling or None
        How the intervals are computed. The tests of whether two systems differ have the level 1 -
        `confidence_level`. None means no intervals, and the level 0.05.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    CorrelateResult
        A record for each estimate, measure and coefficient; the systems with their ranks on both sides; and
        every pair of systems.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"bm25": 0.21, "dense": 0.35, "rm3": 0.28}
    >>> result = cd.correlate(human, {"gpt": {"bm25": 0.4, "dense": 0.7, "rm3": 0.3}}, "tau_b")
    >>> round(result.agreement[0].value, 4)
    0.3333
    """
    asked = chosen(USUAL if coefficients is None else coefficients)
    whole_number("top", top, 2)
    how = None if resampling is None else started(resampling)
    floor = checked_floor(at_least, how)
    study = study_of(reference, estimates)
    pairings, itself = without_itself(study)
    many = are_many(pairings)
    if many and coefficients is None:
        asked.reverse()
    pairings, too_few = with_enough_systems(pairings, many)
    pairings = (*pairings, *study.with_the_rest)
    with nouns(study.nouns):
        found = agreements(pairings, asked, how, progress, at_least=floor, top=top)
        own, notes = found.fields(study, top, at_least)
        own["agreement"] += tuple(_not_given(pairing, c) for pairing in too_few for c in asked)
        if many:
            about, more = standings(study, (*pairings, *too_few), asked[0], how)
            judges = (replace(each, **more[each.estimate, each.measure]) for each in own["judges"])
            own |= about | {"judges": tuple(judges)}
    return CorrelateResult(**own, notes=unique((*itself, *notes)))


def _not_given(pairing: Pairing, c: Coefficient) -> Agreement:
    """Return the record of an estimate that shares too few systems with the reference for a value."""
    n = len(pairing.reference.systems)
    why = f"only {count(n, 'system')} in common" if n else f"no {noun('system')} in common"
    return Agreement(pairing.name, pairing.measures, c.top, n, c, math.nan, None, undefined=why)


def together(results: Mapping[str, CorrelateResult]) -> CorrelateResult:
    """Return the results of several data sets as one; the measures begin with the names of the data sets."""
    first, own = next(iter(results.values())), ("dataset", "judges", "nouns")
    asked = [{k: v for k, v in each.options.items() if k not in own} for each in results.values()]
    differ = next((k for each in asked for k in {**asked[0], **each} if each.get(k) != asked[0].get(k)), None)
    if differ is not None or any(type(each) is not type(first) for each in results.values()):
        what = "commands" if differ is None else f"options {differ!r}"
        raise ArgumentError(f"the results have different {what}; compute them in the same way")

    def renamed(record: Any, name: str) -> Any:
        reference, *estimate = [record.measure] if isinstance(record.measure, str) else record.measure
        named = [name if each == "score" else f"{name}: {each}" for each in (reference, *estimate)]
        return replace(record, measure=Measures(*named) if estimate else named[0])

    tables: dict[str, Any] = {}
    for each in first._record_fields():
        rows = {name: getattr(result, each.name) for name, result in results.items()}
        there = "measure" in each.metadata["kind"].__dataclass_fields__ and any(rows.values())
        listed = (renamed(record, name) for name, of in rows.items() for record in of or ())
        tables[each.name] = tuple(listed) if there else None
    left_out = {
        k: sum(getattr(r, k) for r in results.values()) for k in ("systems_left_out", "topics_left_out")
    }
    if tables["pairs"]:
        tables["pairs"] = pairs_in_columns(tables["pairs"])
    notes = unique(note.about(name) for name, result in results.items() for note in result.notes)
    return type(first)(**tables, **left_out, options=asked[0], notes=notes)


def defined(value: float) -> float | None:
    """Return a number; None in place of nan."""
    return None if math.isnan(value) else value


def checked_floor(at_least: float | None, how: Resampler | None) -> float | None:
    """Return a floor that was given; it needs resamples."""
    if at_least is None:
        return None
    if how is None:
        raise ArgumentError(f"{option('at_least')} needs resampling")
    return correlation("at_least", at_least)


def judged_by(
    found: Agreements, pairs: Sequence[PairOfSystems] | None, k: int, with_reliability: bool = False
) -> Iterator[Judged]:
    """Yield a row for each pairing."""
    kept = kept_pairs(pairs, found.alpha)
    drawn_of = {k: (group.index(k), drawn) for group, _, drawn in found.joint.groups for k in group}
    tail = (1 - (found.level or 0.95)) / 2
    for i, pairing in enumerate(found.pairings):
        x, y, failing = pairing.reference.means, pairing.estimate.means, found.failing[i]
        at_top = top_of(x, y, k)
        ends: list[ConfidenceInterval | None] = [None, None]
        if i in drawn_of:
            place, drawn = drawn_of[i]
            assert drawn.tops is not None
            for row, values in enumerate(drawn.tops[place]):
                known = values[~np.isnan(values)] * (k if row else 1)
                if len(known):
                    low, high = np.quantile(known, [tail, 1 - tail]).tolist()
                    ends[row] = ConfidenceInterval(low, high)
        union = math.nan
        if at_top.union.any():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UndefinedWarning)
                union = float(REGISTRY[_OF_THE_TOP](x[at_top.union], y[at_top.union]))
        tested = with_reliability and len(x) > 1 and not too_many_pairs(len(x))
        own = TopicLuck(pairing.estimate.values) if tested else None
        spread = len(x) > 1 and np.ptp(x) > 0 and np.ptp(y) > 0
        winners = np.array(list(pairing.reference.mean), dtype=object)[y == y.max()].tolist()
        significant, same, opposite = kept.get((pairing.name, pairing.measures), (None, None, None))
        yield Judged(
            estimate=pairing.name,
            measure=pairing.measures,
            topics=sum(topic != ALL for topic in pairing.common_topics()),
            systems=len(x),
            winner=some(winners),
            winner_rank=at_top.winner_rank,
            regret=at_top.regret,
            regret_interval=ends[0],
            top=k,
            common=defined(k * at_top.overlap),
            common_interval=ends[1],
            tau_union=defined(union),
            pearson=float(REGISTRY[_OF_SCORES](x, y)) if spread else None,
            swapped=int(counts(x, y).discordant) if len(x) > 1 else 0,
            significant=significant,
            kept=same,
            reversed=opposite,
            failing=None if failing is None else failing.failing,
            failing_share=None if failing is None else failing.not_excluded,
            if_failing=None if failing is None or not failing.if_reversed else failing.if_reversed[0],
            reliability=None if own is None else defined(own.reliability),
            unjudged=pairing.estimate.scores.unjudged.get(pairing.estimate.measure),
        )


class Agreements(NamedTuple):
    """The records, the outcomes by pairing and coefficient, and what was drawn for all of them."""

    pairings: Sequence[Pairing]
    coefficients: Sequence[Coefficient]
    how: Resampler | None
    records: tuple[Agreement, ...]
    observed: list[list[Outcome]]
    joint: JointIntervals
    failing: list[Failing | None]  # of each pairing
    notes: list[Note]

    @property
    def level(self) -> float | None:
        """The confidence level; None without intervals."""
        return None if self.how is None else self.how.confidence_level

    @property
    def alpha(self) -> float:
        """The level of tests."""
        return 0.05 if self.level is None else round(1 - self.level, 12)

    def value(self, pairing: int, c: Coefficient) -> float:
        """Return the coefficient of a pairing."""
        return float(self.observed[pairing][list(self.coefficients).index(c)].values[0])

    def fields(
        self, study: Study, top: int, at_least: float | None, with_reliability: bool = False
    ) -> tuple[dict[str, Any], list[Note]]:
        """Return the fields of a `CorrelateResult`, and the notes."""
        c = self.coefficients[0]
        pairs, notes = pairs_of_systems(self.pairings, [each[0] for each in self.observed], c)
        options = {"coefficients": list(map(str, self.coefficients)), "top": top, "alpha": self.alpha}
        options |= {} if at_least is None else {"at_least": at_least}
        found = {
            "agreement": self.records,
            "systems": tuple(ranked_systems(self.pairings, self.level)),
            "pairs": pairs,
            "judges": tuple(judged_by(self, pairs, top, with_reliability)),
            "reference": PurePath(study.reference.source.name).name,
            "systems_left_out": len(study.dropped_systems),
            "topics_left_out": len(study.dropped_topics),
            "options": options | ({} if self.how is None else self.how.options) | study.options,
        }
        return found, [*study.notes, *self.notes, *notes]


def agreements(
    pairings: Sequence[Pairing],
    coefficients: Sequence[Coefficient],
    how: Resampler | None,
    progress: Progress | None = None,
    *,
    at_least: float | None = None,
    top: int | None = None,
    groups: Mapping[str, str] | None = None,
    luck: Mapping[Measured, TopicLuck] | None = None,
) -> Agreements:
    """Compute every coefficient for every pairing.

    The topics are drawn once for all pairings that have the same ones; without topics, the intervals are over
    the systems. `groups` are the groups of systems. `luck` is how well the topics of each reference order the
    systems, for the decisions of `judge`.
    """
    notes = other_names_told(coefficients)
    observed = [pairing.of_means(coefficients) for pairing in pairings]
    joint, steps = (
        JointIntervals([[None] * len(coefficients) for _ in observed], [], [], []),
        steps_of(None, 0),
    )
    failing: list[Failing | None] = [None] * len(observed)
    if how is not None:
        steps = steps_of(progress, len(groups_of(pairings)) * how.n_resamples)
        joint = joint_intervals(pairings, coefficients, observed, how, steps, top=top)
        failing = [failing_topics(each, coefficients, how) for each in pairings]
    drawn_of = {k: (group.index(k), sample, drawn) for group, sample, drawn in joint.groups for k in group}
    endless = {id(drawn): sample.without_luck(drawn) for _, sample, drawn in joint.groups} if luck else {}
    listed = []
    for k, (pairing, outcomes) in enumerate(zip(pairings, observed, strict=True)):
        for j, (c, outcome) in enumerate(zip(coefficients, outcomes, strict=True)):
            value, why, more = float(outcome.values[0]), None, dict[str, Any]()
            more["topics"] = len(pairing.topics) if pairing.has_topics else None
            interval = joint.intervals[k][j]
            if outcome.undefined:
                why = outcome.reason_of_systems
                about = {"coefficient": str(c), "reason": why}
                text = f"{c} is undefined: {why}"
                notes.append(Note("undefined", text=text, values=about, subject=pairing.subject, lost=True))
            elif how is not None and not c.overlapping:
                more["pvalue"] = _pvalue_over_systems(pairing, c, how)
            if j == 0 and value <= _CLEARLY_OPPOSITE and len(pairing.reference.systems) > 4:
                notes.append(_other_end(pairing, c, value))
            if how is not None and not pairing.has_topics and not math.isnan(value) and not c.overlapping:
                drawn_from = pairing.has_errors
                interval = (_interval_by_draws if drawn_from else _interval_over_systems)(pairing, c, how)
            if k in drawn_of and not math.isnan(value) and how is not None:
                place, sample, drawn = drawn_of[k]
                row, fails = sample.row(place, j), failing[k]
                error, size = drawn.standard_error(row), drawn.n
                more["other_systems"] = _over_systems_too(pairing, c, value, error, size, how, groups or {})
                alpha = 1 - how.confidence_level
                low, high = one_sided_ends(value, drawn.distribution[row], size, alpha, c.bounds)
                if fails is not None and fails.if_reversed is not None:
                    low = min(low, fails.if_reversed[j])
                more["floor"] = low
                more["at_least"] = None if at_least is None else decided_floor(low, high, at_least)
                if luck:
                    more |= _beside_other_topics(pairing, c, value, error, luck)
                    more["without_luck"], more["interval_without_luck"] = endless[id(drawn)][row]
            more = {name: None if _is_nan(each) else each for name, each in more.items()}
            head = (pairing.name, pairing.measures, c.top, systems_compared(pairing, c.top), c)
            listed.append(Agreement(*head, value, interval, undefined=why, **more))
        values = [float(outcome.values[0]) for outcome in outcomes]
        means = (pairing.reference.mean, pairing.estimate.mean)
        notes += tie_range_notes(coefficients, values, *means, pairing.subject)
        if how is not None and not pairing.has_topics and not all(c.overlapping for c in coefficients):
            told = {"confidence_level": how.confidence_level}
            orders = _n_orders(pairing, how)
            ends = f"{how.confidence_level:.10g} confidence intervals"
            over = f"over the {noun('systems')} (jackknife)"
            text = f"there are no scores of several {noun('topics')}, so the {ends} are {over}"
            if pairing.has_errors:
                sides = (pairing.reference, pairing.estimate)
                exact = [str(side.measure) for side in sides if side.errors is None]
                text = f"the {ends} are from draws of the scores within their standard errors"
                text += f"; {some(exact)} has none and is taken as exact" if exact else ""
            text += f"; the test over systems has {orders} orders" if orders < how.n_resamples else ""
            notes.append(Note("over_systems", text=text, values=told, subject=pairing.name, lost=True))
    notes += joint.notes
    return Agreements(pairings, coefficients, how, tuple(listed), observed, joint, failing, notes)


_CLEARLY_OPPOSITE = -0.5


def _other_end(pairing: Pairing, c: Coefficient, value: float) -> Note:
    """Return the question whether the smallest score of one side is the best."""
    names = " or ".join(dict.fromkeys(pairing.measures))
    text = f"{c} is {value:.2f}, nearly the opposite order: is the smallest {names} the best on one side?"
    text += f" If so, read that side with {option('lower_is_better', pairing.measures[1])}"
    return Note("opposite_order", subject=pairing.name, text=text, values={"value": value}, lost=True)


_MOST_PERMUTED = 10_000_000  # systems in all permuted rankings; of many systems, fewer orders are enough


def _n_orders(pairing: Pairing, how: Resampler) -> int:
    return min(how.n_resamples, max(999, _MOST_PERMUTED // len(pairing.reference.mean)))


def _is_nan(value: Any) -> bool:
    """Return whether a value is nan, or an interval without ends."""
    number = value[0] if isinstance(value, tuple) else value
    return isinstance(number, float) and math.isnan(number)


def _over_systems_too(
    pairing: Pairing,
    c: Coefficient,
    value: float,
    error: float,
    n_topics: int,
    how: Resampler,
    groups: Mapping[str, str],
) -> ConfidenceInterval | None:
    """Return the interval for other systems too."""
    # A system without a group is one of its own, whatever groups are called.
    names = [groups.get(system, f"\0{system}") for system in pairing.reference.mean]
    different, codes = np.unique(names, return_inverse=True)
    if not LEAST_GROUPS <= len(different) <= _MOST_GROUPS or c.top is not None:
        return None
    sides = pairing.reference.means, pairing.estimate.means
    spread = variance_over_systems(without_groups(c, *sides, codes, len(different), how.threads))
    return wide_interval(value, error, spread, n_topics, len(different), how.confidence_level, c.bounds)


def _beside_other_topics(
    pairing: Pairing, c: Coefficient, value: float, error: float, luck: Mapping[Measured, TopicLuck]
) -> dict[str, Any]:
    """Return the agreement expected of other topics, and whether the estimate is as close."""
    found = luck.get(pairing.reference)
    place = YARDSTICKS.get(c.name)
    if found is None or place is None or str(c) != c.name:
        return {}
    other = found.expected("other")[place]
    order = found.shows_an_order and not (place == 1 and found.has_ties)
    decision = as_close(value, error, other, found.n, order)[0] if found.n >= LEAST_TOPICS else "not decided"
    return {"other_topics": other.value, "as_close": decision}


def _interval_over_systems(pairing: Pairing, c: Coefficient, how: Resampler) -> ConfidenceInterval | None:
    """Return the interval over systems."""
    x, y = pairing.reference.mean, pairing.estimate.mean
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)  # of samples without one of the systems
        found = jackknife_interval(x, y, c, confidence_level=how.confidence_level).confidence_interval
    return None if math.isnan(found.low) else found


def _interval_by_draws(pairing: Pairing, c: Coefficient, how: Resampler) -> ConfidenceInterval | None:
    """Return the interval from scores that are drawn around those of the tables, by their standard errors."""
    rng, sides = np.random.default_rng(how.seed), []
    for side in (pairing.reference, pairing.estimate):
        z = rng.standard_normal((_n_orders(pairing, how), len(side.means)))
        below, above = np.zeros((2, len(side.means))) if side.errors is None else side.errors
        sides.append(side.means + z * np.where(z < 0, below, above))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        drawn = np.asarray(c(*sides, workers=how.threads))
    drawn, value = np.sort(drawn[~np.isnan(drawn)]), float(c(pairing.reference.means, pairing.estimate.means))
    if len(drawn) < 2:
        return None
    error = float(drawn.std())
    end = partial(
        standard, value, drawn, float(drawn.mean()), 10**9, lambda tail: -normal().inv_cdf(tail) * error
    )
    return interval_of(end, how.confidence_level, c.bounds)


def _pvalue_over_systems(pairing: Pairing, c: Coefficient, how: Resampler) -> float:
    """Return the p-value of unrelated rankings."""
    x, y = pairing.reference.mean, pairing.estimate.mean
    n_resamples = _n_orders(pairing, how)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        return permutation_test(x, y, c, n_resamples=n_resamples, method="auto", rng=how.seed).pvalue


def one_estimate(reference: ScoresLike | Study, estimate: ScoresLike | None) -> Study:
    """Return a study of one estimate."""
    alone = estimate is None or is_file_like(estimate)  # a file has a name
    study = study_of(reference, estimate if alone else {"estimate": estimate})
    if len(study.estimates) != 1:
        raise ArgumentError(f"takes one estimate, got {len(study.estimates)}: {', '.join(study.estimates)}")
    return study
