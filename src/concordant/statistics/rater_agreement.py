"""The agreement of raters who label the same items, from sums over items; and the alternative annotator test.

Every value here is a function of sums over items. So an item, or a topic, is left out by a subtraction, and
items with the same labels are counted, not listed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from concordant.coefficients.engine import ratio, root_of_product
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.distributions import normal, t_below, t_quantile
from concordant.statistics.significance import adjust_pvalues
from concordant.statistics.topic_luck import LEAST_TOPICS, ROUNDING
from concordant.typing import Floats, Integers

_AT_ONCE = 2**21  # cells of tables that are held at a time
_POWER = 0.8  # with which a test is planned
Closeness: TypeAlias = Literal["accuracy", "neg_rmse"]
Weights: TypeAlias = Literal["linear", "quadratic", "ordinal"]

# --- two raters: a table of counts, reference x rater ----------------------------------------------------


class Scale(NamedTuple):
    """The labels that there are, the lowest first."""

    values: Floats  # as numbers; their differences are the distances of labels
    ordered: bool = True  # without an order only equal and different labels are told apart

    @property
    def apart(self) -> Floats:
        """The distance of every two labels."""
        found: Floats = np.abs(np.subtract.outer(self.values, self.values))
        return found


def kappa(tables: Floats, distance: Floats) -> Any:
    """Return 1 - observed / expected distance, the latter from each rater's own shares (Cohen 1968)."""
    rows, columns = tables.sum(-1), tables.sum(-2)
    expected = ((rows @ distance) * columns).sum(-1)
    return ratio(expected - rows.sum(-1) * (tables * distance).sum((-1, -2)), expected)


def krippendorff_alpha(coincidences: Floats, values: Floats | None) -> Any:
    """Return Krippendorff's alpha of coincidences of labels; nominal without values, or those of the labels.

    `values` has a value for each label: the grade (interval), or the mid-rank among all labels (ordinal).
    """
    labels = coincidences.sum(-1)
    n = labels.sum(-1)
    if values is None:
        observed = n - np.trace(coincidences, axis1=-2, axis2=-1)
        expected = n * n - (labels * labels).sum(-1)
    else:
        mean = ratio((labels * values).sum(-1), n)
        centred = np.where(labels > 0, values - np.asarray(mean)[..., None], 0.0)
        observed = (coincidences * (centred[..., :, None] - centred[..., None, :]) ** 2).sum((-1, -2))
        expected = 2 * n * (labels * centred**2).sum(-1)
    return ratio(expected - (n - 1) * observed, expected)


def midranks(coincidences: Floats) -> Floats:
    """Return the mid-rank of each label among all labels, for the ordinal alpha."""
    labels = coincidences.sum(-1)
    found: Floats = labels.cumsum(-1) - labels / 2
    return found


def pair_counts(tables: Floats) -> tuple[Any, ...]:
    """Return the numbers of items; of concordant and of discordant pairs; of pairs untied on each side."""

    def both_above(own: Floats) -> Any:
        above = own[..., ::-1, ::-1].cumsum(-1).cumsum(-2)[..., ::-1, ::-1]
        return (own[..., :-1, :-1] * above[..., 1:, 1:]).sum((-1, -2))

    rows, columns = tables.sum(-1), tables.sum(-2)
    n = rows.sum(-1)
    untied = ((n * n - (side * side).sum(-1)) / 2 for side in (rows, columns))
    return n, both_above(tables), both_above(tables[..., ::-1]), *untied


VALUES = (
    *("percent", "kappa", "kappa_linear", "kappa_quadratic", "alpha_nominal", "alpha_ordinal"),
    *("alpha_interval", "ac1", "tau_b", "tau_c", "gamma", "somers_d", "shift"),
)


