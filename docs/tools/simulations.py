"""Simulate the tables of docs/background/inference.md, where the right answer is known, and write them again.

All tables are made, or those that are named. Rows of real matrices need --data FOLDER with CSV files of
topics x systems, such as adhoc8_ap.csv; without it only the simulated rows are made. The topics of a sample
are drawn with replacement from a collection, whose full set of topics is the truth.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import math
import multiprocessing
import os
import re
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import concordant as cd
from concordant.questions.correlate import Agreement, agreements
from concordant.statistics.confidence import interval_of
from concordant.statistics.difference import _end, _swapped
from concordant.statistics.faults import favoured
from concordant.statistics.ranks import may_be_first, pvalues_above, rank_sets, surely_above
from concordant.statistics.resampling import Resampled, Resampler, TopicSample, of_rows, started
from concordant.statistics.simultaneous import contest, stepped_down
from concordant.statistics.topic_luck import TopicLuck

PAGE = Path(__file__).parent.parent / "background" / "inference.md"
NAMES = ("tau_b", "tau_ap_b")

Array = np.ndarray[Any, np.dtype[np.float64]]


# --- tables


def table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table."""
    columns = list(columns)
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def shown(values: Iterable[float], digits: int = 2) -> list[str]:
    """Return numbers with so many digits; - where there is none."""
    return ["-" if math.isnan(value) else f"{value:.{digits}f}" for value in values]


def seed_of(*parts: object) -> np.random.Generator:
    """Return random numbers that depend only on what is simulated."""
    return np.random.default_rng(zlib.crc32(repr(parts).encode()))


SIZES = {
    # collections, and samples of each
    "intervals": (10, 15),
    "methods": (10, 15),
    "failures": (10, 20),
    "agrees": (200, 1),
    "systems": (1, 150),
    "endless": (10, 15),
    "differences": (10, 20),
    "many": (10, 20),
    "favours": (100, 1),
    "boards": (10, 40),
    "bars": (10, 20),
    "items": (1, 200),
    "permutations": (1, 600),
    "expected": (10, 15),
    "close": (40, 4),
    "width": (10, 10),
    "telling": (10, 3),
}
SHARE = 1.0


def sizes(part: str) -> tuple[int, int]:
    """Return how many collections and samples of each there are."""
    collections, samples = SIZES[part]
    if samples * SHARE >= 2:
        return collections, round(samples * SHARE)
    return max(2, round(collections * samples * SHARE / min(samples, 2))), min(samples, 2)


def in_parallel(function: Callable[[Any], Any], jobs: Sequence[Any]) -> list[Any]:
    """Do all jobs, each with its own seed, on all cores."""
    with multiprocessing.Pool() as pool:
        return list(pool.imap(function, jobs, chunksize=1))


# --- collections, from which samples of topics are drawn


