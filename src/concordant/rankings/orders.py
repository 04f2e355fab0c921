"""Plain orders of names, best first, with groups for ties: ``bm25 (dense splade) rm3``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from concordant.errors import ArgumentError, ArgumentTypeError, public

__all__ = ["groups_of_order", "ranking"]


@public
def ranking(order: str | Iterable[object]) -> dict[str, float]:
    """Return scores for items in order, best first.

    Parameters
    ----------
    order : str or iterable
        Names, best first. Names that are tied are in a list within the list, or in parentheses in the text.

    Returns
    -------
    dict of str to float
        A score for each name: the number of groups from it to the end, so that the last has 1. Gaps between
        scores have no meaning: an order says nothing about them.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.ranking(["bm25", ["dense", "splade"], "rm3"])
    {'bm25': 3.0, 'dense': 2.0, 'splade': 2.0, 'rm3': 1.0}
    >>> cd.tau_b(cd.ranking("bm25 (dense splade) rm3"), cd.ranking("bm25 splade dense rm3")).round(4)
    0.9129
    """
    groups = groups_of_order(order) if isinstance(order, str) else _groups(order)
    scores: dict[str, float] = {}
    for score, group in zip(range(len(groups), 0, -1), groups, strict=True):
        for name in group:
            if name in scores:
                raise ArgumentError(f"{name!r} is there twice; an item has one place in an order")
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
    """Read names cut by spaces or lines, tied ones in parentheses."""
    tokens: Sequence[str] = re.findall(r"[()]|[^\s()]+", text)
    groups: list[list[str]] = []
    inside = False
    for token in tokens:
        if token == "(":
            if inside:
                raise ArgumentError("an order has parentheses within parentheses; ties have one level")
            groups.append([])
            inside = True
        elif token == ")":
            if not inside or not groups[-1]:
                raise ArgumentError("an order has a closing parenthesis without names before it")
            inside = False
        elif inside:
            groups[-1].append(token)
        else:
            groups.append([token])
    if inside:
        raise ArgumentError("an order has an opening parenthesis that is not closed")
    return groups
