"""Text for terminals: paragraphs, names that are shortened, tables that wrap by whole columns."""

from __future__ import annotations

import random
import re

import pytest

from concordant.results.text_columns import aligned, display_width, shortened, wrapped


def test_wide_characters_take_two_columns_and_combining_ones_none():
    """As a terminal shows them."""
    shown = {"abc": 3, "\u65e5\u672c": 4, "\U0001f600": 2, "e\u0301": 1, "\u03b1": 1, "": 0}
    assert {text: display_width(text) for text in shown} == shown


def test_columns_of_wide_characters_are_aligned():
    """The second column begins at the same place in every line."""
    names = ["\u65e5\u672c\u8a9e", "emoji\U0001f600", "e\u0301te\u0301", "plain"]
    lines = aligned(["name", "value"], [[name, "0.5"] for name in names], {1}).splitlines()
    assert len({display_width(line) for line in lines}) == 1


def test_paragraphs_are_wrapped_with_a_hanging_indent():
    """Between words; only a word that no line can hold is cut, and nothing is lost."""
    text = "- a note of several words about " + "x" * 30 + " and more"
    lines = wrapped(text, 20, "  ")
    assert all(len(line) <= 20 for line in lines)
    assert lines[:2] == ["- a note of several", "  words about xxxxxx"]
    assert all(line.startswith("  ") for line in lines[1:])
    assert "".join(line.strip() for line in lines).replace(" ", "") == text.replace(" ", "")
    assert wrapped(text, None) == [text]
    assert wrapped("", 20) == [""]
    wide = wrapped("\u65e5" * 30, 9)
    assert [display_width(line) for line in wide] == [8] * 7 + [4]


def test_names_are_shortened_in_the_middle():
    """Those that fit stay; where the ends do not tell names apart, the place where they differ is shown."""
    assert shortened(["neural-very-long-v1", "neural-very-long-v2", "bm25"], 9) == [
        "neur\u2026g-v1",
        "neur\u2026g-v2",
        "bm25",
    ]
    inside = ["x" * 100 + letter + "x" * 100 for letter in "abc"]
    short = shortened(inside, 20)
    assert len(set(short)) == 3
    assert all(display_width(name) <= 20 for name in short)
    assert [letter in name for letter, name in zip("abc", short, strict=True)] == [True] * 3
    assert shortened(["same" * 9] * 2, 10) == ["same\u2026esame"] * 2


def test_shortened_names_are_never_ambiguous():
    """For random names of few letters, some of them wide."""
    rng = random.Random(1)
    for _ in range(60):
        letters = rng.choice(["ab", "a\u65e5", "xy\U0001f600"])
        names = ["".join(rng.choices(letters, k=rng.randint(1, 40))) for _ in range(12)]
        short = shortened(names, rng.randint(3, 25))
        assert len(set(short)) == len(set(names))
        assert len(set(zip(names, short, strict=True))) == len(set(names))


HEADER = ["system", "reference score", "reference rank", "estimate score", "estimate rank", "gain"]
ROWS = [[f"system-{i}", f"0.{i}234", str(i), f"0.{i}567", str(10 - i), "-3"] for i in range(3)]


def test_a_wide_table_is_wrapped_by_whole_columns():
    """Blocks below each other, with the keys in each, and every cell as it was."""
    text = aligned(HEADER, ROWS, range(1, 6), range(1, 6), 32, 1)
    blocks = text.split("\n\n")
    assert len(blocks) > 1
    for block in blocks:
        assert [line.split()[0] for line in block.splitlines()[-3:]] == [row[0] for row in ROWS]
        assert all(len(line) <= 32 for line in block.splitlines())
    for r, row in enumerate(ROWS):
        cells = [cell for block in blocks for cell in block.splitlines()[r - 3].split()[1:]]
        assert cells == row[1:]


def test_a_table_that_fits_is_one_block():
    """Also if only its heads are too long, which take two lines then."""
    whole = aligned(HEADER, ROWS, range(1, 6), range(1, 6))
    assert aligned(HEADER, ROWS, range(1, 6), range(1, 6), 200) == whole
    folded = aligned(HEADER, ROWS, range(1, 6), range(1, 6), 60)
    assert "\n\n" not in folded
    assert folded.splitlines()[1].split() == ["score", "rank", "score", "rank"]


@pytest.mark.parametrize("width", [30, 40, 60, 80])
def test_digits_are_never_cut(width):
    """Whatever the names; and no line is longer than the width."""
    names = ["n" * 300, "n" * 150 + "m" + "n" * 149, "a b c " * 30, "\u65e5\u672c" * 40, "bm25"]
    rows = [[name, name[::-1], f"0.{i}1 [0.{i}0, 0.{i}2]", f"{i}.987654321"] for i, name in enumerate(names)]
    text = aligned(["one", "other", "value", "score"], rows, {3}, {2, 3}, width, 2)
    assert all(display_width(line) <= width for line in text.splitlines())
    for row in rows:
        assert row[2] in text
        assert re.search(rf"(?<!\\d){re.escape(row[3])}$", text, re.MULTILINE)
    assert " ".join(text.split()).endswith("(\u2026 stands for the middle of a long name)")


def test_cells_of_words_take_several_lines():
    """Instead of losing words."""
    text = aligned(["axiom", "statement"], [["1", "many words that are told in full " * 4]], (), (), 40, 1)
    assert (
        " ".join(line[7:].strip() for line in text.splitlines()[2:]).split()
        == ("many words that are told in full " * 4).split()
    )
    assert "\u2026" not in text


def test_rows_are_numbered_where_the_repeated_columns_do_not_tell_them_apart():
    """Every block says which row is which."""
    header = ["measure of the reference", "coefficient", "better", "worse", "difference", "other", "cost"]
    rows = [
        ["nDCG@10 " * 2, "tau_ap_b", f"system-{i // 2}", f"rival-{i % 2}", "0.1", "0.2", f"0.{i}"]
        for i in range(4)
    ]
    text = aligned(header, rows, (), {4, 5, 6}, 44, 4)
    blocks = text.split("\n\n")
    assert len(blocks) > 1
    for block in blocks:
        assert block.splitlines()[0].split()[0] == "#" or " # " in f" {block} "
        assert [line.split()[0] for line in block.splitlines() if line[0].isdigit()] == ["1", "2", "3", "4"]
    assert "#" not in aligned(header[2:], [row[2:] for row in rows], (), {2, 3, 4}, 34, 2)
