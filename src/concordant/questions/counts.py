"""The counts of pairs from which coefficients are computed, for all items together or for each item."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from concordant.checks import n_workers, one_of
from concordant.coefficients.engine import Statistic, count_all, n_pairs
from concordant.errors import public
from concordant.rankings.compiled import core
from concordant.rankings.pairs import read_pairs, screen
from concordant.rankings.ties import Threshold, read_ties, thresholds
from concordant.typing import Integers, RankingLike

_POLICIES = ("raise", "omit")
_COUNTS = Statistic(
    "counts",
    lambda n, concordant, discordant, untied_x, untied_y: (n, concordant, discordant, untied_x, untied_y),
    "",
)


class Counts(NamedTuple):
    """Numbers of pairs of items by how the two rankings order them: integers, or integer arrays for batches.

    Attributes
    ----------
    concordant : int or numpy.ndarray
        Pairs that both rankings order the same way.
    discordant : int or numpy.ndarray
        Pairs that the rankings order in opposite ways.
    tied_x : int or numpy.ndarray
        Pairs that are tied in x only.
    tied_y : int or numpy.ndarray
        Pairs that are tied in y only.
    tied_both : int or numpy.ndarray
        Pairs that are tied in both rankings.
    """

    concordant: int | Integers
    discordant: int | Integers
    tied_x: int | Integers
    tied_y: int | Integers
    tied_both: int | Integers


class ItemCounts(NamedTuple):
    """For each item, the number of items above it, and how the other ranking orders them: integer arrays.

    Attributes
    ----------
    above_x : numpy.ndarray
        Items above it in x.
    above_y : numpy.ndarray
        Items above it in y.
    concordant : numpy.ndarray
        Items above it in both rankings.
    discordant : numpy.ndarray
        Items above it in y and below it in x.
    tied_x : numpy.ndarray
        Items above it in y and tied with it in x.
    tied_y : numpy.ndarray
        Items above it in x and tied with it in y.
    tied_both : numpy.ndarray
        Items tied with it in both rankings; such a pair counts for both of its items.
    """

    above_x: Integers
    above_y: Integers
    concordant: Integers
    discordant: Integers
    tied_x: Integers
    tied_y: Integers
    tied_both: Integers


@public
def counts(
    x: RankingLike,
    y: RankingLike,
    *,
    threshold: Threshold = 0.0,
    axis: int = -1,
    nan_policy: Literal["raise", "omit"] = "raise",
    workers: int = 1,
) -> Counts:
    """Count the pairs of items that two rankings order the same way, in opposite ways, or not at all.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        The reference scores and the estimated scores, as for every coefficient.
    threshold : float, TieRelation or a pair of these, default 0
        Items are tied if their scores differ by no more than the threshold; a relation says which are tied.
    axis : int, default -1
        The axis of the items; the other axes are broadcast.
    nan_policy : {"raise", "omit"}
        What to do with NaN: raise an error that says where it is, or leave the item out.
    workers : int, default 1
        The number of threads for batches; -1 means all cores.

    Returns
    -------
    Counts
        Five integers that sum to n (n - 1) / 2.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.counts([3, 2, 2, 1], [3, 2, 1, 1])
    Counts(concordant=4, discordant=0, tied_x=1, tied_y=1, tied_both=0)
    """
    one_of("nan_policy", nan_policy, _POLICIES)
    threads = n_workers(workers)
    ties = read_ties(threshold)
    pairs = read_pairs(x, y, axis, threads)
    found = count_all(*screen(pairs, nan_policy, threads), [(_COUNTS, ties)], threads)[ties]
    n, concordant, discordant, untied_x, untied_y = _COUNTS.of(found)
    ordered = concordant + discordant  # in both
    tied_both = n_pairs(n) - untied_x - untied_y + ordered
    fields = (concordant, discordant, untied_y - ordered, untied_x - ordered, tied_both)
    if pairs.shape:
        return Counts(*(field.reshape(pairs.shape) for field in fields))
    return Counts(*(int(field[0]) for field in fields))


@public
def item_counts(
    x: RankingLike,
    y: RankingLike,
    *,
    threshold: float | tuple[float, float] = 0.0,
    axis: int = -1,
    workers: int = 1,
) -> ItemCounts:
    """Count, for every item, the items above it and how the other ranking orders them.

    The sums of `concordant`, `discordant`, `tied_x` and `tied_y` over the items are the pairs of `counts`;
    the sum of `tied_both` is twice its pairs. AP correlation, for instance, is the mean over the items with
    ``above_y > 0`` of ``2 * concordant / above_y - 1``.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        The reference scores and the estimated scores, as for every coefficient; NaN is an error.
    threshold : float or (float, float), default 0
        Items are tied if their scores differ by no more than the threshold.
    axis : int, default -1
        The axis of the items; the other axes are broadcast.
    workers : int, default 1
        The number of threads for batches; -1 means all cores.

    Returns
    -------
    ItemCounts
        Seven integer arrays, items in the order of x.

    Examples
    --------
    >>> import concordant as cd
    >>> p = cd.item_counts([4, 3, 2, 1], [3, 4, 1, 2])
    >>> p.above_y, p.concordant
    (array([1, 0, 3, 2]), array([0, 0, 2, 2]))
    """
    threads = n_workers(workers)
    w_x, w_y = thresholds(threshold)
    pairs = read_pairs(x, y, axis)
    screen(pairs, "raise")
    sizes = pairs.sizes()
    starts = np.cumsum(sizes) - sizes
    out = np.zeros((len(ItemCounts._fields), int(sizes.sum())), dtype=np.int64)
    core.item_counts(
        *(pairs.x.values, pairs.x.offsets, pairs.y.values, pairs.y.offsets, pairs.pair_x, pairs.pair_y),
        *(w_x, w_y, threads, starts, out),
    )
    shape = (*pairs.shape, pairs.n_items)
    return ItemCounts(*(np.moveaxis(field.reshape(shape), -1, axis) for field in out))
