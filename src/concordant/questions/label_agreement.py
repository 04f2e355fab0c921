"""The agreement of judgements, document by document."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product, repeat
from typing import Any, ClassVar

import numpy as np

from concordant.checks import proportion
from concordant.coefficients.engine import ratio
from concordant.errors import ArgumentTypeError, public
from concordant.questions.verdict import MOST_MEASURES, SAME_VALUE
from concordant.reading.qrels import Qrels, QrelsLike, notes_of_labels, qrels_of
from concordant.results.result import Result, records
from concordant.results.table import DETAIL, parts
from concordant.results.words import count, few, number, sentences, with_interval
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.distributions import t_quantile
from concordant.statistics.topic_luck import LEAST_TOPICS, ROUNDING
from concordant.typing import Floats, Integers

_ABSENT = -(10**7)  # in place of a grade; these are from minus a million to a million
_AT_ONCE = 2**21  # cells of the tables of topics that are held at a time
_MOST_GRADES = 10  # for which all pairs of thresholds are listed
BOTH_SIDES = "judgements on both sides"
LABELS = "Agreement of the judgements themselves"
THRESHOLDS = "Precision and recall of the estimate, if documents from a grade on are relevant"
TOPIC_LABELS = "Agreement of the judgements topic by topic"


def _ends(name: str, **more: Any) -> dict[str, Any]:
    """Return the metadata of the interval of a field."""
    return parts(f"{name}_low", f"{name}_high", of=name) | more


@dataclass(frozen=True)
class LabelAgreement:
    """How well the grades of one estimate agree with those of the reference.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    documents : int
        The number of documents that both judged.
    reference_only : int
        The number of documents that only the reference judged.
    estimate_only : int
        The number of documents that only the estimate judged.
    same_relevance : float
        The share of documents that both call relevant, or both not relevant.
    kappa_of_relevance : float
        Cohen's kappa of the relevance, yes or no.
    same_grade : float
        The share of documents with the same grade.
    kappa_of_grades : float
        Cohen's kappa of the grades: every two different grades disagree equally.
    failed : int
        The number of labels of the estimate that are missing or failed.
    kappa_linear : float
        The weighted kappa of the grades with linear weights: the disagreement of two grades is their
        difference.
    kappa_linear_interval : ConfidenceInterval or None
        Its confidence interval over topics.
    kappa_quadratic : float
        The weighted kappa of the grades with quadratic weights: the disagreement of two grades is the square
        of their difference.
    kappa_quadratic_interval : ConfidenceInterval or None
        Its confidence interval over topics.
    alpha_ordinal : float
        Krippendorff's alpha of the grades as ranks.
    alpha_ordinal_interval : ConfidenceInterval or None
        Its confidence interval over topics.
    shift : float
        The mean of the grade by the estimate minus the grade by the reference: positive if the estimate is
        lenient, negative if it is strict.
    shift_interval : ConfidenceInterval or None
        Its confidence interval over topics.
    """

    estimate: str
    documents: int
    reference_only: int
    estimate_only: int
    same_relevance: float
    kappa_of_relevance: float
    same_grade: float
    kappa_of_grades: float
    failed: int = field(metadata=DETAIL)
    kappa_linear: float = field(metadata=DETAIL)
    kappa_linear_interval: ConfidenceInterval | None = field(metadata=_ends("kappa_linear", detail=True))
    kappa_quadratic: float
    kappa_quadratic_interval: ConfidenceInterval | None = field(metadata=_ends("kappa_quadratic"))
    alpha_ordinal: float = field(metadata=DETAIL)
    alpha_ordinal_interval: ConfidenceInterval | None = field(metadata=_ends("alpha_ordinal", detail=True))
    shift: float
    shift_interval: ConfidenceInterval | None = field(metadata=_ends("shift"))


@dataclass(frozen=True)
class TopicLabels:
    """How well the grades of one estimate agree with those of the reference on one topic.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    topic : str
        The topic.
    documents : int
        The number of documents that both judged.
    same_grade : float
        The share of documents with the same grade.
    kappa_linear : float
        The weighted kappa of the grades with linear weights.
    kappa_quadratic : float
        The weighted kappa of the grades with quadratic weights.
    alpha_ordinal : float
        Krippendorff's alpha of the grades as ranks.
    shift : float
        The mean of the grade by the estimate minus the grade by the reference.
    """

    estimate: str
    topic: str
    documents: int
    same_grade: float
    kappa_linear: float
    kappa_quadratic: float
    alpha_ordinal: float
    shift: float


@dataclass(frozen=True)
class LabelThreshold:
    """How well an estimate finds the relevant documents, if these have at least some grade.

    What is divided by 0 is nan.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    grade : int
        A document is relevant if the reference gives it this grade or a higher one.
    estimate_grade : int
        A document is found if the estimate gives it this grade or a higher one.
    precision : float
        The share of the found documents that are relevant.
    precision_interval : ConfidenceInterval or None
        Its confidence interval over topics.
    recall : float
        The share of the relevant documents that are found.
    recall_interval : ConfidenceInterval or None
        Its confidence interval over topics.
    f1 : float
        The harmonic mean of precision and recall.
    accuracy : float
        The share of documents that are both relevant and found, or neither.
    kappa : float
        Cohen's kappa of relevant and found.
    """

    estimate: str
    grade: int
    estimate_grade: int
    precision: float
    precision_interval: ConfidenceInterval | None = field(metadata=_ends("precision"))
    recall: float
    recall_interval: ConfidenceInterval | None = field(metadata=_ends("recall"))
    f1: float
    accuracy: float
    kappa: float


@dataclass(frozen=True)
class Confusion:
    """How many documents have one grade by the reference and another by an estimate.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    grade : int
        The grade by the reference.
    estimate_grade : int
        The grade by the estimate.
    documents : int
        The number of documents with these two grades.
    """

    estimate: str
    grade: int
    estimate_grade: int
    documents: int


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class LabelAgreementResult(Result[LabelAgreement]):
    """The result of `label_agreement`; prints as text.

    Attributes
    ----------
    labels : tuple of LabelAgreement
        Agreement of the judgements themselves.
    confusion : tuple of Confusion
        Documents by grade of the reference (rows) and of the estimate (columns).
    thresholds : tuple of LabelThreshold
        Precision and recall of the estimate, for each grade from which documents are relevant.
    topic_labels : tuple of TopicLabels
        Agreement of the judgements topic by topic.

    Examples
    --------
    >>> import concordant as cd
    >>> result = cd.label_agreement({"q1": {"d1": 1, "d2": 0}}, {"gpt": {"q1": {"d1": 1, "d2": 1}}})
    >>> result.labels[0].documents, result.labels[0].same_relevance
    (2, 0.5)
    """

    function: ClassVar[str] = "label_agreement"

    labels: tuple[LabelAgreement, ...] = records(LabelAgreement, LABELS)
    confusion: tuple[Confusion, ...] = records(
        Confusion,
        "Documents by grade of the reference (rows) and of the estimate (columns)",
        spread=("estimate_grade", "documents"),
    )
    thresholds: tuple[LabelThreshold, ...] = records(LabelThreshold, THRESHOLDS)
    topic_labels: tuple[TopicLabels, ...] = records(TopicLabels, TOPIC_LABELS)

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: each judge if there are few; otherwise the best and the worst."""
        rows, graded = list(self.labels or ()), len({each.grade for each in self.confusion or ()}) > 2
        if len(rows) <= MOST_MEASURES:
            return sentences(_labels(row, graded) for row in rows)
        kappas = {row.estimate: row.kappa_quadratic if graded else row.kappa_of_relevance for row in rows}
        kind, what = ("quadratic kappa", "the grades") if graded else ("Cohen's kappa", "what is relevant")
        defined = {name: kappa for name, kappa in kappas.items() if not math.isnan(kappa)}
        if not defined:
            return sentences([f"{kind[0].upper()}{kind[1:]} is undefined for all {len(rows)} judges"])
        least, high = min(defined, key=defined.__getitem__), max(defined.values())
        most = [name for name, kappa in defined.items() if high - kappa <= SAME_VALUE]
        agree = f"{few(most, 'judges')} {'agrees' if len(most) == 1 else 'agree'} most with the reference"
        said = f"Of {len(rows)} judges, {agree} on {what} ({kind} {number(high)})"
        return sentences([f"{said}, {least} least ({number(defined[least])})"])


