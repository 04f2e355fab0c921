"""Numbers and names as people read them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from concordant.results.table import plain
from concordant.results.words import listed, number, pvalue, with_interval
from concordant.statistics.confidence import ConfidenceInterval


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.8912, "0.89"),
        (-0.5, "-0.50"),
        (0.998, "0.998"),
        (0.9996, "0.9996"),
        (0.99999, ">0.9999"),
        (1 - 2e-8, ">0.9999"),
        (1.00001, "<1.0001"),
        (-0.99999, "<-0.9999"),
        (0.00031, "0.0003"),
        (-0.00002, "-2e-05"),
        (1.0, "1.00"),
        (1 - 1e-15, "1.00"),
        (-0.0, "0.00"),
        (12.345, "12.35"),
        (2.999, "3.00"),
        (5e9, "5e+09"),
        (24, "24"),
        (np.float64(0.5), "0.50"),
        (math.inf, "inf"),
        (math.nan, "-"),
        (None, "-"),
    ],
)
def test_a_number_has_two_decimals_or_as_many_as_needed(value, text):
    """Only 1 itself is shown as 1.00, and likewise 0 and -1."""
    assert number(value) == text


def test_no_number_between_the_ends_is_shown_as_an_end():
    """Neither just below 1 nor just above 0, and no number is off by more than it seems."""
    for distance in np.logspace(-11, -1, 200).tolist():
        for value in (1 - distance, distance - 1, distance, -distance):
            shown = float(number(value).lstrip("<>"))
            assert shown not in (-1.0, 0.0, 1.0)
            assert abs(shown - value) <= 0.005


def test_an_interval_follows_its_value():
    """Ends of ranks are whole; an unknown end is a dash."""
    assert with_interval(0.6, (0.53, 0.66)) == "0.60 [0.53, 0.66]"
    assert with_interval(0.6, (0.53, math.nan)) == "0.60 [0.53, -]"
    assert with_interval(3, (1.0, 5.0)) == "3 [1, 5]"
    assert with_interval(0.6, None) == "0.60"


def test_small_p_values_are_below_a_bound():
    """None is shown as 0."""
    shown = [pvalue(p) for p in (0.0004, 0.0499, 0.00009, 0.0, 0.31, 1.0, None, math.nan)]
    assert (
        shown
        == ["p = 0.0004", "p = 0.0499", "p < 0.0001", "p < 0.0001", "p = 0.31", "p = 1.00"]
        + ["p is not known"] * 2
    )


def test_names_are_listed_as_in_a_sentence():
    """With and before the last."""
    assert [listed(names) for names in ("abc", "ab", "a", "")] == ["a, b and c", "a and b", "a", ""]


def test_an_undefined_interval_is_not_shown():
    """The value stands alone."""
    assert with_interval(0.5, (math.nan, math.nan)) == "0.50"


def test_no_zero_is_negative():
    """Neither for people nor for programs, nor at the end of an interval."""
    assert str(ConfidenceInterval(-1e-9, 0.2)) == "[0.0000, 0.2000]"
    assert math.copysign(1, plain(-0.0)) == 1
    assert with_interval(-0.0, (-0.0, 0.5)) == "0.00 [0.00, 0.50]"
