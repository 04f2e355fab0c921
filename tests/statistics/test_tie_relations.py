"""Ties by a relation: as thresholds where these make it, literally where they do not."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import reference
from hypothesis import given, strategies as st
from support import examples, quiet
from support.strategies import pairs_with_thresholds

import concordant as cd

WITH_TIES = [cd.tau_a, cd.tau_b, cd.tau_e, cd.tau_ap_a, cd.tau_ap_b, cd.tau_ap_e]


def relation_of(values, w):
    return cd.TieRelation(np.array(reference.signs(values, w)) == 0)


@given(pairs_with_thresholds(min_size=2, max_size=9))
@examples(200)
@quiet
def test_a_relation_made_by_thresholds_gives_what_thresholds_give(case):
    """For x, for y and for both, in all coefficients with ties and in the counts."""
    x, y, (w_x, w_y) = case
    r_x, r_y = relation_of(x, w_x), relation_of(y, w_y)
    for f in WITH_TIES:
        expected = f(x, y, threshold=(w_x, w_y))
        for ties in ((r_x, r_y), (r_x, w_y), (w_x, r_y)):
            assert f(x, y, threshold=ties) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    neutral = {"tied": "neutral"}
    assert cd.tau_ap_b(x, y, threshold=(r_x, r_y), **neutral) == pytest.approx(
        cd.tau_ap_b(x, y, threshold=(w_x, w_y), **neutral), abs=1e-12, nan_ok=True
    )
    for f in (cd.tau_ap_a, cd.tau_ap_e):
        both = f(x, y, threshold=(r_x, r_y), symmetric=True)
        assert both == pytest.approx(f(x, y, threshold=(w_x, w_y), symmetric=True), abs=1e-12, nan_ok=True)
    assert cd.counts(x, y, threshold=(r_x, r_y)).to_csv() == cd.counts(x, y, threshold=(w_x, w_y)).to_csv()


def signs(values, tied):
    n = len(values)
    return [[0 if tied[i][j] else int(np.sign(values[i] - values[j])) for j in range(n)] for i in range(n)]


def literal(name, x, y, s_x, s_y):
    """DEFINITIONS of the threshold forms with "tied" replaced; None where there is no value."""
    n = len(x)
    pairs = list(itertools.combinations(range(n), 2))
    net = sum(s_x[i][j] * s_y[i][j] for i, j in pairs)
    if name == "tau_a":
        return Fraction(net, len(pairs))
    if name == "tau_b":
        untied = [sum(s[i][j] != 0 for i, j in pairs) for s in (s_x, s_y)]
        return net / math.sqrt(untied[0] * untied[1]) if all(untied) else None
    if name == "tau_e":
        return Fraction(2 * sum(s_x[i][j] == s_y[i][j] for i, j in pairs), len(pairs)) - 1
    if name == "tau_ap_b":
        sides = []
        for walked, other in ((s_y, s_x), (s_x, s_y)):
            above = [[j for j in range(n) if walked[j][i] == 1] for i in range(n)]
            means = [
                Fraction(sum(1 if other[j][i] == 1 else -1 for j in above[i]), len(above[i]))
                for i in range(n)
                if above[i]
            ]
            if not means:
                return None
            sides.append(sum(means) / len(means))
        return sum(sides) / 2
    assert name == "tau_ap_e"
    total, count = Fraction(0), 0
    groups = [[i for i in range(n) if y[i] == v] for v in sorted(set(y), reverse=True)]
    for parts in itertools.product(*map(itertools.permutations, groups)):
        order, count = list(itertools.chain(*parts)), count + 1
        for place in range(1, n):
            i = order[place]
            total += Fraction(sum(s_x[j][i] == s_y[j][i] for j in order[:place]), place)
    return 2 * total / count / (n - 1) - 1


@st.composite
def relations(draw):
    n = draw(st.integers(2, 5))
    x, y = (draw(st.lists(st.integers(0, 4).map(float), min_size=n, max_size=n)) for _ in range(2))
    tied = []
    for _ in range(2):
        one = np.eye(n, dtype=bool)
        for i, j in itertools.combinations(range(n), 2):
            one[i, j] = one[j, i] = draw(st.booleans())
        tied.append(one)
    return x, y, *tied


@given(relations())
@examples(200)
@quiet
def test_any_relation_gives_the_definition_with_tied_replaced(case):
    """Also if it is not transitive."""
    x, y, tied_x, tied_y = case
    s_x, s_y = signs(x, tied_x), signs(y, tied_y)
    ties = cd.TieRelation(tied_x), cd.TieRelation(tied_y)
    for name in ("tau_a", "tau_b", "tau_e", "tau_ap_b", "tau_ap_e"):
        expected = literal(name, x, y, s_x, s_y)
        found = getattr(cd, name)(x, y, threshold=ties)
        assert found == pytest.approx(
            math.nan if expected is None else float(expected), abs=1e-12, nan_ok=True
        )


def test_items_that_do_not_stand_together_keep_their_places():
    """1 and 3 are tied with the same items, those two, and 2 stands between them; 2 and 3 share theirs."""
    tied = np.eye(4, dtype=bool)
    tied[0, 2] = tied[2, 0] = True
    x = [4.0, 3.0, 2.0, 1.0]
    assert cd.tau_ap_a(x, x, threshold=cd.TieRelation(tied)) == pytest.approx((1 + 1 / 2 + 1) / 3)
    adjacent = np.eye(4, dtype=bool)
    adjacent[1, 2] = adjacent[2, 1] = True
    expected = cd.tau_ap_a([4, 2.5, 2.5, 1], [4, 2.5, 2.5, 1])
    assert cd.tau_ap_a(x, x, threshold=cd.TieRelation(adjacent)) == pytest.approx(expected)


def test_a_relation_is_aligned_by_label():
    """To rankings with labels, whatever their order; other labels are refused."""
    tied = np.eye(3, dtype=bool)
    tied[0, 1] = tied[1, 0] = True
    relation = cd.TieRelation(tied, labels=("a", "b", "c"))
    x, y = {"c": 1, "b": 2, "a": 3}, {"a": 2, "b": 3, "c": 1}
    assert cd.counts(x, y, threshold=relation).to_csv().splitlines()[1] == "2,0,0,0,1"
    with pytest.raises(ValueError, match="only in the rankings: 'd'"):
        cd.tau_b({"a": 1, "b": 2, "d": 3}, {"a": 1, "b": 2, "d": 3}, threshold=relation)


def test_a_relation_does_not_change_with_the_array_it_was_made_of():
    """It is a copy, and cannot be written to."""
    own = np.eye(3, dtype=bool)
    relation = cd.TieRelation(own)
    own[0, 1] = True
    assert not relation.tied[0, 1]
    with pytest.raises(ValueError, match="read-only"):
        relation.tied[0, 1] = True


def test_one_relation_holds_for_every_row_of_a_batch():
    """Each row has the value of a call of its own."""
    rng = np.random.default_rng(0)
    x, y = rng.random(6), rng.random((4, 6))
    relation = relation_of(x, 0.3)
    rows = [cd.tau_ap_b(x, row, threshold=(relation, 0.0)) for row in y]
    assert cd.tau_ap_b(x, y, threshold=(relation, 0.0)).tolist() == rows


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cd.TieRelation([[True, False]]), "^TieRelation: tied must be a square array"),
        (lambda: cd.TieRelation([[1.0, 0.0], [0.0, 1.0]]), "square array of True and False"),
        (lambda: cd.TieRelation([[True, True], [False, True]]), "symmetric"),
        (lambda: cd.TieRelation([[False]]), "tied with itself"),
        (lambda: cd.TieRelation([[True]], labels=["a", "b"]), "there are 2 labels for 1 items"),
        (lambda: cd.TieRelation(np.eye(2, dtype=bool), labels=["a", "a"]), "two items have the same label"),
        (
            lambda: cd.tau_b([1, 2, 3], [1, 2, 3], threshold=cd.TieRelation([[True]])),
            "^tau_b: .*between 1 items and the rankings have 3",
        ),
        (
            lambda: cd.tau_b([1, 2], [1, 2], threshold=(cd.TieRelation(np.eye(2, dtype=bool)), -1)),
            "^tau_b: threshold must be",
        ),
        (
            lambda: cd.counts([1, 2], [1, 2], per_item=True, threshold=cd.TieRelation(np.eye(2, dtype=bool))),
            "^counts: threshold must be",
        ),
    ],
)
def test_relations_that_are_none_are_refused(make, message):
    """In one sentence."""
    with pytest.raises(cd.ArgumentError, match=message):
        make()
