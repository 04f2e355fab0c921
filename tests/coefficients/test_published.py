"""Worked examples of the papers and documented values of ircor, each with its source."""

from __future__ import annotations

import math

import numpy as np
import pytest

import concordant as cd

# Radja, "Dealing with Ties in Rank Correlation", 2018. Its rankings are ranks, 1 is best: negated here.


def ranks(*values):
    return [-v for v in values]


ABCD = ranks(1, 2, 3, 4)
ABCDE = ranks(1, 2, 3, 4, 5)
X_6 = ranks(1, 1.4, 1.5, 1.9, 3)
Y_6 = ranks(1, 1.5, 2, 3, 4)
W_6 = (0.5, 0.7)

THESIS = [
    # section, coefficient, x, y, options, value as a fraction where the print rounds
    ("2.1.1 concordant", "tau", ABCD, ABCD, {}, 1.0),
    ("2.1.1 discordant", "tau", ABCD, ranks(4, 3, 2, 1), {}, -1.0),
    ("2.1.1 independent", "tau", ABCD, ranks(3, 1, 4, 2), {}, 0.0),
    ("2.1.2 ties in Y", "tau_a", ABCDE, ranks(1, 3, 3, 3, 5), {}, 0.7),
    ("2.1.2 ties in both", "tau_a", ranks(1, 2, 3, 4.5, 4.5), ranks(1, 3, 3, 3, 5), {}, 0.6),
    ("2.1.3", "tau_b", ranks(1, 2.5, 2.5, 4, 5), ranks(1, 3, 3, 3, 5), {}, 7 / math.sqrt(63)),  # 0.8819
    # Walked down Y, as the text says; the print walks down X and has 0 and 0.4444.
    ("2.2.1 Y = B,C,A,D", "tau_ap", ABCD, ranks(3, 1, 2, 4), {}, 1 / 3),
    ("2.2.1 Y = A,C,D,B", "tau_ap", ABCD, ranks(1, 4, 2, 3), {}, 5 / 9),
    ("2.2.2 Y1", "tau_ap", ABCD, ABCD, {}, 1.0),
    ("2.2.2 Y2 = A,B,D,C", "tau_ap", ABCD, ranks(1, 2, 4, 3), {}, 7 / 9),
    ("2.2.2 Y3 = A,C,B,D", "tau_ap", ABCD, ranks(1, 3, 2, 4), {}, 2 / 3),
    # 2.2.2 prints these two exchanged, 4.2 has them right.
    ("4.2 Y4 = A,C,D,B", "tau_ap", ABCD, ranks(1, 4, 2, 3), {}, 5 / 9),
    ("4.2 Y5 = A,D,B,C", "tau_ap", ABCD, ranks(1, 3, 4, 2), {}, 4 / 9),
    ("4.2 Y6 = A,D,C,B", "tau_ap", ABCD, ranks(1, 4, 3, 2), {}, 2 / 9),
    ("4.2", "tau_ap_a", ABCD, ranks(1, 3, 3, 3), {}, 11 / 18),  # 0.6111
    ("4.2 ties in X", "tau_ap_a", ranks(1.5, 1.5, 3, 4), ranks(1, 3, 3, 3), {}, 11 / 27),  # 0.4074
    # 4.3: the printed 0.8333 belongs to the table with D and E exchanged; both are here.
    ("4.3 Y = A,(B,C,E),D", "tau_ap_b", ranks(1, 2.5, 2.5, 4, 5), ranks(1, 3, 3, 5, 3), {}, 0.75),
    ("4.3 Y = A,(B,C,D),E", "tau_ap_b", ranks(1, 2.5, 2.5, 4, 5), ranks(1, 3, 3, 3, 5), {}, 5 / 6),
    ("5.1 concordant", "tau_e", ranks(1, 3, 3, 3, 5), ranks(1, 3, 3, 3, 5), {}, 1.0),
    ("5.1 discordant", "tau_e", ABCDE, ranks(1, 3, 3, 3, 5), {}, 0.4),
    ("5.2 concordant", "tau_ap_e", ranks(1, 3, 3, 3, 5), ranks(1, 3, 3, 3, 5), {}, 1.0),
    ("5.2 discordant", "tau_ap_e", ABCDE, ranks(1, 3, 3, 3, 5), {}, 5 / 12),  # 0.4167
    ("6.1.1", "tau_a", X_6, Y_6, {"threshold": W_6}, 0.5),
    ("6.1.2", "tau_ap_a", X_6, Y_6, {"threshold": W_6}, 1 / 3),
    ("6.1.2 exchanged", "tau_ap_a", Y_6, X_6, {"threshold": (0.7, 0.5)}, 1 / 3),
    # The print gives 0.5, the value of tau_a.
    ("6.1.3", "tau_b", X_6, Y_6, {"threshold": W_6}, 5 / math.sqrt(40)),
    ("6.1.4", "tau_ap_b", X_6, Y_6, {"threshold": W_6}, 4 / 9),  # 0.4444
    ("6.2.1", "tau_e", X_6, Y_6, {"threshold": W_6}, 0.4),
]


