"""The bindings of lists check their arrays, and stop when asked to."""

import numpy as np
import pytest

from concordant import _core

CODES = np.array([0, 1, 2, 1, 0])
NO_ENDS = np.empty(0, dtype=np.int64)
OFFSETS = np.array([0, 3, 5])
FIRST, SECOND = np.array([0]), np.array([1])
GOOD = {
    "codes": CODES,
    "ends": np.array([2, 2, 3, 1, 2]),
    "offsets": OFFSETS,
    "n_codes": 3,
    "first": FIRST,
    "second": SECOND,
}

CALLS = {
    "rbo_pairs": lambda *lists: _core.rbo_pairs(*lists, 0, 0.9, 1, np.empty((1, 3))),
    "overlap_pairs": lambda *lists: _core.overlap_pairs(*lists, 2, 1, np.empty(1)),
    "rba_pairs": lambda *lists: _core.rba_pairs(*lists, 0.9, 1, np.empty(1)),
    "list_counts": lambda *lists: _core.list_counts(*lists, True, 1, np.empty((1, 8), dtype=np.int64)),
}

WRONG = {
    "a code below 0": ("codes", np.array([0, 1, -1, 1, 0]), "codes must be from 0 up"),
    "a code too large": ("codes", np.array([0, 1, 3, 1, 0]), "codes must be from 0 up"),
    "fewer codes": ("codes", CODES[:4], "offsets must rise"),
    "falling offsets": ("offsets", np.array([0, 6, 5]), "offsets must rise"),
    "no offsets": ("offsets", np.array([], dtype=np.int64), "offsets must rise"),
    "an end before its group": ("ends", np.array([0, 2, 3, 1, 2]), "ends must be those of groups"),
    "an end beyond the list": ("ends", np.array([4, 4, 4, 1, 2]), "ends must be those of groups"),
    "ends that differ": ("ends", np.array([2, 3, 3, 1, 2]), "ends must be those of groups"),
    "fewer ends": ("ends", np.array([2, 2, 3]), "do not have the same length"),
    "no such list": ("first", np.array([2]), "pairs must name lists"),
    "a list below 0": ("second", np.array([-1]), "pairs must name lists"),
    "fewer pairs": ("second", np.array([], dtype=np.int64), "pairs must name lists"),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG)
def test_wrong_arrays_are_refused(name, case):
    """Before anything is read beyond their ends."""
    field, value, message = case
    CALLS[name](*GOOD.values())
    with pytest.raises(ValueError, match=message):
        CALLS[name](*{**GOOD, field: value}.values())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda lists: _core.rbo_pairs(*lists, 3, 0.9, 1, np.empty((1, 1))), "ties must be 0, 1 or 2"),
        (lambda lists: _core.rbo_pairs(*lists, 0, 1.0, 1, np.empty((1, 1))), "p must be between 0 and 1"),
        (lambda lists: _core.rbo_pairs(*lists, 0, float("nan"), 1, np.empty((1, 1))), "p must be"),
        (lambda lists: _core.rbo_pairs(*lists, 0, 0.9, 1, np.empty((1, 2))), "the output does not have"),
        (lambda lists: _core.rbo_pairs(*lists, 0, 0.9, 1, np.empty((2, 1))), "the output does not have"),
        (lambda lists: _core.overlap_pairs(*lists, 0, 1, np.empty(1)), "depth must be 1 or more"),
        (lambda lists: _core.overlap_pairs(*lists, 1, 1, np.empty(2)), "the output does not have"),
        (lambda lists: _core.rba_pairs(*lists, 0.0, 1, np.empty(1)), "p must be between 0 and 1"),
        (lambda lists: _core.list_counts(*lists, True, 1, np.empty((1, 7), dtype=np.int64)), "the output"),
        (lambda lists: _core.rbo_agreements(*lists[:4], 0, np.empty(2)), "the output does not have"),
        (lambda _: _core.rbo_of_names(["a"], ["b"], 1.0), "p must be between 0 and 1"),
        (lambda _: _core.number_items(CODES, np.array([0, 9]), np.empty(5, dtype=np.int64)), "offsets must"),
        (lambda _: _core.number_items(CODES, OFFSETS, np.empty(4, dtype=np.int64)), "same length"),
    ],
)
def test_wrong_options_are_refused(call, message):
    """Each with its own sentence."""
    with pytest.raises(ValueError, match=message):
        call(list(GOOD.values()))


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([], ["a"]),
        (["a"], []),
        (("a",), ["a"]),
        (["a", "a"], ["b"]),
        (["b", "c", "b"], ["b"]),
        (["a"], ["b", "b"]),
        (["a", ""], ["a"]),
        (["a", " "], ["a"]),
        (["a", 1], ["a"]),
        (["a"], [1]),
        ([True], [1]),
        ([1.0], [1.0]),
        (["\u2003"], ["a"]),
    ],
)
def test_other_lists_of_names_go_the_general_way(x, y):
    """The short way does not know what to say of them."""
    assert _core.rbo_of_names(x, y, 0.9) is None


def test_names_are_the_same_if_they_are_equal():
    """Not only if they are one object; integers are names too."""
    x, y = [f"doc {k}" for k in range(300)], [f"doc {2 * k}" for k in range(200)]
    codes = {name: k for k, name in enumerate(dict.fromkeys([*x, *y]))}
    by_codes = _core.rbo_of_names([codes[name] for name in x], [codes[name] for name in y], 0.9)
    out = np.empty((1, 1))
    both = np.array([codes[name] for name in (*x, *y)])
    _core.rbo_pairs(both, NO_ENDS, np.array([0, 300, 500]), len(codes), FIRST, SECOND, 0, 0.9, 1, out)
    assert _core.rbo_of_names(x, y, 0.9) == by_codes == out[0, 0]


def test_overlap_at_a_depth():
    """The share of common items among the first k; beyond the ends, that of the whole lists."""
    lists = (np.array([0, 1, 2, 3, 1, 0, 4, 5]), NO_ENDS, np.array([0, 4, 8]), 6, FIRST, SECOND)
    out = np.empty(1)
    for depth, expected in ((1, 0), (2, 1), (3, 2 / 3), (4, 0.5), (100, 0.5)):
        _core.overlap_pairs(*lists, depth, 1, out)
        assert out[0] == expected
    tied = np.array([2, 2, 3, 4, 1, 2, 3, 4])  # the first two of the first list are tied
    _core.overlap_pairs(lists[0], tied, *lists[2:], 1, 1, out)
    assert out[0] == 0.5
