"""Messages begin with the function that the user called, and errors survive a journey between processes."""

from __future__ import annotations

import inspect
import pickle
import re

import numpy as np
import pytest

import concordant as cd

X, Y = [3, 2, 1], [3, 1, 2]
LISTS = ([0, 1, 2], [0, 2, 1])
ITEMS = (X, Y, [0, 1, 2])
ON = cd.Scores(np.random.default_rng(0).random((1, 6, 5)), measures=["AP"])
FEWER = cd.Scores(np.random.default_rng(0).random((1, 6, 4)), measures=["AP"])
UNKNOWN = "there is no coefficient 'tau_bb'; did you mean tau_b or "
NEGATIVE = "threshold must be a number >= 0, a percentage such as '5%', or a pair (w_x, w_y) of them, got -1"
NO_NUMBER = "threshold must be a number >= 0 or a pair (w_x, w_y) of them, got -1"
TIED = "tied must be 'discordant' or 'neutral', got 'x'"
WORKERS = "workers must be 1 or more, or -1 for all cores, got 0"
RNG = "rng must be a whole number, or a Generator, "
LACKS = "lacks 1 system that another side has: 4; keep those in common with on_missing='drop'"

# The functions that take a coefficient, up to the place where it goes.
WITH_COEFFICIENT = {
    cd.coefficient: (),
    cd.compare: (X, Y),
    cd.matrix: ([X, Y],),
    cd.grouped: (X, Y, [0, 0, 0]),
    cd.explain: (X, Y),
    cd.experiments.axioms: (),
    cd.bootstrap: (ON, ON),
    cd.difference: (ON, ON, ON),
    cd.permutation_test: (X, Y),
    cd.jackknife_interval: (X, Y),
    cd.correlate: (ON, {"a": ON}),
    cd.judge: (ON, {"a": ON}),
    cd.by_topic: (ON, ON),
    cd.sweep: (ON, ON),
    cd.experiments.predict: (ON,),
    cd.experiments.swap: (ON,),
    cd.experiments.gaps: (["normal"],),
}


def functions_of_grades():
    """The coefficients of grades, with what they take."""
    for c in cd.REGISTRY.values():
        if c.inputs not in ("scores", "lists"):
            yield c.function, ITEMS if c.inputs == "graded_items" else LISTS


def calls():
    """Wrong calls: function, arguments, options, and what the message says after the name of the function."""
    for f, before in WITH_COEFFICIENT.items():
        yield f, (*before, "tau_bb"), {}, UNKNOWN
        yield f, (*before, "tau_b(-1)"), {}, f"'tau_b(-1)': {NEGATIVE}"
        yield f, (*before, "tau_b(0.1"), {}, "cannot read 'tau_b(0.1' as a coefficient; "
        yield f, (*before, "tau_ap_b(tied=x)"), {}, f"'tau_ap_b(tied=x)': {TIED}"
        options = inspect.signature(f).parameters
        if "workers" in options:
            yield f, (*before, "tau_b"), {"workers": 0}, WORKERS
        if "rng" in options:
            yield f, (*before, "tau_b"), {"rng": "x"}, RNG
        if "nan_policy" in options:
            yield (
                f,
                (*before, "tau_b"),
                {"nan_policy": "x"},
                "nan_policy must be 'propagate', 'raise' or 'omit'",
            )
    for c in cd.REGISTRY.values():
        if c.thresholds:
            yield c.function, (X, Y), {"threshold": -1}, NO_NUMBER if c.inputs == "lists" else NEGATIVE
        if c.inputs == "scores":
            yield c.function, (X, Y), {"workers": 0}, WORKERS
            yield c.function, (X, Y), {"nan_policy": "x"}, "nan_policy must be"
            yield c.function, (X, [1, 2]), {}, "x has 3 items and y has 2; both must rank the same items"
            yield (
                c.function,
                (X, ["a", "b", "c"]),
                {},
                "y must be an array, mapping or Series of real numbers",
            )
    for f, given in functions_of_grades():
        yield f, given, {"workers": 0}, WORKERS
        yield f, given, {"nan_policy": "x"}, "nan_policy must be"
        yield f, given, {"axis": 1}, "axis 1 does not exist"
    yield cd.counts, (X, Y), {"threshold": -1}, NEGATIVE
    yield cd.counts, (X, Y), {"workers": 0}, WORKERS
    yield cd.counts, (X, Y), {"threshold": -1, "per_item": True}, NO_NUMBER
    yield cd.counts, (X, Y), {"workers": 0, "per_item": True}, WORKERS
    for f in (cd.compare, cd.explain, cd.permutation_test, cd.jackknife_interval):
        yield f, (X, [1, 2], "tau_b"), {}, "x has 3 items and y has 2"
    for f in (cd.compare, cd.explain, cd.jackknife_interval):
        yield f, ([1, 1, 2], Y, "tau"), {}, "x has tied items (position 0, position 1 at 1); use tau_a, tau_b"
    yield cd.grouped, ([1, 1, 2], Y, [0, 0, 0], "tau"), {}, "x has tied items (position 0, position 1 at 1)"
    yield cd.matrix, ([[1, 1, 2], Y], "tau"), {}, "x has tied items"
    for f in (cd.bootstrap, cd.correlate, cd.judge, cd.by_topic, cd.sweep):
        yield f, (ON, FEWER, "tau_b"), {}, f"estimate {LACKS}"
        yield f, (ON, ON, "tau_sc"), {}, "tau_sc compares graded lists, not scores of systems; choose another"
    yield cd.Study, (ON, ON), {"on_missing": "x"}, "on_missing must be 'error', 'drop' or 'zero', got 'x'"
    yield cd.Resampling, (), {"n_resamples": 0}, "n_resamples must be a whole number from 2 up, got 0"
    yield cd.Resampling, (), {"confidence_level": 95}, "confidence_level must be a number between 0 and 1"
    yield (
        cd.Resampling,
        (),
        {"method": "x"},
        "method must be 'standard', 'percentile', 'basic' or 'BCa'",
    )
    yield cd.judge, (ON, ON), {"at_least": 5}, "at_least must be a number from -1 to 1, got 5"
    yield cd.tied_by_significance, (ON, 5), {}, "alpha must be a number between 0 and 1, got 5"
    yield cd.sweep, (ON, ON), {"thresholds": [-1]}, "thresholds must be numbers from 0 up"
    yield (
        cd.choose,
        (),
        {"ties": "x"},
        "ties must be 'error', 'indiscernible', 'undecided', 'ignored', 'equality' or 'values', got 'x'",
    )
    yield cd.register, (), {"ties": "x"}, "ties must be 'error', 'undecided', "
    yield cd.unbiased_a, ("x", 3), {}, "kind must be 'sc' or 'ac', got 'x'"
    yield cd.TieRelation, ([[1]],), {}, "tied must be a square array of True and False"
    yield cd.Study, (ON, {"a": FEWER}), {}, f"a {LACKS}"


