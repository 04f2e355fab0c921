"""How much coefficients change if two neighbours in a ranking are exchanged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from concordant.coefficients import Coefficient, evaluate
from concordant.rankings import read_pairs
from concordant.typing import Floats

__all__ = ["neighbour_changes"]

_MOST = 200  # exchanges on a side; with more items, one exchange hardly matters


def neighbour_changes(
    coefficients: Sequence[Coefficient], x: Floats, y: Floats, values: Floats, threads: int
) -> Floats:
    """Return |change|, coefficients x exchanges, for neighbours by x and by y; nan where it is undefined.

    `values` are the coefficients of x and y. The scores of two neighbours are exchanged on one side. If there
    are many items, the neighbours at the top are used, and some evenly spaced ones from the rest.
    """
    sides = [_exchanged(own) for own in (x, y)]
    x_rows = np.concatenate([sides[0], np.tile(x, (len(sides[1]), 1))])
    y_rows = np.concatenate([np.tile(y, (len(sides[0]), 1)), sides[1]])
    if not len(x_rows):
        return np.zeros((len(coefficients), 0))
    outcomes = evaluate(coefficients, read_pairs(x_rows, y_rows), "propagate", threads, refuse=False)
    changes: Floats = np.abs(np.array([outcome.values for outcome in outcomes]) - values[:, None])
    return changes


def _exchanged(scores: Floats) -> Floats:
    """Return rows of the scores, in each of which those of two neighbours are exchanged, if they differ."""
    order = np.argsort(-scores, kind="stable")
    places = np.flatnonzero(np.diff(scores[order]))
    if len(places) > _MOST:
        others = np.linspace(0, len(places) - 1, _MOST // 2, dtype=np.int64)
        places = np.unique(np.concatenate([places[: _MOST // 2], places[others]]))
    rows = np.tile(scores, (len(places), 1))
    row, better, worse = np.arange(len(places)), order[places], order[places + 1]
    rows[row, better], rows[row, worse] = scores[worse], scores[better]
    return rows
