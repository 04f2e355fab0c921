"""Simulate the tables of docs/background/reliability.md, where the truth is known, and write them again.

All tables are made, or those that are named. With --quick they are made of few repetitions and only printed.
The table of real scores needs a folder with matrices of topics x systems, DATA=folder, and stays as it is
without.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

import concordant as cd
from concordant.statistics.permutation import UniformTerms, untied_of

PAGE = Path(__file__).parent.parent / "background" / "reliability.md"
QUICK = "--quick" in sys.argv
NAMES = ("tau", "tau_ap")

Array = np.ndarray[Any, np.dtype[np.float64]]
Draw = Callable[[int, int], Array]  # (samples, topics) -> samples x topics x systems


def table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table."""
    columns = list(columns)
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def population(rng: np.random.Generator, kind: str, n: int) -> tuple[Array, Draw]:
    """Return the true means of systems, and what draws samples of topics."""
    mean = np.clip(rng.normal(0.3, 0.08, n), 0.05, None)
    if kind == "skewed":  # gamma: most scores are low, a few are high
        return (
            mean,
            lambda samples, topics: (
                mean
                * (0.3 * rng.gamma(1, 1, (samples, topics, 1)) + 0.7 * rng.gamma(1, 1, (samples, topics, n)))
            ),
        )
    spread = rng.uniform(0.1, 0.2, n)
    return (
        mean,
        lambda samples, topics: (
            mean
            + 0.1 * rng.normal(size=(samples, topics, 1))
            + spread * rng.normal(size=(samples, topics, n))
        ),
    )


def agreement(name: str, x: Array, y: Array) -> float:
    """Return the mean coefficient of rankings, a row each; systems with the same mean count half."""
    c = cd.coefficient(f"{name}_a")
    return float(np.mean(c(np.round(x, 12), np.round(y, 12))))


def expected(scores: Array, name: str) -> float:
    """Return the expected correlation of a ranking by the topics of the scores with the true one."""
    return cd.plan(scores, name, n_topics=len(scores), resampling=None).curve[0].expected


def truth_of(mean: Array, draw: Draw, topics: int) -> dict[str, float]:
    """Return what a ranking by so many topics has with the true one, on average over many samples."""
    parts = [draw(40, topics).mean(axis=1) for _ in range(3 if QUICK else 15)]
    return {name: agreement(name, mean, np.concatenate(parts)) for name in NAMES}


def _coverage(draws: list[tuple[Array, Draw]], topics: int, each: int, methods: Iterable[str]) -> list[Any]:
    """Return the true value, and for each method the bias and the share of intervals that contain it.

    For as many topics as there are, and for four times as many.
    """
    rows = []
    for method in methods:
        found: dict[tuple[str, int], list[tuple[float, float, bool]]] = {}
        for mean, draw in draws:
            truth = {more: truth_of(mean, draw, more * topics) for more in (1, 4)}
            for _ in range(each):
                scores = draw(1, topics)[0]
                for name in NAMES:
                    for more in (1, 4):
                        (result,) = cd.plan(scores, name, n_topics=more * topics, method=method).curve  # type: ignore[arg-type]
                        low, high = result.interval or (np.nan, np.nan)
                        value = truth[more][name]
                        found.setdefault((name, more), []).append(
                            (value, result.expected - value, low <= value <= high)
                        )
        row: list[Any] = [method]
        for more in (1, 4):
            for name in NAMES:
                value, bias, hits = np.mean(np.array(found[name, more], dtype=float), axis=0).tolist()
                row += [f"{value:.3f}", f"{bias:+.3f}", f"{hits:.2f}"]
        rows.append(row)
    return rows


COLUMNS = [
    "method",
    *(
        column
        for more in ("", ", 4 times the topics")
        for name in NAMES
        for column in (f"`{name}`{more}", "bias", "covered")
    ),
]