def pair_values(tables: Floats, scale: Scale) -> Floats:
    """Return the `VALUES` of each table of two raters; nan where a value is undefined or needs an order."""
    rows, columns = tables.sum(-1), tables.sum(-2)
    n, different = rows.sum(-1), 1.0 - np.eye(len(scale.values))
    coincidences = tables + np.swapaxes(tables, -1, -2)
    same = ratio(np.trace(tables, axis1=-2, axis2=-1), n)
    found = {
        "percent": same,
        "kappa": kappa(tables, different),
        "alpha_nominal": krippendorff_alpha(coincidences, None),
        "ac1": _gwet(same, ratio(rows + columns, 2 * n[..., None]), 1.0 - different),
    }
    if scale.ordered:
        items, agree, oppose, untied_x, untied_y = pair_counts(tables)
        levels = np.minimum((rows > 0).sum(-1), (columns > 0).sum(-1))
        found |= {
            "kappa_linear": kappa(tables, scale.apart),
            "kappa_quadratic": kappa(tables, scale.apart**2),
            "alpha_ordinal": krippendorff_alpha(coincidences, midranks(coincidences)),
            "alpha_interval": krippendorff_alpha(coincidences, scale.values),
            "tau_b": ratio(agree - oppose, root_of_product(untied_x, untied_y)),
            "tau_c": ratio(2 * levels * (agree - oppose), items * items * (levels - 1.0)),
            "gamma": ratio(agree - oppose, agree + oppose),
            "somers_d": ratio(agree - oppose, untied_x),
            "shift": ratio((columns - rows) @ scale.values, n),
        }
    nothing = np.full(n.shape, math.nan)
    return np.stack([found.get(name, nothing) for name in VALUES], axis=-1)


def binary_values(tables: Floats, s: Integers, t: Integers) -> Floats:
    """Return precision, recall, F1, accuracy and kappa, if labels from s on (rater: from t) count as yes."""
    above = tables[..., ::-1, ::-1].cumsum(-1).cumsum(-2)[..., ::-1, ::-1]
    hits, relevant, found = above[..., s, t], above[..., s, 0 * t], above[..., 0 * s, t]
    n = above[..., 0 * s, 0 * t]
    same = n - relevant - found + 2 * hits
    chance = relevant * found + (n - relevant) * (n - found)
    shares = ((hits, found), (hits, relevant), (2 * hits, relevant + found), (same, n))
    return np.stack([ratio(*each) for each in (*shares, (n * same - chance, n * n - chance))], axis=-1)


# --- any number of raters --------------------------------------------------------------------------------


def item_sums(counts: Integers) -> Floats:
    """Return what items add to the sums of `overall_values`, from how often an item has each label.

    A row has the coincidences of labels, the shares of agreeing and other pairs of labels, the shares of
    labels, whether all labels are equal, whether there are two or more, and whether there is one.
    """
    m, k = counts.sum(-1, keepdims=True).astype(np.float64), counts.shape[-1]
    pairs = (counts[:, :, None] * (counts[:, None, :] - np.eye(k))).reshape(-1, k * k)
    two, one = m >= 2, m >= 1
    per_label = np.where(two, pairs / np.maximum(m - 1, 1), 0.0)
    per_pair = np.where(two, pairs / np.maximum(m * (m - 1), 1), 0.0)
    equal = two & (counts.max(-1, keepdims=True, initial=0) == m)
    return np.concatenate([per_label, per_pair, counts / np.maximum(m, 1), equal, two, one], axis=1)


OVERALL = (
    *("percent of pairs", "percent of items", "alpha (nominal)", "alpha (ordinal)", "alpha (interval)"),
    *("AC1", "AC2 (linear)", "AC2 (quadratic)", "AC2 (ordinal)"),
)


