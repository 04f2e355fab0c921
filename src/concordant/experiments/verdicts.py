"""The sentences about the experiments: the main numbers of their records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from concordant.coefficients.declaration import Coefficient
from concordant.results.words import count, listed, number, sentences

if TYPE_CHECKING:
    from concordant.experiments.gaps import GapsResult
    from concordant.experiments.grades import GradesResult
    from concordant.experiments.pool import PoolResult
    from concordant.experiments.predict import Prediction, PredictResult
    from concordant.experiments.reuse import ReuseResult
    from concordant.experiments.swap import SwapResult


_SAME = 1e-12


def verdict_of_predict(result: PredictResult) -> tuple[str, ...]:
    """Return the verdict of `predict`: a measure with itself, and the best and worst pair of measures."""
    rows = result.predictions or ()
    if not rows:
        return ()
    c = next(row.coefficient for row in rows)
    topics = max(row.topics for row in rows)
    own = [row for row in rows if row.coefficient == c and row.topics == topics]
    defined = [row for row in own if row.mean is not None]
    if not defined:
        return sentences([f"{c} is undefined for all splits of {count(topics, 'topic')}"])
    low, high = (end(defined, key=lambda row: row.mean or 0.0) for end in (min, max))
    across = f"across random halves of {count(topics, 'topic')}"
    if len(own) == 1:
        return sentences([f"{high.reference} predicts itself {across} with a mean {c} of {_spread(high)}"])
    if len(defined) > 1 and (high.mean or 0.0) - (low.mean or 0.0) <= _SAME:
        same = f"All {len(defined)} predictions {across} have a mean {c} of {number(high.mean)}"
        return sentences([same])
    if len(defined) == 1:
        said = f"{_predicts(high)} {across} with a mean {c} of {_spread(high)}"
        return sentences([said, "The other predictions have no value"])
    said = f"{_predicts(high)} best {across}, with a mean {c} of {_spread(high)}"
    return sentences([said, f"{_predicts(low)} worst, with {_spread(low)}"])


def _predicts(row: Prediction) -> str:
    return f"{row.estimate} predicts {'itself' if row.estimate == row.reference else row.reference}"


def _spread(row: Prediction) -> str:
    return number(row.mean) + ("" if row.sd is None else f" (standard deviation {number(row.sd)})")


def verdict_of_pool(result: PoolResult) -> tuple[str, ...]:
    """Return the verdict of `pool`: the coefficient of the largest and of the smallest share."""
    rows = result.shares or ()
    if not rows:
        return ()
    c = next(row.coefficient for row in rows)
    own = [row for row in rows if row.coefficient == c]
    shares = sorted({row.percent for row in own}, reverse=True)
    parts = []
    for percent in dict.fromkeys((shares[0], shares[len(shares) // 2], shares[-1])):
        values = [row.of_means for row in own if row.percent == percent and row.of_means is not None]
        ends = number(min(values)) if values else "undefined"
        if values and max(values) > min(values):
            ends += f" to {number(max(values))}"
        parts.append(f"{ends} from {percent:g} %")
    return sentences([f"{c} of inferred AP with AP from all judgements is {listed(parts)} of the judgements"])


def verdict_of_swap(result: SwapResult) -> tuple[str, ...]:
    """Return the verdict of `swap`: each coefficient after swaps of both kinds of pairs."""
    by: dict[Coefficient, dict[str, float | None]] = {}
    for row in result.swaps or ():
        by.setdefault(row.coefficient, {})[row.pairs] = row.mean
    return sentences(_after_swaps(by, result))


def _after_swaps(by: dict[Coefficient, dict[str, float | None]], result: SwapResult) -> Iterator[str]:
    if by:
        n = result.options.get("n_swaps")
        pairs, do = ("1 pair", "does") if n == 1 else ("pairs" if n is None else f"{n} pairs", "do")
        after = f"after swaps of {pairs} that {do} not differ significantly and of {pairs} that {do}"
        if all(mean is None for own in by.values() for mean in own.values()):
            yield f"There is no value {after}; the notes say why"
        else:
            yield f"Mean values {after}: " + ", ".join(f"{c} {_means(own)}" for c, own in by.items())


def _means(own: dict[str, float | None]) -> str:
    means = [own.get(kind) for kind in ("not significant", "significant")]
    if means == [None, None]:
        return "no value"
    return " and ".join("no value" if mean is None else number(mean) for mean in means)


def verdict_of_gaps(result: GapsResult) -> tuple[str, ...]:
    """Return the verdict of `gaps`: where the median is lowest and highest."""
    rows = result.quartiles or ()
    if not rows:
        return ()
    c = next(row.coefficient for row in rows)
    own = [row for row in rows if row.coefficient == c and row.median is not None]
    if not own:
        n = result.options.get("n_systems")
        of = "" if n is None else f" of {count(n, 'system')}"
        return sentences([f"{c} is undefined for all pairs of samples{of}"])
    low, high = (end(own, key=lambda row: row.median or 0.0) for end in (min, max))
    same = f"{c} of samples in the same order has a median"
    if len(own) == 1:
        return sentences([f"{same} of {number(low.median)} ({low.reference} against {low.estimate})"])
    first, last = (f"{number(row.median)} ({row.reference} against {row.estimate})" for row in (low, high))
    smallest = min(row.minimum for row in own if row.minimum is not None)
    return sentences([f"{same} from {first} to {last}", f"The smallest value of all is {number(smallest)}"])


def verdict_of_grades(result: GradesResult) -> tuple[str, ...]:
    """Return the verdict of `grades`: which extension by grades differs least and most from its base."""
    rows = [row for row in result.extensions or () if row.mean_difference is not None]
    if not rows:
        return sentences(["No extension by grades has a value"] if result.extensions else [])
    low, high = (end(rows, key=lambda row: row.mean_difference or 0.0) for end in (min, max))
    least = f"{low.extension} differs least from its base without grades, {low.base}"
    said = f"Over {count(low.pairs, 'pair')} of lists, {least}: {number(low.mean_difference)} on average"
    if high is low:
        return sentences([said])
    most = f"Over {count(high.pairs, 'pair')}, {high.extension} differs most, from {high.base}"
    return sentences([said, f"{most}: {number(high.mean_difference)}"])


def verdict_of_reuse(result: ReuseResult) -> tuple[str, ...]:
    """Return the verdict of `reuse`: the correlations, and the system that loses most."""
    rows = result.correlations or ()
    if not rows:
        return ()
    values = [f"{row.coefficient} {'undefined' if row.value is None else number(row.value)}" for row in rows]
    own = "a system's own group" if result.options.get("group_by") else "the system itself"
    said = f"Scores with and without the judgements that only {own} brought: {', '.join(values)}"
    if not result.systems:
        return sentences([said])
    worst = min(result.systems, key=lambda row: row.difference)
    loses = (
        f"{worst.system} loses most: {number(worst.score)} becomes {number(worst.score_without)}"
        if worst.difference < 0
        else "No system loses by it"
    )
    return sentences([said, loses])
