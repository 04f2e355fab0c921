"""The experiments: against literal loops, against what the papers print, and whatever the number of workers."""

from __future__ import annotations

import math
import subprocess
import sys

import matplotlib as mpl
import numpy as np
import pytest
from scipy import stats

import concordant as cd
from concordant.experiments._pool import thinned
from concordant.experiments._predict import _halves
from concordant.experiments._swap import paired_t_tests

mpl.use("Agg")
ex = cd.experiments


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(5)
    quality = np.linspace(0.2, 0.8, 12)
    ap = np.clip(rng.normal(quality, 0.2, (20, 12)), 0, 1)
    p10 = np.round(np.clip(ap + rng.normal(0, 0.1, ap.shape), 0, 1), 1)
    return cd.Scores(np.stack([ap, p10]), measures=["AP", "P@10"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("collection")
    made = cd.simulate.collection(n_topics=6, n_systems=8, n_documents=80, depth=40, pool_depth=15, rng=2)
    made.write(folder)
    return folder


# --- predict ------------------------------------------------------------------------------------------------------


def test_predict_is_a_loop_over_splits(scores):
    names = ["tau_b", "tau_ap_a(0.05)", "tau"]
    result = ex.predict(scores, names, n_splits=40, rng=3)
    halves = _halves(np.random.default_rng(3), 40, 20, 20)
    for row in result["predict"].to_dicts():
        values, undefined = [], 0
        for first, second in zip(*halves, strict=True):
            assert first.sum() == second.sum() == 10
            assert (first * second).sum() == 0
            x = scores.select(topics=[t for t, w in zip(scores.topics, first, strict=True) if w]).mean(
                row["truth"]
            )
            y = scores.select(topics=[t for t, w in zip(scores.topics, second, strict=True) if w]).mean(
                row["estimate"]
            )
            try:
                values.append(cd.get(row["coefficient"])(x, y))
            except cd.TiesError:
                undefined += 1
        assert row["undefined"] == undefined
        assert row["splits"] == 40
        if values:
            assert row["mean"] == pytest.approx(np.mean(values), abs=1e-12)
            assert row["sd"] == pytest.approx(np.std(values, ddof=1), abs=1e-12)
    assert any(row["undefined"] for row in result["predict"].to_dicts() if row["coefficient"] == "tau")


def test_predict_draws_smaller_sets_of_topics(scores):
    result = ex.predict(scores, "tau_b", n_splits=50, topics=[4, 10], rng=1)
    assert [row["topics"] for row in result["predict"].to_dicts()] == [4] * 4 + [10] * 4
    for size in (4, 10):
        first, second = _halves(np.random.default_rng(0), 7, 20, size)
        assert set(first.sum(1)) == set(second.sum(1)) == {size // 2}
    by_size = {
        row["topics"]: row["mean"]
        for row in result["predict"].to_dicts()
        if row["truth"] == row["estimate"] == "AP"
    }
    assert by_size[4] < by_size[10]


def test_predict_does_not_depend_on_workers_and_obeys_its_seed(scores):
    one = ex.predict(scores, ["tau_b", "tau_gap"], n_splits=60, rng=3)
    two = ex.predict(scores, ["tau_b", "tau_gap"], n_splits=60, rng=3, workers=2)
    assert one == two
    assert one != ex.predict(scores, ["tau_b", "tau_gap"], n_splits=60, rng=4)
    drawn = ex.predict(scores, "tau_b", n_splits=5)
    assert drawn.tables == ex.predict(scores, "tau_b", n_splits=5, rng=drawn.seed).tables


def test_predict_leaves_out_what_it_is_told_to(scores):
    values = np.concatenate([scores.values, scores.values[:, :, [3]]], axis=2)
    doubled = cd.Scores(values, measures=scores.measures, systems=[*scores.systems, "copy"])
    result = ex.predict(
        doubled, "tau_b", n_splits=5, drop=["12"], drop_duplicates=True, drop_bottom=0.25, rng=1
    )
    assert result.notes[0] == "dropped by name: 12"
    assert result.notes[1] == "dropped 1 systems with all the scores of another: copy = 4"
    means = doubled.mean("AP")
    worst = sorted((s for s in doubled.systems if s not in ("12", "copy")), key=means.__getitem__)[:2]
    assert (
        result.notes[2]
        == f"dropped the 2 systems with the lowest mean AP: {', '.join(sorted(worst, key=doubled.systems.index))}"
    )
    assert result.config["systems"] == 9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_splits": 0}, "n_splits must be a whole number from 1 up"),
        ({"topics": [21]}, "there are 20 topics"),
        ({"topics": [1]}, "topics must be a whole number from 2 up"),
        ({"drop": ["nobody"]}, "there is no system 'nobody'"),
        ({"drop_bottom": 1.0}, "drop_bottom must be a share"),
        ({"drop_bottom": 0.95}, "1 systems are left"),
        ({"bottom_by": "RR", "drop_bottom": 0.1}, "there is no measure 'RR'"),
    ],
)
def test_predict_refuses_nonsense(scores, options, message):
    with pytest.raises(ValueError, match=message):
        ex.predict(scores, "tau_b", **options)


# --- gaps ---------------------------------------------------------------------------------------------------------


def test_gaps_gives_what_the_paper_prints():
    """Gao, Bagdouri and Oard (2016), section 3; minima of 100,000 draws are extreme values."""
    result = ex.gaps(rng=2)
    found = {(row["reference"], row["estimate"]): row for row in result["gaps"].to_dicts()}
    assert found["zipf", "zipf"]["minimum"] == pytest.approx(0.55, abs=0.03)
    assert found["zipf", "zipf"]["median"] == pytest.approx(0.95, abs=0.01)
    assert found["zipf", "normal"]["median"] == pytest.approx(0.91, abs=0.01)
    assert found["zipf", "uniform"]["minimum"] == pytest.approx(0.51, abs=0.03)
    assert found["zipf", "uniform"]["median"] == pytest.approx(0.87, abs=0.01)
    assert all(row["undefined"] == 0 for row in found.values())


def test_gaps_of_a_sample_and_of_coefficients_of_order():
    result = ex.gaps(
        ["sample", "lognormal"],
        ["tau_b", "tau_gap"],
        sample=[0.1, 0.2, 0.25, 0.7],
        n_systems=4,
        n_pairs=200,
        rng=1,
    )
    rows = result["gaps"].to_dicts()
    assert len(rows) == 6
    same = [
        row
        for row in rows
        if row["reference"] == row["estimate"] == "lognormal" and row["coefficient"] == "tau_b"
    ]
    assert same[0]["minimum"] == same[0]["maximum"] == 1.0
    assert result == ex.gaps(
        ["sample", "lognormal"],
        ["tau_b", "tau_gap"],
        sample=[0.1, 0.2, 0.25, 0.7],
        n_systems=4,
        n_pairs=200,
        rng=1,
        workers=2,
    )
    with pytest.raises(ValueError, match="there is no distribution 'cauchy'"):
        ex.gaps(["cauchy"])
    with pytest.raises(ValueError, match="the distribution 'sample' needs scores to draw from"):
        ex.gaps(["sample"])


# --- swap ---------------------------------------------------------------------------------------------------------


def test_paired_t_tests_are_those_of_scipy(scores):
    values = scores.values[0]
    found = paired_t_tests(values)
    for i in range(values.shape[1]):
        for j in range(i):
            assert found[i, j] == pytest.approx(stats.ttest_rel(values[:, i], values[:, j]).pvalue, rel=1e-9)
    assert (np.diag(found) == 1).all()


def test_swap_swaps_pairs_of_its_kind(scores):
    result = ex.swap(scores, ["tau_ap", "tau_gap"], measure="AP", n_swaps=2, n_draws=30, rng=1)
    rows = {(row["pairs"], row["coefficient"]): row for row in result["swap"].to_dicts()}
    # Gao and Oard (2015): large gaps cost tau_gap more than tau_ap, small ones less.
    assert rows["significant", "tau_gap"]["mean"] < rows["not significant", "tau_gap"]["mean"]
    for kind in ("significant", "not significant"):
        draw = [row for row in result["draws"].to_dicts() if row["pairs"] == kind]
        assert sorted(row["rank after"] for row in draw) == list(range(1, 13))
        assert sum(row["rank"] != row["rank after"] for row in draw) in (2, 3, 4)
    assert len(result["pairs"].rows) == 66
    assert result == ex.swap(
        scores, ["tau_ap", "tau_gap"], measure="AP", n_swaps=2, n_draws=30, rng=1, workers=2
    )


@pytest.mark.parametrize("name", ["tau_gap", "tau_b", "tau_ap_b", "tau_h", "pearson_rank", "pearson_r"])
def test_pair_weights_are_the_costs_of_all_swaps(name):
    x = np.sort(np.random.default_rng(1).random(7))[::-1]
    found = cd.pair_weights(x, name, rescale=False)
    for i in range(7):
        for j in range(i + 1, 7):
            y = x.copy()
            y[[i, j]] = y[[j, i]]
            assert found[i, j] == found[j, i] == pytest.approx(1 - cd.get(name)(x, y), abs=1e-12)
    rescaled = cd.pair_weights(x, name)
    off = ~np.eye(7, dtype=bool)
    assert (rescaled[off].min(), rescaled[off].max()) == (0.0, 1.0)


# --- pool ---------------------------------------------------------------------------------------------------------


def inferred_ap(ranked, judgements):
    """Yilmaz and Aslam (2006), equation of section 4; the pool is what has a judgement, -1 being not sampled."""
    eps = 0.00001
    relevant = sum(rel > 0 for rel in judgements.values())
    total, n_pool, n_rel, n_non = 0.0, 0, 0, 0
    for rank, document in enumerate(ranked, 1):
        rel = judgements.get(document)
        if rel is not None and rel > 0:
            above = rank - 1
            expected = 1.0 / rank
            if above:
                expected += above / rank * (n_pool / above) * ((n_rel + eps) / (n_rel + n_non + 2 * eps))
            total += expected
        n_pool += rel is not None
        n_rel += rel is not None and rel > 0
        n_non += rel == 0
    return total / relevant if relevant else 0.0


def test_pool_is_inferred_ap_against_ap(folder):
    result = ex.pool(folder / "human.qrels", folder / "runs" / "*", ["tau_b"], percents=[20, 100], rng=4)
    full = cd.read_qrels(folder / "human.qrels")
    generator = np.random.default_rng(4)
    thinned(full, 100, generator)
    sample = thinned(full, 20, generator)
    truth = cd.evaluate(folder / "human.qrels", folder / "runs" / "*", "AP")
    runs = {run.name: run.topics for run in map(cd.read_run, sorted((folder / "runs").iterdir()))}
    expected = {
        name: np.mean(
            [inferred_ap(sorted(docs, key=docs.get, reverse=True), sample[t]) for t, docs in topics.items()]
        )
        for name, topics in runs.items()
    }
    rows = {row["percent"]: row for row in result["pool"].to_dicts()}
    means = truth.mean()
    assert rows[20]["of means"] == pytest.approx(cd.tau_b(means, expected), abs=1e-12)
    assert rows[20]["rms error"] == pytest.approx(
        math.sqrt(np.mean([(means[s] - expected[s]) ** 2 for s in means])), abs=1e-4
    )
    assert rows[100]["of means"] == pytest.approx(1.0)
    assert rows[100]["rms error"] < 1e-4
    assert result == ex.pool(
        folder / "human.qrels", folder / "runs" / "*", ["tau_b"], percents=[20, 100], rng=4, workers=2
    )


def test_thinning_keeps_its_share_and_one_relevant_document():
    qrels = {"1": {f"d{i}": int(i == 7) for i in range(100)}, "2": {"a": 0, "b": -1}}
    for percent, n in ((1, 1), (10, 10), (33, 33), (100, 100)):
        sample = thinned(qrels, percent, np.random.default_rng(percent))
        assert sum(rel >= 0 for rel in sample["1"].values()) == n
        assert sample["1"]["d7"] == 1
        assert set(sample["1"]) == set(qrels["1"])
    assert thinned(qrels, 100, np.random.default_rng(0)) == qrels


# --- profiles -----------------------------------------------------------------------------------------------------


def test_profiles_are_those_of_common_documents(folder):
    result = ex.profiles(folder / "human.qrels", folder / "runs" / "*", depth=20, rng=1)
    qrels = cd.read_qrels(folder / "human.qrels")
    runs = {run.name: run.topics for run in map(cd.read_run, (folder / "runs").iterdir())}
    top = max(g for docs in qrels.values() for g in docs.values())
    rows = result["pairs"].to_dicts()
    assert len(rows) + sum(int(note.split()[0]) for note in result.notes if "left out" in note) == 28 * 6
    for row in rows[::17]:
        lists = [
            sorted(runs[row[k]][row["topic"]].items(), key=lambda item: -item[1])[:20]
            for k in ("run", "other run")
        ]
        x, y = map(dict, lists)
        common = [d for d in x if d in y]
        assert row["documents"] == len(common)
        a, b = [x[d] for d in common], [y[d] for d in common]
        grades = {d: qrels[row["topic"]].get(d, 0) for d in common}
        assert row["tau_ap"] == pytest.approx(cd.tau_ap(a, b))
        of_x = [grades[d] for d in sorted(common, key=x.get, reverse=True)]
        of_y = [grades[d] for d in sorted(common, key=y.get, reverse=True)]
        assert row["tau_ac"] == pytest.approx(cd.tau_ac(of_x, of_y, max_grade=top))
        assert row["tau_h_sc"] == pytest.approx(cd.tau_h_sc(of_x, of_y, max_grade=top))
        if row["tau_dw"] is not None:
            assert row["tau_dw"] == pytest.approx(cd.tau_dw(a, b, list(grades.values())))
    summary = result["profiles"].to_dicts()[0]
    assert summary["mean difference"] == pytest.approx(np.mean([abs(r["tau"] - r["tau_sc"]) for r in rows]))


def test_ties_within_a_run_are_shuffled_and_counted(tmp_path):
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 0\n1 0 c 2\n")
    for name, values in (("x", (1, 1, 2)), ("y", (1, 2, 3))):
        (tmp_path / name).write_text(
            "".join(f"1 Q0 {d} 0 {v} {name}\n" for d, v in zip("abc", values, strict=True))
        )
    result = ex.profiles(tmp_path / "q", [tmp_path / "x", tmp_path / "y"], rng=1)
    assert "2 documents shared their score" in result.notes[0]
    found = {
        ex.profiles(tmp_path / "q", [tmp_path / "x", tmp_path / "y"], rng=seed)["pairs"].rows[0][4]
        for seed in range(12)
    }
    assert len(found) == 2


# --- reuse --------------------------------------------------------------------------------------------------------


def test_reuse_removes_what_only_the_group_brought(tmp_path):
    """Two groups; d1 is relevant and only group a has it in its first two."""
    (tmp_path / "q").write_text("1 0 d1 1\n1 0 d2 1\n1 0 d3 0\n")
    for name, order in (("a-1", "d1 d2 d3"), ("b-1", "d2 d3 d1"), ("b-2", "d3 d2 d1")):
        (tmp_path / name).write_text(
            "".join(f"1 Q0 {d} 0 {3 - i} {name}\n" for i, d in enumerate(order.split()))
        )
    result = ex.reuse(tmp_path / "q", tmp_path / "*-*", ["tau_b"], depth=2, group_by="^[a-z]")
    rows = {row["system"]: row for row in result["systems"].to_dicts()}
    assert rows["a-1"]["with"] == 1.0
    assert (
        rows["a-1"]["without"] == 0.5
    )  # d1 is not judged any more: the first relevant document is at rank 2
    assert rows["a-1"]["judgements removed"] == 1
    assert rows["b-1"]["judgements removed"] == 1  # d3, which is not relevant
    assert rows["b-1"]["difference"] == 0
    assert result["reuse"].to_dicts()[0]["value"] == pytest.approx(
        cd.tau_b([rows[s]["with"] for s in rows], [rows[s]["without"] for s in rows])
    )
    with pytest.raises(ValueError, match="does not match the system"):
        ex.reuse(tmp_path / "q", tmp_path / "*-*", group_by="^z")
    with pytest.raises(ValueError, match="not a regular expression"):
        ex.reuse(tmp_path / "q", tmp_path / "*-*", group_by="(")


# --- results and figures ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def results(scores, folder):
    files = (folder / "human.qrels", folder / "runs" / "*")
    return {
        "predict": ex.predict(scores, ["tau_b", "tau"], n_splits=20, rng=1),
        "curves": ex.predict(scores, ["tau_b"], n_splits=20, topics=[4, 8], rng=1),
        "gaps": ex.gaps(n_pairs=50, rng=1),
        "swap": ex.swap(scores["AP"], n_draws=5, n_swaps=2, rng=1),
        "pool": ex.pool(*files, ["tau_b"], percents=[10, 100], rng=1),
        "profiles": ex.profiles(*files, rng=1),
        "reuse": ex.reuse(*files, depth=15),
    }


def test_results_are_saved_and_loaded(results, tmp_path):
    for name, result in results.items():
        for ending in (".json", ".json.gz"):
            result.save(tmp_path / f"{name}{ending}")
            assert ex.Result.load(tmp_path / f"{name}{ending}") == result
        assert len(result.to_frame()) == len(result.tables[0].rows)
        assert result.to_latex().startswith("% ")
        assert result.versions["concordant"] == cd.__version__
    (tmp_path / "x").write_text("[]")
    with pytest.raises(cd.InputError, match="is not the saved result of an experiment"):
        ex.Result.load(tmp_path / "x")


def test_every_result_has_its_figure(results):
    import matplotlib.pyplot as plt

    for name, result in results.items():
        axes = np.atleast_1d(np.asarray(cd.plot(result), dtype=object))
        assert all(ax.has_data() for ax in axes), name
        plt.close("all")
    figure, ax = plt.subplots()
    assert cd.plot(results["reuse"], ax=ax) is ax
    plt.close(figure)
    with pytest.raises(TypeError, match="takes the result of an experiment"):
        cd.plot(3)


@pytest.mark.parametrize("command", ["predict", "swap", "gaps", "pool", "profiles", "reuse"])
def test_the_program_runs_every_experiment_without_data(tmp_path, command):
    fewer = {
        "predict": ["--splits", "20"], "swap": ["--draws", "5"], "gaps": ["--pairs", "50"],
        "pool": ["--percents", "10,100"], "profiles": ["--depth", "10"], "reuse": ["--depth", "10", "--group-by", "^[a-z]+"],
    }  # fmt: skip
    arguments = [
        command,
        *fewer[command],
        "--seed",
        "3",
        "--plot",
        "f.svg",
        "--save",
        "r.json",
        "--format",
        "csv",
    ]
    outputs = []
    for workers in ("1", "2"):
        result = subprocess.run(
            [sys.executable, "-m", "concordant", *arguments, "--workers", workers],
            capture_output=True, text=True, check=False, cwd=tmp_path,
        )  # fmt: skip
        assert result.returncode == 0, result.stderr
        outputs.append((result.stdout, (tmp_path / "f.svg").read_bytes(), (tmp_path / "r.json").read_text()))
    assert outputs[0] == outputs[1]
    loaded = ex.Result.load(tmp_path / "r.json")
    assert loaded.experiment == command
    assert loaded.tables[0].to_csv() == outputs[0][0]
    assert ("simulated collection" in result.stderr) == (command != "gaps")


def test_the_program_runs_experiments_on_files(folder, scores, tmp_path):
    for measure in scores.measures:
        cd.write_scores(scores[measure], tmp_path / f"{measure}.csv", format="wide")
    command = [
        sys.executable,
        "-m",
        "concordant",
        "predict",
        "AP.csv",
        "P@10.csv",
        "-c",
        "tau_b",
        "--splits",
        "30",
        "--format",
        "csv",
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout == ex.predict(scores, "tau_b", n_splits=30, rng=1).tables[0].to_csv()
    wrong = subprocess.run(
        [*command, "--plot", "x.doc"], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert wrong.returncode == 2
    assert wrong.stderr == "concordant: --plot: the file must end in .pdf, .png or .svg, got 'x.doc'\n"


# --- unusual use --------------------------------------------------------------------------------------------------


def test_swap_with_tied_means_goes_on_and_says_so():
    values = np.random.default_rng(1).normal(np.linspace(1, 0, 8), 0.3, (20, 8))
    values[:, 4] = values[:, 3]
    result = ex.swap(values, ["tau_ap", "tau_b"], n_swaps=2, n_draws=5, rng=1)
    rows = {(row["pairs"], row["coefficient"]): row for row in result["swap"].to_dicts()}
    assert rows["significant", "tau_ap"]["undefined"] == 5
    assert rows["significant", "tau_b"]["mean"] is not None
    assert "tau_ap is undefined for 28 of 28 single swaps: there are ties" in result.notes
    few = ex.swap(values, ["tau_b"], n_swaps=25, n_draws=2, rng=1)
    assert any("fewer than 25 to swap" in note for note in few.notes)
    with pytest.raises(cd.TiesError):
        cd.pair_weights(values.mean(0), "tau_ap")


def test_grades_below_minus_one_are_judged(folder):
    """-2 is spam in web tracks: judged, and not relevant."""
    qrels = cd.read_qrels(folder / "human.qrels")
    spam = {
        t: {d: -2 if rel == 0 and i % 2 else rel for i, (d, rel) in enumerate(docs.items())}
        for t, docs in qrels.items()
    }
    files = folder / "runs" / "*"
    one, other = (ex.pool(q, files, ["tau_b"], percents=[30, 100], rng=1) for q in (qrels, spam))
    assert one.tables == other.tables
    assert any("grades below -1 count as judged and not relevant" in note for note in other.notes)
    assert one["topics"].rows


def test_shares_that_are_nearly_the_same_are_both_there(folder):
    result = ex.pool(
        folder / "human.qrels", folder / "runs" / "*", ["tau_b"], percents=[33.333333, 33.333334], rng=1
    )
    assert len(result["pool"].rows) == 2


def test_runs_that_are_read_twice_are_files(folder):
    files = sorted((folder / "runs").iterdir())
    one = ex.pool(folder / "human.qrels", (f for f in files), ["tau_b"], percents=[50], rng=1)
    assert one == ex.pool(folder / "human.qrels", files, ["tau_b"], percents=[50], rng=1)
    with files[0].open() as stream, pytest.raises(TypeError, match="give files, not streams"):
        ex.reuse(folder / "human.qrels", [stream])


def test_missing_scores_are_noted():
    values = np.random.default_rng(1).random((10, 6))
    values[2, 3] = np.nan
    assert "1 missing scores count as 0" in ex.swap(values, ["tau_b"], n_swaps=1, n_draws=2, rng=1).notes
    assert "1 missing scores count as 0" in ex.predict(values, "tau_b", n_splits=3, rng=1).notes
    assert ex.predict(values, "tau_b", n_splits=3, drop=["4"], rng=1).notes == ("dropped by name: 4",)


def test_seeds_that_are_no_seeds():
    assert ex.gaps(["uniform"], n_pairs=5, rng=np.int64(3)) == ex.gaps(["uniform"], n_pairs=5, rng=3)
    for bad in (-1, 1.5, "x", True):
        with pytest.raises(ValueError, match="rng must be a whole number from 0 up"):
            ex.gaps(["uniform"], n_pairs=5, rng=bad)


def test_the_configuration_says_what_was_left_out(scores):
    config = ex.predict(
        scores, "tau_b", n_splits=2, drop=["1"], drop_bottom=0.2, drop_duplicates=True, rng=1
    ).config
    assert (config["drop"], config["drop_bottom"], config["drop_duplicates"]) == (["1"], 0.2, True)
    with pytest.raises(ValueError, match="there is no measure 'nope'"):
        ex.predict(scores, "tau_b", n_splits=2, bottom_by="nope")


def test_the_bottom_is_the_share_that_was_asked_for():
    values = np.random.default_rng(0).random((3, 100))
    for share in (0.29, 0.57, 0.58):
        assert ex.predict(values, "tau_b", n_splits=2, drop_bottom=share, rng=1).config[
            "systems"
        ] == 100 - round(100 * share)


def test_one_axes_holds_one_panel(results):
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots()
    with pytest.raises(ValueError, match="this result has 2 panels; leave out ax"):
        cd.plot(results["predict"], ax=ax)
    plt.close(figure)


def test_all_significant_is_not_drawn_as_none():
    import matplotlib.pyplot as plt

    x = np.linspace(1, 0, 6) + np.random.default_rng(0).normal(0, 0.001, (30, 6))
    axes = cd.plot(ex.swap(x, ["tau_b"], n_swaps=2, rng=1))
    image = axes[0].images[0]
    assert image.get_clim() == (0, 1)
    plt.close("all")


def test_a_figure_that_cannot_be_drawn_is_refused_before_anything_is_computed(tmp_path):
    command = [
        sys.executable,
        "-m",
        "concordant",
        "predict",
        "--splits",
        "9",
        "--plot",
        "x.gif",
        "--save",
        "r.json",
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr == "concordant: --plot: the file must end in .pdf, .png or .svg, got 'x.gif'\n"
    unwritable = [*command[:-4], "--plot", "no/such/x.png", "--save", "r.json"]
    result = subprocess.run(unwritable, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert result.returncode == 2
    assert result.stdout.startswith("Prediction")
    assert (tmp_path / "r.json").exists()


# --- simulated profiles -------------------------------------------------------------------------------------------


def test_profiles_are_evolved_to_their_targets():
    made = cd.simulate.profiles(4, targets=[0.3, 0.5, 0.7, 0.9], rng=1)
    assert np.abs(made.reached - made.targets).max() < 0.02
    assert np.bincount(made.grades).tolist() == [24, 6, 10, 10]  # the shares .48 .12 .21 .19 of 50
    assert np.array_equal(made.scores, cd.simulate.profiles(4, targets=[0.3, 0.5, 0.7, 0.9], rng=1).scores)
    assert not np.array_equal(
        made.scores, cd.simulate.profiles(4, targets=[0.3, 0.5, 0.7, 0.9], rng=2).scores
    )
    result = ex.profiles(simulated=made, rng=1)
    assert len(result["pairs"].rows) == 6
    row = result["pairs"].to_dicts()[0]
    assert row["tau"] == pytest.approx(
        cd.tau_b(made.scores[0], made.scores[1]), abs=0.05
    )  # ties broken at random
    assert row["tau_dw"] is not None


def test_average_ndcg_is_the_mean_over_cutoffs():
    grades = np.array([1, 0, 2])
    discount = 1 / np.log2([2, 3, 4])
    ndcg = [
        np.sum(grades[:k] * discount[:k]) / np.sum(np.array([2, 1, 0])[:k] * discount[:k]) for k in (1, 2, 3)
    ]
    assert cd.simulate.average_ndcg(grades) == pytest.approx(np.mean(ndcg))
    assert cd.simulate.average_ndcg(np.array([3, 2, 0])) == 1.0


@pytest.mark.parametrize(
    "options",
    [
        {"n_systems": 0},
        {"shares": [1.0]},
        {"shares": [0.5, 0.2]},
        {"targets": [2.0] * 20},
        {"n_documents": 1},
    ],
)
def test_profiles_of_nonsense(options):
    with pytest.raises(ValueError, match="profiles: "):
        cd.simulate.profiles(**options)
