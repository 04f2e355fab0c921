"""Words of verdicts that fit the coefficient and the records, where the usual words would claim too much."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import concordant as cd

FEW = cd.Resampling(n_resamples=99, rng=4)


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


def test_of_a_coefficient_that_is_not_centred_no_test_is_told():
    """A random order may have a value far above 0."""
    result = cd.correlate(skewed(), {"x": unrelated(1)}, "tau_gap", resampling=FEW)
    row = result.agreement[0]
    assert result.verdict[0].startswith("x and the reference have tau_gap ")
    assert result.verdict[0].endswith(
        " on the 10 systems (tau_gap is not centred: its mean for unrelated rankings need not be 0)."
    )
    assert row.interval.low > 0 or row.interval.high < 0


@pytest.mark.parametrize(
    ("c", "words"), [("tau_b", "; it tends to reverse the reference's order."), ("pearson_r", ".")]
)
def test_a_coefficient_of_scores_is_not_about_the_order(c, words):
    """A negative one does not say that the order is reversed."""
    means = np.linspace(1, 0, 8)
    swapped = 1 - means[[1, 0, *range(2, 8)]]
    (said, *_) = cd.correlate(table(means), {"x": table(swapped, seed=1)}, c, resampling=FEW).verdict
    assert said.endswith(f" on the 8 systems{words}")


def test_ties_alone_are_not_the_opposite_order():
    """A negative value with an interval below 0, but no pair in the opposite order."""
    same = cd.Scores(np.full((1, 20, 6), 0.5), systems=[f"s{k}" for k in range(6)])
    result = cd.correlate(table(np.linspace(1, 0, 6)), {"x": same}, "tau_e", resampling=FEW)
    assert result.agreement[0].interval.high < 0
    assert all(p.estimate_difference == 0 for p in result.pairs)
    assert "reverse" not in result.verdict[0]
    assert result.verdict[1].startswith("It keeps 0 of 15 significant differences, reverses none")


@pytest.mark.parametrize("n", [2, 6])
def test_all_pairs_opposite_is_exactly_the_opposite_order(n):
    """Every pair is."""
    means = np.linspace(1, 0, n)
    result = cd.correlate(table(means), {"x": table(-means)}, "tau_b", resampling=FEW)
    assert result.verdict[0].startswith(f"x ranks the {n} systems in exactly the opposite order to the")


# --- explain, sweep -----------------------------------------------------------------------------------------


def test_a_pair_is_not_named_alone_if_another_costs_as_much():
    """The others are counted, and so are the systems without which it is as high."""
    x = dict(zip("abcdef", (6.0, 5.0, 4.0, 3.0, 2.0, 1.0), strict=True))
    y = dict(zip("abcdef", (5.0, 6.0, 4.0, 3.0, 1.0, 2.0), strict=True))
    result = cd.explain(x, y, "tau_b")
    assert result.verdict[1:] == (
        "Of 2 pairs that lower it, a and b lower it most: by 0.13, as much as 1 other pair.",
        "Without a or one of 3 others it is higher by 0.07.",
    )
    assert cd.explain(x, y, "tau_b", most=2).verdict[2] == "Without a or another item it is higher by 0.07."
    assert cd.explain(cd.Study(x, y), coefficients="tau_b").verdict[1:] == result.verdict[1:]


# --- two tests of judges ------------------------------------------------------------------------------------


def test_worse_follows_the_comparison_alone():
    """Whether an estimate may be the best is another question."""
    result = cd.judge(table(np.linspace(1, 0, 6)), {n: table(np.linspace(1, 0, 6), 0.9, seed=k) for k, n in
        enumerate("abc", 1)}, "tau_b", resampling=FEW)  # fmt: skip
    best = max(result.agreement, key=lambda row: row.value).estimate
    for may, p in itertools.product([True, False], [0.001, 0.5]):
        rows = [replace(r, may_be_best=r.estimate == best or may) for r in result.best]
        compared = [replace(r, difference=0.2, pvalue_adjusted=p) for r in result.comparison]
        said = " ".join(replace(result, best=tuple(rows), comparison=tuple(compared)).verdict)
        others = " and ".join(name for name in "abc" if name != best)
        assert (f"{others} are worse (adjusted p at most 0.0010)." in said) == (p < 0.05)
        assert (f"{others} are not told apart from it." in said) == (p > 0.05)


# --- small cases --------------------------------------------------------------------------------------------


def test_topics_that_are_all_alike_are_not_told_apart():
    """The value is told once, and nothing is said about single topics where there is one or none."""
    x = table(np.linspace(1, 0, 5))
    assert cd.by_topic(x, x, "tau_b", resampling=FEW).verdict[1:] == (
        "Per topic, its mean over 20 topics is 1.00, ranging from 1.00 (topic 0) to 1.00 (topic 0).",
    )
    one = table(np.linspace(1, 0, 5), topics=1)
    assert len(cd.by_topic(one, one, "tau_b", resampling=FEW).verdict) == 1
    means = dict(x.mean())
    assert len(cd.by_topic(means, means, "tau_b", resampling=FEW).verdict) == 1


@pytest.mark.parametrize("sign", [1, -1])
def test_two_systems_are_one_pair(sign):
    """In the singular."""
    sides = table([1.0, 0.0]), {"x": table([sign, 0.0])}
    tested = cd.judge(*sides, "tau_b", resampling=FEW).verdict[1]
    means = (dict(side.mean()) for side in (sides[0], sides[1]["x"]))
    counted = cd.correlate(*means, "tau_b", resampling=FEW).verdict[1]
    if sign > 0:
        assert tested == "It keeps 1 of 1 significant difference, reverses none, and has the same winner."
        assert counted == "It has none of 1 pair of systems in the opposite order, and has the same winner."
    else:
        winner = "its winner, s1, has rank 2 by the reference."
        assert tested == f"It keeps 0 of 1 significant difference, reverses 1; {winner}"
        assert counted == f"It has 1 of 1 pair of systems in the opposite order; {winner}"


def test_two_rankings_have_one_value():
    """Not a value each."""
    result = cd.matrix({"a": table([1.0, 0.5, 0.0]), "b": table([1.0, 0.0, 0.5])}, "tau_b")
    assert result.verdict == ("tau_b is 0.33 for the two rankings.",)
