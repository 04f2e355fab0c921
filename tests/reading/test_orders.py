"""Plain orders: names, best first, in every way in which people write them."""

from __future__ import annotations

import io

import pytest

import concordant as cd

ABC = [["a"], ["b"], ["c"]]
TIED = [["a"], ["b", "c"], ["d"]]

# The text, the groups it must give, and what the note must say.
ORDERS = {
    "one a line": ("a\nb\nc\n", ABC, ""),
    "in a line": ("a b c\n", ABC, ""),
    "commas": ("a,b,c\n", ABC, ""),
    "commas and spaces": ("a, b, c\n", ABC, ""),
    "larger": ("a > b > c\n", ABC, ""),
    "larger, no spaces": ("a>b=c>d\n", TIED, ""),
    "larger and equal": ("a > b = c > d\n", TIED, ""),
    "larger and alike": ("a > b ~ c > d\n", TIED, ""),
    "larger and parentheses": ("a > (b c) > d\n", TIED, ""),
    "parentheses": ("a (b c) d\n", TIED, ""),
    "parentheses with commas": ("(a, b) c\n", [["a", "b"], ["c"]], ""),
    "parentheses in lines": ("a\n(b c)\nd\n", TIED, ""),
    "parentheses, commas, lines": ("a\n(b, c)\nd\n", TIED, ""),
    "names with spaces": ("GPT 4 > Claude Opus > Llama 3\n", [["GPT 4"], ["Claude Opus"], ["Llama 3"]], ""),
    "numbers": ("1. a\n2. b\n3. c\n", ABC, "; the numbers before the names were removed"),
    "numbers, parentheses": ("1) a\n2) b\n3) c\n", ABC, "; the numbers before the names were removed"),
    "numbers, tabs": ("1\ta\n2\tb\n3\tc\n", ABC, "; the numbers before the names were removed"),
    "numbers, names with spaces": (
        "1. GPT 4\n2. Claude Opus\n",
        [["GPT 4"], ["Claude Opus"]],
        "; the numbers before the names were removed",
    ),
    "a header": ("model\na\nb\nc\n", ABC, "; left out: model"),
    "a title": ("Ranking:\na\nb\nc\n", ABC, "; left out: Ranking:"),
    "a comment": ("# best first\na\nb\nc\n", ABC, ""),
}
# These are read if the format is given.
GIVEN = {
    "names with spaces": ("GPT 4\nClaude Opus\nLlama 3\n", [["GPT 4"], ["Claude Opus"], ["Llama 3"]]),
    "parentheses in names": (
        "GPT-4 (OpenAI)\nClaude (Anthropic)\n",
        [["GPT-4 (OpenAI)"], ["Claude (Anthropic)"]],
    ),
    "parameters": ("bm25(k1=0.9)\nbm25(k1=1.2)\n", [["bm25(k1=0.9)"], ["bm25(k1=1.2)"]]),
    "ties of names with spaces": ("x y\n(GPT 4, Claude Opus)\n", [["x y"], ["GPT 4", "Claude Opus"]]),
    "equal in a line": ("a\nb = c\nd\n", TIED),
    "larger at the end of lines": ("a >\nb >\nc\n", ABC),
    "commas at the end of lines": ("a,\nb,\nc\n", ABC),
}


def scores(groups):
    return {name: float(len(groups) - k) for k, group in enumerate(groups) for name in group}


@pytest.mark.parametrize("kind", ORDERS)
def test_orders_of_real_life(kind):
    """Each is recognised, and read by `cd.ranking` in the same way."""
    text, groups, remark = ORDERS[kind]
    found = cd.read_scores(io.StringIO(text))
    assert dict(zip(found.systems, found.values.ravel().tolist(), strict=True)) == scores(groups)
    start = f"the open file: names in order, best first: {len(found.systems)} systems"
    assert [str(note) for note in found.notes] == [start + remark]
    if "#" not in text:
        assert cd.ranking(text) == scores(groups)


@pytest.mark.parametrize("kind", GIVEN)
def test_orders_that_need_their_format(kind):
    """A line is one name, whatever is in it."""
    text, groups = GIVEN[kind]
    found = cd.read_scores(io.StringIO(text), format="order")
    assert dict(zip(found.systems, found.values.ravel().tolist(), strict=True)) == scores(groups)
    assert cd.ranking(text) == scores(groups)


REFUSED = {
    "numbers with ties": (
        "1. a\n2. b\n2. c\n",
        "are 1, 2, 2, and do not count up from 1; put the best first",
    ),
    "numbers from the end": ("1\ta\n3\tb\n", "are 1, 3, and do not count up from 1"),
    "brackets": ("[a b] c\n", r":1: '\[a b\] c' is not JSON; in an order, tied names are in parentheses"),
    "not closed": ("a (b c\n", "an opening parenthesis that is not closed"),
    "within": ("a ((b c) d)\n", "parentheses within parentheses"),
    "nothing in them": ("a () b\n", "a closing parenthesis without names before it"),
    "twice": ("a > b > a\n", "duplicate item 'a'"),
    "prose": ("hello big\nworld of it\n", "cannot tell the format .*; names one a line are format='order'"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_orders_that_cannot_be_read(kind):
    """Get one sentence with the next step."""
    text, message = REFUSED[kind]
    with pytest.raises(cd.InputError, match=message):
        cd.read_scores(io.StringIO(text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n(b c) d\n", "put a group of tied names on a line of its own"),
        ("a\nb, c\n", "the line 'b, c' has a comma; write one name per line"),
        ("a\n(b c\n", "an opening parenthesis that is not closed"),
    ],
)
def test_lines_that_are_no_names(text, message):
    """Nothing is guessed."""
    with pytest.raises(cd.ArgumentError, match=message):
        cd.ranking(text)