def overall_values(sums: Floats, scale: Scale) -> Floats:
    """Return the values of `OVERALL` of each row of sums over items."""
    k = len(scale.values)
    ends = np.cumsum([k * k, k * k, k])
    coincidences, pairs, labels, rest = np.split(sums, ends, axis=-1)
    coincidences, pairs = (each.reshape(*each.shape[:-1], k, k) for each in (coincidences, pairs))
    equal, two, one = np.moveaxis(rest, -1, 0)
    pairs, shares = ratio(pairs, two[..., None, None]), ratio(labels, one[..., None])

    def ac(weights: Floats) -> Any:
        return _gwet((pairs * weights).sum((-1, -2)), shares, weights)

    nothing = np.full(two.shape, math.nan)
    found = [
        np.trace(pairs, axis1=-2, axis2=-1),
        ratio(equal, two),
        krippendorff_alpha(coincidences, None),
        *(krippendorff_alpha(coincidences, each) for each in (midranks(coincidences), scale.values)),
        *(ac(gwet_weights(scale.values, kind)) for kind in (None, "linear", "quadratic", "ordinal")),
    ]
    if not scale.ordered:
        found = [nothing if place in (3, 4, 6, 7, 8) else each for place, each in enumerate(found)]
    return np.stack(found, axis=-1)


def gwet_weights(values: Floats, kind: Weights | None) -> Floats:
    """Return how much two labels agree, from 0 to 1; without a kind only equal labels do."""
    k, found = len(values), np.eye(len(values))
    apart = np.abs(np.subtract.outer(values, values))
    if kind == "ordinal":
        steps = np.abs(np.subtract.outer(np.arange(k), np.arange(k)))
        return found if k < 2 else 1 - (steps + 1) * steps / (k * (k - 1))
    if kind is not None and apart.max(initial=0.0) > 0:
        found = 1 - (apart / apart.max()) ** (1 if kind == "linear" else 2)
    return found


def _gwet(observed: Any, shares: Floats, weights: Floats) -> Any:
    """Return Gwet's coefficient of the observed agreement and the shares of the labels."""
    q = len(weights)
    expected = weights.sum() * (shares * (1 - shares)).sum(-1) / max(q * (q - 1), 1)
    return ratio(observed - expected, 1 - expected) if q > 1 else np.full(np.shape(observed), math.nan)


# --- intervals -------------------------------------------------------------------------------------------


