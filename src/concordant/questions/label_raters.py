"""How well raters agree on labels of items; and how well a judge's labels rank the systems."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar, get_args

import numpy as np

from concordant.checks import one_of, whole_number
from concordant.coefficients.declaration import CoefficientsLike, chosen
from concordant.coefficients.evaluation import evaluate
from concordant.errors import ArgumentError, option, public
from concordant.questions.judge import JudgeResult, judge
from concordant.questions.raters import RaterAgreement, rater_tables
from concordant.questions.verdict import SAME_VALUE, first_told
from concordant.rankings.pairs import read_pairs
from concordant.reading.ratings import Ratings, RatingsLike, distinct, read_ratings, refuse_unknown
from concordant.reading.read_scores import Format
from concordant.results.note import Note
from concordant.results.result import records
from concordant.results.table import DETAIL, parts
from concordant.results.words import count, listed, noun, number, sentences, with_interval
from concordant.scores.scores import Scores
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.rater_agreement import (
    OVERALL,
    AltTest,
    Closeness,
    Scale,
    alt_test,
    alt_test_rankings,
    each_part,
    item_sums,
    jackknife,
    overall_values,
)
from concordant.statistics.resampling import Resampling, started
from concordant.statistics.several_rankings import kendall_w
from concordant.typing import Floats, Integers, Progress

_OF_TOPICS = "tau_b"  # in the test for rankings
_NOTHING: tuple[Any, tuple[str, ...]] = (None, ())
_MOST_RANKED = 2000  # items of Kendall's W
# Landis and Koch (1977): the words for kappa, from these values on.
_WORDS = {0.8: "almost perfectly", 0.6: "substantially", 0.4: "moderately", 0.2: "fairly", 0.0: "slightly"}


@dataclass(frozen=True)
class OverallAgreement:
    """How well all raters agree, by one coefficient.

    Attributes
    ----------
    coefficient : str
        The coefficient; AC1 and AC2 depend on the number of possible labels.
    value : float
        Its value; nan if it is undefined or needs an order of the labels.
    interval : ConfidenceInterval or None
        Its confidence interval over topics, or over items if there are none.
    pvalue : float or None
        Of Kendall's W, the p-value of raters who rank the items at random.
    items : int
        The number of items with two labels or more; for Kendall's W those that all raters labelled.
    raters : int
        The number of raters.
    labels : int
        The number of possible labels.
    """

    coefficient: str
    value: float
    interval: ConfidenceInterval | None = field(metadata=parts("low", "high", of="value"))
    pvalue: float | None
    items: int
    raters: int
    labels: int


@dataclass(frozen=True)
class ItemDisagreement:
    """An item on which the raters disagree.

    Attributes
    ----------
    item : str
        The item.
    topic : str or None
        Its topic.
    system : str or None
        The system that made it.
    spread : float
        The largest difference of two labels; without an order, the number of different labels minus 1.
    labels : str
        The labels, by rater.
    """

    item: str
    topic: str | None
    system: str | None
    spread: float
    labels: str


@dataclass(frozen=True)
class Consistency:
    """How well a rater agrees with itself, on items that it labelled more than once.

    Attributes
    ----------
    rater : str
        The rater.
    items : int
        The number of items with two labels or more of this rater.
    labels : int
        The number of these labels.
    percent : float
        The mean share of pairs of labels of an item that are equal.
    always : float
        The share of items whose labels are all equal.
    alpha : float
        Krippendorff's alpha of the repeated labels: ordinal, or nominal if they have no order.
    interval : ConfidenceInterval or None
        Its confidence interval over topics, or over items if there are none.
    """

    rater: str
    items: int
    labels: int
    percent: float
    always: float
    alpha: float
    interval: ConfidenceInterval | None = field(metadata=parts("alpha_low", "alpha_high", of="alpha"))


@dataclass(frozen=True)
class AltTested:
    """Whether a judge may replace an annotator, by the alternative annotator test.

    Attributes
    ----------
    rater : str
        The judge.
    of : {"labels", "rankings"}
        What is compared: labels of items, or rankings of systems on topics.
    annotators : int
        The number of annotators with enough instances.
    winning_rate : float
        The share of the annotators that the judge can replace.
    passes : bool
        Whether that is at least half of them. A judge that does not pass is not shown to be worse.
    advantage : float
        The mean share of instances on which the judge is at least as close to the others as the annotator.
    epsilon : float
        How much better an annotator must be to count as better.
    instances : int
        The largest number of instances, items or topics, of an annotator.
    needed : int or None
        With about so many instances the judge would pass with probability 0.8, if nothing else changes; None
        if no number suffices.
    """

    rater: str
    of: str
    annotators: int
    winning_rate: float
    passes: bool
    advantage: float
    epsilon: float = field(metadata=DETAIL)
    instances: int
    needed: int | None


@dataclass(frozen=True)
class ReplacedAnnotator:
    """Whether a judge may replace one annotator.

    Attributes
    ----------
    rater : str
        The judge.
    of : {"labels", "rankings"}
        What is compared.
    annotator : str
        The annotator.
    instances : int
        The number of items or topics.
    difference : float or None
        The share of instances on which the annotator is at least as close to the others, minus that of the
        judge; None if there are too few instances.
    pvalue : float or None
        The one-sided p-value of a difference of epsilon or more, by a t test.
    replaced : bool or None
        Whether the hypothesis is rejected (Benjamini and Yekutieli, 0.05).
    """

    rater: str
    of: str
    annotator: str
    instances: int
    difference: float | None
    pvalue: float | None
    replaced: bool | None


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class LabelsResult(JudgeResult):
    """The result of `labels`; prints as text.

    If the items have systems and there is a reference, it also has the tables of `JudgeResult`, about the
    rankings of systems by mean label: ``agreement``, ``judges`` and so on.

    Attributes
    ----------
    overall : tuple of OverallAgreement
        Agreement of all raters.
    items : tuple of ItemDisagreement
        Items with the largest disagreement.
    consistency : tuple of Consistency or None
        Raters against themselves. It needs items with several labels of one rater.
    alt_test : tuple of AltTested or None
        May a judge replace an annotator? It needs annotators.
    annotators : tuple of ReplacedAnnotator or None
        The same, annotator by annotator.

    Examples
    --------
    >>> import concordant as cd
    >>> result = cd.labels({"human": [0, 1, 2, 2, 0], "gpt": [0, 1, 2, 1, 0]}, reference="human")
    >>> result.raters[0].percent, round(result.raters[0].alpha_ordinal, 4)
    (0.8, 0.8898)
    """

    function: ClassVar[str] = "labels"
    asks: ClassVar[str] = "Do the labels agree, and do they rank the systems alike?"
    main: ClassVar[tuple[str, ...]] = ("raters",)

    overall: tuple[OverallAgreement, ...] = records(OverallAgreement, "Agreement of all raters")
    items: tuple[ItemDisagreement, ...] = records(ItemDisagreement, "Items with the largest disagreement")
    consistency: tuple[Consistency, ...] | None = records(
        Consistency, "Raters against themselves", needs="items with several labels of one rater"
    )
    alt_test: tuple[AltTested, ...] | None = records(
        AltTested, "May a judge replace an annotator? (alternative annotator test)", needs="annotators"
    )
    annotators: tuple[ReplacedAnnotator, ...] | None = records(
        ReplacedAnnotator, "The alternative annotator test, annotator by annotator", needs="annotators"
    )

    @cached_property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: the labels, beside the rankings of systems if there are any."""
        with self._nouns():
            said = sentences([*_of_raters(self), _other_winner(self), *_of_alt_test(self)])
        return said + (super().verdict if self.agreement else ())


