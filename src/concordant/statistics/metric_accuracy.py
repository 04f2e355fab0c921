"""How often a metric orders translations, or systems, as people do; and tests of two metrics."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from concordant.checks import generator, one_of, whole_number
from concordant.errors import ArgumentError, public
from concordant.rankings.compiled import core
from concordant.results.result import Result
from concordant.results.table import DETAIL
from concordant.results.words import count, number, sentences
from concordant.scores.means import exact_sums, snap
from concordant.scores.scores import Scores
from concordant.typing import Floats, Integers, Progress, RngLike

Groups: TypeAlias = Literal["item", "system", "none"]
FlipTies: TypeAlias = Literal["half", "count"]


# --- what people pass ---


def table_of(name: str, scores: Any) -> tuple[list[str] | None, Floats]:
    """Return the names of the systems, if there are any, and the scores, systems x segments, or nan."""
    systems: list[str] | None = None
    if isinstance(scores, Scores):
        systems, scores = list(scores.systems), scores.one_measure()[1]
    elif isinstance(scores, Mapping):
        systems, scores = list(map(str, scores)), list(scores.values())
    try:
        found = np.array(scores, dtype=np.float64)
    except (TypeError, ValueError):
        lengths = {len(row) for row in scores if isinstance(row, Sequence) and not isinstance(row, str)}
        why = "rows of different lengths" if len(lengths) > 1 else "something that is not a number"
        raise ArgumentError(f"{name} must be a table of systems x segments, got {why}") from None
    if found.ndim != 2:
        raise ArgumentError(f"{name} must be a table of systems x segments, got {found.ndim} dimensions")
    if np.isinf(found).any():
        raise ArgumentError(f"{name} has an infinite score; replace it, or leave it out as nan")
    return systems, found


def both_tables(human: Any, metric: Any) -> tuple[Floats, Floats]:
    """Return both sides, systems x segments, aligned by system; both are nan if people gave no score."""
    (names, x), (others, y) = table_of("human", human), table_of("metric", metric)
    if names is not None and others is not None:
        absent = [each for each in names if each not in others] + [e for e in others if e not in names]
        if absent:
            raise ArgumentError(f"human and metric have different systems: {absent[0]!r} is only in one")
        y = y[[others.index(each) for each in names]]
    if x.shape != y.shape:
        raise ArgumentError(f"human and metric must have the same shape, got {x.shape} and {y.shape}")
    unknown = np.isnan(y) & ~np.isnan(x)
    if unknown.any():
        i, s = np.argwhere(unknown)[0].tolist()
        where = repr(names[i]) if names is not None else i
        has = f"the metric has no score of system {where} for segment {s}, which has a human score"
        raise ArgumentError(f"{has}; give all, or leave the human scores out as nan")
    return x, np.where(np.isnan(x), np.nan, y)


# --- system level ---


def system_means(table: Floats) -> Floats:
    """Return the mean of each system over its segments; nan if it has none."""
    present = ~np.isnan(table)
    sums = exact_sums(np.ones((1, table.shape[1]), dtype=np.int64), np.where(present, table, 0.0).T)[0]
    number = present.sum(axis=1)
    return snap(np.divide(sums, number, out=np.full(len(table), np.nan), where=number > 0))


def agreeing_pairs(human: Floats, metric: Floats) -> tuple[int, int]:
    """Return how many pairs of systems the means order alike, 0 like 0, and the number of pairs."""
    x, y = (system_means(side) for side in (human, metric))
    x, y = x[~np.isnan(x)], y[~np.isnan(x)]
    i, j = np.triu_indices(len(x), 1)
    return int((np.sign(x[i] - x[j]) == np.sign(y[i] - y[j])).sum()), len(i)


@public
def pairwise_accuracy(human: Any, metric: Any) -> float:
    """Return the share of pairs of systems that the metric orders as people do, by mean scores.

    Two equal means agree with two equal means only. Of several language pairs all pairs of systems are
    pooled.

    Parameters
    ----------
    human, metric : array_like, mapping or Scores; or list of these
        The scores of systems x segments, larger is better. A mapping gives the scores of each system by its
        name. A missing human score is None or nan: the segment does not count for that system on either
        side. Lists of tables are language pairs.

    Returns
    -------
    float
        The share of pairs of systems, from 0 to 1; nan if there is no pair.

    See Also
    --------
    soft_pairwise_accuracy : weighs each pair by how sure both sides are.

    References
    ----------
    .. [1] Kocmi et al., "To ship or not to ship: an extensive evaluation of automatic metrics for machine
       translation", WMT 2021.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"A": [1, 3], "B": [2, 3], "C": [3, 4]}
    >>> round(cd.pairwise_accuracy(human, {"A": [0.6, 0.7], "B": [0.4, 0.5], "C": [0.8, 0.9]}), 4)
    0.6667
    """
    one = [(human, metric)]
    if isinstance(human, list | tuple) and human and _is_table(human[0]):
        if not isinstance(metric, list | tuple) or len(metric) != len(human):
            raise ArgumentError("human and metric must be lists of as many tables")
        one = list(zip(human, metric, strict=True))
    counts = [agreeing_pairs(*both_tables(*each)) for each in one]
    right, total = map(sum, zip(*counts, strict=True))
    return right / total if total else math.nan


def _is_table(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return len(value) > 0 and isinstance(value[0], list | tuple | np.ndarray)
    return isinstance(value, Scores | Mapping) or np.ndim(value) == 2


class Flips(NamedTuple):
    """Signs of the segments, flips x segments, of which the first is the observed one; and the pairs.

    `together` says that all systems have the same segments, `kept`: then rows of sums are systems, and
    otherwise differences of two systems.
    """

    signs: Floats
    kept: Any
    first: Integers
    second: Integers
    together: bool
    common: Floats  # pairs x segments: 1 where both systems have a score

    def rows(self, cells: Floats) -> Floats:
        """Return what is summed over segments: rows x segments, after any other axes."""
        if self.together:
            return cells[..., self.kept]
        i, j = np.triu_indices(cells.shape[-2], 1)
        found: Floats = (cells[..., i, :] - cells[..., j, :]) * self.common
        zero = np.zeros((*found.shape[:-2], 1, found.shape[-1]))
        return np.concatenate([found, zero], axis=-2)

    def sums(self, cells: Floats) -> Floats:
        """Return the sums over the segments with each flip: rows x flips, after any other axes."""
        rows = self.rows(cells)
        flat = rows.reshape(math.prod(rows.shape[:-1]), rows.shape[-1])  # one product is faster than many
        found: Floats = (flat @ self.signs).reshape(*rows.shape[:-1], self.signs.shape[1])
        return found

    def shares(self, sums: Floats, tolerance: float, ties: FlipTies) -> Floats:
        """Return the p-value of each pair of systems, for one table or for many."""
        shaped = np.ascontiguousarray(sums.reshape(-1, *sums.shape[-2:]))
        counts = np.empty((len(shaped), len(self.first), 2), dtype=np.int64)
        core.flip_counts(shaped, self.first, self.second, tolerance, counts)
        total = (sums.shape[-1] - 1) * (2 if ties == "half" else 1)
        hits = counts.sum(axis=-1) if ties == "half" else counts[..., 0]
        found: Floats = (hits / total).reshape(*sums.shape[:-2], len(self.first))
        found[..., ~self.common.any(axis=1)] = np.nan
        return found


def flips_of(human: Floats, n_resamples: int, rng: np.random.Generator) -> Flips:
    """Draw the flips for a table of human scores; all are used if there are no more of them."""
    present = ~np.isnan(human)
    i, j = np.triu_indices(len(human), 1)
    common = present[i] & present[j]
    used = common.any(axis=0)
    together = bool((present[:, used] == present[:1, used]).all()) and bool(present[:, used].all())
    kept = np.flatnonzero(used) if together and not used.all() else slice(None)  # no copy of all
    n = int(used.sum()) if together else human.shape[1]
    if n < 60 and 1 << n <= n_resamples:
        bits = (np.arange(1 << n)[None, :] >> np.arange(n)[:, None]) & 1
    else:
        bits = rng.integers(0, 2, (n, n_resamples), dtype=np.int8)
    signs = np.hstack([np.ones((n, 1)), 1.0 - 2.0 * bits])
    first, second = (i, j) if together else (np.arange(len(i)), np.full(len(i), len(i)))
    return Flips(signs, kept, first, second, together, common.astype(np.float64))


def flip_tolerance(cells: Floats) -> float:
    """Return up to which difference two sums of such scores are equal: far above their rounding errors."""
    return 1e-12 * int(cells.shape[-1]) * float(np.abs(cells).max(initial=0.0))


def pvalues_of_pairs(flips: Flips, table: Floats, ties: FlipTies) -> Floats:
    """Return the one-sided p-value of each pair of systems."""
    cells = np.nan_to_num(table)
    return flips.shares(flips.sums(cells), flip_tolerance(cells), ties)


def soft_accuracy(human: Floats, metric: Floats) -> Any:
    """Return 1 - mean |p of people - p of the metric| over the last axis, the pairs of systems."""
    known = ~np.isnan(human)
    if not known.any():
        return np.full(metric.shape[:-1], np.nan)
    return 1.0 - np.abs(human[known] - metric[..., known]).mean(axis=-1)


@public
def soft_pairwise_accuracy(
    human: Any, metric: Any, *, ties: FlipTies = "half", n_resamples: int = 1000, rng: RngLike = 0
) -> float:
    """Return the pairwise accuracy of a metric in which each pair counts by how sure both sides are.

    It is 1 - mean over pairs of systems of ``|p_h - p_m|``, where p is the one-sided p-value of a paired
    permutation test: the share of flips of the signs of the segments with a sum of differences that is no
    smaller than the observed one. The flips are the same for all pairs and both sides.

    Parameters
    ----------
    human, metric : array_like, mapping or Scores
        The scores of systems x segments, as `pairwise_accuracy` takes them. A pair of systems is compared on
        the segments where both have a human score.
    ties : {"half", "count"}
        "half": a flip with the observed sum counts 1/2, so that the order of the systems has no effect.
        "count": it counts 1, as in the published program.
    n_resamples : int, default 1000
        The number of random flips. If there are no more different flips than this, all are used.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None
        The seed or the generator of random numbers.

    Returns
    -------
    float
        The accuracy, from 0 to 1; nan if no two systems have a segment in common.

    References
    ----------
    .. [1] Thompson, Mathur, Deutsch and Khayrallah, "Improving statistical significance in human evaluation
       of automatic metrics via soft pairwise accuracy", WMT 2024.

    Examples
    --------
    >>> import concordant as cd
    >>> human, metric = [[1, 2, 3], [2, 3, 4]], [[2, 2, 4], [1, 3, 5]]
    >>> cd.soft_pairwise_accuracy(human, metric), cd.soft_pairwise_accuracy(human, metric, ties="count")
    (0.75, 0.875)
    >>> cd.soft_pairwise_accuracy(human[::-1], metric[::-1], ties="count")  # depends on the order
    0.625
    """
    one_of("ties", ties, get_args(FlipTies))
    whole_number("n_resamples", n_resamples)
    x, y = both_tables(human, metric)
    flips = flips_of(x, n_resamples, generator(rng)[0])
    return float(soft_accuracy(*(pvalues_of_pairs(flips, side, ties) for side in (x, y))))


# --- segment level ---

_MOST_PAIRS = 1 << 23  # pairs of translations whose differences are sorted at once
_BINS = 1 << 16


class Pairs(NamedTuple):
    """The pairs within groups of translations, in blocks; groups x members, nan where there is no score.

    A pair counts `weights[group]` of `total`, so that counts are integers and groups count alike.
    """

    human: Floats
    metric: Floats
    weights: Integers
    total: int

    @property
    def n_groups(self) -> int:
        """The number of groups with a pair."""
        return int((self.weights > 0).sum())

    @property
    def slack(self) -> float:
        """Up to which excess over a threshold a difference is still a tie: rounding errors of scores."""
        return core.SLACK * float(np.nanmax(np.abs(self.metric), initial=0.0))

    def blocks(self) -> Iterator[tuple[Integers, Floats, Any, Any]]:
        """Yield weights, |differences| of the metric, and whether people tie, or order as the metric does."""
        for k in range(self.human.shape[1] - 1):
            x = self.human[:, k + 1 :] - self.human[:, k : k + 1]
            y = self.metric[:, k + 1 :] - self.metric[:, k : k + 1]
            present = ~np.isnan(x)
            weights = np.broadcast_to(self.weights[:, None], x.shape)[present]
            x, y = x[present], y[present]
            yield weights, np.abs(y), x == 0, np.sign(x) * np.sign(y) > 0

    def right(self, epsilon: float) -> Iterator[tuple[Integers, Any]]:
        """Yield weights, and whether the pairs are right if differences up to epsilon are ties."""
        most = epsilon + (self.slack if epsilon > 0 else 0.0)
        for weights, gaps, tied, alike in self.blocks():
            yield weights, np.where(gaps <= most, tied, alike)


def pairs_of_groups(human: Floats, metric: Floats, by: Groups) -> Pairs:
    """Group the translations: those of a segment, those of a system, or all together."""
    sides = [human, metric]
    if by == "item":
        sides = [side.T for side in sides]
    elif by == "none":
        sides = [side[~np.isnan(human)][None, :] for side in sides]
    sizes = (~np.isnan(sides[0])).sum(axis=1)
    numbers: list[int] = (sizes * (sizes - 1) // 2).tolist()
    common = math.lcm(*filter(None, numbers)) if any(numbers) else 1
    total = common * sum(map(bool, numbers))
    kind: Any = np.int64 if total < 1 << 62 else object
    weights = np.array([common // each if each else 0 for each in numbers], dtype=kind)
    return Pairs(np.ascontiguousarray(sides[0]), np.ascontiguousarray(sides[1]), weights, total)


def right_at(pairs: Pairs, epsilon: float) -> int:
    """Return how many pairs are right, by weight, if differences up to epsilon are ties of the metric."""
    return sum(int(weights[right].sum()) for weights, right in pairs.right(epsilon))


def calibrated(pairs: Pairs) -> tuple[float, int, int]:
    """Return the smallest epsilon with the most right pairs, that number, and the number at epsilon 0.

    A pair that people tie becomes right at its own difference, and one that the metric orders as people do
    becomes wrong there. So sorted differences and their cumulated weights have the answer.
    """
    if not pairs.total:
        return math.nan, 0, 0
    sizes = (~np.isnan(pairs.human)).sum(axis=1)
    if (sizes * (sizes - 1) // 2).sum() > _MOST_PAIRS and pairs.total < 1 << 53:
        return _calibrated_in_bins(pairs)
    blocks = list(pairs.blocks())
    weights, gaps, tied, alike = (np.concatenate(each) for each in zip(*blocks, strict=True))
    start = int(weights[alike].sum())
    changes = np.where(tied, weights, -weights)
    changed = tied | alike
    may = np.ones(int(changed.sum()), dtype=bool)
    return _best(gaps[changed], changes[changed], start, pairs.slack, may)


def _best(gaps: Floats, changes: Integers, start: int, slack: float, may: Any) -> tuple[float, int, int]:
    """Return the same as `calibrated`; `may` says which differences may be epsilon."""
    order = np.argsort(gaps, kind="stable")
    gaps, changes, may = gaps[order], changes[order], may[order]
    right = np.concatenate([np.zeros(1, dtype=changes.dtype), np.cumsum(changes)]) + start
    at_0 = int(right[np.searchsorted(gaps, 0.0, side="right")])
    candidates = gaps[may & (changes > 0) & (gaps > 0)]
    if not len(candidates):
        return 0.0, at_0, at_0
    reached = right[np.searchsorted(gaps, candidates + slack, side="right")]
    best = int(reached.argmax())
    return (0.0, at_0, at_0) if at_0 >= reached[best] else (float(candidates[best]), int(reached[best]), at_0)


def _calibrated_in_bins(pairs: Pairs) -> tuple[float, int, int]:
    """Do the same for more pairs than memory should hold: sort only bins that may hold the best."""
    top = max(float(gaps.max(initial=0.0)) for _, gaps, _, _ in pairs.blocks()) or 1.0
    width, start = top / (_BINS - 1), 0
    gains, losses = np.zeros(_BINS + 1), np.zeros(_BINS + 1)  # of float, for all are below 2**53

    def bins(gaps: Floats) -> Integers:
        return np.ceil(gaps / width).astype(np.int64)  # ties have their own bin, 0

    for weights, gaps, tied, alike in pairs.blocks():
        place = bins(gaps)
        gains += np.bincount(place[tied], weights[tied].astype(float), minlength=_BINS + 1)
        losses += np.bincount(place[alike], weights[alike].astype(float), minlength=_BINS + 1)
        start += int(weights[alike].sum())
    after = start + np.cumsum(gains - losses)
    before = after - gains + losses
    # A slack may reach into the next bin, so that its gains count too.
    reachable = before + gains + np.append(gains[1:], 0.0)
    near = np.flatnonzero((reachable >= after.max()) & (np.arange(_BINS + 1) > 0))
    wanted = np.zeros(_BINS + 3, dtype=bool)
    wanted[np.concatenate([near, near + 1])] = True
    found: list[tuple[Floats, Integers]] = []
    for weights, gaps, tied, alike in pairs.blocks():
        own = wanted[bins(gaps)] & (tied | alike)
        found.append((gaps[own], np.where(tied, weights, -weights)[own]))
    kept, changes = (np.concatenate(each) for each in zip(*found, strict=True))
    # One change stands for each bin that is not sorted.
    others = np.flatnonzero(~wanted[: _BINS + 1])
    rest = (gains - losses)[others].astype(np.int64)
    centres = np.where(others > 0, (others - 0.5) * width, 0.0)
    may = np.arange(len(kept) + len(others)) < len(kept)
    both = np.concatenate([kept, centres]), np.concatenate([changes, rest])
    return _best(*both, start, pairs.slack, may)


def share_of(right: int, pairs: Pairs) -> float:
    """Return the mean over groups of the share of right pairs; nan without groups."""
    return float(Fraction(right, pairs.total)) if pairs.total else math.nan


def cross_fitted(human: Floats, metric: Floats, by: Groups) -> float:
    """Return the accuracy with the epsilon of the other half: segments of even and of odd places."""
    halves = [pairs_of_groups(human[:, k::2], metric[:, k::2], by) for k in (0, 1)]
    shares, n_groups = Fraction(0), 0
    for own, other in (halves, halves[::-1]):
        epsilon = calibrated(other)[0]
        if own.total and not math.isnan(epsilon):
            shares += Fraction(right_at(own, epsilon), own.total) * own.n_groups
            n_groups += own.n_groups
    return float(shares / n_groups) if n_groups else math.nan


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class TieCalibration(Result[Any]):
    """The result of `calibrate_ties`; prints as text.

    Attributes
    ----------
    epsilon : float
        The largest difference of the metric that is a tie; nan if no group has two scores.
    accuracy : float
        The share of right pairs within a group, ties included, averaged over groups.
    without_ties : float
        The same if only equal scores of the metric are ties.
    cross_fitted : float
        The same if the epsilon for each half of the segments comes from the other half.
    groups : int
        The number of groups.
    groups_left_out : int
        The number of groups with fewer than two human scores, which are left out.

    Examples
    --------
    >>> import concordant as cd
    >>> found = cd.calibrate_ties([[1, 2], [2, 2]], [[0.1, 0.4], [0.9, 0.3]])
    >>> found.accuracy, round(found.epsilon, 6), found.groups
    (1.0, 0.1, 2)
    """

    function: ClassVar[str] = "calibrate_ties"

    epsilon: float
    accuracy: float
    without_ties: float
    cross_fitted: float
    groups: int
    groups_left_out: int = field(metadata=DETAIL)

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words."""
        if not self.groups:
            return sentences(["No group has two human scores, so that there is no accuracy"])
        gain = f"{number(self.accuracy)} of the pairs within {count(self.groups, 'group')} are right"
        at = f"if differences up to {self.epsilon:.4g} are ties, {number(self.without_ties)} without"
        fair = f"With the epsilon of the other half of the segments it is {number(self.cross_fitted)}"
        return sentences([f"{gain} {at}", fair])


