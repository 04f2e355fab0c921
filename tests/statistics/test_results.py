"""The results of intervals and tests."""

from __future__ import annotations

import dataclasses
import inspect
import json

import pytest

import concordant as cd


def results(collection):
    """Return one result of each function, and the names of its values and of its options."""
    reference, llm = collection()
    x, y = reference[0], llm[0]
    how = cd.Resampling(n_resamples=20, rng=1)
    interval = {"confidence_interval", "standard_error"}
    luck = {"without_luck", "interval_without_luck"}
    both = {"confidence_level", "method", "n_resamples", "seed"}
    test = {"alternative", "method", "n_resamples", "seed"}
    return [
        (cd.bootstrap(reference, llm, "tau_b", resampling=how), {*interval, *luck}, both),
        (cd.jackknife_interval(x, y, "tau_b"), {*interval, "n_groups"}, {"confidence_level"}),
        (cd.permutation_test(x, y, "tau_b", n_resamples=20, rng=1), {"pvalue", "exact"}, test),
        (
            cd.difference(reference, llm, llm, "tau_b", resampling=how),
            {*interval, "pvalue", "exact", "statistic_a", "statistic_b"},
            {*both, "alternative"},
        ),
    ]


def test_results_are_frozen_and_have_scipys_names(collection):
    """Statistic, p-value, interval and standard error are called as in SciPy; the options say how."""
    for result, names, options in results(collection):
        assert set(result.value_names()) == {*names, "statistic", "coefficient", "n", "n_undefined"}
        assert set(result.options) == options
        assert len(result.verdict) == 1
        assert result.verdict[0].startswith("tau_b")
        assert repr(result).startswith("tau_b")
        with pytest.raises(dataclasses.FrozenInstanceError):
            result.statistic = 0
        assert getattr(cd.results, type(result).__name__) is type(result)


def test_results_become_dictionaries_and_frames(collection):
    """Plain values but for the distributions; an interval is low and high."""
    for result, _, _ in results(collection):
        told = json.loads(result.to_json())
        values = told["values"]
        assert told["function"] == result.function
        assert values["statistic"] == result.statistic
        assert values["coefficient"] == "tau_b"
        assert not any(name.endswith("distribution") for name in values)
        if hasattr(result, "confidence_interval"):
            assert (values["low"], values["high"]) == tuple(result.confidence_interval)
        assert [note["kind"] for note in told["notes"]] == [note.kind for note in result.notes]
        frame = result.to_frame()
        assert len(frame) == 1
        assert set(frame.columns) == set(values)
        assert "tau" in result.to_latex()


def test_progress_is_told_to_the_end(collection):
    """In several steps; of a difference for interval and p-value together."""
    reference, llm = collection(n_systems=300)
    told = []

    def progress(*now):
        told.append(now)

    cd.bootstrap(reference, llm, "tau_b", progress=progress, resampling=cd.Resampling(n_resamples=4000))
    assert told[-1] == (4000, 4000)
    assert len(told) > 1
    told.clear()
    how = cd.Resampling(n_resamples=50)
    cd.difference(reference, llm, llm, "tau_b", exchange=True, progress=progress, resampling=how)
    assert told[-1] == (100, 100)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_an_interval_prints_its_ends():
    """In brackets, with four digits."""
    assert str(cd.results.ConfidenceInterval(-0.5, 1.0)) == "[-0.5000, 1.0000]"


def test_without_an_option_one_thread_works_at_the_level_of_95_percent():
    """Every public function that takes workers or a confidence level; more of either must be asked for."""
    defaults = {"workers": [], "confidence_level": []}
    for each in (getattr(cd, name) for name in dir(cd)):
        for name, found in defaults.items():
            if inspect.isfunction(each) and name in inspect.signature(each).parameters:
                found.append(inspect.signature(each).parameters[name].default)
    assert {name: set(found) for name, found in defaults.items()} == {
        "workers": {1},
        "confidence_level": {0.95},
    }
    assert len(defaults["workers"]) > 30
