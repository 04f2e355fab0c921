"""What is declared about each coefficient, tested in both directions."""

from __future__ import annotations

import functools
import inspect
import itertools
import math
import re
from dataclasses import replace
from importlib import resources

import numpy as np
import pytest
import reference
from support import quiet
from support.strategies import random_pair

import concordant as cd

pytestmark = quiet

BUILT_IN = [c for c in cd.REGISTRY.values() if c.inputs != "lists"]  # see test_lists_claims.py
every = pytest.mark.parametrize("c", BUILT_IN, ids=str)
# Options that change the formula, and what is true of it; every one of them is here.
FORMS = {
    "tau_ap_b(walks=y)": {"walks": "y"},
    "tau_ap_b(walks=x)": {"walks": "x"},
    "tau_ap_b(tied=neutral)": {"tied": "neutral"},
    "tau_ap_b(tied=neutral, walks=x)": {"tied": "neutral", "walks": "x"},
    "tau_h(rank=x)": {"rank": "x"},
    "tau_h(rank=y)": {"rank": "y"},
    "pearson_rank(scale=none)": {"scale": "none"},
    "tau_ap_a(form=two_term)": {},
    "somers_d(dependent=x)": {"dependent": "x"},
    "somers_d(dependent=both)": {"dependent": "both"},
}
WITH_FORMS = [*BUILT_IN, *map(cd.coefficient, FORMS)]
every_form = pytest.mark.parametrize("c", WITH_FORMS, ids=str)
SIZES = (2, 3, 5, 10, 40)


def value(c, x, y):
    """Call a coefficient of any kind on two arrays: scorings, or lists of grades; items get some grades."""
    if c.inputs == "graded_items":
        return c.function(x, y, grades_of(x))
    if c.inputs == "graded_lists":
        return c.function(x, y, a=-0.25)  # the default depends on the largest grade
    return c(x, y)


def grades_of(x):
    """Some grades, from 0 to 2."""
    return (np.arange(len(x)) * 7 + len(x)) % 4 % 3


def samples(c):
    """Pairs the coefficient accepts: untied always, tied if it takes ties; or lists of grades."""
    if c.inputs == "graded_lists":
        return [
            tuple(np.random.default_rng([seed, n]).integers(0, 5, (2, n))) for n in SIZES for seed in range(8)
        ]
    kinds = ["none"] if c.ties == "error" else ["none", "few", "many"]
    return [random_pair(seed, n, ties) for ties in kinds for n in SIZES for seed in range(8)]


def same(a, b):
    """Equal up to rounding, or both nan."""
    return math.isnan(a) and math.isnan(b) if math.isnan(a) or math.isnan(b) else abs(a - b) < 1e-12


def is_symmetric(c):
    """Equal on all samples with the rankings exchanged; where one has no value, the other has none."""
    return all(same(value(c, x, y), value(c, y, x)) for x, y in samples(c))


def is_top_weighted(c):
    """Exchanging the two best costs more than exchanging the two worst."""
    n = 10
    x = np.arange(n, 0, -1.0)
    head, tail = x.copy(), x.copy()
    head[[0, 1]], tail[[-1, -2]] = head[[1, 0]], tail[[-2, -1]]
    if c.inputs == "graded_items":
        return c.function(x, tail, np.arange(n) % 2) - c.function(x, head, np.arange(n) % 2) > 1e-9
    if c.inputs == "graded_lists":  # large grades, so that their closeness does not favour the head
        x, head, tail = x + 90, head + 90, tail + 90
    return value(c, x, tail) - value(c, x, head) > 1e-3


MAPS = {"graded_lists": [lambda v: v**3 + v], "other": [np.exp, lambda v: v**3 + v]}


def changes(c, of_x, of_y):
    """Whether increasing maps of x or y or both, as asked for, change the value of some sample."""
    maps = MAPS.get(c.inputs, MAPS["other"])
    return any(
        not math.isclose(value(c, f(x) if of_x else x, f(y) if of_y else y), value(c, x, y), abs_tol=1e-9)
        for x, y in samples(c)
        if not math.isnan(value(c, x, y))
        for f in maps
    )


def gaps(c):
    """Whose scores matter beyond their order."""
    if c.inputs == "graded_lists":  # grades mean the same in both lists: mapped together
        return "both" if changes(c, True, True) else "none"
    found = changes(c, True, False), changes(c, False, True)
    return {(False, False): "none", (True, False): "reference", (True, True): "both"}.get(found, "estimate")


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


# What a coefficient does with ties: a ranking with some, compared with itself, and with nothing but ties.
BEHAVIOUR = {
    "error": "error",
    "undecided": "below 1",
    "ignored": "1, or nan if all are tied",
    "values": "1, or nan if all are tied",
    "equality": "1 always",
}


def behaviour_with_ties(c):
    """What a coefficient does with ties, as a value of BEHAVIOUR."""
    tied = np.array([2.0, 1.0, 1.0, 0.0])
    try:
        itself = value(c, tied, tied)
    except cd.TiesError:
        return "error"
    if itself < 1:
        return "below 1"
    return "1, or nan if all are tied" if math.isnan(value(c, np.ones(3), np.ones(3))) else "1 always"


