"""Explanations: what they name, how they read, and how they stand up to odd scores."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import concordant as cd
from concordant.rankings.compiled import core

SCORES = [c.name for c in cd.REGISTRY.values() if c.inputs == "scores"]


def kinds(notes):
    return [note.kind for note in notes]


def shares(why):
    """Return the costs of the items in the order of their positions."""
    by = {each.item: each.cost for each in why.items}
    return np.array([by[item] for item in sorted(by)])


def test_graded_items_need_grades_and_others_take_none():
    """Grades are aligned by label; given or missing in the wrong place they are one sentence."""
    x, y, grades = {"a": 3, "b": 2, "c": 1}, {"c": 3, "b": 2, "a": 1}, {"b": 0, "a": 1, "c": 2}
    why = cd.explain(x, y, "tau_dw", grades=grades)
    assert why.value == cd.tau_dw(x, y, grades)
    assert {why.pairs[0].better, why.pairs[0].worse} == {"a", "b"}
    with pytest.raises(
        cd.ArgumentTypeError, match=r"^explain: tau_dw needs the grades of the items.*grades="
    ):
        cd.explain(x, y, "tau_dw")
    with pytest.raises(cd.ArgumentTypeError, match=r"^explain: tau_b takes no grades"):
        cd.explain(x, y, "tau_b", grades=grades)


@pytest.mark.parametrize("name", SCORES)
def test_a_perfect_estimate_costs_nothing(name):
    """No costs, no pairs, no removals, and a sentence that says so."""
    x = np.random.default_rng(1).permutation(50).astype(float)
    why = cd.explain(x, x, name)
    assert not shares(why).any()
    assert why.pairs == ()
    assert why.removals == ()
    assert why.verdict == (f"{name} is 1.00, over 50 items.", "No pair lowers it.")


@pytest.mark.parametrize("name", ["tau_b", "tau_ap_a(0.3)", "tau_h", "tau_gap", "tau_ap_e"])
def test_shares_follow_their_items(name):
    """The order in which the items come does not matter."""
    rng = np.random.default_rng(2)
    x, y = rng.integers(0, 9, (2, 40)) / 4.0
    order = rng.permutation(40)
    one, other = cd.explain(x, y, name), cd.explain(x[order], y[order], name)
    np.testing.assert_allclose(shares(other), shares(one)[order], atol=1e-15)


@pytest.mark.parametrize("name", ["tau_b", "tau_ap_b(0.1)", "tau_gap", "pearson_rank", "tau_ap_b@15"])
def test_removals_are_those_of_leaving_each_item_out(name):
    """The best values over all items left out in turn, best first."""
    rng = np.random.default_rng(3)
    x = rng.random(30)
    y = x + rng.random(30)
    c = cd.coefficient(name)
    why = cd.explain(x, y, c, most=4)
    without = [c(np.delete(x, i), np.delete(y, i)) for i in range(30)]
    best = sorted(range(30), key=lambda i: -without[i])[:4]
    assert [r.item for r in why.removals] == best
    for r in why.removals:
        assert r.value == pytest.approx(without[r.item])
        assert r.gain == pytest.approx(without[r.item] - why.value)
        assert r.gain > 0


def test_sentences_name_the_items():
    """Pairs and removals are named by label, in sentences and tables."""
    human = {"bm25+rm3": 0.341, "colbert": 0.300, "ql": 0.1}
    estimate = {"colbert": 0.412, "bm25+rm3": 0.400, "ql": 0.2}
    why = cd.explain(human, estimate, "tau_ap")
    (pair,) = why.pairs
    assert (pair.better, pair.worse, pair.cost) == ("bm25+rm3", "colbert", 1.0)
    assert (pair.reference_difference, pair.estimate_difference) == pytest.approx((0.041, -0.012))
    assert (why.removals[0].item, why.removals[0].value, why.removals[0].gain) == ("bm25+rm3", 1.0, 1.0)
    assert why.verdict == (
        "tau_ap is 0.00, over 3 items.",
        "Only one pair lowers it: bm25+rm3 and colbert, by 1.00.",
        "Without bm25+rm3 or colbert it is higher by 1.00.",
    )
    assert [table.name for table in why.tables] == ["explained", "pairs", "removals", "items"]
    first = why.table("items").to_dicts()[0]
    assert (first["item"], first["cost"], first["share"], first["measure"]) == ("bm25+rm3", 0.5, 0.5, None)
    assert list(why) == list(why.explained)
    told = json.loads(why.to_json())
    assert told["function"] == "explain"
    assert told["tables"]["removals"][0]["item"] == "bm25+rm3"


def test_several_coefficients_are_explained_together():
    """Each has the records of a call of its own; its notes begin with its name."""
    x, y = np.random.default_rng(1).random((2, 8))
    names = ["tau_b", "tau_ap_b", "tau_gap"]
    why = cd.explain(x, y, names, most=2)
    assert [str(each.coefficient) for each in why.explained] == names
    for name in names:
        alone = cd.explain(x, y, name, most=2)
        for table in ("explained", "pairs", "removals", "items"):
            own = tuple(each for each in getattr(why, table) if str(each.coefficient) == name)
            assert own == getattr(alone, table)
    assert all(str(note).startswith(tuple(names)) for note in why.notes)
    with pytest.raises(cd.ArgumentTypeError, match=r"^explain: takes two rankings"):
        cd.explain(x)


def test_pairs_of_equal_cost_come_by_their_difference():
    """Of pairs that cost the same, those that the reference sets furthest apart come first."""
    x = [10.0, 9.0, 5.0, 1.0]
    why = cd.explain(x, x[::-1], "tau_b", most=6)
    assert [(p.better, p.worse) for p in why.pairs[:3]] == [(0, 3), (1, 3), (0, 2)]
    assert (why.explained[0].costly_pairs, why.explained[0].most_costly) == (6, 6)
    said = "Of 6 pairs that lower it, item 0 and item 3 lower it most: by 0.33, as much as 5 other pairs."
    assert why.verdict[1] == said


def test_pairs_are_not_listed_if_more_cost_the_same():
    """A note says how many there are, whether others cost less, and what each costs."""
    x = [10.0, 9.0, 5.0, 1.0]
    why = cd.explain(x, x[::-1], "tau_b", most=3)
    assert (why.pairs, why.explained[0].costly_pairs) == ((), 6)
    (note,) = why.notes
    assert note.kind == "pairs_cost_the_same"
    assert note.values == {"pairs": 6, "cost": pytest.approx(1 / 3), "all": True}
    each = "Each of the 6 pairs that lower it costs 0.3333, so none is listed."
    assert why.verdict == ("tau_b is -1.00, over 4 items.", each)
    tied = cd.explain([4.0, 3.0, 2.0, 2.0], [1.0, 2.0, 3.0, 4.0], "tau_a", most=3)
    (note,) = tied.notes
    assert (note.values["pairs"], tied.explained[0].costly_pairs, note.values["all"]) == (5, 6, False)
    assert tied.verdict[1] == "The 5 most costly pairs cost the same, 0.3333 each, so none is listed."


def test_pairs_of_different_costs_are_listed():
    """Also if the last of them cost the same as others."""
    why = cd.explain([4.0, 3.0, 2.0, 1.0], [1.0, 2.0, 3.0, 4.0], "tau_ap", most=2)
    every = cd.explain([4.0, 3.0, 2.0, 1.0], [1.0, 2.0, 3.0, 4.0], "tau_ap", most=6)
    assert why.pairs == every.pairs[:2]
    assert why.pairs[0].cost > every.pairs[-1].cost
    assert why.notes == ()


def test_scores_are_explained_by_their_means():
    """Scores over topics stand for the means of their systems."""
    values = np.random.default_rng(0).random((2, 10, 5))
    one, other = (cd.Scores(v, systems=list("abcde")) for v in values)
    found = cd.explain(one, other, "tau_b").pairs
    plain = cd.explain(one.mean(), other.mean(), "tau_b").pairs
    assert [(p.better, p.worse, p.cost) for p in found] == [(p.better, p.worse, p.cost) for p in plain]


def test_of_very_many_items_the_costliest_are_looked_at():
    """Two items exchanged among 3000 are found, and the notes say where was looked."""
    rng = np.random.default_rng(5)
    x = np.arange(3000.0)
    y = x + rng.random(3000)
    y[[10, 2990]] = y[[2990, 10]]
    why = cd.explain(x, y, "tau_b", most=2)
    assert why.pairs == ()  # each of those that the two are in costs the same
    assert {r.item for r in why.removals} == {10, 2990}
    assert math.fsum(shares(why)) == 1 - why.value
    assert kinds(why.notes) == ["pairs_among", "pairs_cost_the_same", "removed_among"]
    assert [why.notes[k].values for k in (0, 2)] == [{"items": 200}, {"items": 200}]
    assert why.notes[1].values["pairs"] == why.explained[0].costly_pairs


def test_a_function_of_ones_own_has_removals_only():
    """What is not known to be a sum over pairs has no shares, and says so."""

    def same_winner(x, y):
        return float(x.argmax() == y.argmax())

    why = cd.explain([3, 2, 1], [2, 3, 1], same_winner)
    assert (why.items, why.pairs, why.explained[0].costly_pairs) == (None, (), None)
    assert [r.item for r in why.removals] == [0, 1]
    assert (kinds(why.notes), why.notes[0].values) == (["not_a_sum"], {"coefficient": "same_winner"})
    assert "not known to be a sum over pairs" in repr(why)
    assert [table.name for table in why.tables] == ["explained", "pairs", "removals"]


def test_very_many_items_of_a_function_of_ones_own_are_not_left_out():
    """Without shares nothing says which of 2001 items to try."""
    x = np.arange(2001.0)
    why = cd.explain(x, x[::-1], lambda a, b: float(np.sign(a[0] - b[0])))
    assert why.removals == ()
    assert kinds(why.notes) == ["not_a_sum", "too_many_to_remove"]
    assert why.notes[1].values == {"items": 2001}


def test_nan_is_refused_with_advice_that_can_be_followed():
    """There is no nan_policy to recommend here."""
    with pytest.raises(cd.ArgumentError, match=r"^explain: y is NaN at position 0; drop the item$"):
        cd.explain([1, 2], [math.nan, 2], "tau_b")


def test_what_has_no_value_is_not_explained():
    """There are no costs, and the reason is in a note; refused ties and wrong numbers are errors."""
    with pytest.warns(cd.UndefinedWarning, match="tied"):
        why = cd.explain([1, 1], [1, 2], "tau_b")
    assert why.items == why.pairs == ()
    assert why.explained[0].undefined == "all items are tied in x or in y"
    assert str(why.notes[0]) == "undefined: all items are tied in x or in y"
    with pytest.raises(cd.TiesError):
        cd.explain([1, 1], [1, 2], "tau")
    with pytest.raises(cd.ArgumentError, match=r"^explain: most must be a whole number from 0 up"):
        cd.explain([1, 2], [1, 2], "tau_b", most=-1)


def test_no_pairs_are_listed_if_none_are_asked_for():
    """They are still counted."""
    why = cd.explain([3, 2, 1], [2, 3, 1], "tau_b", most=0)
    assert why.pairs == why.removals == ()
    assert why.explained[0].costly_pairs == 1
    assert why.verdict == ("tau_b is 0.33, over 3 items.",)


@pytest.mark.parametrize("factor", [1e-300, 1e300])
@pytest.mark.parametrize("name", ["tau_gap", "pearson_r", "pearson_rank"])
def test_very_small_and_very_large_scores_are_explained_alike(name, factor):
    """The unit of the scores does not matter."""
    rng = np.random.default_rng(6)
    x, y = rng.random((2, 20))
    one, other = cd.explain(x, y, name), cd.explain(x * factor, y * factor, name)
    np.testing.assert_allclose(shares(other), shares(one), atol=1e-12)


@pytest.mark.parametrize(
    ("place", "ends", "before"),
    [
        ([0, 2], [1, 2], [1, 1]),
        ([0, 1], [2, 1], [1, 1]),
        ([0, 1], [1, 3], [1, 1]),
        ([0, 1], [1, 2], [1, 3]),
        ([-1, 1], [1, 2], [1, 1]),
    ],
)
def test_the_core_refuses_places_and_ends_beyond_the_items(place, ends, before):
    """These come from the package only; a mistake there must not read foreign memory."""
    integers = [np.array(values) for values in (place, [1, 1], ends, before)]
    with pytest.raises(ValueError, match="places and ends"):
        core.sums_before(*integers, np.empty(2, dtype=np.int64))


def test_an_offset_does_not_matter():
    """Scores that share twelve leading digits are explained as those without."""
    d, y = np.array([0, 1, 2, 3, 4, 5, 7]) / 64, [3, 0, 6, 1, 2, 5, 4.0]
    for name in ("pearson_r", "tau_gap"):
        one, other = cd.explain(d, y, name), cd.explain(1e12 + d, y, name)
        np.testing.assert_allclose(shares(other), shares(one), atol=1e-12)


def test_perfect_correlation_up_to_rounding_costs_nothing():
    """A line through all points, whose correlation rounds to a little less than 1."""
    x = np.random.default_rng(0).random(8)
    why = cd.explain(x, 3.7 * x + 0.1, "pearson_r")
    assert shares(why).max() <= 1e-15
    assert shares(why).min() >= 0
    assert why.verdict[1:] == ("No pair lowers it.",)


def test_vectors_of_very_small_gaps_have_a_length():
    """One huge score does not make the lengths of the others vanish."""
    one, other = (cd.explain([4, 3, 2, 1, 0], [1, 3, 2, high, 0], "pearson_rank") for high in (1e100, 1e200))
    np.testing.assert_allclose(shares(other), shares(one), atol=1e-9)


def test_very_small_scores_have_gaps():
    """Nearly the smallest doubles there are."""
    one, other = (
        cd.explain(np.array([3, 1, 2, 2.5]) * factor, [1, 2, 2, 4], "tau_gap") for factor in (1, 1e-310)
    )
    np.testing.assert_allclose(shares(other), shares(one), atol=1e-6)  # these doubles have few digits


@pytest.mark.parametrize("n", [500, pytest.param(2000, marks=pytest.mark.slow)])
def test_many_pairs_of_the_same_cost_are_counted(n):
    """Up to two million of them, in any order of the items."""
    x = np.arange(float(n))[::-1]
    order = np.concatenate([np.arange(n // 5, n - n // 5), np.arange(n // 5), np.arange(n - n // 5, n)])
    why = cd.explain(x[order], -x[order], "tau_a", most=1)
    assert (why.notes[0].values["pairs"], why.pairs) == (n * (n - 1) // 2, ())


def test_removals_keep_the_scale_of_all_grades():
    """Without the only item of the top grade, the scale is still that of all."""
    x, y = [3, 1, 0, 1, 0, 1, 0, 1], [3, 0, 1, 0, 0, 1, 1, 0]
    inferred, given = cd.explain(x, y, "tau_sc"), cd.explain(x, y, "tau_sc(max_grade=3)")
    assert [(r.item, r.value) for r in inferred.removals] == [(r.item, r.value) for r in given.removals]
