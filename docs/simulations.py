"""Simulate what docs/inference.md reports, where the true value is known, and write its tables again.

All tables are made, or those that are named. With --quick they are made of few repetitions and only printed.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.stats

import concordant as cd
from concordant.inference import METHODS, Resampling, TopicSample
from concordant.inference.resample import resample

PAGE = Path(__file__).parent / "inference.md"
QUICK = "--quick" in sys.argv

Array = np.ndarray[Any, np.dtype[np.float64]]


def table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table."""
    columns = list(columns)
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def scores_of(
    rng: np.random.Generator, kind: str, n_topics: int, n_systems: int
) -> tuple[Array, Array, Array, Array]:
    """Draw the expected scores of systems by reference and estimate, and their scores on topics."""
    mean = rng.normal(0.3, 0.08, n_systems)
    other = mean + rng.normal(0, 0.04, n_systems)
    noise, own = rng.normal(0, 0.15, (2, n_topics, n_systems))
    topic = rng.normal(0, 0.1, (n_topics, 1))
    if kind == "poor":
        other = 0.3 * mean + rng.normal(0, 0.08, n_systems)
    elif kind == "same":
        other = mean
    elif kind == "P@10":
        quality, other_quality = (mean - 0.3) * 6, (other - 0.3) * 6
        topics = rng.normal(-0.5, 1.2, (n_topics, 1))
        every = rng.normal(-0.5, 1.2, (20_000, 1))
        mean, other = (_logistic(q + every).mean(axis=0) for q in (quality, other_quality))
        drawn = [rng.binomial(10, _logistic(q + topics)) / 10 for q in (quality, other_quality)]
        return mean, other, drawn[0], drawn[1]
    return mean, other, mean + topic + noise, other + topic + 0.7 * noise + math.sqrt(0.51) * own


def _logistic(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def coverage_of_topics() -> str:
    """Return how often each interval contains the coefficient of the expected scores."""
    names = ("tau_b", "tau_ap_b", "tau_e", "tau_gap", "tau_h", "pearson_rank", "pearson_r")
    coefficients = [cd.get(name) for name in names]
    hows = {method: Resampling.checked(999, 0.95, method, 0, 1) for method in METHODS}
    rows = []
    sizes = (
        (5, 20),
        (10, 20),
        (10, 60),
        (20, 60),
        (30, 20),
        (30, 60),
        (50, 20),
        (50, 60),
        (50, 129),
        (200, 60),
    )
    kinds = [("usual", *size) for size in sizes] + [(kind, 50, 60) for kind in ("P@10", "poor", "same")]
    for kind, n_topics, n_systems in kinds:
        rng = np.random.default_rng([n_topics, n_systems])
        repetitions = 20 if QUICK else 500
        hits = {(name, method): 0 for name in names for method in METHODS}
        for _ in range(repetitions):
            mean, other, reference, estimate = scores_of(rng, kind, n_topics, n_systems)
            sample = TopicSample(coefficients, cd.Study(reference, estimate).pairings, 1)
            found = resample(sample, hows["simex"], rng)
            found = found._replace(without=sample.without_each())
            for k, c in enumerate(coefficients):
                value = c(mean, other)
                for method, how in hows.items():
                    low, high = found.interval(k, how, c.bounds)
                    hits[names[k], method] += low <= value <= high
        for method in METHODS:
            shares = [f"{hits[name, method] / repetitions:.2f}" for name in names]
            rows.append((kind, n_topics, n_systems, method, *shares))
    return table(("scores", "topics", "systems", "method", *(f"`{name}`" for name in names)), rows)


def coverage_of_items() -> str:
    """Return how often the jackknife interval contains the expected value of the coefficient."""
    names = ("tau_b", "tau_ap_b", "tau_e", "tau_gap", "tau_h", "pearson_rank", "pearson_r", "spearman_rho")
    rows = []
    for n in (10, 30, 100):
        for rho in (0.0, 0.5, 0.9):
            rng = np.random.default_rng([n, int(10 * rho)])

            def draw(*shape: int, rho: float = rho, rng: np.random.Generator = rng) -> tuple[Array, Array]:
                x, y = rng.normal(size=(2, *shape))
                return x, rho * x + math.sqrt(1 - rho * rho) * y

            shares = []
            for name in names:
                c = cd.get(name)
                expected = c(*draw(2000 if QUICK else 50_000, n)).mean()
                repetitions = 50 if QUICK else 1000
                ends = [cd.jackknife_interval(*draw(n), c).confidence_interval for _ in range(repetitions)]
                shares.append(f"{sum(low <= expected <= high for low, high in ends) / repetitions:.2f}")
            rows.append((n, rho, *shares))
    return table(("items", "correlation", *(f"`{name}`" for name in names)), rows)


def level_of_permutations() -> str:
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


def level_of_differences() -> str:
    """Return how often two estimates are told apart, and how often the interval contains the difference.

    The difference is the expected one of samples with as many topics.
    """
    names = ("tau_b", "tau_ap_b")
    rows = []
    for n_topics, n_systems in ((30, 20), (50, 40)):
        for label, scale, noise, off in (
            ("equally good", 1.0, 1.0, 0.0),
            ("equally good, b scores 1.5 times as high", 1.5, 1.0, 0.0),
            ("b is noisier, three times", 1.0, 3.0, 0.0),
            ("b is off by 0.05 more", 1.0, 1.0, 0.05),
        ):
            rng = np.random.default_rng([n_topics, n_systems, 1])
            repetitions = 20 if QUICK else 400
            told, covered = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
            for _ in range(repetitions):
                mean = rng.normal(0.3, 0.08, n_systems)
                other = mean + rng.normal(0, 0.03, n_systems)
                worse = other + rng.normal(0, off, n_systems) if off else other
                # The last one is the sample; the others say what to expect of such samples.
                noise_of_topics, a, b = rng.normal(0, 0.15, (3, 200, n_topics, n_systems))
                shared = 0.5 * noise_of_topics
                sides = mean + noise_of_topics, other + shared + a, scale * (worse + shared + noise * b)
                means = [side.mean(axis=1) for side in sides]
                for name in names:
                    c = cd.get(name)
                    expected = (c(means[0], means[1]) - c(means[0], means[2])).mean()
                    found = cd.difference(*(side[-1] for side in sides), name, n_resamples=399, rng=rng)
                    told[name] += found.pvalue <= 0.05
                    covered[name] += (
                        found.confidence_interval.low <= expected <= found.confidence_interval.high
                    )
            shares = [f"{each[name] / repetitions:.2f}" for name in names for each in (told, covered)]
            rows.append((n_topics, n_systems, label, *shares))
    columns = ["topics", "systems", "estimates"]
    for name in names:
        columns += [f"`{name}`: p <= 0.05", f"`{name}`: interval contains it"]
    return table(columns, rows)


PARTS = {
    "topics": coverage_of_topics,
    "items": coverage_of_items,
    "permutations": level_of_permutations,
    "differences": level_of_differences,
}

if __name__ == "__main__":
    asked = [name for name in sys.argv[1:] if name in PARTS] or list(PARTS)
    tables = {marker: PARTS[marker]() for marker in asked}
    text = PAGE.read_text(encoding="utf-8")
    for marker, made in tables.items():
        pattern = re.compile(rf"(<!-- {marker} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, times = pattern.subn(lambda m, made=made: m[1] + made + "\n" + m[2], text)  # type: ignore[misc]
        if times != 1:
            sys.exit(f"{PAGE.name} has lost the markers around {marker!r}")
    if QUICK:
        print("\n\n".join(tables.values()))
    else:
        PAGE.write_text(text, encoding="utf-8")
