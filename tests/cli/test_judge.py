"""concordant judge: everything about judges, from runs and judgements or from tables."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats
from support.program import run

import concordant as cd


def judged(folder, *judges, more=()):
    """Judge wide tables with few resamples; return the answer."""
    arguments = ["--reference", "human.csv", "-c", "tau_b", "--n-resamples", "99", "--format", "json"]
    names = [part for name in judges for part in ("--judge", f"{name}.csv")]
    result = run("judge", *arguments, *names, *more, cwd=folder)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return json.loads(result.stdout)


def notes_of(answer, kind):
    return [note for note in answer["notes"] if note["kind"] == kind]


@pytest.fixture(scope="module")
def answer(folder):
    """The answer about two judges, from runs and judgements."""
    arguments = ["--runs", "runs/*", "--qrels", "human.qrels", "-m", "nDCG@10", "--top", "5"]
    judges = ["--judge", "noisy.qrels", "--estimate", "partial.qrels"]
    result = run("judge", *arguments, *judges, "--format", "json", cwd=folder)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def sides(folder):
    """The scores of the reference and of the noisy judge."""
    return tuple(cd.read_scores(folder / f"{n}.csv")["nDCG@10"] for n in ("human", "noisy"))


def test_judge_answers_everything(answer):
    """Every table is there, and every judge."""
    tables = answer["tables"]
    first = ["agreement", "systems", "pairs", "judges", "best", "comparison", "topics", "each_topic"]
    assert list(tables) == [*first, "reliability", "raters", "confusion", "thresholds", "topic_labels"]
    assert {row["estimate"] for row in tables["agreement"]} == {"noisy", "partial"}


def test_judge_agrees_with_the_coefficients(answer, sides):
    """Of all systems, and topic by topic."""
    human, noisy = sides
    x, y = human.mean(), noisy.mean()
    found = {(r["estimate"], r["coefficient"]): r for r in answer["tables"]["agreement"]}
    assert (found["noisy", "tau_b"]["value"], found["noisy", "tau_b"]["n"]) == (cd.tau_b(x, y), 9)
    assert {row["top"] for row in answer["tables"]["judges"]} == {5}
    values = [cd.tau_ap_b(a, b) for a, b in zip(human.values[0], noisy.values[0], strict=True)]
    first = answer["tables"]["topics"][0]
    assert first["coefficient"] == "tau_ap_b"
    assert first["mean"] == pytest.approx(np.nanmean(values), abs=1e-12)
    assert first["minimum"] == np.nanmin(values)


def test_judge_compares_the_labels(answer, folder):
    """By the confusion of all common documents, and Cohen's kappa."""
    true, other = cd.read_qrels(folder / "human.qrels"), cd.read_qrels(folder / "noisy.qrels")
    pairs = np.array([(g, other[t][d]) for t, docs in true.items() for d, g in docs.items()])
    rows = [row for row in answer["tables"]["confusion"] if row["rater"] == "noisy"]
    assert [(row["label"], row["rater_label"]) for row in rows] == [
        (a, b) for a in range(4) for b in range(4)
    ]
    confusion = np.array([row["n"] for row in rows]).reshape(4, 4)
    expected = np.zeros((4, 4), dtype=int)
    np.add.at(expected, tuple(pairs.T), 1)
    assert np.array_equal(confusion, expected)
    share = confusion / confusion.sum()
    chance = (share.sum(0) * share.sum(1)).sum()
    label = answer["tables"]["raters"][0]
    assert label["kappa"] == pytest.approx((np.trace(share) - chance) / (1 - chance), abs=1e-12)


def test_judge_counts_pairs_in_the_opposite_order(answer, sides):
    """In the table of pairs; the table of systems says how far each moved."""
    x, y = (side.mean() for side in sides)
    systems = list(x)
    n_reversed = sum((x[a] - x[b]) * (y[a] - y[b]) < 0 for i, a in enumerate(systems) for b in systems[:i])
    rows = [row for row in answer["tables"]["pairs"] if row["estimate"] == "noisy"]
    assert len(rows) == 36
    assert sum(row["reference_difference"] * row["estimate_difference"] < 0 for row in rows) == n_reversed
    (own,) = (row for row in answer["tables"]["judges"] if row["estimate"] == "noisy")
    assert own["swapped"] == n_reversed
    said = f"It keeps {own['kept']} of {own['significant']} significant differences, reverses none"
    assert answer["verdict"][1].startswith(said)
    for row in answer["tables"]["systems"]:
        assert row["gain"] == row["reference_rank"] - row["estimate_rank"]


