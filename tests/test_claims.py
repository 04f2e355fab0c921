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


def value(c, x, y):
    """Call a coefficient of any kind on two arrays: scorings, or lists of grades; some grades for the items."""
    if c.inputs == "graded":
        return c.function(x, y, (np.arange(len(x)) * 7 + len(x)) % 4 % 3)
    if c.inputs == "profiles":
        return c.function(x, y, a=-0.25)  # the default depends on the largest grade
    return c(x, y)


def samples(c):
    """Pairs the coefficient accepts: untied always, tied if it takes ties; lists of grades if it compares these."""
    if c.inputs == "profiles":
        rngs = [np.random.default_rng([seed, n]) for n in (2, 3, 5, 10, 40) for seed in range(8)]
        return [
            tuple(rng.integers(0, 5, (2, n)))
            for rng, n in zip(rngs, np.repeat([2, 3, 5, 10, 40], 8), strict=True)
        ]
    kinds = ["none"] if c.ties == "refused" else ["none", "few", "many"]
    return [random_pair(seed, n, ties) for ties in kinds for n in (2, 3, 5, 10, 40) for seed in range(8)]


def is_symmetric(c):
    """Equal on all samples with the rankings exchanged."""
    values = [(value(c, x, y), value(c, y, x)) for x, y in samples(c)]
    return all(abs(a - b) < 1e-12 for a, b in values if not math.isnan(a) and not math.isnan(b))


def is_head_weighted(c):
    """Exchanging the two best costs more than exchanging the two worst."""
    n = 10
    x = np.arange(n, 0, -1.0)
    head, tail = x.copy(), x.copy()
    head[[0, 1]], tail[[-1, -2]] = head[[1, 0]], tail[[-2, -1]]
    if c.inputs == "graded":
        return c.function(x, tail, np.arange(n) % 2) - c.function(x, head, np.arange(n) % 2) > 1e-9
    if c.inputs == "profiles":  # large grades, so that their closeness does not favour the head
        x, head, tail = x + 90, head + 90, tail + 90
    return value(c, x, tail) - value(c, x, head) > 1e-3


def is_gap_sensitive(c):
    """Changed by some increasing map of x or y."""
    maps = [lambda v: v, np.exp, lambda v: v**3 + v]
    if c.inputs == "profiles":
        maps = [lambda v: v, lambda v: v**3 + v]
        return any(
            not math.isclose(value(c, f(x), f(y)), value(c, x, y), abs_tol=1e-9)
            for x, y in samples(c)
            for f in maps
        )
    return any(
        not math.isclose(value(c, f(x), g(y)), value(c, x, y), abs_tol=1e-9)
        for x, y in samples(c)
        if not math.isnan(value(c, x, y))
        for f in maps
        for g in maps
    )


def keeps_its_bounds(c):
    """No sample leaves the bounds, both are reached."""
    low, high = c.bounds
    values = [v for v in (value(c, x, y) for x, y in samples(c)) if not math.isnan(v)]
    x = np.arange(10.0)
    return (
        all(low - 1e-12 <= v <= high + 1e-12 for v in values)
        and math.isclose(value(c, x, x), high)
        and math.isclose(value(c, x, x[::-1].copy()), low)
    )


# What a coefficient does with ties: with a ranking that has some, compared with itself, and with nothing but ties.
BEHAVIOUR = {
    "refused": "error",
    "unresolved": "below 1",
    "removed": "1, or nan if all are tied",
    "natural": "1, or nan if all are tied",
    "judged": "1 always",
}


def behaviour_with_ties(c):
    tied = np.array([2.0, 1.0, 1.0, 0.0])
    try:
        itself = value(c, tied, tied)
    except cd.TiesError:
        return "error"
    if itself < 1:
        return "below 1"
    return "1, or nan if all are tied" if math.isnan(value(c, np.ones(3), np.ones(3))) else "1 always"


CLAIMS = {"symmetric": is_symmetric, "head_weighted": is_head_weighted, "gap_sensitive": is_gap_sensitive}


@every
@pytest.mark.parametrize("claim", CLAIMS)
def test_claims_are_true(c, claim):
    """A claim that is made holds on all samples; one that is not made fails on some."""
    assert CLAIMS[claim](c) == getattr(c, claim)


@every
def test_ties_mean_what_is_claimed(c):
    assert behaviour_with_ties(c) == BEHAVIOUR[c.ties]


@every
def test_bounds(c):
    assert keeps_its_bounds(c)


def made_up(function, **claims):
    """Return an unregistered coefficient with a behaviour of our own."""
    return replace(cd.get(function), **claims)


def test_behaviour_against_a_claim_is_caught():
    """The tests above can fail: each of these behaves otherwise than a coefficient that claims it would."""

    def asymmetric(x, y):
        return float(x[np.argmax(y)] - x.mean())

    def tail_weighted(x, y):
        return cd.tau_ap(-x, -y)

    def flat(x, y):
        return cd.tau_a(x, y)

    def half(x, y):
        return cd.tau_a(x, y) / 2

    def too_large(x, y):
        return 2 * cd.tau_a(x, y)

    assert not is_symmetric(made_up(asymmetric, ties="free"))
    assert is_symmetric(made_up(flat))
    assert not is_head_weighted(made_up(tail_weighted, ties="refused"))
    assert not is_head_weighted(made_up(flat))
    assert is_gap_sensitive(made_up(asymmetric))
    assert not is_gap_sensitive(made_up(flat))
    assert keeps_its_bounds(made_up(flat, bounds=(-1, 1)))
    assert not keeps_its_bounds(made_up(half, bounds=(-1, 1)))
    assert not keeps_its_bounds(made_up(too_large, bounds=(-1, 1)))
    assert behaviour_with_ties(made_up(flat)) == BEHAVIOUR["unresolved"]
    assert behaviour_with_ties(cd.get("tau_e")) != BEHAVIOUR["removed"]


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
    assert c.function is getattr(cd, c.name)
    assert c.function.__module__.startswith("concordant.coefficients.")
    first = {"scores": ["x", "y"], "profiles": ["x_grades", "y_grades"], "graded": ["x", "y", "grades"]}[
        c.inputs
    ]
    assert list(p)[: len(first)] == first
    assert all(p[name].kind is p[name].KEYWORD_ONLY for name in list(p)[len(first) :])
    if c.inputs != "scores":
        options = ["max_grade", "a", "axis"] if c.inputs == "profiles" else ["axis"]
        assert [(name, p[name].default) for name in list(p)[len(first) :]] == [
            (name, -1 if name == "axis" else None) for name in options
        ]
        return
    tail = [(name, p[name].default) for name in list(p)[-3:]]
    assert tail == [("axis", -1), ("nan_policy", "propagate"), ("workers", 1)]
    assert c.thresholds == ("threshold" in p)
    if c.thresholds:
        assert p["threshold"].default == 0.0


@every
def test_every_coefficient_has_a_reference(c):
    from concordant import _reference

    name = {"scores": c.name, "profiles": "profile_coefficient", "graded": "graded_coefficient"}[c.inputs]
    assert inspect.isfunction(getattr(_reference, name))
