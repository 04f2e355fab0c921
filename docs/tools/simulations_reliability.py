"""Simulate the tables of docs/background/reliability.md, where the truth is known, and write them again.

The arguments are those of simulations.py.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import simulations
from simulations import (
    NAMES,
    Array,
    as_good,
    biased,
    collection,
    expectation,
    in_parallel,
    noise,
    records,
    resampled,
    seed_of,
    shown,
    sizes,
    sources,
    table,
    written,
)

import concordant as cd
from concordant.statistics.decisions import topics_for_width
from concordant.statistics.permutation import UniformTerms, untied_of
from concordant.statistics.resampling import of_rows
from concordant.statistics.topic_luck import TopicLuck

PAGE = Path(__file__).parent.parent / "background" / "reliability.md"
_COEFFICIENTS = [cd.coefficient(name) for name in NAMES]


def means(x: Array, n: int, rng: np.random.Generator) -> Array:
    """Return the means of the systems in many samples of n topics."""
    return np.asarray(rng.multinomial(n, np.full(len(x), 1 / len(x)), 1000) @ x / n)


def with_others(x: Array, n: int, rng: np.random.Generator) -> Array:
    """Return the mean agreement of two rankings by n topics each."""
    return np.asarray(of_rows(_COEFFICIENTS, means(x, n, rng), means(x, n, rng), 1).mean(axis=1))


def with_truth(x: Array, n: int, rng: np.random.Generator) -> Array:
    """Return the mean agreement of a ranking by n topics with that by all."""
    own = means(x, n, rng)
    return np.asarray(of_rows(_COEFFICIENTS, own, np.tile(x.mean(axis=0), (len(own), 1)), 1).mean(axis=1))


# --- how good is the reference


def _expected(job: tuple[str, str, int, int]) -> list[object]:
    systems, source, k, n = job
    rng = seed_of("expected", *job)
    found = []
    populations, repetitions = sizes("expected")
    for _ in range(populations):
        x = collection(source, systems, k, rng)
        truth = [np.zeros(2), np.zeros(2)]
        if systems != "equal":
            truth = [with_truth(x, n, rng), with_others(x, n, rng)]
        four = with_truth(x, 4 * n, rng)[0] if systems != "equal" else 0.0
        for _ in range(repetitions):
            own = x[rng.integers(0, len(x), n)]
            luck = TopicLuck(own)
            both = luck.expected("true"), luck.expected("other")
            known = 1 if luck.has_ties else 2
            off = [each[0].value - value[0] for each, value in zip(both, truth, strict=True)]
            ap = [
                each[1].value - value[1] if known == 2 else math.nan
                for each, value in zip(both, truth, strict=True)
            ]
            held = [
                simulations.holds(each[place].interval, value[place]) if place < known else math.nan
                for each, value in zip(both, truth, strict=True)
                for place in range(2)
            ]
            (old,) = cd.plan(own, "tau", n_topics=n, method="msqd", resampling=None).curve
            more = luck.values("true", 4.0)[0] - four
            low, high = both[0][0].interval
            row = [truth[0][0], truth[1][0], off[0], off[1], ap[0], ap[1], *held, high - low]
            found.append([*row, luck.pvalue <= 0.05, more, old.expected - truth[0][0], off[0] ** 2])
    mean = np.nanmean(found, axis=0)
    rmse = math.sqrt(mean[-1])
    numbers = [
        *shown(mean[:2]),
        *(f"{value:+.2f}" if not math.isnan(value) else "-" for value in (mean[2], mean[3])),
        f"{rmse:.2f}",
    ]
    numbers += [f"{value:+.2f}" if not math.isnan(value) else "-" for value in (mean[4], mean[5])]
    numbers += [
        *shown(mean[6:12]),
        *(f"{value:+.2f}" if not math.isnan(value) else "-" for value in mean[12:14]),
    ]
    return [systems, source, k, n, *numbers]


def expected_agreement(data: Path | None) -> str:
    """Return bias and coverage of the expected agreement with the truth and with other topics."""
    cells = [(10, 5), (10, 10), (10, 24), (20, 25), (20, 50)]
    jobs: list[Any] = [("any", "simulated", *cell) for cell in cells]
    jobs += [(systems, "simulated", *cell) for systems in ("close", "equal") for cell in cells[1:]]
    real = sources(data, "adhoc8_ap", "adhoc6_p10", "web2011_ndcg20")[1:]
    jobs += [(systems, name, 20, 25) for systems in ("any", "close") for name in real]
    jobs += [("close", name, 10, 50) for name in real]
    columns = [
        "systems",
        "scores",
        "systems",
        "topics",
        "true: `tau`",
        "other: `tau`",
        "bias, true",
        "bias, other",
    ]
    columns += ["RMSE, true", "`tau_ap`: bias, true", "bias, other", "covered: `tau`, true", "`tau_ap`, true"]
    columns += ["`tau`, other", "`tau_ap`, other", "width", "an order is shown", "4 times the topics: bias"]
    return table([*columns, "`msqd`: bias"], in_parallel(_expected, jobs))


# --- is the judge as close as other topics


def _close(job: tuple[str, str, str, int, int]) -> list[object]:
    judge, systems, source, k, n = job
    rng = seed_of("close", *job)
    found = []
    populations, repetitions = sizes("close")
    for _ in range(populations):
        x = collection(source, systems, k, rng)
        of = expectation(["tau_b"], x, n, rng)
        other = np.zeros(2) if systems == "equal" else with_others(x, n, rng)
        wanted = {"half as far from 1": (1 + other[0]) / 2, "half as far again": 1.5 * other[0] - 0.5}.get(
            judge, other[0]
        )
        y, target = x, float(other[0])
        if judge == "near (noise 0.03)":
            y = biased(x, 0.0, 0.03, rng)
        elif "noise" in judge:
            errors = noise(rng, 1.0, x.shape)
            y = as_good(lambda size, x=x, e=errors: x + size * e, of, wanted, 4.0)
        elif judge != "other topics":
            off = rng.laplace(0, 1, k)
            y = as_good(lambda size, x=x, off=off: x + size * off, of, wanted)
        if judge != "other topics":
            target = float(of(y)[0])
        for _ in range(repetitions):
            drawn = rng.integers(0, len(x), n)
            again = rng.integers(0, len(x), n) if judge == "other topics" else drawn
            each, ap = records(x[drawn], y[again], rng, floor=min(max(target, -1.0), 1.0))
            row = [target, each.as_close == "shown", each.as_close == "shown not to be"]
            exact = judge == "other topics"
            row += [ap.as_close == "shown", ap.as_close == "shown not to be"] if exact else [math.nan] * 2
            found.append([*row, each.at_least == "shown", each.at_least == "shown not to be"])
    return [judge, systems, source, k, n, *shown(np.mean(found, axis=0))]


def close(data: Path | None) -> str:
    """Return what is decided about judges."""
    jobs: list[Any] = []
    for judge in ("other topics", "as close, by bias", "as close, by noise"):
        jobs += [(judge, "any", "simulated", *cell) for cell in ((10, 10), (10, 25), (20, 50))]
        jobs += [(judge, "close", "simulated", 10, 25)]
    jobs += [("other topics", "equal", "simulated", k, 25) for k in (10, 20)]
    jobs += [("near (noise 0.03)", "equal", "simulated", 20, 25)]
    for judge in ("half as far from 1", "half as far again", "near (noise 0.03)"):
        jobs += [(judge, "any", "simulated", *cell) for cell in ((10, 25), (20, 50))]
        jobs += [(judge, "close", "simulated", 10, 25)]
    real = sources(data, "adhoc8_ap", "web2011_ndcg20")[1:]
    jobs += [
        (judge, systems, name, 10, 25)
        for judge in ("other topics", "as close, by bias")
        for name in real
        for systems in ("any", "close")
    ]
    columns = [
        "judge",
        "systems",
        "scores",
        "systems",
        "topics",
        "expected `tau_b`",
        '"as close"',
        '"less close"',
    ]
    columns += ['`tau_ap_b`: "as close"', '"less close"', "floor = expected: passed", "failed"]
    return table(columns, in_parallel(_close, jobs))


# --- how many topics


def _width(job: tuple[str, str, int, int, int]) -> list[object]:
    systems, source, k, n, more = job
    rng = seed_of("width", *job)
    plain, ratios, inside = [], [], []
    populations, repetitions = sizes("width")
    for _ in range(populations):
        x = collection(source, systems, k, rng)
        y = biased(x, 0.02, 0.1, rng)

        def half(n_topics: int, x: Array = x, y: Array = y) -> float:
            drawn = rng.integers(0, len(x), n_topics)
            low, high = resampled(x[drawn], [y[drawn]], rng)[1].interval(0, "standard", 0.95)
            return (high - low) / 2

        wanted = float(np.mean([half(more) for _ in range(repetitions)]))
        for _ in range(repetitions):
            own = half(n)
            plain.append(n * (own / wanted) ** 2 / more)
            ratios.append(n * (own / wanted) ** 4 / more)
            said = topics_for_width(n, own, wanted)
            inside.append(said is not None and said[1] <= more <= said[2])
    quantiles = shown(np.quantile(ratios, [0.1, 0.5, 0.9]))
    rest = shown([float(np.median(plain)), float(np.mean(inside))])
    return [systems, source, k, n, more, *quantiles, *rest]


def width(_data: Path | None) -> str:
    """Return how many topics are foretold for the width that so many have, by the number of topics."""
    jobs = [("any", "simulated", k, n, 4 * n) for k, n in ((10, 25), (20, 25), (20, 50))]
    jobs += [("close", "simulated", 20, 25, 100)]
    columns = [
        "systems",
        "scores",
        "systems",
        "topics",
        "needed in truth",
        "foretold / needed: 10 %",
        "50 %",
        "90 %",
    ]
    return table([*columns, "50 % by the square rule", "the range has it"], in_parallel(_width, jobs))


def _telling(job: tuple[str, float, float, float, float]) -> list[object]:
    label, bias, error, its_bias, its_error = job
    rng = seed_of("telling", *job)
    pilot, k = 40, 20
    numbers, populations = [], []
    n_populations, repetitions = sizes("telling")
    for _ in range(n_populations):
        x = collection("simulated", "any", k, rng)
        populations.append((x, biased(x, bias, error, rng), biased(x, its_bias, its_error, rng)))
    for x, a, b in populations:
        for _ in range(repetitions):
            drawn = rng.integers(0, len(x), pilot)
            how = cd.Resampling(n_resamples=199, rng=rng)
            planned = cd.plan(
                x[drawn], estimates={"a": a[drawn], "b": b[drawn]}, agreement="tau_b", resampling=how
            )
            told = planned.needed[-1].topics
            numbers.append(told if told is not None else 10**6)
    median = int(np.median(numbers))
    low, high = np.quantile(numbers, [0.1, 0.9]).astype(int).tolist()
    found = []
    for x, a, b in populations:
        for _ in range(2 * repetitions):
            drawn = rng.integers(0, len(x), min(median, 1000))
            one = resampled(x[drawn], [a[drawn], b[drawn]], rng)[1].difference(0, 1)
            ends = one.interval(0, "standard", 0.95)
            found.append(ends.low > 0 or ends.high < 0)
    return [
        label,
        pilot,
        median,
        f"{low} to {high if high < 10**6 else 'no end'}",
        *shown([float(np.mean(found))]),
    ]


def telling(_data: Path | None) -> str:
    """Return the power that the topics of the table `needed` have in tests by `difference`."""
    jobs = [
        ("noise 0.1 and 0.5", 0.0, 0.1, 0.0, 0.5),
        ("noise 0.3 and 0.6", 0.0, 0.3, 0.0, 0.6),
        ("bias 0.02 and 0.08", 0.02, 0.1, 0.08, 0.1),
        ("bias 0.03 and 0.06", 0.03, 0.1, 0.06, 0.1),
    ]
    columns = ("judges", "topics of the pilot", "topics needed, median", "in 8 of 10 pilots")
    return table([*columns, "power with the median"], in_parallel(_telling, jobs))


def normal(_data: Path | None) -> str:
    """Return how far normal p-values of AP correlation are from the exact ones."""
    rows = []
    for n in (5, 10, 15, 20, 25, 29):
        untied = untied_of(cd.coefficient("tau_ap"))
        assert untied is not None
        terms = UniformTerms(n, untied)
        deviations = np.arange(0, 4, 0.1) * terms.variance**0.5
        exact = np.array([terms.exact_tail(value) for value in deviations.tolist()])
        off = np.abs(exact - [terms.normal_tail(value) for value in deviations.tolist()])
        rows.append((n, f"{off.max():.4f}", f"{off[exact < 0.05].max():.4f}"))
    return table(("items", "largest difference", "where p < 0.05"), rows)


if __name__ == "__main__":
    written(
        PAGE,
        {
            "expected": expected_agreement,
            "close": close,
            "width": width,
            "telling": telling,
            "normal": normal,
        },
    )
