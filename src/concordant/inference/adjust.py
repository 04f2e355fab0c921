"""Adjust p-values for multiple tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, get_args, overload

import numpy as np
from numpy.typing import ArrayLike

from concordant.errors import ArgumentError, public
from concordant.inference.options import Correction
from concordant.rankings import as_floats, one_of
from concordant.typing import Floats

__all__ = ["adjust_pvalues"]

Key = TypeVar("Key")


@overload
def adjust_pvalues(pvalues: Mapping[Key, float], method: Correction = ...) -> dict[Key, float]: ...
@overload
def adjust_pvalues(pvalues: ArrayLike, method: Correction = ...) -> Floats: ...
@public
def adjust_pvalues(
    pvalues: Mapping[Any, float] | ArrayLike, method: Correction = "holm"
) -> dict[Any, float] | Floats:
    """Adjust p-values for the number of tests, so that each can be compared with the same level.

    Parameters
    ----------
    pvalues : array_like or mapping
        The p-values; the keys of a mapping may be anything.
    method : {"holm", "bh"}
        "holm" (Holm): the probability of any false rejection is at most the level. "bh" (Benjamini and
        Hochberg): the expected share of false rejections among the rejections is at most the level.

    Returns
    -------
    numpy.ndarray or dict
        The adjusted p-values; a mapping keeps its keys.

    References
    ----------
    .. [1] Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics
       6, 1979.
    .. [2] Benjamini and Hochberg, "Controlling the false discovery rate", JRSS B 57, 1995.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.adjust_pvalues([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    >>> cd.adjust_pvalues({"gpt": 0.01, "llama": 0.04}, "bh")
    {'gpt': 0.02, 'llama': 0.04}
    """
    one_of("method", method, get_args(Correction))
    if isinstance(pvalues, Mapping):
        adjusted = adjust_pvalues(list(pvalues.values()), method)
        return dict(zip(pvalues, adjusted.tolist(), strict=True))
    p = as_floats("pvalues", pvalues)
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        bad = f"{p[~((p >= 0) & (p <= 1))][0]:g}" if p.ndim == 1 else f"an array of shape {p.shape}"
        raise ArgumentError(f"pvalues must be a list of numbers from 0 to 1, got {bad}")
    order, rank = np.argsort(p, kind="stable"), np.arange(1, len(p) + 1)
    if method == "holm":
        steps = np.maximum.accumulate(p[order] * (len(p) + 1 - rank))
    else:
        steps = np.minimum.accumulate((p[order] * len(p) / rank)[::-1])[::-1]
    found = np.empty_like(p)
    found[order] = np.minimum(steps, 1.0)
    return found