def coverage() -> str:
    """Return the bias of `expected` and the coverage of its intervals."""
    rows = []
    cells = [("normal", topics, n) for topics in (10, 25, 50, 100) for n in (10, 40)]
    cells = [
        ("normal", 5, 10),
        *cells,
        ("normal", 50, 5),
        ("skewed", 10, 10),
        ("skewed", 25, 10),
        ("skewed", 50, 40),
    ]
    for kind, topics, n in cells:
        rng = np.random.default_rng([topics, n])
        draws = [population(rng, kind, n) for _ in range(3 if QUICK else 20)]
        methods = ("msqd", "ml") if (topics, n) == (50, 40) else ("msqd",)
        rows += [(kind, topics, n, *row) for row in _coverage(draws, topics, 3 if QUICK else 12, methods)]
    return table(("scores", "topics", "systems", *COLUMNS), rows)


def real() -> str | None:
    """Return the same where the population is a matrix of real scores, from which topics are drawn."""
    folder = os.environ.get("DATA", "")
    if not folder:
        return None
    rows = []
    for file in ("adhoc6_ap", "adhoc8_ap", "adhoc8_p10", "web2010_ndcg20"):
        matrix = np.loadtxt(Path(folder) / f"{file}.csv", delimiter=",", skiprows=1)
        for topics, n in ((25, 20), (50, 40)):
            rng = np.random.default_rng([topics, n])
            draws: list[tuple[Array, Draw]] = []
            for _ in range(3 if QUICK else 15):
                own = matrix[:, rng.choice(matrix.shape[1], n, replace=False)]
                draws.append(
                    (
                        np.round(own.mean(axis=0), 12),
                        lambda k, t, own=own, rng=rng: own[rng.integers(0, len(own), (k, t))],  # type: ignore[misc]
                    )
                )
            found = _coverage(draws, topics, 3 if QUICK else 12, ("msqd",))
            rows += [(file, topics, n, *row) for row in found]
    return table(("matrix", "topics", "systems", *COLUMNS), rows)


def intervals() -> str:
    """Return the coverage of three intervals on the same samples."""
    kinds = ("jackknife", "standard error of resamples", "percentiles of resamples")
    rows = []
    for kind, topics, n in (("normal", 25, 20), ("normal", 50, 20), ("skewed", 50, 20)):
        rng = np.random.default_rng([topics, n, 1])
        hits: dict[tuple[str, str], list[bool]] = {(each, name): [] for each in kinds for name in NAMES}
        for _ in range(3 if QUICK else 10):
            mean, draw = population(rng, kind, n)
            truth = truth_of(mean, draw, topics)
            for scores in draw(2 if QUICK else 8, topics):
                drawn = scores[rng.integers(0, topics, (20 if QUICK else 80, topics))]
                for name in NAMES:
                    (own,) = cd.plan(scores, name, n_topics=topics).curve
                    values = [expected(each, name) for each in drawn]
                    reach = 2.02 * np.std(values, ddof=1) / (1 - own.expected**2)
                    middle = np.arctanh(own.expected)
                    ends = (
                        own.interval or (np.nan, np.nan),
                        np.tanh([middle - reach, middle + reach]),
                        np.quantile(values, [0.025, 0.975]),
                    )
                    for each, (low, high) in zip(kinds, ends, strict=True):
                        hits[each, name].append(bool(low <= truth[name] <= high))
        shares = [f"{np.mean(hits[each, name]):.2f}" for each in kinds for name in NAMES]
        rows.append((kind, topics, n, *shares))
    columns = [f"{each}: `{name}`" for each in kinds for name in NAMES]
    return table(("scores", "topics", "systems", *columns), rows)


def same_or_other() -> str:
    """Return how well judges agree with the reference on the same topics and on others."""
    rows = []
    topics, n = 50, 40
    judges = {"identical": (0.0, 0.0), "noisy": (0.1, 0.0), "noisier": (0.3, 0.0), "biased": (0.1, 0.03)}
    for label, (noise, bias) in judges.items():
        rng = np.random.default_rng(11)
        sums: dict[tuple[str, str], list[float]] = {}
        for _ in range(3 if QUICK else 25):
            mean, draw = population(rng, "normal", n)
            off = rng.normal(0, bias, n)
            for reference, others in zip(draw(20, topics), draw(20, topics), strict=True):
                judged = [side + off + rng.normal(0, noise, side.shape) for side in (reference, others)]
                for name in NAMES:
                    own = reference.mean(axis=0)
                    sums.setdefault((name, "truth"), []).append(agreement(name, mean, own))
                    estimate = expected(reference, name)
                    sums.setdefault((name, "expected"), []).append(estimate)
                    for where, side in zip(("same", "other"), judged, strict=True):
                        sums.setdefault((name, where), []).append(agreement(name, own, side.mean(axis=0)))
        for name in NAMES:
            values = [f"{np.mean(sums[name, key]):.3f}" for key in ("truth", "expected", "same", "other")]
            rows.append((label, f"`{name}`", *values))
    columns = (
        "judge",
        "coefficient",
        "reference with the true ranking",
        "expected of the reference",
        "judge with the reference, same topics",
        "judge with the reference, other topics",
    )
    return table(columns, rows)


