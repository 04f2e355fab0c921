"""Remarks: every kind has a sentence, is made somewhere in the source, and can be told."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

import concordant
from concordant.results.note import Note, unique
from concordant.results.note_sentences import SENTENCES, count, some

SOURCE = Path(concordant.__file__).parent

# What a sentence may be told with: for each kind the values, as the source gives them.
VALUES = {
    "systems_dropped": {"systems": ("rm3", "ql")},
    "systems_as_zero": {"systems": ("rm3",)},
    "topics_dropped": {"topics": ("401", "402")},
    "topics_as_zero": {"topics": ("401",)},
    "topics_not_in_common": {"topics": ("401", "402", "403", "404", "405")},
    "topics_incomplete": {"topics": ("401",)},
    "topics_differ": {"sizes": {"reference": 50, "llm": 25}, "common": 25, "own": False},
    "names_alike": {"pairs": (("BM25", "bm25"),)},
    "measures_renamed": {"names": {"map": "AP"}},
    "systems_renamed": {"names": {"BM25": "bm25"}},
    "read_as": {
        "systems_in": "rows",
        "systems": 12,
        "topics": 0,
        "measures": ("MMLU", "GSM8K"),
        "left_out": ("Rank",),
        "missing": 1,
        "lower": (),
        "remarks": ("percent",),
    },
    "lower_is_better": {"measures": ("RMSE",)},
    "topics_of_pairs": {"least": 3, "most": 8},
    "scores_as_zero": {"scores": 3, "systems": ("rm3", "ql")},
    "ties_in_means": {"tied": 4, "systems": 10, "measure": "AP", "by_rounding": 2},
    "measures_left_out": {"measures": ("AP", "RR")},
    "averages_left_out": {"names": ("Average",), "of": "topic"},
    "topics_without_scores": {"topics": ("401",)},
    "systems_without_means": {"systems": ("llama",), "measures": ("MMLU",), "of": 2},
    "evaluated": {"judgements": 2000, "topics": 50, "runs": 24},
    "topics_without_relevant": {"topics": ("401",)},
    "topics_without_judgements": {"runs": ("a.run",)},
    "unanswered_as_zero": {"topics": 3, "runs": ("a.run", "b.run")},
    "unanswered_dropped": {"topics": ("401",)},
    "undefined": {"coefficient": "tau_b", "reason": "all items are tied"},
    "undefined_in_matrix": {"coefficient": "tau_b", "pairs": 2, "total": 9, "reason": "all items are tied"},
    "undefined_topics": {"coefficient": "tau_b", "topics": 3, "reason": "all items are tied"},
    "undefined_from_threshold": {"coefficient": "tau_b", "threshold": 0.25, "reason": "all items are tied"},
    "undefined_swaps": {"coefficient": "tau_b", "swaps": 3, "total": 10, "reason": "all items are tied"},
    "no_jackknife_interval": {"topics": 2, "systems": 9},
    "same_means": {"pairs": (("bm25", "rm3"),)},
    "target_out_of_reach": {"coefficient": "tau", "limit": 0.8, "pairs": (("bm25", "rm3"),)},
    "target_far": {"topics": 67_108_864},
    "beyond_the_pilot": {"topics": 40, "needed": 400},
    "no_difference": {"coefficient": "tau_b"},
    "tie_range": {"coefficient": "tau_b", "value": 0.74, "low": 0.61, "high": 0.8},
    "intervals": {
        "confidence_level": 0.95,
        "method": "standard",
        "n_resamples": 9999,
        "topics": 50,
        "seed": 0,
    },
    "intervals_of_means_of_topics": {},
    "same_on_all_topics": {"coefficient": "tau_b"},
    "few_topics": {"topics": 8, "method": "BCa"},
    "few_topics_expected": {"topics": 8},
    "reliability": {"topics": 50, "expected": {"tau": 0.86, "tau_ap": 0.82}},
    "few_resamples": {"resamples": 99},
    "topics_not_shared": {},
    "over_systems": {"confidence_level": 0.95, "systems": 12},
    "resamples_undefined": {"coefficient": "tau_b", "undefined": 3, "resamples": 999},
    "no_interval": {"coefficient": "tau_b"},
    "no_bca_interval": {"coefficient": "tau_b"},
    "no_such_top": {"top": 20, "systems": 10},
    "not_compared_undefined": {"coefficient": "tau_b", "estimates": ("llm",)},
    "not_compared_topics": {"best": "gpt", "other": "llama"},
    "compared_on_fewer_topics": {"best": "gpt", "other": "llama", "topics": 12},
    "one_topic_no_test": {},
    "needs_scipy": {},
    "pairs_reversed": {"pairs": 3, "total": 45, "measure": "AP"},
    "demo": {
        "kappas": {"noisy": 0.5, "partial": 0.52},
        "coefficient": "tau_b",
        "values": {"noisy": 0.9, "partial": 0.7},
        "gaining": 5,
        "neural": 4,
    },
    "undefined_value": {"reason": "all items are tied"},
    "ties_not_allowed": {"reason": "x has tied items ('a', 'b' at 1); use tau_a, tau_b or tau_e"},
    "nan_in_input": {},
    "pairs_cost_the_same": {"pairs": 300, "cost": 1 / 300, "all": True},
    "reasons_alike": {"coefficient": "mine"},
    "two_tests": {"method": "exchange"},
    "not_a_sum": {"coefficient": "mine"},
    "shares_inexact": {},
    "pairs_among": {"items": 200},
    "too_many_to_remove": {"items": 3000},
    "removed_among": {"items": 200},
    "items_listed": {"listed": 10, "items": 100},
    "systems_dropped_by_name": {"systems": ("rm3",)},
    "duplicates_dropped": {"systems": {"rm3": "ql"}},
    "bottom_dropped": {"systems": ("rm3", "ql"), "measure": "AP"},
    "missing_as_zero": {"scores": 1},
    "too_few_pairs": {"pairs": 3, "kind": "significant", "wanted": 10},
    "share_significant": {"share": 0.5, "pairs": 45, "alpha": 0.05},
    "spam_grades": {"grades": 3},
    "short_lists": {"lists": 2, "least": 10},
    "ties_shuffled": {"documents": 4, "where": "run"},
    "ndcg_reached": {"low": 0.25, "high": 0.5, "off": 0.01},
}


def calls_of_note():
    """Yield where each Note is made in the source, its kind, and the names of its values, if known."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Note":
                given = {keyword.arg: keyword.value for keyword in node.keywords}
                given |= dict(zip(("kind", "subject", "values"), node.args, strict=False))
                if isinstance(given.get("kind"), ast.Constant):
                    values = given.get("values", ast.Dict([], []))
                    known = isinstance(values, ast.Dict) and None not in values.keys
                    keys = [key.value for key in values.keys] if known else None
                    yield f"{path.relative_to(SOURCE)}:{node.lineno}", given["kind"].value, keys


