"""`board`: which ranks of a leaderboard are real."""

import itertools
import json
import math

import numpy as np
import pytest
from scipy import stats

import concordant as cd
from concordant.statistics.distributions import t_below, t_quantile
from concordant.statistics.ranks import rows_of_clusters

TIERS = np.r_[np.linspace(0.75, 0.70, 4), np.linspace(0.35, 0.3, 4)]
BINARY = (np.random.default_rng(20).random((300, 8)) < TIERS).astype(float)
NAMES = [f"m{k}" for k in range(8)]


def made(values=BINARY, **labels):
    return cd.Scores(values, **{"systems": NAMES[: np.shape(values)[-1]], **labels})


def literal(scores, alpha=0.05):
    """Section by section: moderated t, Holm over ordered pairs, rank sets, may be first, tiers, adjacent."""
    n, k = scores.shape
    pairs = [(i, j) for i in range(k) for j in range(k) if i != j]
    variance = {(i, j): np.var(scores[:, i] - scores[:, j], ddof=1) for i, j in pairs}
    median = np.median([variance[i, j] for i, j in pairs if i < j])
    p = {}
    for i, j in pairs:
        moderated = ((n - 1) * variance[i, j] + 10 * median) / (n - 1 + 10)
        t = (scores[:, i] - scores[:, j]).mean() / math.sqrt(moderated / n)
        p[i, j] = stats.t.sf(t, n - 1)
    adjusted, largest = {}, 0.0
    for place, pair in enumerate(sorted(pairs, key=p.get)):
        largest = max(largest, min(1.0, (len(pairs) - place) * p[pair]))
        adjusted[pair] = largest
    above = {pair for pair in pairs if adjusted[pair] <= alpha}
    ranks = [
        (1 + sum((j, i) in above for j in range(k)), k - sum((i, j) in above for j in range(k)))
        for i in range(k)
    ]
    first = [all(p[j, i] > alpha / (k - 1) for j in range(k) if j != i) for i in range(k)]
    return p, adjusted, above, ranks, first


def test_rank_sets_p_values_and_tiers_are_those_of_the_definitions():
    result = cd.board(made())
    p, adjusted, above, ranks, first = literal(BINARY)
    means = BINARY.mean(axis=0)
    order = sorted(range(8), key=lambda i: (-means[i], NAMES[i]))
    assert [each.system for each in result.systems] == [NAMES[i] for i in order]
    for i, each in zip(order, result.systems, strict=True):
        assert (each.mean, tuple(each.ranks), each.may_be_first) == (
            pytest.approx(means[i]),
            ranks[i],
            first[i],
        )
        interval = stats.t.interval(0.95, 299, means[i], stats.sem(BINARY[:, i]))
        assert tuple(each.interval) == pytest.approx(interval)
    for pair in result.pairs:
        key = NAMES.index(pair.above), NAMES.index(pair.below)
        assert pair.pvalue == pytest.approx(p[key], abs=1e-12)
        assert pair.pvalue_adjusted == pytest.approx(adjusted[key], abs=1e-12)
    cut = [all((a, b) in above for a in order[:q] for b in order[q:]) for q in range(1, 8)]
    assert [each.tier for each in result.systems] == np.cumsum([1, *cut]).tolist()
    apart = [(a, b) in above for a, b in itertools.pairwise(order)]
    assert [each.apart_from_next for each in result.systems] == [*apart, None]


def test_two_systems_share_a_letter_exactly_if_they_are_not_told_apart():
    result = cd.board(made())
    letters = {each.system: set(each.groups) for each in result.systems}
    for pair in result.pairs:
        assert bool(letters[pair.above] & letters[pair.below]) == (pair.pvalue_adjusted > 0.05)


def test_the_words_are_those_of_what_is_shown():
    result = cd.board(made())
    text = " ".join(result.verdict)
    assert "may be first: they are not told apart by 300 topics" in text
    assert "there are 2 tiers, ranks 1-4 and 5-8" in text
    sure = cd.board(made(np.c_[BINARY[:, 4:6], np.ones(300)]))
    assert sure.verdict[0] == "m2 is the best for topics like these (95 % confidence)."
    equal = cd.board(made(np.random.default_rng(20).normal(size=(40, 5))))
    assert any(
        line.startswith("These topics do not show an order of these systems (F ") for line in equal.verdict
    )