def test_judge_says_how_sure_it_is(folder):
    """Intervals, the best judge against the others, significance and costs, as the functions give them."""
    arguments = [
        "--reference",
        "human.csv",
        "--judge",
        "noisy.csv",
        "--judge",
        "partial.csv",
        "-m",
        "nDCG@10",
    ]
    how = ["-c", "tau_b", "--top", "5", "--n-resamples", "300", "--seed", "4", "--format", "json"]
    result = run("judge", *arguments, *how, cwd=folder)
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    tables = answer["tables"]
    human, *both = (cd.read_scores(folder / f"{n}.csv")["nDCG@10"] for n in ("human", "noisy", "partial"))
    by_name = dict(zip(("noisy", "partial"), both, strict=True))
    for row in tables["agreement"]:
        how = cd.Resampling(n_resamples=300, rng=4)
        found = cd.bootstrap(human, by_name[row["estimate"]], "tau_b", resampling=how)
        assert row["value"] == found.statistic
        assert (row["low"], row["high"]) == found.confidence_interval
    values = {row["estimate"]: row["value"] for row in tables["agreement"]}
    (row,) = tables["comparison"]
    assert (row["estimate"], row["other"]) == tuple(sorted(values, key=lambda name: -values[name]))
    found = cd.difference(
        human,
        by_name[row["estimate"]],
        by_name[row["other"]],
        "tau_b",
        resampling=cd.Resampling(n_resamples=300, rng=4),
    )
    assert row["pvalue"] == found.pvalue <= row["pvalue_adjusted"]
    assert (row["low"], row["high"]) == found.confidence_interval
    assert row["difference"] == found.statistic
    pairs = [row for row in tables["pairs"] if row["estimate"] == "noisy"]
    for kind, side in (("reference", human), ("estimate", by_name["noisy"])):
        of = dict(zip(side.systems, side.values[0].T, strict=True))
        tests = [stats.ttest_rel(of[row["better"]], of[row["worse"]]).pvalue for row in pairs]
        assert [row[f"{kind}_pvalue"] for row in pairs] == pytest.approx(cd.adjust_pvalues(tests), rel=1e-9)
    costs = {(row["better"], row["worse"]): row["cost"] for row in pairs}
    expected = cd.explain(human, by_name["noisy"], "tau_b").pairs
    assert [costs[each.better, each.worse] for each in expected] == [each.cost for each in expected]
    (note,) = notes_of(answer, "intervals")
    assert note["text"].endswith("(standard, 300 resamples of 8 topics, seed 4)")


def test_three_judges_are_compared_with_corrections(folder, tmp_path):
    """All pairs, adjusted for all of them; three topics are too few."""
    human = cd.read_scores(folder / "human.csv")
    cd.write_scores(human.select(topics=human.topics[:3]), tmp_path / "half.csv")
    judges = ["--judge", "noisy.csv", "--judge", "partial.csv", "--judge", tmp_path / "half.csv"]
    how = ["-m", "nDCG@10", "-c", "tau_b", "--n-resamples", "200", "--format", "json"]
    result = run("judge", "--reference", "human.csv", *judges, *how, cwd=folder)
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    (row,) = answer["tables"]["comparison"]
    assert {row["estimate"], row["other"]} == {"noisy", "partial"}
    assert row["pvalue"] <= row["pvalue_adjusted"]
    assert notes_of(answer, "not_compared_topics")[0]["text"].endswith("noisy and half, partial and half")