CLAIMS = {"symmetric": is_symmetric, "top_weighted": is_top_weighted, "gaps": gaps}


@every_form
@pytest.mark.parametrize("claim", CLAIMS)
def test_claims_are_true(c, claim):
    """A claim that is made holds on all samples; one that is not made fails on some."""
    assert CLAIMS[claim](c) == getattr(c, claim)


@pytest.mark.parametrize("c", [c for c in WITH_FORMS if c.inputs == "scores"], ids=str)
def test_centred_coefficients_are_0_on_average_without_ties(c):
    """Over all orders of the estimate, also where few scores of the reference are large; others are not."""
    y = np.array(list(itertools.permutations([9.0, 4.0, 2.0, 1.0, 0.0])))
    means = [np.mean(c(np.tile(x, (len(y), 1)), y)) for x in ([8.0, 3.0, 2.5, 1.0, 0.0], [14, 13, 12, 11, 0])]
    assert c.centred == (np.abs(means).max() < 1e-9)


@every_form
def test_gap_sensitive_coefficients_are_those_with_gaps(c):
    """`gap_sensitive` is true exactly if some increasing map of the scores changes the value."""
    assert c.gap_sensitive == (gaps(c) != "none")


@every
def test_the_mean_of_both_directions_is_symmetric(c):
    """A coefficient with the option `symmetric` is not symmetric without it, and is with it."""
    if "symmetric" in inspect.signature(c.function).parameters:
        both = cd.coefficient(f"{c.name}(symmetric=True)")
        assert both.symmetric
        assert is_symmetric(both)
        assert not c.symmetric


@every_form
def test_ties_mean_what_is_claimed(c):
    """Ties are refused, cost something, or cost nothing, as declared."""
    assert behaviour_with_ties(c) == BEHAVIOUR[c.ties]


@every_form
def test_bounds(c):
    """All values are within the bounds, and both bounds are reached."""
    assert keeps_its_bounds(c)


@every
def test_weights_are_those_of_the_name(c):
    """The declared weights of pairs are those of the family, and only equal weights are not top-weighted."""
    family = {"tau_ap": "ap", "tau_h": "hyperbolic", "tau_gap": "ap", "pearson_rank": "scores"}
    expected = next((weights for name, weights in family.items() if c.name.startswith(name)), "equal")
    assert c.weights == expected
    assert c.top_weighted == (c.weights != "equal")


def made_up(function, **claims):
    """Return an unregistered coefficient with a behaviour of our own."""
    return replace(cd.coefficient(function), **claims)


def test_behaviour_against_a_claim_is_caught():
    """The tests above can fail: each of these behaves otherwise than a coefficient that claims it would."""

    def asymmetric(x, y):
        return float(x[np.argmax(y)] - x.mean())

    def by_scores_of_y(x, y):
        return float(y[np.argmax(x)] - y.mean())

    def by_both_scores(x, y):
        return float(x @ y)

    def nan_one_way(x, y):
        return math.nan if x[0] > y[0] else cd.tau_a(x, y)

    def nan_both_ways(x, y):
        return math.nan if x[0] != y[0] else cd.tau_a(x, y)

    def tail_weighted(x, y):
        return cd.tau_ap(-x, -y)

    def flat(x, y):
        return cd.tau_a(x, y)

    def half(x, y):
        return cd.tau_a(x, y) / 2

    def too_large(x, y):
        return 2 * cd.tau_a(x, y)

    assert not is_symmetric(made_up(asymmetric))
    assert not is_symmetric(made_up(nan_one_way))
    assert is_symmetric(made_up(nan_both_ways))
    assert is_symmetric(made_up(flat))
    assert not is_top_weighted(made_up(tail_weighted, ties="error"))
    assert not is_top_weighted(made_up(flat))
    assert gaps(made_up(asymmetric)) == "reference"
    assert gaps(made_up(by_scores_of_y)) == "estimate"
    assert gaps(made_up(by_both_scores)) == "both"
    assert gaps(made_up(flat)) == "none"
    assert keeps_its_bounds(made_up(flat, bounds=(-1, 1)))
    assert not keeps_its_bounds(made_up(half, bounds=(-1, 1)))
    assert not keeps_its_bounds(made_up(too_large, bounds=(-1, 1)))
    assert behaviour_with_ties(made_up(flat)) == BEHAVIOUR["undecided"]
    assert behaviour_with_ties(cd.coefficient("tau_e")) != BEHAVIOUR["ignored"]


def differ(c, formula):
    """Whether a coefficient and a formula differ on some sample."""
    extra = {"graded_items": lambda x: (grades_of(x).tolist(),), "graded_lists": lambda _: (-0.25,)}
    arguments = extra.get(c.inputs, lambda _: ())
    return any(
        not same(value(c, x, y), formula(x.tolist(), y.tolist(), *arguments(x))) for x, y in samples(c)
    )


