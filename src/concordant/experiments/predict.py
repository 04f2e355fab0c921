"""How well a measure on some topics predicts a measure on other topics."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, ClassVar

import numpy as np

from concordant.checks import generator, n_workers, several, whole_number
from concordant.coefficients.declaration import Coefficient, CoefficientsLike, chosen
from concordant.coefficients.engine import SAME
from concordant.coefficients.evaluation import evaluate
from concordant.errors import ArgumentError, option, public
from concordant.experiments.experiment import (
    ExperimentResult,
    defined,
    ends,
    mean,
    missing_as_zero,
    needs_topics,
)
from concordant.rankings.pairs import Pairs, Rows
from concordant.reading.from_memory import ScoresLike
from concordant.reading.read_scores import read_scores
from concordant.results.note import Note
from concordant.results.result import records
from concordant.results.table import DETAIL
from concordant.results.words import count, number, sentences, some
from concordant.scores.means import exact_means
from concordant.scores.scores import Scores
from concordant.typing import Executor, Floats, Integers, Progress, RngLike
from concordant.work import Draws, in_pieces, piece_size

_MOST_AT_ONCE = 1_000_000  # values of one side


@dataclass(frozen=True)
class Prediction:
    """One measure on one half of the topics against another measure on the other half, over all splits.

    Attributes
    ----------
    reference : str
        The measure on the one half.
    estimate : str
        The measure on the other half.
    topics : int
        The number of topics of a half.
    coefficient : Coefficient
        The coefficient.
    mean : float or None
        The mean over the splits; None if there is none.
    sd : float or None
        The standard deviation; None if there are fewer than two values.
    splits : int
        The number of random splits of the topics.
    undefined : int
        The number of undefined values, which are left out.
    difference : float or None
        The mean, over the splits, of the value minus that of the reference predicting itself in the same
        split; None for the reference itself.
    won : float or None
        The share of these splits in which the value is the larger one.
    """

    reference: str
    estimate: str
    topics: int
    coefficient: Coefficient
    mean: float | None
    sd: float | None = field(metadata=DETAIL)
    splits: int
    undefined: int
    difference: float | None = field(metadata=DETAIL)
    won: float | None = field(metadata=DETAIL)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class PredictResult(ExperimentResult[Prediction]):
    """The result of `predict`; prints as text.

    Attributes
    ----------
    predictions : tuple of Prediction
        Prediction across random halves of the topics.

    Examples
    --------
    >>> import concordant as cd
    >>> human = [[0.3, 0.5, 0.1], [0.4, 0.6, 0.2], [0.2, 0.1, 0.3], [0.3, 0.4, 0.1]]
    >>> result = cd.experiments.predict(human, ["tau_b"], n_splits=9)
    >>> result.predictions[0].splits, result.predictions[0].topics
    (9, 4)
    """

    function: ClassVar[str] = "predict"

    predictions: tuple[Prediction, ...] = records(
        Prediction, "Prediction across random halves of the topics", pivot=("coefficient", "mean")
    )

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: which measure predicts which best, and worst."""
        if not self.predictions:
            return ()
        c = self.predictions[0].coefficient
        topics = max(row.topics for row in self.predictions)
        own = [row for row in self.predictions if row.coefficient == c and row.topics == topics]
        defined = [row for row in own if row.mean is not None]
        if not defined:
            return sentences([f"{c} is undefined for all splits of {count(topics, 'topic')}"])
        low, high = ends(defined, "mean")
        across = f"across random halves of {count(topics, 'topic')}"
        if len(defined) == 1:
            others = "The other predictions have no value" if len(own) > 1 else None
            return sentences([f"{_predicts(high)} {across} with a mean {c} of {_spread(high)}", others])
        if (high.mean or 0.0) - (low.mean or 0.0) <= SAME:
            same = f"All {len(defined)} predictions {across} have a mean {c} of {number(high.mean)}"
            return sentences([same])
        best = f"{_predicts(high)} best {across}, with a mean {c} of {_spread(high)}"
        return sentences([best, f"{_predicts(low)} worst, with {_spread(low)}", *_redundant(own)])


def _redundant(rows: Sequence[Prediction]) -> Iterator[str]:
    """Yield which measures others predict better than they predict themselves, and which they do not."""
    alone = []
    for reference in dict.fromkeys(row.reference for row in rows):
        own = [row for row in rows if row.reference == reference and row.difference is not None]
        best = max(own, key=lambda row: row.difference or 0.0, default=None)
        if best is not None and is_better(best.difference, best.won):
            said = f"{best.estimate} predicts {reference} better than {reference} itself"
            yield f"{said}: by {number(best.difference)} on average, in {number(best.won)} of the splits"
        elif best is not None:
            alone.append(reference)
    if alone:
        yield f"No other measure predicts {' or '.join(alone)} better than itself"