@pytest.mark.parametrize(
    ("n", "kind", "lost"), [(5, "no_rank_sets", True), (6, "few_items", True), (12, "few_items", False)]
)
def test_few_items_are_refused_warned_of_or_noted(n, kind, lost):
    result = cd.board(made(np.random.default_rng(20).normal(size=(n, 4))))
    assert [
        (note.kind, note.lost) for note in result.notes if note.kind in ("no_rank_sets", "few_items")
    ] == [(kind, lost)]
    assert (result.pairs is None) == (n < 6)
    assert all((each.ranks is None) == (n < 6) for each in result.systems)
    assert all(each.interval is not None for each in result.systems)


def test_items_that_tell_the_first_two_apart_follow_the_formula():
    result = cd.board(made())
    need = result.needed[0]
    one, two = (NAMES.index(each.system) for each in result.systems[:2])
    difference = BINARY[:, one] - BINARY[:, two]
    s, d = difference.std(ddof=1), difference.mean()
    h = stats.t.ppf(0.975, 299) * s / math.sqrt(300)
    z = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    expected = [math.ceil((z * s / size) ** 2) for size in (d, d + h)]
    assert [need.topics, need.at_least, need.at_most] == [*expected, None]  # d <= h: no end
    assert f"needs about {expected[0]} topics ({expected[1]} or more)" in " ".join(result.verdict)


def test_clusters_are_the_sample():
    """Rows m + (g / mean g) (cluster mean - m), and (sum g)^2 / sum g^2 - 1 degrees of freedom."""
    sizes = np.random.default_rng(20).integers(1, 9, 40)
    clusters = np.repeat(np.arange(40), sizes)
    base = np.random.default_rng(20).normal(size=(40, 4))[clusters] + np.array([0.9, 0.6, 0.1, 0.0])
    values = base + np.random.default_rng(20).normal(size=base.shape) * 0.1
    rows, worth = rows_of_clusters(values, [str(c) for c in clusters])
    m = values.mean(axis=0)
    literal_rows = [
        m + g / sizes.mean() * (values[clusters == c].mean(axis=0) - m) for c, g in enumerate(sizes)
    ]
    np.testing.assert_allclose(rows, literal_rows, atol=1e-12)
    assert worth == pytest.approx(sizes.sum() ** 2 / (sizes**2).sum())
    topics = [f"q{k}" for k in range(len(values))]
    scores = made(values, topics=topics)
    given = cd.board(scores, clusters=dict(zip(topics, map(str, clusters), strict=True)))
    assert given.systems[0].clusters == 40
    assert given.systems[0].items == len(values)
    v = np.array([np.var(rows[:, i] - rows[:, j], ddof=1) for i in range(4) for j in range(i)])
    for pair in given.pairs:
        i, j = NAMES.index(pair.above), NAMES.index(pair.below)
        own = (39 * np.var(rows[:, i] - rows[:, j], ddof=1) + 10 * np.median(v)) / 49
        t = (rows[:, i] - rows[:, j]).mean() / math.sqrt(own / 40)
        assert pair.pvalue == pytest.approx(stats.t.sf(t, worth - 1), abs=1e-12)
    ignored = cd.board(scores)
    assert sum(p.pvalue_adjusted <= 0.05 for p in ignored.pairs) >= sum(
        p.pvalue_adjusted <= 0.05 for p in given.pairs
    )
    with pytest.raises(cd.ConcordantError, match="topic 'q1' has no cluster; give one for each"):
        cd.board(scores, clusters={"q0": "a"})


@pytest.mark.parametrize("freedom", [1.0, 2.5, 7.3, 33.3])
def test_students_t_has_any_degrees_of_freedom(freedom):
    t = np.linspace(-9, 9, 37)
    np.testing.assert_allclose(t_below(t, freedom), stats.t.cdf(t, freedom), rtol=1e-12, atol=1e-14)
    assert t_quantile(0.975, freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-12)