@public
def labels(
    data: RatingsLike,
    *,
    reference: str | None = None,
    levels: Sequence[Any] | None = None,
    raters: str | Iterable[str] = (),
    annotators: str | Iterable[str] = (),
    epsilon: float = 0.2,
    closeness: Closeness | None = None,
    least_items: int = 30,
    columns: Mapping[str, str] | None = None,
    format: Format | None = None,
    sheet: str | None = None,
    coefficients: CoefficientsLike = ("tau_ap_b", "tau_b"),
    most: int = 20,
    resampling: Resampling | None = Resampling(),
    progress: Progress | None = None,
) -> LabelsResult:
    """Compare the labels that raters, such as people and language models, give to the same items.

    Parameters
    ----------
    data : path, DataFrame, or mapping of rater to labels
        A table with a row for each item and a column for each rater, such as ``item,human,gpt,claude``; or
        with a row for each label, and columns ``item``, ``rater`` and ``label``. A column ``topic`` says
        which items belong together, and a column ``system`` which system made an item. A mapping has for each
        rater a list of labels, ``{item: label}``, or judgements as `evaluate` takes them. A missing label is
        None, nan, empty, N/A and the like, and is never 0. If a rater labels an item more than once, the
        first label counts, and ``consistency`` compares them.
    reference : str, optional
        The rater that the others are compared with. By default each pair of raters is compared.
    levels : list, optional
        The labels that are possible, the lowest first, such as ``["poor", "fair", "good"]``. Words without it
        have no order, except pairs such as fail and pass.
    raters : str or list of str, optional
        The raters to compare; by default all. In a table with a column for each rater, other columns are then
        left out.
    annotators : str or list of str, optional
        The people among the raters. Then each other rater is tested: may it replace one of them?
    epsilon : float, default 0.2
        In that test, how much better an annotator must be to count as better: 0.2 for experts, 0.15 for
        skilled annotators, 0.1 for crowd workers.
    closeness : {"accuracy", "neg_rmse"}, optional
        In that test, how close a label is to those of the other annotators: the share of equal labels, or the
        negative root mean square difference. By default it is "neg_rmse" for three or more labels with an
        order, and "accuracy" otherwise.
    least_items : int, default 30
        In that test, the least number of items of an annotator who is tested.
    columns : mapping, optional
        What columns hold, such as ``{"item": "id", "rater": "worker", "label": "answer"}``; also "topic" and
        "system".
    format, sheet : str, optional
        The format of a file, and the sheet of a workbook, as `read_scores` takes them.
    coefficients : list of str or Coefficient, optional
        The coefficients of the rankings of systems, as in `judge`. The test for rankings uses tau_b.
    most : int, default 20
        How many items ``items`` lists.
    resampling : Resampling or None
        How intervals are computed; see the notes. None means no intervals.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    LabelsResult
        ``raters``, ``overall``, ``confusion``, ``thresholds``, ``items``; ``topic_labels`` (with topics),
        ``consistency`` (with repeated labels), ``alt_test`` and ``annotators`` (with `annotators`), and the
        tables of `judge` (with systems and a `reference`).

    Notes
    -----
    A rater is compared with the reference on the items that both labelled. The distance of two labels is
    that of the numbers, or of the places of words in `levels`. Intervals of labels are by the jackknife over
    topics, because the labels of one topic are not independent, or over items if there are no topics, with
    the quantile of Student's t. There is none for fewer than five of them, nor if leaving out one changes
    nothing or makes the value undefined.

    The score of a system on a topic is the mean label of its items. Topics on which a rater lacks a system
    are left out. The alternative annotator test for rankings takes a topic for an instance; it has little
    power.

    References
    ----------
    .. [1] Cohen, "A coefficient of agreement for nominal scales", 1960; weighted, 1968.
    .. [2] Krippendorff, "Content analysis", chapter 12, 2019.
    .. [3] Gwet, "Computing inter-rater reliability in the presence of high agreement", 2008.
    .. [4] Calderon, Reichart and Dror, "The alternative annotator test for LLM-as-a-judge", ACL 2025.

    Examples
    --------
    >>> import concordant as cd
    >>> words = {"human": ["poor", "good", "fair", "good"], "gpt": ["poor", "fair", "fair", None]}
    >>> result = cd.labels(words, reference="human", levels=["poor", "fair", "good"])
    >>> result.raters[0].n, round(result.raters[0].kappa_quadratic, 4), result.items[0].item
    (3, 0.6667, 'row 1')
    """
    whole_number("most", most, 0)
    if closeness is not None:
        one_of("closeness", closeness, get_args(Closeness))
    if not 0 <= epsilon <= 1:
        raise ArgumentError(f"{option('epsilon')} must be from 0 to 1, got {epsilon!r}")
    chosen(coefficients)
    own, people = ([each] if isinstance(each, str) else list(each) for each in (raters, annotators))
    ratings = read_ratings(data, levels=levels, raters=own, columns=columns, format=format, sheet=sheet)
    refuse_unknown([*([] if reference is None else [reference]), *people], ratings.raters)
    if len(ratings.raters) < 2:
        raise ArgumentError(f"labels need two raters or more, got {listed(ratings.raters)}")
    if len(people) == 1:
        raise ArgumentError(
            f"{option('annotators')}: give two or more, the others are compared with {people[0]}"
        )
    how = None if resampling is None else started(resampling)
    level = None if how is None else how.confidence_level
    if reference is None:
        pairs = list(itertools.combinations(ratings.raters, 2))
    else:
        pairs = [(reference, rater) for rater in ratings.raters if rater != reference]
    scores = _scores(ratings)
    judged: dict[str, Any] = {}
    notes = list(ratings.notes)
    if scores is not None and reference is not None:
        judged = _judged(ratings, scores, reference, coefficients, resampling, progress, notes)
    tests = [
        (rater, *each)
        for rater in ratings.raters
        if people and rater not in people
        for each in _alt_tests(ratings, rater, people, scores, epsilon, closeness, least_items)
    ]
    options: dict[str, Any] = {
        "reference": reference,
        "confidence_level": level,
        "levels": list(ratings.grades),
    }
    options |= {"annotators": people, "epsilon": epsilon} if people else {}
    return LabelsResult(
        **judged
        | rater_tables(ratings, pairs, level)
        | {"notes": (*notes, *judged.get("notes", ())), "options": judged.get("options", {}) | options},
        overall=tuple(_overall(ratings, level)),
        items=tuple(_items(ratings, most)),
        consistency=None if ratings.repeats is None else tuple(_consistency(ratings, level)),
        alt_test=tuple(_tested(rater, of, found, epsilon) for rater, of, found in tests) if people else None,
        annotators=tuple(_by_annotator(tests, people)) if people else None,
    )


