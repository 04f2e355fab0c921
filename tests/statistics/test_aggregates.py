"""Aggregates of several rankings, and Kendall's W."""

import itertools
import json
import math
from pathlib import Path

import hypothesis.extra.numpy as arrays
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose

import concordant as cd
from concordant.statistics.several_rankings import MOST_KEMENY, aggregate, kendall_w, with_others
from tests.reference import aggregates as reference

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "aggregates.json").read_text(encoding="utf-8"))
TAU_B = cd.coefficient("tau_b")
TABLES = st.tuples(st.integers(1, 4), st.integers(2, 5)).flatmap(
    lambda shape: arrays.arrays(np.float64, shape, elements=st.sampled_from([0.0, 1.0, 2.0, 5.0]))
)


def cases(function):
    return [pytest.param(case, id=case["id"]) for case in GOLDEN if case["function"] == function]


def rows(table):
    return [[None if math.isnan(value) else value for value in row] for row in table.tolist()]


def table_of(case):
    return np.array(case["args"][0], dtype=np.float64)


def compare(found, value):
    if isinstance(value, dict):  # of Kemeny orders
        assert (found.distance, found.n_orders) == (value["distance"], value["n_orders"])
    expected = value["rank"] if isinstance(value, dict) else value
    assert_allclose(found.values, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("case", cases("aggregate"))
def test_golden_aggregates(case):
    for by, value in case["value"].items():
        compare(aggregate(table_of(case), by), value)


@pytest.mark.parametrize("case", cases("aggregate"))
def test_totals_of_incomplete_tables_are_refused(case):
    table = table_of(case)
    for by in ("mean", "borda", "mean_rank"):
        if np.isnan(table).any():
            with pytest.raises(cd.ConcordantError, match="needs every system in every ranking"):
                aggregate(table, by)


@pytest.mark.parametrize("case", cases("with_others"))
def test_golden_agreement_with_the_others(case):
    found = with_others(table_of(case), case["kwargs"]["by"], TAU_B)
    assert [n for _, n in found] == [each["n"] for each in case["value"]]
    assert_allclose(
        [value for value, _ in found], [each["value"] for each in case["value"]], rtol=0, atol=1e-12
    )


@pytest.mark.parametrize("case", cases("kendall_w"))
def test_golden_concordance(case):
    found, value = kendall_w(table_of(case)), case["value"]
    expected = [value[key] for key in ("w", "chi2", "df", "p", "exact_p", "mean_tau_a", "mean_rho")]
    own = [*found[:5], found.mean_tau_a, found.mean_rho]
    assert found.is_exact
    assert_allclose(own, expected, rtol=0, atol=1e-12)


@given(TABLES, st.floats(0, 0.5), st.integers(0, 9))
@settings(max_examples=60, deadline=None)
def test_aggregates_are_those_of_the_definitions(table, missing, seed):
    table = np.where(np.random.default_rng(seed).random(table.shape) < missing, math.nan, table)
    for by in ("win_rate", "mean_z", "kemeny", "borda", "mean_rank"):
        if by in ("borda", "mean_rank") and np.isnan(table).any():
            continue
        compare(aggregate(table, by), getattr(reference, by)(rows(table)))


@given(TABLES)
@settings(max_examples=40, deadline=None)
def test_win_rate_borda_and_mean_rank_are_one_ranking_on_three_scales(table):
    b, n = table.shape
    rate, total, rank = (aggregate(table, by).values for by in ("win_rate", "borda", "mean_rank"))
    assert_allclose(total, b * (n - 1) * rate, atol=1e-12)
    assert_allclose(rank, n - (n - 1) * rate, atol=1e-12)


@given(
    arrays.arrays(
        np.float64, st.tuples(st.integers(1, 3), st.integers(1, 4)), elements=st.sampled_from([0.0, 1.0, 2.0])
    )
)
@settings(max_examples=40, deadline=None)
def test_kendalls_w_is_that_of_the_definition(table):
    found = kendall_w(table)
    assert_allclose([found.w, found.pvalue], reference.kendall_w(table.tolist()), atol=1e-12)


def test_w_is_1_for_equal_rankings_and_its_mean_rho_is_the_mean_of_spearmans_rho_without_ties():
    rng = np.random.default_rng(1)
    table = np.array([rng.permutation(12) for _ in range(5)], dtype=float)
    found = kendall_w(table)
    pairs = list(itertools.combinations(table, 2))
    assert_allclose(found.mean_rho, np.mean([cd.spearman_rho(x, y) for x, y in pairs]), atol=1e-12)
    assert_allclose(found.mean_tau_a, np.mean([cd.tau_a(x, y) for x, y in pairs]), atol=1e-12)
    assert not found.is_exact
    equal = kendall_w(np.tile(table[0], (4, 1)))
    assert (equal.w, equal.mean_rho, equal.mean_tau_a) == (1.0, 1.0, 1.0)
    assert equal.pvalue == 1 / 10_000  # no permutation reaches 1


@pytest.mark.parametrize("table", [np.ones((3, 4)), np.arange(4.0)[None, :]])
def test_w_of_ties_alone_or_of_one_ranking_is_undefined_but_its_freedom_is_not(table):
    found = kendall_w(table)
    undefined = found.w, found.chi2, found.chi2_pvalue, found.pvalue, found.mean_tau_a, found.mean_rho
    assert np.isnan(undefined).all()
    assert (found.freedom, found.is_exact, found.n_rankings, found.n_systems) == (3, False, len(table), 4)


def test_items_that_not_all_ranked_are_left_out_and_counted():
    table = np.array([[1, 2, 3, math.nan], [1, 3, 2, 5], [2, 1, 3, 4]])
    found = kendall_w(table)
    assert (found.n_systems, found.n_left_out, found.w) == (3, 1, kendall_w(table[:, :3]).w)


def test_constant_rankings_are_left_out_of_z_and_named():
    found = aggregate(np.array([[3.0, 1, 2], [4, 4, 4]]), "mean_z")
    assert found.left_out == (1,)
    assert_allclose(found.values, reference.mean_z([[3, 1, 2]]), atol=1e-12)


def test_kemeny_is_exact_to_16_systems_and_refused_beyond():
    rng = np.random.default_rng(0)
    found = aggregate(rng.random((5, MOST_KEMENY)), "kemeny")
    assert found.n_orders >= 1
    assert found.values.sum() == pytest.approx(MOST_KEMENY * (MOST_KEMENY + 1) / 2)
    with pytest.raises(cd.ConcordantError, match="exact up to 16 systems, got 17"):
        aggregate(rng.random((5, MOST_KEMENY + 1)), "kemeny")


def test_one_tie_everywhere_makes_every_order_a_minimiser():
    found = aggregate(np.ones((2, 6)), "kemeny")
    assert (found.n_orders, found.values.tolist()) == (math.factorial(6), [3.5] * 6)


@pytest.mark.parametrize(("m", "exact"), [(8, True), (9, False)])
def test_up_to_a_million_permutations_of_rankings_are_enumerated(m, exact):
    """Of three systems, the first ranking fixed: 6^7 = 279,936 are, and 6^8 = 1,679,616 are not."""
    found = kendall_w(np.tile([3.0, 2.0, 1.0], (m, 1)), n_resamples=99)
    assert found.is_exact == exact
    assert found.pvalue == pytest.approx(1 / 6**7 if exact else 1 / 100)
