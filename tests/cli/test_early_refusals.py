"""What can be refused is refused before any file is read."""

from unittest import mock

import pytest
from support.program import run

TABLES = "correlate human.csv noisy.csv"
JUDGED = "judge --runs runs/* --qrels human.qrels --judge noisy.qrels"
EARLY = [
    (f"{TABLES} --table agreemnt", "--table: there is no table 'agreemnt'; there are agreement"),
    (f"{JUDGED} --table x", "--table: there is no table 'x'; there are agreement"),
    ("experiment predict human.csv --table x", "--table: there is no table 'x'"),
    (f"{TABLES} -o no/such/x.csv", "no/such does not exist; make it first"),
    (f"{TABLES} -o runs", "runs: is a folder; give --output the name of a file"),
    (f"{TABLES} -o x.ods", "x.ods: ends in .ods, and that format is not written"),
    (f"{TABLES} -o x.xlsx.gz", "x.xlsx.gz: a workbook is packed already; leave out .gz"),
    (f"{TABLES} -o x.html --format xlsx", "x.html: ends in .html, and the format is xlsx"),
    (f"{TABLES} --format xlsx", "--format xlsx is not for a terminal or a pipe; name a file with -o"),
    (f"{TABLES} --format xlsx -o -", "--format xlsx is not for a terminal or a pipe; name a file with -o"),
    (f"{TABLES} --format csv -o x.json", "x.json: ends in .json, and the format is csv"),
    (f"{TABLES} -o ''", "--output: the name of the file is empty"),
    ("evaluate --qrels human.qrels --runs runs/* -m AP -o x.xls", "x.xls: the result is written to .csv"),
    ("evaluate --qrels human.qrels --runs runs/* -m APP", "there is no measure 'APP'"),
    (f"{JUDGED} -m AP -m nDCG@0", "'nDCG@0': the cutoff and rel must be from 1"),
    (f"{TABLES} -c tau_bb", "there is no coefficient 'tau_bb'"),
    (f"{TABLES} -c tau_b(-1)", "threshold"),
    (f"{TABLES} -c tau_b(0,05)", "has a decimal comma; write 0.05 for one threshold, or (0, 5) for a pair"),
    ("sweep human.csv noisy.csv --thresholds 0,05", "--thresholds: '0,05' has a number such as 05"),
    (f"{TABLES} --n-resamples 1", "--n-resamples must be a whole number from 2 up, got 1"),
    ("explain human.csv noisy.csv --most -1", "--most must be a whole number from 0 up, got -1"),
    (f"{TABLES} --confidence-level 95", "--confidence-level must be a number between 0 and 1, got 95"),
    (f"{JUDGED} --at-least 5", "--at-least must be a number from -1 to 1, got 5"),
    (f"{JUDGED} --top 1", "--top must be a whole number from 2 up, got 1"),
    (f"{JUDGED} --workers -2", "--workers must be"),
    ("experiment swap human.csv --n-swaps 0", "--n-swaps must be a whole number from 1 up, got 0"),
    ("experiment swap human.csv -o no/such/x.json", "no/such does not exist; make it first"),
    ("experiment swap human.csv --plot x.gif", "x.gif"),
    ("experiment swap human.csv --plot no/such/x.png", "no/such does not exist; make it first"),
    (
        "experiment gaps --n-systems 1",
        "--n-systems must be a whole number from 2 up, got 1",
    ),
]


@pytest.mark.parametrize(("typed", "message"), EARLY)
def test_it_is_refused_before_any_file_is_read(folder, refused, typed, message):
    """With one sentence that names the option or the file."""
    arguments = ["" if word == "''" else word for word in typed.split()]
    with mock.patch("concordant.reading.files._contents", side_effect=AssertionError("a file was read")):
        refused(run(*arguments, cwd=folder), message)


def test_a_measure_that_one_judge_of_five_lacks_is_refused_before_any_work(folder, tmp_path, refused):
    import concordant as cd

    noisy = cd.read_scores(folder / "noisy.csv")
    judges = []
    for k in range(5):
        measures = {"AP": "AP", "nDCG@10": "nDCG@10" if k < 4 else "nDCG@5"}
        renamed = cd.Scores(
            noisy.values,
            measures=[measures[m] for m in noisy.measures],
            topics=noisy.topics,
            systems=noisy.systems,
        )
        cd.write_scores(renamed, tmp_path / f"j{k}.csv")
        judges += ["--judge", tmp_path / f"j{k}.csv"]
    with mock.patch("concordant.questions.judge", side_effect=AssertionError("work was started")):
        result = run("judge", "--reference", folder / "human.csv", *judges, "-m", "AP", "-m", "nDCG@10")
    refused(result, "j4.csv: does not have the measure nDCG@10; it has AP, nDCG@5")
