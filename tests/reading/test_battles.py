"""Battles of two systems: strengths as scores of prompts, position bias, labels, and what is refused."""

import io
import json
import math

import numpy as np
import pytest
from support.program import run

import concordant as cd

HEADER = "question_id,model_a,model_b,winner"


def read(rows, header=HEADER, **how):
    return cd.read_scores(io.StringIO("\n".join([header, *rows]) + "\n"), **how)


def simulated(n_prompts=60, per=5, n=6, first=0.0, seed=0):
    """Battles as columns: strengths fall from system 0 on, prompts differ in what they favour."""
    rng = np.random.default_rng(seed)
    prompts = np.repeat(np.arange(n_prompts), per)
    a = rng.integers(0, n, len(prompts))
    b = (a + rng.integers(1, n, len(prompts))) % n
    strengths, favour = np.linspace(0.6, -0.6, n), rng.normal(0, 0.8, (n_prompts, n))
    odds = strengths[a] + favour[prompts, a] - strengths[b] - favour[prompts, b] + first
    won = np.where(rng.random(len(a)) < 1 / (1 + np.exp(-odds)), 1.0, 0.0)
    won[rng.random(len(a)) < 0.15] = 0.5
    return prompts, a, b, won


def lines(prompts, a, b, won):
    word = {0.0: "model_b", 0.5: "tie", 1.0: "model_a"}
    return [f"q{p},m{x},m{y},{word[w]}" for p, x, y, w in zip(prompts, a, b, won, strict=True)]


def likelihood_gradient(strengths, a, b, won):
    """The derivative of the Bradley-Terry likelihood, term by term."""
    found = np.zeros(len(strengths))
    for x, y, w in zip(a, b, won, strict=True):
        surprise = w - 1 / (1 + math.exp(strengths[y] - strengths[x]))
        found[x] += surprise
        found[y] -= surprise
    return found


def strengths_of(scores):
    """Log odds by the number of the system, from points of which 400 are odds of 10 to 1."""
    at = [scores.systems.index(f"m{k}") for k in range(len(scores.systems))]
    return (scores.values[0].mean(axis=0)[at] - 1000) * math.log(10) / 400