@public
def label_agreement(
    reference: QrelsLike,
    estimates: Mapping[str, QrelsLike],
    *,
    confidence_level: float | None = 0.95,
) -> LabelAgreementResult:
    """Compare judgements document by document.

    Parameters
    ----------
    reference : path, mapping or DataFrame
        The reference judgements, as `evaluate` takes them, such as ``{topic: {document: grade}}``.
    estimates : mapping of name to path, mapping or DataFrame
        The judgements of each estimate, by name.
    confidence_level : float or None, default 0.95
        The confidence level of the intervals over topics; None for no intervals.

    Returns
    -------
    LabelAgreementResult
        ``labels``, with Cohen's kappa of relevance and of the grades, weighted kappa (linear and quadratic),
        Krippendorff's alpha (ordinal) and the mean shift of the grades; ``confusion``; ``thresholds``, with
        precision and recall; and ``topic_labels``.

    Notes
    -----
    Only documents that both judged are compared. The distance of two grades is their difference, so that a
    grade that nobody gave changes nothing. The intervals are by the jackknife: each topic is left out in
    turn, because the labels of one topic are not independent, and the quantile is that of Student's t. There
    is none for fewer than five topics, nor if leaving out a topic changes nothing or makes the value
    undefined.

    Examples
    --------
    >>> import concordant as cd
    >>> human, llm = {"q1": {"d1": 2, "d2": 0, "d3": 1}}, {"q1": {"d1": 1, "d2": 0, "d3": 1}}
    >>> cd.label_agreement(human, {"llm": llm}).labels[0].kappa_of_relevance
    1.0
    """
    if not isinstance(estimates, Mapping) or not estimates or _is_qrels(estimates):
        got = "one set of judgements" if isinstance(estimates, Mapping) else type(estimates).__name__
        raise ArgumentTypeError(f"give the estimates by name, such as {{'gpt': qrels}}, got {got}")
    level = None if confidence_level is None else proportion("confidence_level", confidence_level)
    own, others = qrels_of(reference), {str(name): qrels_of(each) for name, each in estimates.items()}
    pairs = {name: _pairs(own, other) for name, other in others.items()}
    grades = np.unique(np.concatenate([side for _, (_, *sides) in pairs.values() for side in sides]))
    labels, confusion = list[LabelAgreement](), list[Confusion]()
    thresholds, topic_labels = list[LabelThreshold](), list[TopicLabels]()
    for name, (topics, (places, *sides)) in pairs.items():
        tables = _tables(len(topics), places, sides, grades)
        total, n, failed = tables.sum(axis=0), len(places), sum(others[name].failed.values())
        only = [sum(map(len, qrels.values())) - n for qrels in (own, others[name])]
        labels.append(LabelAgreement(name, n, only[0], only[1], *_agreement(tables, grades, level, failed)))
        cells = zip(product(grades.tolist(), repeat=2), total.ravel().tolist(), strict=True)
        confusion += [Confusion(name, a, b, int(documents)) for (a, b), documents in cells]
        thresholds += [LabelThreshold(name, *row) for row in _at_thresholds(tables, grades, level)]
        values = _each(lambda part: _values(part, grades), tables).tolist()
        rows = zip(topics, np.bincount(places).tolist(), values, strict=True)
        topic_labels += [TopicLabels(name, topic, size, *each) for topic, size, each in rows]
    every = {"reference": own, **others}.items()
    notes = [note.about(name) for name, each in every for note in notes_of_labels(each, "are not compared")]
    return LabelAgreementResult(
        labels=tuple(labels),
        confusion=tuple(confusion),
        thresholds=tuple(thresholds),
        topic_labels=tuple(topic_labels),
        notes=tuple(notes),
        options={"confidence_level": level},
    )


