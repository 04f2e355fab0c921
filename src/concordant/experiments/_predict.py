"""How well a measure on some topics predicts a measure on others."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant._inputs import Floats, Pairs, Progress, n_workers, seeded, whole_number
from concordant._questions import Some, chosen
from concordant._registry import Coefficient, evaluate
from concordant.experiments._result import Result
from concordant.report import Table
from concordant.scores import Scores, exact_sums, snap, some

__all__ = ["predict"]

_MOST_AT_ONCE = 4_000_000  # values of one side; some hundred megabytes in all


def predict(
    scores: Any,
    coefficients: Some = ("tau_a", "tau_b", "tau_e", "tau_ap_a", "tau_ap_b", "tau_ap_e"),
    *,
    n_splits: int = 2000,
    topics: Iterable[int] | None = None,
    drop: Iterable[str] = (),
    drop_duplicates: bool = False,
    drop_bottom: float = 0.0,
    bottom_by: str | None = None,
    rng: Any = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Result:
    """Split the topics at random in halves; correlate the systems by one measure on one half with another on the other.

    Parameters
    ----------
    scores : Scores, or what `Scores.of` takes
        All pairs of its measures are compared: the row of the result is the truth, on one half, the column the estimate,
        on the other.
    coefficients : list of str or Coefficient
        Thresholds included, such as ``["tau_b", "tau_b(0.05)"]``. Those that refuse ties are undefined for splits with ties,
        and these are counted.
    n_splits : int, default 2000
        Of an odd number of topics, the larger part is for the estimate.
    topics : iterable of int, optional
        How many topics to draw and split, such as ``[10, 20, 30]``; all by default.
    drop : iterable of str
        Systems to leave out.
    drop_duplicates : bool
        Leave out systems that have the same scores as an earlier one on all topics by all measures.
    drop_bottom : float
        Then leave out this share of the systems, those with the lowest means by `bottom_by`.
    bottom_by : str, optional
        A measure; the first by default.
    rng : int, Generator or None
    workers : int, default 1
        Threads. No bit of the result depends on it.
    progress : callable, optional
        Called as ``progress(done, of how many)``.

    Returns
    -------
    Result
        With the table "predict": mean and standard deviation over the splits, and how many are undefined.

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
    >>> [(row["truth"], row["estimate"], round(row["mean"], 2)) for row in result["predict"].to_dicts()][:2]
    [('AP', 'AP', 0.02), ('AP', 'P@10', 0.09)]
    """
    who = "predict"
    asked = chosen(who, coefficients)
    drop = list(drop)
    whole_number(who, "n_splits", n_splits)
    threads = n_workers(who, workers)
    kept, notes = select_systems(who, Scores.of(scores), drop, drop_duplicates, drop_bottom, bottom_by)
    kept = kept.fill()
    n_topics = len(kept.topics)
    sizes = (
        [n_topics]
        if topics is None
        else [whole_number(who, "topics", size, 2) for size in dict.fromkeys(topics)]
    )
    if not sizes or max(sizes) > n_topics or n_topics < 2:
        raise ValueError(f"{who}: there are {n_topics} topics; choose from 2 up to as many, got {sizes}")
    generator, seed = seeded(rng)
    rows: list[tuple[Any, ...]] = []
    n_pairs = len(kept.measures) ** 2
    done = 0
    for size in sizes:
        halves = _halves(generator, n_splits, n_topics, size)
        values = np.empty((len(asked), n_pairs, n_splits))
        step = max(1, _MOST_AT_ONCE // (len(kept.measures) * len(kept.systems)))
        for start in range(0, n_splits, step):
            part = slice(start, min(start + step, n_splits))
            values[:, :, part] = _correlations(kept, [half[part] for half in halves], asked, threads)
            done += part.stop - start
            if progress is not None:
                progress(done, n_splits * len(sizes))
        for p in range(n_pairs):
            truth, estimate = (kept.measures[m] for m in divmod(p, len(kept.measures)))
            rows += [(truth, estimate, size, c, *_moments(values[i, p])) for i, c in enumerate(asked)]
    columns = ("truth", "estimate", "topics", "coefficient", "mean", "sd", "splits", "undefined")
    title = f"Prediction across {n_splits} splits of topics, {len(kept.systems)} systems"
    return Result(
        "",
        (Table("predict", title, columns, tuple(rows)),),
        tuple(notes),
        {
            "n_splits": n_splits,
            "topics": sizes,
            "systems": len(kept.systems),
            "measures": list(kept.measures),
            "drop": [str(name) for name in drop],
            "drop_duplicates": drop_duplicates,
            "drop_bottom": drop_bottom,
            "bottom_by": bottom_by,
        },
        experiment=who,
        seed=seed,
    )


def select_systems(
    who: str, scores: Scores, drop: Iterable[str], duplicates: bool, bottom: float, bottom_by: str | None
) -> tuple[Scores, list[str]]:
    """Leave out systems by name, those that repeat others, and the worst; say which."""
    notes = list(scores.notes)
    if bottom_by is not None:
        scores.select(measures=[bottom_by])  # one that is not there is an error
    if not 0 <= bottom < 1:
        raise ValueError(f"{who}: drop_bottom must be a share from 0 up to 1, got {bottom!r}")
    gone = [str(name) for name in drop]
    if gone:
        scores.select(systems=gone)  # names that are not there are an error
        scores = scores.select(systems=[s for s in scores.systems if s not in set(gone)])
        notes.append(f"dropped by name: {some(gone, 8)}")
    missing = scores.missing()
    if missing:
        notes.append(f"{len(missing)} missing scores count as 0")
    if duplicates:
        filled = scores.fill().values
        first: dict[bytes, str] = {}
        same = {}
        for i, system in enumerate(scores.systems):
            earlier = first.setdefault((filled[:, :, i] + 0.0).tobytes(), system)
            if earlier != system:
                same[system] = earlier
        scores = scores.select(systems=[s for s in scores.systems if s not in same])
        pairs = [f"{system} = {earlier}" for system, earlier in same.items()]
        notes.append(
            f"dropped {len(same)} systems with all the scores of another"
            + (f": {some(pairs, 8)}" if same else "")
        )
    if bottom > 0:
        means = scores.fill().mean(bottom_by or scores.measures[0])
        n_kept = len(means) - math.floor(len(means) * bottom + 1e-9)
        best = set(
            sorted(means, key=lambda s: means[s], reverse=True)[:n_kept]
        )  # stable: earlier systems first
        worst = [s for s in scores.systems if s not in best]
        scores = scores.select(systems=[s for s in scores.systems if s in best])
        notes.append(
            f"dropped the {len(worst)} systems with the lowest mean {means.measure}: {some(worst, 8)}"
        )
    if len(scores.systems) < 2:
        raise ValueError(f"{who}: {len(scores.systems)} systems are left; two at least are needed")
    return scores, notes


def _halves(rng: np.random.Generator, n_splits: int, n_topics: int, size: int) -> list[NDArray[np.int64]]:
    """Return for both halves which topics each split has, as zeros and ones; the larger half estimates."""
    order = rng.permuted(np.broadcast_to(np.arange(n_topics), (n_splits, n_topics)), axis=1)
    halves = []
    for part in (order[:, : size // 2], order[:, size // 2 : size]):
        weights = np.zeros((n_splits, n_topics), dtype=np.int64)
        np.put_along_axis(weights, part, 1, axis=1)
        halves.append(weights)
    return halves


def _correlations(
    scores: Scores, halves: list[NDArray[np.int64]], asked: list[Coefficient], threads: int
) -> Floats:
    """Return coefficient x pair of measures x split."""
    n_measures, n_splits, n = len(scores.measures), len(halves[0]), len(scores.systems)
    sides = []
    for weights in halves:
        means = [snap(exact_sums(weights, scores.values[m]) / weights[0].sum()) for m in range(n_measures)]
        sides.append(np.concatenate(means).ravel())  # a row for each measure and split
    rows = np.arange(n_measures * n_splits).reshape(n_measures, n_splits)
    pair_x = np.repeat(rows, n_measures, axis=0).ravel()
    pair_y = np.tile(rows, (n_measures, 1)).ravel()
    offsets = np.arange(n_measures * n_splits + 1) * n

    def name(_row: int, k: int) -> str:
        return repr(scores.systems[k])

    pairs = Pairs(sides[0], offsets, sides[1], offsets, pair_x, pair_y, (len(pair_x),), name, name)
    outcomes = evaluate("predict", asked, pairs, "raise", threads, refuse=False)
    return np.stack([outcome.values.reshape(n_measures**2, n_splits) for outcome in outcomes])


def _moments(values: Floats) -> tuple[float | None, float | None, int, int]:
    defined = values[~np.isnan(values)]
    undefined = len(values) - len(defined)
    if len(defined) == 0:
        return None, None, len(values), undefined
    mean = math.fsum(defined) / len(defined)
    spread = math.sqrt(math.fsum((defined - mean) ** 2) / (len(defined) - 1)) if len(defined) > 1 else None
    return mean, spread, len(values), undefined
