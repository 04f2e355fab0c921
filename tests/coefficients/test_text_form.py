"""Coefficients as text: reading, printing, cuts."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, strategies as st

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
    ("tau_ap_a(0.1, symmetric=True)", "tau_ap_a(0.1, symmetric)"),
    ("tau_gap(symmetric, 0.1)", "tau_gap(0.1, symmetric)"),
    ("tau_b(5%)", "tau_b(5%)"),
    ("tau_b( 5 % of the larger , 0.1)", "tau_b(5% of larger, 0.1)"),
    ("tau_b(0.10%, 0.1%)@3", "tau_b(0.1%)@3"),
    ("tau_b(0%)", "tau_b"),
    ("tau_ap_b(walks=y)", "tau_ap_b(walks=y)"),
    ("tau_h(rank=x)", "tau_h(rank=x)"),
    ("pearson_rank(scale=none)", "pearson_rank(scale=none)"),
    ("tau_ap_a(form=two_term)", "tau_ap_a(form=two_term)"),
    ("tau_ap_a(symmetric=False)", "tau_ap_a"),
    ("tau_ac(a=-0.5, max_grade=3)", "tau_ac(a=-0.5, max_grade=3)"),
]


@pytest.mark.parametrize(("text", "canonical"), FORMS)
def test_text_is_read_and_printed_back(text, canonical):
    """`coefficient` reads any spelling, and `str` gives one, which reads back as the same."""
    c = cd.coefficient(text)
    assert str(c) == canonical
    assert cd.coefficient(canonical) == c
    assert cd.coefficient(c) is c


@given(st.floats(0, 1e6), st.floats(0, 1e6), st.one_of(st.none(), st.integers(1, 1000)))
def test_every_canonical_form_reads_back_the_same(w_x, w_y, top):
    """Any thresholds and any cut survive being written and read."""
    c = cd.coefficient(f"tau_ap_b({w_x!r}, {w_y!r})" + (f"@{top}" if top else ""))
    assert cd.coefficient(str(c)) == c
    assert c.threshold == (w_x, w_y)


def test_bound_options_are_used():
    """The options in the text are those of the function."""
    assert cd.coefficient("tau_b(0.15)")(X, Y) == cd.tau_b(X, Y, threshold=0.15)
    assert cd.coefficient("tau_b(0.15, 0.05)")(X, Y) == cd.tau_b(X, Y, threshold=(0.15, 0.05))
    assert cd.coefficient("tau_ap_b(0.15, tied=neutral)")(X, Y) == cd.tau_ap_b(
        X, Y, threshold=0.15, tied="neutral"
    )
    assert cd.coefficient("tau_ap_b(0.15, tied=neutral)")(X, Y) != cd.tau_ap_b(X, Y, threshold=0.15)
    assert cd.coefficient(cd.tau_b).name == "tau_b"


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6, 100])
def test_the_top_k_of_the_reference_keeps_ties_at_the_cut(k):
    """The third and fourth of X are tied: @3 keeps four items."""
    kept = {2: 2, 3: 4, 4: 4, 5: 5, 6: 6, 100: 6}[k]
    assert cd.coefficient(f"tau_ap_e@{k}")(X, Y) == cd.tau_ap_e(X[:kept], Y[:kept])


def test_the_cut_does_not_depend_on_the_threshold():
    """@2 keeps two items also if the threshold ties more."""
    assert cd.coefficient("tau_e(0.5)@2")(X, Y) == cd.tau_e(X[:2], Y[:2], threshold=0.5)


@pytest.mark.parametrize("k", [10**30, 2**63 - 1])
def test_a_cut_beyond_the_end_keeps_everything(k):
    """@k may exceed the number of items, and any integer type."""
    assert cd.coefficient(f"tau_b@{k}")(X, Y) == cd.tau_b(X, Y)
    assert cd.grouped(X, Y, [0] * 6, f"tau_b@{k}").tolist() == [cd.tau_b(X, Y)]


def test_the_top_of_batches_and_groups():
    """The cut is made in each row and each group by itself."""
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 8, (40, 12)) / 10, rng.random((40, 12))
    c = cd.coefficient("tau_ap_a@5")
    single = [c(a, b) for a, b in zip(x, y, strict=True)]
    assert c(x, y).tolist() == single
    assert cd.grouped(x.ravel(), y.ravel(), np.repeat(np.arange(40), 12), "tau_ap_a@5").tolist() == single


def test_the_top_with_nan():
    """NaN anywhere in the reference leaves its order unknown: nan. Left out, the next item moves up."""
    x, y = [4.0, 3.0, math.nan, 2.0, 1.0], [1.0, 2.0, 9.0, 3.0, 4.0]
    c = cd.coefficient("tau_a@3")
    assert math.isnan(c(x, y))
    assert c(x, y, nan_policy="omit") == cd.tau_a([4, 3, 2], [1, 2, 3])
    with pytest.raises(cd.ArgumentError, match="tau_a: x is NaN at position 2"):
        c(x, y, nan_policy="raise")


def test_errors_after_a_cut_name_the_original_place():
    """Places in messages are those of the ranking as it was given."""
    with pytest.raises(cd.TiesError, match=r"position 3, position 4 at 0\.5"):
        cd.coefficient("tau@3")([0.1, 0.2, 0.9, 0.8, 0.7], [1, 2, 3, 0.5, 0.5])


WRONG = [
    ("tau_apx", "there is no coefficient 'tau_apx'; did you mean tau_ap"),
    ("kendalls", "there is no coefficient 'kendalls'"),
    ("correlation", "there is no coefficient 'correlation'"),
    ("", "cannot read ''"),
    ("tau_b(0.05", "cannot read"),
    ("tau_b@", "cannot read"),
    ("tau_b@-3", "cannot read"),
    ("tau_b@0", "keeps no item"),
    ("tau_b(-1)", "threshold must be a number >= 0"),
    ("tau_b(nan)", "threshold must be a number >= 0"),
    ("tau_b(a)", "'tau_b\\(a\\)': 'a' is neither a threshold nor an option"),
    ("tau_b(0,05)", "0,05 has a decimal comma; write 0.05 for one threshold, or \\(0, 5\\) for a pair"),
    ("tau_b(0,05)@10", "0,05 has a decimal comma"),
    ("tau_b(threshold=0,01)", "0,01 has a decimal comma; write 0.01"),
    ("tau_ap_b(1, 007, tied=neutral)", "1,007 has a decimal comma; write 1.007"),
    ("tau_b(0,05,0,01)", "0,05 has a decimal comma"),
    ("tau_b(0.1, 05)", "05 has a leading zero; write 5, or 0.05 with a point"),
    ("tau_b(05)", "05 has a leading zero"),
    ("tau_b(1, 2, 3)", "there are 3 thresholds; give one, or one for x and one for y"),
    ("tau(0.1)", "'tau\\(0.1\\)': tau takes no threshold; these do: tau_a, tau_b"),
    ("tau_b(tied=neutral)", "tau_b has no option 'tied'; its options are: none"),
    ("tau_ap_b(ties=neutral)", "tau_ap_b has no option 'ties'; its options are: tied"),
    ("tau_ap_b(tied=zero)", "tied must be 'discordant' or 'neutral', got 'zero'"),
    ("tau_b(axis=0)", "tau_b has no option 'axis'"),
    ("tau_ap_b(tied=neutral, tied=neutral)", "the option 'tied' is given twice"),
    ("tau_ac@10", "tau_ac has no top k, as 'tau_ac@10' asks; cut its lists instead"),
    ("pearson_r(0.1)", "pearson_r takes no threshold"),
    ("tau_b(-5%)", "threshold must be a number >= 0, a percentage such as '5%'"),
    ("tau_b(five%)", "threshold must be"),
    ("tau_b(inf%)", "threshold must be"),
    ("tau_b(100% of larger)", "threshold must be"),
    ("tau_b(5% of both)", "threshold must be"),
    ("rbo(threshold=5%)", "threshold must be a number >= 0 or a pair"),
    ("tau_ap_b(walks=z)", "walks must be 'both', 'x' or 'y', got 'z'"),
    ("tau_h(rank=xy)", "rank must be 'both', 'x' or 'y', got 'xy'"),
    ("pearson_rank(scale=max)", "scale must be 'minmax' or 'none', got 'max'"),
    ("tau_ap_a(form=three)", "form must be 'sign' or 'two_term', got 'three'"),
    (
        "tau_ap(both)",
        "'both' is neither a threshold nor an option; write .* name\\(5%\\) .* name\\(symmetric\\)",
    ),
    ("tau_gap(symmetric=maybe)", "symmetric must be True or False"),
    ("tau_sc(a=foo)", "a must be a number, the score of a tie in one list only, got 'foo'"),
    ("tau_ac(max_grade=2.5)", "max_grade must be the largest grade of the scale, 0 or more, got 2.5"),
]


HABITS = [
    *[("kendall", "tau_b"), ("kendalltau", "tau_b"), ("Kendall's-tau", "tau_b"), ("kendall@10", "tau_b@10")],
    *[("TAU_B", "tau_b"), ("tau-b(0.1)", "tau_b(0.1)"), ("tauap_b", "tau_ap_b"), ("tau_apb", "tau_ap_b")],
    *[
        ("tauap", "tau_ap"),
        ("ap_correlation", "tau_ap"),
        ("spearman", "spearman_rho"),
        ("rho", "spearman_rho"),
    ],
    *[("spearmanr", "spearman_rho"), ("pearson", "pearson_r"), ("pearsonr", "pearson_r"), ("RBO", "rbo")],
    *[
        ("weightedtau", "tau_h"),
        ("rank-biased-overlap", "rbo"),
        ("tauap_b(tied=neutral)@5", "tau_ap_b(tied=neutral)@5"),
    ],
]


@pytest.mark.parametrize(("text", "name"), HABITS)
def test_other_usual_names_are_understood(text, name):
    """It is the same coefficient, called by its name here, and it remembers the other name for a note."""
    found = cd.coefficient(text)
    assert (str(found), found.asked) == (name, text)
    assert found == cd.coefficient(name)
    assert cd.coefficient(name).asked == ""
    assert pickle.loads(pickle.dumps(found)) == found


def test_a_note_tells_what_another_name_is_called_here():
    x = {"q1": {"a": 1, "b": 2, "c": 3}, "q2": {"a": 1, "b": 3, "c": 2}}
    told = "kendall@2 is called tau_b@2 here"
    for result in (
        cd.correlate(x, {"y": x}, ["kendall@2", "tau_b@2"], resampling=None),
        cd.judge(x, {"y": x}, "kendall@2", resampling=None),
        cd.by_topic(x, x, "kendall@2", resampling=None),
        cd.explain(cd.Study(x, {"y": x}), coefficients="kendall@2"),
        cd.sweep(x, x, "kendall@2"),
        cd.matrix({"x": [1, 2, 3], "y": [1, 3, 2]}, "kendall@2"),
    ):
        assert [str(note) for note in result.notes].count(told) == 1, type(result)


def test_the_name_of_a_function_of_the_user_comes_first():
    @cd.register()
    def kendall(x, y):
        return 0.5

    try:
        assert cd.coefficient("kendall")([1, 2], [1, 2]) == 0.5
    finally:
        del cd.REGISTRY["kendall"]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_wrong_text_says_what_is_wrong(text, message):
    """One sentence, which begins with the name of the function."""
    with pytest.raises((cd.ArgumentError, cd.ArgumentTypeError), match=message) as caught:
        cd.coefficient(text)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("coefficient: ")


def test_coefficient_takes_text_or_functions_only():
    """Other things are refused with what is wanted."""
    with pytest.raises(cd.ArgumentTypeError, match="coefficient: a coefficient is a name"):
        cd.coefficient(3)


def test_a_coefficient_can_be_pickled():
    """A coefficient travels by name, or by its function, and arrives as the same."""
    for c in (cd.coefficient("tau_ap_b(0.05)@10"), cd.coefficient("tau_b"), cd.coefficient(math.hypot)):
        assert pickle.loads(pickle.dumps(c)) == c
    assert pickle.loads(pickle.dumps(cd.tau_b)) is cd.tau_b