@every
def test_every_coefficient_is_the_literal_formula_of_its_name(c):
    """The reference of this very name has its values on random samples, and other formulas have not."""
    assert not differ(c, getattr(reference, c.name))
    if c.inputs == "scores" and c.ties == "error":
        return  # without ties it is the same as its variants
    for other in BUILT_IN:
        if other.inputs == c.inputs and other is not c and (c.name, other.name) != ("tau_a", "tau"):
            assert differ(c, getattr(reference, other.name)), other.name


@every
def test_every_option_is_the_literal_formula(c):
    """The mean of both directions is that of the reference; so is the other score of tied pairs."""
    options = inspect.signature(c.function).parameters
    formula = getattr(reference, c.name)
    if "symmetric" in options:
        both = cd.coefficient(f"{c.name}(symmetric=True)")
        assert not differ(both, lambda x, y: (formula(x, y) + formula(y, x)) / 2)
        assert differ(both, formula)
    others = set(options) - {"x", "y", "threshold", "symmetric", "axis", "nan_policy", "workers"}
    if c.inputs == "scores":
        own = [text for text in FORMS if text.startswith(f"{c.name}(")]
        assert all(any(f"{name}=" in text for text in own) for name in others)
        for text in own:
            literal = (
                functools.partial(formula, **FORMS[text]) if FORMS[text] else reference.tau_ap_a_two_term
            )
            assert not differ(cd.coefficient(text), literal)
            assert differ(cd.coefficient(text), formula)


# --- documents and signatures ---


def sections(document):
    """The sections of a docstring in numpydoc style: title and lines."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}$", document, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


ORDER = ["Parameters", "Returns", "See Also", "Notes", "References", "Examples"]


@every
def test_every_coefficient_is_documented_and_cited(c):
    """The docstring has all sections in the order of numpydoc, and the bibliography has its publication."""
    bibliography = (resources.files("concordant") / "references.bib").read_text()
    entry = rf"^\S.+\n@\w+{{{c.cite},"  # below a line of plain text
    assert re.search(entry, bibliography, re.MULTILINE)
    assert c.question.endswith("?")
    document = inspect.getdoc(c.function)
    assert document is not None
    found = list(sections(document))
    assert found == [title for title in ORDER if title in found]
    assert {"Parameters", "Returns", "References", "Examples"} <= set(found)
    assert len(document.splitlines()[0]) > 20


@every
def test_the_docstring_describes_every_parameter_and_no_other(c):
    """Each parameter of the signature has an entry with a type and a description, in the same order."""
    entries = re.findall(
        r"^([\w, ]+) : .+\n    \S", sections(inspect.getdoc(c.function))["Parameters"], re.MULTILINE
    )
    described = [name for entry in entries for name in entry.split(", ")]
    assert described == list(inspect.signature(c.function).parameters)


@every
def test_the_docstring_says_when_there_is_no_value(c):
    """Returns names the bounds, and the reason that the warning gives."""
    returns = sections(inspect.getdoc(c.function))["Returns"]
    assert "The value, in [-1, 1]" in returns
    assert "fewer than two items" in returns
    constant = np.ones(3)
    grades = (np.ones(3),) if c.inputs == "graded_items" else ()
    x = np.arange(3.0) if c.ties == "error" else constant
    outcome = c.function(x, x, *grades)
    if math.isnan(outcome):
        with pytest.warns(cd.UndefinedWarning) as caught:
            c.function(x, x, *grades)
        assert str(caught[0].message).partition(": ")[2] in returns


@every
def test_every_reference_cited_in_a_docstring_is_listed(c):
    """[1], [2] ... in the text are entries of References."""
    document = inspect.getdoc(c.function)
    listed = re.findall(r"^\.\. \[(\d)\]", sections(document)["References"], re.MULTILINE)
    assert listed == [str(k + 1) for k in range(len(listed))]
    assert set(re.findall(r"\[(\d)\](?! *[,)]? *\w* *=)", sections(document).get("Notes", ""))) <= set(listed)


@every
def test_every_coefficient_has_the_same_signature(c):
    """x, y; then keywords, of which the last are the same everywhere."""
    p = inspect.signature(c.function).parameters
    assert c.function is getattr(cd, c.name)
    assert c.function.__module__.startswith("concordant.coefficients.")
    first = {
        "scores": ["x", "y"],
        "graded_lists": ["x_grades", "y_grades"],
        "graded_items": ["x", "y", "grades"],
    }[c.inputs]
    assert list(p)[: len(first)] == first
    assert all(p[name].kind is p[name].KEYWORD_ONLY for name in list(p)[len(first) :])
    tail = [(name, p[name].default) for name in list(p)[-3:]]
    assert tail == [("axis", -1), ("nan_policy", "propagate"), ("workers", 1)]
    options = [(name, p[name].default) for name in list(p)[len(first) : -3]]
    if c.inputs != "scores":
        assert options == ([("max_grade", None), ("a", None)] if c.inputs == "graded_lists" else [])
    assert c.thresholds == ("threshold" in p)
    if c.thresholds:
        assert p["threshold"].default == 0.0
