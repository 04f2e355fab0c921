"""The same files in autojudge-evaluate 1.1.0 and here; docs/from/autojudge.md says where they differ."""

import importlib.util
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from support.program import run

pytestmark = pytest.mark.integration
if importlib.util.find_spec("autojudge_evaluate") is None:
    pytest.skip("autojudge-evaluate is not installed", allow_module_level=True)

METHODS = ("kendall", "pearson", "spearman", "tauap_b", "tau_gap", "kendall@10")
RUNS = [f"run{i:02d}" for i in range(14)]
FORMATS = {
    "tot": lambda s, t, m, v: f"{s} {m} {t} {v}",
    "ir_measures": lambda s, t, m, v: f"{s} {t} {m} {v}",
    "ranking": lambda s, t, m, v: f"{t} Q0 {s} 0 {v} {m}",
    "jsonl": lambda s, t, m, v: json.dumps({"run_id": s, "topic_id": t, "measure": m, "value": v}),
}
# It wants to load data of NLTK, which have nothing to do with correlations: they are empty here.
_PEER = """
import json, sys, nltk
nltk.download = lambda *_, **__: True
from autojudge_evaluate import main
for arguments in json.loads(sys.argv[1]):
    main(["meta-evaluate", "--silent", *arguments], standalone_mode=False)
"""


def _table(rng, measures, form, ties):
    """Return lines with rows "all"; ties are of means that no rounding breaks."""
    quality = rng.random(len(RUNS))
    for measure in measures:
        values = np.clip(quality * 0.6 + 0.2 + rng.normal(0, 0.2, (8, len(RUNS))), 0, 1)
        values = np.round(values * 2) / 2 if ties else values
        for s, system in enumerate(RUNS):
            for t in range(len(values)):
                yield form(system, str(t + 1), measure, values[t, s].item())
            yield form(system, "all", measure, values[:, s].mean().item())


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The lines of both programs, for each format, without ties and with ties."""
    place = tmp_path_factory.mktemp("autojudge")
    (place / "nltk" / "corpora" / "stopwords").mkdir(parents=True)
    (place / "nltk" / "corpora" / "stopwords" / "english").write_text("")
    rng, asked, ours = np.random.default_rng(29), [], {}
    for format, form in FORMATS.items():
        for ties in (False, True):
            folder = place / f"{format}-{ties}"
            (folder / "judges").mkdir(parents=True)
            sides = {"truth.txt": ("nuggets", "f1@10"), "judges/gpt.txt": ("rubric@5", "umbrela")}
            sides["judges/llama.txt"] = sides["judges/gpt.txt"]
            for name, measures in sides.items():
                (folder / name).write_text("\n".join(_table(rng, measures, form, ties)) + "\n")
            formats = ["--truth-format", format, "--eval-format", format]
            files = ["--truth-leaderboard", "truth.txt", "-i", "judges/*.txt", "--output", "theirs.jsonl"]
            files = [str(folder / word) if "." in word else word for word in files]
            asked.append([*files, *formats, *(word for c in METHODS for word in ("--correlation", c))])
            coefficients = [word for c in METHODS for word in ("-c", c)]
            judges = [
                "--judge",
                "judges/gpt.txt",
                "--judge",
                "judges/llama.txt",
                "-m",
                "all",
                "--no-interval",
            ]
            known = ["--input-format", "ir_measures4"] if format == "ir_measures" else []
            words = ["--reference", "truth.txt", *judges, *coefficients, *known, "--format", "jsonl"]
            found = run("judge", *words, cwd=folder)
            assert found.returncode == 0, found.stderr
            ours[format, ties] = _by_names(found.stdout)
    peer = subprocess.run(
        [sys.executable, "-c", _PEER, json.dumps(asked)],
        input="n\n" * 99,  # it asks whether the first line of the format ranking is a header
        env={**os.environ, "NLTK_DATA": str(place / "nltk")},
        text=True,
        capture_output=True,
        check=False,
    )
    assert peer.returncode == 0, peer.stderr
    files = {key: place / f"{key[0]}-{key[1]}" / "theirs.jsonl" for key in ours}
    return {key: (_by_names(files[key].read_text()), own) for key, own in ours.items()}


def _by_names(text):
    lines = map(json.loads, text.splitlines())
    return {(line["Judge"], line["TruthMeasure"], line["EvalMeasure"]): line for line in lines}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("ties", [False, True])
def test_the_values_are_those_of_autojudge_evaluate(both, format, ties):
    """All without ties; with ties those that do not depend on the order of names. They print ten digits."""
    theirs, ours = both[format, ties]
    assert list(theirs) != []
    assert set(theirs) == set(ours)
    compared = METHODS[:4] if ties else METHODS
    for names, line in theirs.items():
        assert {c: ours[names][c] for c in compared} == pytest.approx(
            {c: line[c] for c in compared}, abs=1e-9
        )


def test_values_that_depend_on_the_order_of_names_there_differ(both):
    """So the tables with ties have ties that matter; the page on this package says which is right."""
    differ = {
        c
        for format in FORMATS
        for names, line in both[format, True][0].items()
        for c in METHODS
        if abs(line[c] - both[format, True][1][names][c]) > 1e-6
    }
    assert differ == {"tau_gap", "kendall@10"}
