"""Names of judges, groups and filters: as typed, as in Python, and refused."""

from __future__ import annotations

import json
import shutil

import pytest
from support.program import run
from support.schema import without_provenance

import concordant as cd

FEW = ["--n-resamples", "99", "--format", "json"]
HOW = {"resampling": cd.Resampling(n_resamples=99)}
SIDES = ["judge", "--reference", "human_ap.csv"]
LEFT_OUT = ("systems_left_out", "topics_left_out")
BOTH = ["--judge", "noisy_ap.csv", "--judge", "partial_ap.csv"]


@pytest.fixture(scope="module")
def place(folder, tmp_path_factory):
    """Tables with files of odd names, judges, groups and lists of names."""
    place = tmp_path_factory.mktemp("names")
    for name in ("human_ap", "noisy_ap", "partial_ap", "human", "noisy"):
        shutil.copy(folder / f"{name}.csv", place)
    shutil.copytree(folder / "runs", place / "runs")
    for name in ("human", "noisy"):
        shutil.copy(folder / f"{name}.qrels", place)
    (place / "sub").mkdir()
    for target in ("sub/n.csv", "a=b.csv"):
        shutil.copy(folder / "noisy_ap.csv", place / target)
    texts = {
        "sub/judges.csv": "file,name,colour,category\nn.csv,GPT-4o,#1f77b4,LLM\n"
        "../partial_ap.csv,Rule,,old\n",
        "plain.csv": "name,file\nGPT,noisy_ap.csv\n",
        "unknown.csv": "name,file,color\nGPT,noisy_ap.csv,red\n",
        "short.csv": "name,file\nGPT\n",
        "same.csv": "name,file\nGPT,noisy_ap.csv\nGPT2,noisy_ap.csv\n",
        "script.csv": 'name,file,colour\nGPT,noisy_ap.csv,"red}</style>"\n',
        "nothing.csv": "name\nGPT\n",
        "two.csv": "a,x\na,y\n",
        "other.csv": "nobody,x\n",
        "topics.txt": "401\n\n402\n",
    }
    for name, text in texts.items():
        (place / name).write_text(text, encoding="utf-8")
    systems = cd.read_scores(place / "human_ap.csv").systems
    (place / "teams.csv").write_text(
        "System,Team\n" + "".join(f"{s},x\n" for s in systems[:3]), encoding="utf-8"
    )
    return place


def asked(place, *typed):
    """Return the answer of a command."""
    result = run(*typed, *FEW, cwd=place)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def estimates(answer):
    return list(dict.fromkeys(row["estimate"] for row in answer["tables"]["agreement"]))


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        (
            [*SIDES, "--judge", "GPT-4o=noisy_ap.csv", "--estimate", "partial_ap.csv"],
            ["GPT-4o", "partial_ap"],
        ),
        ([*SIDES, "--judge=x/y=z=noisy_ap.csv"], None),  # the file is z=noisy_ap.csv, which does not exist
        ([*SIDES, "--judge", "a=b.csv"], ["a=b"]),  # a file is called so
        ([*SIDES, "--judge", "human_ap=noisy_ap.csv"], ["human_ap"]),  # as the reference, which is not shown
        (["correlate", "human_ap.csv", "A B=noisy_ap.csv", "Ü=partial_ap.csv"], ["A B", "Ü"]),
        (["correlate", "human_ap.csv", "--judges", "plain.csv"], ["GPT"]),
        ([*SIDES, "--judges", "sub/judges.csv", "--judge", "x=a=b.csv"], ["x", "GPT-4o", "Rule"]),
        (
            ["judge", "--runs", "runs/*", "--qrels", "human.qrels", "--judge", "GPT=noisy.qrels", "-m", "AP"],
            ["GPT"],
        ),
    ],
)
def test_judges_have_the_names_that_are_given(place, typed, names):
    if names is None:
        assert "z=noisy_ap.csv: no such file" in run(*typed, cwd=place).stderr
    else:
        assert estimates(asked(place, *typed)) == names