def test_seeds_and_clusters_are_columns(tmp_path):
    rows = ["model,question,passage,seed,score"]
    for q, passage in enumerate("aabbccddeeff"):
        rows += [
            f"m{s},q{q},{passage},{seed},{(q * 7 + s * 3 + seed) % 5}" for s in range(3) for seed in (1, 2)
        ]
    file = tmp_path / "samples.csv"
    file.write_text("\n".join(rows), encoding="utf-8")
    scores = cd.read_scores(file, columns={"repeat": "seed", "cluster": "passage"})
    assert scores.values.shape == (1, 12, 3)
    assert scores.values[0, 0, 0] == (1 + 2) / 2  # of both seeds
    assert scores.clusters["q3"] == "b"
    result = cd.board(scores)
    assert (result.systems[0].items, result.systems[0].clusters) == (12, 6)
    assert any("the mean over 2 values of seed" in str(note) for note in result.notes)
    file.write_text("\n".join([*rows, rows[1]]), encoding="utf-8")
    with pytest.raises(
        cd.ConcordantError, match=r"samples\.csv:74: system 'm0' has two scores for topic 'q0' with seed '1'"
    ):
        cd.read_scores(file, columns={"repeat": "seed"})
    file.write_text("\n".join([*rows, "m0,q0,b,3,1"]), encoding="utf-8")
    with pytest.raises(cd.ConcordantError, match="topic 'q0' is in two clusters, 'a' and 'b'; keep one"):
        cd.read_scores(file, columns={"repeat": "seed", "cluster": "passage"})


def test_columns_of_benchmarks_are_the_items():
    board = {"a": [0.8, 0.7, 0.9, 0.6], "b": [0.5, 0.6, 0.4, 0.7], "c": [0.1, 0.2, 0.3, 0.1]}
    scores = cd.Scores(
        np.array(list(board.values())).T[:, None, :],
        measures=list("wxyz"),
        topics=["all"],
        systems=list(board),
    )
    result = cd.board(scores)
    assert "4 tasks" in result.question
    assert [each.name for each in result.choices if each.choice == "without"] == list("wxyz")
    assert [each.mean for each in result.systems] == [0.75, 0.55, 0.175]
    gone = np.array(scores.values)
    gone[1, 0, 1] = math.nan
    holed = cd.board(cd.Scores(gone, measures=list("wxyz"), topics=["all"], systems=list(board)))
    assert {each.aggregate for each in holed.aggregates} == {"win_rate", "mean_z", "kemeny"}
    assert any(note.kind == "items_left_out" for note in holed.notes)
    unlike = np.array(scores.values) * np.array([1, 1, 1, 1000.0])[:, None, None]
    labels = {"measures": list("wxyz"), "topics": ["all"], "systems": list(board)}
    with pytest.raises(cd.ConcordantError, match="their mean would mix two scales"):
        cd.board(cd.Scores(unlike, **labels))
    assert cd.board(cd.Scores(unlike, **labels), aggregate="win_rate").systems[0].system == "a"


def test_the_ranking_without_each_item_and_the_agreement_with_the_others():
    values = np.random.default_rng(20).normal(size=(9, 5))
    result = cd.board(made(values))
    for k, task in enumerate(each for each in result.choices if each.choice == "without"):
        rest = np.delete(values, k, axis=0).mean(axis=0)
        assert task.agreement == pytest.approx(cd.tau_b(values.mean(axis=0), rest))
        assert task.with_others == pytest.approx(cd.tau_b(rest, values[k]))
        assert task.winner == NAMES[int(rest.argmax())]


