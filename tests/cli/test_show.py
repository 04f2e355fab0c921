"""One run with all outputs; a saved result that is shown, written and drawn again; the gate in Python."""

from __future__ import annotations

import json
import shutil
from unittest import mock

import numpy as np
import pytest
from support.program import run

import concordant as cd
from concordant.questions import judge as judging
from concordant.testing import assert_agreement

SIDES = ["judge", "--reference", "human_ap.csv", "--judge", "noisy_ap.csv", "--n-resamples", "50"]


@pytest.fixture(scope="module")
def saved(folder, tmp_path_factory):
    """A folder with all outputs of one run, and how often a result was made."""
    place = tmp_path_factory.mktemp("outputs")
    for name in ("human_ap", "noisy_ap"):
        shutil.copy(folder / f"{name}.csv", place)
    files = ["-o", "a.tex", "-o", "b.json", "-o", "c.md", "-o", "-"]
    figures = ["--plot", "d.svg", "--plot", "ranks=e.svg"]
    with mock.patch.object(judging, "agreements", wraps=judging.agreements) as computed:
        result = run(*SIDES, *files, *figures, cwd=place)
    assert result.returncode == 0, result.stderr
    return place, result.stdout, computed.call_count


def test_all_outputs_are_of_one_result(saved):
    """It is computed once; the figure that is named is drawn, the other is the first."""
    place, printed, made = saved
    assert made == 1
    assert "noisy_ap" in printed
    assert (place / "d.svg").read_text() != (place / "e.svg").read_text()
    written = {path.name for path in place.iterdir()} - {"human_ap.csv", "noisy_ap.csv"}
    assert written == {"a.tex", "b.json", "c.md", "d.svg", "e.svg"}


@pytest.mark.parametrize("name", ["a.tex", "b.json", "c.md", "d.svg", "e.svg"])
def test_a_saved_result_gives_the_same_file_again(saved, tmp_path, name):
    """Each byte, also of the figures; nothing is computed."""
    option = {"d.svg": ["--plot"], "e.svg": ["--figure", "ranks", "--plot"]}.get(name, ["-o"])
    shown = run("show", saved[0] / "b.json", *option, tmp_path / name)
    assert shown.returncode == 0, shown.stderr
    assert (tmp_path / name).read_bytes() == (saved[0] / name).read_bytes()


@pytest.mark.parametrize(
    "more", [(), ("--details",), ("--table", "judges"), ("--table", "pairs", "--format", "csv")]
)
def test_a_saved_result_is_printed_as_it_was(saved, more):
    first = run(*SIDES, *more, cwd=saved[0])
    assert run("show", "b.json", *more, cwd=saved[0]).stdout == first.stdout


def test_a_picture_is_as_wide_as_it_is_asked_to_be(saved, tmp_path):
    drawn = run("show", "b.json", "--plot", str(tmp_path / "x.svg"), "--width", "8.5cm", cwd=saved[0])
    assert drawn.returncode == 0, drawn.stderr
    assert ' width="8.5cm" height="' in (tmp_path / "x.svg").read_text()[:300]


