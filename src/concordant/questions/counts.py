"""The counts of pairs from which coefficients are computed, for all items together or for each item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, overload

import numpy as np

from concordant.checks import n_workers, one_of
from concordant.coefficients.engine import Statistic, count_all, n_pairs, refuse_extremes
from concordant.errors import public
from concordant.rankings.compiled import core
from concordant.rankings.pairs import read_pairs, screen
from concordant.rankings.ties import Threshold, read_ties, thresholds
from concordant.results.result import Result
from concordant.typing import Integers, RankingLike

_POLICIES = ("raise", "omit")
_COUNTS = Statistic(
    "counts",
    lambda n, concordant, discordant, untied_x, untied_y: (n, concordant, discordant, untied_x, untied_y),
    "",
)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Counts(Result[Any]):
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

    Examples
    --------
    >>> import concordant as cd
    >>> cd.counts([3, 2, 2, 1], [3, 2, 1, 1]).to_csv().splitlines()
    ['concordant,discordant,tied_x,tied_y,tied_both', '4,0,1,1,0']
    """

    function: ClassVar[str] = "counts"

    concordant: int | Integers
    discordant: int | Integers
    tied_x: int | Integers
    tied_y: int | Integers
    tied_both: int | Integers


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class ItemCounts(Result[Any]):
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

    Examples
    --------
    >>> import concordant as cd
    >>> cd.counts([3, 2, 2, 1], [3, 2, 1, 1], per_item=True).concordant.tolist()
    [0, 1, 1, 2]
    """

    function: ClassVar[str] = "counts"

    above_x: Integers
    above_y: Integers
    concordant: Integers
    discordant: Integers
    tied_x: Integers
    tied_y: Integers
    tied_both: Integers


@overload
def counts(
    x: RankingLike,
    y: RankingLike,
    *,
    per_item: Literal[False] = ...,
    threshold: Threshold = ...,
    axis: int = ...,
    nan_policy: Literal["raise", "omit"] = ...,
    workers: int = ...,
) -> Counts: ...
@overload
def counts(
    x: RankingLike,
    y: RankingLike,
    *,
    per_item: Literal[True],
    threshold: float | tuple[float, float] = ...,
    axis: int = ...,
    workers: int = ...,
) -> ItemCounts: ...
@public
def counts(
    x: RankingLike,
    y: RankingLike,
    *,
    per_item: bool = False,
    threshold: object = 0.0,
    axis: int = -1,
    nan_policy: Literal["raise", "omit"] = "raise",
    workers: int = 1,
) -> Counts | ItemCounts:
    """Count the pairs of items that two rankings order the same way, in opposite ways, or not at all.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        The reference scores and the estimated scores, as for every coefficient.
    per_item : bool, default False
        Whether to count, for every item, the items above it and how the other ranking orders them.
    threshold : float, TieRelation or a pair of these, default 0
        Items are tied if their scores differ by no more than the threshold; a relation, which cannot be used
        with `per_item`, says which are tied.
    axis : int, default -1
        The axis of the items; the other axes are broadcast.
    nan_policy : {"raise", "omit"}
        What to do with NaN: raise an error that says where it is, or leave the item out. With `per_item` it
        is always an error.
    workers : int, default 1
        The number of threads for batches; -1 means all cores.

    Returns
    -------
    Counts or ItemCounts
        Five integers that sum to n (n - 1) / 2; arrays for batches. With `per_item`, seven integer arrays,
        items in the order of x. The sums of ``concordant``, ``discordant``, ``tied_x`` and ``tied_y`` over
        the items are the numbers of pairs; that of ``tied_both`` is twice the number of pairs. AP
        correlation, for instance, is the mean over the items with ``above_y > 0`` of
        ``2 * concordant / above_y - 1``.

    Examples
    --------
    >>> import concordant as cd
    >>> found = cd.counts([3, 2, 2, 1], [3, 2, 1, 1])
    >>> found.concordant, found.discordant, found.tied_x, found.tied_y, found.tied_both
    (4, 0, 1, 1, 0)
    >>> each = cd.counts([4, 3, 2, 1], [3, 4, 1, 2], per_item=True)
    >>> each.above_y, each.concordant
    (array([1, 0, 3, 2]), array([0, 0, 2, 2]))
    """
    one_of("nan_policy", nan_policy, _POLICIES)
    threads = n_workers(workers)
    if per_item:
        one_of("nan_policy", nan_policy, _POLICIES[:1])
        return _of_items(x, y, thresholds(threshold), axis, threads)
    ties = read_ties(threshold)
    pairs = read_pairs(x, y, axis, threads)
    found = count_all(*screen(pairs, nan_policy, threads), [(_COUNTS, ties)], threads)[_COUNTS, ties]
    n, concordant, discordant, untied_x, untied_y = _COUNTS.of(found)
    ordered = concordant + discordant  # in both
    tied_both = n_pairs(n) - untied_x - untied_y + ordered
    values: Any = (concordant, discordant, untied_y - ordered, untied_x - ordered, tied_both)
    shaped = [each.reshape(pairs.shape) if pairs.shape else int(each[0]) for each in values]
    named: dict[str, Any] = dict(zip(Counts.value_names(), shaped, strict=True))
    return Counts(**named)


def _of_items(x: object, y: object, w: tuple[float, float], axis: int, threads: int) -> ItemCounts:
    pairs = read_pairs(x, y, axis)
    screen(pairs, "raise")
    sizes, names = pairs.sizes(), ItemCounts.value_names()
    starts = np.cumsum(sizes) - sizes
    out = np.zeros((len(names), int(sizes.sum())), dtype=np.int64)
    widened = core.item_counts(
        *(pairs.x.values, pairs.x.offsets, pairs.y.values, pairs.y.offsets, pairs.pair_x, pairs.pair_y),
        *(*w, threads, starts, out),
    )
    if widened:
        refuse_extremes(pairs, [(_COUNTS, w)])
    shape = (*pairs.shape, pairs.n_items)
    arrays = [np.moveaxis(each.reshape(shape), -1, axis) for each in out]
    named: dict[str, Any] = dict(zip(names, arrays, strict=True))
    return ItemCounts(**named)