def test_aggregates_choices_and_their_main_board():
    values = np.random.default_rng(20).normal(size=(12, 5)) + np.linspace(1, 0, 5)
    result = cd.board(made(values))
    by = {(each.aggregate, each.system): each for each in result.aggregates}
    for way in ("win_rate", "mean_rank", "mean_z"):
        main = cd.board(made(values), aggregate=way)
        for each in main.systems:
            assert each.mean == pytest.approx(by[way, each.system].value)
            assert each.rank == by[way, each.system].rank
    others = [each for each in result.choices if each.choice == "by"]
    assert [each.name for each in others] == ["mean", "win_rate", "mean_z", "kemeny"]
    means = values.mean(axis=0)
    for each in others:
        own = [by[each.name, name] for name in NAMES[:5]]
        assert each.agreement == pytest.approx(cd.tau_b(means, [-row.rank for row in own]))
        first = [row.system for row in own if row.rank == 1]
        assert (each.winner, each.same_winner) == (", ".join(first), NAMES[int(means.argmax())] in first)


def test_a_measure_of_which_the_smallest_is_the_best_is_shown_as_it_is():
    values = np.random.default_rng(20).random((30, 4)) + np.array([0.0, 1, 2, 3])
    result = cd.board(cd.read_scores(made(values, measures=["RMSE"]), lower_is_better=["RMSE"]))
    assert [each.system for each in result.systems] == ["m0", "m1", "m2", "m3"]
    assert result.systems[0].mean == pytest.approx(values[:, 0].mean())
    assert result.systems[0].interval.low < result.systems[0].mean < result.systems[0].interval.high


def test_leading_again_is_a_share_of_halves():
    result = cd.board(made(), resampling=cd.Resampling(n_resamples=500, rng=3))
    leads = [each.leads for each in result.systems]
    assert sum(leads) == pytest.approx(1)
    assert cd.board(made(), resampling=cd.Resampling(n_resamples=500, rng=3)).systems == result.systems
    assert cd.board(made(), resampling=None).systems[0].leads is None
    assert "up to 12 points too high in our tests" in " ".join(result.beside)


def test_large_boards_say_how_many_rows_are_shown_and_print_all():
    k = 30
    values = np.random.default_rng(20).normal(size=(40, k)) + np.linspace(2, 0, k)
    result = cd.board(cd.Scores(values, systems=[f"model {i}" for i in range(k)]))
    text = result.to_text()
    assert "(10 of 30 rows)" in text
    assert len(text.splitlines()) <= 28
    assert all(f"| model {i} |" in result.to_markdown() for i in range(k))
    assert "| rank set |" in result.to_markdown()
    ten = cd.board(made(values[:, :10], systems=list("abcdefghij"), topics=[f"t{i}" for i in range(40)]))
    assert len(ten.to_text().splitlines()) <= 26


def test_the_result_is_written_and_read(tmp_path):
    result = cd.board(made())
    file = tmp_path / "board.json"
    file.write_text(result.to_json(), encoding="utf-8")
    again = cd.results.load(file)
    assert again.verdict == result.verdict
    assert again.to_text() == result.to_text()
    assert json.loads(result.to_json())["function"] == "board"
    assert cd.plot(again).to_dict()["title"]["text"]


def test_wrong_input_is_refused():
    with pytest.raises(cd.ConcordantError, match="one score of each system"):
        cd.board({"a": 1.0, "b": 2.0})
    with pytest.raises(
        cd.ConcordantError, match="aggregate must be 'mean', 'win_rate', 'mean_rank' or 'mean_z'"
    ):
        cd.board(made(), aggregate="kemeny")
    with pytest.raises(cd.ConcordantError, match="two systems or more"):
        cd.board(np.ones((5, 1)))


@pytest.mark.parametrize("measures", [None, ["two"]])
def test_measures_are_chosen(measures):
    values = np.random.default_rng(20).normal(size=(2, 20, 4)) + np.array([0, 1, 2, 3.0])
    study = cd.Study.of_sides({"scores": made(values, measures=["one", "two"])}, measures=measures)
    result = cd.board(study)
    assert list(dict.fromkeys(each.measure for each in result.systems)) == (measures or ["one", "two"])
    assert {each.measure for each in result.pairs} == set(measures or ["one", "two"])
    assert all(line.startswith(("one: ", "two: ")) for line in result.verdict) == (measures is None)
