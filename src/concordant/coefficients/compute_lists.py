"""Compute coefficients of pairs of lists, for whatever the user passed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from concordant.coefficients.compute import Outcome, shaped
from concordant.errors import calling
from concordant.rankings import n_workers, read_lists
from concordant.typing import Floats, Value

__all__ = ["Width", "apply_lists", "outcome_of"]

Width = float | tuple[float, float]  # a threshold for both lists, or one for each


def outcome_of(values: Floats, reason: str) -> Outcome:
    """Return the values with the number of those that are undefined, and the reason."""
    undefined = int(np.isnan(values).sum())
    return Outcome(values, undefined, reason if undefined else "")


def apply_lists(
    name: str,
    check: Callable[..., None],
    values: Callable[..., Outcome],
    x: Any,
    y: Any,
    threshold: Any,
    workers: Any,
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