def test_two_systems_have_the_log_odds_of_their_wins():
    scores = read([f"q{k},x,y,{'model_a' if k < 3 else 'model_b'}" for k in range(4)])
    assert scores.systems == ("x", "y")
    assert scores.measures == ("strength",)
    # 3 wins of 4: the odds are 3, and 400 log10(3) points lie between the two.
    means = scores.values[0].mean(axis=0)
    np.testing.assert_allclose(means[0] - means[1], 400 * math.log10(3), atol=1e-9)
    np.testing.assert_allclose(means.mean(), 1000, atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_means_maximise_the_likelihood(seed):
    prompts, a, b, won = simulated(seed=seed)
    strengths = strengths_of(read(lines(prompts, a, b, won)))
    np.testing.assert_allclose(likelihood_gradient(strengths, a, b, won), 0, atol=1e-9)


def test_the_means_are_those_of_evalica():
    evalica = pytest.importorskip("evalica")
    prompts, a, b, won = simulated()
    word = {0.0: evalica.Winner.Y, 0.5: evalica.Winner.Draw, 1.0: evalica.Winner.X}
    theirs = evalica.bradley_terry(
        a.tolist(), b.tolist(), [word[w] for w in won], tolerance=1e-13, limit=100_000
    )
    log_odds = np.log([theirs.scores[k] for k in range(6)])
    np.testing.assert_allclose(
        strengths_of(read(lines(prompts, a, b, won))), log_odds - log_odds.mean(), atol=1e-9
    )


def test_the_error_of_the_means_is_that_of_strengths_fitted_again_in_resamples():
    prompts, a, b, won = simulated(n_prompts=200, per=6)
    scores = read(lines(prompts, a, b, won))
    points = scores.values[0]
    error = points.std(axis=0, ddof=1) / math.sqrt(len(points))
    rng = np.random.default_rng(1)
    again = []
    for _ in range(300):
        drawn = np.concatenate([np.flatnonzero(prompts == p) for p in rng.integers(0, 200, 200)])
        own = read(lines(np.arange(len(drawn)), a[drawn], b[drawn], won[drawn]))
        again.append([own.values[0].mean(axis=0)[own.systems.index(name)] for name in scores.systems])
    np.testing.assert_allclose(error, np.std(again, axis=0), rtol=0.12)  # 300 resamples: an error of 4 %


def position_of(first, seed):
    (note,) = [n for n in read(lines(*simulated(first=first, seed=seed))).notes if n.kind == "position_bias"]
    assert note.lost == (not note.values["low"] <= 0 <= note.values["high"])
    return note.values


def test_position_bias_is_told_with_an_interval():
    assert all(position_of(1.0, seed)["low"] > 0.05 for seed in range(10))
    held = [position_of(0.0, seed) for seed in range(40)]
    # Of 40 intervals of 95 %, at most 6 lack the truth, with probability 0.99.
    assert sum(not (own["low"] <= 0 <= own["high"]) for own in held) <= 6


def test_each_judge_is_a_measure_and_its_labels_are_compared(tmp_path):
    path = tmp_path / "battles.csv"
    one, other = simulated(seed=1), simulated(seed=1)[:3]
    flipped = np.where(np.random.default_rng(2).random(len(one[3])) < 0.3, 1 - one[3], one[3])
    rows = [f"{row},human" for row in lines(*one)] + [f"{row},gpt" for row in lines(*other, flipped)]
    path.write_text("\n".join([HEADER + ",judge", *rows]))
    assert cd.read_scores(path).measures == ("human", "gpt")
    scores = cd.read_scores(path)
    answer = cd.correlate(scores["human"], {"gpt": scores["gpt"]})
    assert answer.agreement[0].interval is not None
    command = ["judge", "--reference", path, "-x", "human", "--judge", path, "-y", "gpt", "--format", "json"]
    judged = json.loads(run(*command).stdout)["tables"]["agreement"]
    assert [row["value"] for row in judged] == [each.value for each in answer.agreement]
    assert judged[0]["other_topics"] is not None
    labels = cd.labels(path, raters=["human", "gpt"])
    # The same battle of a prompt with the sides swapped is the same item.
    pairs = {(p, *sorted((x, y))) for p, x, y in zip(*one[:3], strict=True)}
    assert labels.raters[0].n == len(pairs)


def test_the_side_does_not_matter():
    prompts, a, b, won = simulated()
    here, there = read(lines(prompts, a, b, won)), read(lines(prompts, b, a, 1 - won))
    np.testing.assert_allclose(strengths_of(here), strengths_of(there), atol=1e-9)


@pytest.mark.parametrize(
    ("header", "winners"),
    [
        ("prompt,system_a,system_b,preference", ("A", "B", "draw")),
        ("item,player_a,player_b,outcome", ("left", "right", "both")),
        ("question_id,model_a,model_b,winner", ("x", "y", "tie (bothbad)")),
    ],
)
def test_words_for_winners(header, winners):
    scores = read([f"1,x,y,{winners[0]}", f"1,x,y,{winners[1]}", f"2,x,y,{winners[2]}"], header)
    np.testing.assert_allclose(scores.values[0].mean(axis=0), 1000, atol=1e-9)


def test_battles_without_winner_are_counted():
    scores = read(["1,x,y,model_a", "2,x,y,model_b", "3,x,y,", "4,x,y,error"])
    (note,) = [note for note in scores.notes if note.kind == "failed_battles"]
    assert note.values == {"failed": 2}


def test_many_people_are_one_judge():
    rows = [f"{k},x,y,{'model_a' if k % 3 else 'model_b'},user{k}" for k in range(30)]
    scores = read(rows, HEADER + ",judge")
    assert scores.measures == ("strength",)
    assert [note.kind for note in scores.notes if note.kind == "judges_together"]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["1,x,x,tie"], ":2: 'x' is on both sides"),
        (["1,x,y,model_a", "1,y,z,model_a"], "one side won every battle"),
        (["1,x,y,model_a", "2,x,y,perhaps"], ":3: column 'winner': the winner 'perhaps' is not known"),
        (["1,x,y,1", "2,x,y,0"], "the winner '1' is not known"),
        (["1,x,,model_a"], ":2: the system is empty"),
        (["1,x,y,model_a", "2,y,x,model_a", "3,v,w,model_a", "4,w,v,model_a"], "or there is none"),
        (["1,x,y,"], "or there is none"),
    ],
)
def test_bad_battles_are_one_sentence(rows, said):
    with pytest.raises(cd.ConcordantError, match=r"^[^\n]*$") as caught:
        read(rows)
    assert said in str(caught.value)


def test_names_of_systems_win_before_words_for_sides():
    scores = read(["1,b,a,a", "2,b,a,b", "3,b,a,a"])  # the system a won twice, on side b
    strengths = dict(zip(scores.systems, scores.values[0].mean(axis=0), strict=True))
    assert strengths["a"] > strengths["b"]


@pytest.mark.slow
def test_intervals_hold_the_true_strengths():
    held = []
    whole = simulated(n_prompts=30_000, seed=9)
    true = strengths_of(read(lines(*whole)))
    for seed in range(100):
        board = cd.board(read(lines(*simulated(seed=seed))))
        for row in board.systems:
            points = 1000 + 400 / math.log(10) * true[int(row.system[1:])]
            held.append(row.interval.low <= points <= row.interval.high)
    assert 0.92 <= np.mean(held) <= 0.98
