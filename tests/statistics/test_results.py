"""What intervals and tests return."""

from __future__ import annotations

import dataclasses
import json

import pytest

import concordant as cd


def results(collection):
    reference, llm = collection()
    x, y = reference[0], llm[0]
    interval = {"confidence_interval", "standard_error", "confidence_level"}
    return [
        (
            cd.bootstrap(reference, llm, "tau_b", resampling=cd.Resampling(n_resamples=20, rng=1)),
            {*interval, "bootstrap_distribution", "seed", "method"},
        ),
        (cd.jackknife_interval(x, y, "tau_b"), {*interval, "n_groups"}),
        (
            cd.permutation_test(x, y, "tau_b", n_resamples=20, rng=1),
            {"pvalue", "null_distribution", "exact", "seed", "alternative"},
        ),
        (
            cd.difference(reference, llm, llm, "tau_b", resampling=cd.Resampling(n_resamples=20, rng=1)),
            {
                *interval,
                "pvalue",
                "null_distribution",
                "bootstrap_distribution",
                "statistic_a",
                "statistic_b",
            },
        ),
    ]


def test_results_are_frozen_print_in_one_line_and_have_scipys_names(collection):
    """Statistic, p-value, interval, standard error and distributions are called as in SciPy."""
    for result, names in results(collection):
        assert "\n" not in repr(result)
        assert repr(result).startswith("tau_b")
        for name in (*names, "statistic", "coefficient", "n"):
            assert hasattr(result, name)
        with pytest.raises(dataclasses.FrozenInstanceError):
            result.statistic = 0
        assert getattr(cd, type(result).__name__) is type(result)


def test_results_become_dictionaries_and_frames(collection):
    """Plain values but for the distributions; an interval is low and high, notes keep kind and values."""
    for result, _ in results(collection):
        told = json.loads(json.dumps(result.to_dict()))
        assert told["statistic"] == result.statistic
        assert told["coefficient"] == "tau_b"
        assert not any(name.endswith("distribution") for name in told)
        if hasattr(result, "confidence_interval"):
            assert (told["low"], told["high"]) == tuple(result.confidence_interval)
        if hasattr(result, "notes"):
            assert [note["kind"] for note in told["notes"]] == [note.kind for note in result.notes]
        frame = result.to_frame()
        assert len(frame) == 1
        assert set(frame.columns) == set(told) - {"notes"}


def test_progress_is_told_to_the_end(collection):
    """In several steps; of a difference for interval and p-value together."""
    reference, llm = collection(n_systems=300)
    told = []
    cd.bootstrap(
        reference,
        llm,
        "tau_b",
        progress=lambda *now: told.append(now),
        resampling=cd.Resampling(n_resamples=4000, rng=1),
    )
    assert told[-1] == (4000, 4000)
    assert len(told) > 1
    told.clear()
    cd.difference(
        reference,
        llm,
        llm,
        "tau_b",
        progress=lambda *now: told.append(now),
        resampling=cd.Resampling(n_resamples=50, rng=1),
    )
    assert told[-1] == (100, 100)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_an_interval_prints_its_ends():
    """In brackets, with four digits."""
    assert str(cd.ConfidenceInterval(-0.5, 1.0)) == "[-0.5000, 1.0000]"
