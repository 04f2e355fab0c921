"""Coefficients as text, several at once, and a user's own."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import concordant as cd

X = [0.9, 0.8, 0.7, 0.7, 0.5, 0.1]
Y = [0.7, 0.8, 0.5, 0.4, 0.6, 0.2]

FORMS = [
    ("tau_ap_b", "tau_ap_b"),
    ("  tau_ap_b ( 0.050 ) @ 10 ", "tau_ap_b(0.05)@10"),
    ("tau_b(0.05, 0.01)@10", "tau_b(0.05, 0.01)@10"),
    ("tau_b(0.05,0.05)", "tau_b(0.05)"),
    ("tau_b(0)", "tau_b"),
    ("tau_b()", "tau_b"),
    ("tau_b(1e-3)", "tau_b(0.001)"),
    ("tau_b(0.1234567891)", "tau_b(0.1234567891)"),
    ("tau_b(inf)", "tau_b(inf)"),
    ("tau_ap_b(tied=neutral)", "tau_ap_b(tied=neutral)"),
    ("tau_ap_b(tied=neutral, 0.1)", "tau_ap_b(0.1, tied=neutral)"),
    ("tau_ap_b(0.1, tied=discordant)", "tau_ap_b(0.1)"),
    ("tau_b(threshold=0.1)", "tau_b(0.1)"),
    ("tau_ap_a(0.1, symmetric=True)", "tau_ap_a(0.1, symmetric=True)"),
    ("tau_ap_a(symmetric=False)", "tau_ap_a"),
    ("tau_ac(a=-0.5, max_grade=3)", "tau_ac(a=-0.5, max_grade=3)"),
]


@pytest.mark.parametrize(("text", "canonical"), FORMS)
def test_text_is_read_and_printed_back(text, canonical):
    c = cd.get(text)
    assert str(c) == canonical
    assert cd.get(canonical) == c
    assert cd.get(c) is c


@given(st.floats(0, 1e6), st.floats(0, 1e6), st.one_of(st.none(), st.integers(1, 1000)))
def test_every_canonical_form_reads_back_the_same(w_x, w_y, top):
    c = cd.get(f"tau_ap_b({w_x!r}, {w_y!r})" + (f"@{top}" if top else ""))
    assert cd.get(str(c)) == c
    assert c.threshold == (w_x, w_y)


def test_bound_options_are_used():
    assert cd.get("tau_b(0.15)")(X, Y) == cd.tau_b(X, Y, threshold=0.15)
    assert cd.get("tau_b(0.15, 0.05)")(X, Y) == cd.tau_b(X, Y, threshold=(0.15, 0.05))
    assert cd.get("tau_ap_b(0.15, tied=neutral)")(X, Y) == cd.tau_ap_b(X, Y, threshold=0.15, tied="neutral")
    assert cd.get("tau_ap_b(0.15, tied=neutral)")(X, Y) != cd.tau_ap_b(X, Y, threshold=0.15)
    assert cd.get(cd.tau_b).name == "tau_b"


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6, 100])
def test_the_top_k_of_the_reference_keeps_ties_at_the_cut(k):
    """The third and fourth of X are tied: @3 keeps four items."""
    kept = {2: 2, 3: 4, 4: 4, 5: 5, 6: 6, 100: 6}[k]
    assert cd.get(f"tau_ap_e@{k}")(X, Y) == cd.tau_ap_e(X[:kept], Y[:kept])


def test_the_cut_does_not_depend_on_the_threshold():
    assert cd.get("tau_e(0.5)@2")(X, Y) == cd.tau_e(X[:2], Y[:2], threshold=0.5)


@pytest.mark.parametrize("k", [10**30, 2**63 - 1])
def test_a_cut_beyond_the_end_keeps_everything(k):
    assert cd.get(f"tau_b@{k}")(X, Y) == cd.tau_b(X, Y)
    assert cd.grouped(X, Y, [0] * 6, f"tau_b@{k}").tolist() == [cd.tau_b(X, Y)]


def test_the_top_of_batches_and_groups():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 8, (40, 12)) / 10, rng.random((40, 12))
    c = cd.get("tau_ap_a@5")
    single = [c(a, b) for a, b in zip(x, y, strict=True)]
    assert c(x, y).tolist() == single
    assert cd.grouped(x.ravel(), y.ravel(), np.repeat(np.arange(40), 12), "tau_ap_a@5").tolist() == single


def test_the_top_with_nan():
    """NaN anywhere in the reference leaves its order unknown: nan. Left out, the next item moves up."""
    x, y = [4.0, 3.0, math.nan, 2.0, 1.0], [1.0, 2.0, 9.0, 3.0, 4.0]
    c = cd.get("tau_a@3")
    assert math.isnan(c(x, y))
    assert c(x, y, nan_policy="omit") == cd.tau_a([4, 3, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="tau_a: x is NaN at position 2"):
        c(x, y, nan_policy="raise")


def test_errors_after_a_cut_name_the_original_place():
    with pytest.raises(cd.TiesError, match=r"position 3, position 4 at 0\.5"):
        cd.get("tau@3")([0.1, 0.2, 0.9, 0.8, 0.7], [1, 2, 3, 0.5, 0.5])


WRONG = [
    ("tau_apb", "there is no coefficient 'tau_apb'; did you mean tau_ap_b"),
    ("kendall", "there is no coefficient 'kendall'"),
    ("", "cannot read ''"),
    ("tau_b(0.05", "cannot read"),
    ("tau_b@", "cannot read"),
    ("tau_b@-3", "cannot read"),
    ("tau_b@0", "keeps no item"),
    ("tau_b(-1)", "threshold must be a number >= 0"),
    ("tau_b(nan)", "threshold must be a number >= 0"),
    ("tau_b(a)", "'a' in 'tau_b\\(a\\)' is neither a threshold nor an option"),
    ("tau_b(1, 2, 3)", "has 3 thresholds; give one, or one for x and one for y"),
    ("tau(0.1)", "tau takes no threshold, as 'tau\\(0.1\\)' asks; these do: tau_a, tau_b"),
    ("tau_b(tied=neutral)", "tau_b has no option 'tied'; its options are: none"),
    ("tau_ap_b(ties=neutral)", "tau_ap_b has no option 'ties'; its options are: tied"),
    ("tau_ap_b(tied=zero)", "tied must be 'discordant' or 'neutral', got 'zero'"),
    ("tau_b(axis=0)", "tau_b has no option 'axis'"),
    ("TAU_B", "did you mean tau_b"),
    ("tau_ap_b(tied=neutral, tied=neutral)", "gives the option 'tied' twice"),
    ("tau_ac@10", "tau_ac has no top k, as 'tau_ac@10' asks; cut its lists instead"),
    ("tau_gap(0.1)", "tau_gap takes no threshold"),
    ("tau_gap(symmetric=maybe)", "symmetric must be True or False"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_wrong_text_says_what_is_wrong(text, message):
    with pytest.raises((ValueError, TypeError), match=message):
        cd.get(text)


def test_get_takes_text_or_functions_only():
    with pytest.raises(TypeError, match="a coefficient is a name"):
        cd.get(3)


def test_a_coefficient_can_be_pickled():
    for c in (cd.get("tau_ap_b(0.05)@10"), cd.get("tau_b"), cd.get(math.hypot)):
        assert pickle.loads(pickle.dumps(c)) == c
    assert pickle.loads(pickle.dumps(cd.tau_b)) is cd.tau_b


# --- a user's own ---


@pytest.fixture
def own():
    @cd.coefficient(question="do the k best agree?", symmetric=True, bounds=(0, 1))
    def overlap(x, y, *, k=2, threshold=0.0):
        assert x.dtype == y.dtype == np.float64
        assert x.ndim == y.ndim == 1
        best = [set(np.argsort(-v)[: int(k)].tolist()) for v in (x, y)]
        return len(best[0] & best[1]) / k

    yield overlap
    del cd.REGISTRY["overlap"]


def test_a_users_own_coefficient_works_everywhere(own):
    assert own([3, 2, 1] * np.ones(3), np.ones(3) * [3, 1, 2]) == 0.5  # the function is returned untouched
    c = cd.get("overlap(k=1)")
    assert str(c) == "overlap(k=1)"
    assert c([3, 2, 1], [3, 1, 2]) == 1.0
    assert c([[3, 2, 1], [1, 2, 3]], [3, 1, 2]).tolist() == [1, 0]
    assert cd.matrix([[3, 2, 1], [1, 2, 3]], "overlap").tolist() == [[1, 0.5], [0.5, 1]]
    assert cd.grouped([3, 2, 1, 2], [3, 2, 2, 1], [0, 0, 1, 1], "overlap(k=1)").tolist() == [1, 0]
    assert cd.compare([3, 2, 1], [3, 1, 2], ["overlap(k=1)", "tau_b"]).to_dict() == {
        "overlap(k=1)": 1,
        "tau_b": 1 / 3,
    }
    assert math.isnan(c([3, math.nan, 1], [3, 1, 2]))
    assert "overlap" in str(cd.compare([3, 2, 1], [3, 1, 2]))


def test_a_users_own_coefficient_may_be_defined_again_but_not_take_our_names(own):
    @cd.coefficient()
    def overlap(x, y):
        return 0.25

    assert cd.get("overlap")([1, 2], [1, 2]) == 0.25
    with pytest.raises(ValueError, match=r"the name 'tau_b' is taken by concordant\.tau_b"):

        @cd.coefficient()
        def tau_b(x, y):
            return 0.0

    with pytest.raises(ValueError, match="is not a name"):
        cd.coefficient()(lambda x, y: 0.0)


def test_options_of_a_users_own_coefficient():
    @cd.coefficient()
    def mine(x, y, *, threshold=0.05, k=3):
        return float(len(x[:k])) + threshold

    try:
        assert cd.get("mine").threshold == (0.05, 0.05)
        assert cd.get("mine(0)")([1, 2, 3, 4], [1, 2, 3, 4]) == 3.0
        assert str(cd.get("mine(0)")) == "mine(0)"
        assert cd.get("mine(k=2)")([1, 2, 3, 4], [1, 2, 3, 4]) == 2.05
    finally:
        del cd.REGISTRY["mine"]


def test_a_users_own_coefficient_cannot_change_the_data():
    def sorts(x, y):
        x.sort()
        return 0.0

    with pytest.raises(ValueError, match="read-only"):
        cd.get(sorts)(np.array([2.0, 1.0]), np.array([2.0, 1.0]))

    def nothing(x, y):
        return None

    with pytest.raises(TypeError, match="nothing: the function must return a number, got None"):
        cd.get(nothing)([1, 2], [1, 2])


def test_wrong_declarations_are_refused():
    with pytest.raises(ValueError, match="ties must be"):
        cd.coefficient(ties="whatever")
    with pytest.raises(ValueError, match="bounds must be the smallest and the largest value"):
        cd.coefficient(bounds=(1, -1))


def test_a_function_with_the_name_of_ours_stays_itself():
    def tau_b(x, y):
        return 0.123

    own = cd.get(tau_b)
    assert own([1, 2], [1, 2]) == 0.123
    assert own.__reduce__()[1] == (tau_b,)
    with pytest.raises(ValueError, match="two of the functions have the same name"):
        cd.compare([1, 2, 3], [1, 3, 2], [tau_b, "tau_b"])


def test_a_plain_function_needs_no_registration():
    def first(x, y):
        return float(x[0] == y[0])

    assert cd.matrix([[1, 2], [1, 3]], first).tolist() == [[1, 1], [1, 1]]
    assert "first" not in cd.REGISTRY


# --- comparison ---


def test_compare_gives_the_values_of_single_calls():
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
    assert result.to_dict() == {name: cd.get(name)(X, Y) for name in names}
    assert result["tau_b( 0.15 )"] == cd.tau_b(X, Y, threshold=0.15)
    assert result.n == 6


def test_compare_prints_as_a_table():
    text = str(cd.compare(X, Y, ["tau_b", "tau_ap_b(0.15)"]))
    assert text.splitlines()[0].split()[:2] == ["coefficient", "value"]
    assert text.splitlines()[2].split()[:2] == ["tau_b", f"{cd.tau_b(X, Y):.4f}"]


def test_compare_in_latex_and_markdown():
    result = cd.compare([3, 2, 1], [1, 2, 3], ["tau_b", "tau_ap_b(0.05)@2", "tau_e(0.1, 0.2)"])
    assert result.to_latex().splitlines() == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"coefficient & value \\",
        r"\midrule",
        r"$\tau_{b}$ & $-1.0000$ \\",
        r"$\tau_{ap,b}^{0.05}@2$ & $-1.0000$ \\",
        r"$\tau_{e}^{0.1,0.2}$ & $-1.0000$ \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    lines = result.to_markdown().splitlines()
    assert lines[1] == "| --- | ---: | --- |"
    assert lines[2].startswith("| tau_b | -1.0000 |")


def test_latex_tells_options_apart():
    result = cd.compare([3, 2, 1], [1, 2, 3], ["tau_gap", "tau_gap(symmetric=True)", "tau_b(inf)"]).to_latex()
    assert r"$\tau_{GAP}\ (\mathrm{symmetric=True})$" in result
    assert r"$\tau_{b}^{\infty}$" in result

    def my_f(x, y):
        return 0.0

    assert r"\mathrm{my\_f}" in cd.compare([1, 2], [1, 2], my_f).to_latex()


def test_compare_takes_a_list():
    with pytest.raises(TypeError, match="coefficients must be a list of names or functions, got 5"):
        cd.compare(X, Y, 5)


def test_compare_as_a_frame():
    pytest.importorskip("pandas")
    frame = cd.compare(X, Y, ["tau_b", "tau_ap_a"]).to_frame()
    assert frame.coefficient.tolist() == ["tau_b", "tau_ap_a"]
    assert frame.value.tolist() == [cd.tau_b(X, Y), cd.tau_ap_a(X, Y)]


def test_compare_by_default_takes_everything_and_says_why_something_has_no_value():
    result = cd.compare(X, Y)
    assert [row.coefficient.name for row in result] == [
        c.name for c in cd.REGISTRY.values() if c.inputs == "scores"
    ]
    assert len(result) == len(result.rows)
    assert repr(result) == str(result)
    notes = {row.coefficient.name: row.note for row in result.rows}
    assert notes["tau"].startswith("x has tied items (position 2, position 3 at 0.7); use tau_a")
    assert math.isnan(result["tau"])
    assert notes["tau_b"] == ""
    constant = {row.coefficient.name: row.note for row in cd.compare([1, 1], [1, 2]).rows}
    assert constant["tau_b"] == "undefined: all items are tied in x or in y"
    missing = cd.compare([1, math.nan], [1, 2])
    assert {row.note for row in missing.rows} == {"NaN in the input"}


def test_compare_refuses_ties_if_asked_for_a_coefficient_that_does():
    with pytest.raises(cd.TiesError, match="tau: x has tied items"):
        cd.compare(X, Y, ["tau", "tau_b"])


def test_compare_takes_two_rankings():
    with pytest.raises(ValueError, match=r"takes two rankings, got batches of shape \(2,\)"):
        cd.compare(np.zeros((2, 3)), np.zeros(3))
    for one in ("tau_b", cd.tau_b, cd.get("tau_b"), ["tau_b", "tau_b"]):
        assert cd.compare(X, Y, one).to_dict() == {"tau_b": cd.tau_b(X, Y)}


def test_compare_counts_the_items_used():
    assert cd.compare([1, 2, math.nan, 4], [1, 2, 3, 4], "tau_b", nan_policy="omit").n == 3
