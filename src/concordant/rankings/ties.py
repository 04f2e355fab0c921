"""What makes two items tied: a threshold for each ranking, or any relation between items."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from concordant.checks import is_real
from concordant.errors import ArgumentError, calling, option
from concordant.rankings.compiled import core
from concordant.rankings.convert import is_masked_array
from concordant.rankings.pairs import Rows
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
        if is_masked_array(self.tied) and np.ma.is_masked(self.tied):
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


@dataclass(frozen=True)
class Relative:
    """Scores are tied if they differ by no more than a percentage of the smaller or the larger of the two."""

    percent: float
    of: str = "smaller"

    def __str__(self) -> str:
        return f"{number(self.percent)}%" + (" of larger" if self.of == "larger" else "")

    def of_logarithms(self, name: str, rows: Rows) -> tuple[Floats, float]:
        """Return the same ties as a threshold: scores in the same order, and the width of a tie among them.

        max - min <= f min is log max - log min <= log(1 + f), so that ties take O(n log n) time as those
        within a threshold do. 0 is tied with 0 only. Scores of both signs in one ranking are an error.
        """
        share = self.percent / 100
        width = (math.log1p(share) if self.of == "smaller" else -math.log1p(-share)) + core.SLACK
        values, down = rows.values, np.zeros(len(rows.values), dtype=np.bool_)
        if (values < 0).any():
            row = np.repeat(np.arange(len(rows)), rows.sizes)
            negative, positive = (np.bincount(row, own, len(rows)) > 0 for own in (values < 0, values > 0))
            if (negative & positive).any():
                first = int(np.argmax((negative & positive)[row] & (values < 0)))
                raise ArgumentError(
                    f"{name} is {values[first]:g} at {rows.spot(first)} and has positive scores too; ties "
                    f"within {self} mean nothing for scores around 0, so use a threshold that is a number"
                )
            down = negative[row]
        with np.errstate(divide="ignore"):
            logs = np.log(np.abs(values))
        logs[values == 0] = np.min(logs, initial=0.0, where=np.isfinite(logs)) - 2 * width - 1
        return np.where(down, -logs, logs), width


@dataclass(frozen=True)
class Overlapping:
    """Scores are tied if their 0.95 confidence intervals overlap; a table of scores brings these."""

    def __str__(self) -> str:
        return "overlap"


Tie: TypeAlias = float | Relative | TieRelation | Overlapping
OneThreshold: TypeAlias = float | str | TieRelation
Threshold: TypeAlias = OneThreshold | tuple[OneThreshold, OneThreshold]
_PERCENT = r"\s*([^%\s]+)\s*%(?:\s*of\s+(?:the\s+)?(smaller|larger))?\s*"


def number(value: float) -> str:
    """Return the shortest text that reads back as the same number."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def _tie(given: Any) -> Tie | None:
    """Read what makes ties in one ranking; None if it is nothing of the kind."""
    if isinstance(given, TieRelation | Relative | Overlapping):
        return given
    if given == "overlap":
        return Overlapping()
    percent = re.fullmatch(_PERCENT, given) if isinstance(given, str) else None
    if percent is not None or (is_real(given) and not isinstance(given, bool | np.bool_)):
        with contextlib.suppress(OverflowError, ValueError):
            width = float(given if percent is None else percent[1])
            if percent is not None and 0 < width < (100 if percent[2] == "larger" else math.inf):
                return Relative(width, percent[2] or "smaller")
            if width >= 0 and (percent is None or width == 0):
                return width
    return None


def _both(threshold: Any) -> tuple[Tie, Tie] | None:
    if isinstance(threshold, np.ndarray):
        threshold = threshold.tolist()
    several = isinstance(threshold, tuple | list)
    ties = [_tie(each) for each in (threshold if several else (threshold, threshold))]
    if len(ties) == 2 and ties[0] is not None and ties[1] is not None:
        return ties[0], ties[1]
    return None


def read_ties(threshold: Any) -> tuple[Tie, Tie]:
    """Read what makes ties: a threshold or a relation, for both rankings or one for each."""
    if (ties := _both(threshold)) is not None:
        return ties
    must = "must be a number >= 0, a percentage such as '5%', or a pair (w_x, w_y) of them"
    raise ArgumentError(f"{option('threshold')} {must}, got {threshold!r}")


def thresholds(threshold: object) -> tuple[float, float]:
    """Read a threshold that can only be a number, or an (x, y) pair of them, as a pair."""
    ties = _both(threshold)
    if ties is not None and isinstance(ties[0], float) and isinstance(ties[1], float):
        return ties[0], ties[1]
    must = "must be a number >= 0 or a pair (w_x, w_y) of them"
    raise ArgumentError(f"{option('threshold')} {must}, got {threshold!r}")


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
