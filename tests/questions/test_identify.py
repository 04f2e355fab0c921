"""`identify`: the coefficient, its variant and what it is of, found from the printed number alone."""

import itertools

import numpy as np
import pytest
from scipy import stats

import concordant as cd
from concordant.results import IdentifyResult


@pytest.fixture(scope="module")
def sides():
    """Scores of 9 systems on 8 topics with some ties, and another judge's."""
    rng = np.random.default_rng(11)
    human = rng.integers(0, 11, (8, 9))  # eight topics, so that means are exact
    return human / 16, np.rint(human + rng.normal(0, 2, human.shape)) / 16


def signs(x, y, width=0.0):
    """The signs of the differences of all pairs, 0 up to a width, as the definitions have them."""
    for i, j in itertools.combinations(range(len(x)), 2):
        yield tuple(0 if abs(a[i] - a[j]) <= width else np.sign(a[i] - a[j]) for a in (x, y))


def tau_a(x, y):
    return np.mean([a * b for a, b in signs(x, y)])


def gamma(x, y):
    found = [a * b for a, b in signs(x, y) if a * b]
    return np.mean(found)


def wide_tau_b(x, y, width):
    every = np.array([*signs(x, y, width)])
    return every.prod(axis=1).sum() / np.sqrt((every != 0).sum(axis=0).prod())


def ranks(x):
    """Ranks of which ties are broken by the order of the items."""
    return stats.rankdata(-np.asarray(x), method="ordinal")


def by_topic(function, x, y):
    return np.mean([function(a, b) for a, b in zip(x, y, strict=True)])


PRINTED = {
    "tau_b": (lambda x, y: stats.kendalltau(x.mean(0), y.mean(0))[0], "means"),
    "tau_c": (lambda x, y: stats.kendalltau(x.mean(0), y.mean(0), variant="c")[0], "means"),
    "tau_a": (lambda x, y: by_topic(tau_a, x, y), "mean over topics"),
    "gamma": (lambda x, y: gamma(x.ravel(), y.ravel()), "all scores"),
    "spearman_rho": (lambda x, y: stats.spearmanr(x.ravel(), y.ravel())[0], "all scores"),
    "pearson_r": (lambda x, y: by_topic(lambda a, b: stats.pearsonr(a, b)[0], x, y), "mean over topics"),
    "somers_d": (lambda x, y: stats.somersd(x.ravel(), y.ravel()).statistic, "all scores"),
    "tau": (lambda x, y: by_topic(lambda a, b: tau_a(ranks(a), ranks(b)), x, y), "mean over topics"),
}


@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.parametrize("digits", [3, 5])
def test_what_was_printed_is_among_the_candidates(sides, name, digits):
    printed, aggregation = PRINTED[name][0](*sides), PRINTED[name][1]
    found = cd.identify(*sides, f"{printed:.{digits}f}")
    named = [
        (each.coefficient.name, each.aggregation, each.ties == "by order")
        for each in found.candidates
        if each.matches
    ]
    assert (name, aggregation, name == "tau") in named
    if digits == 5:  # the other coefficients have other values
        exact = [each for each in found.candidates if each.matches and abs(each.value - printed) > 5e-6]
        assert exact == []


@pytest.mark.parametrize("width", [0.055, 0.1])
def test_a_threshold_is_found_if_it_is_tried(sides, width):
    # The means are no multiples of the width, so that no difference is on the edge.
    x, y = (side.mean(0) for side in sides)
    printed = f"{wide_tau_b(x, y, width):.6f}"
    without = [str(each.coefficient) for each in cd.identify(x, y, printed).candidates if each.matches]
    found = [
        str(e.coefficient) for e in cd.identify(x, y, printed, thresholds=[width]).candidates if e.matches
    ]
    assert f"tau_b({width})" in found
    assert f"tau_b({width})" not in without


def test_a_side_is_told_where_it_matters(sides):
    """tau_ap as Yilmaz, Aslam and Robertson define it, along the ranking y, the truth x."""
    x, y = (np.unique(side.mean(0) + np.arange(9) / 1000, return_inverse=True)[1] for side in sides)
    order = np.argsort(-y)
    above = [np.mean([x[j] > x[order[i]] for j in order[:i]]) for i in range(1, 9)]
    found = cd.identify(x, y, f"{2 * np.mean(above) - 1:.6f}")
    assert ("tau_ap", "x, y") in {(e.coefficient.name, e.sides) for e in found.candidates if e.matches}
    found = cd.identify(y, x, f"{2 * np.mean(above) - 1:.6f}")
    about = {(e.coefficient.name, e.sides) for e in found.candidates if e.matches}
    assert ("tau_ap", "y, x") in about
    assert ("tau_ap", "x, y") not in about


def test_digits_decide_what_matches():
    """tau_b of these is 1 / sqrt(3.6) = 0.52704...: each further digit must be right, and zeros count."""
    x, y = [4, 3, 2, 1, 1], [4, 2, 3, 1, 1]
    value = stats.kendalltau(x, y)[0]
    for digits in range(1, 12):
        found = cd.identify(x, y, f"{value:.{digits}f}").candidates
        assert "tau_b" in [str(each.coefficient) for each in found if each.matches]
        wrong = f"{value + 2 * 10.0**-digits:.{digits}f}"
        found = cd.identify(x, y, wrong).candidates
        assert "tau_b" not in [str(each.coefficient) for each in found if each.matches]


def test_the_nearest_is_told_if_nothing_matches(sides):
    found = cd.identify(*sides, "-0.987654321")
    assert isinstance(found, IdentifyResult)
    assert not any(each.matches for each in found.candidates)
    assert found.verdict[0].startswith("Nothing that was tried gives -0.987654321; the nearest is ")
    distances = [abs(each.difference) for each in found.candidates]
    assert distances == sorted(distances)


def test_a_word_is_no_number(sides):
    with pytest.raises(cd.ArgumentError, match=r"value must be a number, such as 0\.736, got 'high'"):
        cd.identify(*sides, "high")
