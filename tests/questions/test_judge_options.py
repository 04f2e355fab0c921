"""`judge`: what is left out, options, and that each pair of rankings is evaluated once."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import concordant as cd
from concordant.coefficients import engine as bundle, engine as compute

FEW = cd.Resampling(n_resamples=99, rng=4)


@pytest.fixture(scope="module")
def result(reference, estimates):
    """Two estimates judged by two measures and two coefficients."""
    return cd.judge(reference, estimates, ["tau_b", "tau_ap_b"], top=5, resampling=FEW)


def test_what_was_not_asked_for_is_none(reference, estimates):
    """No intervals, no decisions, no labels: None, and no table."""
    found = cd.judge(reference, estimates, "tau_b", resampling=None)
    names = "interval pvalue other_systems floor at_least other_topics as_close without_luck"
    assert all(getattr(r, name) is None for r in found.agreement for name in names.split())
    for name in ("best", "comparison", "raters", "confusion", "groups"):
        assert getattr(found, name) is None
    assert [table.name for table in found.tables] == [
        *("agreement", "systems", "pairs", "judges", "topics", "each_topic", "reliability")
    ]
    assert found.options == {"coefficients": ["tau_b"], "top": 10, "alpha": 0.05}
    with pytest.raises(
        cd.ArgumentError,
        match=r"no table 'comparison', which needs intervals.*; there are agreement, systems",
    ):
        found.table("comparison")


def test_labels_are_those_of_labels(folder):
    """With the judgements themselves, their own agreement is part of the result."""
    reference = cd.read_scores(folder / "human.csv")
    estimates = {name: cd.read_scores(folder / f"{name}.csv") for name in ("noisy", "partial")}
    qrels = {name: folder / f"{name}.qrels" for name in estimates}
    own = {"qrels": folder / "human.qrels", "estimate_qrels": qrels}
    for how, level in ((None, None), (FEW, 0.95)):
        found = cd.judge(reference, estimates, "tau_b", **own, resampling=how)
        given = {"the reference": folder / "human.qrels"} | qrels
        expected = cd.labels(given, reference="the reference", resampling=how)
        assert expected.options["confidence_level"] == level
        for table in ("raters", "confusion", "thresholds", "topic_labels"):
            assert found.table(table).to_dicts() == expected.table(table).to_dicts()
        assert {row.unjudged for row in found.judges} == {None}  # there are no runs


def test_a_study_gives_the_same_as_its_parts(result, reference, estimates):
    """A study is aligned already; nothing else may be given with it."""
    study = cd.Study(reference, estimates)
    found = cd.judge(study, None, ["tau_b", "tau_ap_b"], top=5, resampling=FEW)
    assert found.to_dict() == result.to_dict()
    with pytest.raises(cd.ArgumentTypeError, match=r"^judge: a Study has its estimates already"):
        cd.judge(study, estimates)


def test_workers_change_no_bit_and_the_seed_does(result, reference, estimates):
    """The same result from two threads; other intervals from another seed."""
    again = cd.judge(reference, estimates, ["tau_b", "tau_ap_b"], top=5, resampling=replace(FEW, workers=2))
    assert again.to_dict() == result.to_dict()
    other = cd.judge(
        reference, estimates, ["tau_b", "tau_ap_b"], top=5, resampling=cd.Resampling(n_resamples=99, rng=5)
    )
    assert other.agreement != result.agreement
    assert [r.value for r in other.agreement] == [r.value for r in result.agreement]


def test_an_estimate_of_other_measures_is_compared_by_name(reference, estimates):
    """Where the measure of an estimate has another name, the comparison tells it."""
    named = {
        name: cd.Scores(scores["AP"].values, measures=[name], topics=range(24), systems=reference.systems)
        for name, scores in estimates.items()
    }
    (d,) = cd.judge(reference["AP"], named, "tau_b", resampling=FEW).comparison
    assert (d.estimate, d.estimate_measure, d.other, d.other_measure) == ("good", "good", "fair", "fair")
    assert d.difference == (
        cd.difference(reference["AP"], named["good"], named["fair"], "tau_b", resampling=FEW).statistic
    )


def test_groups_of_systems_are_left_out_in_turn(reference, estimates):
    """The value without each, as of the systems that are left; a pattern must match, and leave some."""
    names = [f"team{k % 3}-{s}" for k, s in enumerate(reference.systems)]
    sides = [
        cd.Scores(s.values, measures=s.measures, topics=s.topics, systems=names)["AP"]
        for s in (reference, *estimates.values())
    ]
    human, judges = sides[0], dict(zip(estimates, sides[1:], strict=True))
    result = cd.judge(human, judges, ["tau_b", "tau_gap"], group_by="^[^-]+", resampling=FEW)
    assert len(result.groups) == 2 * 3
    for each in result.groups:
        left = [name for name in names if not name.startswith(each.group)]
        assert each.systems == len(names) - len(left)
        mine = human.select(systems=left), judges[each.estimate].select(systems=left)
        assert each.value == pytest.approx(cd.tau_b(mine[0].mean(), mine[1].mean()))
        whole = next(a.value for a in result.agreement if a.estimate == each.estimate)
        assert each.change == pytest.approx(each.value - whole)
    assert result.options["group_by"] == "^[^-]+"
    for pattern, message in (
        ("^x", "group_by '\\^x' does not match the system 'team0-"),
        ("(", "group_by is not a regular expression"),
        (
            "^team",
            "group_by '\\^team' puts all systems into one group \\('team'\\); leaving it out leaves nothing",
        ),
    ):
        with pytest.raises(cd.ArgumentError, match=f"^judge: {message}"):
            cd.judge(human, judges, "tau_b", group_by=pattern, resampling=FEW)


def test_iteration_frames_and_dictionaries(result):
    """The first table is the agreement; fields are the columns."""
    assert list(result) == list(result.agreement)
    content = result.to_dict()
    assert content["function"] == "judge"
    assert list(content["tables"]) == [table.name for table in result.tables]
    assert [t.name for t in result.tables] == [
        *("agreement", "systems", "pairs", "judges", "best", "comparison"),
        *("topics", "each_topic", "reliability"),
    ]
    for table in result.tables:
        frame = result.to_frame(table.name)
        assert list(frame.columns) == list(table.columns)
        assert len(frame) == len(table.records) == len(content["tables"][table.name])
    row, d = content["tables"]["comparison"][0], result.comparison[0]
    assert (row["low"], row["high"], row["pvalue"]) == (*d.interval, d.pvalue)
    assert content["options"] == {
        "coefficients": ["tau_b", "tau_ap_b"],
        "top": 5,
        "confidence_level": 0.95,
        "method": "standard",
        "n_resamples": 99,
        "alpha": 0.05,
    }
    assert content["seed"] == 4


@pytest.mark.parametrize("method", ["standard", "percentile"])
def test_progress_counts_up_to_its_total(method, reference, estimates):
    """Intervals and comparisons are one count that never falls; not every method exchanges estimates."""
    reports = []
    how = replace(FEW, method=method)
    cd.judge(reference, estimates, "tau_b", resampling=how, progress=lambda *each: reports.append(each))
    assert reports[-1][0] == reports[-1][1]
    assert reports == sorted(reports)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"top": 1}, "top must be a whole number from 2 up, got 1"),
        ({"top": [5]}, r"top must be a whole number from 2 up, got \[5\]"),
        ({"at_least": 1.5}, "at_least must be a number from -1 to 1, got 1.5"),
        ({"at_least": True}, "at_least must be a number from -1 to 1, got True"),
        ({"at_least": 0.9, "resampling": None}, "at_least needs resampling"),
        ({"resampling": 99}, r"resampling must be a Resampling, such as .*, got int"),
    ],
)
def test_wrong_options_are_refused(reference, estimates, options, message):
    """One sentence says what is wrong, after the name of the function."""
    with pytest.raises((cd.ArgumentError, cd.ArgumentTypeError), match=f"^judge: {message}"):
        cd.judge(reference, estimates, "tau_b", **options)


def test_sides_without_a_common_topic_are_refused(reference, estimates):
    """The message asks whether the topics have the same names."""
    other = cd.Scores(
        estimates["good"]["AP"].values, measures=["AP"], systems=reference.systems, topics=range(50, 74)
    )
    with pytest.raises(cd.ArgumentError, match=r"^judge: good and the reference have no topic in common"):
        cd.judge(reference["AP"], {"good": other}, "tau_b")


# --- aligned once -------------------------------------------------------------------------------------------


class CountingCore:
    """The core, which notes all pairs of rankings that it is given."""

    def __init__(self, core, n):
        self.core, self.n, self.seen = core, n, Counter()

    def __getattr__(self, name):
        return getattr(self.core, name)

    def note(self, x, y):
        if len(x) == self.n:
            self.seen[np.asarray(x).tobytes(), np.asarray(y).tobytes()] += 1

    def pair(self, x, y, *others):
        self.note(x, y)
        return self.core.pair(x, y, *others)

    def pairs(self, x, x_offsets, y, y_offsets, pair_x, pair_y, *others):
        for i, j in zip(pair_x, pair_y, strict=True):
            self.note(x[x_offsets[i] : x_offsets[i + 1]], y[y_offsets[j] : y_offsets[j + 1]])
        return self.core.pairs(x, x_offsets, y, y_offsets, pair_x, pair_y, *others)


@pytest.mark.parametrize(
    ("coefficients", "top"),
    [
        (["tau_b"], 3),
        (["tau_b", "tau_ap_b", "tau_h", "pearson_rank", "tau_gap", "spearman_rho"], 5),
        (["tau_b", "tau_b(0.02)", "tau_e(0.05)", "tau_ap_e(symmetric=True)", "tau_b@4"], 20),
    ],
)
@pytest.mark.parametrize("names", [("good",), ("fair", "good"), ("good", "fair", "poor")])
def test_each_pair_of_mean_rankings_is_evaluated_once(
    monkeypatch, reference, sides, names, coefficients, top
):
    """Whatever the number of coefficients and cuts, with intervals, comparisons, tests and costs of pairs.

    The mean of each side by each measure is taken once, too.
    """
    estimates = {name: sides[name] for name in names}
    means = {name: {m: s.mean(m) for m in s.measures} for name, s in sides.items()}
    rows = {
        (name, m): np.array(list(of.values())).tobytes() for name, by in means.items() for m, of in by.items()
    }
    counting = CountingCore(compute.core, len(reference.systems))
    monkeypatch.setattr(compute, "core", counting)
    monkeypatch.setattr(bundle, "core", counting)
    taken = Counter()
    mean = cd.Scores.mean

    def counted(scores, measure=None):
        taken[scores.values.tobytes(), measure] += 1
        return mean(scores, measure)

    monkeypatch.setattr(cd.Scores, "mean", counted)
    cd.judge(reference, estimates, coefficients, top=top, resampling=cd.Resampling(n_resamples=29, rng=1))
    expected = Counter({(rows["reference", m], rows[name, m]): 1 for name in names for m in ("AP", "P@10")})
    of_means = set(rows.values())
    found = Counter({pair: times for pair, times in counting.seen.items() if set(pair) <= of_means})
    back = Counter({pair[::-1]: times for pair, times in expected.items()})
    symmetric = any("symmetric" in text for text in coefficients)  # the mean of both directions
    # Where means are tied, once more in either direction for what the ties can change; once more for each
    # coefficient by the test of systems in random order; and for Pearson's correlation and swapped pairs.
    tied = {row for row in of_means if len(np.unique(np.frombuffer(row))) < len(reference.systems)}
    for pair in (*expected, *(back if symmetric else ())):
        assert 1 <= found.pop(pair) <= 1 + bool(tied & set(pair)) + len(coefficients) + 2
    assert all(pair in back and times == 1 and tied & set(pair) for pair, times in found.items())
    assert len(tied) < len(of_means)
    found = expected
    assert sum(counting.seen.values()) > sum(found.values())  # resamples and topics were noted as well
    assert taken == Counter(
        {(side.values.tobytes(), m): 1 for side in (reference, *estimates.values()) for m in ("AP", "P@10")}
    )