def each_part(function: Callable[[Floats], Floats], tables: Floats) -> Floats:
    """Apply a function to tables, to not too many at a time."""
    return np.concatenate([function(part) for part in np.array_split(tables, 1 + tables.size // _AT_ONCE)])


def jackknife(
    value: float, without: Floats, times: Integers, level: float | None, low: float = -1.0, high: float = 1.0
) -> ConfidenceInterval | None:
    """Return the interval by the jackknife, given the values without each unit, and how often it occurs."""
    n = int(times.sum())
    if level is None or n < LEAST_TOPICS or math.isnan(value) or np.isnan(without).any():
        return None
    mean = float(times @ without) / n
    variance = (n - 1) / n * float(times @ (without - mean) ** 2)
    half = t_quantile((1 + level) / 2, n - 1) * math.sqrt(variance)
    return ConfidenceInterval(max(value - half, low), min(value + half, high)) if half > ROUNDING else None


# --- the alternative annotator test (Calderon, Reichart and Dror 2025) -----------------------------------


class Replaced(NamedTuple):
    """A test of whether a judge can replace one annotator."""

    n: int  # instances
    difference: float  # the mean of (annotator at least as close) - (judge at least as close)
    advantage: float  # the share of instances on which the judge is at least as close
    pvalue: float
    rejected: bool  # that the annotator is better by epsilon or more


class AltTest(NamedTuple):
    """The alternative annotator test of a judge, by annotator; None for one with too few instances."""

    annotators: tuple[Replaced | None, ...]
    winning_rate: float
    advantage: float
    needed: int | None  # instances with which it would pass, if the differences stay as they are

    @property
    def passes(self) -> bool:
        """Whether the judge can replace at least half of the annotators."""
        return self.winning_rate >= 0.5


def alt_test(
    judge: Floats,
    humans: Floats,
    *,
    score: Closeness,
    epsilon: float,
    min_humans: int = 2,
    min_items: int = 30,
) -> AltTest:
    """Test whether a judge can replace an annotator. Labels: of items, and items x annotators; nan: none."""
    instances = ~np.isnan(judge) & ((~np.isnan(humans)).sum(1) >= max(min_humans, 2))

    def closer(j: int) -> Floats:
        rows = instances & ~np.isnan(humans[:, j])
        others, own = np.delete(humans[rows], j, axis=1), (judge[rows, None], humans[rows, j, None])
        if score == "accuracy":
            judged, annotated = ((others == each).sum(1) for each in own)
        else:
            judged, annotated = (-np.nansum((others - each) ** 2, axis=1) for each in own)
        return np.asarray(np.sign(annotated - judged), dtype=np.float64)

    return _tested([closer(j) for j in range(humans.shape[1])], epsilon, min_items)


def alt_test_rankings(agreement: Floats, *, epsilon: float, min_items: int = 1) -> AltTest:
    """Do so for rankings: topics x raters x annotators, the coefficient of two raters' scores of the systems.

    The last of the raters is the judge, the others are the annotators; nan: undefined.
    """

    def closer(j: int) -> Floats:
        others = [k for k in range(agreement.shape[2]) if k != j]
        annotated, judged = agreement[:, j, others], agreement[:, -1, others]
        known = ~np.isnan(annotated) & ~np.isnan(judged)
        rows = known.any(axis=1)
        gap = np.where(known, annotated - judged, 0.0).sum(1)[rows]  # of one sign with the mean
        return np.where(np.abs(gap) <= ROUNDING, 0.0, np.sign(gap))

    return _tested([closer(j) for j in range(agreement.shape[2])], epsilon, min_items)


def _tested(differences: Sequence[Floats], epsilon: float, min_items: int) -> AltTest:
    """Test for each annotator whether it is better than the judge by epsilon or more."""
    places = [j for j, d in enumerate(differences) if len(d) >= max(min_items, 2)]
    used = [differences[j] for j in places]
    pvalues = np.array([_below(d, epsilon) for d in used])
    rejected = adjust_pvalues(pvalues, "by") <= 0.05
    found: list[Replaced | None] = [None] * len(differences)
    for j, d, p, reject in zip(places, used, pvalues.tolist(), rejected.tolist(), strict=True):
        found[j] = Replaced(len(d), float(d.mean()), float((d <= 0).mean()), p, reject)
    known = [each for each in found if each is not None]
    if not known:
        return AltTest(tuple(found), math.nan, math.nan, None)
    advantage = math.fsum(each.advantage for each in known) / len(known)
    return AltTest(tuple(found), float(rejected.mean()), advantage, _needed(used, epsilon))


def _below(d: Floats, epsilon: float) -> float:
    """Return the p-value of a mean of epsilon or more, by the t test."""
    mean, deviation = float(d.mean()), float(d.std(ddof=1))
    if deviation == 0:
        return 0.0 if mean < epsilon else 1.0
    t = (mean - epsilon) / (deviation / math.sqrt(len(d)))
    return float(t_below(np.array([t]), len(d) - 1)[0])


def _needed(used: Sequence[Floats], epsilon: float) -> int | None:
    """Return how many instances half of the tests need, with a power of 0.8; None if no number suffices."""
    m, half = len(used), -(-len(used) // 2)
    level = 0.05 * half / (m * math.fsum(1 / i for i in range(1, m + 1)))
    reach = normal().inv_cdf(1 - level) + normal().inv_cdf(_POWER)
    sizes = []
    for d in used:
        room = epsilon - float(d.mean())
        sizes.append(max((reach * float(d.std(ddof=1)) / room) ** 2, 2.0) if room > 0 else math.inf)
    found = sorted(sizes)[half - 1]
    return None if math.isinf(found) else math.ceil(found)