@public
def calibrate_ties(human: Any, metric: Any, *, by: Groups = "item") -> TieCalibration:
    """Find the threshold for ties with which a metric orders pairs of translations most often as people do.

    A pair is right if both sides order it alike or both tie it: ``acc_eq``, which is (1 + tau_e) / 2 with a
    threshold for the metric. The threshold epsilon is the same for all groups.

    Parameters
    ----------
    human, metric : array_like, mapping or Scores
        The scores of systems x segments, as `pairwise_accuracy` takes them.
    by : {"item", "system", "none"}
        The pairs that are compared: translations of one segment, translations by one system, or all.

    Returns
    -------
    TieCalibration
        ``epsilon``, ``accuracy``, and beside it the accuracy without calibration, and the cross-fitted one.

    Notes
    -----
    All differences are candidates, counts are integers, and the smallest of the best is returned. Since
    epsilon is chosen on the data by which the metric is judged, the accuracy is too high for new data; the
    cross-fitted value is not. Its halves are the segments in even and in odd places.

    References
    ----------
    .. [1] Deutsch, Foster and Freitag, "Ties matter: meta-evaluating modern metrics with pairwise accuracy
       and tie calibration", EMNLP 2023.

    Examples
    --------
    >>> import concordant as cd
    >>> human, metric = [[1], [2], [2], [3], [4]], [[2], [1], [1.5], [5], [3]]
    >>> found = cd.calibrate_ties(human, metric)
    >>> found.epsilon, found.accuracy, found.without_ties
    (0.5, 0.7, 0.6)
    """
    one_of("by", by, get_args(Groups))
    x, y = both_tables(human, metric)
    pairs = pairs_of_groups(x, y, by)
    epsilon, right, at_0 = calibrated(pairs)
    return TieCalibration(
        epsilon=epsilon,
        accuracy=share_of(right, pairs),
        without_ties=share_of(at_0, pairs),
        cross_fitted=cross_fitted(x, y, by),
        groups=pairs.n_groups,
        groups_left_out=len(pairs.weights) - pairs.n_groups,
        options={"by": by},
    )


