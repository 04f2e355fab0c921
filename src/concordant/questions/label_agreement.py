"""The agreement of judgements, document by document."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

from concordant.errors import ArgumentTypeError, public
from concordant.questions.verdict import MOST_MEASURES, SAME_VALUE
from concordant.reading.qrels import Qrels, QrelsLike, qrels_of
from concordant.results.result import Result, records
from concordant.results.words import count, few, number, sentences


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
        Cohen's kappa of the grades.
    """

    estimate: str
    documents: int
    reference_only: int
    estimate_only: int
    same_relevance: float
    kappa_of_relevance: float
    same_grade: float
    kappa_of_grades: float


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

    Examples
    --------
    >>> import concordant as cd
    >>> result = cd.label_agreement({"q1": {"d1": 1, "d2": 0}}, {"gpt": {"q1": {"d1": 1, "d2": 1}}})
    >>> result.labels[0].documents, result.labels[0].same_relevance
    (2, 0.5)
    """

    function: ClassVar[str] = "label_agreement"

    labels: tuple[LabelAgreement, ...] = records(LabelAgreement, "Agreement of the judgements themselves")
    confusion: tuple[Confusion, ...] = records(
        Confusion,
        "Documents by grade of the reference (rows) and of the estimate (columns)",
        spread=("estimate_grade", "documents"),
    )

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: each judge if there are few; otherwise the best and the worst."""
        rows = list(self.labels or ())
        if len(rows) <= MOST_MEASURES:
            return sentences(map(_labels, rows))
        kappas = {row.estimate: row.kappa_of_relevance for row in rows}
        defined = {name: kappa for name, kappa in kappas.items() if not math.isnan(kappa)}
        if not defined:
            return sentences([f"Cohen's kappa is undefined for all {len(rows)} judges"])
        least, high = min(defined, key=defined.__getitem__), max(defined.values())
        most = [name for name, kappa in defined.items() if high - kappa <= SAME_VALUE]
        agree = f"{few(most, 'judges')} {'agrees' if len(most) == 1 else 'agree'} most with the reference"
        said = f"Of {len(rows)} judges, {agree} on what is relevant (Cohen's kappa {number(high)})"
        return sentences([f"{said}, {least} least ({number(defined[least])})"])


@public
def label_agreement(reference: QrelsLike, estimates: Mapping[str, QrelsLike]) -> LabelAgreementResult:
    """Compare judgements document by document.

    Parameters
    ----------
    reference : path, mapping or DataFrame
        The reference judgements, as `evaluate` takes them, such as ``{topic: {document: grade}}``.
    estimates : mapping of name to path, mapping or DataFrame
        The judgements of each estimate, by name.

    Returns
    -------
    LabelAgreementResult
        ``labels``, with Cohen's kappa of relevance and of the grades; and ``confusion``.

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
    own, others = qrels_of(reference), {str(name): qrels_of(each) for name, each in estimates.items()}
    labels, confusion = [], []
    by_estimate = {name: _label_pairs(own, other) for name, other in others.items()}
    grades = sorted({grade for pairs in by_estimate.values() for pair in pairs for grade in pair})
    for name, pairs in by_estimate.items():
        n = pairs.total()
        n_reference, n_estimate = (sum(map(len, qrels.values())) for qrels in (own, others[name]))
        binary: Counter[tuple[int, int]] = Counter()
        for (a, b), many in pairs.items():
            binary[int(a > 0), int(b > 0)] += many
        same = sum(many for (a, b), many in pairs.items() if a == b) / n if n else math.nan
        same_binary = (binary[0, 0] + binary[1, 1]) / n if n else math.nan
        sizes = (n, n_reference - n, n_estimate - n)
        labels.append(LabelAgreement(name, *sizes, same_binary, _kappa(binary), same, _kappa(pairs)))
        confusion += [Confusion(name, a, b, pairs[a, b]) for a, b in product(grades, grades)]
    return LabelAgreementResult(labels=tuple(labels), confusion=tuple(confusion))


def _is_qrels(estimates: Mapping[str, object]) -> bool:
    """Return whether this is {topic: {document: grade}}, not {name: qrels}."""
    first = next(iter(estimates.values()))
    return isinstance(first, Mapping) and not any(isinstance(each, Mapping) for each in first.values())


def _kappa(pairs: Counter[tuple[int, int]]) -> float:
    """Return Cohen's kappa: the agreement beyond chance, divided by its largest possible value."""
    n = pairs.total()
    if n == 0:
        return math.nan
    left, right = Counter[int](), Counter[int]()
    for (a, b), many in pairs.items():
        left[a] += many
        right[b] += many
    agree = sum(many for (a, b), many in pairs.items() if a == b)
    chance = sum(left[label] * right[label] for label in left)
    return math.nan if chance == n * n else (agree * n - chance) / (n * n - chance)


def _label_pairs(qrels: Qrels, other: Qrels) -> Counter[tuple[int, int]]:
    return Counter(
        (grade, other[topic][document])
        for topic, documents in qrels.items()
        if topic in other
        for document, grade in documents.items()
        if document in other[topic]
    )


def _labels(row: LabelAgreement) -> str:
    if row.documents == 0:
        return f"{row.estimate} and the reference judged no document in common"
    both = f"{row.estimate} and the reference both judged {count(row.documents, 'document')}"
    kappas = row.kappa_of_relevance, row.kappa_of_grades
    relevance, grade = ("undefined" if math.isnan(kappa) else number(kappa) for kappa in kappas)
    agree = f"they agree on relevance for {number(row.same_relevance)} of them (Cohen's kappa {relevance})"
    return f"{both}: {agree}, on the grade for {number(row.same_grade)} (kappa {grade})"
