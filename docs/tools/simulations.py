"""Simulate the tables of docs/background/inference.md, where the right answer is known, and write them again.

All tables are made, or those that are named. Those of real matrices need --data FOLDER with CSV files of
topics x systems; without it they stay as they are. With --quick few repetitions are made, and only printed.
"""

from __future__ import annotations

import argparse
import csv
import math
import multiprocessing
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.stats

import concordant as cd
from concordant.coefficients.evaluation import evaluate
from concordant.rankings.pairs import read_pairs
from concordant.scores.means import exact_sums, snap
from concordant.statistics.resampling import METHODS, TopicSample, started
from concordant.statistics.simultaneous import Steps, joint_intervals

PAGE = Path(__file__).parent.parent / "background" / "inference.md"

Array = np.ndarray[Any, np.dtype[np.float64]]
Sides = tuple[Array, ...]  # of the reference and of estimates: topics x systems
Means = Callable[[int, int], Sides]  # of topics and samples: samples x systems

COEFFICIENTS = (
    "tau_a",
    "tau_b",
    "tau_e",
    "tau_ap",
    "tau_ap_b",
    "tau_gap",
    "tau_h",
    "pearson_rank",
    "tau_b@10",
)


def table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table."""
    columns = list(columns)
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def seed_of(*parts: object) -> np.random.Generator:
    """Return random numbers that depend only on what is simulated."""
    return np.random.default_rng(zlib.crc32(repr(parts).encode()))


# --- populations of topics, from which samples are drawn


class Population(NamedTuple):
    """How to draw scores on topics, and means over many samples of topics."""

    draw: Callable[[int], Sides]
    means: Means


JUDGES = {
    # expected scores off by, correlation of the variation over topics, bias of a family, on which share
    "identical": (0.0, 1.0, 0.0, 0.0),
    "nearly identical": (0.0, 0.99, 0.0, 0.0),
    "close": (0.01, 0.95, 0.0, 0.0),
    "noisy": (0.04, 0.7, 0.0, 0.0),
    "family": (0.04, 0.7, 0.08, 1.0),
    "some topics": (0.04, 0.7, 0.3, 0.3),
    "useless": (math.inf, 0.0, 0.0, 0.0),
}


def simulated(judge: str, n_systems: int, rng: np.random.Generator) -> Population:
    """Return a population in which the expected scores of the systems vary by 0.08, and topics by 0.15."""
    off, shared, bias, share = JUDGES[judge]
    mean = rng.normal(0.3, 0.08, n_systems)
    other = rng.normal(0.3, 0.08, n_systems) if math.isinf(off) else mean + rng.normal(0, 1, n_systems) * off
    family = rng.random(n_systems) < 0.3

    def sides(rows: int, spread: float, biased: Array) -> Sides:
        noise, own = rng.normal(0, spread, (2, rows, n_systems))
        estimate = other + shared * noise + math.sqrt(1 - shared**2) * own + bias * biased * family
        return mean + noise, estimate

    def draw(n_topics: int) -> Sides:
        return sides(n_topics, 0.15, (rng.random((n_topics, 1)) < share).astype(float))

    def means(n_topics: int, samples: int) -> Sides:
        # Means of normal scores are normal: there is no need to draw the topics.
        biased = rng.binomial(n_topics, share, (samples, 1)) / n_topics
        return sides(samples, 0.15 / math.sqrt(n_topics), biased)

    return Population(draw, means)


def of_topics(sides: Sequence[Array], rng: np.random.Generator) -> Population:
    """Return the population of the topics of matrices, each as likely as any other."""
    n = len(sides[0])

    def draw(n_topics: int) -> Sides:
        drawn = rng.integers(0, n, n_topics)
        return tuple(side[drawn] for side in sides)

    def means(n_topics: int, samples: int) -> Sides:
        counts = rng.multinomial(n_topics, np.full(n, 1 / n), samples)
        return tuple(exact_sums(counts, side) / n_topics for side in sides)

    return Population(draw, means)


def matrix(path: Path) -> Array:
    """Read topics x systems; a first column of names is left out."""
    with path.open(encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    try:
        return np.array(rows, dtype=float)
    except ValueError:
        return np.array([row[1:] for row in rows], dtype=float)


def values_of(names: Sequence[str], x: Array, y: Array) -> Array:
    """Return coefficients x samples."""
    outcomes = evaluate(
        [cd.coefficient(n) for n in names], read_pairs(snap(x), snap(y)), "propagate", 1, refuse=False
    )
    return np.array([outcome.values for outcome in outcomes])


# --- intervals over topics


class Coverage(NamedTuple):
    """Shares of intervals that hold the expected value, and mean widths: methods x coefficients."""

    expected: Array
    held: Array
    widths: Array


def coverage(
    populations: Iterable[Population],
    n_topics: int,
    repetitions: int,
    rng: np.random.Generator,
    methods: Sequence[str] = ("standard",),
    names: Sequence[str] = COEFFICIENTS,
    unlimited: bool = False,
) -> Coverage:
    """Draw samples, and count the intervals that hold what is expected of as many topics.

    With `unlimited`, simex is held against the value for unlimited topics, which it is for.
    """
    coefficients = [cd.coefficient(name) for name in names]
    held, widths, targets = [], [], []
    for population in populations:
        expected = np.nanmean(values_of(names, *population.means(n_topics, 4000)), axis=1)
        limit = values_of(names, *population.means(10**9, 1))[:, 0] if unlimited else expected
        targets.append(expected)
        for _ in range(repetitions):
            (pairing,) = cd.Study(*population.draw(n_topics)).pairings
            means = [np.array(list(side.mean.values())) for side in (pairing.reference, pairing.estimate)]
            # Of tied means tau_ap has no value, here without an error.
            observed = evaluate(coefficients, read_pairs(means[0], means[1]), "propagate", 1, refuse=False)
            method = "simex" if "simex" in methods else "standard"
            how = started(cd.Resampling(n_resamples=999, method=method, rng=rng))
            sample = TopicSample([pairing], coefficients, how, observed)
            found = sample.draw()
            if "BCa" in methods:
                found = found._replace(without=sample.without_each())
            for method in methods:
                target = limit if method == "simex" else expected
                ends = np.array([found.interval(k, method, 0.95) for k in range(len(coefficients))])
                slack = 1e-12
                inside = (ends[:, 0] <= target + slack) & (target <= ends[:, 1] + slack)
                held.append(np.where(np.isnan(ends[:, 0]), np.nan, inside))
                widths.append(ends[:, 1] - ends[:, 0])
    shape = (-1, len(methods), len(names))
    return Coverage(
        np.nanmean(targets, axis=0),
        np.nanmean(np.reshape(held, shape), axis=0),
        np.nanmean(np.reshape(widths, shape), axis=0),
    )


def shown(values: Array) -> list[str]:
    """Return shares with two digits; - where there is none."""
    return ["-" if math.isnan(value) else f"{value:.2f}" for value in values]


SIZES = ((5, 25), (5, 100), (10, 50), (20, 25), (60, 50), (130, 50), (60, 100))
SMALL = (
    ("close", 2, 50),
    ("close", 3, 5),
    ("close", 3, 50),
    ("noisy", 5, 5),
    ("noisy", 60, 10),
    ("useless", 10, 5),
)
CELLS = [(judge, *size) for judge in JUDGES for size in SIZES] + list(SMALL)


def _cell(cell: tuple[str, int, int]) -> list[object]:
    judge, n_systems, n_topics = cell
    rng = seed_of("topics", *cell)
    n_populations, repetitions = (4, 5) if QUICK else (25, 20)
    populations = (simulated(judge, n_systems, rng) for _ in range(n_populations))
    found = coverage(populations, n_topics, repetitions, rng)
    return [judge, n_systems, n_topics, *shown(found.expected[1:2]), *shown(found.held[0])]


def topics(_data: Path | None) -> str:
    """Return the coverage of the standard intervals, of what is expected of as many topics."""
    columns = ["judge", "systems", "topics", "expected `tau_b`", *(f"`{name}`" for name in COEFFICIENTS)]
    return table(columns, in_parallel(_cell, CELLS))


FEW_NAMES = ("tau_b", "tau_ap_b", "tau_gap", "pearson_rank", "pearson_r")
METHOD_CELLS = [
    (judge, n_systems, 50)
    for judge in ("nearly identical", "close", "noisy", "some topics", "useless")
    for n_systems in (10, 60)
]


def _methods(cell: tuple[str, int, int]) -> list[list[object]]:
    judge, n_systems, n_topics = cell
    rng = seed_of("methods", *cell)
    n_populations, repetitions = (4, 5) if QUICK else (20, 20)
    populations = (simulated(judge, n_systems, rng) for _ in range(n_populations))
    found = coverage(populations, n_topics, repetitions, rng, METHODS, FEW_NAMES, unlimited=True)
    return [
        [judge, n_systems, n_topics, method, *shown(held), *shown(widths[:2])]
        for method, held, widths in zip(METHODS, found.held, found.widths, strict=True)
    ]


def methods(_data: Path | None) -> str:
    """Return the coverage and the width of all methods; of simex, for unlimited topics."""
    columns = ["judge", "systems", "topics", "method", *(f"`{name}`" for name in FEW_NAMES)]
    columns += [f"width, `{name}`" for name in FEW_NAMES[:2]]
    return table(columns, [row for rows in in_parallel(_methods, METHOD_CELLS) for row in rows])


def _pairs_of_matrices(data: Path) -> list[tuple[str, str, str]]:
    """Return a reference and an estimate of each collection, and what the estimate is."""
    files = {path.stem: path for path in data.glob("*_*.csv")}
    found = []
    for collection in sorted({name.rpartition("_")[0] for name in files}):
        own = sorted(name for name in files if name.startswith(f"{collection}_"))
        reference = f"{collection}_ap"
        if reference not in own:
            continue
        found += [(reference, name, name) for name in own if name != reference]
        found += [(reference, reference, "ap, off by 0.02"), (reference, reference, "ap, off by 0.2")]
    return found


def _matrices(job: tuple[Path, str, str, str, int, int]) -> list[object]:
    data, reference, estimate, what, n_systems, n_topics = job
    rng = seed_of("matrices", reference, what, n_systems, n_topics)
    x, y = matrix(data / f"{reference}.csv"), matrix(data / f"{estimate}.csv")

    def population() -> Population:
        own = x, y
        if "off by" in what:
            own = x, x + rng.normal(0, float(what.rpartition(" ")[2]), x.shape)
        if n_systems:
            taken = rng.choice(x.shape[1], n_systems, replace=False)
            own = own[0][:, taken], own[1][:, taken]
        return of_topics(own, rng)

    n_populations, repetitions = (2, 5) if QUICK else (10, 20)
    found = coverage((population() for _ in range(n_populations)), n_topics, repetitions, rng)
    systems = n_systems or x.shape[1]
    return [reference, what, systems, n_topics, *shown(found.expected[1:2]), *shown(found.held[0])]


def matrices(data: Path | None) -> str | None:
    """Return the coverage of the standard intervals where topics are drawn from real matrices."""
    if data is None:
        return None
    jobs = [
        (data, *pair, n_systems, n_topics)
        for k, pair in enumerate(_pairs_of_matrices(data))
        for n_systems, n_topics in ((0, 50), ((10, 25), (5, 50), (0, 25), (0, 100))[k % 4])
    ]
    columns = ["reference", "estimate", "systems", "topics", "expected `tau_b`"]
    return table([*columns, *(f"`{name}`" for name in COEFFICIENTS)], in_parallel(_matrices, jobs))


# --- intervals over items, and tests


def items(_data: Path | None) -> str:
    """Return how often the jackknife interval contains the expected value of the coefficient."""
    names = ("tau_b", "tau_ap_b", "tau_e", "tau_gap", "tau_h", "pearson_rank", "pearson_r", "spearman_rho")
    rows = []
    for n in (5, 10, 30, 100):
        for rho in (0.0, 0.5, 0.9, 0.99, 0.999):
            rng = seed_of("items", n, rho)

            def draw(*shape: int, rho: float = rho, rng: np.random.Generator = rng) -> tuple[Array, Array]:
                x, y = rng.normal(size=(2, *shape))
                return x, rho * x + math.sqrt(1 - rho * rho) * y

            shares = []
            for name in names:
                c = cd.coefficient(name)
                expected = np.mean(c(*draw(2000 if QUICK else 50_000, n)))
                repetitions = 50 if QUICK else 500
                ends = [cd.jackknife_interval(*draw(n), c).confidence_interval for _ in range(repetitions)]
                shares.append(f"{sum(low <= expected <= high for low, high in ends) / repetitions:.2f}")
            rows.append((n, rho, *shares))
    return table(("items", "correlation", *(f"`{name}`" for name in names)), rows)


def permutations(_data: Path | None) -> str:
    """Return how p-values of unrelated rankings are distributed."""
    names = ("tau_b", "tau_ap_b", "tau_e", "tau_ap_e", "tau_gap", "tau_h", "pearson_rank")
    ranks: dict[str, Callable[[np.random.Generator], Array]] = {
        "no": lambda rng: rng.normal(size=(2, 20)),
        "many": lambda rng: rng.integers(0, 6, (2, 20)).astype(float),
    }
    rows = []
    for ties, make in ranks.items():
        for name in names:
            rng = np.random.default_rng(7)
            repetitions = 50 if QUICK else 2000
            found = [
                cd.permutation_test(*make(rng), name, alternative="greater", n_resamples=199, rng=rng).pvalue
                for _ in range(repetitions)
            ]
            shares = [f"{np.mean(np.array(found) <= level):.3f}" for level in (0.01, 0.05, 0.1)]
            test = scipy.stats.kstest(found, "uniform")
            rows.append((f"`{name}`", ties, *shares, f"{test.statistic:.3f}", f"{test.pvalue:.2f}"))
    columns = (
        "coefficient",
        "ties",
        "p <= 0.01",
        "p <= 0.05",
        "p <= 0.1",
        "distance to uniform",
        "its p-value",
    )
    return table(columns, rows)


# --- two estimates, and the best of many

TWO = {
    # noise of a, its scale; noise of b, and how much more its expected scores are off
    "equally good": (0.15, 1.0, 0.15, 0.0),
    "equally good, b scores 1.5 times as high": (0.15, 1.5, 0.15, 0.0),
    "equally good, close to the reference": (0.04, 1.0, 0.04, 0.0),
    "b is noisier, three times": (0.15, 1.0, 0.45, 0.0),
    "b is off by 0.05 more": (0.15, 1.0, 0.15, 0.05),
    "close to the reference, b is off by 0.02 more": (0.04, 1.0, 0.04, 0.02),
}
TWO_NAMES = ("tau_b", "tau_ap_b")


def _two(job: tuple[str, str, Path | None, int, int]) -> list[object]:
    label, source, data, n_systems, n_topics = job
    noise, scale, noise_of_b, off = TWO[label]
    rng = seed_of("differences", label, source, n_systems, n_topics)
    n_populations, repetitions = (4, 5) if QUICK else (20, 20)
    told = np.zeros(len(TWO_NAMES))
    covered = told.copy()
    scores = None if data is None else matrix(data / f"{source}.csv")
    for _ in range(n_populations):
        n = n_systems if scores is None else scores.shape[1]
        quality = rng.normal(0.3, 0.08, n)
        close = noise < 0.1
        of_a = rng.normal(0, 0.005 if close else 0.03, n)
        of_b = of_a + rng.normal(0, 1, n) * off

        def sides(samples: int | None, a: Array = of_a, b: Array = of_b, q: Array = quality) -> Sides:
            shape = (n_topics, len(q)) if samples is None else (samples, n_topics, len(q))
            if scores is None:
                reference = q + rng.normal(0, 0.15, shape)
            else:
                reference = scores[rng.integers(0, len(scores), shape[:-1])]
            estimates = (
                factor * (reference + own + rng.normal(0, spread, shape))
                for factor, own, spread in ((1.0, a, noise), (scale, b, noise_of_b))
            )
            return reference, *estimates

        expected = np.zeros(len(TWO_NAMES))
        for _ in range(0 if label.startswith("equally") else 10):  # of equally good ones it is 0
            x, a, b = (side.mean(axis=1) for side in sides(50))
            expected += (values_of(TWO_NAMES, x, a) - values_of(TWO_NAMES, x, b)).mean(axis=1) / 10
        for _ in range(repetitions):
            drawn = sides(None)
            for k, name in enumerate(TWO_NAMES):
                found = cd.difference(*drawn, name, resampling=cd.Resampling(n_resamples=499, rng=rng))
                low, high = found.confidence_interval
                told[k] += found.pvalue < 0.05
                covered[k] += low <= expected[k] + 1e-12 and expected[k] <= high + 1e-12
    total = n_populations * repetitions
    shares = [f"{each[k] / total:.2f}" for k in range(len(TWO_NAMES)) for each in (told, covered)]
    return [source, n_systems if scores is None else scores.shape[1], n_topics, label, *shares]


def _two_columns() -> list[str]:
    columns = ["scores", "systems", "topics", "estimates"]
    for name in TWO_NAMES:
        columns += [f"`{name}`: p < 0.05", f"`{name}`: interval contains it"]
    return columns


def differences(_data: Path | None) -> str:
    """Return how often two estimates are told apart, and how often the interval contains the difference."""
    jobs = [(label, "simulated", None, *size) for size in ((20, 30), (40, 50), (10, 25)) for label in TWO]
    return table(_two_columns(), in_parallel(_two, jobs))


def differences_of_matrices(data: Path | None) -> str | None:
    """Return the same where the topics are those of real matrices."""
    if data is None:
        return None
    names = sorted(path.stem for path in data.glob("*_ap.csv"))
    jobs = [(label, name, data, 0, 50) for name in names for label in TWO if "1.5" not in label]
    return table(_two_columns(), in_parallel(_two, jobs))


def _many(cell: tuple[str, int, int]) -> list[object]:
    what, n_judges, n_topics = cell
    rng = seed_of("many", *cell)
    n_systems = 20
    repetitions = 10 if QUICK else 300
    how = started(cd.Resampling(n_resamples=499))
    best_held = all_held = own_held = kept = 0
    sizes = []
    quality = rng.normal(0.3, 0.08, n_systems)
    noise = np.full(n_judges, 0.3) if what == "equal" else np.linspace(0.1, 0.6, n_judges)
    means = rng.normal(quality, 0.15 / math.sqrt(n_topics), (4000, n_systems))
    expected = np.array(
        [cd.tau_b(means, means + rng.normal(0, s / math.sqrt(n_topics), means.shape)).mean() for s in noise]
    )
    if what == "equal":
        expected[:] = expected.mean()
    for _ in range(repetitions):
        human = rng.normal(quality, 0.15, (n_topics, n_systems))
        judges = {str(k): human + rng.normal(0, s, human.shape) for k, s in enumerate(noise)}
        study = cd.Study(human, judges)
        observed = [pairing.of_means([cd.coefficient("tau_b")]) for pairing in study.pairings]
        found = joint_intervals(study.pairings, [cd.coefficient("tau_b")], observed, how, Steps(None, 0), 1)
        held = [e.interval.low <= expected[e.pairing] <= e.interval.high for e in found.many]
        best = found.many[0].best
        own = found.intervals[best][0]
        best_held += held[best]
        own_held += own is not None and own.low <= expected[best] <= own.high
        all_held += all(held)
        kept += found.many[int(np.argmax(expected))].pvalue >= 0.05
        sizes.append(sum(each.pvalue >= 0.05 for each in found.many))
    shares = [f"{each / repetitions:.2f}" for each in (own_held, best_held, all_held, kept)]
    return [what, n_judges, n_topics, *shares, f"{np.mean(sizes):.1f}"]


def many(_data: Path | None) -> str:
    """Return how often intervals hold for the best of several judges, and the set holds the best one."""
    cells = [(what, k, n) for what in ("equal", "different") for k in (3, 10, 30) for n in (25, 50)]
    columns = ["judges are", "judges", "topics", "the own interval of the best", "its simultaneous interval"]
    columns += ["all simultaneous intervals", "the set has the best", "size of the set"]
    return table(columns, in_parallel(_many, cells))


def in_parallel(function: Callable[[Any], Any], jobs: Sequence[Any]) -> list[Any]:
    """Do all jobs, each with its own seed, on all cores."""
    with multiprocessing.Pool() as pool:
        return list(pool.imap(function, jobs))


PARTS: dict[str, Callable[[Path | None], str | None]] = {
    "topics": topics,
    "methods": methods,
    "matrices": matrices,
    "items": items,
    "permutations": permutations,
    "differences": differences,
    "differences of matrices": differences_of_matrices,
    "many": many,
}
QUICK = "--quick" in sys.argv

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="tables to make; all by default")
    parser.add_argument(
        "--data", type=Path, help="folder of CSV files, topics x systems, such as adhoc8_ap.csv"
    )
    parser.add_argument("--quick", action="store_true", help="few repetitions; only print")
    given = parser.parse_args()
    text = PAGE.read_text(encoding="utf-8")
    for marker in given.parts or PARTS:
        made = PARTS[marker](given.data)
        if made is None:
            print(f"{marker}: left as it is; give --data", file=sys.stderr)
        elif given.quick:
            print(f"{marker}\n{made}\n", flush=True)
        else:
            pattern = re.compile(rf"(<!-- {marker} -->\n).*?(<!-- end -->)", re.DOTALL)
            text, times = pattern.subn(lambda m, made=made: m[1] + made + "\n" + m[2], text)  # type: ignore[misc]
            if times != 1:
                sys.exit(f"{PAGE.name} has lost the markers around {marker!r}")
            PAGE.write_text(text, encoding="utf-8")