def words_of_source():
    """Return all text in the source, but for the sentences themselves."""
    paths = [path for path in SOURCE.rglob("*.py") if path != SOURCE / "tables" / "notes.py"]
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_text()))]
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_every_kind_that_the_source_makes_has_a_sentence_that_takes_its_values():
    """So that no remark fails when it is shown."""
    made = [call for call in calls_of_note() if not call[0].startswith("tables/note.py")]
    assert len(made) > 40
    for where, kind, keys in made:
        assert kind in SENTENCES, where
        if keys is not None:
            inspect.signature(SENTENCES[kind]).bind(**dict.fromkeys(keys))


def test_every_sentence_is_made_somewhere_in_the_source():
    """By name, also where the name is chosen first."""
    assert set(SENTENCES) - words_of_source() == set()


def test_plausible_values_are_known_for_every_kind():
    """A new kind must be added to the table above."""
    assert set(VALUES) == set(SENTENCES)


@pytest.mark.parametrize("kind", SENTENCES)
def test_every_sentence_can_be_told(kind):
    """In one line that begins in lower case or with a name and holds every value."""
    sentence = str(Note(kind, values=VALUES[kind]))
    assert sentence
    assert "\n" not in sentence
    assert not sentence.endswith(".")
    assert "{" not in sentence
    assert "None" not in sentence
    for value in VALUES[kind].values():
        for part in value if isinstance(value, tuple | dict) and len(value) < 5 else [value]:
            if isinstance(part, str):
                assert part in sentence
    about = str(Note(kind, "llm by AP", VALUES[kind]))
    assert about == f"llm by AP: {sentence}"