CALLS = list(calls())


def caught_from(f, args, kwargs):
    """The error that a call raises."""
    with pytest.raises(cd.ConcordantError) as caught:
        f(*args, **kwargs)
    return caught.value


def name_of(case):
    """A short name of a call."""
    f, args, kwargs, _ = case
    said = [str(arg) for arg in args if isinstance(arg, str)] + [
        f"{key}={value}" for key, value in kwargs.items()
    ]
    return "-".join([f.__name__, *said])


@pytest.mark.parametrize("function", dict.fromkeys(f.__name__ for f, *_ in CALLS))
def test_a_message_begins_with_the_function_that_was_called(function):
    """Whichever function below finds the fault; and options are written as in Python."""
    for case in CALLS:
        f, args, kwargs, text = case
        if f.__name__ == function:
            error = caught_from(f, args, kwargs)
            assert str(error).startswith(f"{f.__name__}: {text}"), name_of(case)
            assert str(error) == f"{f.__name__}: {error.text}", name_of(case)
            assert "--" not in str(error), name_of(case)
            assert "\n" not in str(error), name_of(case)
            assert isinstance(error, ValueError | TypeError), name_of(case)


def test_an_error_survives_pickling():
    """Class, message and text arrive in another process as they were raised."""
    for f, args, kwargs, text in CALLS:
        error = caught_from(f, args, kwargs)
        there = pickle.loads(pickle.dumps(error))
        assert type(there) is type(error), error
        assert (str(there), there.text, there.args) == (str(error), error.text, error.args)
        assert there.caller == error.caller == f.__name__, error
        assert text in there.text


@pytest.mark.parametrize(
    "kind", [cd.ArgumentError, cd.TiesError, cd.ArgumentTypeError, cd.InputError, cd.MissingLibraryError]
)
def test_every_error_is_one_of_ours_and_of_python(kind):
    """All derive from ConcordantError and from an error of Python, and can be pickled inside a call."""
    assert issubclass(kind, cd.ConcordantError)
    assert issubclass(kind, ValueError | TypeError | ImportError)
    assert kind.__module__ == "concordant"
    error = kind("x is wrong")
    assert str(error) == error.text == "x is wrong"

    def breaks(x, y):
        return len(pickle.loads(blob).text) + 0.0

    blob = pickle.dumps(error)
    assert cd.compare(X, Y, breaks)["breaks"] == len("x is wrong")
    assert str(pickle.loads(blob)) == "x is wrong"


def test_the_name_is_that_of_the_outer_call():
    """An error inside a user's own coefficient names the function called; the next call has its own."""

    def breaks(x, y):
        return cd.tau_b(x, y, threshold=-1)

    error = caught_from(cd.matrix, ([X, Y], breaks), {})
    assert str(error).startswith(f"matrix: {NEGATIVE}")
    assert str(caught_from(cd.tau_b, (X, Y), {"threshold": -1})).startswith(f"tau_b: {NEGATIVE}")


def test_a_coefficient_called_by_name_is_the_function_called():
    """`coefficient(...)(x, y)` begins with the name of the coefficient called."""
    assert str(caught_from(cd.coefficient("tau_b(0.1)@2"), (X, [1, 2]), {})).startswith(
        "tau_b: x has 3 items"
    )
    assert re.match(
        r"tau(@2)?: x has tied items", str(caught_from(cd.coefficient("tau@2"), ([2, 2, 1], Y), {}))
    )
    assert str(caught_from(cd.coefficient("tau"), ([2, 2, 1], Y), {})).startswith("tau: x has tied items")
