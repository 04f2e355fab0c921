"""Remarks: sentences for people, which no code reads."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import concordant
from concordant.results.note import Note, unique

SOURCE = Path(concordant.__file__).parent
NOTE = Note("dropped", text="dropped 1 system: rm3", values={"systems": ("rm3",)})


def test_a_note_is_its_sentence_after_its_subject():
    assert str(NOTE) == "dropped 1 system: rm3"
    assert str(NOTE.about("nDCG").about("gpt")) == "gpt: nDCG: dropped 1 system: rm3"
    assert NOTE.about("gpt").to_dict() == {
        "kind": "dropped",
        "subject": "gpt",
        "values": {"systems": ("rm3",)},
        "text": "gpt: dropped 1 system: rm3",
    }


def test_control_characters_are_escaped():
    assert str(Note("bell", text="a\x07b")) == r"a\x07b"


def test_a_note_is_told_once():
    """Values may be lists, which cannot be hashed."""
    listed = Note("dropped", text="dropped 1 system: rm3", values={"systems": ["rm3"]})
    assert unique([NOTE, listed, NOTE, NOTE.about("gpt")]) == (NOTE, listed, NOTE.about("gpt"))


@pytest.mark.xfail(strict=True, reason="some folders still read notes")
def test_no_code_reads_a_note():
    """What code needs is a field of a record; only the rendering of results takes a note as text."""
    offenders = []
    for path in sorted(SOURCE.rglob("*.py")):
        if path.parent.name == "results" and path.name in ("note.py", "result.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                told = "note" in node.value.id.lower() or node.attr == "subject"
                if told and node.attr in ("kind", "subject", "text", "called", "values"):
                    offenders.append(f"{path.relative_to(SOURCE)}:{node.lineno} {ast.unparse(node)}")
            elif isinstance(node, ast.Name | ast.alias) and "SENTENCES" in (
                getattr(node, "id", ""),
                getattr(node, "name", ""),
            ):
                offenders.append(f"{path.relative_to(SOURCE)}:{node.lineno} SENTENCES")
    assert not offenders, "\n".join(offenders)