Unit: TypeAlias = Literal["cell", "item", "system"]
Rule: TypeAlias = Literal["greedy", "cut"]
_SLACK = 1e-9  # up to which a difference of accuracies is as large as another
_MOST_EXCHANGES = 16  # units of which all exchanges are tried
_AT_ONCE = 1 << 20  # numbers in memory at a time: not much more than a cache holds
_MOST_SUMS = 1 << 22  # of a convolution


def standardised(human: Floats, metric: Floats) -> Floats:
    """Return a metric with mean 0 and standard deviation 1 over the cells with a human score, 0 elsewhere."""
    own = metric[~np.isnan(human)]
    if not len(own) or own.max() == own.min():
        raise ArgumentError("the metric gives all translations the same score, so that it cannot be tested")
    found: Floats = np.nan_to_num((metric - own.mean()) / own.std())
    return found


class Exchanges(NamedTuple):
    """Which units two metrics exchange: rows x units; `exact` if these are all ways."""

    masks: Any
    exact: bool
    cells: Any  # of systems x segments: the unit of each

    def at(self, rows: slice) -> Floats:
        """Return 1 for each exchanged cell: rows x systems x segments."""
        found: Floats = self.masks[rows][:, self.cells].astype(np.float64)
        return found


def exchanges_of(human: Floats, unit: Unit, n_resamples: int, rng: np.random.Generator | None) -> Exchanges:
    """Draw exchanges of units that have a human score; all are used if they are at most 2^16.

    With None for the generator only those few are made.
    """
    present = ~np.isnan(human)
    systems, segments = np.indices(human.shape)
    key = {"cell": systems * human.shape[1] + segments, "item": segments, "system": systems}[unit]
    _, own = np.unique(key[present], return_inverse=True)
    n, cells = int(own.max(initial=-1)) + 1, np.zeros(human.shape, dtype=np.int64)
    cells[present] = own
    if n <= _MOST_EXCHANGES and rng is None:
        return Exchanges((np.arange(1 << n)[:, None] >> np.arange(n)) & 1, True, cells)
    if rng is None:
        return Exchanges(np.zeros((0, n), dtype=np.int8), False, cells)
    return Exchanges(rng.integers(0, 2, (n_resamples, n), dtype=np.int8), False, cells)


