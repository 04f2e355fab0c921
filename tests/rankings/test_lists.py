"""What people pass as a list of items, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

import concordant as cd

X, Y = ["red", ["blue", "green"], "yellow"], ["blue", "red", "pink"]
VALUE = cd.rbo(X, Y)

SAME_LISTS = {
    "text": "red (blue green) yellow",
    "a tuple": ("red", ("blue", "green"), "yellow"),
    "a set for a tie": ["red", {"blue", "green"}, "yellow"],
    "a frozen set": ["red", frozenset({"blue", "green"}), "yellow"],
    "groups everywhere": [["red"], ["green", "blue"], ["yellow"]],
    "scores": {"yellow": -1, "green": 0.5, "blue": 0.5, "red": 7},
    "a batch of one": None,
    "a generator": None,
    "an array of objects": np.array(["red", ["blue", "green"], "yellow"], dtype=object),
}


@pytest.mark.parametrize("form", SAME_LISTS)
def test_forms_of_the_same_list(form):
    """Each gives the same value."""
    given = SAME_LISTS[form]
    if form == "a generator":
        given = (group for group in X)
    if form == "a batch of one":
        assert cd.rbo(cd.Lists([X]), Y).tolist() == [VALUE]
    else:
        assert cd.rbo(given, Y) == VALUE


def test_series_are_scores_by_name():
    """pandas: the index has the names. polars has no index: its values are the names."""
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    scores = SAME_LISTS["scores"]
    assert cd.rbo(pd.Series(scores), Y) == VALUE
    assert cd.rbo(pl.Series(["blue", "red", "pink"]), X) == VALUE
    assert cd.rbo(pl.Series([3, 1, 2]), [1, 3]) == cd.rbo([3, 1, 2], [1, 3])


def test_runs_of_one_topic_are_lists():
    """A run of several topics is refused, with the functions that take it."""
    run = cd.results.Run("a", {"401": {"d1": 2.0, "d2": 1.0}})
    assert cd.rbo(run, ["d1", "d2"]) == 1
    two = cd.results.Run("a", {"401": {"d1": 2.0}, "402": {"d1": 2.0}})
    with pytest.raises(cd.ArgumentTypeError, match=r"^rbo: x is a run of 2 topics; .*compare_runs"):
        cd.rbo(two, ["d1"])


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint16, np.uint64])
def test_arrays_of_integers_are_items(dtype):
    """By value, whatever their type; Python's integers are the same items."""
    x, y = np.array([5, 3, 9], dtype=dtype), np.array([3, 5, 1], dtype=dtype)
    expected = cd.rbo([5, 3, 9], [3, 5, 1])
    assert cd.rbo(x, y) == expected
    assert cd.rbo(x, [3, 5, 1]) == expected
    assert cd.rbo(x.reshape(1, -1), y).tolist() == [expected]
    assert cd.rbo(np.array([5, 0, 3, 0, 9], dtype=dtype)[::2], y) == expected


@pytest.mark.parametrize("spread", [1, 1_000_003, 2**40])
def test_integers_near_and_far_apart(spread):
    """The table by value and the hash table give the same as names do."""
    rng = np.random.default_rng(spread)
    x, y = (rng.permutation(3000)[:2000] * spread - 2**61 for _ in range(2))
    names = [str(v) for v in x.tolist()], [str(v) for v in y.tolist()]
    assert cd.rbo(x, y, p=0.999) == cd.rbo(*names, p=0.999)
    assert cd.kendall_distance(x, y) == cd.kendall_distance(*names)
    extremes = np.array([-(2**63), 2**63 - 1, 0, -1])
    assert cd.rbo(extremes, extremes) == 1
    unsigned = np.array([2**64 - 1, 2**63, 5], dtype=np.uint64)
    assert cd.rbo(unsigned, unsigned) == 1
    assert cd.rbo(unsigned, np.array([-1])) == 0


def test_names_keep_their_type():
    """The text "1" is not the number 1."""
    assert cd.rbo([1, 2], ["1", "2"]) == 0
    assert cd.rbo([1, "1"], ["1", 1]) == cd.rbo(["a", "b"], ["b", "a"])
    assert cd.rbo([b"a"], ["a"]) == 0


def test_batches():
    """One against many, many against many, and none."""
    x, y = [{"a": 2, "b": 1}, {"c": 1}], [{"b": 2, "a": 1}, {"c": 1}]
    assert cd.rbo(x, y).tolist() == [cd.rbo("a b", "b a"), 1]
    assert cd.rbo(x[0], y).tolist() == [cd.rbo("a b", "b a"), 0]
    assert cd.rbo(cd.Lists(["a b", "c"]), cd.Lists([["b", "a"], "c"])).tolist() == cd.rbo(x, y).tolist()
    assert cd.rbo(cd.Lists([]), cd.Lists([])).shape == (0,)
    assert len(cd.Lists(["a"])) == 1
    assert repr(cd.Lists(["a", "b"])) == "<2 lists>"
    with pytest.raises(cd.ArgumentError, match=r"^rbo: x has 2 lists and y has 3; give equally many"):
        cd.rbo(x, [{"a": 1}] * 3)
    with pytest.raises(cd.ArgumentTypeError, match=r"^Lists: takes several lists, got one str"):
        cd.Lists("a b")
    with pytest.raises(cd.ArgumentError, match=r"^rbo_bounds: takes two lists, got batches of shape \(2,\)"):
        cd.rbo_bounds(x, y)


