"""A user's own coefficients, and what the registry says of all."""

from __future__ import annotations

import dataclasses
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest

import concordant as cd


@pytest.fixture
def own():
    """A coefficient of a user, registered for one test."""

    @cd.register(question="do the k best agree?", symmetric=True, bounds=(0, 1))
    def overlap(x, y, *, k=2, threshold=0.0):
        assert x.dtype == y.dtype == np.float64
        assert x.ndim == y.ndim == 1
        best = [set(np.argsort(-v)[: int(k)].tolist()) for v in (x, y)]
        return len(best[0] & best[1]) / k

    yield overlap
    del cd.REGISTRY["overlap"]


def test_a_users_own_coefficient_works_everywhere(own):
    """By name, in batches, matrices, groups and comparisons; NaN is dealt with."""
    assert own([3, 2, 1] * np.ones(3), np.ones(3) * [3, 1, 2]) == 0.5  # the function is returned untouched
    c = cd.coefficient("overlap(k=1)")
    assert str(c) == "overlap(k=1)"
    assert c([3, 2, 1], [3, 1, 2]) == 1.0
    assert c([[3, 2, 1], [1, 2, 3]], [3, 1, 2]).tolist() == [1, 0]
    assert cd.matrix([[3, 2, 1], [1, 2, 3]], "overlap").tolist() == [[1, 0.5], [0.5, 1]]
    assert cd.grouped([3, 2, 1, 2], [3, 2, 2, 1], [0, 0, 1, 1], "overlap(k=1)").tolist() == [1, 0]
    assert dict(cd.compare([3, 2, 1], [3, 1, 2], ["overlap(k=1)", "tau_b"])) == {
        "overlap(k=1)": 1,
        "tau_b": 1 / 3,
    }
    assert math.isnan(c([3, math.nan, 1], [3, 1, 2]))
    assert "overlap" in str(cd.compare([3, 2, 1], [3, 1, 2]))


def test_a_users_own_coefficient_may_be_defined_again_but_not_take_our_names(own):
    """In a notebook a cell runs twice; but tau_b stays tau_b."""

    @cd.register()
    def overlap(x, y):
        return 0.25

    assert cd.coefficient("overlap")([1, 2], [1, 2]) == 0.25
    with pytest.raises(ValueError, match=r"register: the name 'tau_b' is taken by concordant\.tau_b"):

        @cd.register()
        def tau_b(x, y):
            return 0.0

    with pytest.raises(ValueError, match=r"register: .* is not a name"):
        cd.register()(lambda x, y: 0.0)


def test_options_of_a_users_own_coefficient():
    """Keyword-only parameters become options, with the defaults of the function."""

    @cd.register()
    def mine(x, y, *, threshold=0.05, k=3):
        return float(len(x[:k])) + threshold

    try:
        assert cd.coefficient("mine").threshold == (0.05, 0.05)
        assert cd.coefficient("mine(0)")([1, 2, 3, 4], [1, 2, 3, 4]) == 3.0
        assert str(cd.coefficient("mine(0)")) == "mine(0)"
        assert cd.coefficient("mine(k=2)")([1, 2, 3, 4], [1, 2, 3, 4]) == 2.05
    finally:
        del cd.REGISTRY["mine"]


def test_a_users_own_coefficient_cannot_change_the_data():
    """The arrays are read-only, and what is returned must be a number."""

    def sorts(x, y):
        x.sort()
        return 0.0

    with pytest.raises(ValueError, match="read-only"):
        cd.coefficient(sorts)(np.array([2.0, 1.0]), np.array([2.0, 1.0]))

    def nothing(x, y):
        return None

    with pytest.raises(TypeError, match=r"^nothing: the function nothing must return a number, got None$"):
        cd.coefficient(nothing)([1, 2], [1, 2])


