"""Words of verdicts that fit the coefficient and the records, where the usual words would claim too much."""

from __future__ import annotations

import numpy as np
import pytest

import concordant as cd

FEW = {"n_resamples": 99, "rng": 4}


def table(means, spread: float = 0.01, topics: int = 20, seed: int = 0) -> cd.Scores:
    """Return scores with about these means."""
    noise = np.random.default_rng(seed).normal(0, spread, (topics, len(means)))
    return cd.Scores((np.asarray(means) + noise)[None], systems=[f"s{k}" for k in range(len(means))])


def skewed() -> cd.Scores:
    """Return a reference with one large score, for which tau_gap is positive on average."""
    return table([10.0, *np.linspace(1, 0.5, 9)], 1e-4)


def unrelated(seed: int) -> cd.Scores:
    """Return scores in a random order."""
    return table(np.random.default_rng(seed).permutation(10) / 10, 1e-4)


def test_a_coefficient_that_is_not_centred_has_no_word_of_agreement():
    """A random order may have a value far above 0."""
    result = cd.correlate(skewed(), {"x": unrelated(1)}, "tau_gap", **FEW)
    row = result.agreement[0]
    assert result.verdict[0].startswith("x against the reference, 10 systems: tau_gap ")
    assert result.verdict[0].endswith("] (unrelated rankings need not have 0 on average).")
    assert row.interval.low > 0 or row.interval.high < 0


def test_a_coefficient_of_scores_is_not_about_the_order():
    """Neither if it agrees nor if it disagrees."""
    means = np.linspace(1, 0, 8)
    swapped = means[[1, 0, *range(2, 8)]]
    for y, word in ((swapped, "agrees"), (1 - swapped, "disagrees")):
        (said, *_) = cd.correlate(table(means), {"x": table(y, seed=1)}, "pearson_r", **FEW).verdict
        assert said.startswith(f"x {word} with the reference on the scores of 8 systems: pearson_r ")


def test_ties_alone_are_not_the_opposite_order():
    """A negative value with an interval below 0, but no pair in the opposite order."""
    same = cd.Scores(np.full((1, 20, 6), 0.5), systems=[f"s{k}" for k in range(6)])
    result = cd.correlate(table(np.linspace(1, 0, 6)), {"x": same}, "tau_e", **FEW)
    assert result.agreement[0].interval.high < 0
    assert result.order[0].opposite == 0
    assert result.verdict[0].startswith(
        "x is not shown to agree with the reference on the order of 6 systems"
    )


@pytest.mark.parametrize("n", [2, 6])
def test_all_pairs_opposite_is_exactly_the_opposite_order(n):
    """Not rather."""
    means = np.linspace(1, 0, n)
    result = cd.correlate(table(means), {"x": table(-means)}, "tau_b", **FEW)
    assert result.verdict[0].startswith(f"x ranks the {n} systems in exactly the opposite order to the")
