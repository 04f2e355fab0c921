"""`gaps`: what the paper prints, and samples of one's own."""

from __future__ import annotations

import sys
import tracemalloc

import numpy as np
import pytest

import concordant as cd

gaps = cd.experiments.gaps


def test_the_medians_are_those_that_the_paper_prints():
    """Gao, Bagdouri and Oard (2016), section 3.

    They draw 100,000 pairs. The median is settled by fewer; the minimum is an extreme value, and of fewer
    pairs it can only be higher than theirs, within the same 0.03.
    """
    result = gaps(n_pairs=4000, rng=2)
    found = {(each.reference, each.estimate): each for each in result}
    assert len(found) == len(result.quartiles) == 6
    assert found["zipf", "zipf"].median == pytest.approx(0.95, abs=0.01)
    assert found["zipf", "normal"].median == pytest.approx(0.91, abs=0.01)
    assert found["zipf", "uniform"].median == pytest.approx(0.87, abs=0.01)
    assert 0.55 - 0.03 < found["zipf", "zipf"].minimum < found["zipf", "zipf"].first_quartile - 0.1
    assert 0.51 - 0.03 < found["zipf", "uniform"].minimum < found["zipf", "uniform"].first_quartile - 0.1
    for each in result:
        assert (each.undefined, each.pairs, each.coefficient) == (0, 4000, cd.coefficient("pearson_rank"))


def test_the_quartiles_are_those_of_a_literal_loop():
    """For each distribution a reference and an estimate are drawn; each combination takes its two."""
    source = np.random.default_rng(4)
    drawn = {
        name: [-np.sort(-draw(size=(60, 9)), axis=1) for _ in range(2)]
        for name, draw in (("uniform", source.random), ("lognormal", source.lognormal))
    }
    result = gaps(["uniform", "lognormal"], ["tau_gap", "pearson_rank"], n_systems=9, n_pairs=60, rng=4)
    pairs = [("uniform", "uniform"), ("uniform", "lognormal"), ("lognormal", "lognormal")]
    assert [(each.reference, each.estimate) for each in result][::2] == pairs
    for each in result:
        x, y = drawn[each.reference][0], drawn[each.estimate][1]
        values = np.array([each.coefficient(a, b) for a, b in zip(x, y, strict=True)])
        five = (each.minimum, each.first_quartile, each.median, each.third_quartile, each.maximum)
        assert five == tuple(np.quantile(values, [0, 0.25, 0.5, 0.75, 1]).tolist())
        middle = np.argsort(values, kind="stable")[30]
        own = [m for m in result.medians if (m.reference, m.estimate) == (each.reference, each.estimate)]
        own = [m for m in own if m.coefficient == each.coefficient]
        for side, name in ((x[middle], "reference_score"), (y[middle], "estimate_score")):
            scaled = (side - side.min()) / (side.max() - side.min())
            assert [getattr(m, name) for m in own] == scaled.tolist()


def test_coefficients_of_order():
    """They say 1, as the order is the same."""
    arguments = (["normal", "lognormal"], ["tau_b", "tau_gap"])
    options = {"n_systems": 4, "n_pairs": 200, "rng": 1}
    result = gaps(*arguments, **options)
    assert len(result.quartiles) == 6
    (same,) = (
        each
        for each in result
        if each.reference == each.estimate == "lognormal" and str(each.coefficient) == "tau_b"
    )
    assert same.minimum == same.maximum == 1.0
    assert result == gaps(*arguments, **options, workers=2)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ([["cauchy"]], {}, "there is no distribution 'cauchy'"),
        ([["uniform"]], {"n_systems": 1}, "n_systems must be a whole number from 2 up"),
        ([["uniform"]], {"n_pairs": 0}, "n_pairs must be a whole number from 1 up"),
    ],
)
def test_wrong_options_are_refused(arguments, options, message):
    """One sentence says what is wrong, after the name of the function."""
    with pytest.raises(cd.ArgumentError, match=f"^gaps: {message}"):
        gaps(*arguments, **{"n_pairs": 5, **options})


def test_seeds_of_all_kinds():
    """NumPy's integers and sources of random numbers are taken, as SciPy takes them."""
    expected = gaps(["uniform"], n_pairs=5, rng=3)
    assert gaps(["uniform"], n_pairs=5, rng=np.int64(3)) == expected
    for source in (np.random.default_rng(3), np.random.PCG64(3), np.random.SeedSequence(3)):
        assert gaps(["uniform"], n_pairs=5, rng=source).quartiles == expected.quartiles


@pytest.mark.parametrize("bad", [-1, 1.5, "x", True])
def test_what_is_no_seed_is_refused(bad):
    """Negative numbers, fractions, text and truth values are no seeds."""
    with pytest.raises((cd.ArgumentError, cd.ArgumentTypeError), match=r"^gaps: rng must be"):
        gaps(["uniform"], n_pairs=5, rng=bad)


def test_only_the_values_of_many_pairs_of_samples_need_memory(monkeypatch):
    """A pair of samples takes 160 bytes; its value takes 8, and sorting takes some copies of it.

    Samples that are too many to keep are drawn twice, which gives the same.
    """
    n_pairs = 300_000
    kept = gaps(["zipf"], ["pearson_r"], n_systems=10, n_pairs=50_000)
    monkeypatch.setattr(sys.modules[gaps.__wrapped__.__module__], "_MOST_KEPT", 1000)
    assert gaps(["zipf"], ["pearson_r"], n_systems=10, n_pairs=50_000) == kept
    tracemalloc.start()
    gaps(["uniform"], ["pearson_r"], n_systems=10, n_pairs=n_pairs)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 48 * n_pairs
