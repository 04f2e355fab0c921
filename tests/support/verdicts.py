"""Whether a verdict says only what the records carry."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from concordant.results.result import Result
from concordant.results.words import number

__all__ = ["unfounded"]

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*\w)")


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from _leaves(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _leaves(each)
    else:
        yield value


def unfounded(result: Result[Any]) -> list[str]:
    """Return the numbers of a verdict that are in no record, note or option, at the digits shown.

    Counts of records, of the different values in a column, and of those that are the same are founded; so
    is how many others there are, up to the number of estimates.
    """
    content = result.to_dict()
    leaves = list(
        _leaves([content["tables"], content["notes"], content["options"], content.get("values", {})])
    )
    text = " ".join(result.verdict)
    names = {leaf for leaf in leaves if isinstance(leaf, str) and re.search(r"[^\W\d]", leaf)}
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text)
    founded = set()
    for leaf in leaves:
        if isinstance(leaf, str):
            founded.add(leaf)
        elif isinstance(leaf, int | float):
            founded |= {
                number(leaf),
                f"{leaf:.4f}",
                f"{leaf:.3g}",
                f"{leaf:.2g}",
                f"{leaf:g}",
                f"{leaf:.10g}",
            }
    for rows in content["tables"].values():
        founded.add(str(len(rows)))
        for key in rows[0] if rows else ():
            column = [row[key] for row in rows]
            times = Counter(map(str, column))
            founded |= {str(len(times)), *map(str, times.values())}
            if key == "estimate":
                founded |= {str(k) for k in range(len(set(column)) + 1)}
    return [found for found in _NUMBER.findall(text) if found not in founded]