WRONG = [
    ([*SIDES, "--plot", "x.svg", "--plot", "ranks=./x.svg"], "--plot name the same file, ./x.svg, twice"),
    ([*SIDES, "-o", "x.html", "--plot", "x.html"], "--output and --plot name the same file, x.html, twice"),
    (
        [*SIDES, "--plot", "ranks=x.svg", "--figure", "significance"],
        "--figure has no effect without --plot FILE",
    ),
    ([*SIDES, "--highlight", "s*"], "--highlight has no effect without --plot ranks=FILE; leave it out"),
    (
        [*SIDES, "--plot", "significance=x.svg", "--highlight", "s*"],
        "--highlight has no effect without --plot",
    ),
    ([*SIDES, "--plot", "agreement=x.svg"], "--plot: there is no figure 'agreement'; there are judges"),
    ([*SIDES, "--plot", "ranks=x.svg", "--highlight", "no*"], "--highlight: no system matches 'no*'; there"),
    ([*SIDES, "--width", "8.5cm"], "--width has no effect without --plot FILE of a picture; leave it out"),
    ([*SIDES, "--plot", "x.html", "--width", "9"], "--width has no effect without --plot FILE of a picture"),
    (
        [*SIDES, "--plot", "x.svg", "--width", "8.5in"],
        "--width must be 4cm to 100cm, such as 8.5cm, got '8.5in'",
    ),
    ([*SIDES, "--plot", "x.svg", "--width", "0"], "--width must be 4cm to 100cm, such as 8.5cm, got '0'"),
    (
        [*SIDES, "--plot", "nope=x.txt"],
        "--plot: the file must end in .png, .svg, .pdf or .html, got 'nope=x.txt'",
    ),
    ([*SIDES, "--rename", "x.svg", "--plot", "ranks=x.svg"], "x.svg: is one of the inputs"),
    (["show", "b.json", "-o", "b.json"], "b.json: is one of the inputs"),
    (
        ["show", "b.json", "--table", "nope"],
        "--table: there is no table 'nope'; there are agreement, systems",
    ),
    (["show", "b.json", "--plot", "plan=x.svg"], "there is no figure 'plan'; there are judges"),
    (
        ["show", "b.json", "--figure", "nope", "--plot", "x.svg"],
        "--figure: there is no figure 'nope'; there are ",
    ),
    (["show", "human_ap.csv"], "human_ap.csv: is not a saved result"),
]


@pytest.mark.parametrize(("typed", "message"), WRONG)
def test_outputs_that_meet_and_files_that_are_wrong_are_refused(saved, refused, typed, message):
    (saved[0] / "x.svg").write_text("a,b\n")
    try:
        refused(run(*typed, cwd=saved[0]), message)
    finally:
        (saved[0] / "x.svg").unlink()


