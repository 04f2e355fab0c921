"""Several coefficients of the same pairs of rankings at once."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from concordant.coefficients.compute import FEW_ITEMS, Outcome, Task, run, screen_and_run
from concordant.coefficients.declaration import Coefficient
from concordant.errors import ArgumentError, ArgumentTypeError, ConcordantError, UndefinedWarning
from concordant.rankings import ListPairs, Pairs, screen
from concordant.typing import Booleans, Floats, Integers, NanPolicy, Progress

__all__ = ["evaluate", "evaluate_lists", "without_groups"]

_MOST_COPIED = 1 << 22  # items
_MOST_AT_ONCE = 1 << 20  # items in a batch


def evaluate(
    coefficients: Sequence[Coefficient],
    pairs: Pairs,
    nan_policy: NanPolicy,
    threads: int,
    refuse: bool = True,
) -> list[Outcome]:
    """Compute several coefficients of the same pairs, sharing what can be shared.

    If a coefficient does not allow ties, a pair with ties raises an error, or is undefined.
    """
    for c in coefficients:
        if c.inputs == "graded_items":
            raise ArgumentError(f"{c.name} needs the grades of the items; call {c.name}(x, y, grades)")
        if c.inputs == "lists":
            raise ArgumentError(f"{c.name} compares lists of items, not scores; call {c.name}(x, y)")
    copies = nan_policy == "omit" or any(c.top is not None for c in coefficients)
    n_items = int(pairs.sizes().sum()) if copies else 0
    if n_items <= _MOST_COPIED or len(pairs) < 2:
        return _evaluate(coefficients, pairs, nan_policy, threads, refuse)
    # Leaving items out copies the items of every pair, so that only some pairs are done at a time.
    step = max(1, len(pairs) * _MOST_COPIED // n_items)
    parts = [
        _evaluate(coefficients, pairs.part(start, min(start + step, len(pairs))), nan_policy, threads, refuse)
        for start in range(0, len(pairs), step)
    ]
    joined = []
    for outcomes in zip(*parts, strict=True):
        reasons = dict.fromkeys(outcome.reason for outcome in outcomes if outcome.undefined)
        refusal = next((outcome.refusal for outcome in outcomes if outcome.refusal), "")
        values = np.concatenate([outcome.values for outcome in outcomes])
        joined.append(Outcome(values, sum(o.undefined for o in outcomes), ", or ".join(reasons), refusal))
    return joined


def evaluate_lists(coefficients: Sequence[Coefficient], pairs: ListPairs, threads: int) -> list[Outcome]:
    """Compute several coefficients of the same pairs of lists."""
    outcomes = []
    for c in coefficients:
        if c.of_lists is None:
            raise ArgumentError(f"{c.name} does not compare lists of items; choose one that does")
        outcomes.append(c.of_lists(pairs, threads, **c.options_without_threshold()))
    return outcomes


def _evaluate(
    coefficients: Sequence[Coefficient],
    pairs: Pairs,
    nan_policy: NanPolicy,
    threads: int,
    refuse: bool,
) -> list[Outcome]:
    statistics = [c.bound_statistic() for c in coefficients]
    if pairs.shared and all(
        s is not None and c.top is None for s, c in zip(statistics, coefficients, strict=True)
    ):
        every: list[Task] = [
            (s, c.threshold) for s, c in zip(statistics, coefficients, strict=True) if s is not None
        ]
        return screen_and_run(pairs, nan_policy, every, threads, refuse)
    pairs, missing = screen(pairs.owned(), nan_policy, threads)
    outcomes: dict[int, Outcome] = {}
    for top in dict.fromkeys(c.top for c in coefficients):
        part = pairs if top is None else pairs.top(top)
        places: list[int] = []
        tasks: list[Task] = []
        for i, c in enumerate(coefficients):
            if c.top != top:
                continue
            statistic = c.bound_statistic()
            if statistic is None:
                outcomes[i] = _one_by_one(c, part, missing)
            else:
                places.append(i)
                tasks.append((statistic, c.threshold))
        if tasks:
            outcomes.update(zip(places, run(part, missing, tasks, threads, refuse), strict=True))
    return [outcomes[i] for i in range(len(coefficients))]


def _one_by_one(c: Coefficient, pairs: Pairs, missing: Booleans) -> Outcome:
    values = np.full(len(pairs), math.nan)
    few = pairs.few()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)  # counted here
        for p in np.flatnonzero(~(missing | few)).tolist():
            rows = pairs.x[pairs.pair_x[p]], pairs.y[pairs.pair_y[p]]
            for row in rows:
                row.flags.writeable = False  # they are the caller's own data
            with _naming(pairs.x.within(int(pairs.pair_x[p]))):
                value = c.function(*rows, **dict(c.options))
            try:
                values[p] = float(value)
            except (TypeError, ValueError):
                raise ArgumentTypeError(
                    f"the function {c.name} must return a number, got {value!r}"
                ) from None
    undefined = np.isnan(values) & ~missing
    reason = FEW_ITEMS if few[undefined].all() else "the function returned nan"
    return Outcome(values, int(undefined.sum()), reason)


@contextmanager
def _naming(group: str) -> Iterator[None]:
    """Add the group of items in which an error arose to its message."""
    try:
        yield
    except ConcordantError as error:
        if group:
            raise type(error)(f"{error.text}{group}") from None
        raise
    except Exception as error:  # of a user's own function
        if group:
            error.add_note(f"this error arose{group}")
        raise


def without_groups(
    c: Coefficient,
    x: Floats,
    y: Floats,
    group: Integers,
    n_groups: int,
    threads: int,
    progress: Progress | None = None,
) -> Floats:
    """Return the coefficient without each of the groups 0 ... n_groups - 1; where ties are refused, nan."""
    if c.inputs == "graded_lists" and "max_grade" not in dict(c.options):
        # The scale stays that of all grades, whichever are left.
        c = replace(c, options=(*c.options, ("max_grade", int(max(x.max(), y.max())))))
    values = np.empty(n_groups)
    step = max(1, _MOST_AT_ONCE // max(len(x), 1))
    for start in range(0, n_groups, step):
        stop = min(start + step, n_groups)
        pairs = Pairs.leaving_out(x, y, group, range(start, stop))
        values[start:stop] = evaluate([c], pairs, "raise", threads, refuse=False)[0].values
        if progress is not None:
            progress(stop, n_groups)
    return values
