"""Which values are bold in LaTeX and Markdown."""

from __future__ import annotations

import re

import concordant as cd

FEW = cd.Resampling(n_resamples=199)


def bold_rows(result):
    """Return the numbers of the rows of the first table that have a bold value in LaTeX and in Markdown."""
    latex = result.to_latex().split(r"\midrule")[1].split(r"\bottomrule")[0].strip().splitlines()
    markdown = [line for line in result.to_markdown().splitlines() if line.startswith("| ")][2:]
    found = {i for i, line in enumerate(latex) if r"\mathbf" in line}
    assert found == {i for i, line in enumerate(markdown) if re.search(r"\*\*-?[\d.]+\*\*", line)}
    return found


def test_the_highest_value_of_several_estimates_is_bold(reference, estimates):
    """By each measure and coefficient; a comment says so."""
    result = cd.correlate(reference, estimates, ["tau_b", "tau_ap_b"], resampling=None)
    best = set()
    for measure, coefficient in {(r.measure, str(r.coefficient)) for r in result.agreement}:
        rows = [
            i
            for i, r in enumerate(result.agreement)
            if (r.measure, str(r.coefficient)) == (measure, coefficient)
        ]
        highest = max(result.agreement[i].value for i in rows)
        best |= {i for i in rows if result.agreement[i].value == highest}
    assert bold_rows(result) == best
    assert 0 < len(best) < len(result.agreement)
    assert "% bold: the highest value by its measure, top and coefficient" in result.to_latex().splitlines()


def test_a_single_estimate_is_not_bold(reference, estimates):
    """It is not the best of several."""
    name, own = next(iter(estimates.items()))
    result = cd.correlate(reference, {name: own}, "tau_b", resampling=None)
    assert bold_rows(result) == set()
    assert "bold" not in result.to_latex()


def test_all_that_may_be_the_best_are_bold(reference, sides):
    """As the table best says; one on fewer topics is not in it, and never bold."""
    estimates = {name: sides[name] for name in ("good", "fair", "half")}
    result = cd.judge(reference, estimates, ["tau_b", "tau_ap_b"], resampling=FEW)
    may_be = {(c.estimate, c.measure, c.coefficient) for c in result.best if c.may_be_best}
    found = bold_rows(result)
    for i, r in enumerate(result.agreement):
        assert (i in found) == ((r.estimate, r.measure, r.coefficient) in may_be)
    assert result.emphasised("best") == {i for i, c in enumerate(result.best) if c.may_be_best}
    assert result.emphasised("topics") == set()
    two = cd.judge(reference["AP"], {"half": reference["AP"].select(topics=range(12)),
        "poor": sides["poor"]["AP"]}, "tau_b", resampling=FEW)  # fmt: skip
    assert two.agreement[0].value > two.agreement[1].value
    assert bold_rows(two) == set()


def test_without_intervals_the_highest_is_bold(reference, estimates):
    """Which may be the best is not known then."""
    result = cd.judge(reference, estimates, "tau_b", resampling=None)
    assert result.best is None
    assert len(bold_rows(result)) == len({r.measure for r in result.agreement})
    assert "% bold: the highest value by its measure, top and coefficient" in result.to_latex()
