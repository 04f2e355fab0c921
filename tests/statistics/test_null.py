"""Null distributions in closed form: golden variances, enumeration, SciPy, one grid, and what is refused."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

import concordant as cd
from concordant.statistics import permutation
from concordant.statistics.permutation import UniformTerms, untied_of

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "inference.json").read_text())
VARIANCES = [case for case in GOLDEN if case["function"] == "tau_ap null variance"]
ALTERNATIVES = ["two-sided", "greater", "less"]


def terms(name, n):
    return UniformTerms(n, untied_of(cd.coefficient(name)))


@pytest.mark.parametrize("case", VARIANCES, ids=lambda case: case["id"])
def test_the_variance_of_tau_ap_is_the_golden_one(case):
    assert terms("tau_ap", case["kwargs"]["n"]).variance == pytest.approx(case["value"], abs=1e-9)


@pytest.mark.parametrize("n", [2, 3, 10, 50])
def test_the_variance_of_tau_is_the_textbooks(n):
    assert terms("tau", n).variance == pytest.approx(2 * (2 * n + 5) / (9 * n * (n - 1)), rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("name", ["tau", "tau_a", "tau_e", "tau_ap", "tau_ap_a", "tau_ap_e"])
def test_exact_p_values_are_those_of_all_orders(name, alternative):
    """Every 29th of the orders of six items against all of them."""
    x = list(range(6))
    for y in list(itertools.permutations(x))[::29]:
        found = cd.permutation_test(x, y, name, alternative=alternative, method="exact")
        every = cd.permutation_test(x, y, name, alternative=alternative)
        assert (found.options["method"], found.exact, found.seed) == ("exact", True, None)
        assert every.options["method"] == "permutation"
        assert found.pvalue == pytest.approx(every.pvalue, rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [12, 33, 100])
def test_p_values_of_tau_are_scipys(n, alternative):
    """Its exact and its asymptotic method."""
    rng = np.random.default_rng(n)
    x = rng.normal(size=n)
    y = x + rng.normal(size=n)
    for method, theirs in (("exact", "exact"), ("normal", "asymptotic"), ("auto", "exact")):
        found = cd.permutation_test(x, y, "tau_b", method=method, alternative=alternative)
        expected = scipy.stats.kendalltau(x, y, method=theirs, alternative=alternative).pvalue
        assert found.pvalue == pytest.approx(expected, rel=1e-9)
        assert found.options["method"] == ("normal" if method == "normal" else "exact")


@pytest.mark.parametrize("n", [12, 13])
def test_parts_with_large_primes_give_the_same_as_one_grid(n):
    """In steps of one over the least common multiple of 1 ... n - 1, counts of orders are whole numbers."""
    multiple = math.lcm(*range(1, n))
    counts = np.ones(1)
    for i in range(1, n):
        step = multiple // i
        longer = np.zeros(len(counts) + i * step)
        for u in range(i + 1):
            longer[u * step : u * step + len(counts)] += counts
        counts = longer
    at_least = np.cumsum(counts[::-1])[::-1] / math.factorial(n)
    own = terms("tau_ap", n)
    reached = np.flatnonzero(counts)
    for k in np.random.default_rng(0).choice(reached, 25).tolist():
        value = 2 * k / multiple / (n - 1) - 1
        assert own.exact_tail(value) == pytest.approx(at_least[k], rel=1e-12)


@pytest.mark.parametrize("n", [20, pytest.param(29, marks=pytest.mark.slow)])
def test_the_exact_distribution_has_the_variance_and_the_ends(n):
    """One order in n! is perfect; the normal approximation is as near as the documentation says."""
    own = terms("tau_ap", n)
    assert own.exact_tail(1.0) == pytest.approx(1 / math.factorial(n), rel=1e-9)
    assert own.exact_tail(-1.0) == pytest.approx(1, abs=1e-12)
    for z in (0.7, 1.7, 2.5):
        value = z * math.sqrt(own.variance)
        off = abs(own.exact_tail(value) - own.normal_tail(value))
        assert off < (0.002 if z < 1.6 else 0.0006)


def test_random_orders_agree_with_the_exact_p_value():
    """Within four standard errors of the share."""
    x, y = np.random.default_rng(4).normal(size=(2, 25))
    y += x / 2
    exact = cd.permutation_test(x, y, "tau_ap", method="exact", alternative="greater").pvalue
    drawn = cd.permutation_test(x, y, "tau_ap", alternative="greater", n_resamples=20_000, rng=1)
    assert drawn.options["method"] == "permutation"
    assert abs(drawn.pvalue - exact) < 4 * math.sqrt(exact * (1 - exact) / 20_000)


def test_what_is_not_known_in_closed_form_is_tried_or_refused():
    """Few orders are all tried; the error for many names what works."""
    x, y = np.random.default_rng(5).normal(size=(2, 40))
    few = cd.permutation_test(x[:6], y[:6], "tau_h", method="exact")
    assert (few.options["method"], few.options["n_resamples"], few.exact) == ("permutation", 720, True)
    more = cd.permutation_test(x[:8], y[:8], "tau_h", method="exact")
    assert more.options["n_resamples"] == math.factorial(8)
    known = r"^permutation_test: the null distribution of tau_h is not known in closed form"
    with pytest.raises(cd.ArgumentError, match=known + r".*1,000,000 orders; use method='permutation'$"):
        cd.permutation_test(x, y, "tau_h", method="exact")
    with pytest.raises(cd.ArgumentError, match=known + "; use method='permutation'$"):
        cd.permutation_test(x, y, "tau_h", method="normal")
    long = r"the convolution of 40 terms takes too long.*; use method='permutation' or method='normal'$"
    with pytest.raises(cd.ArgumentError, match=long):
        cd.permutation_test(x, y, "tau_ap", method="exact")
    assert (
        cd.permutation_test(x, y, "tau_ap", method="auto", n_resamples=99, rng=1).options["method"]
        == "permutation"
    )
    with pytest.raises(cd.ArgumentError, match="the null distribution with ties is not known"):
        cd.permutation_test([1, 1, 2], [1, 2, 3], "tau_b", method="normal")
    assert cd.permutation_test([1, 1, 2], [1, 2, 3], "tau_b", method="exact").options["n_resamples"] == 3
    with pytest.raises(cd.ArgumentError, match="method must be 'permutation', 'exact', 'normal' or 'auto'"):
        cd.permutation_test(x, y, "tau_b", method="asymptotic")


@pytest.mark.parametrize("name", ["tau_b(0.1)", "tau_b@5", "tau_ap_b", "tau_ap(symmetric=True)", "pearson_r"])
def test_thresholds_cuts_and_both_directions_have_no_closed_form(name):
    assert untied_of(cd.coefficient(name)) is None


@pytest.mark.parametrize(("most", "feasible"), [(44, True), (43, False)])
def test_the_exact_distribution_is_as_much_work_as_it_has_additions(most, feasible, monkeypatch):
    """Tau of 5 items: 4 terms, each added to the 11 values from 0 to 1 + 2 + 3 + 4; nothing is looked up."""
    monkeypatch.setattr(permutation, "_MOST_WORK", most)
    assert permutation.UniformTerms(5, permutation.untied_of(cd.coefficient("tau"))).is_feasible == feasible