def is_better(difference: float | None, won: float | None) -> bool:
    """Return whether a measure predicts another better than that itself: on average, and in most splits."""
    return difference is not None and won is not None and difference > SAME and won > 0.5


def _predicts(row: Prediction) -> str:
    return f"{row.estimate} predicts {'itself' if row.estimate == row.reference else row.reference}"


def _spread(row: Prediction) -> str:
    return number(row.mean) + ("" if row.sd is None else f" (standard deviation {number(row.sd)})")


@public
def predict(
    scores: ScoresLike,
    coefficients: CoefficientsLike = ("tau_ap_e", "tau_ap_b", "tau_ap_a", "tau_e", "tau_b", "tau_a"),
    *,
    n_splits: int = 2000,
    topics: int | Iterable[int] | None = None,
    drop: Iterable[str] = (),
    drop_bottom: float = 0.0,
    bottom_by: str | None = None,
    rng: RngLike = 0,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> PredictResult:
    """Correlate the ranking by one measure on half of the topics with that by another on the other half.

    The topics are split at random.

    Parameters
    ----------
    scores : Scores, or what `read_scores` takes
        The scores. All pairs of their measures are compared: the reference on one half of the topics, the
        estimate on the other half.
    coefficients : list of str or Coefficient, optional
        The coefficients, as `coefficient` reads them, such as ``["tau_b", "tau_b(0.05)"]``. A verdict
        is about the first. A coefficient that refuses ties is undefined for splits with ties; the number of
        these is in the result.
    n_splits : int, default 2000
        The number of random splits. If the number of topics is odd, the estimate has the larger part.
    topics : int or iterable of int, optional
        The numbers of topics to draw and split, such as ``[10, 20, 30]``; by default all topics.
    drop : iterable of str
        Systems to leave out.
    drop_bottom : float
        The share of the systems to leave out after that: those with the lowest means by `bottom_by`.
    bottom_by : str, optional
        The measure for `drop_bottom`; by default the first.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None, default 0
        The seed or the generator of random numbers. None means a new seed, which is stored in the result.
    workers : int, default 1
        The number of threads. The result does not depend on it.
    executor : concurrent.futures.Executor, optional
        The executor that does the work: any executor of PEP 3148, such as a pool of processes, or
        ``client.get_executor()`` of Dask. The result does not depend on it.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    PredictResult
        ``predictions``: mean and standard deviation over the splits, how many are undefined, and how a
        measure predicts the reference compared with the reference itself.

    References
    ----------
    .. [1] Webber, Moffat, Zobel and Sakai, "Precision-at-ten considered redundant", SIGIR 2008.
    .. [2] Radja, thesis, TU Delft 2018, section 7.1.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> scores = cd.Scores(np.random.default_rng(0).random((2, 20, 10)), measures=["AP", "P@10"])
    >>> result = cd.experiments.predict(scores, "tau_b", n_splits=100, rng=1)
    >>> [(p.reference, p.estimate, round(p.mean, 2)) for p in result.predictions][:2]
    [('AP', 'AP', 0.02), ('AP', 'P@10', 0.09)]
    """
    asked = chosen(coefficients)
    drop = [str(name) for name in drop]
    whole_number("n_splits", n_splits)
    threads = n_workers(workers)
    kept, notes = _selected(read_scores(scores), drop, drop_bottom, bottom_by)
    kept = kept.fill()
    n_topics = needs_topics(kept)
    asked_for = [n_topics] if topics is None else several("topics", topics)
    sizes = [whole_number("topics", size, 2) for size in asked_for]
    if not sizes or max(sizes) > n_topics:
        raise ArgumentError(f"there are {n_topics} topics; choose from 2 up to as many, got {sizes}")
    source, seed = generator(rng)
    found: list[Prediction] = []
    most = max(1, _MOST_AT_ONCE // (len(kept.measures) * max(len(kept.systems), n_topics)))
    step = piece_size(n_splits, most, executor)
    rows = [min(step, n_splits - start) for start in range(0, n_splits, step)]
    # Splits are drawn one by one, while others are computed.
    pieces = ((size, Draws(source, _orders, n, n_topics)) for size in sizes for n in rows)
    shared = kept.values, kept.systems, tuple(asked)
    how: dict[str, Any] = {"executor": executor, "threads": threads, "progress": progress}
    parts = in_pieces(_correlations, shared, pieces, sizes=rows * len(sizes), **how)
    for part, size in enumerate(sizes):
        own = parts[part * len(rows) : (part + 1) * len(rows)]
        values = np.concatenate([each["values"] for each in own], axis=2)
        n = len(kept.measures)
        named = list(enumerate(kept.measures))
        for (i, x), (j, y), (k, c) in product(named, named, enumerate(asked)):
            cell, itself = values[k, i * n + j], values[k, i * (n + 1)]
            gain = defined(cell - itself) if i != j else np.empty(0)
            won = float((gain > SAME).mean()) if len(gain) else None
            found.append(Prediction(x, y, size, c, *_moments(cell), mean(gain), won))
    return PredictResult(
        predictions=tuple(found),
        notes=tuple(notes),
        options={"n_splits": n_splits, "topics": sizes, "systems": len(kept.systems)}
        | {"measures": list(kept.measures), "drop": drop}
        | {"drop_bottom": drop_bottom, "bottom_by": bottom_by, "seed": seed},
    )


def _selected(
    scores: Scores, drop: Sequence[str], bottom: float, bottom_by: str | None
) -> tuple[Scores, list[Note]]:
    """Leave out systems by name, duplicates, and the worst systems; return notes on which."""
    notes = list(scores.notes)
    if bottom_by is not None:
        scores.select(measures=[bottom_by])  # an unknown measure is an error
    if not 0 <= bottom < 1:
        raise ArgumentError(f"{option('drop_bottom')} must be a share from 0 up to 1, got {bottom!r}")
    if drop:
        scores.select(systems=drop)  # an unknown name is an error
        scores = _without(scores, drop)
        text = f"dropped by name: {some(drop, 8)}"
        notes.append(Note("systems_dropped_by_name", text=text, values={"systems": tuple(drop)}, lost=True))
    notes += missing_as_zero(len(scores.missing()))
    if bottom > 0:
        means = scores.fill().mean(bottom_by or scores.measures[0])
        n_kept = len(means) - math.floor(len(means) * bottom + 1e-9)
        ranked = sorted(means, key=lambda s: means[s], reverse=True)  # stable: earlier systems first
        worst = tuple(s for s in scores.systems if s not in set(ranked[:n_kept]))
        scores = _without(scores, worst)
        by = means.measure
        text = f"dropped the {count(len(worst), 'system')} with the lowest mean {by}: {some(worst, 8)}"
        notes.append(Note("bottom_dropped", text=text, values={"systems": worst, "measure": by}, lost=True))
    if len(scores.systems) < 2:
        raise ArgumentError(f"{len(scores.systems)} systems are left; at least two are needed")
    return scores, notes


def _without(scores: Scores, gone: Collection[str]) -> Scores:
    return scores.select(systems=[s for s in scores.systems if s not in gone])


# The values, measures x topics x systems; the systems; the coefficients.
_Shared = tuple[Floats, tuple[str, ...], tuple[Coefficient, ...]]
# The number of topics to split, and orders of all topics, a row for each split.
_Splits = tuple[int, Draws]


def _orders(rng: np.random.Generator, n_splits: int, n_topics: int) -> Integers:
    return rng.permuted(np.broadcast_to(np.arange(n_topics), (n_splits, n_topics)), axis=1)


def _correlations(shared: _Shared, splits: _Splits, threads: int) -> dict[str, Any]:
    """Return coefficient x pair of measures x split; the estimate has the larger half of the topics."""
    values, systems, asked = shared
    size, orders = splits
    order = orders.get()
    n_measures, n_splits = len(values), len(order)
    sides = []
    for half in (order[:, : size // 2], order[:, size // 2 : size]):
        weights = np.zeros(order.shape, dtype=np.int64)
        np.put_along_axis(weights, half, 1, axis=1)
        means = [exact_means(weights, own) for own in values]
        sides.append(Rows.equal(np.concatenate(means), lambda _row, k: repr(systems[k])))
    rows = np.arange(n_measures * n_splits).reshape(n_measures, n_splits)  # a row for each measure and split
    pair_x = np.repeat(rows, n_measures, axis=0).ravel()
    pair_y = np.tile(rows, (n_measures, 1)).ravel()
    pairs = Pairs(sides[0], sides[1], pair_x, pair_y, (len(pair_x),))
    outcomes = evaluate(asked, pairs, "raise", threads, refuse=False)
    return {"values": np.stack([outcome.values.reshape(n_measures**2, n_splits) for outcome in outcomes])}


def _moments(values: Floats) -> tuple[float | None, float | None, int, int]:
    own = defined(values)
    centre, n = mean(own), len(own)
    sd = None if centre is None or n < 2 else math.sqrt(math.fsum((own - centre) ** 2) / (n - 1))
    return centre, sd, len(values), len(values) - n