# --- all raters ------------------------------------------------------------------------------------------


def _overall(ratings: Ratings, level: float | None) -> Iterator[OverallAgreement]:
    """Yield the agreement of all raters by each coefficient."""
    m, k = len(ratings.raters), len(ratings.grades)
    patterns, which = _patterns(ratings.codes, k)
    counts = (patterns[:, :, None] == np.arange(k)).sum(axis=1)
    scale = Scale(ratings.values, ratings.ordered)
    values, intervals = _with_intervals(item_sums(counts), which, ratings.topics, scale, level)
    items = int(((patterns >= 0).sum(axis=1) >= 2)[which].sum())
    for name, value, interval in zip(OVERALL, values, intervals, strict=True):
        yield OverallAgreement(name, value, interval, None, items, m, k)
    complete = (ratings.codes >= 0).all(axis=1)
    if ratings.ordered and m > 1 and 2 <= complete.sum() <= _MOST_RANKED:
        found = kendall_w(ratings.values[ratings.codes[complete]].T)
        yield OverallAgreement("Kendall's W", found.w, None, found.pvalue, found.n_systems, m, k)


def _patterns(codes: Integers, k: int) -> tuple[Integers, Integers]:
    """Return the different rows of labels, and which of them each item has."""
    m = codes.shape[1]
    if (k + 1) ** m >= 2**62:
        patterns, which = np.unique(codes, axis=0, return_inverse=True)
        return patterns, which.reshape(-1)
    powers = (k + 1) ** np.arange(m)
    different, which = distinct((codes + 1) @ powers)
    return different[:, None] // powers % (k + 1) - 1, which