@pytest.mark.parametrize(
    ("name", "x", "y", "options", "value"), [row[1:] for row in THESIS], ids=[row[0] for row in THESIS]
)
def test_worked_examples_of_the_thesis(name, x, y, options, value):
    """Each example of the thesis has the value printed, or the correct one where the print is wrong."""
    assert getattr(cd, name)(x, y, **options) == pytest.approx(value, abs=1e-12)


def test_all_tied_as_the_thesis_says():
    """2.1.2, 4.2: 0. 5.1, 5.2: 1 in both, -1 in one only (6.2's "in either: 1" contradicts this)."""
    tied, untied = [1, 1, 1, 1], [1, 2, 3, 4]
    assert cd.tau_a(untied, tied) == cd.tau_ap_a(untied, tied) == 0
    assert cd.tau_e(tied, tied) == cd.tau_ap_e(tied, tied) == 1
    assert cd.tau_e(untied, tied) == cd.tau_ap_e(untied, tied) == -1
    assert cd.tau_e(untied, untied, threshold=(9, 0)) == cd.tau_ap_e(untied, untied, threshold=(0, 9)) == -1


# ircor 1.0, README: x, y; y <- round(y*5)/5; x <- round(x*5)/5, seven printed digits.
X_R = [0.06, 0.2, 0.27, 0.37, 0.57, 0.63, 0.66, 0.9, 0.91, 0.94]
Y_R = [0.37, 0.06, 0.2, 0.27, 0.57, 0.66, 0.63, 0.91, 0.9, 0.94]
X_FIFTHS = [round(v * 5) / 5 for v in X_R]
Y_FIFTHS = [round(v * 5) / 5 for v in Y_R]

IRCOR = [
    ("tau", X_R, Y_R, 0.7777778),
    ("tau_ap", X_R, Y_R, 0.7491182),
    ("tau_a", X_R, Y_FIFTHS, 0.7111111),
    ("tau_ap_a", X_R, Y_FIFTHS, 0.6074515),
    ("tau_b", X_FIFTHS, Y_FIFTHS, 0.75),
    ("tau_ap_b", X_FIFTHS, Y_FIFTHS, 0.6269841),
]

# ircor 1.0, ?tau, example output.
X_TAU = [0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54]
Y_TAU = [0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84]
Y_TENTHS = [round(v, 1) for v in Y_TAU]
X_TENTHS = [round(v * 10) / 10 for v in X_TAU]  # R 3, which made the output, rounds 0.45 to 0.4
IRCOR += [
    ("tau", X_TAU, Y_TAU, 0.2),
    ("tau_b", X_TAU, Y_TAU, 0.2),
    ("tau_a", X_TAU, Y_TENTHS, 0.2222222),
    ("tau_b", X_TAU, Y_TENTHS, 0.2247333),
    ("tau_b", X_TENTHS, Y_TENTHS, 0.25),
]


@pytest.mark.parametrize(("name", "x", "y", "value"), IRCOR)
def test_documented_values_of_ircor(name, x, y, value):
    """The values are those that ircor documents, to the digits that it prints."""
    assert getattr(cd, name)(x, y) == pytest.approx(value, abs=5e-8)


def test_the_order_of_equal_estimates_does_not_matter():
    """x = 2,1,2,3 and y = 2,2,2,1: tau_ap_e is -2/3 or -1/3 in some orders of tied items, -5/9 on average."""
    assert cd.tau_ap_e([2, 1, 2, 3], [2, 2, 2, 1]) == pytest.approx(-5 / 9, abs=1e-15)


def test_unsigned_integers_are_not_negated():
    """pyircor 0.2.0 gives 0.5 on these, by negating modulo 256."""
    assert cd.tau_ap_b(np.uint8([0, 1, 2]), np.uint8([0, 2, 1])) == 0.0
