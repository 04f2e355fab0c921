"""Several coefficients at once: the values of single calls, and how they print."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest

import concordant as cd

X = [0.9, 0.8, 0.7, 0.7, 0.5, 0.1]
Y = [0.7, 0.8, 0.5, 0.4, 0.6, 0.2]


def test_compare_gives_the_values_of_single_calls():
    """To the last bit, with thresholds, options and cuts."""
    names = [
        "tau_a",
        "tau_b",
        "tau_b(0.15)",
        "tau_e(0.15, 0.05)",
        "tau_ap_a",
        "tau_ap_b(0.15, tied=neutral)",
        "tau_ap_b@3",
        "tau_ap_e",
    ]
    result = cd.compare(X, Y, names)
    assert dict(result) == {name: cd.coefficient(name)(X, Y) for name in names}
    assert result["tau_b( 0.15 )"] == cd.tau_b(X, Y, threshold=0.15)
    assert result.n == 6


def test_compare_prints_as_a_table():
    """The name and the value stand first."""
    text = str(cd.compare(X, Y, ["tau_b", "tau_ap_b(0.15)"]))
    assert text.splitlines()[2].split()[:2] == ["coefficient", "value"]
    assert text.splitlines()[4].split()[:2] == ["tau_b", f"{cd.tau_b(X, Y):.2f}"]


def test_compare_in_latex_and_markdown():
    """Symbols, thresholds and cuts in LaTeX; right-aligned numbers in Markdown."""
    result = cd.compare([3, 2, 1], [1, 2, 3], ["tau_b", "tau_ap_b(0.05)@2", "tau_e(0.1, 0.2)"])
    lines = result.to_latex().splitlines()
    assert lines[1:5] == [
        r"\begin{tabular}{lrl}",
        r"\toprule",
        r"coefficient & value & question \\",
        r"\midrule",
    ]
    assert [line.rpartition(" & ")[0] for line in lines[5:8]] == [
        r"$\tau_{b}$ & $-1.00$",
        r"$\tau_{ap,b}^{0.05}@2$ & $-1.00$",
        r"$\tau_{e}^{0.1,0.2}$ & $-1.00$",
    ]
    lines = result.to_markdown().splitlines()
    assert lines[3] == "| --- | ---: | --- |"
    assert lines[4].startswith("| tau_b | -1.00 |")


def test_latex_tells_options_apart():
    """Two options of one coefficient have two symbols."""
    result = cd.compare([3, 2, 1], [1, 2, 3], ["tau_gap", "tau_gap(symmetric=True)", "tau_b(inf)"]).to_latex()
    assert r"$\tau_{GAP}\ (\mathrm{symmetric=True})$" in result
    assert r"$\tau_{b}^{\infty}$" in result

    def my_f(x, y):
        return 0.0

    assert r"\mathrm{my\_f}" in cd.compare([1, 2], [1, 2], my_f).to_latex()


def test_compare_takes_a_list():
    """A number is not a list of coefficients."""
    with pytest.raises(TypeError, match="compare: coefficients must be a list of names or functions, got 5"):
        cd.compare(X, Y, 5)


def test_compare_as_a_frame():
    """One row for each coefficient."""
    pytest.importorskip("pandas")
    frame = cd.compare(X, Y, ["tau_b", "tau_ap_a"]).to_frame()
    assert frame.coefficient.tolist() == ["tau_b", "tau_ap_a"]
    assert frame.value.tolist() == [cd.tau_b(X, Y), cd.tau_ap_a(X, Y)]


def test_compare_by_default_takes_everything_and_says_why_something_has_no_value():
    """Refused ties, undefined values and NaN have their reasons in the records and in notes."""
    result = cd.compare(X, Y)
    assert [row.coefficient.name for row in result.compared] == [
        c.name for c in cd.REGISTRY.values() if c.inputs == "scores"
    ]
    assert len(result) == len(result.compared)
    assert repr(result) == str(result)
    reasons = {row.coefficient.name: row.undefined for row in result.compared}
    assert reasons["tau"].startswith("x has tied items (position 2, position 3 at 0.7); use tau_a")
    assert f"tau: {reasons['tau']}" in [str(note) for note in result.notes]
    assert math.isnan(result["tau"])
    assert reasons["tau_b"] is None
    constant = {row.coefficient.name: row.undefined for row in cd.compare([1, 1], [1, 2]).compared}
    assert constant["tau_b"] == "undefined: all items are tied in x or in y"
    missing = cd.compare([1, math.nan], [1, 2])
    assert {row.undefined for row in missing.compared} == {"NaN in the input"}


def test_compare_refuses_ties_if_asked_for_a_coefficient_that_does():
    """Asked for by name, tau refuses ties."""
    with pytest.raises(cd.TiesError, match=r"compare: x has tied items .* instead of tau"):
        cd.compare(X, Y, ["tau", "tau_b"])


def test_compare_takes_one_coefficient_or_several():
    """A text, a function, a coefficient, or a list, in which one may stand twice."""
    for one in ("tau_b", cd.tau_b, cd.coefficient("tau_b"), ["tau_b", "tau_b"]):
        assert dict(cd.compare(X, Y, one)) == {"tau_b": cd.tau_b(X, Y)}


def test_compare_counts_the_items_used():
    """Items left out do not count."""
    assert cd.compare([1, 2, math.nan, 4], [1, 2, 3, 4], "tau_b", nan_policy="omit").n == 3


# --- batches, axes, missing values ---

SEVERAL = ["tau_b", "tau_b(0.15)", "tau_e", "tau_ap_e@3", "tau_ap_a(symmetric=True)", "tau_h", "tau_gap"]


def rankings(*shape):
    """Two arrays of rankings with ties."""
    rng = np.random.default_rng(shape)
    return rng.integers(0, 9, shape) / 10, rng.integers(0, 9, shape) / 10


@pytest.mark.parametrize("workers", [1, 2, -1])
def test_batches_give_the_arrays_of_the_coefficients(workers):
    """The values are arrays, those of the coefficients to the last bit, for any number of threads."""
    x, y = rankings(5, 3, 12)
    result = cd.compare(x, y, SEVERAL, workers=workers)
    assert result.n == 12
    for name in SEVERAL:
        assert result[name].shape == (5, 3)
        assert result[name].tolist() == cd.coefficient(name)(x, y).tolist(), name


def test_any_axis_may_hold_the_items_of_a_comparison():
    """axis=0 of columns is the comparison of rows; one ranking broadcasts against many."""
    x, y = rankings(4, 12)
    rows = cd.compare(x, y, SEVERAL)
    columns = cd.compare(x.T, y.T, SEVERAL, axis=0)
    one = cd.compare(x[0], y, SEVERAL)
    for name in SEVERAL:
        assert columns[name].tolist() == rows[name].tolist()
        assert one[name].tolist() == [cd.coefficient(name)(x[0], row) for row in y]
    assert dict(cd.compare(x[0], y[0], SEVERAL, axis=0)) == dict(cd.compare(x[0], y[0], SEVERAL))


def test_a_comparison_is_a_mapping():
    """`dict`, `len`, `in` and iteration work as for any mapping of text form to value."""
    result = cd.compare(X, Y, ["tau_b", "tau_e( 0.15 )"])
    assert isinstance(result, Mapping)
    assert dict(result) == {"tau_b": cd.tau_b(X, Y), "tau_e(0.15)": cd.tau_e(X, Y, threshold=0.15)}
    assert list(result) == list(result.keys()) == ["tau_b", "tau_e(0.15)"]
    assert "tau_b" in result
    assert [str(c) for c in result.coefficients] == list(result)
    assert result.notes == ()
    with pytest.raises(KeyError, match="tau_x"):
        result["tau_x"]


@pytest.mark.parametrize("nan_policy", ["propagate", "omit"])
def test_nan_in_a_comparison_is_that_of_the_coefficients(nan_policy):
    """Rows with NaN are nan, or are compared without the item; in one pair and in batches."""
    x, y = rankings(4, 12)
    x[1, 3] = y[2, 0] = math.nan
    result = cd.compare(x, y, SEVERAL, nan_policy=nan_policy)
    for name in SEVERAL:
        np.testing.assert_array_equal(result[name], cd.coefficient(name)(x, y, nan_policy=nan_policy))
        assert np.isnan(result[name]).any() == (nan_policy == "propagate")
    for row in range(4):
        single = cd.compare(x[row], y[row], SEVERAL, nan_policy=nan_policy)
        np.testing.assert_array_equal(list(single.values()), [result[name][row] for name in SEVERAL])
        missing = row in (1, 2)
        assert single.n == 12 - (missing and nan_policy == "omit")
        reason = "NaN in the input" if missing and nan_policy == "propagate" else None
        assert {each.undefined for each in single.compared} == {reason}


def test_nan_in_a_comparison_can_be_an_error_that_says_where():
    """The message begins with compare."""
    with pytest.raises(cd.ArgumentError, match=r"compare: x is NaN at index \(1, 0\)"):
        cd.compare([[1, 2], [math.nan, 1]], [1, 2], "tau_b", nan_policy="raise")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"axis": 1}, "compare: axis 1 does not exist"),
        ({"axis": None}, "compare: axis must be an integer, got None"),
        ({"workers": 0}, "compare: workers must be 1 or more"),
        ({"workers": True}, "compare: workers must be 1 or more"),
        ({"axis": -1.0}, "compare: axis must be an integer, got -1.0"),
        ({"workers": "2"}, "compare: workers must be 1 or more"),
        ({"nan_policy": "drop"}, "compare: nan_policy must be"),
        ({"nan_policy": None}, "compare: nan_policy must be"),
        ({"nan_policy": []}, "compare: nan_policy must be"),
    ],
)
def test_wrong_options_of_a_comparison_are_refused(options, message):
    """Also where two plain arrays would need none of them."""
    with pytest.raises(cd.ConcordantError, match=message):
        cd.compare(X, Y, ["tau_b"], **options)


def test_a_batch_prints_the_number_of_values():
    """An array has no room in a table."""
    x, y = rankings(4, 12)
    assert "4 values" in str(cd.compare(x, y, ["tau_b"]))


def test_an_empty_batch_and_no_coefficients():
    """Nothing to compare gives arrays of nothing, and nothing to compute an empty mapping."""
    nothing = cd.compare(np.zeros((0, 3)), np.zeros((0, 3)), ["tau_b"])
    assert (nothing["tau_b"].shape, nothing.n) == ((0,), 3)
    assert dict(cd.compare(X, Y, [])) == {}
