"""The bindings of the compiled core."""

import numpy as np
import pytest

from concordant import _core

FIELDS = list(_core.FIELDS)


@pytest.fixture
def buffer_protocol():
    """Let the core read arrays through the buffer protocol, as if it did not know their layout."""
    before = _core.use_array_head(False)
    yield
    _core.use_array_head(before)


def test_the_layout_of_arrays_is_known():
    before = _core.use_array_head(True)
    assert before is True
    assert _core.use_array_head(False) is True
    assert _core.use_array_head(before) is False


def _needs(fields):
    needs = 0
    for field in fields:
        needs |= _core.FIELDS[field].need
    return needs


def _pair(x, y, fields=FIELDS):
    plan = _core.Plan(_needs(fields), False, [FIELDS.index(field) for field in fields])
    return _core.pair(x, y, 0.0, 0.0, plan)


@pytest.mark.parametrize("n", [2, 50, 300, 5000])
def test_both_ways_to_read_an_array_give_the_same(n):
    rng = np.random.default_rng(n)
    x, y = rng.random((2, n)).round(2)
    fast = _pair(x, y)
    _core.use_array_head(False)
    try:
        assert _pair(x, y) == fast
    finally:
        _core.use_array_head(True)


@pytest.mark.usefixtures("buffer_protocol")
def test_read_only_arrays_are_read_through_the_buffer_protocol():
    x = np.arange(5.0)
    x.flags.writeable = False
    assert _pair(x, x, ["n", "concordant"]) == (5, 10)


def _unaligned(x):
    return np.frombuffer(b"\0" + x.tobytes() + b"\0" * 7, dtype=np.uint8)[1 : 1 + x.nbytes].view(np.float64)


UNUSUAL = {
    "not contiguous": lambda x: np.repeat(x, 2)[::2],
    "integers": lambda x: x.astype(np.int64),
    "single precision": lambda x: x.astype(np.float32),
    "byte order": lambda x: x.astype(x.dtype.newbyteorder()),
    "two dimensions": lambda x: x.reshape(2, -1),
    "unaligned": _unaligned,
    "a subclass": lambda x: x.view(type("Sub", (np.ndarray,), {})),
    "a list": lambda x: x.tolist(),
    "nan": lambda x: np.where(x == 3, np.nan, x),
    "infinite": lambda x: np.where(x == 3, np.inf, x),
    "another length": lambda x: x[:-1],
}


@pytest.mark.parametrize("head", [True, False])
@pytest.mark.parametrize("make", UNUSUAL.values(), ids=UNUSUAL.keys())
def test_anything_unusual_is_left_to_the_general_way(make, head):
    x = np.arange(6.0)
    _core.use_array_head(head)
    try:
        assert _pair(make(x), x) is None
        assert _pair(x, make(x)) is None
        assert _pair(x, x, ["n"]) == (6,)
    finally:
        _core.use_array_head(True)


def test_counts_come_first():
    counts = [name for name, field in _core.FIELDS.items() if field.is_count]
    assert counts == FIELDS[: len(counts)]
    assert counts == [
        "n",
        "concordant",
        "discordant",
        "untied_x",
        "untied_y",
        "pivots_x",
        "pivots_y",
        "levels_x",
        "levels_y",
    ]
    found = _pair(np.array([3.0, 1.0, 2.0]), np.array([3.0, 2.0, 1.0]))
    assert all(type(value) is int for value in found[: len(counts)])
    assert all(type(value) is float for value in found[len(counts) :])


def test_a_field_says_which_rankings_are_sorted_for_it():
    sorts = {name: (field.sorts_x, field.sorts_y) for name, field in _core.FIELDS.items()}
    assert sorts["n"] == sorts["moment_xy"] == (False, False)
    assert sorts["untied_x"] == (True, False)
    assert sorts["untied_y"] == (False, True)
    assert sorts["rank"] == (True, False)
    assert sorts["concordant"] == sorts["gap"] == (True, True)


@pytest.mark.parametrize("other", ["moment_xx", "rank", "n"])
def test_a_field_does_not_depend_on_what_else_is_asked_for(other):
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 12, (2, 30)).astype(np.float64)
    everything = dict(zip(FIELDS, _pair(x, y), strict=True))
    for field in FIELDS:
        _pair(y, x)  # other numbers in the memory that is used again
        assert _pair(x, y, [field, other]) == (everything[field], everything[other]), field


def test_a_plan_without_ties_needs_no_other_field():
    plan = _core.Plan(0, True, [0])
    x, tied = np.arange(4.0), np.array([1.0, 1.0, 2.0, 3.0])
    assert _core.pair(x, x, 0.0, 0.0, plan) == (4,)
    assert _core.pair(tied, x, 0.0, 0.0, plan) is None
    assert _core.pair(x, tied, 0.0, 0.0, plan) is None


def test_a_plan_refuses_unknown_fields():
    with pytest.raises(ValueError, match="no such field"):
        _core.Plan(0, False, [len(FIELDS)])


@pytest.mark.parametrize("by_levels", [False, True])
def test_graded_lists_do_not_depend_on_the_number_of_threads(by_levels):
    rng = np.random.default_rng(2)
    x, y = rng.integers(0, 4, (2, 60, 25)).astype(np.uint32)
    found = []
    for workers in (1, 2, 7):
        out = np.zeros((60, 4))
        _core.graded_lists(x, y, np.arange(4.0), rng.random(60) * 0 + 0.25, by_levels, workers, out)
        found.append(out)
    assert (found[0] == found[1]).all()
    assert (found[0] == found[2]).all()


