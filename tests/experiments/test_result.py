"""What all results of experiments have in common: they are saved, loaded, compared and rendered."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import numpy as np
import pytest

import concordant as cd
from concordant.experiments.experiment import ExperimentResult

ex = cd.experiments
EXPERIMENTS = ("predict", "curves", "gaps", "swap", "pool", "grades", "reuse", "stability")


@pytest.fixture(scope="module")
def results(two_measures, folder):
    """A small result of every experiment; of `predict` also one with notes, and one with curves."""
    files = (folder / "human.qrels", folder / "runs" / "*")
    return {
        "predict": ex.predict(
            two_measures, ["tau_b", "tau"], n_splits=20, drop=["1"], drop_bottom=0.2, rng=1
        ),
        "curves": ex.predict(two_measures, ["tau_b(0.05)"], n_splits=20, topics=[4, 8], rng=1),
        "gaps": ex.gaps(n_pairs=50, rng=1),
        "swap": ex.swap(two_measures["AP"], n_draws=5, n_swaps=2, rng=1),
        "pool": ex.pool(*files, ["tau_b", "tau_ap_e(0.01)@5"], percents=[10, 100], rng=1),
        "grades": ex.grades(*files, rng=1),
        "reuse": ex.reuse(*files, depth=15),
        "stability": ex.stability(two_measures, n_draws=20, n_resamples=20, topics=[4, 12], rng=1),
    }


@pytest.mark.parametrize("ending", [".json", ".json.gz"])
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_saved_result_is_loaded_as_it_was(results, tmp_path, name, ending):
    """The class, all records with their coefficients, the notes as they print, options, seed and versions."""
    result, path = results[name], tmp_path / f"result{ending}"
    result.save(path)
    loaded = ex.load(path)
    assert loaded == result
    assert type(loaded) is type(result)
    for table in result.table_names():
        assert getattr(loaded, table) == getattr(result, table)
    assert list(map(str, loaded.notes)) == list(map(str, result.notes))
    assert (loaded.seed, loaded.versions) == (result.seed, result.versions)
    assert loaded.to_text() == result.to_text()


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_part_of_a_result_is_saved_as_a_part(results, tmp_path, name):
    """What was left out stays left out."""
    part = results[name].only(results[name].tables[0].name)
    part.save(tmp_path / "part.json")
    loaded = ex.load(tmp_path / "part.json")
    assert loaded == part
    assert len(loaded.tables) == 1


def test_results_differ_if_anything_differs(results):
    """One record, the seed, an option, the class: each makes a difference."""
    result = results["curves"]
    first, *others = result.predictions
    assert result == replace(result)
    for change in (
        {"predictions": (replace(first, mean=np.nextafter(first.mean, 2)), *others)},
        {"predictions": tuple(others)},
        {"options": {**result.options, "seed": 2}},
        {"options": {**result.options, "n_splits": 21}},
        {"notes": results["predict"].notes},
    ):
        assert replace(result, **change) != result
    assert results["gaps"] != results["swap"]
    assert result != "a result"


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_result_becomes_frames_dictionaries_and_text(results, name):
    """Every rendering has all records; fields are the columns."""
    result = results[name]
    assert result.versions["concordant"] == cd.__version__
    assert [table.name for table in result.tables] == list(result.table_names())
    assert list(result) == list(result.tables[0].records)
    content = result.to_dict()
    assert json.loads(result.to_json()) == content
    assert content["function"] == result.function == ("predict" if name == "curves" else name)
    for table in result.tables:
        frame = result.to_frame(table.name)
        columns = [each.name for each in fields(table.kind)]
        assert list(frame.columns) == columns
        assert len(frame) == len(table.records) == len(content["tables"][table.name])
        assert result.to_csv(table.name).splitlines()[0] == ",".join(columns)
        assert table.title in result.to_text(details=True)
    assert len(result.to_frame()) == len(result.tables[0].records)
    assert result.to_latex().startswith("% ")
    assert f"\n\n## {result.tables[0].title}" in result.to_markdown()


def test_every_experiment_has_a_result_of_its_own():
    """It has the name of the function."""
    kinds = {kind.function: kind for kind in ExperimentResult.__subclasses__()}
    assert set(kinds) == {"predict", "gaps", "swap", "pool", "grades", "reuse", "stability"}
    assert all(callable(getattr(ex, function)) for function in kinds)


@pytest.mark.parametrize(
    "text", ["[]", "{}", "x", '{"function": "predict"}', '{"function": "judge", "tables": {}}']
)
def test_a_file_with_something_else_is_refused(tmp_path, text):
    """The message names the file."""
    (tmp_path / "x").write_text(text)
    with pytest.raises(cd.InputError, match="x: is not a saved result"):
        ex.load(tmp_path / "x")
