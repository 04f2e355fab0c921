"""What is declared about each coefficient of lists, tested in both directions."""

from __future__ import annotations

import inspect
import math
from dataclasses import replace
from importlib import resources

import numpy as np
import pytest
from support import quiet

import concordant as cd

pytestmark = quiet

BUILT_IN = [c for c in cd.REGISTRY.values() if c.inputs == "lists"]
every = pytest.mark.parametrize("c", BUILT_IN, ids=str)


def samples():
    """Pairs of lists with scores, with and without ties, some items in common."""
    found = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        sides = []
        for _ in range(2):
            items = rng.permutation(20)[: rng.integers(1, 16)]
            scores = rng.permutation(len(items)) if seed % 2 else rng.integers(0, 5, len(items))
            sides.append({int(e): float(s) for e, s in zip(items, scores, strict=True)})
        found.append(tuple(sides))
    return found


def is_symmetric(c):
    """Equal on all samples with the lists exchanged."""
    return all(c(x, y) == c(y, x) for x, y in samples())


def is_top_weighted(c):
    """Exchanging the two best costs more than exchanging the two worst."""
    x = list(range(10))
    head, tail = [1, 0, *x[2:]], [*x[:8], 9, 8]
    cost_of_head, cost_of_tail = (abs(c(x, x) - c(x, y)) for y in (head, tail))
    return bool(cost_of_head > 1.1 * cost_of_tail > 0)


def gaps(c):
    """Whether increasing maps of the scores change anything."""
    changed = any(
        c({e: math.exp(s) for e, s in x.items()}, {e: s**3 + s for e, s in y.items()}) != c(x, y)
        for x, y in samples()
    )
    return "both" if changed else "none"


def is_distance(c):
    """0 for a list with itself, and never below."""
    return all(c(x, x) == 0 for x, _ in samples()) and all(c(x, y) >= 0 for x, y in samples())


CLAIMS = {"symmetric": is_symmetric, "top_weighted": is_top_weighted, "gaps": gaps, "distance": is_distance}


@every
@pytest.mark.parametrize("claim", CLAIMS)
def test_claims_are_true(c, claim):
    """A claim that is made holds on all samples; one that is not made fails on some."""
    assert CLAIMS[claim](c) == getattr(c, claim)


def keeps_its_bounds(c):
    """No sample leaves the bounds; disjoint lists reach the end of no agreement, equal ones come near."""
    low, high = c.bounds
    within = all(low - 1e-12 <= c(x, y) <= high + 1e-12 for x, y in samples())
    long = list(range(200))
    apart, same = c(long, [-1 - e for e in long]), c(long, long)
    if c.distance:
        return within and math.isclose(same, low) and apart > 1e4
    return within and math.isclose(apart, low) and math.isclose(same, high, abs_tol=1e-8)


@every
def test_bounds(c):
    """All values are within the bounds, and both ends are reached, or come near if there is no largest."""
    assert keeps_its_bounds(c)


@every
def test_ties_mean_what_is_claimed(c):
    """An order that is not known costs something against the same tie; equality costs nothing."""
    tied, order = "a (b c) d", "a b c d"
    costs_nothing = math.isclose(c(tied, tied), c(order, order))
    assert {"undecided": not costs_nothing, "equality": costs_nothing}[c.ties]
    assert c(tied, order) != c(order, order)


def test_behaviour_against_a_claim_is_caught():
    """The tests above can fail."""

    def made_up(function, **claims):
        return replace(cd.coefficient(function), inputs="lists", **claims)

    def first_of_x(x, y):
        return float(len(x))

    def by_scores(x, y):
        return float(sum(x.values()) + sum(y.values()))

    assert not is_symmetric(made_up(first_of_x))
    assert gaps(made_up(by_scores)) == "both"
    assert not is_distance(made_up(first_of_x))
    assert not is_distance(cd.coefficient("rbo"))
    assert not is_top_weighted(cd.coefficient("footrule"))
    assert not keeps_its_bounds(replace(cd.coefficient("rbo"), bounds=(0.0, 0.5)))


@every
def test_weights_are_geometric_exactly_where_the_top_counts_more(c):
    """And equal elsewhere."""
    assert c.weights == ("geometric" if c.top_weighted else "equal")


@every
def test_each_is_documented_and_cited(c):
    """The docstring describes every parameter, and the bibliography has the publication."""
    bibliography = (resources.files("concordant") / "references.bib").read_text()
    assert f"{{{c.cite}," in bibliography
    assert c.question.endswith("?")
    document = inspect.getdoc(c.function)
    for title in ("Parameters", "Returns", "References", "Examples"):
        assert f"\n{title}\n---" in document
    for name in inspect.signature(c.function).parameters:
        assert (
            f"\n{name} : " in document
            or f"{name} : list" in document
            or f"\nx, {name} : " in document
            or (name == "x" and "\nx, y : " in document)
        )


@every
def test_each_has_the_same_signature(c):
    """x, y; then keywords, of which the last are threshold and workers."""
    p = list(inspect.signature(c.function).parameters.values())
    assert [each.name for each in p[:2]] == ["x", "y"]
    assert [each.name for each in p[-2:]] == ["threshold", "workers"]
    assert all(each.kind is each.KEYWORD_ONLY for each in p[2:])
    assert c.function is getattr(cd, c.name)


@every
def test_lists_have_neither_axis_nor_nan(c):
    """These options are refused."""
    with pytest.raises(cd.ArgumentError, match=f"^{c.name}: lists have no axis, and no NaN"):
        c(["a"], ["a"], axis=0)
    with pytest.raises(cd.ArgumentError, match=f"^{c.name}: workers must be 1 or more"):
        c(["a"], ["a"], workers=0)
    with pytest.raises(cd.ArgumentError, match=f"^{c.name}: threshold must be a number >= 0"):
        c.function({"a": 1}, {"a": 1}, threshold=-1)


@every
def test_what_is_about_rankings_of_the_same_items_is_refused(c):
    """With a sentence that says why."""
    with pytest.raises(
        cd.ArgumentError, match=f"^axioms: {c.name} compares lists that need not hold the same"
    ):
        cd.experiments.axioms(c.name)
    on = {"s": {"t1": 0.5, "t2": 0.1}, "r": {"t1": 0.3, "t2": 0.2}}
    with pytest.raises(cd.ArgumentError, match=f"^bootstrap: {c.name} compares lists, not scores of systems"):
        cd.bootstrap(on, on, c.name)
    with pytest.raises(cd.ArgumentError, match=f"^jackknife_interval: {c.name} compares lists of items"):
        cd.jackknife_interval([1, 2, 3], [1, 2, 3], c.name)
