"""Lists that need not hold the same items: rank-biased overlap and alignment, and distances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.checks import is_real, n_workers, one_of, proportion
from concordant.coefficients.costs import VARIANTS, TieVariant, overlap_costs
from concordant.coefficients.declaration import REGISTRY
from concordant.coefficients.engine import Outcome, n_pairs, shaped
from concordant.coefficients.registration import register
from concordant.errors import ArgumentError, ArgumentTypeError, calling, option
from concordant.rankings.compiled import core
from concordant.typing import Floats, ListLike, Value

if TYPE_CHECKING:
    from concordant.rankings.lists import ListPairs

__all__ = ["footrule", "kendall_distance", "rba", "rbo", "rbo_bounds"]

Width = float | tuple[float, float]  # a threshold for both lists, or one for each


def _outcome(values: Floats, reason: str) -> Outcome:
    """Return the values with the number of those that are undefined, and the reason."""
    undefined = int(np.isnan(values).sum())
    return Outcome(values, undefined, (reason,) if undefined else ())


def _apply(name: str, x: object, y: object, threshold: object, workers: object, **options: Any) -> Value:
    """Compute one coefficient of lists, as it is declared."""
    from concordant.rankings.lists import read_lists  # not needed for a first result

    declared: Any = REGISTRY[name]
    with calling(name):
        declared.check(**options)
        threads = n_workers(workers)
        pairs = read_lists(x, y, threshold)
        outcome = declared.of_lists(pairs, threads, **options)
    outcome.report(name)
    return shaped(outcome.values, pairs.shape)


_BOTH_EMPTY = "both lists are empty"

# Short names, because they are looked up in every call.
float64, of_names = np.float64, core.rbo_of_names


# --- values of many pairs --------------------------------------------------------------------------------


def _check_overlap(p: object = 0.9, ties: object = "a") -> None:
    proportion("p", p)
    one_of("ties", ties, list(VARIANTS))


def _overlaps(pairs: ListPairs, threads: int, *, p: float = 0.9, ties: str = "a") -> Outcome:
    return _outcome(_bounds(pairs, threads, p, ties, 1)[:, 0], _BOTH_EMPTY)


def _bounds(pairs: ListPairs, threads: int, p: float, ties: str, columns: int) -> Floats:
    out = np.empty((len(pairs), columns))
    core.rbo_pairs(*pairs.arrays, VARIANTS[ties], float(p), threads, out)
    return out


def _alignments(pairs: ListPairs, threads: int, *, p: float = 0.9) -> Outcome:
    out = np.empty(len(pairs))
    core.rba_pairs(*pairs.arrays, float(p), threads, out)
    return _outcome(out, _BOTH_EMPTY)


# --- the functions ---------------------------------------------------------------------------------------


@register(
    symbol=r"\mathrm{RBO}",
    cite="webber2010",
    question="how much do two lists overlap, above all at the top, if their items may differ?",
    formula=r"""
    $$\mathrm{RBO} = \frac{1 - p}{p} \left( \sum_{d=1}^{l} A_d \, p^d
    + \frac{X_l + (l - s) A_s}{l} \cdot \frac{p^{l+1}}{1 - p} \right)$$

    $$A_d = \begin{cases} X_d / d & d \le s \\
    \bigl( X_d + (d - s) A_s m_d \bigr) / d & s < d \le l \end{cases}$$

    $$X_d = \sum_{e} c^x_e(d) \, c^y_e(d)$$

    $s$ and $l$ are the lengths of the shorter and of the longer list. $X_d$ is the overlap at depth $d$:
    the sum is over the items in both lists. $c_e(d)$ is the part of item e that a list has up to depth d: 1
    from the last rank $b$ of its group of ties on, $(d - t + 1) / (b - t + 1)$ from the first rank $t$ of
    the group on, 0 before. $m_d$ is the mean of these parts, of those that are not 0, over the items that
    only the longer list has. Without ties, $X_d$ is the number of items that both lists have among their
    first $d$, and $m_d = 1$. This is `ties="a"`; the notes say how `"b"` and `"w"` differ.
    """,
    bounds=(0.0, 1.0),
    symmetric=True,
    top_weighted=True,
    ties="undecided",
    inputs="lists",
    weights="geometric",
    check=_check_overlap,
    of_lists=_overlaps,
    depth_costs=overlap_costs,
)
def rbo(
    x: ListLike,
    y: ListLike,
    *,
    p: float = 0.9,
    ties: TieVariant = "a",
    threshold: Width = 0.0,
    workers: int = 1,
) -> Value:
    """Rank-biased overlap of two lists, extrapolated beyond their ends.

    It is the mean of the agreement at each depth d, with the weights (1 - p) p^(d-1). The lists may have
    different items, different lengths, and ties.

    See Also
    --------
    rbo_bounds : also returns the smallest and the largest value that the unseen rest of the lists allows.

    Notes
    -----
    The agreement at a depth is the share of common items among the first d items. If the depth ends within a
    group of tied items, each item of the group counts in part. The variants differ in what they divide by
    [2]_:

    * ``"a"``, the default: by d. This is the mean over all ways of breaking the ties. A tie means that the
      order is not known, and it costs something, as in `tau_a`. Use it for scores that happen to be equal.
    * ``"b"``: by the lengths of the two vectors of parts, so that ``rbo(x, x) = 1``, as in `tau_b`.
    * ``"w"``: a group takes one rank. Tied items are equally good, and all of them are seen at once.

    Without ties the three variants equal the original RBO_EXT of [1]_, eq. 32. The smaller p is, the larger
    is the weight of the first ranks; see the guide on lists.

    References
    ----------
    .. [1] Webber, Moffat and Zobel, "A similarity measure for indefinite rankings", ACM TOIS 28, 2010.
    .. [2] Corsi and Urbano, "The treatment of ties in rank-biased overlap", SIGIR 2024.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.rbo(["a", "b", "c"], ["a", "c", "d"]).round(4)
    0.685
    >>> x, y = "red (blue green) yellow pink", "(blue red) white (yellow black purple) green"
    >>> [round(cd.rbo(x, y, p=0.95, ties=ties), 7) for ties in "awb"]  # [2]_, figure 1
    [0.6922853, 0.7068257, 0.7207131]
    """
    if type(p) is float and 0 < p < 1 and type(ties) is str and ties in VARIANTS and workers == 1:
        value = of_names(x, y, p) if type(threshold) is float and threshold == 0 else None
        if value is not None:
            return float64(value)
    return _apply("rbo", x, y, threshold, workers, p=p, ties=ties)


@dataclass(frozen=True)
class RboBounds:
    """The extrapolated rank-biased overlap of two lists, and its bounds.

    Attributes
    ----------
    ext : float
        The extrapolated value: the agreement is taken to stay the same beyond the ends of the lists.
    min, max : float
        The smallest and the largest value that any continuation of the lists can give.

    Examples
    --------
    >>> import concordant as cd
    >>> bounds = cd.rbo_bounds(["a", "b", "c"], ["b", "a", "d"], p=0.8)
    >>> round(bounds.ext, 4), round(bounds.residual, 4)
    (0.5867, 0.3526)
    """

    ext: float
    min: float
    max: float

    @property
    def residual(self) -> float:
        """How much the unseen rest of the lists can change the value: max - min."""
        return self.max - self.min

    def __repr__(self) -> str:
        return f"RboBounds(ext={self.ext}, min={self.min}, max={self.max}, residual={self.residual})"


def rbo_bounds(
    x: ListLike, y: ListLike, *, p: float = 0.9, ties: TieVariant = "a", threshold: Width = 0.0
) -> RboBounds:
    """Rank-biased overlap of two lists with its bounds: extrapolated, smallest, largest, and residual.

    Parameters
    ----------
    x, y : list, str, mapping, Series or array of int
        Two lists, as `rbo` takes them.
    p : float, default 0.9
        The persistence, between 0 and 1.
    ties : {"a", "b", "w"}
        The treatment of ties, as in `rbo`.
    threshold : float or pair of float, default 0
        For lists that are given as scores: differences up to the threshold are ties, as in `rbo`.

    Returns
    -------
    RboBounds
        ``ext``, ``min``, ``max``, and ``residual = max - min``; nan if both lists are empty.

    Notes
    -----
    The bounds hold if the unseen rest of the lists has no ties. If one list is empty, ``min`` and ``ext`` are
    0, and ``max`` is the value of the best continuation, which is 1 if the other list has no ties.

    Examples
    --------
    >>> import concordant as cd
    >>> found = cd.rbo_bounds(["a", "b", "c"], ["a", "c", "d"])
    >>> round(found.ext, 4), round(found.min, 4), round(found.max, 4), round(found.residual, 4)
    (0.685, 0.3667, 0.928, 0.5613)
    """
    from concordant.rankings.lists import read_lists

    with calling("rbo_bounds"):
        _check_overlap(p, ties)
        pairs = read_lists(x, y, threshold)
        if pairs.shape:
            raise ArgumentError(f"takes two lists, got batches of shape {pairs.shape}")
        ext, least, largest = _bounds(pairs, 1, p, ties, 3)[0].tolist()
    return RboBounds(ext, least, largest)


@register(
    symbol=r"\mathrm{RBA}",
    cite="moffat2024",
    question="how much weight do two lists give to the same items, above all at the top?",
    formula=r"""
    $$\mathrm{RBA} = \sum_{e \in x \cap y} \sqrt{w^x_e \, w^y_e}, \qquad
    w_e = \frac{1}{b - t + 1} \sum_{k=t}^{b} (1 - p) \, p^{k-1}$$

    The sum is over the items that are in both lists. $t$ and $b$ are the first and the last rank of the
    group of ties in which item e is; without ties, both are its rank.
    """,
    bounds=(0.0, 1.0),
    symmetric=True,
    top_weighted=True,
    ties="equality",
    inputs="lists",
    weights="geometric",
    check=_check_overlap,
    of_lists=_alignments,
)
def rba(x: ListLike, y: ListLike, *, p: float = 0.9, threshold: Width = 0.0, workers: int = 1) -> Value:
    """Rank-biased alignment: the sum of the geometric means of the weights of the common items.

    Notes
    -----
    The weight of an item is w = (1 - p) p^(rank - 1), averaged over its tie group, and the value is the sum
    of sqrt(w_x w_y) over the common items. It is not extrapolated: for a list of n
    items and itself it is 1 - p^n.

    References
    ----------
    .. [1] Moffat, Mackenzie, Mallia and Petri, "Rank-biased quality measurement for sets and rankings",
       SIGIR-AP 2024.

    Examples
    --------
    >>> import concordant as cd
    >>> items = list("abcdefghij")
    >>> cd.rba(items, items[::-1], p=0.8).round(3)
    0.733
    """
    return _apply("rba", x, y, threshold, workers, p=p)


# --- distances: formulas of the counts of the core ---------------------------------------------------------

_NO_SCALE = "two disjoint lists of these lengths have distance 0"


def _counts(pairs: ListPairs, threads: int, of_pairs: bool) -> Any:
    out = np.empty((len(pairs), 8), dtype=np.int64)
    core.list_counts(*pairs.arrays, of_pairs, threads, out)
    return out.T


def _check_distance(penalty: Any = 0.5, normalize: Any = False) -> None:
    if not is_real(penalty) or isinstance(penalty, bool) or not 0 <= float(penalty) <= 1:
        raise ArgumentError(f"{option('penalty')} must be a number from 0 to 1, got {penalty!r}")
    if not isinstance(normalize, bool | np.bool_):
        raise ArgumentTypeError(f"{option('normalize')} must be True or False, got {normalize!r}")


def _kendall_distances(
    pairs: ListPairs, threads: int, *, penalty: float = 0.5, normalize: bool = False
) -> Outcome:
    n_x, n_y, _, discordant, tied_x, tied_y, tied_both, _ = _counts(pairs, threads, True)
    distances = discordant + float(penalty) * (tied_x + tied_y - 2 * tied_both)
    if not normalize:
        return _outcome(distances, "")
    return _over(distances, n_x * n_y + float(penalty) * (n_pairs(n_x) + n_pairs(n_y)))


def _footrules(pairs: ListPairs, threads: int, *, normalize: bool = False) -> Outcome:
    n_x, n_y, *_, twice = _counts(pairs, threads, False)
    if not normalize:
        return _outcome(twice / 2, "")
    return _over(twice, _apart(n_x, 2 * n_y + n_x + 1) + _apart(n_y, 2 * n_x + n_y + 1))


def _apart(n: Any, twice_rank: Any) -> Any:
    """Return the sum of |2 m - r| over m = 1 .. n."""
    k = np.minimum(n, twice_rank // 2)  # below it the difference is negative
    return twice_rank * (2 * k - n) + n * (n + 1) - 2 * k * (k + 1)


def _over(distances: Any, largest: Any) -> Outcome:
    with np.errstate(invalid="ignore"):
        return _outcome(np.where(largest > 0, distances / np.maximum(largest, 1e-300), np.nan), _NO_SCALE)


@register(
    symbol="K",
    cite="fagin2003",
    question="how many pairs of items do two lists order differently, if their items may differ?",
    formula=r"""
    $$K = D + q \, T$$

    The pairs are those of all items that are in either list; the items that a list lacks are tied below all
    of its items. $D$ is the number of pairs in opposite order, $T$ the number of pairs that are tied in one
    list only, and $q$ is the `penalty`. With `normalize=True`, $K$ is divided by
    $l_x l_y + q \bigl( \binom{l_x}{2} + \binom{l_y}{2} \bigr)$, where $l_x$ and $l_y$ are the lengths of
    the lists.
    """,
    bounds=(0.0, np.inf),
    distance=True,
    symmetric=True,
    ties="equality",
    inputs="lists",
    check=_check_distance,
    of_lists=_kendall_distances,
)
def kendall_distance(
    x: ListLike,
    y: ListLike,
    *,
    penalty: float = 0.5,
    normalize: bool = False,
    threshold: Width = 0.0,
    workers: int = 1,
) -> Value:
    """Kendall's distance of two lists: pairs in opposite order, and a penalty for pairs tied in one only.

    The distance of a list to itself is 0. The items that a list lacks count as tied below all of its items.

    Notes
    -----
    The pairs are those of all items of either list. On the same items, without ties, it is
    N (1 - `tau_a`) / 2 with N the number of pairs. ``kendall_distance <= footrule <= 2 kendall_distance`` for
    a penalty of 1/2. It is not a metric for lists with different items. If the last item of a list is
    removed, the distance to the original list is 0, because the shorter list says nothing about the next
    place. The triangle inequality holds only up to a factor (near metrics, [1]_).

    References
    ----------
    .. [1] Fagin, Kumar and Sivakumar, "Comparing top k lists", SIAM J. Discrete Math. 17, 2003.
    .. [2] Fagin, Kumar, Mahdian, Sivakumar and Vee, "Comparing partial rankings", SIAM J. Discrete Math. 20,
       2006.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.kendall_distance(["a", "b", "c"], ["a", "c", "d"])  # (b c) and (b d) in opposite order
    2.0
    >>> cd.kendall_distance(["a", "b"], ["c", "d"], normalize=True)
    1.0
    """
    return _apply("kendall_distance", x, y, threshold, workers, penalty=penalty, normalize=normalize)


@register(
    symbol="F",
    cite="fagin2006",
    question="how far are the items of one list from their places in another?",
    formula=r"""
    $$F = \sum_{e} |R^x_e - R^y_e|$$

    The sum is over all items that are in either list. $R^x_e$ and $R^y_e$ are the ranks of item e; tied
    items share the mean of their ranks, and the items that a list lacks are tied below all of its items.
    With `normalize=True`, $F$ is divided by the value of two lists of these lengths that have no item in
    common and no ties.
    """,
    bounds=(0.0, np.inf),
    distance=True,
    symmetric=True,
    ties="equality",
    inputs="lists",
    check=_check_distance,
    of_lists=_footrules,
)
def footrule(
    x: ListLike, y: ListLike, *, normalize: bool = False, threshold: Width = 0.0, workers: int = 1
) -> Value:
    """Spearman's footrule of two lists: the sum of the differences of the mid-ranks of the items.

    The distance of a list to itself is 0. The items that a list lacks count as tied below all of its items.

    References
    ----------
    .. [1] Fagin, Kumar and Sivakumar, "Comparing top k lists", SIAM J. Discrete Math. 17, 2003.
    .. [2] Fagin, Kumar, Mahdian, Sivakumar and Vee, "Comparing partial rankings", SIAM J. Discrete Math. 20,
       2006.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.footrule(["a", "b", "c"], ["c", "b", "a"])
    4.0
    """
    return _apply("footrule", x, y, threshold, workers, normalize=normalize)