def test_judges_are_compared_whatever_their_tables_are_called(wide):
    """The measure of a wide table has no name, so that it is the same on all sides."""
    (row,) = judged(wide, "gpt", "llama")["tables"]["comparison"]
    human, gpt, llama = (cd.read_scores(wide / f"{name}.csv") for name in ("human", "gpt", "llama"))
    found = cd.difference(human, gpt, llama, "tau_b", resampling=cd.Resampling(n_resamples=99, rng=0))
    assert (row["estimate"], row["other"], row["topics"]) == ("gpt", "llama", 30)
    assert (row["measure"], row["estimate_measure"], row["other_measure"]) == ("score", None, None)
    assert (row["difference"], row["pvalue"]) == (found.statistic, found.pvalue)


def test_judges_with_different_topics_are_compared_on_those_that_both_have(wide):
    """A note says so, and one says that intervals of few topics are too narrow."""
    answer = judged(wide, "half", "gpt", "llama", more=("--method", "basic"))
    rows = answer["tables"]["comparison"]
    assert {frozenset((row["estimate"], row["other"])): row["topics"] for row in rows} == {
        frozenset(("half", "gpt")): 15, frozenset(("half", "llama")): 15, frozenset(("gpt", "llama")): 30
    }  # fmt: skip
    (told,) = notes_of(answer, "compared_on_fewer_topics")
    assert told["values"] == {"topics": 15}
    few = notes_of(answer, "few_topics")[0]
    assert few["subject"] == "half"
    assert few["text"].startswith("with only 15 topics intervals by basic are too narrow")


def test_only_judges_with_few_topics_are_told_that_their_intervals_are_too_narrow(wide):
    """Not those that have enough."""
    notes = notes_of(judged(wide, "half", "gpt", "llama", more=("--method", "basic")), "few_topics")
    assert {note["subject"] for note in notes} == {"half"}


def test_coefficients_that_refuse_ties_are_undefined_where_topics_have_ties(wide):
    """Two systems tie on one topic, not in their means."""
    lines = (wide / "gpt.csv").read_text().splitlines()
    cells = lines[3].split(",")
    lines[3] = ",".join([*cells[:2], cells[1], *cells[3:]])
    (wide / "tied.csv").write_text("\n".join(lines) + "\n")
    arguments = ["--reference", "human.csv", "--judge", "tied.csv", "-c", "tau", "--no-interval"]
    result = run("judge", *arguments, "--format", "json", cwd=wide)
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    assert answer["tables"]["agreement"][0]["value"] > 0
    assert answer["tables"]["topics"][0]["undefined"] == 1
    (note,) = notes_of(answer, "undefined_topics")
    assert (note["subject"], note["text"]) == ("tied", "tau is undefined for 1 topic: there are ties")


def test_a_judge_without_a_value_is_left_out_of_the_comparison_with_a_note(wide):
    """Another note says why it has none."""
    answer = judged(wide, "gpt", "llama", "constant")
    assert [row["other"] for row in answer["tables"]["comparison"]] == ["llama"]
    (note,) = notes_of(answer, "not_compared_undefined")
    assert note["text"] == "not compared with the others, because tau_b is undefined: constant"
    (why,) = notes_of(answer, "undefined")
    assert why["subject"] == "constant by score"
    assert why["text"].startswith("tau_b is undefined: all systems")


def test_one_topic_on_one_side_gives_an_interval_over_systems_and_says_so(wide):
    """Other judges have theirs."""
    answer = judged(wide, "one", "gpt")
    rows = {row["estimate"]: row for row in answer["tables"]["agreement"]}
    assert (rows["one"]["topics"], rows["gpt"]["topics"]) == (None, 30)
    (note,) = notes_of(answer, "over_systems")
    assert note["text"].startswith("there are no scores of several topics, so the 0.95 confidence intervals")


def test_significance_does_not_depend_on_intervals(wide):
    """Comparisons of judges do."""
    arguments = ["judge", "--reference", "human.csv", "--judge", "gpt.csv"]
    tables = json.loads(run(*arguments, "--no-interval", "--format", "json", cwd=wide).stdout)["tables"]
    assert all(row["reference_pvalue"] is not None for row in tables["pairs"])
    assert "comparison" not in tables