@pytest.mark.parametrize("kind", ["no_interval", "no_bca_interval"])
def test_a_missing_interval_need_not_name_the_coefficient(kind):
    """Where there is only one."""
    assert str(Note(kind)).startswith("there is no interval")
    assert str(Note(kind, values={"coefficient": "tau_b"})).startswith("tau_b has no interval")


@pytest.mark.parametrize(
    ("kind", "values", "sentence"),
    [
        ("systems_dropped", {"systems": ["a"]}, "dropped 1 system that not all sides have: a"),
        ("systems_dropped", {"systems": list("ab")}, "dropped 2 systems that not all sides have: a, b"),
        (
            "topics_not_in_common",
            {"topics": list("abcde")},
            "left out topics that not all sides have: a, b, c, d, ... (5 in all)",
        ),
        (
            "ties_in_means",
            {"tied": 2, "systems": 3, "measure": "AP", "by_rounding": 0},
            "2 of 3 systems share their mean AP with another",
        ),
        (
            "ties_in_means",
            VALUES["ties_in_means"],
            "4 of 10 systems share their mean AP with another, 2 of them after rounding to 12 digits",
        ),
        (
            "topics_differ",
            VALUES["topics_differ"],
            (
                "the sides have different topics (reference has 50, llm has 25, 25 in common); both means "
                "are over the 25 topics in common"
            ),
        ),
        (
            "share_significant",
            VALUES["share_significant"],
            "50% of 45 pairs of systems differ significantly (p < 0.05)",
        ),
        (
            "few_topics",
            {"topics": 1, "method": "basic"},
            "with only 1 topic intervals by basic are too narrow; use the method standard",
        ),
        ("duplicates_dropped", {"systems": {}}, "dropped 0 systems with all the scores of another"),
    ],
)
def test_sentences_count_and_shorten(kind, values, sentence):
    """One system, two systems; the first few of many."""
    assert str(Note(kind, values=values)) == sentence


def test_notes_are_compared_by_kind_subject_and_values():
    """So that each is told once, in its order."""
    one, other = Note("few_topics", values={"topics": 3}), Note("few_topics", values={"topics": 4})
    again = Note("few_topics", values={"topics": 3})
    assert one == again
    assert one != other
    assert hash(one) == hash(again)
    assert unique([other, one, again, other, Note("topics_not_shared")]) == (
        other,
        one,
        Note("topics_not_shared"),
    )
    assert Note("systems_dropped", values={"systems": ["a"]}) in {
        Note("systems_dropped", values={"systems": ["a"]})
    }


def test_a_note_about_something_larger_has_its_name_in_front():
    """A file within an estimate."""
    note = Note("averages_left_out", "x.csv")
    assert note.about("llm").subject == "llm: x.csv"
    assert Note("topics_not_shared").about("llm") == Note("topics_not_shared", "llm")
    assert note.about("llm").kind == note.kind


def test_a_note_becomes_a_dictionary():
    """For programs, with the sentence beside what it is made of."""
    assert Note("few_topics", "llm", {"topics": 8, "method": "BCa"}).to_dict() == {
        "kind": "few_topics",
        "subject": "llm",
        "text": "llm: with only 8 topics intervals by BCa are too narrow; use the method standard",
        "values": {"topics": 8, "method": "BCa"},
    }


def test_counts_and_lists_in_words():
    """The parts that sentences are made of."""
    assert [count(n, "pair") for n in (0, 1, 2)] == ["0 pairs", "1 pair", "2 pairs"]
    assert some(["a", 2]) == "a, 2"
    assert some(range(9), 3) == "0, 1, 2, ... (9 in all)"
    assert some([]) == ""
