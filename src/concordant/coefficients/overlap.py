"""Lists that need not hold the same items: rank-biased overlap and alignment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from concordant.checks import n_workers, one_of, proportion
from concordant.coefficients.costs import VARIANTS, TieVariant, overlap_costs
from concordant.coefficients.engine import Outcome, shaped
from concordant.coefficients.registration import register
from concordant.errors import ArgumentError, calling
from concordant.rankings.compiled import core
from concordant.rankings.lists import ListPairs, read_lists
from concordant.typing import Floats, ListLike, Value

__all__ = ["rba", "rbo", "rbo_bounds"]

Width = float | tuple[float, float]  # a threshold for both lists, or one for each


def outcome_of(values: Floats, reason: str) -> Outcome:
    """Return the values with the number of those that are undefined, and the reason."""
    undefined = int(np.isnan(values).sum())
    return Outcome(values, undefined, (reason,) if undefined else ())


def apply_lists(
    name: str,
    check: Callable[..., None],
    values: Callable[..., Outcome],
    x: object,
    y: object,
    threshold: object,
    workers: object,
    **options: Any,
) -> Value:
    """Compute one coefficient of lists."""
    with calling(name):
        check(**options)
        threads = n_workers(workers)
        pairs = read_lists(x, y, threshold)
        outcome = values(pairs, threads, **options)
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
    return outcome_of(_bounds(pairs, threads, p, ties, 1)[:, 0], _BOTH_EMPTY)


def _bounds(pairs: ListPairs, threads: int, p: float, ties: str, columns: int) -> Floats:
    out = np.empty((len(pairs), columns))
    core.rbo_pairs(*pairs.arrays, VARIANTS[ties], float(p), threads, out)
    return out


def _alignments(pairs: ListPairs, threads: int, *, p: float = 0.9) -> Outcome:
    out = np.empty(len(pairs))
    core.rba_pairs(*pairs.arrays, float(p), threads, out)
    return outcome_of(out, _BOTH_EMPTY)


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
    return apply_lists("rbo", _check_overlap, _overlaps, x, y, threshold, workers, p=p, ties=ties)


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
    return apply_lists("rba", _check_overlap, _alignments, x, y, threshold, workers, p=p)