def _with_intervals(
    sums: Floats,
    which: Integers,
    topics: tuple[Integers, Sequence[str]] | None,
    scale: Scale,
    level: float | None,
) -> tuple[list[float], list[ConfidenceInterval | None]]:
    """Return the values of all items, and their intervals, from the sums of each pattern of labels."""
    if topics is None:
        units, times = sums, np.asarray(np.bincount(which, minlength=len(sums)))
    else:
        columns = (np.bincount(topics[0], each[which], len(topics[1])) for each in sums.T)
        units = np.stack(list(columns), axis=1)
        times = np.asarray(units.any(axis=1), dtype=np.int64)
    total: Floats = np.asarray(times @ units)
    values = overall_values(total, scale).tolist()
    without = each_part(lambda part: overall_values(total - part, scale), units)
    return values, [jackknife(v, without[:, k], times, level) for k, v in enumerate(values)]


def _consistency(ratings: Ratings, level: float | None) -> Iterator[Consistency]:
    """Yield how each rater with repeated labels agrees with itself."""
    assert ratings.repeats is not None
    items, raters, grades = ratings.repeats
    k, scale = len(ratings.grades), Scale(ratings.values, ratings.ordered)
    for place, rater in enumerate(ratings.raters):
        own = raters == place
        again = np.unique(items[own])
        if not len(again):
            continue
        counts = np.zeros((len(again), k), dtype=np.int64)
        counts[np.arange(len(again)), ratings.codes[again, place]] += 1
        np.add.at(counts, (np.searchsorted(again, items[own]), grades[own]), 1)
        topics = None if ratings.topics is None else (ratings.topics[0][again], ratings.topics[1])
        sums = item_sums(counts)
        values, intervals = _with_intervals(sums, np.arange(len(again)), topics, scale, level)
        alpha = OVERALL.index(f"alpha ({'ordinal' if ratings.ordered else 'nominal'})")
        about: tuple[Any, ...] = (*values[:2], values[alpha], intervals[alpha])
        yield Consistency(rater, len(again), int(counts.sum()), *about)


