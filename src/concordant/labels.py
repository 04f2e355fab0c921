"""Judgements compared document by document."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from concordant.report import Report, Table

__all__ = ["label_agreement"]

Labels: TypeAlias = Mapping[str, Mapping[str, int]]


def _kappa(pairs: Counter[tuple[int, int]]) -> float:
    """Cohen's kappa: agreement beyond chance, over the most there could be beyond chance."""
    n = pairs.total()
    if n == 0:
        return math.nan
    left: Counter[int] = Counter()
    right: Counter[int] = Counter()
    for (a, b), count in pairs.items():
        left[a] += count
        right[b] += count
    agree = sum(count for (a, b), count in pairs.items() if a == b)
    chance = sum(left[label] * right[label] for label in left)
    return math.nan if chance == n * n else (agree * n - chance) / (n * n - chance)


def _label_pairs(qrels: Labels, other: Labels) -> Counter[tuple[int, int]]:
    return Counter(
        (grade, other[topic][document])
        for topic, documents in qrels.items()
        if topic in other
        for document, grade in documents.items()
        if document in other[topic]
    )


def label_agreement(qrels: Labels, judges: Mapping[str, Labels]) -> Report:
    """Compare judgements document by document.

    Parameters
    ----------
    qrels : mapping
        The true judgements, ``{topic: {document: grade}}``.
    judges : mapping of name to the same

    Returns
    -------
    Report
        With the tables "labels" (Cohen's kappa of relevant or not, and of the grades) and "confusion".

    Examples
    --------
    >>> import concordant as cd
    >>> human, llm = {"q1": {"d1": 2, "d2": 0, "d3": 1}}, {"q1": {"d1": 1, "d2": 0, "d3": 1}}
    >>> cd.label_agreement(human, {"llm": llm})["labels"].to_dicts()[0]["kappa of relevance"]
    1.0
    """
    return Report("", tuple(label_tables(qrels, judges)))


def label_tables(qrels: Labels, judges: Mapping[str, Labels]) -> list[Table]:
    labels, confusion = [], []
    by_judge = {name: _label_pairs(qrels, other) for name, other in judges.items()}
    grades = sorted({grade for pairs in by_judge.values() for pair in pairs for grade in pair})
    sizes = {name: sum(map(len, each.values())) for name, each in judges.items()}
    n_truth = sum(map(len, qrels.values()))
    for name, pairs in by_judge.items():
        n = pairs.total()
        binary: Counter[tuple[int, int]] = Counter()
        for (a, b), count in pairs.items():
            binary[int(a > 0), int(b > 0)] += count
        same = sum(count for (a, b), count in pairs.items() if a == b) / n if n else math.nan
        same_binary = (binary[0, 0] + binary[1, 1]) / n if n else math.nan
        labels.append(
            (name, n, n_truth - n, sizes[name] - n, same_binary, _kappa(binary), same, _kappa(pairs))
        )
        for grade in grades:
            confusion.append((name, grade, *(pairs[grade, other] for other in grades)))
    columns = (
        "judge",
        "documents",
        "truth only",
        "judge only",
        "same relevance",
        "kappa of relevance",
        "same grade",
        "kappa of grades",
    )
    return [
        Table("labels", "Agreement of the judgements themselves", columns, tuple(labels)),
        Table(
            "confusion",
            "Documents by true grade (rows) and grade of the judge (columns)",
            ("judge", "true grade", *(f"grade {grade}" for grade in grades)),
            tuple(confusion),
        ),
    ]
