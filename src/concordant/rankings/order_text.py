"""Plain orders of names, best first, with groups for ties: ``bm25 (dense splade) rm3``."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from concordant.checks import is_real
from concordant.errors import ArgumentError, ArgumentTypeError, public

_NUMBER = re.compile(r"(\d{1,6})(?:[.)]\s+|[.)]?\t)", re.ASCII)
# Words that stand above a column or list of systems, and are hardly the name of one.
SYSTEM_WORDS = (
    *("system", "systems", "model", "models", "run", "runs", "method", "methods", "algorithm", "algorithms"),
    *("engine", "submission", "name", "names", "team", "teams", "participant"),
)
_HEADERS = frozenset((*SYSTEM_WORDS, "ranking", "rank", "order"))


@public
def ranking(order: str | Iterable[object] | Mapping[Any, float]) -> dict[str, float]:
    """Return scores for items in order, best first.

    Parameters
    ----------
    order : str or iterable
        Names, best first. Tied names are in an inner list. In a text, names are separated by spaces, ``>``,
        commas or line breaks; tied names are in parentheses, or have ``=`` or ``~`` between them. In a text
        of several lines, each line is one name. A mapping gives the rank of each name; 1 is the best.

    Returns
    -------
    dict of str to float
        A score for each name: the number of groups from its own group to the end, so that the last name has
        1. The gaps between these scores have no meaning.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.ranking(["bm25", ["dense", "splade"], "rm3"])
    {'bm25': 3.0, 'dense': 2.0, 'splade': 2.0, 'rm3': 1.0}
    >>> cd.ranking("bm25 > dense = splade > rm3") == cd.ranking("bm25 (dense splade) rm3")
    True
    >>> cd.ranking({"bm25": 1, "rm3": 4, "dense": 2.5, "splade": 2.5})
    {'bm25': 3.0, 'dense': 2.0, 'splade': 2.0, 'rm3': 1.0}
    >>> cd.tau_b(cd.ranking("bm25 (dense splade) rm3"), cd.ranking("bm25 splade dense rm3")).round(4)
    0.9129
    """
    if isinstance(order, Mapping):
        wrong = next((name for name, rank in order.items() if not is_real(rank) or math.isnan(rank)), None)
        if wrong is not None:
            raise ArgumentTypeError(f"the rank of {wrong!r} must be a number, got {order[wrong]!r}")
        ranks = sorted(set(order.values()))
        order = [[str(name) for name, own in order.items() if own == rank] for rank in ranks]
    return scores_of_groups(groups_of_order(order) if isinstance(order, str) else _groups(order))


def scores_of_groups(groups: list[list[str]]) -> dict[str, float]:
    """Return the number of groups from that of each name to the end."""
    scores: dict[str, float] = {}
    for score, group in zip(range(len(groups), 0, -1), groups, strict=True):
        for name in group:
            if name in scores:
                raise ArgumentError(f"duplicate item {name!r}; each item may appear only once")
            scores[name] = float(score)
    return scores


def _groups(order: Iterable[object]) -> list[list[str]]:
    if not isinstance(order, Iterable):
        raise ArgumentTypeError(f"an order is a text or a list of names, got {type(order).__name__}")
    groups = []
    for each in order:
        group = [str(name) for name in each] if isinstance(each, list | tuple) else [str(each)]
        if not group or any(not name.strip() for name in group):
            raise ArgumentError("a name in the order is empty")
        groups.append(group)
    return groups


def groups_of_order(text: str) -> list[list[str]]:
    """Return the groups of tied names in a text, best first; see `order_of`."""
    return order_of(text)[0]


def order_of(text: str) -> tuple[list[list[str]], str, bool]:
    """Read an order: names, best first, one per line or all in one line.

    Return the groups of tied names, the header that was left out, and whether there were numbers.

    - If there are several lines, each is one rank, and its text is one name. A line in parentheses is a group
      of tied names, separated by commas if there are any, otherwise by spaces. A first line that is a word
      for systems, or ends in a colon, is a header. Numbers before the names that count up from 1 are removed.
    - ``>`` and commas are between ranks, ``=`` and ``~`` with spaces around them between tied names.
    - Otherwise spaces are between ranks.
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    header = ""
    if len(lines) > 1 and (lines[0].lower() in _HEADERS or lines[0].endswith(":")):
        header, *lines = lines
    if len(lines) > 1 and not any(_outside(line, ">") for line in lines):
        named, numbered = _unnumbered([line.rstrip(",;").rstrip() for line in lines])
        return [_of_line(line) for line in named], header, numbered
    whole = " ".join(lines)
    for mark in (">", ","):
        if _outside(whole, mark):
            named, numbered = _unnumbered([part.strip() for part in _cut(whole, mark)])
            bare = "=~" if not re.search(r"\s", whole) else ""
            return [_of_part(part, bare) for part in named if part], header, numbered
    return _of_tokens(whole), header, False


