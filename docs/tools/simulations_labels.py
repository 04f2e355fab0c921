"""Simulate how often judges pass the alternative annotator test of rankings, and write the table again.

The table is in docs/background/inference.md. The arguments are those of simulations.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import simulations
from simulations import PAGE, seed_of, shown, table, written

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


if __name__ == "__main__":
    written(PAGE, {"alt-test": alt_test})
