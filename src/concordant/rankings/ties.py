"""What makes two items tied: a threshold for each ranking, or any relation between items."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from concordant.checks import is_real
from concordant.errors import ArgumentError, calling, option
from concordant.rankings.compiled import core
from concordant.typing import Booleans, Floats


@dataclass(frozen=True, eq=False, repr=False)
class TieRelation:
    """Which items are tied, in place of a threshold: ``tau_b(x, y, threshold=relation)``.

    A pair such as `(relation, 0.0)` gives a relation or a threshold for x and one for y.

    Parameters
    ----------
    tied : array_like of bool, shape (n, n)
        Which items are tied. It is symmetric, and every item is tied with itself. Items with equal scores are
        always tied.
    labels : sequence, optional
        The labels of the items; rankings with labels are aligned to them.
    pvalues : array_like of shape (n, n), optional
        The corrected p-values, if the relation comes from significance tests.

    Attributes
    ----------
    tied : numpy.ndarray of bool
        Which items are tied.
    labels : tuple or None
        The labels of the items.
    pvalues : numpy.ndarray or None
        The p-values.

    Examples
    --------
    >>> import concordant as cd
    >>> tied = cd.TieRelation([[True, True, False], [True, True, False], [False, False, True]])
    >>> cd.tau_b([3, 2, 1], [2, 3, 1], threshold=tied)  # the first two are tied, on both sides
    1.0
    >>> tied.n_tied
    1
    """

    tied: Booleans
    labels: tuple[Hashable, ...] | None = None
    pvalues: Floats | None = None

    def __post_init__(self) -> None:
        with calling("TieRelation"):
            self._check()

    def _check(self) -> None:
        if np.ma.is_masked(self.tied):
            raise ArgumentError("tied has masked values; say of every pair whether it is tied")
        tied = np.asarray(self.tied)
        if tied.ndim != 2 or tied.shape[0] != tied.shape[1] or tied.dtype != bool:
            got = f"shape {tied.shape}" if tied.dtype == bool else f"values of type {tied.dtype}"
            raise ArgumentError(f"tied must be a square array of True and False, got {got}")
        if not (tied == tied.T).all() or not tied.diagonal().all():
            raise ArgumentError("tied must be symmetric, and every item tied with itself")
        labels = None if self.labels is None else tuple(self.labels)
        if labels is not None and len(labels) != len(tied):
            raise ArgumentError(f"there are {len(labels)} labels for {len(tied)} items")
        if labels is not None and len(set(labels)) < len(labels):
            raise ArgumentError("two items have the same label; labels must be different")
        tied = tied.copy()  # a later change of the caller's array must not change the relation
        tied.setflags(write=False)
        object.__setattr__(self, "tied", tied)
        object.__setattr__(self, "labels", labels)

    @property
    def n_tied(self) -> int:
        """The number of pairs of items that are tied."""
        return (int(self.tied.sum()) - len(self.tied)) // 2

    def __len__(self) -> int:
        return len(self.tied)

    def __repr__(self) -> str:
        n = len(self.tied)
        return f"<relation: {self.n_tied} of {n * (n - 1) // 2} pairs of {n} items are tied>"


Tie: TypeAlias = float | TieRelation
Threshold: TypeAlias = Tie | tuple[Tie, Tie]


def thresholds(threshold: object) -> tuple[float, float]:
    """Read a threshold, one number or an (x, y) pair, as a pair."""
    if isinstance(threshold, np.ndarray):
        threshold = threshold.tolist()
    several = isinstance(threshold, tuple | list)
    numbers: list[Any] = list(threshold) if several else [threshold, threshold]  # type: ignore[call-overload]
    if len(numbers) == 2 and all(is_real(w) and not isinstance(w, bool | np.bool_) for w in numbers):
        with contextlib.suppress(OverflowError, ValueError):
            pair = float(numbers[0]), float(numbers[1])
            if pair[0] >= 0 and pair[1] >= 0:
                return pair
    must = "must be a number >= 0 or a pair (w_x, w_y) of them"
    raise ArgumentError(f"{option('threshold')} {must}, got {threshold!r}")


def read_ties(threshold: Any) -> tuple[Tie, Tie]:
    """Read what makes ties: a threshold or a relation, for both rankings or one for each."""
    if isinstance(threshold, TieRelation):
        return threshold, threshold
    if isinstance(threshold, tuple | list) and any(isinstance(each, TieRelation) for each in threshold):
        if len(threshold) != 2:
            must = "must be one for both rankings, or a pair"
            raise ArgumentError(f"{option('threshold')} {must}, got {len(threshold)}")
        numbers = [0.0 if isinstance(each, TieRelation) else each for each in threshold]
        read = thresholds((numbers[0], numbers[1]))
        x, y = (each if isinstance(each, TieRelation) else w for each, w in zip(threshold, read, strict=True))
        return x, y
    return thresholds(threshold)


def slack(threshold: float, what: str, scores: Floats, spot: Callable[[int], str]) -> float:
    """Return what widens a threshold for the rounding of the scores, as `largest_tie` in the core does.

    Raise an error if that is more than a thousandth of the threshold; `spot` names an item.
    """
    if not threshold > 0 or len(scores) < 2:
        return 0.0
    k = int(np.abs(scores).argmax())
    found = core.SLACK * abs(float(scores[k]))
    if found > core.LARGEST_SLACK * threshold:
        least = float(f"{found / core.LARGEST_SLACK * 1.01:.1e}")
        raise ArgumentError(
            f"{what} is {scores[k]:g} at {spot(k)}, and the rounding of such a score blurs a threshold of "
            f"{threshold:g}; if it stands for a missing score, drop the item, or use a threshold of at least "
            f"{least:g}"
        )
    return found