def test_category_and_colour_are_in_the_result_and_the_inputs(place):
    """Of the command as of the function; the table of judges and its files are inputs."""
    answer = asked(place, *SIDES, "--judges", "sub/judges.csv")
    judges = [
        {"name": "GPT-4o", "category": "LLM", "colour": "#1f77b4"},
        {"name": "Rule", "category": "old", "colour": None},
    ]
    assert answer["options"]["judges"] == judges
    read = [each["file"] for each in answer["inputs"]]
    assert read == ["human_ap.csv", "sub/n.csv", "sub/../partial_ap.csv", "sub/judges.csv"]
    files = {"GPT-4o": place / "noisy_ap.csv", "Rule": place / "partial_ap.csv"}
    study = cd.Study(place / "human_ap.csv", files, judges=judges)
    for function in (cd.judge, cd.correlate):
        assert function(study, **HOW).to_dict()["options"]["judges"] == judges
    assert study.in_common().options["judges"] == judges


WRONG = [
    (
        ["--judges", "unknown.csv"],
        "unknown.csv:1: expected a header with the columns name, file, category, colour",
    ),
    (["--judges", "nothing.csv"], "nothing.csv:1: expected a header with the columns name, file"),
    (["--judges", "short.csv"], "short.csv:2: expected name, file, found 'GPT'"),
    (["--judges", "same.csv"], "same.csv:3: 'noisy_ap.csv' is there twice"),
    (["--judges", "script.csv"], "the colour of GPT is 'red}</style>'; write #rrggbb or a CSS name"),
    (["--judges", "plain.csv", "--judge", "noisy_ap.csv"], "noisy_ap.csv: is given twice"),
    (["--judge", "x=noisy_ap.csv", "--judge", "x=partial_ap.csv"], "two files are called 'x'"),
    (["--judge", "reference=noisy_ap.csv"], "two files are called 'reference'"),
    ([], "Missing option '--judge' / '--estimate'; give one or more, or --judges"),
    ([*BOTH, "--groups", "two.csv"], "two.csv:2: 'a' has two lines, 'x' and 'y'; keep one"),
    ([*BOTH, "--groups", "other.csv"], "no system has a group; there are "),
    ([*BOTH, "--groups", "teams.csv", "--group-by", "^."], "--groups has no effect with --group-by"),
    ([*BOTH, "--include", "zzz*"], "--include: no system matches 'zzz*'; there are "),
    ([*BOTH, "--exclude-topics", "40I"], "--exclude-topics: no topic matches '40I'; did you mean 40"),
    ([*BOTH, "--exclude", "*"], "reference has no system left, of 9; include more, or exclude fewer"),
    ([*BOTH, "--include-topics", "@none.txt"], "none.txt: no such file"),
]


@pytest.mark.parametrize(("typed", "message"), WRONG)
def test_what_is_wrong_gets_one_line(place, refused, typed, message):
    refused(run(*SIDES, *typed, cwd=place), message)


def test_systems_without_a_group_are_on_their_own(place):
    """A file, a mapping and a pattern give the same groups; a note says how many systems are in none."""
    systems = cd.read_scores(place / "human_ap.csv").systems
    of_file = asked(place, *SIDES, *BOTH, "--groups", "teams.csv", "--coefficient", "tau_b")
    mapping = dict.fromkeys(systems[:3], "x")
    files = {"noisy_ap": place / "noisy_ap.csv", "partial_ap": place / "partial_ap.csv"}
    called = cd.judge(place / "human_ap.csv", files, "tau_b", group_by=mapping, **HOW)
    assert without_provenance(of_file) | {"notes": 0} == without_provenance(called.to_dict()) | {"notes": 0}
    assert of_file["options"]["group_by"] == [{"system": s, "group": "x"} for s in systems[:3]]
    assert [(row["group"], row["systems"]) for row in of_file["tables"]["groups"]] == [("x", 3)] * 2
    (note,) = (note for note in of_file["notes"] if note["kind"] == "not_in_a_group")
    assert note["text"].startswith("6 of 9 systems are not in a group, each is on its own: ")
    pattern = "|".join(f"^{name}$" for name in systems[:3])
    own = cd.judge(place / "human_ap.csv", files, "tau_b", group_by=pattern, **HOW)
    assert [row.systems for row in own.groups] == [1] * 6  # each matches another text
    same = {**mapping, systems[3]: systems[4]}  # a group is called as a system without one
    alone = cd.judge(place / "human_ap.csv", files, "tau_b", group_by=same, **HOW)
    assert {row.group: row.systems for row in alone.groups} == {"x": 3, systems[4]: 1}
    left = cd.Study(place / "human_ap.csv", files, exclude=systems[:3])
    without = cd.judge(left, coefficients="tau_b", **HOW).agreement[0].value
    assert called.groups[0].value == pytest.approx(without)


