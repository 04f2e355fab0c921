"""A few topics in place of all: chosen with some systems, and tried on others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from concordant.coefficients.declaration import Coefficient
from concordant.scores.means import snap
from concordant.statistics.resampling import of_rows
from concordant.typing import Floats

LEAST_SYSTEMS = 8  # two parts of four
_LEAST_HELD_OUT, _MOST_PARTS, _RANDOM = 4, 5, 40


class Step(NamedTuple):
    """A set of topics that grew by one."""

    topic: int
    in_sample: float  # agreement with the rest, of the systems by which the topics were chosen
    held_out: float  # the same of other systems, the mean over parts
    random: float  # of random sets of as many topics, of the same other systems


def growing_subset(scores: Floats, c: Coefficient, rng: np.random.Generator) -> Iterator[Step]:
    """Yield sets of one topic, of two, and so on up to half of them, each with its agreement with the rest.

    The next topic is the one with which the means over the set agree best with those over all topics that are
    not in it. The systems are put into parts at random; each part is held out in turn, the topics are chosen
    again by the others, and the agreement is that of the systems that are held out.
    """
    n, k = scores.shape
    parts = max(2, min(_MOST_PARTS, k // _LEAST_HELD_OUT))
    part = rng.permutation(np.arange(k) % parts)
    whole, chosen = list[int](), [list[int]() for _ in range(parts)]
    for size in range(1, n // 2 + 1):
        in_sample = _add_best(scores, whole, c)
        held_out, random = np.empty(parts), np.empty(parts)
        for p, own in enumerate(chosen):
            _add_best(scores[:, part != p], own, c)
            others = scores[:, part == p]
            held_out[p] = _with_rest(others, others[own].sum(axis=0, keepdims=True), size, c)[0]
            drawn = np.array([rng.permutation(n)[:size] for _ in range(_RANDOM)])
            random[p] = _mean(_with_rest(others, others[drawn].sum(axis=1), size, c))
        yield Step(whole[-1], in_sample, _mean(held_out), _mean(random))


def _add_best(scores: Floats, chosen: list[int], c: Coefficient) -> float:
    """Add the topic with which a set agrees best with the rest; return that agreement."""
    left = np.setdiff1d(np.arange(len(scores)), chosen)
    sums = scores[chosen].sum(axis=0) + scores[left] if chosen else scores[left]
    values = _with_rest(scores, sums, len(chosen) + 1, c)
    best = int(np.argmax(np.where(np.isnan(values), -np.inf, values)))
    chosen.append(int(left[best]))
    return float(values[best])


def _with_rest(scores: Floats, sums: Floats, size: int, c: Coefficient) -> Floats:
    """Return the coefficient of the means over sets of topics, given their sums, and over all others."""
    rest = snap((scores.sum(axis=0) - sums) / (len(scores) - size))
    return np.asarray(of_rows([c], rest, snap(sums / size), 1)[0])


def _mean(values: Floats) -> float:
    """Return the mean; an undefined value, of a set that ties all systems, is no agreement."""
    return float(np.where(np.isnan(values), 0.0, values).mean())