def _items(ratings: Ratings, most: int) -> Iterator[ItemDisagreement]:
    """Yield the items with the largest disagreement."""
    codes, known = ratings.codes, ratings.codes >= 0
    patterns, which = _patterns(codes, len(ratings.grades))
    if ratings.ordered:
        values = np.where(patterns >= 0, ratings.values[patterns], np.nan)
        low, high = np.where(np.isnan(values), np.inf, values), np.where(np.isnan(values), -np.inf, values)
        spread = np.maximum(high.max(axis=1) - low.min(axis=1), 0.0)
    else:
        spread = np.array([max(len({*row} - {-1}) - 1, 0) for row in patterns.tolist()], dtype=np.float64)
    of_items = spread[which]
    for item in np.argsort(-of_items, kind="stable")[:most].tolist():
        if of_items[item] <= 0:
            return
        said = [
            f"{rater} {ratings.grades[code]}"
            for rater, code, has in zip(ratings.raters, codes[item], known[item], strict=True)
            if has
        ]
        topic, system = (
            None if own is None else own[1][own[0][item]] for own in (ratings.topics, ratings.systems)
        )
        yield ItemDisagreement(ratings.named(item), topic, system, float(of_items[item]), ", ".join(said))


# --- systems ---------------------------------------------------------------------------------------------


def _scores(ratings: Ratings) -> Floats | None:
    """Return the mean label of each rater, topic and system; nan where there is none."""
    if ratings.topics is None or ratings.systems is None or not ratings.ordered:
        return None
    (topic, topics), (system, systems) = ratings.topics, ratings.systems
    cells, shape = topic * len(systems) + system, (len(topics), len(systems))
    found = []
    for codes in ratings.codes.T:
        known = codes >= 0
        sums = np.bincount(cells[known], ratings.values[codes[known]], math.prod(shape))
        with np.errstate(invalid="ignore"):
            found.append((sums / np.bincount(cells[known], minlength=math.prod(shape))).reshape(shape))
    return np.array(found)