def collection(source: str, systems: str, k: int, rng: np.random.Generator) -> Array:
    """Return topics x systems, with k systems: any, or close ones, or such that are equal in truth.

    A simulated collection has skewed scores from 0 to 1 (beta); systems are alike on some topics. The close
    ones of a matrix are the best k, or k from the middle.
    """
    if source == "simulated":
        spread = {"any": 0.5, "close": 0.06, "equal": 0.0}[systems]
        quality = spread * rng.gumbel(0, 1, k) - 0.8
        topics = rng.normal(0, 1.2, (300, 1)) + 0.6 * rng.standard_t(4, (300, k))
        mean = np.clip(1 / (1 + np.exp(-(quality + topics))), 0.02, 0.98)
        scores = rng.beta(4 * mean, 4 * (1 - mean))
        return scores - scores.mean(axis=0) + 0.35 if systems == "equal" else scores
    with (Path(os.environ["DATA"]) / f"{source}.csv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file))
    scores = np.array(rows[1:], dtype=float)
    if systems == "close":
        order = np.argsort(-scores.mean(axis=0), kind="stable")
        start = int(rng.integers(0, 2)) * (len(order) // 2 - k // 2)
        return scores[:, order[start : start + k]]
    scores = scores[:, rng.permutation(scores.shape[1])[:k]]
    return scores - scores.mean(axis=0) + 0.5 if systems == "equal" else scores


def sources(data: Path | None, *names: str) -> list[str]:
    """Return simulated scores, and the matrices if there are any."""
    return ["simulated", *(names if data is not None else ())]


def noise(rng: np.random.Generator, size: float, shape: tuple[int, ...]) -> Array:
    """Return errors of a judge, with many small ones and a few large ones."""
    return size * rng.standard_t(3, shape) / math.sqrt(3)


def biased(x: Array, size: float, error: float, rng: np.random.Generator) -> Array:
    """Return the scores of a judge that is off for each system, and errs on each topic."""
    off = rng.laplace(0, size / math.sqrt(2), x.shape[1])
    return x + off + noise(rng, error, x.shape)


def expectation(names: Sequence[str], x: Array, n: int, rng: np.random.Generator) -> Callable[[Array], Array]:
    """Return what gives the mean coefficients of a judge over many samples of n topics, always the same."""
    counts = rng.multinomial(n, np.full(len(x), 1 / len(x)), 1000) / n
    coefficients, means = [cd.coefficient(name) for name in names], counts @ x
    return lambda y: np.nanmean(of_rows(coefficients, means, counts @ y, 1), axis=1)


def as_good(
    make: Callable[[float], Array], of: Callable[[Array], Array], wanted: float, most: float = 0.5
) -> Array:
    """Return the judge of a family, from good to bad, whose expected coefficient is the wanted one."""
    low, high = 0.0, most
    for _ in range(11):
        middle = (low + high) / 2
        low, high = (middle, high) if of(make(middle))[0] > wanted else (low, middle)
    return make((low + high) / 2)


def how_of(rng: np.random.Generator, method: Any = "standard", n_resamples: int = 499) -> Resampler:
    """Return how to resample, with a seed of its own."""
    seed = int(rng.integers(1 << 30))
    return started(cd.Resampling(n_resamples=n_resamples, rng=seed, workers=1, method=method))


def resampled(
    x: Array, judges: Sequence[Array], rng: np.random.Generator, name: str = "tau_b"
) -> tuple[TopicSample, Resampled]:
    """Return the joint resamples of some judges."""
    study = cd.Study(x, {str(k): y for k, y in enumerate(judges)})
    sample = TopicSample(study.pairings, [cd.coefficient(name)], how_of(rng))
    return sample, sample.draw()


def records(x: Array, y: Array, rng: np.random.Generator, floor: float | None = None) -> list[Agreement]:
    """Return all that `judge` says about the coefficients of one judge."""
    study = cd.Study(x, {"judge": y})
    coefficients = [cd.coefficient(name) for name in NAMES]
    luck = {study.pairings[0].reference: TopicLuck(x)}
    return list(agreements(study, coefficients, how_of(rng), at_least=floor, luck=luck).records)


def holds(interval: Any, value: float) -> float:
    """Return whether an interval contains a value; nan if there is none."""
    if interval is None or math.isnan(interval[0]):
        return math.nan
    return float(interval[0] <= value + 1e-12 and value <= interval[1] + 1e-12)


# --- intervals over topics

OTHER_SCALES: dict[str, Callable[[Array, np.random.Generator], Array]] = {
    "lenient, 0.5 + 0.4 x": lambda x, rng: 0.5 + 0.4 * x + noise(rng, 0.03, x.shape),
    "compressed, square root": lambda x, _: np.sqrt(np.clip(x, 0, None)),
    "saturated, min(x, 0.5)": lambda x, _: np.minimum(x, 0.5),
}
JUDGES: dict[str, Callable[[Array, np.random.Generator], Array]] = {
    "near (noise 0.03)": lambda x, rng: biased(x, 0.0, 0.03, rng),
    "noisy (0.3)": lambda x, rng: biased(x, 0.0, 0.3, rng),
    "own bias (0.05)": lambda x, rng: biased(x, 0.05, 0.05, rng),
    "favours 3 in 10 by 0.1": lambda x, rng: x + 0.1 * (rng.random(x.shape[1]) < 0.3),
    "the same by 0.3 on 3 topics in 10": lambda x, rng: (
        x + 0.3 * (rng.random(x.shape[1]) < 0.3) * (rng.random((len(x), 1)) < 0.3)
    ),
    "random": lambda x, rng: np.tile(rng.random(x.shape[1]), (len(x), 1)) + noise(rng, 0.1, x.shape),
    **OTHER_SCALES,
}
FEW = ("tau_b", "tau_ap_b", "pearson_rank")


def _intervals(job: tuple[str, str, int, int, str]) -> list[object]:
    judge, source, k, n, method = job
    rng = seed_of("intervals", *job)
    coefficients = [cd.coefficient(name) for name in FEW]
    found, targets = [], []
    populations, repetitions = sizes("intervals")
    for _ in range(populations):
        x = collection(source, "any", k, rng)
        y = JUDGES[judge](x, rng)
        target = expectation(FEW, x, n, rng)(y)
        targets.append(target)
        for _ in range(repetitions):
            drawn = rng.integers(0, len(x), n)
            study = cd.Study(x[drawn], {"judge": y[drawn]})
            sample = TopicSample(study.pairings, coefficients, how_of(rng, method)).draw()
            ends = [sample.interval(j, method, 0.95) for j in range(len(FEW))]
            held = [holds(each, value) for each, value in zip(ends, target, strict=True)]
            found.append([*held, ends[0].high - ends[0].low])
    *covered, width = np.nanmean(found, axis=0)
    head = [judge, source, k, n, *([] if method == "standard" else [method])]
    return [*head, *shown([np.nanmean(targets, axis=0)[0], width, *covered])]


def intervals(data: Path | None) -> str:
    """Return the coverage of intervals of what is expected of as many topics."""
    cells = [(5, 25), (10, 5), (10, 10), (10, 24), (20, 50)]
    jobs = [(judge, "simulated", *cell, "standard") for judge in JUDGES for cell in cells]
    real = sources(data, "adhoc8_ap", "adhoc6_p10", "web2011_ndcg20")[1:]
    jobs += [(judge, name, *cell, "standard") for judge in JUDGES for name in real for cell in ((10, 25),)]
    columns = ["judge", "scores", "systems", "topics", "expected `tau_b`", "width"]
    return table([*columns, *(f"`{name}`" for name in FEW)], in_parallel(_intervals, jobs))


def methods(_data: Path | None) -> str:
    """Return the coverage and width of the textbook methods."""
    jobs = [
        (judge, "simulated", 20, 50, method)
        for judge in ("near (noise 0.03)", "noisy (0.3)", "own bias (0.05)", "random")
        for method in ("percentile", "basic", "BCa")
    ]
    columns = ["judge", "scores", "systems", "topics", "method", "expected `tau_b`", "width"]
    return table([*columns, *(f"`{name}`" for name in FEW)], in_parallel(_intervals, jobs))


# --- what the intervals do not see: failures


def _failures(job: tuple[str, float, str, int, int]) -> list[object]:
    kind, share, source, k, n = job
    rng = seed_of("failures", *job)
    found = []
    populations, repetitions = sizes("failures")
    for _ in range(populations):
        x = collection(source, "any", k, rng)
        fails = np.zeros(300, dtype=bool)
        if source != "simulated":  # a few topics more, so that a small share is possible
            x = np.concatenate([x] * (1 + 300 // len(x)))[:300]
        fails[rng.permutation(300)[: round(share * 300)]] = True
        bad = {
            "reversed": x.max(axis=1, keepdims=True) + x.min(axis=1, keepdims=True) - x,
            "zeros for a third": x * (rng.random(k) > 1 / 3),
            "constant": np.full(x.shape, 0.5),
        }[kind]
        y = np.where(fails[:, None], bad, x)
        target = expectation(NAMES, x, n, rng)(y)
        for _ in range(repetitions):
            drawn = rng.integers(0, len(x), n)
            own = records(x[drawn], y[drawn], rng)
            held = [holds(each.interval, value) for each, value in zip(own, target, strict=True)]
            floors = [
                math.nan if each.floor is None else float(each.floor > value + 1e-12)
                for each, value in zip(own, target, strict=True)
            ]
            below = [
                holds((min(each.interval.low, each.floor), each.interval.high), value)
                for each, value in zip(own, target, strict=True)
                if each.interval is not None and each.floor is not None
            ]
            found.append([target[0], held[0], below[0] if below else math.nan, *floors])
    return [f"{share:.0%} {kind}", source, k, n, *shown(np.nanmean(found, axis=0))]


def failures(data: Path | None) -> str:
    """Return what happens to judges that are perfect but for a few topics."""
    kinds = [("reversed", 0.02), ("reversed", 0.04), ("reversed", 0.1)]
    kinds += [("zeros for a third", 0.04), ("constant", 0.04)]
    jobs = [(*kind, "simulated", *cell) for kind in kinds for cell in ((10, 25), (20, 50))]
    jobs += [(*kind, name, 10, 25) for kind in kinds[:2] for name in sources(data, "adhoc8_ap")[1:]]
    columns = ["judge fails on", "scores", "systems", "topics", "expected `tau_b`", "interval covers it"]
    columns += ["interval down to the floor", "floor too high: `tau_b`", "`tau_ap_b`"]
    return table(columns, in_parallel(_failures, jobs))


# --- above 0 beyond doubt, and other systems


def _agrees(job: tuple[str, str, int, int]) -> list[object]:
    judge, source, k, n = job
    rng = seed_of("agrees", *job)
    found = []
    populations, repetitions = sizes("agrees")
    for _ in range(populations):
        x = collection(source, "equal" if judge == "copy of equal systems" else "any", k, rng)
        fixed = rng.permutation(k) / k
        y = {
            "fixed random scores": np.tile(fixed, (len(x), 1)),
            "random, three levels": np.tile(np.floor(fixed * 3), (len(x), 1)),
            "random and noise": fixed + noise(rng, 0.3, x.shape),
            "useful (noise 0.3)": biased(x, 0.0, 0.3, rng),
            "copy of equal systems": biased(x, 0.0, 0.05, rng),
        }[judge]
        for _ in range(repetitions):
            drawn = rng.integers(0, len(x), n)
            for each in records(x[drawn], y[drawn], rng):
                above = each.interval is not None and each.interval.low > 0
                tested = each.pvalue is not None and each.pvalue <= 0.05
                wide = each.other_systems is not None and each.other_systems.low > 0
                found.append([above, above and tested, wide])
    shares = np.mean(np.reshape(found, (-1, 2, 3)), axis=0)
    return [judge, source, k, n, *shown([shares[0, 0], shares[0, 1], shares[1, 1], shares[0, 2]], 3)]


def agrees(data: Path | None) -> str:
    """Return how often a judge is said to agree."""
    jobs: list[Any] = []
    for judge in ("fixed random scores", "random, three levels", "random and noise", "useful (noise 0.3)"):
        jobs += [(judge, "simulated", k, n) for k, n in ((5, 50), (10, 10), (10, 50), (20, 50))]
    real = sources(data, "adhoc8_ap", "web2011_ndcg20")[1:]
    jobs += [
        (judge, name, 20, 50) for judge in ("fixed random scores", "useful (noise 0.3)") for name in real
    ]
    jobs += [("copy of equal systems", "simulated", 20, 50)]
    columns = [
        "judge",
        "scores",
        "systems",
        "topics",
        "interval above 0",
        "and p small, `tau_b`",
        "`tau_ap_b`",
    ]
    return table([*columns, "interval for other systems above 0"], in_parallel(_agrees, jobs))


def _systems(job: tuple[str, str, int, int]) -> list[object]:
    judge, source, k, n = job
    rng = seed_of("systems", *job)
    found = []
    sets = math.prod(sizes("systems"))
    x = collection(source, "any", 400, rng)  # all systems of a matrix
    y = JUDGES[judge](x, rng)
    targets = []
    for _ in range(40):
        own = rng.permutation(x.shape[1])[:k]
        targets.append(expectation(NAMES[:1], x[:, own], n, rng)(y[:, own])[0])
    target = float(np.mean(targets))
    for _ in range(sets):
        drawn, own = rng.integers(0, len(x), n), rng.permutation(x.shape[1])[:k]
        each = records(x[np.ix_(drawn, own)], y[np.ix_(drawn, own)], rng)[0]
        assert each.interval is not None
        assert each.other_systems is not None
        widths = [high - low for low, high in (each.interval, each.other_systems)]
        found.append([holds(each.interval, target), holds(each.other_systems, target), *widths])
    return [judge, source, k, n, *shown([target, *np.nanmean(found, axis=0)])]


def systems(data: Path | None) -> str:
    """Return the coverage of what is expected of other systems and topics."""
    judges = ["near (noise 0.03)", "noisy (0.3)", "own bias (0.05)", "favours 3 in 10 by 0.1"]
    jobs = [(judge, "simulated", k, 50) for judge in judges for k in (10, 20)]
    jobs += [(judge, name, 20, 50) for judge in judges for name in sources(data, "adhoc8_ap")[1:]]
    columns = ["judge", "scores", "systems", "topics", "mean of `tau_b` over sets", "interval over topics"]
    return table([*columns, "for other systems too", "width", "width"], in_parallel(_systems, jobs))


def _endless(job: tuple[str, str, int, int]) -> list[object]:
    judge, source, k, n = job
    rng = seed_of("endless", *job)
    found = []
    populations, repetitions = sizes("endless")
    for _ in range(populations):
        x = collection(source, "any", k, rng)
        y = JUDGES[judge](x, rng)
        pairs = of_rows(
            [cd.coefficient(name) for name in NAMES], x.mean(axis=0)[None], y.mean(axis=0)[None], 1
        )
        truth = pairs[:, 0]
        for _ in range(repetitions):
            drawn = rng.integers(0, len(x), n)
            row = []
            for value, each in zip(truth, records(x[drawn], y[drawn], rng), strict=True):
                low, high = each.interval_without_luck or (math.nan, math.nan)
                row += [
                    value,
                    each.value - value,
                    (math.nan if each.without_luck is None else each.without_luck) - value,
                    holds((low, high), value),
                    high - low,
                ]
            found.append(row)
    mean = np.nanmean(found, axis=0)
    return [judge, source, k, n, *shown(mean)]


def endless(data: Path | None) -> str:
    """Return bias and coverage of the agreement without the luck of the topics."""
    judges = ["near (noise 0.03)", "noisy (0.3)", "own bias (0.05)", "favours 3 in 10 by 0.1", "random"]
    jobs = [(judge, "simulated", 20, n) for judge in judges for n in (25, 50)]
    jobs += [(judge, name, 20, 25) for judge in judges for name in sources(data, "adhoc8_ap")[1:]]
    columns = ["judge", "scores", "systems", "topics"]
    for name in NAMES:
        columns += [
            f"`{name}`, endless topics",
            "bias of the value",
            "without luck: bias",
            "covered",
            "width",
        ]
    return table(columns, in_parallel(_endless, jobs))


# --- two judges, and many

TWO = {
    # bias and noise of a; of b. "=": the bias, or else the noise, of b is such that both are equally good
    "the same noise, exchangeable": ((0.0, 0.2), (0.0, 0.2)),
    "different biases, no noise =": ((0.05, 0.0), (0.05, 0.0)),
    "different biases and noise =": ((0.05, 0.1), (0.05, 0.1)),
    "bias against noise =": ((0.05, 0.02), (0.0, 0.2)),
    "near, different biases =": ((0.015, 0.02), (0.015, 0.02)),
    "b on a scale of 100, different biases =": ((0.05, 0.1), (0.05, 0.1)),
    "b saturated, min(x, 0.5), different biases =": ((0.05, 0.1), (0.05, 0.0)),
    "noise 0.1 and 0.5": ((0.0, 0.1), (0.0, 0.5)),
    "bias 0.02 and 0.08": ((0.02, 0.05), (0.08, 0.05)),
}


def two_judges(
    label: str, x: Array, of: Callable[[Array], Array], rng: np.random.Generator
) -> Callable[[Array], tuple[Array, Array]]:
    """Return what gives the scores of two judges for the topics that are drawn."""
    (bias, error), (its_bias, its_error) = TWO[label]
    if label.startswith("the same"):
        return lambda drawn: (
            biased(x[drawn], bias, error, rng),
            biased(x[drawn], its_bias, its_error, rng),
        )
    a = biased(x, bias, error, rng)
    off, errors = rng.laplace(0, 1 / math.sqrt(2), x.shape[1]), noise(rng, 1.0, x.shape)
    b = x + its_bias * off + its_error * errors
    if label.endswith("="):
        wanted = of(a)[0]
        if "saturated" in label:
            b = as_good(lambda size: np.minimum(x + size * off, 0.5), of, wanted)
        elif its_bias:
            b = as_good(lambda size: x + size * off + its_error * errors, of, wanted)
        else:
            b = as_good(lambda size: x + size * errors, of, wanted, 3.0)
    scale = 100.0 if "100" in label else 1.0
    return lambda drawn: (a[drawn], scale * b[drawn])


def _two(job: tuple[str, str, int, int]) -> list[object]:
    label, source, k, n = job
    row: list[object] = [label.removesuffix(" ="), source, k, n]
    populations, repetitions = sizes("differences")
    for name in NAMES:
        rng = seed_of("two", *job, name)
        found = []
        c = cd.coefficient(name)
        for _ in range(populations):
            x = collection(source, "any", k, rng)
            of = expectation([name], x, n, rng)
            judges = two_judges(label, x, of, rng)
            target = 0.0
            if not label.endswith("=") and not label.startswith("the same"):
                a, b = judges(np.arange(len(x)))
                target = float(of(a)[0] - of(b)[0])
            for _ in range(repetitions):
                drawn = rng.integers(0, len(x), n)
                sample, resamples = resampled(x[drawn], judges(drawn), rng, name)
                one = resamples.difference(0, 1)
                low, high = one.interval(0, "standard", 0.95)
                told = float(low > 0 or high < 0) if one.standard_error(0) > 0 else 0.0
                null, exact = _swapped(sample, 0, 1, [c], None)
                end = _end(one, null[0], exact)
                ends = None if end is None else interval_of(end, 0.95, one.bounds[0])
                swapped = ends is not None and (ends[0] > 0 or ends[1] < 0)
                found.append([told, holds((low, high), target), high - low, swapped])
        row += shown(np.nanmean(found, axis=0))
    return row


def differences(data: Path | None) -> str:
    """Return how often two judges are told apart, and how often the interval contains the difference."""
    jobs = [(label, "simulated", *cell) for label in TWO for cell in ((10, 25), (20, 50))]
    jobs += [(label, "simulated", 10, 10) for label in TWO if label.startswith("different")]
    real = sources(data, "adhoc8_ap", "adhoc6_p10")[1:]
    jobs += [(label, name, 10, 25) for label in TWO for name in real if label.endswith("=")]
    columns = ["judges", "scores", "systems", "topics"]
    for name in NAMES:
        columns += [f"`{name}`: told apart", "covered", "width", "told apart by exchange"]
    return table(columns, in_parallel(_two, jobs))


def _many(job: tuple[str, str, str, int, int, int]) -> list[object]:
    what, name, source, n_judges, k, n = job
    rng = seed_of("many", *job)
    found = []
    populations, repetitions = sizes("many")
    pairs = list(itertools.combinations(range(n_judges), 2))
    for _ in range(populations):
        x = collection(source, "any", k, rng)
        judges: list[Array] | None = None
        sizes_of = np.full(n_judges, 0.2)
        if what == "equal, different biases":
            first = biased(x, 0.05, 0.05, rng)
            of = expectation([name], x, n, rng)
            judges = [first]
            for _ in range(n_judges - 1):
                off, rest = rng.laplace(0, 0.7, k), x + noise(rng, 0.05, x.shape)
                judges.append(as_good(lambda size, off=off, rest=rest: rest + size * off, of, of(first)[0]))
        elif what == "noise 0.05 to 0.5":
            sizes_of = np.linspace(0.05, 0.5, n_judges)
        for _ in range(repetitions):
            drawn = rng.integers(0, len(x), n)
            own = x[drawn]
            if judges is None:
                given = [biased(own, 0.0, size, rng) for size in sizes_of]
            else:
                given = [each[drawn] for each in judges]
            _, resamples = resampled(own, given, rng, name)
            each = [resamples.difference(a, b) for a, b in pairs]
            values = np.array([float(one.observed[0]) for one in each])
            adjusted, _ = stepped_down(
                values, np.array([o.distribution[0] for o in each]), [n] * len(each), 0.05
            )
            claims = false = plain = 0
            best = int(np.argmax(resamples.observed))
            for (a, b), one, p, value in zip(pairs, each, adjusted, values, strict=True):
                low, high = one.interval(0, "standard", 0.95)
                apart = low > 0 or high < 0
                claims += p < 0.05 and apart
                false += p < 0.05 and apart and (what != "noise 0.05 to 0.5" or value < 0)
                plain += apart and best in (a, b) and (what != "noise 0.05 to 0.5" or value < 0)
            may = [p >= 0.05 for p in contest(resamples, range(n_judges), 0.05)[1]]
            found.append([false > 0, plain > 0, claims, may[0], sum(may)])
    mean = np.mean(found, axis=0)
    return [what, f"`{name}`", source, n_judges, k, n, *shown(mean[:2], 3), *shown(mean[2:])]


def many(data: Path | None) -> str:
    """Return how often a judge is falsely called better than another, and what the set of the best holds."""
    cells = [(2, 10, 25), (5, 10, 25), (10, 10, 25), (20, 10, 25), (10, 20, 50)]
    jobs: list[Any] = [("exchangeable", "tau_b", "simulated", *cell) for cell in cells]
    jobs += [("exchangeable", "tau_ap_b", "simulated", *cell) for cell in cells[1:3]]
    jobs += [("equal, different biases", name, "simulated", *cell) for name in NAMES for cell in cells[1:3]]
    jobs += [("exchangeable", "tau_b", name, 10, 20, 25) for name in sources(data, "adhoc8_ap")[1:]]
    jobs += [("equal, different biases", "tau_b", name, 5, 20, 25) for name in sources(data, "adhoc8_ap")[1:]]
    jobs += [("noise 0.05 to 0.5", "tau_b", "simulated", 6, 20, 50)]
    columns = ["judges", "coefficient", "scores", "judges", "systems", "topics", 'any false "better"']
    columns += [
        "the best by tests that are not adjusted",
        'pairs called "better"',
        "the set has the best",
        "size of the set",
    ]
    return table(columns, in_parallel(_many, jobs))


# --- groups that a judge favours

SCALES: dict[str, Callable[[Array, np.random.Generator], Array]] = {
    "near (noise 0.03)": lambda x, rng: biased(x, 0.0, 0.03, rng),
    "noisy (0.2)": lambda x, rng: biased(x, 0.0, 0.2, rng),
    **OTHER_SCALES,
    "tanh of the mean, no noise": lambda x, _: np.tile(np.tanh(4 * x.mean(axis=0)), (len(x), 1)),
    "own bias (0.03)": lambda x, rng: biased(x, 0.03, 0.0, rng),
}


def _favour(job: tuple[str, str, int, int, int]) -> list[object]:
    scale, source, k, n_groups, n = job
    rng = seed_of("favour", *job)
    populations, repetitions = sizes("favours")
    false: dict[str, list[bool]] = {"random": [], "by quality": []}
    power: dict[float, list[bool]] = {0.05: [], 0.1: []}
    covered, also = [], []
    for _ in range(populations):
        pool = collection(source, "any", k, rng)
        y = SCALES[scale](pool, rng)
        for _ in range(repetitions):
            drawn = rng.integers(0, len(pool), n)
            own, judged = pool[drawn], y[drawn]
            chance = rng.permutation(np.arange(k) * n_groups // k)
            quality = np.empty(k, dtype=int)
            quality[np.argsort(pool.mean(axis=0))] = np.arange(k) * n_groups // k
            for kind, groups in (("random", chance), ("by quality", quality)):
                found = favoured(own, judged, [str(g) for g in groups])
                false[kind].append(any(e.pvalue is not None and e.pvalue <= 0.05 for e in found))
            for plus, flags in power.items():
                more = judged + plus * (chance == 0)
                found = favoured(own, more, [str(g) for g in chance])
                flags.append(found[0].pvalue is not None and found[0].pvalue <= 0.05)
                if plus == 0.1:
                    also.append(any(e.pvalue is not None and e.pvalue <= 0.05 for e in found[1:]))
                    if found[0].interval is not None:
                        covered.append(holds(found[0].interval, plus))
    rates = [np.mean(each) for each in (*false.values(), *power.values(), also, covered)]
    return [scale, source, k, n_groups, n, *shown(map(float, rates))]


def favours(data: Path | None) -> str:
    """Return how often a group is flagged that is not favoured, and one that is."""
    jobs = [(scale, "simulated", *cell) for scale in SCALES for cell in ((12, 4, 25), (24, 6, 25))]
    jobs += [(scale, name, 24, 6, 25) for scale in SCALES for name in sources(data, "adhoc8_ap")[1:]]
    columns = ["judge", "scores", "systems", "groups", "topics", "false flag: random groups", "by quality"]
    columns += ["found: + 0.05", "+ 0.1", "another with it", "interval holds 0.1"]
    return table(columns, in_parallel(_favour, jobs))


# --- boards


def _boards(job: tuple[str, str, int, int]) -> list[object]:
    what, source, k, n = job
    rng = seed_of("boards", *job)
    found = []
    populations, repetitions = sizes("boards")
    for _ in range(populations):
        x = collection(source, "equal" if what.startswith("equal") else "any", k, rng)
        if what == "different, binary":
            x = (rng.random((1500, k)) < rng.uniform(0.4, 0.8, k)).astype(float)
        truth = np.full(k, 0.5) if what.startswith("equal") else x.mean(axis=0)
        for _ in range(repetitions):
            own = x[rng.integers(0, len(x), n)]
            if what == "equal, binary":
                own = (rng.normal(0, 1, (n, k)) + rng.normal(0, 1, (n, 1)) < 0.2).astype(float)
            pvalues = pvalues_above(own)
            above = surely_above(pvalues)
            higher = truth[:, None] > truth + 1e-12
            low, high = rank_sets(above).T
            least, most = 1 + higher.sum(axis=0), k - higher.sum(axis=1)  # equal systems share their ranks
            best = truth >= truth.max() - 1e-12
            first = may_be_first(pvalues)
            found.append(
                [
                    (above & ~higher).any(),
                    ((low <= most) & (high >= least)).all() and not (above & ~higher).any(),
                    (high - low).mean(),
                    above.sum() / max(int(higher.sum()), 1) if higher.any() else math.nan,
                    first[np.argmax(best)],
                    first.sum(),
                ]
            )
    false, covered, width, share, best_kept, size = np.nanmean(found, axis=0)
    return [what, source, k, n, *shown([false, covered], 3), *shown([width, share, best_kept, size])]


def boards(data: Path | None) -> str:
    """Return what is claimed of the systems of one table."""
    jobs: list[Any] = [("equal", "simulated", k, n) for k in (10, 40) for n in (6, 10, 24, 50)]
    jobs += [
        ("equal", name, 20, n) for name in sources(data, "adhoc8_ap", "web2011_ndcg20")[1:] for n in (10, 50)
    ]
    jobs += [("equal, binary", "simulated", k, n) for k, n in ((10, 50), (20, 200))]
    jobs += [("different", "simulated", k, n) for k in (10, 40) for n in (10, 24, 50, 200)]
    jobs += [("different", name, 40, 50) for name in sources(data, "adhoc8_ap", "web2011_ndcg20")[1:]]
    jobs += [("different, binary", "simulated", 10, 200)]
    columns = ["systems are", "scores", "systems", "topics", "any false claim", "all rank sets hold"]
    columns += ["ranks in a set - 1", "true pairs told", "may be first: has the best", "size"]
    return table(columns, in_parallel(_boards, jobs))


def _by_bars(own: Array, width: float) -> Array:
    """Return who is above whom if the bars of single systems, of so many standard errors, do not overlap."""
    mean, error = own.mean(axis=0), own.std(axis=0, ddof=1) / math.sqrt(len(own))
    return np.asarray((mean - width * error)[:, None] > mean + width * error)


def _unpaired(own: Array) -> Array:
    """Return who is above whom by a z-test of two means that ignores that the items are the same."""
    mean, error = own.mean(axis=0), own.std(axis=0, ddof=1) / math.sqrt(len(own))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((mean[:, None] - mean) / np.hypot(error[:, None], error) > 1.96)


def _bootstrapped(own: Array, rng: np.random.Generator) -> Array:
    """Return the percentile interval of the rank of each system over resamples of the items."""
    n = len(own)
    drawn = rng.multinomial(n, np.full(n, 1 / n), 400) @ own
    ranks = np.array([1 + (each[:, None] < each).sum(axis=1) for each in drawn])
    return np.asarray(np.quantile(ranks, (0.025, 0.975), axis=0)).T


def _bars(job: tuple[str, str, int, int]) -> list[object]:
    what, source, k, n = job
    rng = seed_of("bars", *job)
    found = []
    populations, repetitions = sizes("bars")
    for _ in range(populations):
        kind = "equal" if what.startswith("equal") else "any"
        if source == "binary":
            chance = np.full(k, 0.6) if kind == "equal" else rng.uniform(0.5, 0.7, k)
            z = np.quantile(rng.normal(0, math.sqrt(2), 20_000), chance)
            x = (rng.normal(0, 1, (1500, 1)) + rng.normal(0, 1, (1500, k)) < z).astype(float)
            truth = chance
        else:
            x = collection(source, kind, k, rng)
            truth = np.zeros(k) if kind == "equal" else x.mean(axis=0)
        higher = truth[:, None] > truth + 1e-12
        least, most = 1 + higher.sum(axis=0), k - higher.sum(axis=1)
        for _ in range(repetitions):
            own = x[rng.integers(0, len(x), n)]
            if source == "binary":
                own = (rng.normal(0, 1, (n, 1)) + rng.normal(0, 1, (n, k)) < z).astype(float)
            ways = [surely_above(pvalues_above(own)), _by_bars(own, 1.0), _by_bars(own, 1.96), _unpaired(own)]
            row: list[float] = []
            for above in ways:
                low, high = rank_sets(above).T
                wrong = (above & ~higher).any()
                row += [((low <= most) & (high >= least)).all() and not wrong]
                row += [(above & higher).sum() / higher.sum() if higher.any() else math.nan]
            low, high = _bootstrapped(own, rng).T
            # Equal systems share all ranks: a set that lacks one of them claims an order.
            row.append(((low <= least) & (high >= most)).all())
            found.append(row)
    hold, told = (
        np.mean(np.array(found, dtype=float)[:, own], axis=0) for own in ([0, 2, 4, 6, 8], [1, 3, 5, 7])
    )
    cells = [f"{a} ({b})" if b != "-" else a for a, b in zip(shown(hold), [*shown(told), "-"], strict=True)]
    return [what, source, k, n, *cells]


def bars(data: Path | None) -> str:
    """Return how often all claims about one table hold, by rank sets and by what is usual."""
    matrices = sources(data, "adhoc8_ap", "web2011_ndcg20")[1:]
    jobs = [(what, name, k, 50) for what in ("equal", "different") for name in matrices for k in (10, 40)]
    jobs += [(what, "binary", k, n) for what in ("equal", "different") for k, n in ((10, 200), (40, 1000))]
    columns = ["systems are", "scores", "systems", "items", "rank sets", "bars of one standard error"]
    columns += ["bars of 95 %", "unpaired test, 0.05", "ranks in resamples, 95 %"]
    return table(columns, in_parallel(_bars, jobs))


# --- intervals over items, and tests


def _items(job: tuple[int, float]) -> list[object]:
    n, rho = job
    rng = seed_of("items", *job)

    def draw(*shape: int) -> tuple[Array, Array]:
        x, y = rng.normal(size=(2, *shape))
        return x, rho * x + math.sqrt(1 - rho * rho) * y

    shares = []
    for name in ITEMS:
        c = cd.coefficient(name)
        target = float(np.mean(c(*draw(20_000, n))))
        ends = [
            cd.jackknife_interval(*draw(n), c).confidence_interval for _ in range(math.prod(sizes("items")))
        ]
        shares.append(float(np.mean([holds(each, target) for each in ends])))
    return [n, rho, *shown(shares)]


ITEMS = ("tau_b", "tau_ap_b", "tau_e", "tau_gap", "tau_h", "pearson_rank", "pearson_r", "spearman_rho")


def items(_data: Path | None) -> str:
    """Return how often the jackknife interval contains the expected value of the coefficient."""
    jobs = [(n, rho) for n in (5, 10, 30, 100) for rho in (0.0, 0.5, 0.9, 0.99)]
    return table(("items", "correlation", *(f"`{name}`" for name in ITEMS)), in_parallel(_items, jobs))


def _permutations(job: tuple[str, str]) -> list[object]:
    ties, name = job
    rng = np.random.default_rng(7)
    found = []
    for _ in range(math.prod(sizes("permutations"))):
        pair = rng.normal(size=(2, 20)) if ties == "no" else rng.integers(0, 6, (2, 20)).astype(float)
        test = cd.permutation_test(*pair, name, alternative="greater", n_resamples=199, rng=rng)
        found.append(test.pvalue)
    return [f"`{name}`", ties, *shown([float(np.mean(np.array(found) <= a)) for a in (0.01, 0.05, 0.1)], 3)]


def permutations(_data: Path | None) -> str:
    """Return how p-values of unrelated rankings are distributed."""
    names = ("tau_b", "tau_ap_b", "tau_e", "tau_ap_e", "tau_gap", "tau_h", "pearson_rank")
    jobs = [(ties, name) for ties in ("no", "many") for name in names]
    columns = ("coefficient", "ties", "p ≤ 0.01", "p ≤ 0.05", "p ≤ 0.1")
    return table(columns, in_parallel(_permutations, jobs))


def written(page: Path, parts: dict[str, Callable[[Path | None], str]]) -> None:
    """Make the tables that are asked for, and write them between their markers."""
    parser = argparse.ArgumentParser(description="Simulate the tables of a page, and write them again.")
    parser.add_argument("parts", nargs="*", choices=[*parts, []], help="tables to make; all by default")
    parser.add_argument("--data", type=Path, help="folder of CSV files, topics x systems")
    parser.add_argument("--share", type=float, default=1.0, help="share of the samples, such as 0.1")
    parser.add_argument("--print", action="store_true", help="only print")
    given = parser.parse_args()
    global SHARE  # noqa: PLW0603
    SHARE = given.share
    os.environ["DATA"] = str(given.data or "")
    for marker in given.parts or parts:
        start = time.monotonic()
        made = parts[marker](given.data)
        if marker in SIZES:
            made += f"\n\n{math.prod(sizes(marker)):,} samples for each row.\n"
        print(f"{marker}: {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
        if given.print:
            print(f"{made}\n", flush=True)
            continue
        pattern = re.compile(rf"(<!-- {marker} -->\n).*?(<!-- end -->)", re.DOTALL)
        text = page.read_text(encoding="utf-8")
        text, times = pattern.subn(lambda m, made=made: m[1] + made + "\n" + m[2], text)  # type: ignore[misc]
        if times != 1:
            sys.exit(f"{page.name} has lost the markers around {marker!r}")
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    written(
        PAGE,
        {
            "intervals": intervals,
            "methods": methods,
            "failures": failures,
            "agrees": agrees,
            "systems": systems,
            "endless": endless,
            "differences": differences,
            "many": many,
            "favours": favours,
            "boards": boards,
            "bars": bars,
            "items": items,
            "permutations": permutations,
        },
    )
