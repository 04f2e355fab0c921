"""Remarks: sentences for people, which no code reads."""

from __future__ import annotations

from concordant.results.note import Note, told_once, unique

NOTE = Note("dropped", text="dropped 1 system: rm3", values={"systems": ("rm3",)})


def test_a_note_is_its_sentence_after_its_subject():
    assert str(NOTE) == "dropped 1 system: rm3"
    assert str(NOTE.about("nDCG").about("gpt")) == "gpt: nDCG: dropped 1 system: rm3"
    assert NOTE.about("gpt").to_dict() == {
        "kind": "dropped",
        "subject": "gpt",
        "values": {"systems": ("rm3",)},
        "text": "dropped 1 system: rm3",
        "lost": False,
        "table": "",
    }
    lost = Note("dropped", text="dropped", lost=True, table="pairs").about("gpt")
    assert (lost.to_dict()["lost"], lost.to_dict()["table"]) == (True, "pairs")


def test_control_characters_are_escaped():
    assert str(Note("bell", text="a\x07b")) == r"a\x07b"


def test_a_note_is_told_once():
    """Values may be lists, which cannot be hashed."""
    listed = Note("dropped", text="dropped 1 system: rm3", values={"systems": ["rm3"]})
    assert unique([NOTE, listed, NOTE, NOTE.about("gpt")]) == (NOTE, listed, NOTE.about("gpt"))


def test_what_is_true_of_several_is_told_once():
    """In the order of the notes; of many subjects the first are named."""
    of = lambda text, *names: [Note("x", text=text, subject=name) for name in names]
    notes = [*of("few topics", "a", "b"), *of("one", ""), *of("few topics", "a", "c"), *of("other", "d")]
    assert told_once(notes) == ["a, b and c: few topics", "one", "d: other"]
    many = told_once(of("few topics", *map(str, range(12))))
    assert many == ["0, 1, 2, 3, 4, 5, 6 and 5 other cases: few topics"]