def test_the_options_of_intervals_are_part_of_the_json(wide):
    """With the seed, so that the answer can be had again."""
    answer = judged(wide, "gpt")
    intervals = {"confidence_level": 0.95, "method": "standard", "n_resamples": 99}
    assert answer["seed"] == 0
    assert answer["options"] == {"coefficients": ["tau_b"], "top": 10, "alpha": 0.05, **intervals}


def test_judge_takes_tables_too(folder):
    """With the same agreement as from runs and judgements."""
    how = ["--table", "agreement", "--format", "csv"]
    measures = ["-m", "AP", "-m", "nDCG@10"]
    by_runs = ["--runs", "runs/*", "--qrels", "human.qrels", "--judge", "noisy.qrels", *measures]
    runs = run("judge", *by_runs, *how, cwd=folder)
    tables = run("judge", "--reference", "human.csv", "--judge", "noisy.csv", *how, cwd=folder)
    assert runs.returncode == tables.returncode == 0, runs.stderr + tables.stderr
    assert runs.stdout == tables.stdout


def test_judgements_may_come_from_standard_input(folder):
    """A minus stands for it."""
    arguments = ["--runs", "runs/*", "--judge", "noisy.qrels", "-m", "AP", "--format", "csv"]
    given = (folder / "human.qrels").read_text()
    piped = run("judge", "--qrels", "-", *arguments, cwd=folder, stdin=given)
    assert piped.returncode == 0, piped.stderr
    assert piped.stdout == run("judge", "--qrels", "human.qrels", *arguments, cwd=folder).stdout


def test_a_cut_of_its_own_has_one_value(folder):
    """And is not cut again; of a top that there is not, nothing is said."""
    arguments = ["--reference", "human_ap.csv", "--judge", "noisy_ap.csv", "-c", "tau_b@5", "--top", "500"]
    result = run("judge", *arguments, "--format", "json", cwd=folder)
    answer = json.loads(result.stdout)
    assert [(row["top"], row["n"]) for row in answer["tables"]["agreement"]] == [(5, 5)]
    assert [(row["top"], row["common"]) for row in answer["tables"]["judges"]] == [(500, None)]


def test_failed_labels_of_a_judge_are_told_and_do_not_stop_the_others(folder, tmp_path):
    """The note names the judge; the table of judges has the share without a judgement; --unjudged decides."""
    lines = (folder / "noisy.qrels").read_text().splitlines()
    labels = [line.split() for line in lines]
    rows = [
        {"qid": t, "docid": d, "label": "N/A" if i % 3 == 0 else g} for i, (t, _, d, g) in enumerate(labels)
    ]
    (tmp_path / "llm.jsonl").write_text("\n".join(map(json.dumps, rows)))
    words = ["judge", "--runs", folder / "runs" / "*", "--qrels", folder / "human.qrels", "--no-interval"]
    words += ["--judge", tmp_path / "llm.jsonl", "--judge", folder / "noisy.qrels", "-m", "nDCG@10"]
    found = json.loads(run(*words, "--format", "json").stdout)
    failed = (len(rows) + 2) // 3
    (note,) = (note for note in found["notes"] if note["kind"] == "failed_labels")
    assert note["subject"] == "llm"
    assert note["text"].startswith(
        f"{failed} labels of {len(rows)} are missing or failed ('N/A'); such documents co"
    )
    shares = {row["estimate"]: row["unjudged"] for row in found["tables"]["judges"]}
    runs, qrels = folder / "runs" / "*", cd.read_qrels(tmp_path / "llm.jsonl")
    assert shares["llm"] == cd.evaluate(qrels, str(runs), "nDCG@10").unjudged["nDCG@10"] > shares["noisy"]
    assert [row["failed"] for row in found["tables"]["raters"]] == [failed, 0]
    left = json.loads(run(*words, "--format", "json", "--unjudged", "left-out").stdout)
    assert left["tables"]["agreement"] != found["tables"]["agreement"]
    refused = run(*words, "--unjudged", "error")
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert "with --unjudged not-relevant, or leave them out with --unjudged left-out" in refused.stderr