def _is_qrels(estimates: Mapping[str, object]) -> bool:
    """Return whether this is {topic: {document: grade}}, not {name: qrels}."""
    first = next(iter(estimates.values()))
    return isinstance(first, Mapping) and not any(isinstance(each, Mapping) for each in first.values())


def _pairs(qrels: Qrels, other: Qrels) -> tuple[list[str], list[Integers]]:
    """Return topics, and for each document that both judged the place of its topic and the two grades."""
    topics, found = list[str](), [[np.empty(0, np.int64)] for _ in range(3)]
    for topic, own in qrels.items():
        theirs = np.fromiter(map(other.get(topic, {}).get, own, repeat(_ABSENT)), np.int64, len(own))
        known = theirs != _ABSENT
        if known.any():
            grades = np.fromiter(own.values(), np.int64, len(own))
            for part, each in zip(found, (np.full(len(own), len(topics)), grades, theirs), strict=True):
                part.append(each[known])
            topics.append(topic)
    return topics, [np.concatenate(part) for part in found]


def _tables(n: int, places: Integers, sides: Sequence[Integers], grades: Integers) -> Floats:
    """Count documents: topics x grades of the reference x grades of the estimate."""
    g, (a, b) = len(grades), (np.searchsorted(grades, side) for side in sides)
    return np.bincount((places * g + a) * g + b, minlength=n * g * g).reshape(n, g, g).astype(np.float64)