def _judged(
    ratings: Ratings,
    scores: Floats,
    reference: str,
    coefficients: CoefficientsLike,
    resampling: Resampling | None,
    progress: Progress | None,
    notes: list[Note],
) -> dict[str, Any]:
    """Return the tables of `judge` for the mean labels, on topics that have all systems on both sides."""
    (_, topics), (_, systems) = ratings.topics or _NOTHING, ratings.systems or _NOTHING
    complete: Any = ~np.isnan(scores).any(axis=2)  # raters x topics
    own = ratings.raters.index(reference)
    sides = dict[str, Scores]()
    for place, rater in enumerate(ratings.raters):
        rows = np.flatnonzero(complete[own] & complete[place])
        if len(rows) < len(topics):
            text = f"{count(len(topics) - len(rows), 'topic')} of {len(topics)} lack a label of some system"
            notes.append(Note("incomplete_topics", text=text, subject=rater, lost=True))
        if len(rows):
            named = [topics[row] for row in rows.tolist()]
            sides[rater] = Scores(scores[place][rows], measures=["label"], topics=named, systems=systems)
    if len(systems) < 2 or len(sides) < 2 or reference not in sides:
        text = (
            "rankings are not compared: they need two systems, and topics on which both raters labelled all"
        )
        notes.append(Note("no_rankings", text=text, lost=True))
        return {}
    truth = sides.pop(reference)
    found = judge(truth, sides, coefficients, resampling=resampling, progress=progress)
    return {each.name: getattr(found, each.name) for each in fields(JudgeResult)} | {"reference": reference}


# --- the alternative annotator test ----------------------------------------------------------------------


def _alt_tests(
    ratings: Ratings,
    rater: str,
    people: Sequence[str],
    scores: Floats | None,
    epsilon: float,
    closeness: Closeness | None,
    least: int,
) -> Iterator[tuple[str, AltTest]]:
    """Yield the tests of a judge: by labels, and by rankings of systems if there are systems."""
    values = np.append(ratings.values, np.nan)
    places = [ratings.raters.index(name) for name in people]
    graded = ratings.ordered and len(ratings.grades) > 2
    score = closeness or ("neg_rmse" if graded else "accuracy")
    if score == "neg_rmse" and not ratings.ordered:
        raise ArgumentError(
            f"{option('closeness', 'neg_rmse')} needs an order; give it with {option('levels')}"
        )
    humans = values[ratings.codes[:, places]]
    yield "labels", alt_test(values[ratings.of(rater)], humans, score=score, epsilon=epsilon, min_items=least)
    if scores is not None and scores.shape[2] > 1:
        sides = scores[[*places, ratings.raters.index(rater)]]
        yield "rankings", alt_test_rankings(agreements_of_topics(sides, len(people)), epsilon=epsilon)


def agreements_of_topics(scores: Floats, n: int) -> Floats:
    """Return tau_b of each rater with each of the first n, topic by topic: topics x raters x n."""
    m, t, _ = scores.shape
    x = np.broadcast_to(scores[None, :n], (m, n, *scores.shape[1:])).reshape(-1, scores.shape[2])
    y = np.broadcast_to(scores[:, None], (m, n, *scores.shape[1:])).reshape(-1, scores.shape[2])
    found = evaluate(chosen(_OF_TOPICS), read_pairs(x, y), "propagate", 1, refuse=False)[0].values.reshape(
        m, n, t
    )
    return np.moveaxis(found, 2, 0)


def _tested(rater: str, of: str, found: AltTest, epsilon: float) -> AltTested:
    known = [each for each in found.annotators if each is not None]
    about = (len(known), found.winning_rate, found.passes, found.advantage, epsilon)
    return AltTested(rater, of, *about, max((each.n for each in known), default=0), found.needed)


def _by_annotator(
    tests: Iterable[tuple[str, str, AltTest]], people: Sequence[str]
) -> Iterator[ReplacedAnnotator]:
    for rater, of, found in tests:
        for name, each in zip(people, found.annotators, strict=True):
            own = (
                (0, None, None, None)
                if each is None
                else (each.n, each.difference, each.pvalue, each.rejected)
            )
            yield ReplacedAnnotator(rater, of, name, *own)


# --- words -----------------------------------------------------------------------------------------------