def test_graded_items_do_not_depend_on_the_number_of_threads():
    rng = np.random.default_rng(3)
    x, y = rng.random((2, 60 * 25))
    grades = rng.integers(0, 4, (60, 25)).astype(np.uint32)
    found = []
    for workers in (1, 2, 7):
        out = np.zeros((60, 6))
        assert _core.graded_items(x, y, grades, np.arange(4.0), workers, out)
        found.append(out)
    assert (found[0] == found[1]).all()
    assert (found[0] == found[2]).all()


@pytest.mark.parametrize("workers", [1, 4])
@pytest.mark.parametrize("bad", [np.nan, np.inf, "tie"])
def test_graded_items_refuse_ties_and_values_that_are_not_finite_in_any_row(bad, workers):
    rng = np.random.default_rng(4)
    x, y = rng.random((2, 40 * 10))
    y[305] = y[306] if bad == "tie" else bad
    grades = rng.integers(0, 3, (40, 10)).astype(np.uint32)
    assert not _core.graded_items(x, y, grades, np.arange(3.0), workers, np.zeros((40, 6)))


def test_grades_beyond_their_values_are_refused():
    grades = np.full((1, 3), 3, dtype=np.uint32)
    with pytest.raises(ValueError, match="indices into their values"):
        _core.graded_lists(grades, grades, np.arange(3.0), np.zeros(1), False, 1, np.zeros((1, 4)))


# --- the core checks what it is given ---

OFFSETS, PAIR = np.array([0, 6]), np.array([0])


def _pairs(x, thresholds=(0.0, 0.0), need=None):
    counts = np.empty((1, sum(field.is_count for field in _core.FIELDS.values()), 1), dtype=np.int64)
    reals = np.empty((1, 0, 1))
    need = _needs(FIELDS) if need is None else need
    w_x, w_y = thresholds
    _core.pairs(x, OFFSETS, x, OFFSETS, PAIR, PAIR, [w_x], [w_y], [need], [], 1, False, counts, reals)


@pytest.mark.parametrize("threshold", [-1.0, -1e-300, -np.inf, np.nan])
def test_a_negative_threshold_is_refused(threshold):
    """It let the core write beyond its memory."""
    x = np.arange(6.0)
    plan = _core.Plan(_needs(FIELDS), False, [0])
    out = [np.empty(6, dtype=np.int64) for _ in range(3)]
    for call in (
        lambda: _core.pair(x, x, threshold, 0.0, plan),
        lambda: _core.pair(x, x, 0.0, threshold, plan),
        lambda: _pairs(x, (threshold, 0.0)),
        lambda: _pairs(x, (0.0, threshold)),
        lambda: _core.windows(x, threshold, *out),
    ):
        with pytest.raises(ValueError, match="a threshold must be 0 or more"):
            call()


def test_unaligned_arrays_are_refused():
    """The public functions copy them."""
    x = np.arange(6.0)
    with pytest.raises(ValueError, match="the arrays must be aligned"):
        _pairs(_unaligned(x))
    out = [np.empty(6, dtype=np.int64) for _ in range(3)]
    with pytest.raises(ValueError, match="the arrays must be aligned"):
        _core.windows(_unaligned(x), 0.0, *out)


def test_unknown_needs_are_refused():
    with pytest.raises(ValueError, match="no such need"):
        _core.Plan(1 << 31, False, [0])
    with pytest.raises(ValueError, match="do not have the shape"):
        _pairs(np.arange(6.0), need=1 << 31)


def test_groups_are_laid_one_after_the_other():
    """A stable counting sort, which refuses codes that do not fit the offsets."""
    codes = np.array([1, 0, 1, 2, 0])
    offsets = np.array([0, 2, 4, 5])
    x = np.arange(5.0)
    out_x, out_y = np.empty(5), np.empty(5)
    _core.gather_groups(codes, offsets, x, 10 * x, out_x, out_y)
    assert out_x.tolist() == [1, 4, 0, 2, 3]
    assert out_y.tolist() == [10, 40, 0, 20, 30]
    for wrong in ([1, 0, 1, 3, 0], [1, 0, 1, -1, 0], [1, 1, 1, 2, 0]):
        with pytest.raises(ValueError, match="numbers of items that the offsets say"):
            _core.gather_groups(np.array(wrong), offsets, x, x, out_x, out_y)
    with pytest.raises(ValueError, match="the same length"):
        _core.gather_groups(codes[:4], offsets, x, x, out_x, out_y)
    with pytest.raises(ValueError, match="offsets must rise"):
        _core.gather_groups(codes, np.array([0, 4, 2, 5]), x, x, out_x, out_y)


@pytest.mark.parametrize("workers", [1, 2, 7])
@pytest.mark.parametrize("n", [0, 1, 1000, (1 << 16) - 1, (1 << 18) + 3])
def test_copies_are_equal_whatever_the_number_of_threads(n, workers):
    values = np.random.default_rng(n).normal(size=n)
    out = np.full(n, np.nan)
    _core.copy_floats(values, out, workers)
    assert out.tobytes() == values.tobytes()
    assert _core.all_finite(out, workers)
    with pytest.raises(ValueError, match="same length"):
        _core.copy_floats(values, np.empty(n + 1), workers)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("special", [np.nan, -np.nan, np.inf, -np.inf])
def test_one_value_that_is_not_finite_is_found_wherever_it_stands(special, workers):
    """Also in the last block of a thread; the largest numbers are finite."""
    values = np.full(200_001, np.finfo(float).max)
    values[1::2] = -5e-324
    assert _core.all_finite(values, workers)
    for place in (0, 16_383, 16_384, 100_000, 200_000):
        changed = values.copy()
        changed[place] = special
        assert not _core.all_finite(changed, workers)
