"""Simulate how often judges pass the alternative annotator test of rankings, and strengths of battles.

The tables are in docs/background/inference.md. The arguments are those of simulations.py.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import simulations
from simulations import PAGE, seed_of, shown, table, written

import concordant as cd
from concordant.questions.label_raters import agreements_of_topics
from concordant.statistics.rater_agreement import alt_test_rankings

ANNOTATORS, SYSTEMS, TIMES = 3, 8, 300
NOISES = {"half as noisy": 0.5, "as noisy": 1.0, "twice as noisy": 2.0, "knows nothing": None}
TOPICS, EPSILONS = (40, 80, 140, 200), (0.1, 0.2)


def passes(noise: float | None, topics: int, epsilon: float, rng: np.random.Generator) -> bool:
    """Simulate scores of systems by annotators and by a judge, and test the judge."""
    true = rng.normal(0, 1, SYSTEMS) + rng.normal(0, 1, (topics, SYSTEMS))
    sides = [true + rng.normal(0, 1, true.shape) for _ in range(ANNOTATORS)]
    judge = rng.normal(0, 1, true.shape) if noise is None else true + rng.normal(0, noise, true.shape)
    found = agreements_of_topics(np.array([*sides, judge]), ANNOTATORS)
    return alt_test_rankings(found, epsilon=epsilon).passes


def alt_test(_: Any) -> str:
    """Return the shares of judges that pass."""
    rows = []
    times = max(1, round(TIMES * simulations.SHARE))
    for name, noise in NOISES.items():
        for epsilon in EPSILONS:
            rng = seed_of("alt-test", name, epsilon)
            found = [np.mean([passes(noise, n, epsilon, rng) for _ in range(times)]) for n in TOPICS]
            rows.append([name, f"{epsilon:g}", *shown(map(float, found))])
    return table(["the judge is", "epsilon", *(f"{n} topics" for n in TOPICS)], rows)


# --- battles

# Systems, prompts, battles of each prompt, standard deviation of the strengths.
BOARDS = (
    (6, 60, 15, 0.5),
    (8, 40, 4, 1.0),
    (8, 100, 4, 1.0),
    (8, 300, 2, 0.1),
    (8, 1000, 1, 1.5),
    (20, 300, 4, 1.0),
)
BATTLES, POPULATION = 200, 100_000


def battles(true: Any, prompts: int, per: int, rng: np.random.Generator) -> cd.Scores:
    """Return strengths from battles: prompts and the first side are favoured, ties are frequent."""
    favour, n = rng.normal(0, 0.8, (prompts, len(true))), len(true)
    prompt = np.repeat(np.arange(prompts), per)
    a = rng.integers(0, n, len(prompt))
    b = (a + rng.integers(1, n, len(prompt))) % n
    odds = true[a] + favour[prompt, a] - true[b] - favour[prompt, b] + 0.3
    winner = np.where(rng.random(len(a)) < 1 / (1 + np.exp(-odds)), "model_a", "model_b")
    winner = np.where(rng.random(len(a)) < 0.15, "tie", winner)
    rows = zip(prompt.tolist(), a.tolist(), b.tolist(), winner.tolist(), strict=True)
    lines = ["prompt,model_a,model_b,winner", *(f"{p},m{x},m{y},{won}" for p, x, y, won in rows)]
    return cd.read_scores(io.StringIO("\n".join(lines)))


def strengths(_: Any) -> str:
    """Return how often intervals and rank sets of strengths hold; the truth is a fit to many more battles."""
    rows = []
    times = max(2, round(BATTLES * simulations.SHARE))
    for n, prompts, per, spread in BOARDS:
        rng = seed_of("battles", n, prompts, per, spread)
        true = np.sort(rng.normal(0, spread, n))
        whole = battles(true, POPULATION // per, per, rng)
        points = dict(zip(whole.systems, whole.values[0].mean(axis=0), strict=True))
        rank = {name: k + 1 for k, name in enumerate(sorted(points, key=points.__getitem__, reverse=True))}
        held, sets = [], []
        for _again in range(times):
            board = cd.board(battles(true, prompts, per, rng)).systems
            held += [own.interval.low <= points[own.system] <= own.interval.high for own in board]
            sets.append(all(own.ranks.low <= rank[own.system] <= own.ranks.high for own in board))
        found = shown([float(np.mean(held)), float(np.mean(sets))], 3)
        rows.append([n, prompts, per, f"{spread:g}", *found])
    head = ["systems", "prompts", "battles of a prompt", "spread of strengths", "intervals", "all rank sets"]
    return table(head, rows)


if __name__ == "__main__":
    written(PAGE, {"alt-test": alt_test, "battles": strengths})