def _alpha(row: RaterAgreement) -> tuple[float, ConfidenceInterval | None]:
    """Return the ordinal alpha, or the nominal one for labels without an order."""
    if math.isnan(row.alpha_ordinal):
        return row.alpha_nominal, row.alpha_nominal_interval
    return row.alpha_ordinal, row.alpha_ordinal_interval


def _of_raters(result: LabelsResult) -> Iterator[str | None]:
    """Yield how well raters agree, the closest pairs first."""
    ranks = _ranked(result)
    rows = sorted(result.raters or (), key=lambda row: -np.nan_to_num(_alpha(row)[0], nan=-math.inf))
    yield from first_told(rows, lambda row: [_pair(row) + ranks.get(row.rater, "")], "rater pair")
    every = {each.coefficient: each for each in result.overall or () if not math.isnan(each.value)}
    own = every.get("alpha (ordinal)", every.get("alpha (nominal)"))
    if own is not None and own.raters > 2:
        yield f"All {own.raters} raters together: {own.coefficient} {with_interval(own.value, own.interval)}"


def _ranked(result: LabelsResult) -> dict[str, str]:
    """Return what to add about the ranking of systems by each rater."""
    rows, topics = result.agreement or (), {each.estimate: each.topics for each in result.judges or ()}
    found = dict[str, str]()
    for row in rows:
        if row.coefficient == rows[0].coefficient and row.as_close is not None:
            others, the = f"{count(topics[row.estimate], 'other topic')} would", noun("systems")
            found[row.estimate] = {
                "shown": f"; {row.estimate} is shown to rank the {the} as closely as {others}",
                "shown not to be": f"; but {row.estimate} is shown to rank them less closely than {others}",
                "not decided": f"; whether it ranks the {the} as closely as {others} is not decided",
            }[row.as_close]
    return found


def _pair(row: RaterAgreement) -> str:
    both = f"{row.reference} and {row.rater}"
    if row.n == 0:
        return f"{both} labelled no item in common"
    alpha, interval = _alpha(row)
    same = f"the same label for {number(row.percent)} of {count(row.n, 'item')}"
    if math.isnan(alpha):
        return f"{both} give {same}; alpha is undefined, because only one label is in use"
    word = next((word for least, word in _WORDS.items() if alpha > least), "no better than by chance")
    return f"{both} agree {word} on the labels: alpha {with_interval(alpha, interval)}, {same}"


def _of_alt_test(result: LabelsResult) -> Iterator[str]:
    for each in result.alt_test or ():
        what = "item" if each.of == "labels" else "topic"
        test = f"the alternative annotator test of {each.of}"
        if not each.annotators:
            yield f"{each.rater} is not tested by {test}: no annotator has enough {what}s"
            continue
        rate = f"it replaces {number(each.winning_rate)} of {count(each.annotators, 'annotator')}"
        if each.passes:
            yield f"{each.rater} passes {test}: {rate}"
            continue
        needed = (
            f"about {count(each.needed, what)} would be needed" if each.needed else "more would not change it"
        )
        yield f"{each.rater} did not pass {test} ({rate}), which does not show that it is worse: {needed}"


def _other_winner(result: LabelsResult) -> str | None:
    """Return which rater agrees best on labels, and which on the ranking of systems, if they differ."""
    rows = result.agreement or ()
    values = {row.estimate: row.value for row in rows if row.coefficient == rows[0].coefficient}
    both = {row.rater: (_alpha(row)[0], values.get(row.rater, math.nan)) for row in result.raters or ()}
    known = {name: each for name, each in both.items() if not math.isnan(sum(each))}
    if len(known) < 2:
        return None
    by_labels, by_ranks = (max(known, key=lambda name, k=k: known[name][k]) for k in (0, 1))  # type: ignore[misc]
    (alpha, lower), (other, value) = known[by_labels], known[by_ranks]
    if value - lower <= SAME_VALUE or alpha - other <= SAME_VALUE:
        return None
    labels = f"{by_labels} agrees best on the labels (alpha {number(alpha)} against {number(other)})"
    ranks = f"{rows[0].coefficient} {number(value)} against {number(lower)}"
    return f"{labels}, but {by_ranks} on the ranking of the {noun('systems')} ({ranks})"
