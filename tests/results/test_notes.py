"""Remarks: sentences for people, which no code reads."""

from __future__ import annotations

from concordant.results.note import Note, unique

NOTE = Note("dropped", text="dropped 1 system: rm3", values={"systems": ("rm3",)})


def test_a_note_is_its_sentence_after_its_subject():
    assert str(NOTE) == "dropped 1 system: rm3"
    assert str(NOTE.about("nDCG").about("gpt")) == "gpt: nDCG: dropped 1 system: rm3"
    assert NOTE.about("gpt").to_dict() == {
        "kind": "dropped",
        "subject": "gpt",
        "values": {"systems": ("rm3",)},
        "text": "dropped 1 system: rm3",
    }


def test_control_characters_are_escaped():
    assert str(Note("bell", text="a\x07b")) == r"a\x07b"


def test_a_note_is_told_once():
    """Values may be lists, which cannot be hashed."""
    listed = Note("dropped", text="dropped 1 system: rm3", values={"systems": ["rm3"]})
    assert unique([NOTE, listed, NOTE, NOTE.about("gpt")]) == (NOTE, listed, NOTE.about("gpt"))