def test_what_is_left_out_by_name_is_left_out_everywhere(place):
    """Patterns, names and lists; the same in Python; the labels too."""
    typed = ["--include-topics", "@topics.txt", "--include-topics", "40[34]", "--exclude-topics", "404"]
    runs = ["judge", "--runs", "runs/*", "--qrels", "human.qrels", "--judge", "noisy.qrels", "-m", "AP"]
    answer = asked(place, *runs, *typed, "--exclude", "dense*")
    names = cd.read_scores(place / "human.csv").systems
    gone = [name for name in names if name.startswith("dense")]
    assert gone
    assert {row["topic"] for row in answer["tables"]["each_topic"]} == {"401", "402", "403"}
    assert {row["system"] for row in answer["tables"]["systems"]} == set(names) - set(gone)
    topics = {"include_topics": ["401", "402", "40[34]"], "exclude_topics": "404"}
    study = cd.Study(place / "human_ap.csv", place / "noisy_ap.csv", exclude="dense*", **topics)
    assert set(study.dropped_systems) == set(gone)
    assert set(study.dropped_topics) == set(study.topics_left_out) == {"404", "405", "406", "407", "408"}
    texts = [
        note["text"] for note in answer["notes"] if note["kind"] in ("systems_left_out", "topics_left_out")
    ]
    assert texts[0].startswith(f"left out {len(gone)} system")
    assert texts[1].startswith("left out 5 topics by name, 3 of 8 are kept: 404")
    assert texts == [
        note.text for note in study.notes if note.kind in ("systems_left_out", "topics_left_out")
    ]
    qrels = {name: cd.read_qrels(place / f"{name}.qrels") for name in ("human", "noisy")}
    few = {name: {t: own[t] for t in ("401", "402", "403")} for name, own in qrels.items()}
    expected = cd.labels({"the reference": few["human"], "noisy": few["noisy"]}, reference="the reference")
    assert answer["tables"]["raters"] == expected.table("raters").to_dicts()
    assert "topics.txt" in [each["file"] for each in answer["inputs"]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"include_topics": "q*"}, "include_topics needs topics on all sides, and a side has only means"),
        ({"include": ["sys1", "dens"]}, "include: no system matches 'dens'; did you mean dense?"),
        ({"judges": [{"name": "gpt"}]}, "judges have name, category and colour, for estimate; got"),
        ({"judges": [{"name": "estimate", "color": "red"}]}, "judges have name, category and colour"),
        (
            {"judges": [{"name": "estimate", "colour": "Red"}]},
            "the colour of estimate is 'Red'; write #rrggbb",
        ),
        ({"exclude": "*"}, "reference has no system left, of 2"),
    ],
)
def test_a_study_refuses_what_no_name_matches(options, message):
    means = {"sys1": 0.1, "dense": 0.2}
    with pytest.raises(cd.ArgumentError) as caught:
        cd.Study(means, means, **options)
    assert message in str(caught.value)
    assert len(cd.Study(means, means, include="sys1").systems) == 1
