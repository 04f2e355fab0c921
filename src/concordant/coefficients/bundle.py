"""Several coefficients of one pair of plain arrays: one call of the core for each pair of thresholds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from concordant.coefficients.compute import Statistic, plain_array, plan
from concordant.rankings import core, in_one_order

__all__ = ["Bundle"]

_FLOAT64 = np.dtype(np.float64)


class Bundle:
    """Several coefficients, prepared for calls with two plain arrays."""

    def __init__(self, tasks: Sequence[tuple[Statistic, tuple[float, float]]]) -> None:
        self.calls = []
        self.order: list[int] = []  # the place of each computed value in the answer
        for each in dict.fromkeys(each for _, each in tasks):
            part = [(i, statistic) for i, (statistic, w) in enumerate(tasks) if w == each]
            statistics = [statistic for _, statistic in part]
            fields = list(dict.fromkeys(field for statistic in statistics for field in statistic.fields))
            self.calls.append((*each, plan(statistics, fields), _together(statistics, fields)))
            self.order += [i for i, _ in part]

    def values(self, x: Any, y: Any) -> list[float] | None:
        """Return a value for each coefficient, or None if the input needs the general way of `apply`."""
        own_x, own_y = x, y
        if type(x) is not np.ndarray or x.dtype is not _FLOAT64:
            x = plain_array(x)
        if type(y) is not np.ndarray or y.dtype is not _FLOAT64:
            y = plain_array(y)
        if x is None or y is None:
            if x is not None or y is not None or (labelled := in_one_order(own_x, own_y)) is None:
                return None
            x, y = plain_array(labelled[0]), plain_array(labelled[1])
            if x is None or y is None:
                return None
        values: list[float] = []
        for w_x, w_y, plan_of_call, formulas in self.calls:
            found = core.pair(x, y, w_x, w_y, plan_of_call)
            if found is None:
                return None
            values += formulas(*found)
        if math.isnan(sum(values)):
            return None
        if len(self.calls) == 1:
            return values
        return [value for _, value in sorted(zip(self.order, values, strict=True))]


def _together(statistics: Sequence[Statistic], fields: Sequence[str]) -> Callable[..., list[float]]:
    """Return one function of all fields that calls every formula with its own.

    The text is made of the names of fields, which are identifiers of the core. A compiled function takes half
    the time of picking the arguments of each formula from a tuple (`make bench`: "compare with all Kendall
    and AP").
    """
    calls = ", ".join(f"f{i}({', '.join(s.fields)})" for i, s in enumerate(statistics))
    names: dict[str, Any] = {f"f{i}": s.formula for i, s in enumerate(statistics)}
    return eval(f"lambda {', '.join(fields)}: [{calls}]", names)  # type: ignore[no-any-return]
