"""The agreement of raters, label by label: the tables that `judge` and `labels` share."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from concordant.reading.ratings import Grade, Ratings
from concordant.results.table import DETAIL, parts
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.rater_agreement import (
    VALUES,
    Scale,
    binary_values,
    each_part,
    jackknife,
    pair_values,
)
from concordant.typing import Floats, Integers

_MOST_GRADES = 10  # for which all pairs of thresholds are listed
BOTH_SIDES = "judgements on both sides"
RATERS = "Agreement of the labels themselves"
CONFUSION = "Items by label of the reference (rows) and of the rater (columns)"
THRESHOLDS = "Precision and recall of the rater, if labels from a grade on count as yes"
TOPIC_LABELS = "Agreement of the labels topic by topic"


def _ends(name: str, **more: Any) -> dict[str, Any]:
    """Return the metadata of the interval of a field."""
    return parts(f"{name}_low", f"{name}_high", of=name) | more


@dataclass(frozen=True)
class RaterAgreement:
    """How well the labels of a rater agree with those of the reference.

    A value that needs an order of the labels is nan if they have none.

    Attributes
    ----------
    reference : str
        The rater that is the reference; with no reference, the first of the two.
    rater : str
        The rater, such as a judge.
    n : int
        The number of items that both labelled.
    reference_only : int
        The number of items that only the reference labelled.
    rater_only : int
        The number of items that only the rater labelled.
    failed : int
        The number of labels of the rater that are missing or failed.
    percent : float
        The share of items with the same label.
    percent_interval : ConfidenceInterval or None
        Its confidence interval over topics, or over items if there are none.
    kappa : float
        Cohen's kappa: every two different labels disagree equally.
    kappa_interval : ConfidenceInterval or None
        Its confidence interval over topics, or over items if there are none.
    kappa_linear : float
        The weighted kappa with linear weights: the disagreement of two labels is their difference.
    kappa_linear_interval : ConfidenceInterval or None
        Its confidence interval over topics, or over items if there are none.
    kappa_quadratic : float
        The weighted kappa with quadratic weights: the disagreement is the square of the difference.
    kappa_quadratic_interval : ConfidenceInterval or None
        Its confidence interval over topics, or over items if there are none.
    alpha_nominal : float
        Krippendorff's alpha of the labels as words.
    alpha_nominal_interval : ConfidenceInterval or None
        Its confidence interval over topics, or over items if there are none.
    alpha_ordinal : float
        Krippendorff's alpha of the labels as ranks.
    alpha_ordinal_interval : ConfidenceInterval or None
        Its confidence interval over topics, or over items if there are none.
    alpha_interval : float
        Krippendorff's alpha of the labels as numbers.
    alpha_interval_interval : ConfidenceInterval or None
        Its confidence interval over topics, or over items if there are none.
    ac1 : float
        Gwet's AC1, which depends on the number of possible labels.
    ac1_interval : ConfidenceInterval or None
        Its confidence interval over topics, or over items if there are none.
    tau_b : float
        Kendall's tau_b of the labels.
    tau_b_interval : ConfidenceInterval or None
        Its confidence interval over topics, or over items if there are none.
    tau_c : float
        Stuart's tau_c of the labels.
    tau_c_interval : ConfidenceInterval or None
        Its confidence interval over topics, or over items if there are none.
    gamma : float
        Goodman and Kruskal's gamma of the labels.
    gamma_interval : ConfidenceInterval or None
        Its confidence interval over topics, or over items if there are none.
    somers_d : float
        Somers' D of the labels of the rater, given those of the reference.
    somers_d_interval : ConfidenceInterval or None
        Its confidence interval over topics, or over items if there are none.
    shift : float
        The mean of the label by the rater minus that by the reference: positive if the rater is lenient,
        negative if it is strict.
    shift_interval : ConfidenceInterval or None
        Its confidence interval over topics, or over items if there are none.
    """

    reference: str
    rater: str
    n: int
    reference_only: int = field(metadata=DETAIL)
    rater_only: int = field(metadata=DETAIL)
    failed: int = field(metadata=DETAIL)
    percent: float
    percent_interval: ConfidenceInterval | None = field(metadata=_ends("percent", detail=True))
    kappa: float
    kappa_interval: ConfidenceInterval | None = field(metadata=_ends("kappa", detail=True))
    kappa_linear: float = field(metadata=DETAIL)
    kappa_linear_interval: ConfidenceInterval | None = field(metadata=_ends("kappa_linear", detail=True))
    kappa_quadratic: float
    kappa_quadratic_interval: ConfidenceInterval | None = field(
        metadata=_ends("kappa_quadratic", detail=True)
    )
    alpha_nominal: float = field(metadata=DETAIL)
    alpha_nominal_interval: ConfidenceInterval | None = field(metadata=_ends("alpha_nominal", detail=True))
    alpha_ordinal: float
    alpha_ordinal_interval: ConfidenceInterval | None = field(metadata=_ends("alpha_ordinal"))
    alpha_interval: float = field(metadata=DETAIL)
    alpha_interval_interval: ConfidenceInterval | None = field(metadata=_ends("alpha_interval", detail=True))
    ac1: float
    ac1_interval: ConfidenceInterval | None = field(metadata=_ends("ac1", detail=True))
    tau_b: float
    tau_b_interval: ConfidenceInterval | None = field(metadata=_ends("tau_b", detail=True))
    tau_c: float = field(metadata=DETAIL)
    tau_c_interval: ConfidenceInterval | None = field(metadata=_ends("tau_c", detail=True))
    gamma: float = field(metadata=DETAIL)
    gamma_interval: ConfidenceInterval | None = field(metadata=_ends("gamma", detail=True))
    somers_d: float = field(metadata=DETAIL)
    somers_d_interval: ConfidenceInterval | None = field(metadata=_ends("somers_d", detail=True))
    shift: float
    shift_interval: ConfidenceInterval | None = field(metadata=_ends("shift"))


@dataclass(frozen=True)
class TopicLabels:
    """How well the labels of a rater agree with those of the reference on one topic.

    Attributes
    ----------
    reference : str
        The rater that is the reference.
    rater : str
        The rater, such as a judge.
    topic : str
        The topic.
    n : int
        The number of items that both labelled.
    percent : float
        The share of items with the same label.
    kappa_linear : float
        The weighted kappa with linear weights.
    kappa_quadratic : float
        The weighted kappa with quadratic weights.
    alpha_ordinal : float
        Krippendorff's alpha of the labels as ranks.
    shift : float
        The mean of the label by the rater minus that by the reference.
    """

    reference: str
    rater: str
    topic: str
    n: int
    percent: float
    kappa_linear: float
    kappa_quadratic: float
    alpha_ordinal: float
    shift: float


_OF_TOPICS = [VALUES.index(name) for name in list(TopicLabels.__annotations__)[4:]]


@dataclass(frozen=True)
class LabelThreshold:
    """How well a rater finds the items that the reference gives at least some label.

    What is divided by 0 is nan.

    Attributes
    ----------
    reference : str
        The rater that is the reference.
    rater : str
        The rater, such as a judge.
    label : hashable
        An item counts as yes if the reference gives it this label or a higher one.
    rater_label : hashable
        An item is found if the rater gives it this label or a higher one.
    precision : float
        The share of the found items that are yes.
    precision_interval : ConfidenceInterval or None
        Its confidence interval over topics, or over items if there are none.
    recall : float
        The share of the items that are yes that are found.
    recall_interval : ConfidenceInterval or None
        Its confidence interval over topics, or over items if there are none.
    f1 : float
        The harmonic mean of precision and recall.
    accuracy : float
        The share of items that are both yes and found, or neither.
    kappa : float
        Cohen's kappa of yes and found.
    """

    reference: str
    rater: str
    label: Hashable
    rater_label: Hashable
    precision: float
    precision_interval: ConfidenceInterval | None = field(metadata=_ends("precision"))
    recall: float
    recall_interval: ConfidenceInterval | None = field(metadata=_ends("recall"))
    f1: float
    accuracy: float
    kappa: float


@dataclass(frozen=True)
class Confusion:
    """How many items have one label by the reference and another by a rater.

    Attributes
    ----------
    reference : str
        The rater that is the reference.
    rater : str
        The rater, such as a judge.
    label : hashable
        The label by the reference.
    rater_label : hashable
        The label by the rater.
    n : int
        The number of items with these two labels.
    """

    reference: str
    rater: str
    label: Hashable
    rater_label: Hashable
    n: int


def rater_tables(
    ratings: Ratings, pairs: Sequence[tuple[str, str]], level: float | None
) -> dict[str, tuple[Any, ...]]:
    """Return the tables of pairs of raters, the reference first: agreement, confusion, thresholds, topics."""
    scale, grades = Scale(ratings.values, ratings.ordered), ratings.grades
    raters, confusion = list[RaterAgreement](), list[Confusion]()
    thresholds, topic_labels = list[LabelThreshold](), list[TopicLabels]()
    for reference, rater in pairs:
        sides = ratings.of(reference), ratings.of(rater)
        tables, times = _tables(ratings, *sides)
        total = (times[:, None, None] * tables).sum(axis=0)
        values = pair_values(total, scale).tolist()
        without = each_part(partial(_without, total, scale), tables)
        own = list[Any]()
        for k, (name, value) in enumerate(zip(VALUES, values, strict=True)):
            bound = math.inf if name == "shift" else 1.0
            own += [value, jackknife(value, without[:, k], times, level, -bound, bound)]
        known = [side >= 0 for side in sides]
        sizes = (known[0] & known[1]), (known[0] & ~known[1]), (known[1] & ~known[0])
        own = [*(int(each.sum()) for each in sizes), (ratings.failed or {}).get(rater, 0), *own]
        raters.append(RaterAgreement(reference, rater, *own))
        cells = zip(product(grades, repeat=2), total.ravel().tolist(), strict=True)
        confusion += [Confusion(reference, rater, a, b, int(n)) for (a, b), n in cells]
        if ratings.ordered:
            found = _at_thresholds(tables, times, grades, level)
            thresholds += [LabelThreshold(reference, rater, *row) for row in found]
        if ratings.topics is not None:
            rows = zip(
                ratings.topics[1],
                tables,
                each_part(lambda t: pair_values(t, scale), tables).tolist(),
                strict=True,
            )
            topic_labels += [
                TopicLabels(reference, rater, topic, int(table.sum()), *(each[place] for place in _OF_TOPICS))
                for topic, table, each in rows
                if table.any()
            ]
    return {
        "raters": tuple(raters),
        "confusion": tuple(confusion),
        "thresholds": tuple(thresholds),
        "topic_labels": tuple(topic_labels),
    }


def _without(total: Floats, scale: Scale, part: Floats) -> Floats:
    return pair_values(total - part, scale)


def _tables(ratings: Ratings, a: Integers, b: Integers) -> tuple[Floats, Integers]:
    """Count items by their two labels: a table for each topic; without topics, for each pair of labels."""
    g, both = len(ratings.grades), (a >= 0) & (b >= 0)
    cells = a[both] * g + b[both]
    if ratings.topics is not None:
        of, names = ratings.topics
        counts = np.bincount(of[both] * g * g + cells, minlength=len(names) * g * g)
        tables: Floats = counts.reshape(-1, g, g).astype(np.float64)
        times = np.asarray(tables.any(axis=(1, 2)), dtype=np.int64)
        return tables, times
    times = np.bincount(cells, minlength=g * g)
    used = np.flatnonzero(times)
    units = np.zeros((len(used), g * g))
    units[np.arange(len(used)), used] = 1.0
    return units.reshape(-1, g, g), times[used]


def _at_thresholds(
    tables: Floats, times: Integers, grades: Sequence[Grade], level: float | None
) -> Iterator[tuple[Any, ...]]:
    """Yield two grades, precision and recall with their intervals, F1, accuracy and kappa."""
    g = len(grades)
    both = [(s, t) for s, t in product(range(1, g), repeat=2) if s == t or g <= _MOST_GRADES]
    s, t = np.array(both, dtype=np.int64).reshape(-1, 2).T
    total = (times[:, None, None] * tables).sum(axis=0)
    without = each_part(lambda part: binary_values(total - part, s, t)[..., :2], tables)
    for k, (precision, recall, *others) in enumerate(binary_values(total, s, t).tolist()):
        ends = [jackknife(v, without[:, k, i], times, level, 0) for i, v in enumerate((precision, recall))]
        yield (grades[s[k]], grades[t[k]], precision, ends[0], recall, ends[1], *others)
