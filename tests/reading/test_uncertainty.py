"""Standard errors and intervals that tables bring, ties by overlap, draws; ordered categories."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import polars as pl
import pytest
from support.program import run

import concordant as cd

Z = 1.959963984540054
ARENA = "Model,Arena Score,95% CI,Votes\na,1250,+5/-4,9\nb,1245,+4/-6,9\nc,1200,+3/-3,9\nd,1180,+5/-5,9\n"
EVAL = "model,acc,acc_stderr\na,0.81,0.01\nb,0.83,0.01\nc,0.70,0.02\nd,0.60,0.02\n"


def read(text, **how):
    return cd.read_scores(io.StringIO(text), **how)


@pytest.mark.parametrize(
    ("text", "how", "expected"),
    [
        (EVAL, {}, {"a": (0.01, 0.01), "d": (0.02, 0.02)}),
        (ARENA, {}, {"a": (4 / Z, 5 / Z), "b": (6 / Z, 4 / Z)}),
        (
            "model,rating,rating_q025,rating_q975\na,10,8,13\nb,5,4,6\n",
            {},
            {"a": (2 / Z, 3 / Z), "b": (1 / Z, 1 / Z)},
        ),
        ("model,acc,acc lower,acc upper\na,0.5,0.4,0.7\nb,0.3,0.2,0.4\n", {}, {"a": (0.1 / Z, 0.2 / Z)}),
        (
            'model,"acc,none","acc_stderr,none"\na,0.5,0.1\nb,0.3,0.2\n',
            {},
            {"a": (0.1, 0.1), "b": (0.2, 0.2)},
        ),
        ("model,F1\na,0.5 [0.4; 0.7]\nb,0.3 [0.2; 0.4]\n", {}, {"a": (0.1 / Z, 0.2 / Z)}),
        ("model,F1\na,50 +5/-4\nb,30 +1/-2\n", {}, {"a": (4 / Z, 5 / Z), "b": (2 / Z, 1 / Z)}),
        ("model,F1\na,50 \u00b1 2\nb,30 \u00b1 1\n", {"plus_minus": "se"}, {"a": (2, 2), "b": (1, 1)}),
        ("model,F1\na,50 +- 2\nb,30 +- 1\n", {"plus_minus": "ci"}, {"a": (2 / Z, 2 / Z)}),
        ("model,F1\na,50 (2)\nb,30 (1)\n", {"plus_minus": "se"}, {"a": (2, 2)}),
        ("model,WER \u2193\na,5 +3/-1\nb,4 +1/-2\n", {}, {"a": (3 / Z, 1 / Z), "b": (1 / Z, 2 / Z)}),
    ],
)
def test_errors_are_kept(text, how, expected):
    """Below and above; where the smallest is the best, the two are exchanged with the sign."""
    scores = read(text, **how)
    found = {system: error for (_, system), error in scores.errors.items()}
    assert {system: found[system] for system in expected} == {
        system: pytest.approx(error, rel=1e-12) for system, error in expected.items()
    }


def test_what_plus_minus_is_must_be_said():
    """A standard error, or half of an interval: the two differ by a factor of two."""
    scores = read("model,F1\na,50 \u00b1 2\nb,30 \u00b1 1\n")
    assert not scores.errors
    assert "plus_minus='se'" in scores.source.remarks[0]
    with pytest.raises(cd.ArgumentError, match="plus_minus must be 'se' or 'ci'"):
        read(EVAL, plus_minus="sd")


def test_errors_follow_names():
    """Of systems and of measures."""
    scores = read(EVAL).with_measures(["accuracy"])
    assert scores.errors["accuracy", "a"] == (0.01, 0.01)
    study = cd.Study(read(EVAL), {"e": read(EVAL)}, rename={"a": "A"})
    assert study.pairing("e").reference.errors[0].tolist() == [0.01, 0.01, 0.02, 0.02]


def test_ties_by_overlapping_intervals():
    """a and b overlap on both sides, c and d on none; by hand all other pairs agree, so that tau_b is 1."""
    study = cd.Study(read(ARENA).with_measures(["acc"]), {"e": read(EVAL)})
    pairing = study.pairing("e")
    tied = pairing.reference.overlapping().tied
    assert (np.argwhere(np.triu(tied, 1)).tolist(), pairing.estimate.overlapping().n_tied) == ([[0, 1]], 1)
    values = {
        str(row.coefficient): row
        for row in cd.correlate(study, coefficients=["tau_b", "tau_b(overlap)"]).agreement
    }
    assert values["tau_b"].value == pytest.approx(2 / 3)
    assert values["tau_b(overlap)"].value == 1.0
    assert values["tau_b(overlap)"].interval is None
    one_side = cd.correlate(study, coefficients="tau_b(overlap, 0)").agreement[0].value
    assert one_side == pytest.approx(5 / np.sqrt(5 * 6))  # one tie in the reference only


def test_overlap_needs_errors():
    with pytest.raises(cd.ArgumentError, match="'overlap' needs the standard errors or intervals of acc"):
        cd.correlate(
            read(EVAL), {"e": read("model,acc\na,1\nb,2\nc,3\nd,4\n")}, coefficients="tau_b(overlap)"
        )
    with pytest.raises(cd.ArgumentError, match="'overlap' needs tables of scores with their errors"):
        cd.tau_b([1, 2], [2, 1], threshold="overlap")


def test_interval_by_draws():
    """Beside the same draws by hand."""
    study = cd.Study(read(ARENA).with_measures(["acc"]), {"e": read(EVAL)})
    row = cd.correlate(
        study, coefficients="tau_b", resampling=cd.Resampling(n_resamples=4999, rng=7)
    ).agreement[0]
    rng = np.random.default_rng(0)
    pairing, sides = study.pairing("e"), []
    for side in (pairing.reference, pairing.estimate):
        z = rng.standard_normal((20_000, 4))
        sides.append(side.means + z * np.where(z < 0, side.errors[0], side.errors[1]))
    error = cd.tau_b(*sides).std()
    assert row.interval.low == pytest.approx(row.value - Z * error, abs=0.03)
    notes = " ".join(map(str, cd.correlate(study, coefficients="tau_b").notes))
    assert "intervals are from draws of the scores within their standard errors" in notes
    half = cd.correlate(read(ARENA).with_measures(["acc"]), {"e": read("model,acc\na,1\nb,2\nc,3\nd,4\n")})
    assert "acc has none and is taken as exact" in " ".join(map(str, half.notes))


def test_the_command_takes_them(tmp_path):
    (tmp_path / "x.csv").write_text("model,F1\na,50 +- 2\nb,49 +- 2\nc,10 +- 1\n")
    (tmp_path / "y.csv").write_text("model,F1,F1_stderr\na,5,0.5\nb,6,0.5\nc,1,0.1\n")
    result = run("correlate", "x.csv", "y.csv", "-c", "tau_b(overlap)", "--plus-minus", "ci", cwd=tmp_path)
    assert "tau_b(overlap) 1.00 on the 3 models" in result.stdout, result.stderr
    refused = run("correlate", "x.csv", "y.csv", "-c", "tau_b(overlap)", cwd=tmp_path)
    assert refused.returncode == 2
    assert "x.csv has none" in refused.stderr


GRADES = ["good", "poor", "fair", None, "good"]
LEVELS = ["poor", "fair", "good"]


@pytest.mark.parametrize(
    "ordered",
    [
        pd.Categorical(GRADES, categories=LEVELS, ordered=True),
        pd.Series(pd.Categorical(GRADES, categories=LEVELS, ordered=True)),
        pl.Series(GRADES, dtype=pl.Enum(LEVELS)),
    ],
)
def test_ordered_categories_are_numbers(ordered):
    """In the order of the categories, not of the alphabet."""
    other = [5, 1, 2, 3, 4]
    assert cd.tau_b(ordered, other, nan_policy="omit") == cd.tau_b([2, 0, 1, 2], [5, 1, 2, 4])
    assert np.isnan(cd.tau_b(ordered, other))


@pytest.mark.parametrize("library", [pd, pl])
def test_ordered_categories_in_a_frame(library):
    made = (
        pd.Categorical(GRADES, categories=LEVELS, ordered=True)
        if library is pd
        else pl.Series(GRADES, dtype=pl.Enum(LEVELS))
    )
    names = pd.Categorical(list("abcde"), ordered=True) if library is pd else list("abcde")
    scores = cd.read_scores(library.DataFrame({"model": names, "human": made, "gpt": [3.5, 1, 2, 4, 5]}))
    assert (scores.systems, scores.measures) == (tuple("abcde"), ("human", "gpt"))
    assert np.array_equal(scores.values[0, 0], [2, 0, 1, np.nan, 2], equal_nan=True)
    assert scores.source.remarks == ("human: poor < fair < good are numbers from 0 up",)


def test_unordered_categories_are_refused():
    with pytest.raises(cd.ArgumentTypeError, match="must hold real numbers, got 'good'"):
        cd.tau_b(pd.Categorical(["good", "poor"]), [1, 2])


def test_measures_of_a_mapping_have_a_direction():
    scores = cd.read_scores({"loss": {"q1": {"a": 2.0, "b": 1.0}}, "accuracy": {"q1": {"a": 0.5, "b": 0.6}}})
    assert scores.lower_is_better == {"loss"}
    assert scores["loss"].mean()["b"] == -1.0
