"""The mean score of each system over the topics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

import numpy as np

from concordant.errors import ArgumentError, visible
from concordant.rankings.compiled import core
from concordant.results.markup import html
from concordant.results.table import shown
from concordant.results.words import count
from concordant.typing import Floats, Integers

MOST_SHOWN = 20  # systems that are shown


class Means(Mapping[str, float]):
    """The mean score of each system: a mapping, which every coefficient takes and aligns by name.

    Attributes
    ----------
    measure : str
        The measure.
    n_topics : int
        The number of topics averaged over.
    n_tied : int
        The number of systems that share their mean with another.
    n_tied_by_rounding : int
        How many of these differed only by the rounding errors of their sums, before the means were rounded to
        12 digits.

    Examples
    --------
    >>> import concordant as cd
    >>> means = cd.Scores([[0.2, 0.5], [0.4, 0.3]], systems=["bm25", "dense"]).mean()
    >>> means["dense"], means.n_topics, means.n_tied
    (0.4, 2, 0)
    """

    def __init__(self, systems: Sequence[str], sums: Floats, n_topics: int, measure: str) -> None:
        exact = sums / n_topics
        self._values: dict[str, float] = dict(zip(systems, snap(exact).tolist(), strict=True))
        self.measure = measure
        self.n_topics = n_topics
        self.n_tied = n_tied(self._values.values())
        self.n_tied_by_rounding = self.n_tied - n_tied(exact.tolist())

    def __getitem__(self, system: str) -> float:
        return self._values[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        lines = [f"{system}: {self[system]:.4f}" for system in self._best]
        return "\n".join(map(visible, [self._head, *lines, *_more(len(self))]))

    def _repr_html_(self) -> str:
        rows = [(system, self[system]) for system in self._best]
        return html_of_means(self._head, [self.measure], rows, len(self))

    @property
    def _head(self) -> str:
        ties = f", {self.n_tied} tied" if self.n_tied else ""
        over = f"{count(len(self), 'system')} over {count(self.n_topics, 'topic')}"
        return f"mean {self.measure} of {over}{ties}"

    @property
    def _best(self) -> list[str]:
        """The best systems; those with equal means stay in their order."""
        return sorted(self, key=lambda system: -self[system])[:MOST_SHOWN]


def _more(total: int) -> list[str]:
    return [f"... and {total - MOST_SHOWN} more"] if total > MOST_SHOWN else []


def html_of_means(head: str, measures: Sequence[str], rows: Iterable[Sequence[object]], total: int) -> str:
    """Return rows of a system and its means as an HTML table; `total` is the number of all systems."""
    cells = [list(map(shown, row)) for row in rows]
    table = html(["system", *map(visible, measures)], cells, range(1, len(measures) + 1))
    more = "".join(f"<p>{text}</p>" for text in _more(total))
    return f"<p>{escape(visible(head))}</p>{table}{more}"


def snap(values: Floats) -> Floats:
    """Round to 12 significant digits, so that means that differ by rounding only are equal."""
    snapped, doubtful = np.empty(values.shape), np.empty(values.shape, dtype=np.bool_)
    if core.round_digits(np.ascontiguousarray(values).ravel(), snapped.reshape(-1), doubtful.reshape(-1)):
        snapped[doubtful] = _digits(values[doubtful])
    return snapped


def _digits(values: Floats) -> list[float]:
    return [float(f"{value:.12g}") for value in values.tolist()]


_USUAL_EXPONENT = 800  # no slice or sum of such values comes near the ends of the range of doubles


def _slices(weights: Integers, values: Floats) -> tuple[Floats, Floats, Integers]:
    """Cut each column into two slices at fixed powers of two; return them, scaled, and the exponents.

    Scaled values are at most 1. The slices are so coarse that every product and sum of one is exact. The
    remainder is below 2^-80 of the largest value, for fewer than a thousand topics.
    """
    exponent = np.frexp(np.abs(values).max(axis=0, initial=0.0))[1]
    width = 52 - int(weights.sum(axis=1).max(initial=1)).bit_length()
    scaled = np.ldexp(values, -exponent)
    high = np.ldexp(np.rint(np.ldexp(scaled, width)), -width)
    low = np.ldexp(np.rint(np.ldexp(scaled - high, 2 * width)), -2 * width)
    return high, low, exponent


def _is_usual(exponent: Integers) -> bool:
    return bool((np.abs(exponent) < _USUAL_EXPONENT).all())


def exact_sums(weights: Integers, values: Floats) -> Floats:
    """Return weights @ values, the rows of sums over topics, with the same rounding in any order."""
    high, low, exponent = _slices(weights, values)
    n = values.shape[1]
    slices, usual = np.hstack([high, low]), _is_usual(exponent)
    if usual:
        slices = np.ldexp(slices, np.tile(exponent, 2))
    both = weights.astype(np.float64) @ slices
    sums: Floats = both[:, :n] + both[:, n:]
    if not usual:
        with np.errstate(over="ignore"):
            # In two steps, because the power of two of the whole exponent may exceed the range of doubles.
            for part in (exponent // 2, exponent - exponent // 2):
                sums *= np.ldexp(1.0, part)
    if not np.isfinite(sums).all():
        raise ArgumentError(
            "the sum of the scores of a system over topics is too large for a float; replace scores that "
            "stand for missing ones"
        )
    return sums


def exact_means(weights: Integers, values: Floats) -> Floats:
    """Return the means over topics, each of which counts as often as a row of weights says; see `snap`.

    They are those of the exact sums, most of which need no second slice. Without any topic they are nan.
    """
    high, low, exponent = _slices(weights, values)
    totals = weights.sum(axis=1).astype(np.float64)
    if not (_is_usual(exponent) and np.isfinite(values).all()):
        with np.errstate(invalid="ignore"):
            return snap(exact_sums(weights, values) / totals[:, None])
    times = weights.astype(np.float64)
    means: Floats = times @ np.ldexp(high, exponent)
    doubtful = np.empty(means.shape, dtype=np.bool_)
    if core.round_means(means, times, totals, np.ascontiguousarray(np.ldexp(low, exponent).T), doubtful):
        means[doubtful] = _digits(means[doubtful])
    return means


def n_tied(values: Iterable[float]) -> int:
    """Return how many values are shared with another."""
    return sum(count for count in Counter(values).values() if count > 1)
