"""The file that is at fault is the one that a message names."""

import pytest
from support.program import run

import concordant as cd

HUMAN = "401 0 a 1\n402 0 b 1\n"
GPT = "q401 0 a 1\nq402 0 b 1\n"


@pytest.fixture
def files(tmp_path, write_run):
    (tmp_path / "human.qrels").write_text(HUMAN)
    (tmp_path / "gpt.qrels").write_text(GPT)
    (tmp_path / "good.qrels").write_text(HUMAN)
    (tmp_path / "runs").mkdir()
    for name in ("bm25", "dense"):
        write_run(tmp_path / "runs" / name, {"401": {"a": 1, "b": 2}, "402": {"a": 1, "b": 2}}, name)
    return tmp_path


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("swapped", [False, True])
def test_judgements_whose_topics_have_other_names_are_to_blame(files, refused, workers, swapped):
    """Whichever side they are on: the runs have the topics of the other judgements."""
    sides = ["gpt.qrels", "human.qrels"] if swapped else ["human.qrels", "good.qrels", "gpt.qrels"]
    result = run("correlate", "--runs", "runs/*", *sides, "--workers", workers, cwd=files)
    message = "gpt.qrels: none of its topics is in runs/"
    refused(result, message)
    assert result.stderr.startswith(f"concordant: {message}")
    assert "it has 'q401', the run has '401'; are topics named the same?" in result.stderr


def test_a_run_whose_topics_no_judgements_have_is_to_blame(files, refused, write_run):
    write_run(files / "runs" / "other", {"1": {"a": 1}}, "other")
    result = run("correlate", "--runs", "runs/*", "human.qrels", "good.qrels", cwd=files)
    refused(
        result, "concordant: runs/other: none of its topics has judgements in human.qrels: it has '1', they"
    )


def test_the_library_names_both(files):
    with pytest.raises(cd.InputError) as caught:
        cd.evaluate(files / "gpt.qrels", files / "runs" / "*", "AP")
    assert str(caught.value).startswith(f"{files / 'runs' / 'bm25'}: none of its topics has judgements in ")
    assert "gpt.qrels: it has '401', they have 'q401'" in str(caught.value)


@pytest.mark.parametrize(
    ("measure", "message"), [("ndcg10", "did you mean nDCG@10?"), ("mapp", "did you mean AP?")]
)
def test_a_misspelt_measure_gets_a_suggestion(files, refused, measure, message):
    refused(
        run("correlate", "--runs", "runs/*", "human.qrels", "good.qrels", "-m", measure, cwd=files), message
    )


def test_measures_of_trec_eval_may_be_asked_for(files):
    result = run(
        "evaluate", "--runs", "runs/*", "--qrels", "human.qrels", "-m", "map", "-m", "P_5", cwd=files
    )
    assert result.returncode == 0, result.stderr
    assert {line.split(",")[0] for line in result.stdout.splitlines()[1:]} == {"AP", "P@5"}