def test_wrong_declarations_are_refused():
    """Words that are not known, and bounds the wrong way round."""
    for option in ("ties", "inputs", "gaps", "weights"):
        with pytest.raises(cd.ArgumentError, match=f"register: {option} must be .*, got 'whatever'"):
            cd.register(**{option: "whatever"})
    with pytest.raises(cd.ArgumentError, match="register: bounds must be the smallest and the largest value"):
        cd.register(bounds=(1, -1))


def test_a_function_with_the_name_of_ours_stays_itself():
    """A function is known by itself, not by its name."""

    def tau_b(x, y):
        return 0.123

    own = cd.coefficient(tau_b)
    assert own([1, 2], [1, 2]) == 0.123
    assert own.__reduce__()[1] == (tau_b, (), None)
    with pytest.raises(ValueError, match="compare: two of the functions have the same name"):
        cd.compare([1, 2, 3], [1, 3, 2], [tau_b, "tau_b"])


def unregistered(x, y, *, k=1):
    """A function that pickle can find."""
    return float(len(x)) / k


@pytest.mark.parametrize(("options", "top"), [((), None), ((("k", 2),), None), ((("k", 4),), 3)])
def test_a_coefficient_of_a_plain_function_keeps_options_and_top_when_pickled(options, top):
    """It travels by its function, with what is bound to it."""
    own = dataclasses.replace(cd.coefficient(unregistered), options=options, top=top)
    there = pickle.loads(pickle.dumps(own))
    assert there == own
    assert (there.function, there.options, there.top) == (unregistered, options, top)
    x, y = [5, 4, 3, 2, 1], [5, 4, 2, 3, 1]
    assert there(x, y) == own(x, y) == (top or 5) / dict(options).get("k", 1)


def test_a_plain_function_needs_no_registration():
    """Any function of two arrays is a coefficient."""

    def first(x, y):
        return float(x[0] == y[0])

    assert cd.matrix([[1, 2], [1, 3]], first).tolist() == [[1, 1], [1, 1]]
    assert "first" not in cd.REGISTRY


def test_a_users_own_function_is_returned_as_it_is():
    """Neither its docstring nor its signature is changed, whatever it compares."""
    for inputs in ("scores", "graded_lists", "graded_items"):

        def mine(x, y, grades=None):
            """My own words."""
            return 0.5

        try:
            assert cd.register(inputs=inputs)(mine) is mine
            assert mine.__doc__ == "My own words."
            given = ([1, 2], [2, 1], [0, 1]) if inputs == "graded_items" else ([1, 2], [2, 1])
            assert cd.coefficient("mine")(*given) == 0.5
        finally:
            del cd.REGISTRY["mine"]


def test_registered_is_what_the_registry_has():
    """Bound options do not matter; a function of the same name does."""

    def tau_b(x, y):
        return 0.0

    assert cd.coefficient("tau_b(0.1)@3").registered
    assert cd.coefficient(cd.tau_b).registered
    assert not cd.coefficient(tau_b).registered


def test_what_is_declared_is_one_of_the_words():
    """Each declared property of each coefficient is a word that the documentation explains."""
    words = {
        "ties": {"error", "undecided", "ignored", "equality", "values"},
        "inputs": {"scores", "graded_lists", "graded_items", "lists"},
        "gaps": {"none", "reference", "both"},
        "weights": {"equal", "ap", "hyperbolic", "scores", "geometric"},
    }
    for c in cd.REGISTRY.values():
        for name, allowed in words.items():
            assert getattr(c, name) in allowed, (c, name)
    for name, allowed in words.items():
        assert {getattr(c, name) for c in cd.REGISTRY.values()} == allowed


def test_a_module_whose_import_was_interrupted_can_be_imported_again():
    """Python forgets it, but what it declared is still there: the name tau_sc was taken from then on."""
    code = """
import importlib, sys
import concordant as cd
names = list(cd.REGISTRY)
del sys.modules["concordant.coefficients.graded"]
importlib.import_module("concordant.coefficients.graded")
assert list(cd.REGISTRY) == names
"""
    subprocess.run([sys.executable, "-c", code], check=True)