def test_thresholds_tie_scores():
    """A group has the items tied with its best one; the threshold is inclusive, as for rankings."""
    x = {"a": 0.5, "b": 0.4, "c": 0.3, "d": 0.1}
    assert cd.rbo(x, x, threshold=0.1, ties="a") == cd.rbo("(a b) c d", "(a b) c d")
    assert cd.rbo(x, x, threshold=(0.1, 0)) == cd.rbo("(a b) c d", "a b c d")
    assert cd.rbo(x, "a b c d", threshold=10.0) == cd.rbo("(a b c d)", "a b c d")
    assert cd.coefficient("rbo(threshold=0.2)")(x, x) == cd.rbo("(a b c) d", "(a b c) d")
    with pytest.raises(cd.ArgumentError, match=r"^rbo: threshold ties items by their scores, and these"):
        cd.rbo(["a"], ["b"], threshold=0.1)


WRONG = {
    "twice": (["a", "b", "a"], "x has 'a' twice; each item may appear only once"),
    "twice in groups": ([["a", "b"], "a"], "x has 'a' twice"),
    "twice as text": ("a (b a)", "x has 'a' twice"),
    "twice as integers": (np.array([1, 2, 1]), "x has 1 twice"),
    "twice far apart": (np.array([1, 2**50, 1]), "x has 1 twice"),
    "an empty name": (["a", ""], "x has an empty name; drop it or name the item"),
    "a blank name": (["a", "  "], "x has an empty name"),
    "an empty name with a score": ({"": 1.0}, "x has an empty name"),
    "None": (["a", None], "x has None as a name; drop it or name the item"),
    "NaN as a name": (["a", math.nan], "x has nan as a name"),
    "a NaN score": ({"a": 1.0, "b": math.nan}, "x is NaN at 'b'; drop the item or give it a score"),
    "a missing score": ({"a": 1.0, "b": None}, "x is NaN at 'b'"),
    "an infinite score": ({"a": math.inf}, "x is infinite at 'a'"),
    "a score that is none": ({"a": "high"}, "x must "),
    "an empty group": (["a", []], "x has an empty group; leave it out"),
    "groups in groups": (
        ["a", [["b"], "c"]],
        "a list has groups within groups; ties have one level",
    ),
    "no name": (["a", {"b": 1}, "c"], "a list has groups within groups|which is no name"),
    "parentheses": ("a (b", "an opening parenthesis that is not closed"),
    "floats": (np.array([0.1, 0.2]), "x is an array of float64, which names no items; for scores give"),
    "three dimensions": (np.zeros((1, 1, 1), dtype=int), "x must have one dimension"),
    "a number": (3, "x must be a list of names, best first"),
    "a set": ({"a", "b"}, "x must be a list of names, best first"),
    "bytes": (b"a b", "x must be a list of names"),
}


@pytest.mark.parametrize("given", WRONG.values(), ids=WRONG)
def test_wrong_lists_are_refused(given):
    """In one sentence that names the list and the item; on the other side, and in a batch, too."""
    value, message = given
    with pytest.raises(cd.ConcordantError, match=f"^rbo: {message}" if message[0] == "x" else message):
        cd.rbo(value, ["a"])
    if message[0] == "x":
        with pytest.raises(cd.ConcordantError, match=f"^kendall_distance: y{message[1:]}"):
            cd.kendall_distance(["a"], value)
        with pytest.raises(cd.ConcordantError, match=rf"^rba: x\[1\]{message[1:]}"):
            cd.rba(cd.Lists([["a"], value]), ["a"])


def test_a_data_frame_is_refused():
    """With what to pass instead."""
    pd = pytest.importorskip("pandas")
    with pytest.raises(cd.ArgumentTypeError, match=r"^rbo: x is a DataFrame; pass a Series of name to score"):
        cd.rbo(pd.DataFrame({"a": [1]}), ["a"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"p": 0}, "p must be a number between 0 and 1, got 0"),
        ({"p": 1.0}, "p must be a number between 0 and 1, got 1.0"),
        ({"p": math.nan}, "p must be a number between 0 and 1, got nan"),
        ({"p": "0.9"}, "p must be a number between 0 and 1, got '0.9'"),
        ({"ties": "c"}, "ties must be 'a', 'b' or 'w', got 'c'"),
        ({"ties": None}, "ties must be 'a', 'b' or 'w', got None"),
        ({"workers": 0}, "workers must be 1 or more"),
        ({"threshold": "x"}, "threshold must be a number >= 0"),
    ],
)
def test_wrong_options_are_refused(options, message):
    """By the short way as by the general one."""
    for lists in ((["a"], ["b"]), ("a", "b")):
        with pytest.raises(cd.ArgumentError, match=f"^rbo: {message}"):
            cd.rbo(*lists, **options)


def test_a_series_of_names_is_a_list():
    """Not one of scores."""
    pandas = pytest.importorskip("pandas")
    for kind in ("object", "string"):
        assert cd.rbo(pandas.Series(["a", "b", "c"], dtype=kind), ["a", "b", "c"]) == 1