def _cut(text: str, mark: str) -> list[str]:
    """Cut a text at a mark that is not in parentheses."""
    parts, depth = [""], 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == mark and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def _outside(text: str, mark: str) -> bool:
    return mark in text and len(_cut(text, mark)) > 1


def _unnumbered(lines: list[str]) -> tuple[list[str], bool]:
    """Remove numbers that count up from 1: ``1.``, ``1)``, or ``1`` and a tab."""
    found = [_NUMBER.match(line) for line in lines]
    if not lines or not all(found):
        return lines, False
    numbers = [int(match[1]) for match in found if match is not None]
    if numbers != list(range(1, len(lines) + 1)):
        are = f"the numbers before the names are {', '.join(map(str, numbers[:6]))}"
        advice = "put the best first, and tied names in parentheses"
        raise ArgumentError(f"{are}, and do not count up from 1; {advice}")
    return [_NUMBER.sub("", line, count=1) for line in lines], True


def _of_line(line: str) -> list[str]:
    """Return the name in a line, or the tied names."""
    if line.startswith("(") or line.count("(") != line.count(")"):
        if line.endswith(")") and line.count("(") == line.count(")") == 1:
            return _tied(line[1:-1])
        if line.count("(") > 1:
            raise ArgumentError("an order has parentheses within parentheses; ties have one level")
        if line.count("(") != line.count(")"):
            _of_tokens(line)  # raises the error that says which parenthesis is missing
        raise ArgumentError(f"put a group of tied names on a line of its own, got {line[:60]!r}")
    if _outside(line, ","):
        advice = "write one name per line, and tied names in parentheses"
        raise ArgumentError(f"the line {line[:60]!r} has a comma; {advice}")
    return [part.strip() for part in re.split(r"\s[=~]\s", line)]


def _of_part(part: str, bare: str = "") -> list[str]:
    """Return the tied names of one rank in a line; `bare` are marks of ties without spaces around them."""
    split = re.split(rf"[{bare}]" if bare else r"\s[=~]\s", part)
    return [each.strip() for each in split] if len(split) > 1 else _of_line(part)


def _tied(inside: str) -> list[str]:
    names = [name.strip() for name in inside.split(",")] if "," in inside else inside.split()
    if not names or not all(names):
        raise ArgumentError("an order has a closing parenthesis without names before it")
    return names


def _of_tokens(text: str) -> list[list[str]]:
    """Read names separated by spaces; tied names are in parentheses or have a mark between them."""
    groups: list[list[str]] = []
    inside = joins = False
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            if inside:
                raise ArgumentError("an order has parentheses within parentheses; ties have one level")
            groups.append([])
            inside = True
        elif token == ")":
            if not inside or not groups[-1]:
                raise ArgumentError("an order has a closing parenthesis without names before it")
            inside = False
        elif token in ("=", "~") and groups and not inside:
            joins = True
        elif inside:
            groups[-1] += [name for name in token.split(",") if name]
        elif joins:
            groups[-1].append(token)
            joins = False
        else:
            groups.append([token])
    if inside:
        raise ArgumentError("an order has an opening parenthesis that is not closed")
    return groups
