"""Wrong use of every command: one line that names the command and the option as typed."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest
from support.program import run

import concordant as cd
from concordant.cli.program import all_commands

# What was typed, and how the answer goes on after "concordant <command>: ".
WRONG = [
    ("completion tcsh", "Invalid value for 'SHELL': 'tcsh' is not one of 'bash', 'zsh', 'fish'"),
    ("grouped human.csv --by q -x a", "Missing option '-y'; see concordant grouped --help"),
    ("correlate human.csv noisy.csv --shard 1/2", "No such option '--shard'"),
    (
        "experiment predict human.csv --cluster here",
        "--cluster: write local, or the address of a scheduler, such as ",
    ),
    ("show a.json --table nope --details", "--details has no effect with --table; leave it out"),
    ("labels human.csv --most -1", "--most must be a whole number from 0 up, got -1"),
    (
        "coefficients identify human.csv noisy.csv --value nope",
        "--value must be a number, such as 0.736, got 'nope'",
    ),
    ("metrics human.csv --rule both", "Invalid value for '--rule': 'both' is not one of 'greedy', 'cut'"),
    ("correlate a.csv", "Missing argument 'ESTIMATE...'; give one or more, or --judges"),
    ("correlate human.csv noisy.csv -c tau_z", "there is no coefficient 'tau_z'; did you mean "),
    ("correlate human.csv noisy.csv -c tau_ac", "tau_ac compares graded lists, not scores of systems"),
    ("correlate human.csv noisy.csv -c tau_b(9", "cannot read 'tau_b(9' as a coefficient"),
    (
        "correlate human.csv noisy.csv -c tau_b(threshold=x)",
        "'tau_b(threshold=x)': 'threshold=x' is neither",
    ),
    ("correlate - -", "standard input (-) can be read only once"),
    (
        "correlate human.csv noisy.csv --columns system",
        "--columns: write KIND=NAME, such as system=model, got 'system'",
    ),
    (
        "correlate human.csv noisy.csv --format xml",
        "Invalid value for '--format': 'xml' is not one of 'table', ",
    ),
    (
        "correlate human.csv noisy.csv --table nope",
        "--table: there is no table 'nope'; there are agreement, systems, pairs",
    ),
    (
        "correlate human.csv noisy.csv --confidence-level 95",
        "--confidence-level must be a number between 0 and 1, got 95",
    ),
    (
        "correlate human.csv noisy.csv --n-resamples 1",
        "--n-resamples must be a whole number from 2 up, got 1",
    ),
    (
        "correlate human.csv noisy.csv --n-resamples x",
        "Invalid value for '--n-resamples': 'x' is not a valid integer",
    ),
    ("correlate human.csv noisy.csv --seed -3", "Invalid value for '--seed': -3 is not in the range x>=0"),
    (
        "correlate human.csv noisy.csv --method bootstrap",
        "Invalid value for '--method': 'bootstrap' is not one of",
    ),
    ("correlate human.csv noisy.csv --workers 0", "--workers must be 1 or more, or -1 for all cores, got 0"),
    ("correlate human.csv noisy.csv --at-least nan", "--at-least must be a number from -1 to 1, got nan"),
    ("correlate human.csv noisy.csv --min 0.9", "No such option '--min'"),
    (
        "correlate human.csv noisy.csv --at-least 0.9 --no-interval",
        "--at-least has no effect with --no-interval",
    ),
    (
        "correlate human.csv noisy.csv --on-missing keep",
        "Invalid value for '--on-missing': 'keep' is not one of",
    ),
    ("correlate human.csv few.csv --on-missing error", "few lacks 5 topics that another side has: "),
    ("by-topic human.csv noisy.csv --top 3", "No such option"),
    ("correlate x.csv y.csv -c tau", "x has tied items ('a', 'b' at 1.5); use tau_a, tau_b or tau_e"),
    ("correlate human.qrels noisy.qrels --runs runs/* -m bogus", "there is no measure 'bogus'"),
    ("correlate human.qrels noisy.qrels --runs runs/* -m P@0", "'P@0': the cutoff and rel must be from 1 to"),
    (
        "judge --judge noisy.csv",
        "give --runs and --qrels, or --reference, with --judge; see concordant judge --help",
    ),
    ("evaluator human.csv", "Missing argument 'INPUT_DIR'"),
    ("judge --reference human.csv", "Missing option '--judge' / '--estimate'"),
    (
        "judge --reference human.csv --judge noisy.csv --qrels human.qrels",
        "give --runs and --qrels, or --reference, with --judge",
    ),
    (
        "judge --runs runs/* --qrels human.qrels --reference human.csv --judge noisy.csv",
        "with --runs, give the reference judgements with --qrels, and no --reference",
    ),
    (
        "judge --reference human.csv --judge noisy.csv --top 1",
        "--top must be a whole number from 2 up, got 1",
    ),
    (
        "judge --reference human.csv --judge noisy.csv --at-least 5",
        "--at-least must be a number from -1 to 1, got 5",
    ),
    ("by-topic human.csv", "Missing argument 'ESTIMATE'; see concordant by-topic --help"),
    ("by-topic human.csv noisy.csv -c nope", "there is no coefficient 'nope'"),
    ("by-topic human.csv noisy.csv --n-resamples 0", "--n-resamples must be a whole number from 2 up, got 0"),
    ("explain human.csv noisy.csv --most -1", "--most must be a whole number from 0 up, got -1"),
    ("explain human.csv noisy.csv -c tau_dw", "tau_dw compares"),
    ("matrix human.csv -m AP", "there is only one ranking; give several files, or one with several measures"),
    ("board human.csv --aggregate kemeny", "Invalid value for '--aggregate': 'kemeny' is not one of"),
    ("matrix human.csv -c nope", "there is no coefficient 'nope'"),
    ("runs runs/* -c rbo(p=0)", "'rbo(p=0)': p must be a number between 0 and 1, got 0"),
    ("runs runs/* -c tau_b", "tau_b does not compare lists of documents; choose one that does"),
    ("runs runs/* --threshold 0.1 --order trec_eval", "--threshold has no effect with --order trec_eval"),
    ("sweep human.csv noisy.csv -c tau", "tau takes no threshold; these do: tau_a, tau_b, tau_e"),
    ("sweep human.csv noisy.csv -c tau_b(0.1)", "tau_b(0.1) has a threshold already; name it without one"),
    (
        "sweep human.csv noisy.csv --thresholds 0,x",
        "--thresholds: expected numbers with commas between, found '0,x'",
    ),
    ("sweep human.csv noisy.csv --thresholds -1", "--thresholds must be numbers from 0 up, got [-1.0]"),
    ("plan human.csv -c tau_h", "-c must be among 'tau', "),
    ("plan human.csv --target 2", "--target must be a number between 0 and 1, got 2"),
    ("plan human.csv --topics 5,x", "--topics: expected whole numbers with commas between, found '5,x'"),
    ("plan human.csv --topics 0", "--topics must be a whole number from 1 up, got 0"),
    ("evaluate --runs runs/* --qrels human.qrels", "Missing option '-m' / '--measure'"),
    ("evaluate --runs runs/* --qrels human.qrels -m mapp", "there is no measure 'mapp'; did you mean AP?"),
    (
        "evaluate --runs runs/* --qrels human.qrels -m AP --on-missing x",
        "Invalid value for '--on-missing': 'x' is not one of",
    ),
    (
        "evaluate --runs runs/* --qrels human.qrels -m AP --workers -2",
        "--workers must be 1 or more, or -1 for all cores, got -2",
    ),
    ("demo {new} -c nope", "there is no coefficient 'nope'"),
    ("demo {new} --seed x", "Invalid value for '--seed': 'x' is not a valid integer"),
    (
        "coefficients choose --ties x",
        "Invalid value for '--ties': 'x' is not one of 'error', 'indiscernible', ",
    ),
    ("coefficients choose --format json", "answer at least one question for a result to write"),
    ("coefficients list --table x", "--table: there is no table 'x'; there are coefficients"),
    ("coefficients list x", "Got unexpected extra argument (x)"),
    ("coefficients axioms nope", "there is no coefficient 'nope'"),
    ("coefficients axioms tau_b --seed -1", "Invalid value for '--seed': -1 is not in the range x>=0"),
    ("experiment predict human.csv --n-splits 0", "--n-splits must be a whole number from 1 up, got 0"),
    ("experiment predict human.csv --topics 1", "--topics must be a whole number from 2 up, got 1"),
    ("experiment predict human.csv --topics 99", "there are 8 topics; choose from 2 up to as many, got [99]"),
    (
        "experiment predict human.csv --topics x",
        "--topics: expected whole numbers with commas between, found 'x'",
    ),
    ("experiment predict human.csv --drop nope", "there is no system 'nope'; there are "),
    ("experiment predict human.csv --drop-bottom 1", "--drop-bottom must be a share from 0 up to 1, got 1.0"),
    (
        "experiment predict human.csv --drop-bottom 0.1 --bottom-by x",
        "there is no measure 'x'; there are AP, nDCG@10",
    ),
    ("experiment predict human.csv --runs runs/* --qrels human.qrels", "give tables, or --runs and --qrels"),
    (
        "experiment predict --runs runs/*",
        "give both --runs and --qrels, or neither for a simulated collection",
    ),
    (
        "experiment predict human.csv --plot x.txt",
        "--plot: the file must end in .png, .svg, .pdf or .html, got 'x.txt'",
    ),
    ("experiment swap human.csv", "there are 2 measures (AP, nDCG@10); choose one"),
    ("experiment swap human_ap.csv --n-swaps 0", "--n-swaps must be a whole number from 1 up, got 0"),
    ("experiment swap human_ap.csv --n-draws 0", "--n-draws must be a whole number from 1 up, got 0"),
    ("experiment swap human_ap.csv --alpha 2", "--alpha must be a number between 0 and 1, got 2.0"),
    (
        "experiment swap x.csv",
        "needs scores on at least two topics, got one score for each system; give a table",
    ),
    (
        "experiment predict x.csv",
        "needs scores on at least two topics, got one score for each system; give a table",
    ),
    ("experiment gaps -d x", "there is no distribution 'x'; there are uniform, normal, zipf, lognormal"),
    ("experiment gaps --n-pairs 0", "--n-pairs must be a whole number from 1 up, got 0"),
    ("experiment gaps --n-systems 1", "--n-systems must be a whole number from 2 up, got 1"),
    (
        "experiment pool --runs runs/* --qrels human.qrels --percents 0",
        "--percents must be above 0 and up to 100, got [0.0]",
    ),
    (
        "experiment pool --runs runs/* --qrels human.qrels --percents x",
        "--percents: expected numbers with commas between, found 'x'",
    ),
    (
        "experiment pool --runs runs/* --qrels human.qrels --n-replicates 0",
        "--n-replicates must be a whole number from 1 up, got 0",
    ),
    (
        "experiment pool --qrels human.qrels",
        "give both --runs and --qrels, or neither for a simulated collection",
    ),
    (
        "experiment grades --runs runs/* --qrels human.qrels --depth 1",
        "--depth must be a whole number from 2 up, got 1",
    ),
    (
        "experiment grades --runs runs/* --qrels human.qrels --simulated 3",
        "give --simulated, or --runs and --qrels",
    ),
    ("experiment grades --simulated 0", "Invalid value for '--simulated': 0 is not in the range x>=1"),
    (
        "experiment stability human.csv --fuzziness -1",
        "--fuzziness must be a number from 0 up, got -1.0",
    ),
    (
        "experiment reuse --runs runs/* --qrels human.qrels --depth 0",
        "--depth must be a whole number from 1 up, got 0",
    ),
    ("experiment reuse --runs runs/* --qrels human.qrels -m bogus", "there is no measure 'bogus'"),
    (
        "experiment reuse --runs runs/* --qrels human.qrels --group-by (",
        "--group-by is not a regular expression: ",
    ),
    (
        "experiment reuse --runs runs/* --qrels human.qrels --group-by zzz",
        "--group-by 'zzz' does not match the system ",
    ),
    (
        "experiment reuse --runs runs/* --qrels human.qrels --names x",
        "Invalid value for '--names': 'x' is not one of 'tag', 'file'",
    ),
    (
        "correlate human.csv noisy.csv --columns systen=model",
        "--columns: there is no 'systen'; give measure, ",
    ),
    (
        "correlate human.csv noisy.csv --columns system=modle",
        "--columns: there is no column 'modle'; there are ",
    ),
    ("correlate human.csv noisy.csv --columns x.csv:system=a", "--columns: 'x.csv' is not one of the files"),
]

# What was typed, and how the answer goes on after "concordant: ": it is about a file.
WRONG_FILES = [
    ("show human.qrels", "human.qrels: is not a saved result"),
    ("correlate human.csv noisy.csv -m P@10", "human.csv: does not have the measure P@10; it has AP"),
    ("correlate human.csv human.csv", "human.csv: is given twice; give two different files"),
    (
        "correlate human.csv noisy.csv -o /no/such/folder/x",
        "/no/such/folder/x: the folder /no/such/folder does not exist",
    ),
    ("correlate human.qrels noisy.qrels --runs nope/*", "nope/*: no file matches"),
    (
        "correlate human.qrels noisy.csv",
        "human.qrels:1: this looks like judgements (qrels), not a table of scores",
    ),
    (
        "correlate prose.txt noisy.csv",
        "prose.txt:1: cannot tell the format of 'hello big'; give it with --input-format",
    ),
    ("evaluate --runs human.csv --qrels human.csv -m AP", "human.csv:1: expected 4 columns, found 1: "),
    (
        "evaluate --runs runs/* --qrels human.qrels -m AP -o /no/such/x.csv",
        "/no/such/x.csv: the folder /no/such does not exist",
    ),
    ("demo runs", "runs: is not empty; give another folder, or --overwrite to replace its files"),
    ("demo human.csv", "human.csv: is a file; give the name of a folder"),
    ("experiment swap nope.csv", "nope.csv: no such file; check its name and folder"),
    ("experiment pool --runs runs/* --qrels nope", "nope: no such file; check its name and folder"),
]

OF_THE_LIBRARY = (
    "get:",
    "align:",
    "n_resamples",
    "confidence_level",
    "on_missing",
    "rng",
    "n_reasons",
    "Study",
)


@pytest.fixture(scope="module")
def place(folder, tmp_path_factory):
    """The files of the folder, and some that are only good for errors."""
    place = tmp_path_factory.mktemp("place")
    for path in folder.iterdir():
        (place / path.name).symlink_to(path)
    (place / "x.csv").write_text("a,b,c\n1.5,1.5,2.5\n")
    (place / "y.csv").write_text("a,b,c\n1.5,2.5,3.5\n")
    (place / "one.csv").write_text("topic,a\n1,0.5\n")
    (place / "prose.txt").write_text("hello big\nworld\n")
    return place


@pytest.mark.parametrize(("typed", "message"), WRONG)
def test_wrong_arguments_get_one_line_that_names_the_command(place, tmp_path, refused, typed, message):
    """And the option as it was typed, in the words of the program."""
    arguments = shlex.split(typed.replace("{new}", str(tmp_path / "new")))
    result = run(*arguments, cwd=place)
    refused(result, message)
    command = next(name for name in (" ".join(arguments[:2]), arguments[0]) if name in all_commands())
    assert result.stderr.startswith(f"concordant {command}: {message}")
    assert not any(word in result.stderr for word in OF_THE_LIBRARY)


@pytest.mark.parametrize(("typed", "message"), WRONG_FILES)
def test_wrong_files_get_one_line_that_names_the_file(place, refused, typed, message):
    """And the line, if there is one."""
    result = run(*shlex.split(typed), cwd=place)
    refused(result, message)
    assert result.stderr.startswith(f"concordant: {message}")
    assert not any(word in result.stderr for word in OF_THE_LIBRARY)


def test_every_command_is_used_wrongly_here():
    """None is forgotten."""
    assert [name for name in all_commands() if not any(typed.startswith(name) for typed, _ in WRONG)] == []


def test_a_command_that_there_is_not_gets_one_line(refused):
    """With where to look."""
    refused(run("nonsense"), "concordant: No such command 'nonsense'; see concordant --help\n")
    for group in ("experiment", "coefficients"):
        said = f"concordant {group}: No such command 'nonsense'; see concordant {group} --help\n"
        refused(run(group, "nonsense"), said)


SIDES = {"q1": {"a": 0.1, "b": 0.2, "c": 0.3}, "q2": {"a": 0.3, "b": 0.2, "c": 0.2}}
QRELS = {"1": {"d": 1}}
OTHER = {"q1": {"a": 0.1, "b": 0.2}, "q2": {"a": 0.3, "b": 0.2}}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: cd.correlate(SIDES, {"e": OTHER}),
            "correlate: e lacks 1 system .* with on_missing='drop', or",
        ),
        (lambda: cd.correlate(SIDES, {"e": SIDES}, "tau_z"), "correlate: there is no coefficient 'tau_z'"),
        (
            lambda: cd.correlate(SIDES, {"e": SIDES}, resampling=cd.Resampling(n_resamples=1)),
            "Resampling: n_resamples must be a whole number",
        ),
        (
            lambda: cd.judge(SIDES, {"e": SIDES}, resampling=cd.Resampling(confidence_level=95)),
            "Resampling: confidence_level must be a number",
        ),
        (
            lambda: cd.judge(SIDES, {"e": SIDES}, resampling=cd.Resampling(rng=-1)),
            "Resampling: rng must be 0 or more, got -1",
        ),
        (lambda: cd.judge(SIDES, {"e": SIDES}, top=1), "judge: top must be a whole number from 2 up"),
        (
            lambda: cd.by_topic(SIDES, SIDES, resampling=cd.Resampling(workers=0)),
            "Resampling: workers must be 1 or more",
        ),
        (lambda: cd.sweep(SIDES, SIDES, thresholds=[-1]), "sweep: thresholds must be numbers from 0 up"),
        (lambda: cd.experiments.pool(QRELS, QRELS, percents=[0]), "pool: percents must be above"),
        (
            lambda: cd.experiments.gaps("cauchy"),
            "gaps: there is no distribution 'cauchy'; there are uniform",
        ),
        (lambda: cd.experiments.swap(SIDES, n_swaps=0), "swap: n_swaps must be a whole number from 1 up"),
        (lambda: cd.evaluate(QRELS, QRELS, 3), "evaluate: measures must be names of ir_measures"),
    ],
)
def test_the_library_says_the_same_in_its_own_words(call, message):
    """With the name of the function, and parameters instead of options."""
    with pytest.raises(cd.ConcordantError, match=f"^{message}") as caught:
        call()
    assert not re.search(r"--[a-z]|\s-[cm]\s", str(caught.value))


SOURCES = sorted((Path(cd.__file__).parent).rglob("*.py"))


def test_no_message_of_the_library_names_an_option_of_the_program():
    """At all places where an error is raised, also those that no test reaches."""
    found = [
        f"{path}:{text.lineno}: {text.value}"
        for path in SOURCES
        if path.parent.name != "cli"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Raise)
        or (isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("fail", "Note"))
        for text in ast.walk(node)
        if isinstance(text, ast.Constant) and isinstance(text.value, str)
        if re.search(r"(^|\s|\()--[a-z]", text.value)
    ]
    assert found == []
