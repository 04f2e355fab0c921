"""Simulate how often judges pass the alternative annotator test of rankings, and write the table again.

The table is in docs/background/inference.md. --check N makes N simulations for each cell, and writes nothing.
"""

from __future__ import annotations

import sys

import numpy as np
from simulations import PAGE, table, written

from concordant.questions.labels import _agreements
from concordant.statistics.rater_agreement import alt_test_rankings

ANNOTATORS, SYSTEMS, TIMES = 3, 8, 300
NOISES = {"half as noisy": 0.5, "as noisy": 1.0, "twice as noisy": 2.0, "knows nothing": None}
TOPICS, EPSILONS = (40, 80, 140, 200), (0.1, 0.2)


def passes(noise: float | None, topics: int, epsilon: float, rng: np.random.Generator) -> bool:
    """Simulate scores of systems by annotators and by a judge, and test the judge."""
    true = rng.normal(0, 1, SYSTEMS) + rng.normal(0, 1, (topics, SYSTEMS))
    sides = [true + rng.normal(0, 1, true.shape) for _ in range(ANNOTATORS)]
    judge = rng.normal(0, 1, true.shape) if noise is None else true + rng.normal(0, noise, true.shape)
    return alt_test_rankings(_agreements(np.array([*sides, judge]), ANNOTATORS), epsilon=epsilon).passes


def main() -> None:
    """Write the shares of judges that pass."""
    times = int(sys.argv[sys.argv.index("--check") + 1]) if "--check" in sys.argv else TIMES
    rows = []
    for name, noise in NOISES.items():
        for epsilon in EPSILONS:
            rng = np.random.default_rng([round(100 * epsilon), list(NOISES).index(name)])
            shares = [np.mean([passes(noise, n, epsilon, rng) for _ in range(times)]) for n in TOPICS]
            rows.append([name, f"{epsilon:g}", *(f"{share:.2f}" for share in shares)])
    made = table(["the judge is", "epsilon", *(f"{n} topics" for n in TOPICS)], rows)
    if "--check" in sys.argv:
        sys.stdout.write(made + "\n")
    else:
        written({"alt-test": made}, PAGE)


if __name__ == "__main__":
    main()
