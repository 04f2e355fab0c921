"""`reuse`: judgements that only one group brought to the pool are removed for it."""

from __future__ import annotations

import pytest

import concordant as cd

reuse = cd.experiments.reuse


@pytest.fixture
def two_groups(tmp_path):
    """Two groups; d1 is relevant and only group a has it in its first two."""
    (tmp_path / "q").write_text("1 0 d1 1\n1 0 d2 1\n1 0 d3 0\n")
    for name, order in (("a-1", "d1 d2 d3"), ("b-1", "d2 d3 d1"), ("b-2", "d3 d2 d1")):
        lines = [f"1 Q0 {d} 0 {3 - i} {name}\n" for i, d in enumerate(order.split())]
        (tmp_path / name).write_text("".join(lines))
    return tmp_path


def test_what_only_the_group_brought_is_removed(two_groups):
    """The scores without are those of the judgements that others brought."""
    result = reuse(two_groups / "q", two_groups / "*-*", ["tau_b"], depth=2, group_by="^[a-z]")
    found = {each.system: each for each in result.systems}
    assert {name: each.group for name, each in found.items()} == {"a-1": "a", "b-1": "b", "b-2": "b"}
    assert found["a-1"].score == 1.0
    # d1 is not judged any more: the first relevant document is at rank 2
    assert found["a-1"].score_without == 0.5
    assert found["a-1"].difference == -0.5
    assert found["a-1"].judgements_removed == 1
    assert found["b-1"].judgements_removed == 1  # d3, which is not relevant
    assert found["b-1"].difference == 0
    both = [[getattr(each, name) for each in result.systems] for name in ("score", "score_without")]
    (value,) = result
    assert (str(value.coefficient), value.value) == ("tau_b", pytest.approx(cd.tau_b(*both)))
    assert (result.options["groups"], result.options["depth"], result.seed) == (2, 2, None)


def test_each_run_is_a_group_of_its_own_by_default(two_groups):
    """d2 and d3 are in two runs each, d1 in one: only that is removed."""
    result = reuse(two_groups / "q", two_groups / "*-*", ["tau_b"], depth=2)
    assert {each.system: each.judgements_removed for each in result.systems} == {"a-1": 1, "b-1": 0, "b-2": 0}
    assert result.options["groups"] == 3


def test_another_measure_is_taken(two_groups):
    """The measure is named in the options, as figures show it."""
    result = reuse(two_groups / "q", two_groups / "*-*", ["tau_b"], measure="P@1", depth=2)
    assert {each.system: each.score for each in result.systems} == {"a-1": 1, "b-1": 1, "b-2": 0}
    assert result.options["measure"] == "P@1"


def test_the_result_does_not_depend_on_workers(folder):
    """Processes change no bit."""
    files = (folder / "human.qrels", folder / "runs" / "*")
    assert reuse(*files, depth=10) == reuse(*files, depth=10, workers=2)


def test_runs_that_are_open_files_are_read_once(folder):
    """Runs are read once, so that streams are as good as files."""
    files = sorted((folder / "runs").iterdir())
    expected = reuse(folder / "human.qrels", files, depth=10)
    streams = [path.open() for path in files]
    try:
        assert reuse(folder / "human.qrels", streams, depth=10) == expected
    finally:
        for stream in streams:
            stream.close()


def test_the_depth_of_the_pool_is_that_of_half_of_the_runs(folder):
    """The simulated pool has depth 10; a run that was not in the pool does not change it."""
    made = cd.experiments.simulate.collection(4, 5, 60, pool_depth=7, depth=30, rng=1)
    result = reuse(made.qrels, made.runs, ["tau_b"])
    assert result.options["depth"] == 7
    assert [note.values for note in result.notes if note.kind == "depth_of_pool"] == [{"depth": 7}]
    late = {topic: {f"x{k}": float(-k) for k in range(9)} for topic in made.qrels}
    assert reuse(made.qrels, {**made.runs, "late": late}, ["tau_b"]).options["depth"] == 7
    with pytest.raises(cd.ArgumentError, match=r"^reuse: the depth of the pool is not known: .*; give depth"):
        reuse(made.qrels, {"late": late, "later": late}, ["tau_b"])


def test_the_default_shows_what_the_figure_of_the_paper_contrasts(folder):
    """Pearson's r and tau_gap beside Pearson Rank, tau_ap and tau."""
    result = reuse(folder / "human.qrels", folder / "runs" / "*", group_by="^[a-z]+")
    assert [str(each.coefficient) for each in result] == [
        *("pearson_rank", "tau_gap", "tau_ap_b", "tau_b", "pearson_r")
    ]
    assert all(each.value < 1 for each in result if each.coefficient.gaps == "both")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"group_by": "^z"}, r"group_by '\^z' does not match the system"),
        ({"group_by": "("}, "group_by is not a regular expression"),
        ({"depth": 0}, "depth must be a whole number from 1 up"),
    ],
)
def test_wrong_options_are_refused(two_groups, options, message):
    """One sentence says what is wrong, after the name of the function."""
    with pytest.raises(cd.ArgumentError, match=f"^reuse: {message}"):
        reuse(two_groups / "q", two_groups / "*-*", **options)
