"""concordant by-topic: coefficients topic by topic, beside those of the means."""

from __future__ import annotations

import json

import pytest
import scipy.stats
from support.program import run

import concordant as cd


def test_by_topic_has_intervals_of_both_means(folder):
    """That of the coefficient of means is the one of bootstrap."""
    arguments = ["human.csv", "noisy.csv", "-m", "nDCG@10", "-c", "tau_b"]
    result = run("by-topic", *arguments, "--n-resamples", "200", "--format", "json", cwd=folder)
    assert result.returncode == 0, result.stderr
    (row,) = json.loads(result.stdout)["tables"]["summary"]
    human, noisy = (cd.read_scores(folder / f"{n}.csv")["nDCG@10"] for n in ("human", "noisy"))
    found = cd.bootstrap(human, noisy, "tau_b", resampling=cd.Resampling(n_resamples=200, rng=0))
    assert row["of_means"] == found.statistic
    assert (row["low"], row["high"]) == found.confidence_interval
    assert row["mean_low"] < row["mean"] < row["mean_high"]
    plain = run("by-topic", *arguments, "--no-interval", "--format", "json", cwd=folder)
    (without,) = json.loads(plain.stdout)["tables"]["summary"]
    assert without == {**row, **dict.fromkeys(("low", "high", "mean_low", "mean_high"))}


def test_intervals_of_the_mean_over_topics_name_their_own_method(wide):
    """They are by Student's t."""
    arguments = ["human.csv", "gpt.csv", "-c", "tau_b", "--n-resamples", "99", "--format", "json"]
    answer = json.loads(run("by-topic", *arguments, cwd=wide).stdout)
    kinds = {note["kind"]: note["text"] for note in answer["notes"]}
    sentence = "the interval of the mean over topics is by Student's t"
    assert kinds["intervals_of_means_of_topics"] == sentence
    (row,) = answer["tables"]["summary"]
    human, gpt = (cd.read_scores(wide / f"{name}.csv") for name in ("human", "gpt"))
    values = cd.tau_b(human.values[0], gpt.values[0])
    expected = scipy.stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert (row["mean_low"], row["mean_high"]) == pytest.approx((expected.low, expected.high), abs=1e-7)


def test_by_topic_counts_what_is_undefined_and_says_why(tmp_path):
    """An undefined topic is left out of the mean; every topic is listed."""
    (tmp_path / "x.csv").write_text("a,b,c\n1,2,3\n1,1,1\n3,2,1\n")
    (tmp_path / "y.csv").write_text("a,b,c\n1,2,3\n1,2,3\n1,2,3\n")
    arguments = ["by-topic", "x.csv", "y.csv", "-c", "tau_b", "--format", "json"]
    tables = json.loads(run(*arguments, cwd=tmp_path).stdout)["tables"]
    (summary,) = tables["summary"]
    assert (summary["mean"], summary["minimum"], summary["maximum"]) == (0.0, -1.0, 1.0)
    assert (summary["topics"], summary["undefined"]) == (3, 1)
    assert "tied" in summary["reason"]
    assert [row["value"] for row in tables["topics"]] == [1.0, None, -1.0]
    assert "Each topic" not in run(*arguments[:-2], cwd=tmp_path).stdout
    assert "Each topic" in run(*arguments[:-2], "--details", cwd=tmp_path).stdout
    chosen = json.loads(run(*arguments, "--table", "topics", cwd=tmp_path).stdout)["tables"]
    assert chosen == {"topics": tables["topics"]}