def null_deltas(
    human: Floats,
    metrics: Floats,
    exchanges: Exchanges,
    flips: Flips | None,
    ties: FlipTies = "half",
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> Floats:
    """Return second - first accuracy after each exchange, for all pairs of metrics (PERM-BOTH).

    The accuracy is the soft pairwise accuracy with these flips, or the pairwise accuracy without flips. The
    metrics are standardised. Sums are linear in the scores: after an exchange, the sums of the one are its
    own, less those of its exchanged cells, and those of the exchanged cells of the other.
    """
    accuracy, sums = _of_means(human) if flips is None else _of_flips(human, flips, metrics, ties)
    whole = sums(metrics)
    pairs = list(itertools.combinations(range(len(metrics)), 2))
    deltas = np.empty((len(pairs), len(exchanges.masks)))
    if not pairs:
        return deltas
    step = max(1, _AT_ONCE // max(1, (len(metrics) - 1) * max(metrics[0].size, whole[0].size)))

    def of_block(start: int) -> slice:
        rows = slice(start, min(start + step, deltas.shape[1]))
        moved = sums(exchanges.at(rows)[:, None] * (metrics[1:] - metrics[0]))  # relative to the first metric
        for pair, (first, second) in enumerate(pairs):
            gained = moved[:, second - 1] if first == 0 else moved[:, second - 1] - moved[:, first - 1]
            found = accuracy(whole[second] - gained) - accuracy(whole[first] + gained)
            deltas[pair, rows] = found
        return rows

    starts = range(0, deltas.shape[1], step)
    with ThreadPoolExecutor(threads) as pool:
        for rows in pool.map(of_block, starts):
            if progress is not None:
                progress(rows.stop, deltas.shape[1])
    return deltas


_Accuracy: TypeAlias = Callable[[Floats], Any]


def _of_means(human: Floats) -> tuple[_Accuracy, _Accuracy]:
    """Return the pairwise accuracy of sums, and how these are made of cells: mean scores of systems."""
    means, number = system_means(human), (~np.isnan(human)).sum(axis=1)
    i, j = (np.flatnonzero(number > 0)[each] for each in np.triu_indices(int((number > 0).sum()), 1))
    signs = np.sign(means[i] - means[j])

    def accuracy(sums: Floats) -> Any:
        gaps = sums[..., i] - sums[..., j]
        return (np.where(np.abs(gaps) <= _SLACK, 0.0, np.sign(gaps)) == signs).mean(axis=-1)

    return accuracy, lambda cells: cells.sum(axis=-1) / np.maximum(number, 1)


def _of_flips(human: Floats, flips: Flips, metrics: Floats, ties: FlipTies) -> tuple[_Accuracy, _Accuracy]:
    """Return the soft pairwise accuracy of sums, and how these are made of cells: sums with each flip."""
    of_people, tolerance = pvalues_of_pairs(flips, human, ties), flip_tolerance(metrics)
    return lambda sums: soft_accuracy(of_people, flips.shares(sums, tolerance, ties)), flips.sums


def pvalue_of_delta(delta: float, null: Floats, exact: bool) -> float:
    """Return the share of exchanges with a difference at least as large; + 1 if they are random."""
    hits = int((null >= delta - _SLACK).sum())
    return hits / len(null) if exact else (1 + hits) / (1 + len(null))


# --- pairs of translations ---


class Outcomes(NamedTuple):
    """Which pairs of translations a metric has right, by the weight of a pair, as bits."""

    right: dict[int, Any]
    total: int

    @property
    def share(self) -> Fraction:
        """The accuracy."""
        return Fraction(sum(step * _ones(bits) for step, bits in self.right.items()), self.total)


def _ones(bits: Any) -> int:
    return int(np.bitwise_count(bits).sum())


def outcomes_of(pairs: Pairs, epsilon: float) -> Outcomes:
    """Return which pairs are right at this epsilon."""
    found: dict[int, list[Any]] = {}
    several = len(set(pairs.weights.tolist())) > 1
    for weights, right in pairs.right(epsilon):
        for weight in set(weights.tolist()) if several else weights[:1].tolist():
            found.setdefault(weight, []).append(right[weights == weight])
    return Outcomes({each: np.packbits(np.concatenate(own)) for each, own in found.items()}, pairs.total)


class PairTest(NamedTuple):
    """A test of two metrics by their outcomes: second - first, and how many outcomes of a weight differ."""

    delta: Fraction
    differing: dict[int, int]
    total: int

    def pvalue(self, n_resamples: int, rng: np.random.Generator) -> float:
        """Return the p-value that second is not better: exact, or of random exchanges for many weights."""
        if (found := tail_of_signs(self.differing, int(self.delta * self.total))) is not None:
            return found
        return pvalue_of_delta(float(self.delta), self.draws(n_resamples, rng), False)

    def draws(self, n_resamples: int, rng: np.random.Generator) -> Floats:
        """Return differences after random exchanges of single outcomes."""
        found = np.zeros(n_resamples)
        for weight, times in self.differing.items():
            step = float(Fraction(weight, self.total))
            found += (2.0 * rng.binomial(times, 0.5, n_resamples) - times) * step
        return found


def compared_outcomes(first: Outcomes, second: Outcomes) -> PairTest:
    """Compare the outcomes of two metrics on the same pairs."""
    differing = {each: _ones(bits ^ second.right[each]) for each, bits in first.right.items()}
    return PairTest(second.share - first.share, {k: v for k, v in differing.items() if v}, first.total)


def tail_of_signs(counts: Mapping[int, int], observed: int) -> float | None:
    """Return the probability that a sum of signed steps, so many of each, is at least the observed sum.

    Those of one size have a binomial distribution; the others are convolved with it. None if there are too
    many sizes for that.
    """
    if not counts:
        return 1.0 if observed <= 0 else 0.0
    *others, last = sorted(counts, key=lambda each: counts[each])
    if max(counts) * sum(counts.values()) >= 1 << 61:
        return None
    sums: Any = np.zeros(1, dtype=np.int64)
    shares: Any = np.ones(1)
    for step in others:
        wins, chances = _fair(counts[step], 9.0)
        if len(sums) * len(wins) > _MOST_SUMS:
            return None
        sums, place = np.unique(
            (sums[:, None] + step * (2 * wins - counts[step])).ravel(), return_inverse=True
        )
        shares = np.bincount(place, np.outer(shares, chances).ravel())
    n = counts[last]
    wins, chances = _fair(n, 37.0)
    above = np.append(np.cumsum(chances[::-1])[::-1], 0.0)
    least = -((sums - observed - last * n) // (2 * last))  # of wins, rounded up
    tail = float((shares * above[np.clip(least - wins[0], 0, len(wins))]).sum())
    return min(1.0, max(tail, 2.0 ** -min(sum(counts.values()), 1000)))


def _fair(n: int, deviations: float) -> tuple[Integers, Floats]:
    """Return numbers of wins in n fair games, up to so many standard deviations, and their probabilities."""
    reach, centre = math.ceil(deviations * math.sqrt(n) / 2), n // 2
    wins = np.arange(max(0, centre - reach), min(n, centre + reach) + 1)
    up, down = wins[wins >= centre][:-1], wins[wins <= centre][:0:-1]
    above, below = np.cumprod((n - up) / (up + 1)), np.cumprod(down / (n - down + 1))
    found = np.concatenate([below[::-1], [1.0], above])
    return wins, found / math.fsum(found.tolist())


# --- clusters ---


def clusters(values: Sequence[float], pvalues: Floats, level: float, rule: Rule | None) -> list[int | None]:
    """Return the cluster of each metric, 1 for the best; None for metrics without a value.

    ``pvalues[i, j]`` is that of metric i not being better than metric j. "greedy": a cluster begins with a
    value if one of its metrics is significantly worse than a metric of the present cluster. "cut": it begins
    where all metrics above are significantly better than all others. None: "greedy" with metrics of equal
    value one by one, in the given order, as WMT does.
    """
    rounded = np.round(np.asarray(values, dtype=np.float64), 12)
    known = np.flatnonzero(~np.isnan(rounded))
    order = known[np.argsort(-rounded[known], kind="stable")].tolist()
    steps = [[each] for each in order]
    if rule is not None:
        steps = [list(own) for _, own in itertools.groupby(order, key=lambda each: rounded[each])]
    numbers: list[int | None] = [None] * len(rounded)
    better, present, cluster = pvalues <= level, list[int](), 1
    for k, step in enumerate(steps):
        if rule == "cut":
            below = [each for own in steps[k:] for each in own]
            above = [each for own in steps[:k] for each in own]
            begins = bool(k) and bool(better[np.ix_(above, below)].all())
        else:
            begins = bool(better[np.ix_(present, step)].any()) if present else False
        cluster, present = (cluster + 1, list(step)) if begins else (cluster, [*present, *step])
        for each in step:
            numbers[each] = cluster
    return numbers