CHANGES = {
    "another format": lambda c: c.update(format="other"),
    "a newer format": lambda c: c.update(format_version=2),
    "a function that there is not": lambda c: c.update(function="os.system"),
    "a table of a newer version": lambda c: c["tables"].update(news=[]),
    "a column of a newer version": lambda c: c["tables"]["judges"][0].update(news=1),
    "a column that is gone": lambda c: c["tables"]["judges"][0].pop("regret"),
    "a text for a number": lambda c: c["tables"]["agreement"][0].update(value="1"),
    "a number that is none": lambda c: c["tables"]["agreement"][0].update(value=float("inf")),
    "a number that is too large": lambda c: c["tables"]["systems"][0].update(reference_rank_low=10**400),
    "another word": lambda c: c["tables"]["agreement"][0].update(as_close="yes"),
    "a coefficient that there is not": lambda c: c["tables"]["agreement"][0].update(coefficient="tau_z"),
    "a colour that is a command": lambda c: c["options"].update(judges=[{"name": "x", "colour": "a;b"}]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_result_is_refused_with_one_sentence(saved, tmp_path, change):
    """The sentence names the file, and the version if it is another."""
    content = json.loads((saved[0] / "b.json").read_text())
    assert cd.results.load(content).to_dict() == content
    CHANGES[change](content)
    (tmp_path / "x.json").write_text(json.dumps(content | {"version": "9.9"}))
    with pytest.raises(cd.InputError) as caught:
        cd.results.load(tmp_path / "x.json")
    said = str(caught.value)
    assert said.startswith(f"{tmp_path / 'x.json'}: ")
    newer = "was saved in format 2, and this is format 1; use the version of concordant that saved it"
    assert (newer if change == "a newer format" else "; version 9.9 of concordant made it") in said


def test_a_loaded_result_keeps_the_version_that_made_it():
    content = cd.compare([3, 2, 1], [3, 1, 2]).to_dict() | {"version": "0.1.9"}
    assert cd.results.load(content).to_dict() == content


# --- the gate in Python ---

RNG = np.random.default_rng(2)
HUMAN = RNG.normal(np.linspace(0.2, 0.8, 8), 0.1, (12, 8))
NOISY = HUMAN + RNG.normal(0, 0.2, HUMAN.shape)


@pytest.mark.parametrize(
    ("estimate", "floor", "strict", "expected"),
    [
        (HUMAN, 0.5, True, ""),
        (-HUMAN, 0.5, False, "tau_b of estimate, score is shown to be less than 0.5; the largest floor"),
        (NOISY, 0.8, True, "tau_b of estimate, score is not shown to be, or not to be, at least 0.8"),
        ({"gpt": np.ones_like(HUMAN)}, 0.5, False, "tau_b of gpt, score is undefined"),
        (HUMAN.mean(axis=0), 0.5, False, "has no interval over topics, so that 0.5 was not tested"),
    ],
)
def test_agreement_is_asserted_as_the_command_does(tmp_path, estimate, floor, strict, expected):
    """With the same decision as --at-least; the message has the verdict too."""
    reference = HUMAN if np.ndim(estimate) != 1 else HUMAN.mean(axis=0)
    if not expected:
        found = assert_agreement(reference, estimate, floor, strict=strict)
        assert found.agreement[0].at_least == "shown"
    else:
        with pytest.raises(AssertionError) as caught:
            assert_agreement(reference, estimate, floor, strict=strict)
        assert expected in str(caught.value)
    if np.ndim(estimate) == 2:
        for name, side in (("h", reference), ("e", estimate)):
            cd.write_scores(cd.Scores(side), tmp_path / f"{name}.csv")
        typed = ["correlate", "h.csv", "e.csv", "-c", "tau_b", "--at-least", floor, *["--strict"] * strict]
        assert run(*typed, cwd=tmp_path).returncode == bool(expected)


def test_what_is_not_decided_is_a_warning_if_asked():
    with pytest.warns(UserWarning, match="is not shown to be, or not to be, at least 0.8"):
        assert_agreement(HUMAN, NOISY, 0.8, strict=False, resampling=cd.Resampling(n_resamples=999))
    with pytest.raises(cd.ArgumentError, match="assert_agreement: at_least must be a number from -1 to 1"):
        assert_agreement(HUMAN, NOISY, 2)


def test_results_of_several_data_sets_are_one_table(saved, tmp_path):
    """The values are those of each; what was computed in another way, or has the same name, is refused."""
    place = saved[0]
    other = [*SIDES, "--exclude-topics", "*1", "--dataset", "half"]
    for name, more in {"half": other, "few": [*other, "-c", "tau_b"]}.items():
        made = run(*more, "-o", tmp_path / f"{name}.json", cwd=place)
        assert made.returncode == 0, made.stderr
    shutil.copy(place / "b.json", tmp_path / "all.json")
    both = run("show", "all.json", "half.json", cwd=tmp_path)
    assert both.returncode == 0, both.stderr
    assert sum(line.startswith("-- ") for line in both.stdout.splitlines()) >= 2
    first, second = (cd.results.load(tmp_path / f"{name}.json") for name in ("all", "half"))
    together = cd.results.load(tmp_path / "all.json", tmp_path / "half.json")
    assert [each.value for each in together.agreement] == [
        each.value for result in (first, second) for each in result.agreement
    ]
    measures = [
        measure
        for name in ("all", "half")
        for measure in dict.fromkeys(f"{name}: {each.measure.measure}" for each in first.agreement)
    ]
    heads = [m.removesuffix(": score") for m in measures]
    assert list(dict.fromkeys(each.measure.measure for each in together.agreement)) == heads
    assert len(together.pairs) == len(first.pairs) + len(second.pairs)
    assert all(head in together.to_latex() for head in heads)
    least, most = (min(each.topics for each in result.judges) for result in (second, first))
    assert least < most
    assert f"{least} to {most} topics" in together.caption
    assert f"{least} to {most} topics" in together.question
    foot = together.answer_in_print()
    assert (foot.foot, foot.rows[-1][0]) == (1, "other topics")
    for files, message in (
        (["all.json", "few.json"], "the results have different options 'coefficients'"),
        (["all.json", "all.json"], "two results are called 'all.json'"),
        (["half.json", "half2.json"], "two results are called 'half'"),
    ):
        shutil.copy(tmp_path / "half.json", tmp_path / "half2.json")
        refused = run("show", *files, cwd=tmp_path)
        assert (refused.returncode, message in refused.stderr) == (2, True), refused.stderr
    with pytest.raises(cd.ArgumentError, match="can be put together, not compare"):
        cd.results.load(*[cd.compare([3, 2, 1], [3, 1, 2]).to_dict()] * 2)
    with pytest.raises(cd.ArgumentError, match="there is no result to load"):
        cd.results.load()
