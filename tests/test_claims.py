"""What the registry claims of each coefficient, tested in both directions."""

from __future__ import annotations

import inspect
import math
from dataclasses import replace
from importlib import resources

import numpy as np
import pytest
from strategies import random_pair

import concordant as cd

quiet = pytest.mark.filterwarnings("ignore::concordant.UndefinedWarning")
pytestmark = quiet

BUILT_IN = list(cd.REGISTRY.values())
every = pytest.mark.parametrize("c", BUILT_IN, ids=str)


def samples(c):
    """Pairs the coefficient accepts: untied always, tied if it takes ties."""
    kinds = ["none"] if c.ties == "refused" else ["none", "few", "many"]
    return [random_pair(seed, n, ties) for ties in kinds for n in (2, 3, 5, 10, 40) for seed in range(8)]


def is_symmetric(c):
    """Equal on all samples with the rankings exchanged."""
    values = [(c(x, y), c(y, x)) for x, y in samples(c)]
    return all(abs(a - b) < 1e-12 for a, b in values if not math.isnan(a))


def is_head_weighted(c):
    """Exchanging the two best costs more than exchanging the two worst."""
    n = 10
    x = np.arange(n, 0, -1.0)
    head, tail = x.copy(), x.copy()
    head[[0, 1]], tail[[-1, -2]] = head[[1, 0]], tail[[-2, -1]]
    return c(x, tail) - c(x, head) > 1e-9


def is_gap_sensitive(c):
    """Changed by some increasing map of x or y."""
    maps = [lambda v: v, np.exp, lambda v: v**3 + v]
    return any(
        not math.isclose(c(f(x), g(y)), c(x, y), abs_tol=1e-9)
        for x, y in samples(c)
        if not math.isnan(c(x, y))
        for f in maps
        for g in maps
    )


def keeps_its_bounds(c):
    """No sample leaves the bounds, both are reached."""
    low, high = c.bounds
    values = [v for v in (c(x, y) for x, y in samples(c)) if not math.isnan(v)]
    x = np.arange(10.0)
    return (
        all(low - 1e-12 <= v <= high + 1e-12 for v in values)
        and math.isclose(c(x, x), high)
        and math.isclose(c(x, -x), low)
    )


def meaning_of_ties(c):
    """Find out what a tie means to it, from how it behaves."""
    tied, untied = [2.0, 1.0, 1.0, 0.0], [3.0, 2.0, 1.0, 0.0]
    try:
        itself = c(tied, tied)
    except cd.TiesError:
        return "refused"
    if itself < 1:
        return "unresolved"
    if math.isnan(c([1.0, 1.0, 1.0], [1.0, 1.0, 1.0])):
        return "removed"
    return "judged" if c(untied, tied) < 1 else "free"


CLAIMS = {
    "symmetric": is_symmetric,
    "head_weighted": is_head_weighted,
    "gap_sensitive": is_gap_sensitive,
    "ties": meaning_of_ties,
}


@every
@pytest.mark.parametrize("claim", CLAIMS)
def test_claims_are_true(c, claim):
    """A claim that is made holds on all samples; one that is not made fails on some."""
    assert CLAIMS[claim](c) == getattr(c, claim)


@every
def test_bounds(c):
    assert keeps_its_bounds(c)


@every
@pytest.mark.parametrize("claim", [claim for claim in CLAIMS if claim != "ties"])
def test_a_false_claim_is_caught(c, claim):
    """The tests above can fail."""
    liar = replace(c, **{claim: not getattr(c, claim)})
    assert CLAIMS[claim](liar) != getattr(liar, claim)


def test_false_bounds_are_caught():
    c = cd.get("tau_b")
    assert not keeps_its_bounds(replace(c, bounds=(-1, 2)))
    assert not keeps_its_bounds(replace(c, bounds=(0, 1)))


@every
def test_every_coefficient_is_documented_and_cited(c):
    bibliography = (resources.files("concordant") / "references.bib").read_text()
    assert f"{{{c.cite}," in bibliography
    assert c.question.endswith("?")
    document = inspect.getdoc(c.function)
    assert document is not None
    for part in ("Parameters", "Returns", "References", "Examples"):
        assert f"\n{part}\n---" in document, part


@every
def test_every_coefficient_has_the_same_signature(c):
    """x, y; then keywords, of which the last are the same everywhere."""
    p = inspect.signature(c.function).parameters
    assert list(p)[:2] == ["x", "y"]
    assert all(p[name].kind is p[name].KEYWORD_ONLY for name in list(p)[2:])
    tail = [(name, p[name].default) for name in list(p)[-3:]]
    assert tail == [("axis", -1), ("nan_policy", "propagate"), ("workers", 1)]
    assert c.thresholds == ("threshold" in p)
    if c.thresholds:
        assert p["threshold"].default == 0.0
    assert c.function is getattr(cd, c.name)
    assert c.function.__module__.startswith("concordant.coefficients.")


@every
def test_every_coefficient_has_a_reference(c):
    from concordant import _reference

    assert inspect.isfunction(getattr(_reference, c.name))