def telling() -> str:
    """Return the power that the topics of the table `to_tell` have in tests by `difference`."""
    rows = []
    pilot, n = 40, 20
    judges = {
        "b is noisier, 0.5 against 0.1": ((0.1, 0.0), (0.5, 0.0)),
        "b is noisier, 0.35 against 0.1": ((0.1, 0.0), (0.35, 0.0)),
        "b is noisier, 0.6 against 0.3": ((0.3, 0.0), (0.6, 0.0)),
        "b is off by 0.08, a by 0.02": ((0.1, 0.02), (0.1, 0.08)),
        "b is off by 0.06, a by 0.03": ((0.1, 0.03), (0.1, 0.06)),
    }
    for label, kinds in judges.items():
        rng = np.random.default_rng(len(label))
        numbers = []
        populations = []
        for _ in range(2 if QUICK else 20):
            draw = population(rng, "normal", n)[1]
            populations.append((draw, [rng.normal(0, bias, n) for _, bias in kinds]))

        def sides(
            draw: Draw, off: list[Array], topics: int, kinds: Any = kinds, rng: Any = rng
        ) -> list[Array]:
            own = draw(1, topics)[0]
            noises = [rng.normal(0, noise, own.shape) for noise, _ in kinds]
            return [own, *(own + bias + noise for bias, noise in zip(off, noises, strict=True))]

        for draw, off in populations:
            for _ in range(2 if QUICK else 4):
                own, a, b = sides(draw, off, pilot)
                how = cd.Resampling(n_resamples=199, rng=rng)
                planned = cd.plan(own, estimates={"a": a, "b": b}, agreement="tau_b", resampling=how)
                told = planned.to_tell[0].topics  # type: ignore[index]
                numbers.append(told if told is not None else 10**9)
        median = int(np.median(numbers))
        low, high = np.quantile(numbers, [0.1, 0.9]).astype(int).tolist()
        found = [
            cd.difference(
                *sides(draw, off, min(median, 2000)),
                "tau_b",
                resampling=cd.Resampling(n_resamples=199, rng=rng),
            ).pvalue
            for draw, off in populations
            for _ in range(2 if QUICK else 6)
        ]
        rows.append((label, pilot, median, f"{low} to {high}", f"{np.mean(np.array(found) <= 0.05):.2f}"))
    columns = (
        "judges",
        "topics of the pilot",
        "topics needed, median",
        "in 8 of 10 pilots",
        "power with the median",
    )
    return table(columns, rows)


def normal() -> str:
    """Return how far normal p-values of AP correlation are from the exact ones."""
    rows = []
    for n in (5, 10, 15, 20) if QUICK else (5, 10, 15, 20, 25, 29):
        untied = untied_of(cd.coefficient("tau_ap"))
        assert untied is not None
        terms = UniformTerms(n, untied)
        deviations = np.arange(0, 4, 0.1) * terms.variance**0.5
        exact = np.array([terms.exact_tail(value) for value in deviations.tolist()])
        off = np.abs(exact - [terms.normal_tail(value) for value in deviations.tolist()])
        rows.append((n, f"{off.max():.4f}", f"{off[exact < 0.05].max():.4f}"))
    return table(("items", "largest difference", "where p < 0.05"), rows)


PARTS: dict[str, Callable[[], str | None]] = {
    "intervals": intervals,
    "coverage": coverage,
    "real": real,
    "same-or-other": same_or_other,
    "telling": telling,
    "normal": normal,
}

if __name__ == "__main__":
    asked = [name for name in sys.argv[1:] if name in PARTS] or list(PARTS)
    tables = {marker: made for marker in asked if (made := PARTS[marker]()) is not None}
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