def _each(function: Callable[[Floats], Floats], tables: Floats) -> Floats:
    """Apply a function to tables, to not too many at a time."""
    parts = np.array_split(tables, 1 + tables.size // _AT_ONCE)
    return np.concatenate([function(part) for part in parts])


def _kappa(tables: Floats, distance: Floats) -> Any:
    """Return 1 - observed / expected distance, the latter from each rater's own shares (Cohen 1968)."""
    rows, columns = tables.sum(-1), tables.sum(-2)
    expected = ((rows @ distance) * columns).sum(-1)
    return ratio(expected - rows.sum(-1) * (tables * distance).sum((-1, -2)), expected)


def _ordinal_alpha(tables: Floats, labels: Floats) -> Any:
    """Return Krippendorff's alpha of two raters; the distance of two grades is that of their mean ranks."""
    n = labels.sum(-1)
    ranks = labels.cumsum(-1) - labels / 2 - n[..., None] / 2  # their mean is 0
    observed = (tables * (ranks[..., :, None] - ranks[..., None, :]) ** 2).sum((-1, -2))
    expected = n * (labels * ranks**2).sum(-1)
    return ratio(expected - (n - 1) * observed, expected)


def _values(tables: Floats, grades: Integers) -> Floats:
    """Return the same grade, linear and quadratic kappa, ordinal alpha and shift of each table."""
    rows, columns = tables.sum(-1), tables.sum(-2)
    n, apart = rows.sum(-1), np.abs(np.subtract.outer(grades, grades)).astype(np.float64)
    same, shift = ratio(np.trace(tables, axis1=-2, axis2=-1), n), ratio((columns - rows) @ grades, n)
    kappas = _kappa(tables, apart), _kappa(tables, apart**2)
    return np.stack([same, *kappas, _ordinal_alpha(tables, rows + columns), shift], axis=-1)


def _agreement(tables: Floats, grades: Integers, level: float | None, failed: int) -> Iterator[Any]:
    """Yield the values of a row of ``labels``, from the share of the same relevance on."""
    total, relevant = tables.sum(axis=0), np.stack([grades <= 0, grades > 0]).astype(np.float64)
    for table in (relevant @ total @ relevant.T, total):
        yield float(ratio(np.trace(table), table.sum()))
        yield float(_kappa(table, 1 - np.eye(len(table))))
    yield failed
    without = _each(lambda part: _values(total - part, grades), tables)
    for k, value in enumerate(_values(total, grades).tolist()[1:], 1):
        bound = math.inf if k == 4 else 1.0  # the shift has none
        yield from (value, _interval(value, without[:, k], level, -bound, bound))


def _at_thresholds(tables: Floats, grades: Integers, level: float | None) -> Iterator[tuple[Any, ...]]:
    """Yield two grades, precision and recall with their intervals, F1, accuracy and kappa."""
    g = len(grades)
    both = [(s, t) for s, t in product(range(1, g), repeat=2) if s == t or g <= _MOST_GRADES]
    s, t = np.array(both, dtype=np.int64).reshape(-1, 2).T

    def binary(tables: Floats) -> Floats:
        above = tables[..., ::-1, ::-1].cumsum(-1).cumsum(-2)[..., ::-1, ::-1]
        hits, relevant, found = above[..., s, t], above[..., s, 0 * t], above[..., 0 * s, t]
        n = above[..., 0 * s, 0 * t]
        same = n - relevant - found + 2 * hits
        chance = relevant * found + (n - relevant) * (n - found)
        shares = ((hits, found), (hits, relevant), (2 * hits, relevant + found), (same, n))
        return np.stack([ratio(*each) for each in (*shares, (n * same - chance, n * n - chance))], axis=-1)

    total = tables.sum(axis=0)
    without = _each(lambda part: binary(total - part)[..., :2], tables)
    for k, (precision, recall, *others) in enumerate(binary(total).tolist()):
        ends = (_interval(each, without[:, k, i], level, 0, 1) for i, each in enumerate((precision, recall)))
        yield (*grades[[s[k], t[k]]].tolist(), precision, next(ends), recall, next(ends), *others)


def _interval(value: float, without: Floats, level: float | None, *ends: float) -> ConfidenceInterval | None:
    """Return the interval by the jackknife over topics, given the values without each topic."""
    n = len(without)
    if level is None or n < LEAST_TOPICS or math.isnan(value) or np.isnan(without).any():
        return None
    half = t_quantile((1 + level) / 2, n - 1) * math.sqrt((n - 1) * float(without.var()))
    found = ConfidenceInterval(max(value - half, ends[0]), min(value + half, ends[1]))
    return found if half > ROUNDING else None


def _labels(row: LabelAgreement, graded: bool) -> str:
    if row.documents == 0:
        return f"{row.estimate} and the reference judged no document in common"
    both = f"{row.estimate} and the reference both judged {count(row.documents, 'document')}"
    kappas = row.kappa_of_relevance, row.kappa_of_grades
    relevance, grade = ("undefined" if math.isnan(kappa) else number(kappa) for kappa in kappas)
    agree = f"they agree on relevance for {number(row.same_relevance)} of them (Cohen's kappa {relevance})"
    if graded and not math.isnan(row.kappa_quadratic):
        grade += f", quadratic {with_interval(row.kappa_quadratic, row.kappa_quadratic_interval)}"
    return f"{both}: {agree}, on the grade for {number(row.same_grade)} (kappa {grade})"
